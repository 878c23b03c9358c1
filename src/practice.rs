//! A whole shipping service to practise on: the interface over HTTP on this machine, with invented carriers and real rules.
//!
//! It meets the client on the wire only and shares no record with it: both are written from the interface, so that a
//! misreading of it shows. Its state is one SQLite file and survives a restart; its clock can be set. It never calls out.

mod carriage;
mod catalogue;
mod consignment;
mod definition;
mod desk;
mod http;
mod label;
mod pen;
mod permission;
mod proof;
mod rates;
mod rules;
mod status;
mod store;
mod tracking_page;
mod trouble;
mod wire;

use std::fmt;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use crate::shipping::Clock;
pub use carriage::Fate;
pub use catalogue::CatalogueError;
pub use store::StoreError;
pub use trouble::{Fault, RetryAfter, RetryForm, When};

/// How long `stop` waits for calls that are still being answered.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where and on what the service runs.
#[derive(Debug, Clone)]
pub struct Settings {
    /// 0 takes a free port of its own.
    pub port: u16,
    /// The folder of its database; made when it is not there.
    pub data: PathBuf,
    /// Kept by the caller too, the clock can be set while the service runs.
    pub clock: Clock,
    /// How fast carriers move: 1 is real time, at 60 a minute of the clock is an hour of theirs, at 0 they stand still.
    pub speed: u32,
    /// Decides, with a consignment's id, what becomes of it on the way ([`Fate::of`]).
    pub seed: u64,
    /// The shapes that it answers in.
    pub shapes: Shapes,
}

/// The shapes of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Shapes {
    /// The specification's.
    #[default]
    Plain,
    /// The shapes that live services publish: records where the specification has text, fractions where it has whole numbers.
    Published,
}

impl Settings {
    /// The speed at which a clerk sees something happen: a pickup in a quarter of an hour comes within seconds, what
    /// takes a day is there in 24 minutes.
    pub const BRISK: u32 = 60;

    /// A free port, the system's time, `data` as the folder, and carriers at [`Settings::BRISK`].
    pub fn at(data: PathBuf) -> Self {
        Self {
            port: 0,
            data,
            clock: Clock::system(),
            speed: Self::BRISK,
            seed: 0,
            shapes: Shapes::default(),
        }
    }
}

/// Why the practice service cannot run.
#[derive(Debug, thiserror::Error)]
pub enum PracticeError {
    /// Its sample data are wrong, or the machine lacks time zones.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// Its database cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The port is taken, or not allowed.
    #[error("the practice service cannot listen on port {port}: {source}")]
    Listen { port: u16, source: std::io::Error },
    /// The database lacks one of the practice users.
    #[error("the practice database lacks users")]
    NoUsers,
    /// The start itself was interrupted.
    #[error("the practice service was interrupted while it started")]
    Interrupted,
    /// Address and token could not be written out, or Ctrl-C cannot be waited for.
    #[error("the practice service cannot use its terminal: {0}")]
    Terminal(std::io::Error),
}

/// What identifies each practice user.
#[derive(Clone)]
struct Tokens {
    clerk: String,
    viewer: String,
    supervisor: String,
    tester: String,
}

impl Tokens {
    fn of(users: &[store::User]) -> Option<Self> {
        let [clerk, viewer, supervisor, tester, ..] = users else {
            return None;
        };
        Some(Self {
            clerk: clerk.token.clone(),
            viewer: viewer.token.clone(),
            supervisor: supervisor.token.clone(),
            tester: tester.token.clone(),
        })
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Tokens(…)")
    }
}

/// Where tracking pages are: a token after a slash makes the address of one. No slash at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackingBases {
    /// The traditional design.
    pub traditional: String,
    pub traditional_short: String,
    pub modern: String,
    pub modern_short: String,
}

/// The running service. Dropping it stops it too.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    tokens: Tokens,
    integration_id: Arc<str>,
    clock: Clock,
    stop: Option<watch::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

/// Starts the service on 127.0.0.1; it listens by the time this returns. Needs a tokio runtime, and runs on it.
pub async fn start(settings: Settings) -> Result<Running, PracticeError> {
    let port = settings.port;
    let (stop, mut stopped) = watch::channel(());
    let troubles = Arc::new(trouble::Troubles::new(stopped.clone()));
    let prepared = tokio::task::spawn_blocking(move || prepare(settings, &troubles)).await;
    let (service, clock) = prepared.map_err(|_gone| PracticeError::Interrupted)??;
    let tokens = Tokens::of(&service.users).ok_or(PracticeError::NoUsers)?;
    let integration_id = Arc::clone(&service.integration_id);
    let unable = |source| PracticeError::Listen { port, source };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .map_err(unable)?;
    let address = listener.local_addr().map_err(unable)?;
    let router = http::router(service, &format!("http://{address}"));
    let service = router.into_make_service_with_connect_info::<trouble::Line>();
    let listening = trouble::Listening(listener);
    let server = axum::serve(listening, service).with_graceful_shutdown(async move {
        // Told to stop, or dropped: both end it.
        let _ = stopped.changed().await;
    });
    let server = tokio::spawn(async move {
        if let Err(error) = server.await {
            tracing::error!(%error, "the practice service ended");
        }
    });
    Ok(Running {
        address,
        tokens,
        integration_id,
        clock,
        stop: Some(stop),
        server: Some(server),
    })
}

fn prepare(
    settings: Settings,
    troubles: &Arc<trouble::Troubles>,
) -> Result<(http::Service, Clock), PracticeError> {
    let Settings {
        data,
        clock,
        speed,
        seed,
        shapes,
        ..
    } = settings;
    let catalogue = Arc::new(catalogue::Catalogue::load()?);
    let store = store::Store::open(&data)?;
    let users = store.users()?.into();
    let integration_id = store.integration_id()?.into();
    let pace = carriage::Pace { speed, seed };
    let desk = desk::Desk::of(&catalogue, &clock, pace, store, troubles);
    desk.carriers_start()?;
    let desk = Arc::new(desk);
    let service = http::Service {
        desk,
        users,
        integration_id,
        shapes,
    };
    Ok((service, clock))
}

impl Running {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What the interface calls `{base_url}`, without a slash at the end.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The addresses that tracking pages are below (interface, Operation rules 8).
    pub fn tracking_bases(&self) -> TrackingBases {
        let below = |path: &str| format!("{}{path}", self.base_url());
        TrackingBases {
            traditional: below(http::TRADITIONAL),
            traditional_short: below(http::TRADITIONAL_SHORT),
            modern: below(http::MODERN),
            modern_short: below(http::MODERN_SHORT),
        }
    }

    /// What the interface calls `{middleware_url}`, without a slash at the end.
    pub fn middleware_url(&self) -> String {
        format!("{}{}", self.base_url(), http::MIDDLEWARE)
    }

    /// What live pricing wants in the header `integration_id`, beside a user's token: made at the first start, the same
    /// ever after.
    pub fn integration_id(&self) -> &str {
        &self.integration_id
    }

    /// The practice clerk's token: made at the first start, the same ever after.
    pub fn token(&self) -> &str {
        &self.tokens.clerk
    }

    /// The token of a user who may look but not create.
    pub fn viewer_token(&self) -> &str {
        &self.tokens.viewer
    }

    /// The token of a broker or enterprise-level user, who may also cancel what was manifested.
    pub fn supervisor_token(&self) -> &str {
        &self.tokens.supervisor
    }

    /// The token of a clerk in test mode, whose consignments are test consignments.
    pub fn test_token(&self) -> &str {
        &self.tokens.tester
    }

    /// The clock that it reads.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Stops listening, and waits a moment for the calls that are being answered.
    pub async fn stop(mut self) {
        drop(self.stop.take());
        if let Some(server) = self.server.take() {
            let abort = server.abort_handle();
            if tokio::time::timeout(PATIENCE, server).await.is_err() {
                abort.abort();
            }
        }
    }
}

/// The method and the path of every operation that is served: those of the interface, then live pricing and the public
/// tracking pages, with their parameters in braces.
pub fn operations() -> impl Iterator<Item = (&'static str, &'static str)> {
    http::addresses()
}

/// Runs the service until Ctrl-C. Writes its address and the clerk's token to standard output, a line each; with `tokens`
/// then those of the other users and the integration id of live pricing, each after its name.
pub async fn serve(settings: Settings, tokens: bool) -> Result<(), PracticeError> {
    let running = start(settings).await?;
    introduce(&running, tokens).map_err(PracticeError::Terminal)?;
    tokio::signal::ctrl_c()
        .await
        .map_err(PracticeError::Terminal)?;
    running.stop().await;
    Ok(())
}

fn introduce(running: &Running, tokens: bool) -> std::io::Result<()> {
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
