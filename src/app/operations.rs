//! Commands of the Operations screen, and the effects of each change of an operation: locks, booking cards
//! and notices.

use super::core::Core;
use crate::shipping::ConsignmentId;
use crate::state::{
    Kind, LeadsTo, Lock, Matter, MatterView, NextLook, Notice, OperationId, OperationState,
    OperationsCommand, Screen, Tone,
};
use crate::work::{Payload, Request};

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

    /// Keeps the shown action item while it is open. Otherwise selects the first one in the list, which needs
    /// a person most.
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

    /// Fetches the details of an action item, if it is the one that is shown.
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
                if let Some(Payload::Create(request)) = operation.payload()
                    && view.sent.is_none()
                {
                    view.sent = Some(request.clone());
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

    /// Pairs each consignment with its number. For a consignment that is not in the unmanifested list, the
    /// number is made from its id.
    fn numbered(&self, ids: &[ConsignmentId]) -> Vec<(ConsignmentId, String)> {
        let list = self.shared.unmanifested.value();
        let number = |id: &ConsignmentId| {
            let known = list.and_then(|list| list.get(*id));
            known.map_or_else(|| format!("MS{id}"), |one| one.number.to_string())
        };
        ids.iter().map(|id| (*id, number(id))).collect()
    }

    /// Sorts the action items again. Removes the banner of unfinished operations once no item is open.
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

    /// Shows one banner for everything that the last run left unfinished.
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

    pub(super) fn next_look(&mut self, operation: OperationId, look: NextLook) {
        self.shared.next_looks.insert(operation, look);
    }

    /// Locks consignments for an operation that is not in the journal yet.
    pub(super) fn lock(&mut self, ids: impl IntoIterator<Item = ConsignmentId>, by: Kind) {
        for id in ids {
            self.shared.locked.entry(id).or_insert(Lock::Asked(by));
        }
    }

    /// Removes the locks of requests that were never written to the journal.
    pub(super) fn unlock_what_was_asked_for(&mut self) {
        self.shared
            .locked
            .retain(|_, lock| !matches!(lock, Lock::Asked(_)));
    }

    /// Removes the lock that [`Self::lock`] set on one consignment.
    pub(super) fn unlock(&mut self, id: ConsignmentId) {
        if let Some(Lock::Asked(_)) = self.shared.locked.get(&id) {
            self.shared.locked.remove(&id);
        }
    }

    pub(super) fn rebuild_locks(&mut self) {
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

    /// Removes the card of a finished booking that the clerk has seen.
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
}
