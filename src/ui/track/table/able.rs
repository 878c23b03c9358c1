//! What can be done with the row under the cursor, or with the ticked ones.

use super::{State, id_of};
use crate::draft::{settable, why_not};
use crate::shipping::{Course, StatusId};
use crate::state::{Shared, Tracked};
use crate::ui::actions::Action;

/// So many of the ticked rows are looked at to see whether their status can be set: as many as can be set at once.
const MOST_SET: usize = 1_000;

/// Is it on Dispatch?
pub(super) fn waits(one: &Tracked) -> bool {
    one.status.id.course() == Course::Unmanifested
}

impl State {
    /// The row under the cursor, where it is known.
    pub(super) fn under<'a>(&self, shared: &'a Shared) -> Option<&'a Tracked> {
        let id = id_of(self.list.table.selection.cursor()?);
        shared.track.rows.get(&id).map(AsRef::as_ref)
    }

    /// Can the status of any of the chosen be set to that, as far as their rows are known?
    fn can_become(&self, to: StatusId, shared: &Shared) -> bool {
        let selection = &self.list.table.selection;
        let can = |key: u64| {
            let id = id_of(key);
            let row = shared.track.rows.get(&id);
            let refused = row.is_some_and(|row| why_not(row.status.id, to).is_some());
            !refused && !shared.locked.contains_key(&id)
        };
        if selection.is_empty() {
            selection.cursor().is_some_and(can)
        } else {
            selection.keys().take(MOST_SET).any(can)
        }
    }

    /// Can this be done?
    pub(in crate::ui::track) fn can(&self, action: Action, shared: &Shared) -> bool {
        let selection = &self.list.table.selection;
        match action {
            Action::TrackOnDispatch => self.under(shared).is_some_and(waits),
            Action::TrackCopyCell
            | Action::Proof
            | Action::TrackingPage
            | Action::PageLabel
            | Action::ClonePage => self.under(shared).is_some(),
            Action::SaveFiles => !selection.is_empty() || self.under(shared).is_some(),
            Action::SetStatus => {
                let may = shared.track.rights.no_statuses.is_none();
                may && settable().any(|to| self.can_become(to, shared))
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
