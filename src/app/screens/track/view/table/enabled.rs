//! Checks which actions are enabled for the row under the cursor or the ticked rows.

use super::{TrackTableState, id_of};
use crate::state::{ConsignmentRow, Shared};
use crate::ui::actions::Action;
use draft::{refusal_reason, settable_statuses};
use shipping::{StatusId, TransitState};

/// Number of ticked rows that are checked for a possible status change. Equal to the limit of
/// one status change.
const MOST_SET: usize = 1_000;

/// Returns true if the consignment is unmanifested, and so listed on Dispatch.
pub(super) fn is_unmanifested(one: &ConsignmentRow) -> bool {
    one.status.id.transit_state() == TransitState::Unmanifested
}

impl TrackTableState {
    /// Returns the row under the cursor, if it is loaded.
    pub(super) fn row_under_cursor<'a>(&self, shared: &'a Shared) -> Option<&'a ConsignmentRow> {
        let id = id_of(self.list.table.selection.cursor()?);
        shared.track.rows.get(&id).map(AsRef::as_ref)
    }

    /// Returns true if any selected consignment may change to this status. Rows that are not loaded
    /// count as possible.
    fn can_become(&self, to: StatusId, shared: &Shared) -> bool {
        let selection = &self.list.table.selection;
        let can = |key: u64| {
            let id = id_of(key);
            let row = shared.track.rows.get(&id);
            let refused = row.is_some_and(|row| refusal_reason(row.status.id, to).is_some());
            !refused && !shared.locked.contains_key(&id)
        };
        if selection.is_empty() {
            selection.cursor().is_some_and(can)
        } else {
            selection.keys().take(MOST_SET).any(can)
        }
    }

    /// Returns true if the action is enabled.
    pub(in crate::screens::track::view) fn can(&self, action: Action, shared: &Shared) -> bool {
        let selection = &self.list.table.selection;
        match action {
            Action::ShowOnDispatch => self.row_under_cursor(shared).is_some_and(is_unmanifested),
            Action::TrackCopyCell
            | Action::ProofOfDelivery
            | Action::TrackingPage
            | Action::ConsignmentLabel
            | Action::CloneConsignment => self.row_under_cursor(shared).is_some(),
            Action::SaveFiles => !selection.is_empty() || self.row_under_cursor(shared).is_some(),
            Action::SetStatus => {
                let may = shared.track.rights.no_statuses.is_none();
                may && settable_statuses().any(|to| self.can_become(to, shared))
            }
            Action::CancelManifested => {
                let rights = &shared.track.rights;
                let may = rights.no_statuses.is_none() && rights.no_cancel.is_none();
                may && self.can_become(StatusId::CANCELLED, shared)
            }
            Action::TrackCopyRows => !selection.is_empty() || selection.cursor().is_some(),
            _ => true,
        }
    }
}
