//! Commands of the Settings screen while a service is open, and the change to another service.

use super::core::Core;
use super::entry::Left;
use super::setup::{Busy, Next, held};
use crate::config::Chosen;
use crate::state::{BatchProgress, LeadsTo, Notice, SettingsCommand, Tone};

impl Core {
    pub(super) fn run_settings(&mut self, command: SettingsCommand) {
        let busy = self.busy();
        if let SettingsCommand::Remove(name) = &command
            && busy.name.as_ref() == Some(name)
        {
            let headline = format!("{name} is open and was not removed");
            return self.notify(Notice::new(
                Tone::Warning,
                headline,
                "Work with another service first",
            ));
        }
        if let SettingsCommand::PickSender(sender) = command {
            return self.pick_sender(sender);
        }
        let next = self.setup.run(command, &busy, &mut self.shared.setup);
        self.shared.bench.clone_from(&self.setup.settings.bench);
        self.shared.staff.clone_from(&self.setup.settings.staff);
        self.shared.dear_percent = self.setup.settings.dear_percent;
        if let Some(next) = next {
            self.go(next);
        }
    }

    /// Handles finished background jobs of Settings.
    pub(super) fn poll_setup(&mut self) {
        let mut notices = Vec::new();
        let next = self.setup.poll(&mut self.shared.setup, &mut notices);
        for notice in notices {
            self.notify(notice);
        }
        if let Some(next) = next {
            self.go(next);
        }
    }

    fn busy(&self) -> Busy {
        let is_connection = matches!(self.setup.settings.chosen, Some(Chosen::Connection(_)));
        Busy {
            name: is_connection.then(|| self.shared.connection.clone()),
            unfinished: self.shared.open_operations().count(),
        }
    }

    fn go(&mut self, next: Next) {
        match next {
            Next::Open(chosen) => {
                if self.setup.settings.chosen.as_ref() == Some(&chosen) {
                    return;
                }
                let headline = "This service was not left";
                if self.may_leave(headline) {
                    self.setup.choose(chosen);
                    self.leaving = true;
                }
            }
            Next::Anew => {
                let headline = "The change takes effect when this service is opened again";
                if self.may_leave(headline) {
                    self.leaving = true;
                }
            }
            // Only the startup pages ask for these, while no service is open.
            Next::Again | Next::With(_) | Next::Choose(_) => {}
        }
    }

    /// Returns true if nothing is under way. Otherwise a notice gives the reason.
    pub(super) fn may_leave(&mut self, headline: &str) -> bool {
        let unfinished = self.busy().unfinished;
        if unfinished > 0 {
            self.notify(held(headline, unfinished).leading_to(LeadsTo::Operations));
            return false;
        }
        let under_way = if !self.shared.sent.is_empty() {
            Some("A consignment is being sent: wait for its answer")
        } else if self
            .shared
            .batch
            .as_ref()
            .is_some_and(BatchProgress::is_running)
        {
            Some("Labels are on their way to the printer: wait for them")
        } else {
            None
        };
        if let Some(words) = under_way {
            self.notify(Notice::new(Tone::Warning, headline, words));
        }
        under_way.is_none()
    }

    /// Returns whether this service should be closed, to open another one or to open this one again.
    pub(super) const fn wants_to_leave(&self) -> bool {
        self.leaving
    }

    /// Saves the drafts, and returns everything that is needed after this service is closed. The caller waits
    /// for background work to end.
    pub(super) fn left(mut self) -> Left {
        self.save_all_drafts();
        self.leave_undeleted();
        self.setup.show(&mut self.shared.setup);
        let Self {
            work,
            mut shared,
            setup,
            next_notice,
            ..
        } = self;
        let mut after = crate::state::Shared::new(shared.now, shared.environment);
        after.setup = std::mem::take(&mut shared.setup);
        after.screen = shared.screen;
        Left {
            setup,
            notices: shared.notices,
            shared: after,
            next_notice,
            work,
        }
    }

    /// Continues with the screen and the notices that were shown before this service was open.
    pub(super) fn take_over(&mut self, before: crate::state::Shared) {
        self.shared.setup = before.setup;
        self.setup.show(&mut self.shared.setup);
        self.shared.screen = before.screen;
        for (_, notice) in before.notices {
            self.notify(notice);
        }
    }
}
