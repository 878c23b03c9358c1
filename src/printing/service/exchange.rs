//! One IPP request over HTTP, by a socket in the file system or by the network.
//!
//! A connection a question: the service is on this machine, and a connection kept would be one more thing to go stale.

use std::io::ErrorKind;

use http_body_util::{BodyExt, Full, Limited};
use hyper::Request;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HOST};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::{Server, ServiceError};

/// The longest answer, in bytes. A queue is described in about 500.
const LONGEST_ANSWER: usize = 4 * 1024 * 1024;

/// Sends a request and returns the answer's bytes. Has no time limit of its own; dropping it closes the connection.
pub(super) async fn post(
    server: &Server,
    path: &str,
    request: Vec<u8>,
) -> Result<Bytes, ServiceError> {
    match server {
        #[cfg(unix)]
        Server::Local(socket) => match tokio::net::UnixStream::connect(socket).await {
            Ok(stream) => talk(stream, "localhost", path, request).await,
            Err(error) => Err(no_connection(&error)),
        },
        #[cfg(not(unix))]
        Server::Local(_) => Err(ServiceError::Missing),
        Server::Network { host, port } => match TcpStream::connect((host.as_str(), *port)).await {
            Ok(stream) => talk(stream, &format!("{host}:{port}"), path, request).await,
            Err(error) => Err(no_connection(&error)),
        },
    }
}

/// Without a listener there is no service, whatever the reason.
fn no_connection(error: &std::io::Error) -> ServiceError {
    match error.kind() {
        ErrorKind::PermissionDenied => ServiceError::Denied,
        _ => ServiceError::Missing,
    }
}

async fn talk<S>(stream: S, host: &str, path: &str, request: Vec<u8>) -> Result<Bytes, ServiceError>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let unreadable = |_detail| ServiceError::Unreadable;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .map_err(unreadable)?;
    // Ends the connection with this call, however it ends.
    let mut driver = JoinSet::new();
    driver.spawn(connection);
    let request = Request::post(path)
        .header(HOST, host)
        .header(CONTENT_TYPE, "application/ipp")
        .body(Full::new(Bytes::from(request)))
        .map_err(|_detail| ServiceError::Unreadable)?;
    let response = sender.send_request(request).await.map_err(unreadable)?;
    if !response.status().is_success() {
        return Err(ServiceError::Refused {
            status: format!("HTTP {}", response.status().as_u16()),
        });
    }
    match Limited::new(response.into_body(), LONGEST_ANSWER)
        .collect()
        .await
    {
        Ok(body) => Ok(body.to_bytes()),
        Err(_) => Err(ServiceError::Unreadable),
    }
}
