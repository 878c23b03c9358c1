//! The program that the window runs: an open service, or the startup pages for choosing and opening one.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use thiserror::Error;
use tokio::runtime::Handle;

use crate::config::{DataFolder, Settings, SystemInfo};
use crate::core::Core;
use crate::launcher::{Launcher, OpenedService, PracticeStarter};
use crate::outcomes::restoration_notice;
use crate::screens::settings::update::setup::{Setup, memory_only_notice};
use crate::service::Service;
use crate::single_instance::SingleInstance;
use crate::sounds::{SoundPlayer, silent_player};
use crate::state::{Command, Editing, Environment, Notice, Shared, TokenPlace, Tone};
use client::{Client, ConnectionError};
use engine::{Engine, EngineParts, Repaint, TaskRunner};
use printing::renderer::Renderer;
use printing::service::{PrintService, ServerAddress};
use shipping::Clock;
use storage::{Journal, JournalError, OpenedJournal, Rescue};
use workgroup::Workgroup;

#[derive(Debug, Error)]
pub enum StartError {
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    #[error(
        "{0}. Nothing was changed. Check the data folder. To start with empty records, move the journal, its .commits file and its backups folder to another place"
    )]
    Journal(#[from] JournalError),
    /// A thread or a socket could not be created.
    #[error("the operating system refused a resource that Packbench needs ({0})")]
    System(#[from] io::Error),
    #[error("the window can't be opened: {0}")]
    Window(String),
}

/// Everything that the program needs at its start.
#[derive(Clone)]
pub struct ProgramOptions {
    /// Runs the engine and the background jobs.
    pub runtime: Handle,
    pub places: DataFolder,
    pub settings: Settings,
    pub system_info: SystemInfo,
    pub clock: Clock,
    /// Plays the sounds for scans.
    pub sounds: SoundPlayer,
    /// Called when the program needs another turn.
    pub repaint: Repaint,
}

impl ProgramOptions {
    /// Creates options with the system's clock and without sounds, for a caller that runs turns regularly. It needs no
    /// `repaint`, which does nothing.
    pub fn new(
        runtime: Handle,
        places: DataFolder,
        settings: Settings,
        system_info: SystemInfo,
    ) -> Self {
        Self {
            runtime,
            places,
            settings,
            system_info,
            clock: Clock::system(),
            sounds: silent_player(),
            repaint: Arc::new(|| ()),
        }
    }

    pub(super) fn setup(&self) -> Setup {
        Setup::new(
            TaskRunner::new(self.runtime.clone(), Arc::clone(&self.repaint)),
            self.settings.clone(),
            self.places.clone(),
            self.clock.clone(),
            Arc::clone(&self.sounds),
            &self.system_info,
        )
    }

    /// Opens the journal of a service and starts the engine. Waits for the disk.
    pub(super) fn start_engine<E: From<JournalError> + From<io::Error>>(
        &self,
        service: &Service,
        client: Client,
        workgroup: Option<Workgroup>,
    ) -> Result<(Engine, Option<Rescue>), E> {
        let path = self.places.journal(&service.name);
        let OpenedJournal {
            mut journal,
            rescue,
        } = Journal::open_or_restore(&path, self.clock.now())?;
        // Each practice service has its own port, and finds its consignments again whatever the port is.
        if service.environment != Environment::Practice {
            journal.set_service_address(&service.address)?;
        }
        let engine = Engine::start(EngineParts {
            runtime: self.runtime.clone(),
            client,
            journal,
            renderer: Renderer::new(self.system_info.program.clone()),
            print_service: print_service(&self.system_info),
            spool: self.places.spool(),
            clock: self.clock.clone(),
            bench: self.settings.key_prefix(),
            settle_after: service.reconcile_after.clone(),
            workgroup,
            repaint: Arc::clone(&self.repaint),
            fault_hook: Arc::new(|_| ()),
        })?;
        Ok((engine, rescue))
    }
}

/// Returns the computer's print service, at the address in `CUPS_SERVER` or else at the operating system's
/// default address.
pub(super) fn print_service(system_info: &SystemInfo) -> PrintService {
    let server = system_info.print_server.as_deref();
    let server = server.and_then(ServerAddress::parse);
    PrintService::new(
        system_info.program.clone(),
        server.unwrap_or_else(ServerAddress::of_this_system),
    )
}

/// Opens a service without a window, and returns when it is open. Used by callers without a window in which progress
/// could be shown.
pub fn open_core(options: &ProgramOptions, service: &Service) -> Result<Core, StartError> {
    let connection = service.connection()?.with_clock(options.clock.clone());
    let client = Client::new(&connection)?;
    let (work, rescue) = options.start_engine::<StartError>(service, client, None)?;
    let system_info = &options.system_info;
    let mut core = Core::new(work, options.setup(), system_info, service.clone());
    if let Some(rescue) = rescue {
        core.notify(restoration_notice(&rescue, &system_info.zone));
    }
    Ok(core)
}

/// The program: starting, working with a service, or closed.
pub struct Program {
    stage: ProgramStage,
    /// `None` if the program was created with an open service, and can't switch to another.
    context: Option<(ProgramOptions, PracticeStarter)>,
    runtime: Handle,
    /// True if the program was started a second time and no notice about that was shown yet.
    second_start: Arc<AtomicBool>,
    /// True if the window must come to the front, because the program was started a second time.
    pub(super) raise: bool,
}

enum ProgramStage {
    Entry(Box<Launcher>),
    Working(Box<Core>),
    /// The program was closed, or is between two stages.
    Closed,
}

impl Program {
    /// Opens the chosen service in the background, or lets the clerk choose one.
    pub fn begin(options: ProgramOptions, practice_starter: PracticeStarter) -> Self {
        let runtime = options.runtime.clone();
        let entry = Launcher::begin(options.clone(), Arc::clone(&practice_starter));
        Self {
            context: Some((options, practice_starter)),
            ..Self::at_stage(ProgramStage::Entry(Box::new(entry)), runtime)
        }
    }

    /// Creates a program for a service that is already open. The program can't switch to another service.
    pub fn with_core(core: Core, runtime: Handle) -> Self {
        Self::at_stage(ProgramStage::Working(Box::new(core)), runtime)
    }

    fn at_stage(stage: ProgramStage, runtime: Handle) -> Self {
        Self {
            stage,
            context: None,
            runtime,
            second_start: Arc::default(),
            raise: false,
        }
    }

    pub(super) fn listen_for_second_starts(&self, only: &SingleInstance, repaint: Repaint) {
        let second_start = Arc::clone(&self.second_start);
        let on_second_start = move || {
            second_start.store(true, Ordering::Relaxed);
            repaint();
        };
        only.listen(&self.runtime, Arc::new(on_second_start));
    }

    /// Returns the open service; `None` while no service is open.
    pub(super) fn core(&self) -> Option<&Core> {
        match &self.stage {
            ProgramStage::Working(core) => Some(core),
            _ => None,
        }
    }

    /// Returns the state that the screens read; `None` once the program is closed.
    pub(super) fn shared(&self) -> Option<&Shared> {
        match &self.stage {
            ProgramStage::Entry(entry) => Some(&entry.shared),
            ProgramStage::Working(core) => Some(&core.shared),
            ProgramStage::Closed => None,
        }
    }

    /// Returns the state that the screens read, and the form that they write into.
    pub(super) fn view_state(&mut self) -> Option<(&Shared, &mut Editing)> {
        match &mut self.stage {
            ProgramStage::Entry(entry) => Some((&entry.shared, &mut entry.editing)),
            ProgramStage::Working(core) => Some((&core.shared, &mut core.editing)),
            ProgramStage::Closed => None,
        }
    }

    /// Runs one turn. While the window is hidden, data that is only displayed is not requested from the service. While a
    /// dialog is open, a scan changes nothing behind it. Returns how long the next turn may wait, if anything is due.
    pub(super) fn turn(
        &mut self,
        at: Duration,
        commands: impl Iterator<Item = Command>,
        is_hidden: bool,
        is_dialog_open: bool,
    ) -> Option<Duration> {
        self.handle_second_start();
        match &mut self.stage {
            ProgramStage::Entry(entry) => {
                let opened = entry.turn(commands)?;
                self.work_with(opened);
                Some(Duration::ZERO)
            }
            ProgramStage::Working(core) => {
                commands.for_each(|command| core.push(command));
                core.hide(is_hidden);
                core.scanner.is_dialog_open = is_dialog_open;
                let after = core.turn(at);
                if core.session.leave_requested && self.context.is_some() {
                    self.leave();
                    return Some(Duration::ZERO);
                }
                after
            }
            ProgramStage::Closed => None,
        }
    }

    /// Saves the drafts, and waits a short time for background work to end.
    pub(super) fn close(&mut self) {
        match self.take_stage() {
            ProgramStage::Entry(entry) => entry.close(),
            ProgramStage::Working(core) => core.close(&self.runtime),
            ProgramStage::Closed => {}
        }
    }

    fn take_stage(&mut self) -> ProgramStage {
        std::mem::replace(&mut self.stage, ProgramStage::Closed)
    }

    fn work_with(&mut self, opened: OpenedService) {
        let (ProgramStage::Entry(entry), Some((options, _))) = (self.take_stage(), &self.context)
        else {
            return;
        };
        let OpenedService {
            service,
            work,
            tokens,
            without_prices,
            rescue,
        } = opened;
        let (before, mut setup) = (entry.shared, entry.setup);
        let mut notices = Vec::new();
        if let Some((tokens, place)) = tokens {
            if place == TokenPlace::Memory && !setup.has_recorded_tokens(&service.name) {
                notices.push(memory_only_notice(&service.name));
            }
            setup.opened_with(&service.name, tokens, place);
        }
        notices.extend(rescue.map(|rescue| restoration_notice(&rescue, &options.system_info.zone)));
        if without_prices {
            notices.push(Notice::new(
                Tone::Warning,
                "Live prices are off: the middleware's own token is missing",
                "Enter it again in Settings",
            ));
        }
        let mut core = Core::new(work, setup, &options.system_info, service);
        core.take_over(before);
        for notice in notices {
            core.notify(notice);
        }
        self.stage = ProgramStage::Working(Box::new(core));
    }

    fn leave(&mut self) {
        if let (ProgramStage::Working(core), Some((options, practice_starter))) =
            (self.take_stage(), &self.context)
        {
            let (options, practice_starter) = (options.clone(), Arc::clone(practice_starter));
            let entry = Launcher::after(core.end_session(), options, practice_starter);
            self.stage = ProgramStage::Entry(Box::new(entry));
        }
    }

    fn handle_second_start(&mut self) {
        if !self.second_start.swap(false, Ordering::Relaxed) {
            return;
        }
        self.raise = true;
        let advice = "You started Packbench a second time. Use this window";
        let notice = Notice::new(Tone::Warning, "Already open", advice);
        match &mut self.stage {
            ProgramStage::Entry(entry) => entry.shared.notify(notice),
            ProgramStage::Working(core) => core.notify(notice),
            ProgramStage::Closed => {}
        }
    }
}
