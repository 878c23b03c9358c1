//! Commands of the Settings screen while a service is open, and the change to another service.

pub(crate) mod connections;
pub(crate) mod setup;

use crate::config::ChosenService;
use crate::core::{Core, show_settings};
use crate::launcher::ClosingService;
use crate::screens::settings::update::setup::{
    ActiveConnection, ServiceRequest, unfinished_notice,
};
use crate::state::{BatchProgress, Notice, NoticeTarget, SettingsCommand, Shared, Tone};

impl Core {
    pub(crate) fn run_settings(&mut self, command: SettingsCommand) {
        let busy = self.active_connection();
        if let SettingsCommand::Remove(name) = &command
            && busy.name.as_ref() == Some(name)
        {
            let headline = format!("{name} is open and was not removed");
            let advice = "Switch to another service first";
            return self.notify(Notice::new(Tone::Warning, headline, advice));
        }
        if let SettingsCommand::PickSender(sender) = command {
            return self.pick_sender(sender);
        }
        let next = self.setup.run(command, &busy, &mut self.shared.setup);
        show_settings(&self.setup, &mut self.shared);
        if let Some(next) = next {
            self.handle_service_request(next);
        }
    }

    /// Handles finished background jobs of Settings.
    pub(crate) fn poll_setup(&mut self) {
        let mut notices = Vec::new();
        let next = self.setup.poll(&mut self.shared.setup, &mut notices);
        for notice in notices {
            self.notify(notice);
        }
        if let Some(next) = next {
            self.handle_service_request(next);
        }
    }

    fn active_connection(&self) -> ActiveConnection {
        let is_connection = matches!(
            self.setup.settings.chosen,
            Some(ChosenService::Connection(_))
        );
        ActiveConnection {
            name: is_connection.then(|| self.shared.session.connection.clone()),
            unfinished: self.shared.operations.open().count(),
        }
    }

    fn handle_service_request(&mut self, next: ServiceRequest) {
        match next {
            ServiceRequest::Open(chosen) => {
                if self.setup.settings.chosen.as_ref() == Some(&chosen) {
                    return;
                }
                if self.can_close_service("Can't switch service") {
                    self.setup.choose(chosen);
                    self.session.leave_requested = true;
                }
            }
            ServiceRequest::Reopen => {
                let headline = "The change takes effect the next time you open this service";
                if self.can_close_service(headline) {
                    self.session.leave_requested = true;
                }
            }
            // Only the startup pages ask for these, while no service is open.
            ServiceRequest::Retry
            | ServiceRequest::OpenWithToken(_)
            | ServiceRequest::Choose(_) => {}
        }
    }

    /// Returns true if nothing is under way. Otherwise a notice gives the reason.
    pub(crate) fn can_close_service(&mut self, headline: &str) -> bool {
        let unfinished = self.active_connection().unfinished;
        if unfinished > 0 {
            let notice = unfinished_notice(headline, unfinished);
            self.notify(notice.with_target(NoticeTarget::Operations));
            return false;
        }
        let batch = self.shared.labels.batch.as_ref();
        let under_way = if !self.shared.consign.sent.is_empty() {
            "A consignment is being sent. Wait until it is finished"
        } else if batch.is_some_and(BatchProgress::is_running) {
            "Labels are being printed. Wait until they are finished"
        } else {
            return true;
        };
        self.notify(Notice::new(Tone::Warning, headline, under_way));
        false
    }

    /// Saves the drafts, and returns everything that is needed after this service is closed. The caller waits
    /// for background work to end.
    pub(crate) fn end_session(mut self) -> ClosingService {
        self.save_all_drafts();
        self.cancel_deletion_on_close();
        self.setup.show(&mut self.shared.setup);
        let Self {
            work,
            shared,
            setup,
            ..
        } = self;
        let fresh = Shared::new(shared.now, shared.session.environment);
        let shared = Shared {
            screen: shared.screen,
            notices: shared.notices,
            setup: shared.setup,
            ..fresh
        };
        ClosingService {
            setup,
            shared,
            work,
        }
    }

    /// Continues with the screen and the notices that were shown before this service was open.
    pub(crate) fn take_over(&mut self, before: Shared) {
        self.shared.setup = before.setup;
        self.setup.show(&mut self.shared.setup);
        self.shared.screen = before.screen;
        for (_, notice) in before.notices.shown {
            self.notify(notice);
        }
    }
}
