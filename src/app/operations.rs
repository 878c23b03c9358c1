//! The Operations screen's commands, and what follows from each change of an operation: locks, cards, alarms.

use std::collections::HashSet;

use super::core::Core;
use crate::shipping::{ConsignmentId, ManifestGroup};
use crate::state::{
    Booking, Kind, LeadsTo, Lock, Matter, MatterView, NextLook, Notice, Operation, OperationId,
    OperationState, OperationsCommand, Screen, Tone,
};
use crate::work::Request;

impl Core {
    pub(super) fn run_operations(&mut self, command: OperationsCommand) {
        match command {
            OperationsCommand::Decide(id, choice) => {
                self.work.submit(Request::Decide(id, choice));
            }
            OperationsCommand::Select(matter) => self.select_matter(matter),
            OperationsCommand::Show(matter) => {
                self.shared.screen = Screen::Operations;
                self.select_matter(matter);
            }
        }
    }

    /// What is shown when the clerk comes: what was shown, as long as it needs something; else what needs it most.
    pub(super) fn open_operations_screen(&mut self) {
        self.arrange_matters();
        let matters = &self.shared.matters;
        let shown = self.shared.matter.of;
        if shown.is_none_or(|matter| !matters.open().contains(&matter))
            && let Some(first) = matters.all().first()
        {
            let first = *first;
            self.select_matter(first);
        }
    }

    fn select_matter(&mut self, matter: Matter) {
        if self.shared.matter.of != Some(matter) {
            self.shared.matter = MatterView {
                of: Some(matter),
                ..MatterView::default()
            };
            self.refresh_matter(matter);
        }
    }

    /// Fetches what is shown of a matter, where it is the one that is shown.
    pub(super) fn refresh_matter(&mut self, changed: Matter) {
        if self.shared.matter.of != Some(changed) {
            return;
        }
        let reads = self.work.reads();
        match changed {
            Matter::Job(id) => self.shared.matter.job_history.start(reads.job_history(id)),
            Matter::Operation(id) => {
                let Some(operation) = self.shared.operation(id).cloned() else {
                    return;
                };
                let holds = if operation.state.is_open() {
                    self.numbered(&operation.consignments)
                } else {
                    Vec::new()
                };
                let view = &mut self.shared.matter;
                view.history.start(reads.history(id));
                view.holds = holds;
                if operation.kind == Kind::Create && view.sent.is_none() {
                    view.sent = serde_json::from_str(&operation.request).ok().map(Box::new);
                }
                if operation.state == OperationState::Conflict && !operation.consignments.is_empty()
                {
                    view.found
                        .start(reads.those_there(operation.consignments.clone()));
                } else {
                    view.found.clear();
                }
            }
        }
    }

    pub(super) fn poll_matter(&mut self) {
        self.shared.matter.history.poll();
        self.shared.matter.job_history.poll();
        self.shared.matter.found.poll();
    }

    /// Consignments with the numbers that the service gave them, as far as the bench has seen them.
    fn numbered(&self, ids: &[ConsignmentId]) -> Vec<(ConsignmentId, String)> {
        let list = self.shared.unmanifested.value();
        let number = |id: &ConsignmentId| {
            let known = list.and_then(|list| list.get(*id));
            known.map_or_else(|| format!("MS{id}"), |one| one.number.to_string())
        };
        ids.iter().map(|id| (*id, number(id))).collect()
    }

    /// Sorts the matters anew, and puts the start's banner away once nothing is open.
    pub(super) fn arrange_matters(&mut self) {
        self.matters_changed = false;
        self.shared.arrange_matters();
        if self.shared.matters.open().is_empty() {
            let leads_here = Some(LeadsTo::Operations);
            self.shared
                .notices
                .retain(|(_, notice)| notice.leads_to != leads_here);
        }
    }

    /// One banner for all that the last run left open.
    pub(super) fn tell_unfinished(&mut self) {
        self.arrange_matters();
        let (open, waiting) = (
            self.shared.matters.open().len(),
            self.shared.matters.waiting().len(),
        );
        let (headline, advice) = match open {
            0 => return,
            count if count > waiting => (
                format!("{count} unfinished, being checked"),
                "Left from the last time. Don't type them again",
            ),
            count => (
                format!("{count} unfinished, waiting for you"),
                "Left from the last time. Nothing is sent again by itself",
            ),
        };
        let notice = Notice::new(Tone::Unknown, headline, advice);
        self.notify(notice.leading_to(LeadsTo::Operations));
    }

    /// An operation is new or has changed: the list of them, what they hold, and the cards of bookings follow.
    pub(super) fn operation_changed(&mut self, operation: Operation) {
        if operation.kind == Kind::Manifest {
            self.booking_changed(&operation);
            self.run_goes_on(&operation);
        }
        if operation.kind == Kind::Status {
            self.status_changed(&operation);
        }
        self.sound_the_alarm(&operation);
        self.tell_refusal(&operation);
        self.pending_deleted(&operation);
        self.print_once_seen(&operation);
        self.sent_was_checked(&operation);
        self.learn_service_print(&operation);
        if operation.state != OperationState::Unknown {
            self.shared.next_looks.remove(&operation.id);
        }
        if operation.kind == Kind::Delete && operation.state == OperationState::Done {
            self.forget(&operation.consignments);
        }
        if operation.kind == Kind::Edit
            && matches!(
                operation.state,
                OperationState::Done | OperationState::Conflict
            )
        {
            self.labels_outdated(&operation.consignments);
        }
        // Written down: what was only asked for is held by it now, or free.
        for id in &operation.consignments {
            self.unlock(*id);
        }
        let id = operation.id;
        match self.shared.operations.iter_mut().find(|one| one.id == id) {
            Some(known) => *known = operation,
            None => self.shared.operations.insert(0, operation),
        }
        self.rebuild_locks();
        self.matters_changed = true;
        self.refresh_matter(Matter::Operation(id));
    }

    pub(super) fn next_look(&mut self, operation: OperationId, look: NextLook) {
        self.shared.next_looks.insert(operation, look);
    }

    /// Nobody may touch these from now on; the operation that holds them is not written down yet.
    pub(super) fn lock(&mut self, ids: impl IntoIterator<Item = ConsignmentId>, by: Kind) {
        for id in ids {
            self.shared.locked.entry(id).or_insert(Lock::Asked(by));
        }
    }

    /// What was asked for and never written down holds nothing.
    pub(super) fn unlock_what_was_asked_for(&mut self) {
        self.shared
            .locked
            .retain(|_, lock| !matches!(lock, Lock::Asked(_)));
    }

    /// The same, of one.
    pub(super) fn unlock(&mut self, id: ConsignmentId) {
        if let Some(Lock::Asked(_)) = self.shared.locked.get(&id) {
            self.shared.locked.remove(&id);
        }
    }

    fn rebuild_locks(&mut self) {
        let held: Vec<(ConsignmentId, Lock)> = self
            .shared
            .open_operations()
            .flat_map(|operation| {
                let lock = Lock::Held(operation.id);
                operation.consignments.iter().map(move |id| (*id, lock))
            })
            .collect();
        self.shared
            .locked
            .retain(|_, lock| !matches!(lock, Lock::Held(_)));
        self.shared.locked.extend(held);
    }

    fn booking_changed(&mut self, operation: &Operation) {
        let is_known = |booking: &Booking| booking.operation == operation.id;
        if operation.state.is_open() && !self.shared.bookings.iter().any(is_known) {
            let Ok(group) = serde_json::from_str::<ManifestGroup>(&operation.request) else {
                return;
            };
            let booking = Booking {
                operation: operation.id,
                group,
            };
            self.shared.bookings.insert(0, booking);
        }
        // A refused group stays, to be mended; any other has its card among the bookings.
        let gone = matches!(
            operation.state,
            OperationState::Done | OperationState::Unknown | OperationState::Conflict
        );
        if gone && let Some(groups) = self.shared.groups.value_mut() {
            let of_it: HashSet<_> = operation.consignments.iter().collect();
            groups.retain(|group| !group.consignment_ids.iter().all(|id| of_it.contains(id)));
        }
        if operation.state == OperationState::Done {
            self.forget(&operation.consignments);
            self.drop_mended(operation);
            if self.shared.pickups.manifests.value().is_some() {
                self.list_manifests();
            }
        }
        // Stopped before it was sent: its group is as it was.
        if operation.state == OperationState::Discarded && operation.attempt == 0 {
            self.shared
                .bookings
                .retain(|booking| booking.operation != operation.id);
        }
    }

    /// What was refused before, and is booked now, was mended: nobody needs its card.
    fn drop_mended(&mut self, done: &Operation) {
        let booked: HashSet<_> = done.consignments.iter().collect();
        let mut bookings = std::mem::take(&mut self.shared.bookings);
        bookings.retain(|booking| {
            let state = self.shared.operation(booking.operation);
            let refused = state.is_some_and(|one| one.state == OperationState::Rejected);
            let ids = &booking.group.consignment_ids;
            booking.operation == done.id || !refused || !ids.iter().any(|id| booked.contains(id))
        });
        self.shared.bookings = bookings;
    }

    /// A booking is known and the clerk has seen it.
    pub(super) fn put_away(&mut self, id: OperationId) {
        let is_open = self
            .shared
            .operation(id)
            .is_some_and(|operation| operation.state.is_open());
        if !is_open {
            self.shared
                .bookings
                .retain(|booking| booking.operation != id);
        }
    }

    /// Thought to be settled, and found to be otherwise: nobody may overlook that.
    fn sound_the_alarm(&mut self, operation: &Operation) {
        let known = self.shared.operation(operation.id).map(|known| known.state);
        let settled = matches!(
            known,
            Some(OperationState::Done | OperationState::Absent | OperationState::Discarded)
        );
        if settled && operation.state == OperationState::Conflict {
            let title = &operation.title;
            let twice = operation.kind == Kind::Create && operation.consignments.len() > 1;
            let notice = if twice {
                let headline = format!("{title} is at the service twice");
                Notice::new(Tone::Bad, headline, &operation.words)
            } else {
                let words = operation.words.as_str();
                let (first, rest) = words.split_once(". ").unwrap_or((words, ""));
                Notice::new(Tone::Bad, format!("{title}: {first}"), rest)
            };
            self.notify(notice.leading_to(LeadsTo::Matter(Matter::Operation(operation.id))));
        }
    }

    /// The bench has looked for a draft whose answer was lost: it is under way no more, and what was found is said apart from
    /// what the service answered at once.
    fn sent_was_checked(&mut self, operation: &Operation) {
        let known = self.shared.operation(operation.id).map(|known| known.state);
        let was_checked = known == Some(OperationState::Unknown);
        if !was_checked || operation.state == OperationState::Unknown {
            return;
        }
        let sent = self.take_sent(operation.draft.as_ref());
        if let (Some(sent), Kind::Create, OperationState::Done) =
            (sent, operation.kind, operation.state)
        {
            let headline = format!("{} went through: {}", sent.title(), operation.reference);
            let advice = "The answer to it was lost, and the bench found it at the service. Don't enter it again";
            let mut notice = Notice::new(Tone::Good, headline, advice);
            if let [id] = operation.consignments.as_slice() {
                notice = notice.leading_to(LeadsTo::Consignment(*id));
            }
            self.notify(notice);
        }
    }

    /// A consignment whose answer was lost gets its label by itself, too, once it is found. One that an earlier run sent does
    /// not: its label may have been printed then.
    fn print_once_seen(&mut self, operation: &Operation) {
        let known = self.shared.operation(operation.id).map(|known| known.state);
        if operation.kind == Kind::Create && known.is_none() {
            self.begun.insert(operation.id);
        }
        let done = operation.state == OperationState::Done && self.begun.remove(&operation.id);
        if done && known == Some(OperationState::Unknown) {
            self.print_when_seen(&operation.consignments);
        }
    }

    /// A draft has its refusal over it and a booking has its card; all others are told here.
    fn tell_refusal(&mut self, operation: &Operation) {
        let what = match operation.kind {
            Kind::Create | Kind::PendingCreate | Kind::Manifest => return,
            Kind::Edit if operation.draft.is_some() => return,
            Kind::Edit => "not changed",
            Kind::Delete | Kind::PendingDelete => "not deleted",
            Kind::Status if self.is_on_page(operation) => return,
            Kind::Status => "not set",
            Kind::ServicePrint => "not printed by the service",
        };
        let known = self.shared.operation(operation.id).map(|known| known.state);
        if operation.state == OperationState::Rejected && known != Some(OperationState::Rejected) {
            let headline = format!("{}: {what}", operation.title);
            let notice = Notice::new(Tone::Bad, headline, &operation.words);
            self.notify(notice.leading_to(LeadsTo::Matter(Matter::Operation(operation.id))));
        }
    }
}
