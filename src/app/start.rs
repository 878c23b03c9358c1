//! From settings to a running program.

use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;
use thiserror::Error;
use tokio::runtime::Handle;

use super::core::{Core, Parts};
use super::single::Only;
use super::window::{self, Window};
use crate::client::{Client, Connection, ConnectionError, Limits};
use crate::config::{
    ConnectionKind, ConnectionSettings, Places, Settings, Surroundings, TokenError, read_token,
};
use crate::journal::{Journal, JournalError};
use crate::printing::renderer::Renderer;
use crate::printing::service::{PrintService, Server};
use crate::shipping::Clock;
use crate::state::Environment;
use crate::work::{Parts as WorkParts, Repaint, Work};

/// Which service the program works with.
#[derive(Debug, Clone)]
pub struct Service {
    /// The connection's name; `practice` for the practice service.
    pub name: String,
    /// Its address.
    pub address: String,
    /// Who calls.
    pub token: SecretString,
    /// Practice, test or live.
    pub environment: Environment,
    /// How long calls may take.
    pub limits: Limits,
    /// When a lost answer is looked for, counted from when it was given up.
    pub settle_after: Vec<Duration>,
}

impl Service {
    /// A service with the usual limits.
    pub fn new(
        name: String,
        address: String,
        token: SecretString,
        environment: Environment,
    ) -> Self {
        let settle_after = [2, 10, 30, 60, 120].map(Duration::from_secs).to_vec();
        Self {
            name,
            address,
            token,
            environment,
            limits: Limits::default(),
            settle_after,
        }
    }

    /// A practice service on this machine.
    pub fn practice(address: String, token: &str) -> Self {
        Self::new(
            "practice".to_owned(),
            address,
            token.into(),
            Environment::Practice,
        )
    }

    /// The service that the settings name, with its token from the keyring, which is given ten seconds; nothing where no
    /// connection is set up.
    pub fn of_settings(runtime: &Handle, settings: &Settings) -> Result<Option<Self>, TokenError> {
        let Some(ConnectionSettings {
            name,
            kind,
            address,
        }) = settings.connection.clone()
        else {
            return Ok(None);
        };
        let environment = match kind {
            ConnectionKind::Test => Environment::Test,
            ConnectionKind::Live => Environment::Live,
        };
        let entry = name.clone();
        let asked = async {
            let asked = tokio::task::spawn_blocking(move || read_token(&entry));
            tokio::time::timeout(Duration::from_secs(10), asked).await
        };
        let answered = runtime
            .block_on(asked)
            .map_err(|_late| TokenError::NoKeyring)?;
        let token = answered.map_err(|_panicked| TokenError::NoKeyring)??;
        Ok(Some(Self::new(name, address, token, environment)))
    }

    /// The connection to it.
    pub(super) fn connection(&self) -> Result<Connection, ConnectionError> {
        Ok(Connection::new(&self.address, self.token.clone())?.with_limits(self.limits))
    }
}

/// Why the program cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The connection in the settings.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// The journal.
    #[error(
        "{0}. Nothing was changed: look at the data folder, or move the journal away to begin a new one"
    )]
    Journal(#[from] JournalError),
    /// A thread or a socket could not be had.
    #[error("the system refused what Packbench needs to run ({0})")]
    System(#[from] std::io::Error),
    /// The window.
    #[error("no window can be opened: {0}")]
    Window(String),
}

/// What a program is opened on.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    /// Where the lanes run.
    pub runtime: &'a Handle,
    /// Where things are kept.
    pub places: &'a Places,
    /// What the bench is told once.
    pub settings: &'a Settings,
    /// What it stands in.
    pub surroundings: &'a Surroundings,
    /// Which service it works with.
    pub service: &'a Service,
}

/// All of the program but its window. `repaint` is called when a turn is wanted.
pub fn open_core(bench: Bench<'_>, clock: Clock, repaint: Repaint) -> Result<Core, StartError> {
    let Bench {
        runtime,
        places,
        settings,
        surroundings,
        service,
    } = bench;
    let work = Work::start(WorkParts {
        runtime: runtime.clone(),
        client: Client::new(&service.connection()?)?,
        journal: Journal::open(&places.journal(&service.name))?,
        renderer: Renderer::new(surroundings.program.clone()),
        print_service: print_service(surroundings),
        spool: places.spool(),
        clock: clock.clone(),
        bench: settings.key_prefix(),
        settle_after: service.settle_after.clone(),
        repaint,
    })?;
    Ok(Core::new(Parts {
        work,
        settings: settings.clone(),
        places: places.clone(),
        surroundings: surroundings.clone(),
        clock,
        environment: service.environment,
        address: service.address.clone(),
    }))
}

/// The computer's print service: where the environment says, else where this system has it.
pub(super) fn print_service(surroundings: &Surroundings) -> PrintService {
    let server = surroundings.print_server.as_deref().and_then(Server::parse);
    PrintService::new(
        surroundings.program.clone(),
        server.unwrap_or_else(Server::of_this_system),
    )
}

/// Opens the window and runs until it is closed.
pub fn run(bench: Bench<'_>, only: &Only) -> Result<(), StartError> {
    let open = |ctx: &egui::Context| {
        let ctx = ctx.clone();
        let repaint: Repaint = Arc::new(move || ctx.request_repaint());
        let core = open_core(bench, Clock::system(), Arc::clone(&repaint))?;
        only.listen(bench.runtime, core.teller(), repaint);
        Ok(Window::new(
            core,
            bench.runtime.clone(),
            bench.surroundings.frame_log.clone(),
        ))
    };
    window::open(bench.surroundings.graphics, open)
}
