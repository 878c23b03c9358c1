//! A server that records every byte of each request and always gives the same answer.

use std::io::{BufRead as _, BufReader, Read as _, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread::Builder;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// The ping's answer.
pub(super) const PONG: &str = r#"{"object": true, "errors": null}"#;

/// It listens until the test ends.
pub(super) struct Ears {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Ears {
    /// Plain HTTP, with this status line and further headers.
    pub(super) fn plain(status: &str, headers: &str, body: &str) -> Self {
        Self::start(None, status, headers, body)
    }

    /// HTTPS; answers pings.
    pub(super) fn tls(config: ServerConfig) -> Self {
        Self::start(Some(Arc::new(config)), "200 OK", "", PONG)
    }

    fn start(tls: Option<Arc<ServerConfig>>, status: &str, headers: &str, body: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its number");
        let heard = Arc::<Mutex<Vec<String>>>::default();
        let kept = Arc::clone(&heard);
        let answer = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        let serve = move || {
            for stream in listener.incoming().flatten() {
                match &tls {
                    None => one(stream, &answer, &kept),
                    Some(config) => {
                        let server =
                            ServerConnection::new(Arc::clone(config)).expect("a TLS server");
                        one(StreamOwned::new(server, stream), &answer, &kept);
                    }
                }
            }
        };
        Builder::new()
            .name("ears".to_owned())
            .spawn(serve)
            .expect("a thread");
        Self { address, heard }
    }

    pub(super) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(super) fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests, whole.
    pub(super) fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("nobody panicked").clone()
    }
}

/// Hears one request. One that never comes, or is refused by the other side, is nothing heard.
fn one(stream: impl std::io::Read + Write, answer: &str, heard: &Mutex<Vec<String>>) {
    let mut stream = BufReader::new(stream);
    let (mut header, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        match stream.read_line(&mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
        header.push_str(&line);
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    if stream.read_exact(&mut body).is_err() {
        return;
    }
    header.push_str(&String::from_utf8_lossy(&body));
    heard.lock().expect("nobody panicked").push(header);
    let stream = stream.get_mut();
    let _gone = stream
        .write_all(answer.as_bytes())
        .and_then(|()| stream.flush());
}
