//! Runs the Dispatch screen's commands: the list, its saved views, holds, and deletions that can be undone.
//!
//! A deletion is sent only after the clerk had time to undo it, and never if the window or the service is closed in
//! that time. Meanwhile its consignments are locked.

pub(crate) mod groups;
pub(crate) mod list_sync;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::core::Core;
use crate::state::{
    ConsignmentLock, DispatchCommand, ListView, Notice, OperationKind, PendingDeletion, Screen,
    Tone, ViewedList,
};
use engine::{Payload, Request};
use list_sync::ListSyncState;
use shipping::ConsignmentId;

/// Headline of the notice that some of the chosen consignments are on hold.
pub(crate) const ON_HOLD: &str = "On hold";

/// Headline of the notice that "all" can't be grouped before a company is chosen.
const NO_COMPANY: &str = "No company is chosen";

/// How long a deletion can be undone.
const UNDO_FOR: Duration = Duration::from_secs(8);

/// State of Dispatch that the screens do not read.
#[derive(Default)]
pub(crate) struct DispatchUpdate {
    /// When the groups arrived.
    grouped_at: Timestamp,
    /// The consignments of the last request for groups; `None` for all.
    grouped: Option<Vec<ConsignmentId>>,
    /// The requests of a workgroup's bench about holds that are not answered yet.
    unanswered_holds: usize,
    /// When the pending deletion is sent.
    pub(super) deleting_due: Option<Duration>,
    /// When the closing times are read again.
    pub(crate) closings_due: Option<Duration>,
    /// The time of the list for which the closing times were read.
    closings_of: Option<Timestamp>,
    /// Sync state of the list of unmanifested consignments.
    pub(crate) list_sync: ListSyncState,
}

/// The most consignments that are counted before a carrier closes, the newest first.
const MOST_COUNTED: usize = 5_000;

/// How often the closing times are read again.
const CLOSINGS_EVERY: Duration = Duration::from_mins(1);

impl Core {
    /// Reads when carriers close today: every minute, and when the list has changed.
    pub(crate) fn watch_closings(&mut self, at: Duration) {
        let dispatch = &self.shared.dispatch;
        let is_due = self.dispatch.closings_due.is_none_or(|due| due <= at);
        let is_new = dispatch.unmanifested_at != self.dispatch.closings_of;
        let Some(list) = dispatch.unmanifested.value().filter(|_| is_due || is_new) else {
            return;
        };
        let held = &dispatch.on_hold;
        let waiting = list
            .iter()
            .copied()
            .filter(|id| !held.contains(id))
            .take(MOST_COUNTED)
            .collect();
        let set = self.shared.bench.closing_times.iter();
        let set = set.filter_map(|line| line.parse().ok()).collect();
        let when = (self.shared.now, self.shared.session.zone.clone());
        let fetch = self.work.reads().closings(waiting, set, when);
        self.dispatch.closings_due = Some(at + CLOSINGS_EVERY);
        self.dispatch.closings_of = self.shared.dispatch.unmanifested_at;
        self.shared.dispatch.closings.refresh(fetch);
    }

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

    /// Groups these consignments, or for `None` all consignments that can be grouped. Consignments on hold are left
    /// out until they are released. If `ids` has such consignments, a notice says so.
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

    /// Puts consignments on hold or releases them. The change shows at once and is saved in the background. Takes
    /// consignments that are put on hold out of their groups.
    pub(crate) fn set_on_hold(&mut self, ids: Vec<ConsignmentId>, held: bool) {
        if held {
            self.take_out(&ids.iter().copied().collect(), true);
        }
        let shown = Arc::make_mut(&mut self.shared.dispatch.on_hold);
        for id in &ids {
            if held {
                shown.insert(*id);
            } else {
                shown.remove(id);
            }
        }
        if self.shared.workgroup.is_some() {
            self.dispatch.unanswered_holds += 1;
        }
        self.work.submit(Request::SetOnHold(ids, held));
    }

    /// Shows the consignments on hold as they are saved. If another bench has put some on hold, takes them out of their
    /// groups here.
    pub(crate) fn show_on_hold(&mut self, saved: HashSet<ConsignmentId>, is_answer: bool) {
        let unanswered = &mut self.dispatch.unanswered_holds;
        *unanswered = unanswered.saturating_sub(usize::from(is_answer));
        // The answer to the last request has all changes.
        if *unanswered > 0 {
            return;
        }
        let new: HashSet<_> = { saved.difference(&self.shared.dispatch.on_hold) }
            .copied()
            .collect();
        self.shared.dispatch.on_hold = Arc::new(saved);
        if !new.is_empty() {
            self.take_out(&new, true);
        }
    }

    /// Releases holds of consignments that are no longer unmanifested.
    pub(crate) fn release_gone(&mut self, gone: &[ConsignmentId]) {
        let on_hold = &self.shared.dispatch.on_hold;
        let held = gone.iter().copied().filter(|id| on_hold.contains(id));
        let held: Vec<_> = held.collect();
        if !held.is_empty() {
            self.set_on_hold(held, false);
        }
    }

    /// Saves a view. The change shows at once.
    pub(crate) fn save_view(&mut self, view: ListView) {
        let views = Arc::make_mut(&mut self.shared.dispatch.views);
        views.retain(|known| !is_view(known, view.list, &view.name));
        views.push(view.clone());
        views.sort_by_key(|view| view.name.to_lowercase());
        self.work.submit(Request::SaveView(Box::new(view)));
    }

    pub(crate) fn remove_view(&mut self, of: ViewedList, name: String) {
        Arc::make_mut(&mut self.shared.dispatch.views).retain(|view| !is_view(view, of, &name));
        self.work.submit(Request::RemoveView(of, name));
    }

    /// Schedules consignments for deletion. If a deletion is already scheduled, they are added to it, and the time to
    /// undo starts again for all of them. Undo cancels the deletion of all of them.
    pub(crate) fn delete(&mut self, ids: Vec<ConsignmentId>) {
        let more = self.without_locked(ids);
        if more.is_empty() {
            return;
        }
        let locks = more.iter().map(|id| (*id, ConsignmentLock::Deleting));
        self.shared.operations.locked.extend(locks);
        let before = self.shared.dispatch.deleting.take();
        let mut ids = before.map(|before| before.ids).unwrap_or_default();
        ids.extend(more);
        self.dispatch.deleting_due = None;
        let wait = jiff::SignedDuration::try_from(UNDO_FOR).unwrap_or_default();
        let at = self.shared.now.checked_add(wait).unwrap_or(self.shared.now);
        self.shared.dispatch.deleting = Some(PendingDeletion { ids, at });
    }

    /// Cancels the scheduled deletion.
    pub(crate) fn undo_delete(&mut self) {
        self.shared.dispatch.deleting = None;
        self.dispatch.deleting_due = None;
        let locked = &mut self.shared.operations.locked;
        locked.retain(|_, lock| *lock != ConsignmentLock::Deleting);
    }

    /// Sends the scheduled deletion once it can no longer be undone. `at` is a monotonic time, so setting the system
    /// clock does not shorten the wait.
    pub(crate) fn watch_deletion(&mut self, at: Duration) {
        if self.shared.dispatch.deleting.is_none() {
            self.dispatch.deleting_due = None;
            return;
        }
        let due = *self.dispatch.deleting_due.get_or_insert(at + UNDO_FOR);
        if due <= at {
            self.send_deletion();
        }
    }

    fn send_deletion(&mut self) {
        let Some(PendingDeletion { ids, .. }) = self.shared.dispatch.deleting.take() else {
            return;
        };
        self.undo_delete();
        let ids = self.without_locked(ids);
        if !ids.is_empty() {
            let operations = &mut self.shared.operations;
            operations.lock(ids.iter().copied(), OperationKind::Delete);
            self.work.submit(Request::Perform(Payload::Delete(ids)));
        }
    }

    /// Removes consignments from the scheduled deletion that are already deleted or booked, because they would make
    /// the whole deletion fail.
    pub(crate) fn remove_from_deletion(&mut self, gone: &[ConsignmentId]) {
        let Some(deleting) = &mut self.shared.dispatch.deleting else {
            return;
        };
        let gone: HashSet<_> = gone.iter().collect();
        deleting.ids.retain(|id| !gone.contains(id));
        if deleting.ids.is_empty() {
            self.undo_delete();
        } else {
            let locked = &mut self.shared.operations.locked;
            locked.retain(|id, lock| *lock != ConsignmentLock::Deleting || !gone.contains(id));
        }
    }

    /// Cancels the scheduled deletion because the service or the window is closed.
    pub(crate) fn cancel_deletion_on_close(&mut self) {
        let Some(PendingDeletion { ids, .. }) = self.shared.dispatch.deleting.take() else {
            return;
        };
        self.undo_delete();
        let count = ids.len();
        tracing::info!(count, "closed before a deletion was sent");
        let (headline, unchanged) = match count {
            1 => (
                "The consignment was not deleted".to_owned(),
                "consignment is",
            ),
            _ => (
                format!("The {count} consignments were not deleted"),
                "consignments are",
            ),
        };
        let advice =
            format!("You left the service before the deletion was sent. The {unchanged} unchanged");
        self.notify(Notice::new(Tone::Warning, headline, advice));
    }
}

/// Returns whether the view belongs to this list and has this name, ignoring ASCII case.
fn is_view(view: &ListView, list: ViewedList, name: &str) -> bool {
    view.list == list && view.name.eq_ignore_ascii_case(name)
}
