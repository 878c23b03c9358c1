//! Starts the program from its settings: with a window, or without one for `doctor` and the tests.

use std::sync::Arc;

use thiserror::Error;
use tokio::runtime::Handle;

use super::core::{Core, CoreParts};
use super::open_service::{PracticeStarter, print_service};
use super::program::{Program, ProgramOptions};
use super::restored_journal::restoration_notice;
use super::service::Service;
use super::single_instance::SingleInstance;
use super::window::{self, Window};
use crate::config::{DataFolder, Settings, SystemInfo};
use crate::screens::settings::update::setup::Setup;
use client::{Client, ConnectionError};
use engine::{Engine, EngineParts as WorkParts, Repaint, TaskRunner};
use printing::renderer::Renderer;
use shipping::Clock;
use storage::{Journal, JournalError, OpenedJournal};

/// Reasons why the program can't start.
#[derive(Debug, Error)]
pub enum StartError {
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    #[error(
        "{0}. Nothing was changed. Check the data folder. To start a new journal, move the journal, its .commits file and its backups folder to another place"
    )]
    Journal(#[from] JournalError),
    /// A thread or a socket could not be created.
    #[error("the operating system refused a resource that Packbench needs ({0})")]
    System(#[from] std::io::Error),
    #[error("the window can't be opened: {0}")]
    Window(String),
}

/// Everything that [`open_core`] needs to open a service.
#[derive(Clone, Copy)]
pub struct CoreOptions<'a> {
    /// Runs the engine and the background jobs.
    pub runtime: &'a Handle,
    pub places: &'a DataFolder,
    pub settings: &'a Settings,
    pub system_info: &'a SystemInfo,
    pub service: &'a Service,
}

/// Opens the program without its window and returns when the service is open. For callers that have no window
/// to show progress in. `repaint` is called when the program needs a turn.
pub fn open_core(
    bench: CoreOptions<'_>,
    clock: Clock,
    repaint: Repaint,
) -> Result<Core, StartError> {
    let CoreOptions {
        runtime,
        places,
        settings,
        system_info: surroundings,
        service,
    } = bench;
    let OpenedJournal { journal, rescue } =
        Journal::open_or_restore(&places.journal(&service.name), clock.now())?;
    let work = Engine::start(WorkParts {
        runtime: runtime.clone(),
        client: Client::new(&service.connection()?.with_clock(clock.clone()))?,
        journal,
        renderer: Renderer::new(surroundings.program.clone()),
        print_service: print_service(surroundings),
        spool: places.spool(),
        clock: clock.clone(),
        bench: settings.key_prefix(),
        settle_after: service.reconcile_after.clone(),
        repaint: Arc::clone(&repaint),
        fault_hook: Arc::new(|_| ()),
    })?;
    let setup = Setup::new(
        TaskRunner::new(runtime.clone(), repaint),
        settings.clone(),
        places.clone(),
        clock,
        surroundings,
    );
    let mut core = Core::new(CoreParts {
        work,
        setup,
        system_info: surroundings,
        service: service.clone(),
    });
    if let Some(rescue) = rescue {
        let notice = restoration_notice(&rescue, &core.shared.session.zone);
        core.notify(notice);
    }
    Ok(core)
}

/// Everything that [`run`] needs.
pub struct RunOptions<'a> {
    /// Runs the engine and the background jobs.
    pub runtime: &'a Handle,
    pub places: &'a DataFolder,
    pub settings: Settings,
    pub surroundings: &'a SystemInfo,
    /// Starts the practice service.
    pub practice_starter: PracticeStarter,
}

/// Opens the window at once and runs until it is closed. The service is opened in the background.
pub fn run(start: &RunOptions<'_>, only: &SingleInstance) -> Result<(), StartError> {
    let open = |ctx: &egui::Context| {
        let ctx = ctx.clone();
        let repaint: Repaint = Arc::new(move || ctx.request_repaint());
        let mut program = Program::begin(ProgramOptions {
            runtime: start.runtime.clone(),
            places: start.places.clone(),
            settings: start.settings.clone(),
            system_info: start.surroundings.clone(),
            clock: Clock::system(),
            practice_starter: Arc::clone(&start.practice_starter),
            repaint: Arc::clone(&repaint),
        });
        program.listen_for_second_starts(only, repaint);
        Window::new(program, start.surroundings.frame_log.clone())
    };
    window::open(start.surroundings.graphics, open)
}
