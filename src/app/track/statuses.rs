//! Statuses set by hand: sent in bounded batches, read back when they are known, and what the token may not learned from what
//! the service says.

use crate::app::core::Core;
use crate::shipping::{ConsignmentId, StatusId, StatusUpdate};
use crate::state::{Kind, Operation, OperationState, Screen};
use crate::work::{Request, speaks_of_permission};

/// Consignments in one call: all of a call are set, or none.
const MOST_A_CALL: usize = 50;

/// Consignments that are weighed at once.
const MOST_AT_ONCE: usize = 1_000;

impl Core {
    /// Has the rows of these at hand.
    pub(super) fn weigh(&mut self, mut ids: Vec<ConsignmentId>) {
        ids.truncate(MOST_AT_ONCE);
        let rows = self.work.reads().track_rows(ids);
        self.shared.track.weighed.start(rows);
    }

    pub(super) fn set_statuses(&mut self, updates: &[StatusUpdate]) {
        let ids = updates.iter().map(|update| update.consignment_id);
        self.lock(ids, Kind::Status);
        for batch in updates.chunks(MOST_A_CALL) {
            self.work.submit(Request::SetStatuses(batch.to_vec()));
        }
    }

    /// Offers again what was refused before.
    pub(super) fn forget_refusals(&mut self) {
        self.shared.track.rights.no_statuses = None;
        self.shared.track.rights.no_cancel = None;
    }

    pub(super) fn poll_statuses(&mut self) {
        self.shared.track.weighed.poll();
        if self.paging.back.poll() && !self.paging.back.is_loading() {
            self.refresh_page();
            self.followed_changed();
        }
        if !self.paging.changed.is_empty() && !self.paging.back.is_loading() {
            let ids = std::mem::take(&mut self.paging.changed);
            self.paging.back.start(self.work.reads().read_back(ids));
        }
    }

    /// True where the page that is up says what became of it.
    pub(in crate::app) fn is_on_page(&self, operation: &Operation) -> bool {
        let open = self.shared.track.page.open;
        self.shared.screen == Screen::Track
            && open.is_some_and(|open| operation.consignments.contains(&open))
    }

    /// A status change is new or has moved on.
    pub(in crate::app) fn status_changed(&mut self, operation: &Operation) {
        let rights = &mut self.shared.track.rights;
        if !rights.changes.contains(&operation.id) {
            rights.changes.insert(0, operation.id);
        }
        let known = self.shared.operation(operation.id).map(|known| known.state);
        if operation.state.is_open() || known == Some(operation.state) {
            return;
        }
        match operation.state {
            OperationState::Rejected => self.learn_refusal(operation),
            OperationState::Done if cancels(operation) => {
                self.shared.track.rights.no_cancel = None;
            }
            _ => {}
        }
        // Refused or done, what the service has now is what is shown.
        self.paging.changed.extend(&operation.consignments);
    }

    fn learn_refusal(&mut self, operation: &Operation) {
        if !speaks_of_permission(&operation.words) {
            return;
        }
        let words = Some(operation.words.clone());
        let rights = &mut self.shared.track.rights;
        if cancels(operation) {
            rights.no_cancel = words;
        } else {
            rights.no_statuses = words;
        }
    }
}

/// True where a status change is a cancellation.
fn cancels(operation: &Operation) -> bool {
    let updates: Vec<StatusUpdate> = serde_json::from_str(&operation.request).unwrap_or_default();
    let cancelled = |update: &StatusUpdate| update.status == StatusId::CANCELLED;
    updates.iter().any(cancelled)
}
