//! Starts the program from its settings: with a window, or without one for `doctor` and the tests.

use std::sync::Arc;

use thiserror::Error;
use tokio::runtime::Handle;

use super::core::{Core, Parts};
use super::mended::what_was_done;
use super::opening::{Practise, print_service};
use super::program::{Beginning, Program};
use super::service::Service;
use super::setup::Setup;
use super::single::Only;
use super::window::{self, Window};
use crate::client::{Client, ConnectionError};
use crate::config::{Places, Settings, Surroundings};
use crate::journal::{Journal, JournalError, Opening};
use crate::printing::renderer::Renderer;
use crate::shipping::Clock;
use crate::work::{Errands, Parts as WorkParts, Repaint, Work};

/// Reasons why the program can't start.
#[derive(Debug, Error)]
pub enum StartError {
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    #[error(
        "{0}. Nothing was changed: look at the data folder, or move the journal, its .commits file and its backups folder away to begin a new one"
    )]
    Journal(#[from] JournalError),
    /// A thread or a socket could not be created.
    #[error("the system refused what Packbench needs to run ({0})")]
    System(#[from] std::io::Error),
    #[error("no window can be opened: {0}")]
    Window(String),
}

/// Everything that [`open_core`] needs to open a service.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    /// Runs the engine and the background jobs.
    pub runtime: &'a Handle,
    pub places: &'a Places,
    pub settings: &'a Settings,
    pub surroundings: &'a Surroundings,
    pub service: &'a Service,
}

/// Opens the program without its window and returns when the service is open. For callers that have no window
/// to show progress in. `repaint` is called when the program needs a turn.
pub fn open_core(bench: Bench<'_>, clock: Clock, repaint: Repaint) -> Result<Core, StartError> {
    let Bench {
        runtime,
        places,
        settings,
        surroundings,
        service,
    } = bench;
    let Opening { journal, rescue } =
        Journal::open_or_restore(&places.journal(&service.name), clock.now())?;
    let work = Work::start(WorkParts {
        runtime: runtime.clone(),
        client: Client::new(&service.connection()?.with_clock(clock.clone()))?,
        journal,
        renderer: Renderer::new(surroundings.program.clone()),
        print_service: print_service(surroundings),
        spool: places.spool(),
        clock: clock.clone(),
        bench: settings.key_prefix(),
        settle_after: service.settle_after.clone(),
        repaint: Arc::clone(&repaint),
        witness: Arc::new(|_| ()),
    })?;
    let setup = Setup::new(
        Errands::new(runtime.clone(), repaint),
        settings.clone(),
        places.clone(),
        clock.clone(),
        surroundings,
    );
    let mut core = Core::new(Parts {
        work,
        setup,
        surroundings: surroundings.clone(),
        clock,
        service: service.clone(),
    });
    if let Some(rescue) = rescue {
        let notice = what_was_done(&rescue, &core.shared.zone);
        core.notify(notice);
    }
    Ok(core)
}

/// Everything that [`run`] needs.
pub struct Start<'a> {
    /// Runs the engine and the background jobs.
    pub runtime: &'a Handle,
    pub places: &'a Places,
    pub settings: Settings,
    pub surroundings: &'a Surroundings,
    /// Starts the practice service.
    pub practise: Practise,
}

/// Opens the window at once and runs until it is closed. The service is opened in the background.
pub fn run(start: &Start<'_>, only: &Only) -> Result<(), StartError> {
    let open = |ctx: &egui::Context| {
        let ctx = ctx.clone();
        let repaint: Repaint = Arc::new(move || ctx.request_repaint());
        let mut program = Program::begin(Beginning {
            runtime: start.runtime.clone(),
            places: start.places.clone(),
            settings: start.settings.clone(),
            surroundings: start.surroundings.clone(),
            clock: Clock::system(),
            practise: Arc::clone(&start.practise),
            repaint: Arc::clone(&repaint),
        });
        program.hear(only, repaint);
        Window::new(program, start.surroundings.frame_log.clone())
    };
    window::open(start.surroundings.graphics, open)
}
