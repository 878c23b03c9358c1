//! Switches to another service.

pub(crate) mod setup;

use crate::core::Core;
use crate::launcher::ClosingService;
use crate::screens::settings::update::setup::{ServiceRequest, unfinished_notice};
use crate::state::{BatchProgress, Notice, NoticeTarget, Shared, Tone};

/// Settings outlive the open service, so their state is in [`setup::Setup`].
#[derive(Default)]
pub(crate) struct SettingsUpdate;

impl Core {
    pub(super) fn handle_service_request(&mut self, next: ServiceRequest) {
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
                self.session.leave_requested |= self.can_close_service(headline);
            }
        }
    }

    /// Returns true if nothing is in progress. Otherwise shows the reason in a notice.
    pub(crate) fn can_close_service(&mut self, headline: &str) -> bool {
        let unfinished = self.shared.operations.open().count();
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

    /// Saves the drafts, and returns the data that is needed after this service is closed. The caller waits for
    /// background work to end.
    pub(crate) fn end_session(mut self) -> ClosingService {
        self.save_all_drafts();
        self.cancel_deletion_on_close();
        self.setup.show(&mut self.shared);
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
            settings: shared.settings,
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
        self.shared.settings = before.settings;
        self.setup.show(&mut self.shared);
        self.shared.screen = before.screen;
        for (_, notice) in before.notices.shown {
            self.notify(notice);
        }
    }
}
