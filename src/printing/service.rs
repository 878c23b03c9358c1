//! The print service of this computer, and driverless printers, which speak IPP themselves. Queues, jobs and
//! driverless printers are queried directly over IPP; jobs for a queue are submitted through the system's own
//! library in a helper process.
//!
//! Every query ends within [`ServiceLimits::ask`]. "No print service", "no answer" and "no printers" are
//! three different results. Everything that a server sends is limited in size before it is kept.

mod ipp_messages;

pub use ipp_messages::IPP_USER_NAME;

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use ipp::parser::IppParseError;
use ipp::prelude::IppRequestResponse;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use self::ipp_messages::Target;
use super::print_helper::{Question, SubmitResult};
use super::profile::{format_address, parse_address};
use super::queue::{JobInfo, QueueInfo};

/// The longest answer, in bytes. The description of a queue takes about 500.
const LONGEST_ANSWER: usize = 4 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerAddress {
    /// A Unix socket.
    Local(PathBuf),
    /// A host and a port, usually 631.
    Network { host: String, port: u16 },
}

impl ServerAddress {
    /// Parses the syntax of `CUPS_SERVER` and of our setting: a path that begins with `/`, or `host`, or
    /// `host:port`. Returns `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.starts_with('/') {
            return Some(Self::Local(text.into()));
        }
        parse_address(text, 631).map(|(host, port)| Self::Network { host, port })
    }

    /// Returns the address of this computer's own print service: its Unix socket, or else the usual
    /// port on localhost.
    pub fn of_this_system() -> Self {
        let sockets = [
            "/run/cups/cups.sock",
            "/var/run/cupsd",
            "/private/var/run/cupsd",
        ];
        let found = sockets.into_iter().find(|path| Path::new(path).exists());
        found.map_or_else(
            || Self::Network {
                host: "localhost".into(),
                port: 631,
            },
            |path| Self::Local(path.into()),
        )
    }

    pub fn for_cups(&self) -> String {
        match self {
            Self::Local(path) => path.display().to_string(),
            Self::Network { host, port } => format_address(host, *port),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct ServiceLimits {
    /// The time limit for a query about queues or jobs.
    pub ask: Duration,
    pub submit: Duration,
    /// The time limit for a printer's port to receive the next bytes. A printer that is feeding paper can be slow.
    pub port: Duration,
}

impl Default for ServiceLimits {
    fn default() -> Self {
        Self {
            ask: Duration::from_secs(4),
            submit: Duration::from_secs(30),
            port: Duration::from_secs(15),
        }
    }
}

pub(super) struct PrintOptions<'a> {
    /// The MIME type of the document.
    pub(super) format: &'a str,
    pub(super) copies: u8,
    /// The IPP name of the paper, if known.
    pub(super) media: Option<&'a str>,
}

/// An action on an unfinished job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobAction {
    /// Removes the job from the queue.
    Cancel,
    Release,
}

/// The print service. Cheap to clone; holds no connection.
#[derive(Debug, Clone)]
pub struct PrintService {
    /// Our own executable, which also serves as the helper process.
    pub(super) program: PathBuf,
    pub(super) server: ServerAddress,
    pub(super) limits: ServiceLimits,
}

/// The reason why the print service gave no answer. `Display` gives the headline, [`ServiceError::advice`]
/// says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ServiceError {
    /// Nothing listens at the address.
    #[error("There is no print service on this computer")]
    Missing,
    /// A service listens, but this user may not connect.
    #[error("This user may not use the print service")]
    Denied,
    /// There was no answer in time, and possibly not even a connection.
    #[error("The print service does not answer (waited {seconds} s)")]
    Hung { seconds: u64 },
    /// The helper process ended without an answer.
    #[error("The system's printing library stopped working")]
    Crashed,
    /// The service refused; `status` is the status in the words of IPP or HTTP.
    #[error("The print service refused to answer ({status})")]
    Refused { status: String },
    /// The answer is not valid IPP.
    #[error("Can't understand the print service's answer")]
    Unreadable,
    /// Our own helper process could not run.
    #[error("Packbench could not start printing ({kind})")]
    NoHelper { kind: String },
}

const START: &str = if cfg!(windows) {
    "Start the Windows service Print Spooler, or print straight to the printer's port 9100"
} else {
    "Start it (on Debian: sudo systemctl start cups), or print straight to the printer's port 9100"
};
const RESTART: &str = if cfg!(windows) {
    "Restart the Windows service Print Spooler, or print straight to port 9100"
} else {
    "Restart it (on Debian: sudo systemctl restart cups), or print straight to port 9100"
};

impl ServiceError {
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Missing => START,
            Self::Denied => "Ask your administrator to allow this user to print",
            Self::Hung { .. } | Self::Crashed => RESTART,
            Self::Refused { .. } | Self::Unreadable => {
                "Check the print service's address in the settings"
            }
            Self::NoHelper { .. } => "Restart Packbench. If this happens again, reinstall it",
        }
    }
}

/// Converts the error for a message, ours or the service's, that is not valid IPP.
impl From<IppParseError> for ServiceError {
    fn from(_: IppParseError) -> Self {
        Self::Unreadable
    }
}

impl PrintService {
    /// Creates a print service without connecting. `program` is our own executable.
    pub fn new(program: PathBuf, server: ServerAddress) -> Self {
        Self::with_limits(program, server, ServiceLimits::default())
    }

    pub fn with_limits(program: PathBuf, server: ServerAddress, limits: ServiceLimits) -> Self {
        Self {
            program,
            server,
            limits,
        }
    }

    /// Returns whether queues list only unfinished jobs. Windows removes a job from its queue as soon as the last
    /// byte is sent.
    pub const fn forgets_finished_jobs(&self) -> bool {
        cfg!(windows)
    }

    /// Lists all queues with their state, sorted by name. An empty list is not an error.
    pub async fn queues(&self) -> Result<Vec<QueueInfo>, ServiceError> {
        if cfg!(windows) {
            return self.queues_of_the_system().await;
        }
        let target = Target::all_queues(&self.server);
        let question = ipp_messages::get_printers(&target)?;
        self.list(&target, question, ipp_messages::queues).await
    }

    /// Returns one queue by its name, or one printer by its `ipp://` address; `None` if there is
    /// no such queue.
    pub async fn queue(&self, place: &str) -> Result<Option<QueueInfo>, ServiceError> {
        if place.starts_with("ipp://") {
            return self.printer(place).await.map(Some);
        }
        let queues = self.queues().await?;
        Ok(queues.into_iter().find(|queue| queue.name == place))
    }

    /// Queries a printer at its own `ipp://` address, which also becomes its name.
    pub async fn printer(&self, address: &str) -> Result<QueueInfo, ServiceError> {
        let target = self.target(address)?;
        let question = ipp_messages::get_printer(&target)?;
        let response = self.ask(&target, question).await?;
        ipp_messages::printer(&response, address).ok_or(ServiceError::Unreadable)
    }

    /// Lists all jobs that the queue still knows, finished or not, sorted by number.
    pub async fn jobs(&self, queue: &str) -> Result<Vec<JobInfo>, ServiceError> {
        if cfg!(windows) {
            return self.jobs_of_the_system(queue).await;
        }
        let target = self.target(queue)?;
        let question = ipp_messages::get_jobs(&target)?;
        self.list(&target, question, ipp_messages::jobs).await
    }

    /// Sends a document to a printer at its own address, without a queue on this computer. An error means
    /// that nothing reached the printer.
    ///
    /// Invariant: a job that was sent but not clearly refused is reported as unknown, never as "not sent".
    pub(super) async fn print_directly(
        &self,
        address: &str,
        title: &str,
        wanted: &PrintOptions<'_>,
        document: &[u8],
    ) -> Result<SubmitResult, ServiceError> {
        let target = self.target(address)?;
        let order = ipp_messages::print_job(&target, title, wanted, document)?;
        let sent = timeout(self.limits.submit, post(&target, order)).await;
        let answer = match sent {
            // No connection was made, so the printer has nothing.
            Ok(Err(error @ (ServiceError::Missing | ServiceError::Denied))) => return Err(error),
            Ok(Ok(answer)) if !ipp_messages::is_fault(&answer) => answer,
            // The printer may have begun to print before the fault.
            Ok(_) | Err(_) => return Ok(SubmitResult::Unknown),
        };
        Ok(match ipp_messages::parse(answer) {
            Ok(response) => match ipp_messages::jobs(&response).first() {
                Some(job) => SubmitResult::Taken(job.id),
                None => SubmitResult::Unknown,
            },
            Err(ServiceError::Refused { status }) if status == ipp_messages::NOT_FOUND => {
                SubmitResult::NoSuchQueue
            }
            Err(ServiceError::Refused { .. }) => SubmitResult::Refused,
            Err(_) => SubmitResult::Unknown,
        })
    }

    /// Cancels or releases a job as its owner, at a queue or a printer. Returns whether the action succeeded.
    pub async fn act_on_job(
        &self,
        place: &str,
        id: u32,
        action: JobAction,
    ) -> Result<bool, ServiceError> {
        if !place.starts_with("ipp://") {
            let (queue, job) = (place.to_owned(), id);
            return self
                .query_helper(&Question::Act { queue, job, action })
                .await;
        }
        let target = self.target(place)?;
        let order = ipp_messages::act_on_job(&target, id, action)?;
        match self.ask(&target, order).await {
            Ok(_) => Ok(true),
            Err(ServiceError::Refused { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn target(&self, place: &str) -> Result<Target, ServiceError> {
        Target::of(place, &self.server).ok_or(ServiceError::Unreadable)
    }

    /// Asks for a list. The list is empty if the service answers "not found", as CUPS does if it has no queues.
    async fn list<T>(
        &self,
        target: &Target,
        question: Vec<u8>,
        read: fn(&IppRequestResponse) -> Vec<T>,
    ) -> Result<Vec<T>, ServiceError> {
        match self.ask(target, question).await {
            Ok(response) => Ok(read(&response)),
            Err(ServiceError::Refused { status }) if status == ipp_messages::NOT_FOUND => {
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }

    async fn ask(
        &self,
        target: &Target,
        question: Vec<u8>,
    ) -> Result<IppRequestResponse, ServiceError> {
        let answer = timeout(self.limits.ask, post(target, question)).await;
        ipp_messages::parse(answer.map_err(|_elapsed| self.hung())??)
    }

    /// Returns the error for a query that was not answered in time.
    pub(super) fn hung(&self) -> ServiceError {
        ServiceError::Hung {
            seconds: self.limits.ask.as_secs(),
        }
    }
}

/// Sends one request through a Unix socket or the network and returns the answer. Every request uses a new
/// connection: the service is usually on this computer, and a connection kept open could go stale. This function has
/// no time limit of its own; dropping the future closes the connection.
async fn post(target: &Target, request: Vec<u8>) -> Result<Response<Bytes>, ServiceError> {
    // Every failure to connect other than a missing permission means that there is no service.
    let no_connection = |error: Error| match error.kind() {
        ErrorKind::PermissionDenied => ServiceError::Denied,
        _ => ServiceError::Missing,
    };
    match &target.server {
        #[cfg(unix)]
        ServerAddress::Local(socket) => {
            let stream = tokio::net::UnixStream::connect(socket).await;
            let stream = stream.map_err(no_connection)?;
            talk(stream, "localhost", &target.path, request).await
        }
        #[cfg(not(unix))]
        ServerAddress::Local(_) => Err(ServiceError::Missing),
        ServerAddress::Network { host, port } => {
            let stream = TcpStream::connect((host.as_str(), *port)).await;
            let stream = stream.map_err(no_connection)?;
            talk(stream, &format_address(host, *port), &target.path, request).await
        }
    }
}

async fn talk<S>(
    stream: S,
    host: &str,
    path: &str,
    request: Vec<u8>,
) -> Result<Response<Bytes>, ServiceError>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let unreadable = |_detail| ServiceError::Unreadable;
    let connected = http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = connected.map_err(unreadable)?;
    // Dropping this set ends the connection when the function returns or is cancelled.
    let mut driver = JoinSet::new();
    driver.spawn(connection);
    let request = Request::post(path)
        .header(HOST, host)
        .header(CONTENT_TYPE, "application/ipp")
        .body(Full::new(Bytes::from(request)))
        .map_err(|_detail| ServiceError::Unreadable)?;
    let answer = sender.send_request(request).await;
    let (head, body) = answer.map_err(unreadable)?.into_parts();
    // The body is not read if the status is not a success, because nobody uses that body.
    let body = if head.status.is_success() {
        let body = Limited::new(body, LONGEST_ANSWER).collect().await;
        body.map_err(|_detail| ServiceError::Unreadable)?.to_bytes()
    } else {
        Bytes::new()
    };
    Ok(Response::from_parts(head, body))
}
