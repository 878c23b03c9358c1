//! The print service of this computer. Queues and jobs are queried directly over IPP; jobs are submitted
//! through the system's own library in a helper process.
//!
//! Every query ends within [`ServiceLimits::ask`]. "No print service", "no answer" and "no printers" are
//! three different results. Everything that a server sends is limited in size before it is kept.

mod direct;
mod http;
pub(super) mod reply;
mod request;

pub use direct::JobAction;
pub use request::IPP_USER_NAME;
pub(super) use request::PrintOptions;

use std::path::{Path, PathBuf};
use std::time::Duration;

use self::request::Target;
use super::queue::{JobInfo, QueueInfo};

/// The address of a print service.
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
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().ok()?),
            None => (text, 631),
        };
        let plain = !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || c == '/');
        plain.then(|| Self::Network {
            host: host.to_owned(),
            port,
        })
    }

    /// Returns the address of this computer's own print service: its Unix socket, or else the usual
    /// port on localhost.
    pub fn of_this_system() -> Self {
        [
            "/run/cups/cups.sock",
            "/var/run/cupsd",
            "/private/var/run/cupsd",
        ]
        .iter()
        .map(Path::new)
        .find(|path| path.exists())
        .map_or(
            Self::Network {
                host: "localhost".into(),
                port: 631,
            },
            |path| Self::Local(path.into()),
        )
    }

    /// Formats the address for `CUPS_SERVER`.
    pub(super) fn for_cups(&self) -> String {
        match self {
            Self::Local(path) => path.display().to_string(),
            Self::Network { host, port } => format!("{host}:{port}"),
        }
    }
}

/// Time limits for the print service and for printers.
#[derive(Debug, Clone, Copy)]
pub struct ServiceLimits {
    /// For a query about queues or jobs.
    pub ask: Duration,
    /// For submitting a job.
    pub submit: Duration,
    /// For a printer's port to receive the next bytes. A printer that is feeding paper can be slow.
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
    /// There was no answer in time, perhaps not even a connection.
    #[error("The print service does not answer (waited {seconds} s)")]
    Hung { seconds: u64 },
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

impl ServiceError {
    /// Returns what the clerk can do about the error.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Missing => {
                "Start it (on Debian: sudo systemctl start cups), or print straight to the printer's port 9100"
            }
            Self::Denied => "Ask your administrator to allow this user to print",
            Self::Hung { .. } => {
                "Restart it (on Debian: sudo systemctl restart cups), or print straight to port 9100"
            }
            Self::Refused { .. } | Self::Unreadable => {
                "Check the print service's address in the settings"
            }
            Self::NoHelper { .. } => "Restart Packbench; if it stays so, install it again",
        }
    }
}

impl PrintService {
    /// `program` is our own executable.
    pub fn new(program: PathBuf, server: ServerAddress) -> Self {
        Self::with_limits(program, server, ServiceLimits::default())
    }

    /// Creates a print service with other time limits.
    pub fn with_limits(program: PathBuf, server: ServerAddress, limits: ServiceLimits) -> Self {
        Self {
            program,
            server,
            limits,
        }
    }

    /// Returns whether queues list only unfinished jobs: Windows forgets a job with its last byte.
    pub const fn forgets_finished_jobs(&self) -> bool {
        cfg!(windows)
    }

    /// Lists all queues with their state, by name. An empty list is not an error.
    pub async fn queues(&self) -> Result<Vec<QueueInfo>, ServiceError> {
        if cfg!(windows) {
            return self.queues_of_the_system().await;
        }
        match self.ask(&self.server, "/", request::get_printers()).await {
            Ok(response) => {
                let mut queues = reply::queues(&response);
                queues.sort_by(|a, b| a.name.cmp(&b.name));
                Ok(queues)
            }
            // CUPS answers "not found" if it has no queues.
            Err(ServiceError::Refused { status }) if status == reply::NOT_FOUND => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Returns one queue by its name, or one printer by its `ipp://` address; `None` if there is
    /// no such queue.
    pub async fn queue(&self, place: &str) -> Result<Option<QueueInfo>, ServiceError> {
        if place.starts_with("ipp://") {
            return self.printer(place).await.map(Some);
        }
        Ok(self
            .queues()
            .await?
            .into_iter()
            .find(|queue| queue.name == place))
    }

    /// Returns a job; `None` if the queue does not know the job, or no longer does.
    pub async fn job(&self, queue: &str, id: u32) -> Result<Option<JobInfo>, ServiceError> {
        Ok(self.jobs(queue).await?.into_iter().find(|job| job.id == id))
    }

    /// Lists all jobs that the queue still knows, finished or not, by number.
    pub async fn jobs(&self, queue: &str) -> Result<Vec<JobInfo>, ServiceError> {
        if cfg!(windows) {
            return self.jobs_of_the_system(queue).await;
        }
        let target = Target::of(queue, &self.server).ok_or(ServiceError::Unreadable)?;
        let question = request::get_jobs(&target).ok_or(ServiceError::Unreadable)?;
        match self.ask(&target.server, &target.path, question).await {
            Ok(response) => Ok(reply::jobs(&response)),
            Err(ServiceError::Refused { status }) if status == reply::NOT_FOUND => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    async fn ask(
        &self,
        server: &ServerAddress,
        path: &str,
        question: Vec<u8>,
    ) -> Result<reply::Response, ServiceError> {
        let hung = ServiceError::Hung {
            seconds: self.limits.ask.as_secs(),
        };
        let answer =
            tokio::time::timeout(self.limits.ask, http::post(server, path, question)).await;
        reply::parse(answer.map_err(|_elapsed| hung)??)
    }
}
