//! Changes to the unmanifested list: consignments on hold, saved views, and deletions that can be undone.
//!
//! A deletion is sent only after the clerk had time to undo it, and never if the window or the service is
//! closed before. Until then its consignments are locked.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::core::Core;
use crate::state::{
    ConsignmentLock, ListView, Notice, OperationKind, PendingDeletion, Tone, ViewedList,
};
use engine::{Payload, Request};
use shipping::ConsignmentId;

/// How long a deletion can be undone.
const UNDO_FOR: Duration = Duration::from_secs(8);

impl Core {
    /// Puts consignments on hold or releases them. The change shows at once and is saved in the background.
    /// Consignments on hold are in no group.
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
        self.work.submit(Request::SetOnHold(ids, held));
    }

    /// Takes consignments that are no longer unmanifested off hold.
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

    /// Schedules consignments for deletion. They join a deletion that is already scheduled, and the time to
    /// undo it begins again for all of them: undo keeps everything that was not sent yet.
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

    /// Sends the scheduled deletion once it can no longer be undone. `at` is a monotonic clock, so setting
    /// the system clock does not shorten the time.
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

    /// Removes consignments from the scheduled deletion that are already deleted or booked. They would make
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

/// Returns whether this is the view of that name, whose ASCII case is ignored.
fn is_view(view: &ListView, list: ViewedList, name: &str) -> bool {
    view.list == list && view.name.eq_ignore_ascii_case(name)
}
