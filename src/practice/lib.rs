//! The practice service: a complete shipping service for training and tests, which serves the API over HTTP
//! on this machine with invented carriers and the real rules. It never makes outgoing calls.
//!
//! The client and this service share no record types. Both are written from the specification, so tests of one
//! against the other reveal a misreading. The state is one SQLite file and survives a restart.

mod catalogue;
mod consignment;
mod fault_injection;
mod handlers;
mod http;
mod label;
mod proof;
mod rates;
mod rules;
mod simulation;
mod store;
mod tracking_page;
mod wire;

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use fault_injection::{ConnectionHandle, EndableListener, FaultInjector};
use handlers::{PracticeService, User};
use http::AppState;

pub use fault_injection::{Fault, FaultTiming, RetryAfter, RetryForm};
pub use shipping::Clock;
pub use simulation::DeliveryScenario;
pub use store::StoreError;

/// How long `stop` waits for calls that are still being answered.
const PATIENCE: Duration = Duration::from_secs(2);

/// Configuration of the practice service.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The port to listen on. 0 selects any free port.
    pub port: u16,
    /// Folder of the database, created if missing.
    pub data: PathBuf,
    /// The caller can keep a clone and set the clock while the service runs.
    pub clock: Clock,
    /// Speed of the simulated carriers: 1 is real time, 60 turns a minute of the clock into an hour of
    /// theirs, and 0 stops them.
    pub speed: u32,
    /// Decides, together with a consignment's id, how its delivery goes (`DeliveryScenario::draw`).
    pub seed: u64,
    /// JSON shapes of requests and answers.
    pub shapes: AnswerShapes,
}

/// JSON shapes in which the service answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum AnswerShapes {
    /// As the specification defines them
    #[default]
    Plain,
    /// As live services publish them: records where the specification has text, fractions where it has whole numbers
    Published,
}

impl Settings {
    /// Default speed, at which a clerk can watch things happen: a pickup due in a quarter of an hour comes
    /// after 15 seconds, and a day takes 24 minutes.
    pub const DEFAULT_SPEED: u32 = 60;

    /// Returns settings with a free port, the system clock, `data` as the folder and the
    /// speed [`Settings::DEFAULT_SPEED`].
    pub fn at(data: PathBuf) -> Self {
        Self {
            port: 0,
            data,
            clock: Clock::system(),
            speed: Self::DEFAULT_SPEED,
            seed: 0,
            shapes: AnswerShapes::default(),
        }
    }
}

/// Reasons why the practice service cannot run.
#[derive(Debug, thiserror::Error)]
pub enum PracticeError {
    /// The database cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The port is taken, or the system does not permit it.
    #[error("the practice service cannot listen on port {port}: {source}")]
    Listen { port: u16, source: std::io::Error },
    /// The task that loads the data and opens the database panicked or was cancelled.
    #[error("the practice service was interrupted while it started")]
    Interrupted,
    /// Address and tokens could not be written to standard output, or waiting for Ctrl-C failed.
    #[error("the practice service cannot write to standard output or wait for Ctrl-C: {0}")]
    Terminal(std::io::Error),
}

/// Base addresses of the tracking pages, without a trailing slash. The address of a page is a base, a slash and a
/// tracking token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackingBases {
    pub traditional: String,
    pub traditional_short: String,
    pub modern: String,
    pub modern_short: String,
}

/// Handle of the running service. Dropping the handle stops the service too.
pub struct RunningService {
    address: SocketAddr,
    users: Arc<[User; 4]>,
    integration_id: Arc<str>,
    clock: Clock,
    stop: watch::Sender<()>,
    server: JoinHandle<()>,
}

/// Starts the service on 127.0.0.1 and returns once it listens. The service runs on the
/// current tokio runtime.
pub async fn start(settings: Settings) -> Result<RunningService, PracticeError> {
    let (port, clock) = (settings.port, settings.clock.clone());
    let (stop, mut stopped) = watch::channel(());
    let faults = Arc::new(FaultInjector::new(stopped.clone()));
    let prepared = tokio::task::spawn_blocking(move || prepare(settings, faults)).await;
    let state = prepared.map_err(|_gone| PracticeError::Interrupted)??;
    let (users, integration_id) = (state.users.clone(), state.integration_id.clone());
    let unable = |source| PracticeError::Listen { port, source };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let listener = listener.map_err(unable)?;
    let address = listener.local_addr().map_err(unable)?;
    let router = http::router(state, &format!("http://{address}"));
    let service = router.into_make_service_with_connect_info::<ConnectionHandle>();
    let server = axum::serve(EndableListener(listener), service);
    let server = server.with_graceful_shutdown(async move {
        // Returns when `RunningService` drops the sender, which stops the service.
        let _ = stopped.changed().await;
    });
    let server = tokio::spawn(async move {
        if let Err(error) = server.await {
            tracing::error!(%error, "the practice service ended");
        }
    });
    Ok(RunningService {
        address,
        users,
        integration_id,
        clock,
        stop,
        server,
    })
}

fn prepare(settings: Settings, faults: Arc<FaultInjector>) -> Result<AppState, StoreError> {
    let store = store::Store::open(&settings.data)?;
    let (users, integration_id) = (store.users()?, store.integration_id()?);
    let service = PracticeService::new(settings.clock, settings.seed, store, faults);
    // This also writes the steps that came due while the service was stopped.
    service.change_carrier_speed(settings.speed)?;
    Ok(AppState {
        service: Arc::new(service),
        users: Arc::new(users),
        integration_id: integration_id.into(),
        shapes: settings.shapes,
    })
}

impl RunningService {
    /// Returns the address on which the service listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the API's `{base_url}`, without a trailing slash.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the base addresses of the public tracking pages
    /// (`assets/practice/openapi/paths/tracking.json`).
    pub fn tracking_bases(&self) -> TrackingBases {
        let below = |path: &str| format!("{}{path}", self.base_url());
        TrackingBases {
            traditional: below(tracking_page::TRADITIONAL),
            traditional_short: below(tracking_page::TRADITIONAL_SHORT),
            modern: below(tracking_page::MODERN),
            modern_short: below(tracking_page::MODERN_SHORT),
        }
    }

    /// Returns the API's `{middleware_url}`, without a trailing slash.
    pub fn middleware_url(&self) -> String {
        format!("{}{}", self.base_url(), http::MIDDLEWARE)
    }

    /// Returns the value that live pricing expects in the header `integration_id`, in addition to a user's token. The
    /// value is created at the first start and then kept.
    pub fn integration_id(&self) -> &str {
        &self.integration_id
    }

    /// Returns the practice clerk's token, which is created at the first start and then kept.
    pub fn token(&self) -> &str {
        &self.users[0].token
    }

    /// Returns the token of a user who can read everything and change nothing.
    pub fn viewer_token(&self) -> &str {
        &self.users[1].token
    }

    /// Returns the token of a broker or enterprise-level user, who can also cancel manifested consignments.
    pub fn supervisor_token(&self) -> &str {
        &self.users[2].token
    }

    /// Returns the token of a clerk in test mode, whose consignments are test consignments.
    pub fn test_token(&self) -> &str {
        &self.users[3].token
    }

    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Stops listening, waits up to two seconds for calls that are still being answered, then aborts them.
    pub async fn stop(self) {
        drop(self.stop);
        let abort = self.server.abort_handle();
        if tokio::time::timeout(PATIENCE, self.server).await.is_err() {
            abort.abort();
        }
    }
}

/// Lists the method and path of every operation that is served: the operations of the API, then live pricing
/// and the public tracking pages. Paths have their parameters in braces.
pub fn operations() -> impl Iterator<Item = (&'static str, &'static str)> {
    http::endpoints()
}

/// Lists the records of requests, each as JSON with all of its fields, together with the schemas of the published
/// definition that describe it.
pub fn request_records() -> Vec<(&'static [&'static str], serde_json::Value)> {
    wire::request_records()
}

/// Runs the service until Ctrl-C. Writes its address and the clerk's token to standard output, one on each
/// line. With `tokens`, also writes the other users' tokens and the integration id of live pricing, each
/// after its name.
pub async fn serve(settings: Settings, tokens: bool) -> Result<(), PracticeError> {
    let running = start(settings).await?;
    introduce(&running, tokens).map_err(PracticeError::Terminal)?;
    let stopped = tokio::signal::ctrl_c().await;
    stopped.map_err(PracticeError::Terminal)?;
    running.stop().await;
    Ok(())
}

fn introduce(running: &RunningService, tokens: bool) -> std::io::Result<()> {
    let mut out = std::io::stdout();
    writeln!(out, "{}\n{}", running.base_url(), running.token())?;
    if tokens {
        for (name, token) in [
            ("viewer", running.viewer_token()),
            ("supervisor", running.supervisor_token()),
            ("test", running.test_token()),
            ("integration", running.integration_id()),
        ] {
            writeln!(out, "{name} {token}")?;
        }
    }
    out.flush()
}
