//! Timed work: saves changed drafts, requests prices after a pause in typing, and sends deletions.

use std::time::Duration;

use jiff::SignedDuration;

use super::core::Core;
use engine::Request;

/// How long after a change the draft is saved: well within the second that is promised.
const SAVE_AFTER: Duration = Duration::from_millis(400);

/// How long after a failure saving is tried again.
const SAVE_AGAIN_AFTER: Duration = Duration::from_secs(5);

/// How long typing must pause before prices are requested.
const ROUTES_AFTER: Duration = Duration::from_millis(500);

impl Core {
    /// Handles what was typed since the last turn: schedules saving and the request for prices.
    pub(super) fn watch_typing(&mut self, at: Duration) {
        let context = self.shared.check_context();
        let learnt = self.reference_data.take_changed();
        if self.editing.notice_change() || learnt {
            if self.editing.is_dirty() {
                self.editing.saved = crate::state::SaveState::Pending;
                self.save_due.get_or_insert(at + SAVE_AFTER);
            }
            let check = self.editing.refresh_check(&context, true);
            let wanted = check.route_request();
            if wanted != self.routes_for {
                self.shared.consign.routes_stale = true;
                self.routes_due = Some(at + ROUTES_AFTER);
            }
        } else {
            self.editing.refresh_check(&context, false);
        }
    }

    pub(super) fn fire_timers(&mut self, at: Duration) {
        if std::mem::take(&mut self.retry_save) {
            self.save_due = Some(at + SAVE_AGAIN_AFTER);
        }
        if self.save_due.is_some_and(|due| due <= at) {
            self.save_all_drafts();
        }
        if self.routes_due.is_some_and(|due| due <= at) {
            self.routes_due = None;
            self.find_routes(false);
        }
        self.watch_deletion(at);
    }

    /// Saves the open draft at once, if it differs from the one on disk.
    pub(super) fn save_draft(&mut self) {
        self.save_due = None;
        if self.editing.is_dirty() || self.unsaved.contains(&self.editing.draft.id) {
            self.editing.mark_kept();
            self.work
                .submit(Request::SaveDraft(Box::new(self.editing.draft.clone())));
        }
    }

    /// Saves the open draft, and the listed drafts that are not on disk because saving failed.
    pub(super) fn save_all_drafts(&mut self) {
        self.save_draft();
        let open = &self.editing.draft.id;
        for draft in &self.shared.consign.drafts {
            if draft.id != *open && self.unsaved.contains(&draft.id) {
                let draft = Box::new(draft.clone());
                self.work.submit(Request::SaveDraft(draft));
            }
        }
    }

    /// Returns the time until the next full minute, because the clock in the status line shows minutes.
    pub(super) fn next_minute(&self) -> Option<Duration> {
        let into = self.shared.now.as_millisecond().rem_euclid(60_000);
        let left = SignedDuration::from_millis(60_000 - into);
        Duration::try_from(left).ok()
    }
}
