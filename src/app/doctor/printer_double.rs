//! A printer double for the main job: a TCP server that keeps the bytes it receives.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;

/// A local server that accepts jobs like port 9100 of a label printer.
pub(super) struct PrinterDouble {
    address: SocketAddr,
    received: Arc<Mutex<Vec<u8>>>,
}

impl PrinterDouble {
    /// Starts listening on the current Tokio runtime.
    pub(super) async fn start() -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let received = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&received);
        tokio::spawn(async move {
            while let Ok((mut job, _)) = listener.accept().await {
                let mut bytes = Vec::new();
                if job.read_to_end(&mut bytes).await.is_ok() {
                    kept.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .append(&mut bytes);
                }
            }
        });
        Ok(Self { address, received })
    }

    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns everything received so far.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.received
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
