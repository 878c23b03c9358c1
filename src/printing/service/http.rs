//! Sends one IPP request over HTTP, through a Unix socket or the network.
//!
//! Every request uses a new connection: the service is usually on this computer, and a connection kept open
//! could go stale.

use std::io::ErrorKind;

use http_body_util::{BodyExt, Full, Limited};
use hyper::Request;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HOST};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::{ServerAddress, ServiceError};

/// The longest answer, in bytes. The description of a queue takes about 500.
const LONGEST_ANSWER: usize = 4 * 1024 * 1024;

/// Sends a request and returns the bytes of the answer. Has no time limit of its own; dropping the future
/// closes the connection.
pub(super) async fn post(
    server: &ServerAddress,
    path: &str,
    request: Vec<u8>,
) -> Result<Bytes, ServiceError> {
    match server {
        #[cfg(unix)]
        ServerAddress::Local(socket) => match tokio::net::UnixStream::connect(socket).await {
            Ok(stream) => talk(stream, "localhost", path, request).await,
            Err(error) => Err(no_connection(&error)),
        },
        #[cfg(not(unix))]
        ServerAddress::Local(_) => Err(ServiceError::Missing),
        ServerAddress::Network { host, port } => {
            match TcpStream::connect((host.as_str(), *port)).await {
                Ok(stream) => talk(stream, &format!("{host}:{port}"), path, request).await,
                Err(error) => Err(no_connection(&error)),
            }
        }
    }
}

/// Every failure to connect other than a missing permission means that there is no service.
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
    // Ends the connection when this function returns or is cancelled.
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
