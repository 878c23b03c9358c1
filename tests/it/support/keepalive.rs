//! A service that keeps connections open and counts them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;

/// What becomes of a connection on which one request was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// It serves the next.
    Serve,
    /// It had idled for too long just when the next one was on its way: that one is not looked at.
    Close,
}

/// Answers every request with an envelope that holds `true`.
pub(crate) struct Keepalive {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<AtomicUsize>,
}

impl Keepalive {
    pub(crate) fn start(then: Then) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its number");
        let server = Self {
            address,
            connections: Arc::default(),
            requests: Arc::default(),
        };
        let (connections, requests) = (
            Arc::clone(&server.connections),
            Arc::clone(&server.requests),
        );
        let serve = move || {
            for stream in listener.incoming().flatten() {
                connections.fetch_add(1, Ordering::SeqCst);
                let requests = Arc::clone(&requests);
                Builder::new()
                    .name("keepalive".to_owned())
                    .spawn(move || serve_connection(&stream, then, &requests))
                    .expect("a thread");
            }
        };
        Builder::new()
            .name("keepalive".to_owned())
            .spawn(serve)
            .expect("a thread");
        server
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Connections that were made so far.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Requests that were answered so far.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

fn serve_connection(stream: &TcpStream, then: Then, requests: &AtomicUsize) {
    let mut reader = BufReader::new(stream);
    while take_request(&mut reader).is_some() {
        requests.fetch_add(1, Ordering::SeqCst);
        let body = r#"{"object":true,"errors":null}"#;
        let length = body.len();
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        // One write: an answer in two pieces would wait for an acknowledgement.
        let mut writer = stream;
        if writer.write_all(answer.as_bytes()).is_err() {
            return;
        }
        if then == Then::Close {
            // Until something is there to read; it stays unread, so that the end is a reset.
            let _ = stream.peek(&mut [0]);
            return;
        }
    }
}

fn take_request(reader: &mut BufReader<&TcpStream>) -> Option<()> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        let read = reader.read_line(&mut line).ok()?;
        if read == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        let line = line.to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()
}
