//! The print service of this machine, spoken to in IPP: asked for queues and jobs directly, and given jobs through the
//! system's own library in a helper process.
//!
//! What always holds: every question ends within [`Limits::ask`]. "There is no print service", "it does not answer" and
//! "it has no printers" are three different answers. Everything a server sends is bounded before it is kept.

mod direct;
mod exchange;
pub(super) mod reply;
mod request;

pub use direct::JobAction;
pub use request::OURS;
pub(super) use request::Wanted;

use std::path::{Path, PathBuf};
use std::time::Duration;

use self::request::Target;
use super::queue::{JobInfo, QueueInfo};

/// Where a print service listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Server {
    /// A socket in the file system.
    Local(PathBuf),
    /// A host and a port, 631 as a rule.
    Network { host: String, port: u16 },
}

impl Server {
    /// What `CUPS_SERVER` and the setting mean: a path that begins with `/`, or `host`, or `host:port`. `None` for
    /// anything else.
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

    /// The place where this system's own print service listens: its socket, or the loopback port.
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

    /// As `CUPS_SERVER` has it.
    pub(super) fn for_cups(&self) -> String {
        match self {
            Self::Local(path) => path.display().to_string(),
            Self::Network { host, port } => format!("{host}:{port}"),
        }
    }
}

/// How long the print service and printers may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// For a question: queues, jobs.
    pub ask: Duration,
    /// For taking a job.
    pub submit: Duration,
    /// For a printer's port to take the next bytes: a printer that is feeding paper takes its time.
    pub port: Duration,
}

impl Default for Limits {
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
    /// Our own executable, which serves as helper process.
    pub(super) program: PathBuf,
    pub(super) server: Server,
    pub(super) limits: Limits,
}

/// Why the print service gave no answer. `Display` is the headline, [`ServiceError::advice`] what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ServiceError {
    /// Nothing listens there.
    #[error("There is no print service on this computer")]
    Missing,
    /// Something listens, and this user may not talk to it.
    #[error("This user may not use the print service")]
    Denied,
    /// It took the connection, or not even that, and said nothing.
    #[error("The print service does not answer (waited {seconds} s)")]
    Hung { seconds: u64 },
    /// It answered with a refusal; `status` is IPP's word for it.
    #[error("The print service refused to answer ({status})")]
    Refused { status: String },
    /// It answered what is no IPP.
    #[error("The print service answered something that cannot be read")]
    Unreadable,
    /// Our own helper process could not run.
    #[error("The print helper could not be started ({kind})")]
    NoHelper { kind: String },
}

impl ServiceError {
    /// What the clerk can do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Missing => {
                "Start it (on Debian: sudo systemctl start cups), or print straight to the printer's port 9100"
            }
            Self::Denied => "Ask whoever looks after this computer to let this user print",
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
    pub fn new(program: PathBuf, server: Server) -> Self {
        Self::with_limits(program, server, Limits::default())
    }

    /// The same with other limits.
    pub fn with_limits(program: PathBuf, server: Server, limits: Limits) -> Self {
        Self {
            program,
            server,
            limits,
        }
    }

    /// Whether its queues list only what is not done: Windows forgets a job with its last byte.
    pub const fn forgets(&self) -> bool {
        cfg!(windows)
    }

    /// Every queue with its state, by name. None at all is no error.
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
            // CUPS says "not found" when it has none.
            Err(ServiceError::Refused { status }) if status == reply::NOT_FOUND => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// One queue by its name, or one printer by its `ipp://` address; `None` when there is no such queue.
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

    /// What became of a job; `None` when the service knows no such job (any more).
    pub async fn job(&self, queue: &str, id: u32) -> Result<Option<JobInfo>, ServiceError> {
        Ok(self.jobs(queue).await?.into_iter().find(|job| job.id == id))
    }

    /// All jobs that the queue still knows, done or not, by id.
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
        server: &Server,
        path: &str,
        question: Vec<u8>,
    ) -> Result<reply::Response, ServiceError> {
        let hung = ServiceError::Hung {
            seconds: self.limits.ask.as_secs(),
        };
        let answer =
            tokio::time::timeout(self.limits.ask, exchange::post(server, path, question)).await;
        reply::parse(answer.map_err(|_elapsed| hung)??)
    }
}
