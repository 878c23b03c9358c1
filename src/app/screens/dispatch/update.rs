//! Runs the Dispatch screen's commands: the list, groups, bookings.

pub(crate) mod groups;
pub(crate) mod list_sync;
pub(crate) mod unmanifested_changes;

use std::collections::HashSet;
use std::time::Duration;

use jiff::Timestamp;

use crate::core::Core;
use crate::state::{DispatchCommand, Notice, Screen, Tone};
use list_sync::ListSyncState;
use shipping::ConsignmentId;

/// Headline of the notice that some of the chosen consignments are on hold.
pub(crate) const ON_HOLD: &str = "On hold";

/// Headline of the notice that "all" can't be grouped before a company is chosen.
const NO_COMPANY: &str = "No company is chosen";

/// State of Dispatch that the screens do not read.
#[derive(Default)]
pub(crate) struct DispatchUpdate {
    /// When the groups arrived.
    grouped_at: Timestamp,
    /// The consignments that were last asked to be grouped; `None` for all.
    grouped: Option<Vec<ConsignmentId>>,
    /// When the pending deletion is sent.
    pub(super) deleting_due: Option<Duration>,
    /// Sync state of the list of unmanifested consignments.
    pub(crate) list_sync: ListSyncState,
}

impl Core {
    pub(crate) fn run_dispatch(&mut self, command: DispatchCommand) {
        match command {
            DispatchCommand::Refresh => {
                self.work.reads().reconnect();
                self.refresh_unmanifested();
            }
            DispatchCommand::Query(words, order) => {
                let query = &mut self.shared.dispatch.query;
                (query.words, query.order) = (words, order);
                self.query_list();
            }
            DispatchCommand::Group(ids) => self.group(Some(ids)),
            DispatchCommand::GroupAll => self.group(None),
            DispatchCommand::GroupAgain => self.group_again(),
            DispatchCommand::ClearGroups => self.clear_groups(),
            DispatchCommand::Book(groups) => self.book(groups),
            DispatchCommand::Delete(ids) => self.delete(ids),
            DispatchCommand::UndoDelete => self.undo_delete(),
            DispatchCommand::SetOnHold(ids, held) => self.set_on_hold(ids, held),
            DispatchCommand::SaveView(view) => self.save_view(view),
            DispatchCommand::RemoveView(of, name) => self.remove_view(of, name),
            DispatchCommand::PrintLabels(ids) => self.print(ids),
            DispatchCommand::ShowLabel(id) => {
                self.shared.screen = Screen::Labels;
                self.refresh_printers();
                self.select_label(id);
            }
            DispatchCommand::Reveal(id) => {
                self.reveal(id);
                self.show(Screen::Dispatch);
            }
            DispatchCommand::CloseBooking(operation) => self.dismiss_booking(operation),
            DispatchCommand::Groups(command) => self.run_groups(command),
        }
    }

    /// Groups these consignments, or for `None` all consignments that can be grouped. Consignments on hold
    /// are left out until they are released; a notice says so if they were chosen.
    pub(crate) fn group(&mut self, ids: Option<Vec<ConsignmentId>>) {
        self.dispatch.grouped.clone_from(&ids);
        let groups = match (ids, self.shared.session.company) {
            (Some(ids), _) => {
                let (ids, held): (Vec<_>, Vec<_>) = self
                    .without_locked(ids)
                    .into_iter()
                    .partition(|id| !self.shared.dispatch.on_hold.contains(id));
                self.notify_on_hold(held.len());
                if ids.is_empty() {
                    return;
                }
                self.work.reads().groups(ids)
            }
            (None, Some(company)) => {
                self.clear_notice(ON_HOLD);
                let mut left_out = HashSet::clone(&self.shared.dispatch.on_hold);
                left_out.extend(self.shared.operations.locked.keys());
                self.work.reads().groups_of_all(company, left_out)
            }
            (None, None) => {
                let advice = "The service groups a company's consignments. Choose the company, then group all";
                return self.notify(Notice::new(Tone::Warning, NO_COMPANY, advice));
            }
        };
        self.clear_notice(NO_COMPANY);
        self.shared.dispatch.groups.start(groups);
    }

    fn notify_on_hold(&mut self, count: usize) {
        self.clear_notice(ON_HOLD);
        if count > 0 {
            let advice = match count {
                1 => "1 consignment wasn't grouped. Release it to group it".to_owned(),
                _ => format!("{count} consignments weren't grouped. Release them to group them"),
            };
            self.notify(Notice::new(Tone::Warning, ON_HOLD, advice));
        }
    }

    /// Leaves out locked consignments: an open operation uses them, or their deletion can still be undone.
    pub(crate) fn without_locked(&self, mut ids: Vec<ConsignmentId>) -> Vec<ConsignmentId> {
        ids.retain(|id| !self.shared.operations.locked.contains_key(id));
        ids
    }
}
