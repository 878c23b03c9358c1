//! One IPP request over HTTP, by a socket in the file system or by the network, and the requests themselves.
//!
//! A connection a question: the service is on this machine, and a connection kept would be one more thing to go stale.

use std::io::ErrorKind;

use http_body_util::{BodyExt, Full, Limited};
use hyper::Request;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HOST};
use hyper_util::rt::TokioIo;
use ipp::prelude::{
    DelimiterTag, IppAttribute, IppRequestResponse, IppValue, IppVersion, Operation,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::{Server, ServiceError};

/// The longest answer, in bytes. A queue is described in about 500.
const LONGEST_ANSWER: usize = 4 * 1024 * 1024;

/// What is asked about a queue.
const OF_A_QUEUE: [&str; 10] = [
    "printer-name",
    "printer-state",
    "printer-state-message",
    "printer-state-reasons",
    "printer-is-accepting-jobs",
    "printer-make-and-model",
    "printer-device-id",
    "printer-type",
    "queued-job-count",
    "device-uri",
];

/// What is asked about a job.
const OF_A_JOB: [&str; 6] = [
    "job-id",
    "job-name",
    "job-state",
    "job-state-reasons",
    "job-state-message",
    "job-printer-state-message",
];

/// CUPS-Get-Printers.
pub(super) fn get_printers() -> Vec<u8> {
    encode(Operation::CupsGetPrinters, None, Vec::new(), &OF_A_QUEUE).unwrap_or_default()
}

/// Get-Jobs for all jobs of a queue; `None` for a name that cannot be one.
pub(super) fn get_jobs(queue: &str) -> Option<Vec<u8>> {
    let which = IppValue::new_keyword("all").ok()?.named_as("which-jobs")?;
    encode(Operation::GetJobs, Some(queue), vec![which], &OF_A_JOB)
}

fn encode(
    operation: Operation,
    queue: Option<&str>,
    more: Vec<IppAttribute>,
    wanted: &[&str],
) -> Option<Vec<u8>> {
    let uri = match queue {
        Some(queue) => Some(
            format!("ipp://localhost/printers/{}", percent_encoded(queue))
                .parse()
                .ok()?,
        ),
        None => None,
    };
    let mut request = IppRequestResponse::new(IppVersion::v1_1(), operation, uri).ok()?;
    let wanted = wanted
        .iter()
        .filter_map(|name| IppValue::new_keyword(*name).ok())
        .collect();
    let wanted = IppValue::Array(wanted).named_as("requested-attributes")?;
    for attribute in more.into_iter().chain([wanted]) {
        request
            .attributes_mut()
            .add(DelimiterTag::OperationAttributes, attribute);
    }
    Some(request.to_bytes().to_vec())
}

trait Named {
    fn named_as(self, name: &str) -> Option<IppAttribute>;
}

impl Named for IppValue {
    fn named_as(self, name: &str) -> Option<IppAttribute> {
        IppAttribute::with_name(name, self).ok()
    }
}

/// Queue names may be in any script; a URI may not.
fn percent_encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    name.bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

/// Sends a request and returns the answer's bytes. Has no time limit of its own; dropping it closes the connection.
pub(super) async fn post(server: &Server, request: Vec<u8>) -> Result<Bytes, ServiceError> {
    match server {
        #[cfg(unix)]
        Server::Local(path) => match tokio::net::UnixStream::connect(path).await {
            Ok(stream) => talk(stream, "localhost", request).await,
            Err(error) => Err(no_connection(&error)),
        },
        #[cfg(not(unix))]
        Server::Local(_) => Err(ServiceError::Missing),
        Server::Network { host, port } => match TcpStream::connect((host.as_str(), *port)).await {
            Ok(stream) => talk(stream, &format!("{host}:{port}"), request).await,
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

async fn talk<S>(stream: S, host: &str, request: Vec<u8>) -> Result<Bytes, ServiceError>
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
    let request = Request::post("/")
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
