//! The Dispatch screen's commands: the list, groups, bookings.

use std::collections::HashSet;

use super::core::Core;
use crate::shipping::{Consignment, ConsignmentId};
use crate::state::{DispatchCommand, Notice, Screen, Tone};
use crate::work::{Waiting, WaitingList, WaitingRows};

/// The headline where some of what was chosen is held back.
const HELD_BACK: &str = "Held back";

impl Core {
    pub(super) fn run_dispatch(&mut self, command: DispatchCommand) {
        match command {
            DispatchCommand::Refresh => {
                self.work.reads().reconnect();
                self.refresh_unmanifested();
            }
            DispatchCommand::Group(ids) => self.group(Some(ids)),
            DispatchCommand::GroupAll => self.group(None),
            DispatchCommand::GroupAgain => {
                let ids = self.grouped.clone();
                self.group(ids);
            }
            DispatchCommand::ClearGroups => self.shared.groups.clear(),
            DispatchCommand::Book(groups) => self.book(groups),
            DispatchCommand::Delete(ids) => self.delete(ids),
            DispatchCommand::UndoDelete => self.undo_delete(),
            DispatchCommand::HoldBack(ids, held) => self.hold_back(ids, held),
            DispatchCommand::SaveView(view) => self.save_view(view),
            DispatchCommand::RemoveView(name) => self.remove_view(name),
            DispatchCommand::PrintLabels(ids) => self.print(ids),
            DispatchCommand::ShowLabel(id) => {
                self.shared.screen = Screen::Labels;
                self.refresh_printers();
                self.select_label(id);
            }
            DispatchCommand::Reveal(id) => {
                self.shared.found = Some(id);
                self.show(Screen::Dispatch);
            }
            DispatchCommand::PutAway(operation) => self.put_away(operation),
        }
    }

    /// Groups these, or all that nothing holds. What is held back is let go first: that is said.
    pub(super) fn group(&mut self, ids: Option<Vec<ConsignmentId>>) {
        self.grouped.clone_from(&ids);
        let groups = match (ids, self.shared.company) {
            (Some(ids), _) => {
                let (ids, held): (Vec<_>, Vec<_>) = self
                    .free(ids)
                    .into_iter()
                    .partition(|id| !self.shared.held_back.contains(id));
                self.tell_held_back(held.len());
                if ids.is_empty() {
                    return;
                }
                self.work.reads().groups(ids)
            }
            (None, Some(company)) => {
                self.mended(HELD_BACK);
                let mut left_out = HashSet::clone(&self.shared.held_back);
                left_out.extend(self.shared.locked.keys());
                self.work.reads().groups_of_all(company, left_out)
            }
            _ => return,
        };
        self.shared.groups.start(groups);
    }

    fn tell_held_back(&mut self, count: usize) {
        self.mended(HELD_BACK);
        if count > 0 {
            let advice = match count {
                1 => "One is not in the groups. Let it go to group it".to_owned(),
                _ => format!("{count} are not in the groups. Let them go to group them"),
            };
            self.notify(Notice::new(Tone::Warning, HELD_BACK, advice));
        }
    }

    /// Those that nothing holds: no open operation, and no deletion that can be taken back.
    pub(super) fn free(&self, mut ids: Vec<ConsignmentId>) -> Vec<ConsignmentId> {
        ids.retain(|id| !self.shared.locked.contains_key(id));
        ids
    }

    pub(super) fn refresh_unmanifested(&mut self) {
        self.shared
            .unmanifested
            .start(self.work.reads().unmanifested(self.shared.company));
        self.ask_for_conversions();
    }

    pub(super) fn unmanifested_came(&mut self) {
        let newer = std::mem::take(&mut self.newer_than_list);
        // While a newer fetch runs, what is there is what was there before; that fetch begins now and finds all of it.
        if self.shared.unmanifested.problem().is_none()
            && !self.shared.unmanifested.is_loading()
            && let Some(list) = self.shared.unmanifested.value_mut()
        {
            for newer in newer {
                newer.put_into(list);
            }
            self.shared.unmanifested_at = Some(self.shared.now);
        }
        self.list_changed();
    }

    /// The list is another one.
    pub(super) fn list_changed(&mut self) {
        self.rebuild_labels();
    }

    /// Consignments were read back or made: the list shows them as they are now.
    pub(super) fn seen(&mut self, consignments: Vec<Consignment>) {
        if self.shared.unmanifested.value().is_some() {
            let mut rows = WaitingRows::default();
            for one in consignments {
                self.correct_list(if one.is_unmanifested() {
                    Newer::Seen(Box::new(rows.row(&one)))
                } else {
                    Newer::Gone(one.id)
                });
            }
        } else {
            self.refresh_unmanifested();
        }
        self.rebuild_labels();
    }

    /// These wait no longer.
    pub(super) fn forget(&mut self, ids: &[ConsignmentId]) {
        for id in ids {
            self.correct_list(Newer::Gone(*id));
        }
        self.not_to_delete(ids);
        self.let_go(ids);
        self.rebuild_labels();
    }

    /// What an operation brought is newer than the list, and than a list that is on its way: the service may have been asked
    /// for that before.
    fn correct_list(&mut self, newer: Newer) {
        let list = &mut self.shared.unmanifested;
        if list.is_loading() {
            self.newer_than_list.push(newer.clone());
        }
        if let Some(list) = list.value_mut() {
            newer.put_into(list);
        }
    }
}

/// What became known of a consignment while the list was on its way.
#[derive(Clone)]
pub(super) enum Newer {
    /// As it was read back or made.
    Seen(Box<Waiting>),
    /// It waits no longer.
    Gone(ConsignmentId),
}

impl Newer {
    fn put_into(self, list: &mut WaitingList) {
        match self {
            Self::Seen(row) => list.put(*row),
            Self::Gone(id) => list.remove(id),
        }
    }
}
