//! The program that the window runs: an open service, or the startup pages for choosing and opening one.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::core::{Core, Parts};
use super::entry::{Entry, Left, Standing, on_opening};
use super::opening::{Opened, Practise};
use super::setup::Setup;
use super::single::Only;
use crate::config::{Places, Settings, Surroundings};
use crate::shipping::Clock;
use crate::state::{Command, Editing, Notice, Shared, TokenPlace, Tone};
use crate::work::{Errands, Repaint};

/// Number of second starts that may wait to be handled.
const KNOCKS: usize = 8;

/// Everything that a program needs at its start.
pub struct Beginning {
    /// Runs the engine and the background jobs.
    pub runtime: Handle,
    pub places: Places,
    pub settings: Settings,
    pub surroundings: Surroundings,
    pub clock: Clock,
    /// Starts the practice service.
    pub practise: Practise,
    /// Called when the program needs another turn.
    pub repaint: Repaint,
}

/// The program: starting, working with a service, or closed.
pub struct Program {
    stage: Inside,
    standing: Option<Standing>,
    runtime: Handle,
    commands: Vec<Command>,
    knocks: Option<mpsc::Receiver<()>>,
    raise: bool,
}

enum Inside {
    Entry(Box<Entry>),
    Working(Box<Core>),
    /// The program was closed, or is between two stages.
    Nothing,
}

impl Program {
    /// Opens the chosen service in the background, or lets the clerk choose one.
    pub fn begin(beginning: Beginning) -> Self {
        let Beginning {
            runtime,
            places,
            settings,
            surroundings,
            clock,
            practise,
            repaint,
        } = beginning;
        let errands = Errands::new(runtime.clone(), repaint);
        let setup = Setup::new(errands, settings, places, clock.clone(), &surroundings);
        let standing = Standing {
            surroundings,
            clock,
            practise,
        };
        Self {
            stage: Inside::Entry(Box::new(Entry::begin(setup, standing.clone()))),
            standing: Some(standing),
            ..Self::empty(runtime)
        }
    }

    /// Creates a program for a service that is already open. The program can't switch to another service.
    pub fn on(core: Core, runtime: Handle) -> Self {
        Self {
            stage: Inside::Working(Box::new(core)),
            ..Self::empty(runtime)
        }
    }

    fn empty(runtime: Handle) -> Self {
        Self {
            stage: Inside::Nothing,
            standing: None,
            runtime,
            commands: Vec::new(),
            knocks: None,
            raise: false,
        }
    }

    /// Starts to listen for second starts of the program.
    pub(super) fn hear(&mut self, only: &Only, repaint: Repaint) {
        let (teller, knocks) = mpsc::channel(KNOCKS);
        only.listen(&self.runtime, teller, repaint);
        self.knocks = Some(knocks);
    }

    /// Returns the open service; `None` while no service is open.
    pub fn core(&self) -> Option<&Core> {
        match &self.stage {
            Inside::Working(core) => Some(core),
            _ => None,
        }
    }

    /// Returns the state that the screens read; `None` once the program is closed.
    pub fn shared(&self) -> Option<&Shared> {
        match &self.stage {
            Inside::Entry(entry) => Some(&entry.shared),
            Inside::Working(core) => Some(&core.shared),
            Inside::Nothing => None,
        }
    }

    /// Returns the state that the screens read, and the form that they write into.
    pub(super) fn drawn(&mut self) -> Option<(&Shared, &mut Editing)> {
        match &mut self.stage {
            Inside::Entry(entry) => Some((&entry.shared, &mut entry.editing)),
            Inside::Working(core) => Some((&core.shared, &mut core.editing)),
            Inside::Nothing => None,
        }
    }

    /// Queues a command for the next turn.
    pub fn push(&mut self, command: Command) {
        match &mut self.stage {
            Inside::Working(core) => core.push(command),
            _ => self.commands.push(command),
        }
    }

    /// Returns true once after a second start asked for the window to come to the front.
    pub(super) fn take_raise(&mut self) -> bool {
        std::mem::take(&mut self.raise)
    }

    /// Returns an address to open in the browser, once.
    pub(super) fn take_address(&mut self) -> Option<String> {
        match &mut self.stage {
            Inside::Working(core) => core.paging.take_address(),
            _ => None,
        }
    }

    /// Sets whether the window is hidden. While it is, the service is not asked for data that is
    /// only displayed.
    pub(super) fn hide(&mut self, hidden: bool) {
        if let Inside::Working(core) = &mut self.stage {
            core.hide(hidden);
        }
    }

    /// Runs one turn. Returns how long the next turn may wait, if anything is due.
    pub fn turn(&mut self, at: Duration) -> Option<Duration> {
        self.hear_knocks();
        match &mut self.stage {
            Inside::Entry(entry) => {
                let opened = entry.turn(self.commands.drain(..))?;
                self.work_with(opened);
                Some(Duration::ZERO)
            }
            Inside::Working(core) => {
                let after = core.turn(at);
                if core.wants_to_leave() && self.standing.is_some() {
                    self.leave();
                    return Some(Duration::ZERO);
                }
                after
            }
            Inside::Nothing => None,
        }
    }

    /// Saves the drafts, and waits a short time for background work to end.
    pub fn close(&mut self) {
        match std::mem::replace(&mut self.stage, Inside::Nothing) {
            Inside::Entry(entry) => entry.close(),
            Inside::Working(core) => core.close(&self.runtime),
            Inside::Nothing => {}
        }
    }

    fn work_with(&mut self, opened: Opened) {
        let Inside::Entry(entry) = std::mem::replace(&mut self.stage, Inside::Nothing) else {
            return;
        };
        let Some(standing) = &self.standing else {
            return;
        };
        let notices = on_opening(&opened, &standing.surroundings.zone);
        let Opened {
            service,
            work,
            tokens,
            ..
        } = opened;
        let Entry {
            shared: before,
            mut setup,
            ..
        } = *entry;
        let memory_only = tokens
            .as_ref()
            .is_some_and(|(_, place)| *place == TokenPlace::Memory)
            && !setup.is_known(&service.name);
        if let Some((tokens, place)) = tokens {
            setup.opened_with(&service.name, tokens, place);
        }
        let mut core = Core::new(Parts {
            work,
            setup,
            surroundings: standing.surroundings.clone(),
            clock: standing.clock.clone(),
            service,
        });
        core.take_over(before);
        if memory_only {
            core.notify(super::setup::in_memory(&core.shared.connection));
        }
        for notice in notices {
            core.notify(notice);
        }
        self.stage = Inside::Working(Box::new(core));
    }

    fn leave(&mut self) {
        let Some(standing) = self.standing.clone() else {
            return;
        };
        if let Inside::Working(core) = std::mem::replace(&mut self.stage, Inside::Nothing) {
            let left: Left = core.left();
            self.stage = Inside::Entry(Box::new(Entry::after(left, standing)));
        }
    }

    fn hear_knocks(&mut self) {
        let Some(knocks) = &mut self.knocks else {
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
        let advice = "Packbench was started a second time: this is the one that runs";
        let notice = Notice::new(Tone::Warning, "Already open", advice);
        match &mut self.stage {
            Inside::Entry(entry) => entry.notify(notice),
            Inside::Working(core) => core.notify(notice),
            Inside::Nothing => {}
        }
    }
}
