//! A TCP listener whose connections can be ended after an exact number of bytes.
//!
//! Bytes are counted when they are handed to the operating system, so everything that hyper writes counts,
//! including headers.

use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// Handle with which the code that answers a call can end the call's connection.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConnectionHandle(Arc<Mutex<Option<End>>>);

/// How a connection ends.
#[derive(Debug, Clone, Copy)]
struct End {
    /// The number of bytes that are still sent before the connection ends.
    after: u64,
    reset: bool,
}

impl ConnectionHandle {
    /// Ends the connection once `bytes` more bytes have been sent and another would follow.
    pub(super) fn end_after(&self, bytes: u64, reset: bool) {
        let after = bytes;
        *self.lock() = Some(End { after, reset });
    }

    /// Cancels a planned end, so that further answers are sent whole.
    pub(super) fn cancel_end(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<End>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connected<IncomingStream<'_, EndableListener>> for ConnectionHandle {
    fn connect_info(stream: IncomingStream<'_, EndableListener>) -> Self {
        stream.io().line.clone()
    }
}

/// A TCP listener whose connections can be ended early.
pub(crate) struct EndableListener(pub(crate) TcpListener);

impl Listener for EndableListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.0).await;
        let line = ConnectionHandle::default();
        (Connection { stream, line }, address)
    }

    fn local_addr(&self) -> Result<SocketAddr> {
        self.0.local_addr()
    }
}

/// A connection that can be ended early.
pub(crate) struct Connection {
    stream: TcpStream,
    line: ConnectionHandle,
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let Some(End { after, reset }) = *self.line.lock() else {
            return Pin::new(&mut self.stream).poll_write(context, bytes);
        };
        if after == 0 {
            if reset {
                // With zero linger, the system resets the connection when it is closed.
                self.stream.set_zero_linger()?;
            }
            return Poll::Ready(Err(Error::from(ErrorKind::ConnectionAborted)));
        }
        let most = usize::try_from(after).unwrap_or(usize::MAX);
        let allowed = bytes.get(..most).unwrap_or(bytes);
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, allowed))?;
        let left = after.saturating_sub(u64::try_from(written).unwrap_or(u64::MAX));
        self.line.end_after(left, reset);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
