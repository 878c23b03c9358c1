//! Statuses set by hand.

use crate::app::core::Core;
use crate::shipping::StatusUpdate;
use crate::work::Request;

impl Core {
    pub(super) fn set_statuses(&mut self, updates: Vec<StatusUpdate>) {
        self.work.submit(Request::SetStatuses(updates));
    }

    pub(super) fn forget_refusals(&mut self) {
        self.shared.track.rights.no_statuses = None;
        self.shared.track.rights.no_cancel = None;
    }
}
