//! Commands of the Operations screen, and the effects of each change of an operation: locks, booking cards
//! and notices.

pub(crate) mod operation_events;

use crate::core::Core;
use crate::state::{
    ActionItem, ActionItemView, ConsignmentLock, NextCheck, Notice, NoticeTarget, OperationId,
    OperationKind, OperationState, OperationsCommand, Screen, Tone,
};
use engine::{Payload, Request};
use shipping::ConsignmentId;

impl Core {
    pub(crate) fn run_operations(&mut self, command: OperationsCommand) {
        match command {
            OperationsCommand::Decide(id, choice) => {
                self.work.submit(Request::Decide(id, choice));
            }
            OperationsCommand::Select(matter) => self.select_action_item(matter),
            OperationsCommand::Show(matter) => {
                self.shared.screen = Screen::Operations;
                self.select_action_item(matter);
            }
        }
    }

    /// Keeps the shown action item while it is open. Otherwise selects the first one in the list, which needs
    /// a person most.
    pub(crate) fn open_operations_screen(&mut self) {
        self.sort_action_items();
        let matters = &self.shared.operations.action_items;
        let shown = self.shared.operations.action_item.of;
        if shown.is_none_or(|matter| !matters.open().contains(&matter))
            && let Some(first) = matters.all().first()
        {
            let first = *first;
            self.select_action_item(first);
        }
    }

    fn select_action_item(&mut self, matter: ActionItem) {
        if self.shared.operations.action_item.of != Some(matter) {
            self.shared.operations.action_item = ActionItemView {
                of: Some(matter),
                ..ActionItemView::default()
            };
            self.refresh_action_item(matter);
        }
    }

    /// Fetches the details of an action item, if it is the one that is shown.
    pub(crate) fn refresh_action_item(&mut self, changed: ActionItem) {
        if self.shared.operations.action_item.of != Some(changed) {
            return;
        }
        let reads = self.work.reads();
        match changed {
            ActionItem::Job(id) => self
                .shared
                .operations
                .action_item
                .job_history
                .start(reads.job_history(id)),
            ActionItem::Operation(id) => {
                let Some(operation) = self.shared.operations.by_id(id).cloned() else {
                    return;
                };
                let holds = if operation.state.is_open() {
                    self.numbered(&operation.consignments)
                } else {
                    Vec::new()
                };
                let view = &mut self.shared.operations.action_item;
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
                        .start(reads.existing_consignments(operation.consignments.clone()));
                } else {
                    view.found.clear();
                }
            }
        }
    }

    pub(crate) fn poll_action_item(&mut self) {
        self.shared.operations.action_item.history.poll();
        self.shared.operations.action_item.job_history.poll();
        self.shared.operations.action_item.found.poll();
    }

    /// Pairs each consignment with its number. For a consignment that is not in the unmanifested list, the
    /// number is made from its id.
    fn numbered(&self, ids: &[ConsignmentId]) -> Vec<(ConsignmentId, String)> {
        let list = self.shared.dispatch.unmanifested.value();
        let number = |id: &ConsignmentId| {
            let known = list.and_then(|list| list.get(*id));
            known.map_or_else(|| format!("MS{id}"), |one| one.number.to_string())
        };
        ids.iter().map(|id| (*id, number(id))).collect()
    }

    /// Sorts the action items again. Removes the banner of unfinished operations once no item is open.
    pub(crate) fn sort_action_items(&mut self) {
        self.action_items_changed = false;
        self.shared.sort_action_items();
        if self.shared.operations.action_items.open().is_empty() {
            let leads_here = Some(NoticeTarget::Operations);
            self.shared
                .notices
                .shown
                .retain(|(_, notice)| notice.target != leads_here);
        }
    }

    /// Shows one banner for everything that the last run left unfinished.
    pub(crate) fn tell_unfinished(&mut self) {
        self.sort_action_items();
        let (open, waiting) = (
            self.shared.operations.action_items.open().len(),
            self.shared.operations.action_items.waiting().len(),
        );
        let (headline, advice) = match open {
            0 => return,
            count if count > waiting => (
                format!("{count} unfinished, being checked"),
                "Left over from last time. Please don't enter them again",
            ),
            count => (
                format!("{count} unfinished, waiting for you"),
                "Left over from last time. Nothing is sent again until you decide",
            ),
        };
        let notice = Notice::new(Tone::Unknown, headline, advice);
        self.notify(notice.with_target(NoticeTarget::Operations));
    }

    pub(crate) fn set_next_check(&mut self, operation: OperationId, look: NextCheck) {
        self.shared.operations.next_checks.insert(operation, look);
    }

    /// Locks consignments for an operation that is not in the journal yet.
    pub(crate) fn lock_for_request(
        &mut self,
        ids: impl IntoIterator<Item = ConsignmentId>,
        by: OperationKind,
    ) {
        for id in ids {
            self.shared
                .operations
                .locked
                .entry(id)
                .or_insert(ConsignmentLock::Requested(by));
        }
    }

    /// Removes the locks of requests that were never written to the journal.
    pub(crate) fn unlock_all_requests(&mut self) {
        self.shared
            .operations
            .locked
            .retain(|_, lock| !matches!(lock, ConsignmentLock::Requested(_)));
    }

    /// Removes the lock that [`Self::lock_for_request`] set on one consignment.
    pub(crate) fn unlock_request(&mut self, id: ConsignmentId) {
        if let Some(ConsignmentLock::Requested(_)) = self.shared.operations.locked.get(&id) {
            self.shared.operations.locked.remove(&id);
        }
    }

    pub(crate) fn rebuild_locks(&mut self) {
        let held: Vec<(ConsignmentId, ConsignmentLock)> = self
            .shared
            .operations
            .open()
            .flat_map(|operation| {
                let lock = ConsignmentLock::InUse(operation.id);
                operation.consignments.iter().map(move |id| (*id, lock))
            })
            .collect();
        self.shared
            .operations
            .locked
            .retain(|_, lock| !matches!(lock, ConsignmentLock::InUse(_)));
        self.shared.operations.locked.extend(held);
    }

    /// Removes the card of a finished booking that the clerk has seen.
    pub(crate) fn dismiss_booking(&mut self, id: OperationId) {
        let is_open = self
            .shared
            .operations
            .by_id(id)
            .is_some_and(|operation| operation.state.is_open());
        if !is_open {
            self.shared
                .dispatch
                .bookings
                .retain(|booking| booking.operation != id);
        }
    }
}
