//! Sets statuses by hand: sends them in batches of limited size, and reads the consignments back afterwards.
//! If the service refuses for lack of permission, the refusal is remembered.

use crate::core::Core;
use crate::state::{Operation, OperationKind, Screen};
use engine::{Payload, Request, mentions_permission};
use shipping::{ConsignmentId, StatusId, StatusUpdate};

/// Consignments in one call. The service sets the statuses of all consignments of a call, or of none.
const MOST_A_CALL: usize = 50;

/// Consignments whose rows are read for one preview.
const MOST_AT_ONCE: usize = 1_000;

impl Core {
    /// Reads the rows of these consignments for the preview of a status change.
    pub(super) fn read_status_rows(&mut self, mut ids: Vec<ConsignmentId>) {
        ids.truncate(MOST_AT_ONCE);
        let rows = self.work.reads().track_rows(ids);
        self.shared.track.status_rows.start(rows);
    }

    pub(super) fn set_statuses(&mut self, updates: &[StatusUpdate]) {
        let ids = updates.iter().map(|update| update.consignment_id);
        self.shared.operations.lock(ids, OperationKind::Status);
        for batch in updates.chunks(MOST_A_CALL) {
            let intent = Payload::Status(batch.to_vec());
            self.work.submit(Request::Perform(intent));
        }
    }

    pub(crate) fn statuses_read_back(&mut self) {
        if !self.track.page.reading_back.is_loading() {
            self.refresh_page();
            self.tracked_changed();
        }
    }

    /// Reads the consignments back whose status was set.
    pub(super) fn read_back_statuses(&mut self) {
        if !self.track.page.changed.is_empty() && !self.track.page.reading_back.is_loading() {
            let ids = std::mem::take(&mut self.track.page.changed);
            self.track
                .page
                .reading_back
                .start(self.work.reads().refresh(ids));
        }
    }

    /// Returns whether the open page shows the result of this operation.
    pub(crate) fn is_on_page(&self, operation: &Operation) -> bool {
        let open = self.shared.track.page.open;
        self.shared.screen == Screen::Track
            && open.is_some_and(|open| operation.consignments.contains(&open))
    }

    /// Adds a new status change to the list of this session's changes.
    pub(crate) fn show_status_change(&mut self, operation: &Operation) {
        let rights = &mut self.shared.track.rights;
        if !rights.changes.contains(&operation.id) {
            rights.changes.insert(0, operation.id);
        }
    }

    /// Handles a successful status change. A successful cancellation shows that the token's user may cancel.
    pub(crate) fn status_done(&mut self, operation: &Operation) {
        if cancels(operation) {
            self.shared.track.rights.no_cancel = None;
        }
    }

    /// Remembers a refusal, if the reason is a missing permission.
    pub(crate) fn learn_refusal(&mut self, operation: &Operation) {
        if !mentions_permission(&operation.message) {
            return;
        }
        let words = Some(operation.message.clone());
        let rights = &mut self.shared.track.rights;
        if cancels(operation) {
            rights.no_cancel = words;
        } else {
            rights.no_statuses = words;
        }
    }
}

/// Returns whether a status change is a cancellation.
fn cancels(operation: &Operation) -> bool {
    let Some(Payload::Status(updates)) = operation.payload() else {
        return false;
    };
    let cancelled = |update: &StatusUpdate| update.status == StatusId::CANCELLED;
    updates.iter().any(cancelled)
}
