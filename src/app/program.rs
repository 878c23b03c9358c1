//! The program that the window runs: an open service, or the startup pages for choosing and opening one.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::core::{Core, CoreParts};
use super::launcher::{ClosingService, Launcher, ProgramContext, on_opening};
use super::open_service::{OpenedService, PracticeStarter};
use super::single_instance::SingleInstance;
use crate::config::{DataFolder, Settings, SystemInfo};
use crate::screens::settings::update::setup::Setup;
use crate::state::{Command, Editing, Notice, Shared, TokenPlace, Tone};
use engine::{Repaint, TaskRunner};
use shipping::Clock;

/// Number of second starts that may wait to be handled.
const MAX_SECOND_STARTS: usize = 8;

/// Everything that a program needs at its start.
pub struct ProgramOptions {
    /// Runs the engine and the background jobs.
    pub runtime: Handle,
    pub places: DataFolder,
    pub settings: Settings,
    pub system_info: SystemInfo,
    pub clock: Clock,
    /// Starts the practice service.
    pub practice_starter: PracticeStarter,
    /// Called when the program needs another turn.
    pub repaint: Repaint,
}

/// The program: starting, working with a service, or closed.
pub struct Program {
    stage: ProgramStage,
    standing: Option<ProgramContext>,
    runtime: Handle,
    commands: Vec<Command>,
    second_starts: Option<mpsc::Receiver<()>>,
    raise: bool,
}

enum ProgramStage {
    Entry(Box<Launcher>),
    Working(Box<Core>),
    /// The program was closed, or is between two stages.
    Closed,
}

impl Program {
    /// Opens the chosen service in the background, or lets the clerk choose one.
    pub fn begin(beginning: ProgramOptions) -> Self {
        let ProgramOptions {
            runtime,
            places,
            settings,
            system_info: surroundings,
            clock,
            practice_starter: practise,
            repaint,
        } = beginning;
        let errands = TaskRunner::new(runtime.clone(), repaint);
        let setup = Setup::new(errands, settings, places, clock.clone(), &surroundings);
        let standing = ProgramContext {
            system_info: surroundings,
            clock,
            practise,
        };
        Self {
            stage: ProgramStage::Entry(Box::new(Launcher::begin(setup, standing.clone()))),
            standing: Some(standing),
            ..Self::empty(runtime)
        }
    }

    /// Creates a program for a service that is already open. The program can't switch to another service.
    pub fn with_core(core: Core, runtime: Handle) -> Self {
        Self {
            stage: ProgramStage::Working(Box::new(core)),
            ..Self::empty(runtime)
        }
    }

    fn empty(runtime: Handle) -> Self {
        Self {
            stage: ProgramStage::Closed,
            standing: None,
            runtime,
            commands: Vec::new(),
            second_starts: None,
            raise: false,
        }
    }

    /// Starts to listen for second starts of the program.
    pub(super) fn listen_for_second_starts(&mut self, only: &SingleInstance, repaint: Repaint) {
        let (teller, knocks) = mpsc::channel(MAX_SECOND_STARTS);
        only.listen(&self.runtime, teller, repaint);
        self.second_starts = Some(knocks);
    }

    /// Returns the open service; `None` while no service is open.
    pub fn core(&self) -> Option<&Core> {
        match &self.stage {
            ProgramStage::Working(core) => Some(core),
            _ => None,
        }
    }

    /// Returns the state that the screens read; `None` once the program is closed.
    pub fn shared(&self) -> Option<&Shared> {
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

    /// Queues a command for the next turn.
    pub fn push(&mut self, command: Command) {
        match &mut self.stage {
            ProgramStage::Working(core) => core.push(command),
            _ => self.commands.push(command),
        }
    }

    /// Returns true once after a second start asked for the window to come to the front.
    pub(super) fn take_raise(&mut self) -> bool {
        std::mem::take(&mut self.raise)
    }

    /// Sets whether the window is hidden. While it is, the service is not asked for data that is
    /// only displayed.
    pub(super) fn hide(&mut self, hidden: bool) {
        if let ProgramStage::Working(core) = &mut self.stage {
            core.hide(hidden);
        }
    }

    /// Runs one turn. Returns how long the next turn may wait, if anything is due.
    pub fn turn(&mut self, at: Duration) -> Option<Duration> {
        self.handle_second_starts();
        match &mut self.stage {
            ProgramStage::Entry(entry) => {
                let opened = entry.turn(self.commands.drain(..))?;
                self.work_with(opened);
                Some(Duration::ZERO)
            }
            ProgramStage::Working(core) => {
                let after = core.turn(at);
                if core.session.leave_requested && self.standing.is_some() {
                    self.leave();
                    return Some(Duration::ZERO);
                }
                after
            }
            ProgramStage::Closed => None,
        }
    }

    /// Saves the drafts, and waits a short time for background work to end.
    pub fn close(&mut self) {
        match std::mem::replace(&mut self.stage, ProgramStage::Closed) {
            ProgramStage::Entry(entry) => entry.close(),
            ProgramStage::Working(core) => core.close(&self.runtime),
            ProgramStage::Closed => {}
        }
    }

    fn work_with(&mut self, opened: OpenedService) {
        let ProgramStage::Entry(entry) = std::mem::replace(&mut self.stage, ProgramStage::Closed)
        else {
            return;
        };
        let Some(standing) = &self.standing else {
            return;
        };
        let notices = on_opening(&opened, &standing.system_info.zone);
        let OpenedService {
            service,
            work,
            tokens,
            ..
        } = opened;
        let Launcher {
            shared: before,
            mut setup,
            ..
        } = *entry;
        let memory_only = tokens
            .as_ref()
            .is_some_and(|(_, place)| *place == TokenPlace::Memory)
            && !setup.has_recorded_tokens(&service.name);
        if let Some((tokens, place)) = tokens {
            setup.opened_with(&service.name, tokens, place);
        }
        let mut core = Core::new(CoreParts {
            work,
            setup,
            system_info: &standing.system_info,
            service,
        });
        core.take_over(before);
        if memory_only {
            core.notify(crate::screens::settings::update::setup::memory_only_notice(
                &core.shared.session.connection,
            ));
        }
        for notice in notices {
            core.notify(notice);
        }
        self.stage = ProgramStage::Working(Box::new(core));
    }

    fn leave(&mut self) {
        let Some(standing) = self.standing.clone() else {
            return;
        };
        if let ProgramStage::Working(core) =
            std::mem::replace(&mut self.stage, ProgramStage::Closed)
        {
            let left: ClosingService = core.end_session();
            self.stage = ProgramStage::Entry(Box::new(Launcher::after(left, standing)));
        }
    }

    fn handle_second_starts(&mut self) {
        let Some(knocks) = &mut self.second_starts else {
            return;
        };
        let mut knocked = false;
        while knocks.try_recv().is_ok() {
            knocked = true;
        }
        if !knocked {
            return;
        }
        self.raise = true;
        let advice = "You started Packbench a second time. Use this window";
        let notice = Notice::new(Tone::Warning, "Already open", advice);
        match &mut self.stage {
            ProgramStage::Entry(entry) => entry.notify(notice),
            ProgramStage::Working(core) => core.notify(notice),
            ProgramStage::Closed => {}
        }
    }
}
