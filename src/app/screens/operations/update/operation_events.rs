//! The effects of a change of an operation. The change is compared with the operation as it was shown before,
//! and becomes events; nothing else compares the two.

use std::collections::HashSet;

use crate::core::Core;
use crate::state::{
    ActionItem, Booking, Notice, NoticeTarget, Operation, OperationKind, OperationState, Tone,
};
use engine::Payload;

/// A step in the life of an operation that has an effect on the screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OperationEvent {
    /// The operation was not known to the screens before.
    Written,
    /// Reconciliation has found out what became of a lost answer.
    Reconciled,
    /// The service confirmed the operation, at once or in reconciliation.
    Done,
    /// The service refused the operation.
    Refused,
    /// The service has more than one result, a part of it, or another result than was sent.
    Conflict,
    /// The operation counted as finished, and reconciliation found a different result.
    Contradicted,
    /// The operation was stopped before it was sent.
    Withdrawn,
    /// The operation is in a final state now.
    Ended,
}

/// The events between two states of an operation, in the order in which they are handled.
fn events(before: Option<OperationState>, now: &Operation) -> Vec<OperationEvent> {
    use OperationState::{Absent, Conflict, Discarded, Done, Rejected, Unknown};
    if before == Some(now.state) {
        return Vec::new();
    }
    let was_settled = matches!(before, Some(Done | Absent | Discarded));
    [
        (before.is_none(), OperationEvent::Written),
        (before == Some(Unknown), OperationEvent::Reconciled),
        (now.state == Done, OperationEvent::Done),
        (now.state == Rejected, OperationEvent::Refused),
        (now.state == Conflict, OperationEvent::Conflict),
        (
            now.state == Conflict && was_settled,
            OperationEvent::Contradicted,
        ),
        (
            now.state == Discarded && now.attempt == 0,
            OperationEvent::Withdrawn,
        ),
        (!now.state.is_open(), OperationEvent::Ended),
    ]
    .into_iter()
    .filter_map(|(happened, event)| happened.then_some(event))
    .collect()
}

impl Core {
    /// Applies a new or changed operation to the list of operations, the locks and the screens.
    pub(crate) fn operation_changed(&mut self, operation: Operation) {
        let id = operation.id;
        let before = self.shared.operations.by_id(id).map(|known| known.state);
        for event in events(before, &operation) {
            self.operation_event(event, &operation);
        }
        match operation.kind {
            OperationKind::Manifest => {
                self.show_booking(&operation);
                self.update_booking_run(&operation);
            }
            OperationKind::Status => self.show_status_change(&operation),
            _ => {}
        }
        if operation.state != OperationState::Unknown {
            self.shared.operations.next_checks.remove(&id);
        }
        // The operation is in the journal now. Its consignments need no lock of a request any more: an open
        // operation locks them itself, and a finished one releases them.
        for consignment in &operation.consignments {
            self.shared.operations.unlock_request(*consignment);
        }
        match self
            .shared
            .operations
            .list
            .iter_mut()
            .find(|one| one.id == id)
        {
            Some(known) => *known = operation,
            None => self.shared.operations.list.insert(0, operation),
        }
        self.shared.operations.lock_open();
        self.action_items_changed = true;
        self.refresh_action_item(ActionItem::Operation(id));
    }

    fn operation_event(&mut self, event: OperationEvent, operation: &Operation) {
        match (event, operation.kind) {
            (OperationEvent::Written, OperationKind::Create) => {
                self.consign.begun.insert(operation.id);
            }
            (OperationEvent::Reconciled, _) => {
                self.sent_was_reconciled(operation);
                self.print_once_found(operation);
            }
            (OperationEvent::Done, kind) => self.operation_done(operation, kind),
            (OperationEvent::Conflict, OperationKind::Edit) => {
                self.labels_outdated(&operation.consignments);
            }
            (OperationEvent::Contradicted, _) => self.tell_contradiction(operation),
            (OperationEvent::Refused, kind) => {
                self.tell_refusal(operation);
                if kind == OperationKind::Status {
                    self.learn_refusal(operation);
                }
            }
            // The group of the booking is unchanged, so the booking needs no card.
            (OperationEvent::Withdrawn, OperationKind::Manifest) => {
                let bookings = &mut self.shared.dispatch.bookings;
                bookings.retain(|booking| booking.operation != operation.id);
            }
            // Whether refused or done, the screen shows what the service has now.
            (OperationEvent::Ended, OperationKind::Status) => {
                self.track.page.changed.extend(&operation.consignments);
            }
            _ => {}
        }
    }

    fn operation_done(&mut self, operation: &Operation, kind: OperationKind) {
        match kind {
            OperationKind::Create => {
                self.consign.begun.remove(&operation.id);
                self.learn_service_print(operation);
            }
            OperationKind::ServicePrint => self.learn_service_print(operation),
            OperationKind::Edit => self.labels_outdated(&operation.consignments),
            OperationKind::Delete => self.remove_from_list(&operation.consignments),
            OperationKind::PendingDelete => self.pending_deleted(operation),
            OperationKind::Manifest => {
                self.remove_from_list(&operation.consignments);
                self.drop_corrected(operation);
                if self.shared.dispatch.groups_view.manifests.value().is_some() {
                    self.list_manifests();
                }
            }
            OperationKind::Status => self.status_done(operation),
            OperationKind::PendingCreate => {}
        }
    }

    fn show_booking(&mut self, operation: &Operation) {
        let is_known = |booking: &Booking| booking.operation == operation.id;
        if operation.state.is_open() && !self.shared.dispatch.bookings.iter().any(is_known) {
            let Some(Payload::Manifest(group)) = operation.payload() else {
                return;
            };
            let booking = Booking {
                operation: operation.id,
                group: group.as_ref().clone(),
            };
            self.shared.dispatch.bookings.insert(0, booking);
        }
        // A refused group stays, so that the clerk can correct it. Other results are shown on the
        // booking's card.
        let gone = matches!(
            operation.state,
            OperationState::Done | OperationState::Unknown | OperationState::Conflict
        );
        if gone && let Some(groups) = self.shared.dispatch.groups.value_mut() {
            let of_it: HashSet<_> = operation.consignments.iter().collect();
            groups.retain(|group| !group.consignment_ids.iter().all(|id| of_it.contains(id)));
        }
    }

    /// Removes the cards of refused bookings whose consignments have since been booked.
    fn drop_corrected(&mut self, done: &Operation) {
        let booked: HashSet<_> = done.consignments.iter().collect();
        let mut bookings = std::mem::take(&mut self.shared.dispatch.bookings);
        bookings.retain(|booking| {
            let state = self.shared.operations.by_id(booking.operation);
            let refused = state.is_some_and(|one| one.state == OperationState::Rejected);
            let ids = &booking.group.consignment_ids;
            booking.operation == done.id || !refused || !ids.iter().any(|id| booked.contains(id))
        });
        self.shared.dispatch.bookings = bookings;
    }

    /// Warns of an operation that counted as finished but is in conflict.
    fn tell_contradiction(&mut self, operation: &Operation) {
        let title = &operation.title;
        let headline =
            if operation.kind == OperationKind::Create && operation.consignments.len() > 1 {
                format!("{title} was created twice")
            } else {
                format!("{title}: needs a decision")
            };
        let notice = Notice::new(Tone::Bad, headline, &operation.message);
        self.notify(
            notice.with_target(NoticeTarget::ActionItem(ActionItem::Operation(
                operation.id,
            ))),
        );
    }

    /// Ends the sending of a draft after its lost answer was reconciled. If the consignment was created, a
    /// separate notice says so, because this is not the usual confirmation.
    fn sent_was_reconciled(&mut self, operation: &Operation) {
        let sent = self.take_sent(operation.draft.as_ref());
        if let (Some(sent), OperationKind::Create, OperationState::Done) =
            (sent, operation.kind, operation.state)
        {
            let headline = format!("{} went through: {}", sent.title(), operation.reference);
            let advice = "The connection was lost, but the consignment was created. Please don't enter it again";
            let mut notice = Notice::new(Tone::Ok, headline, advice);
            if let [id] = operation.consignments.as_slice() {
                notice = notice.with_target(NoticeTarget::Consignment(*id));
            }
            self.notify(notice);
        }
    }

    /// Prints the label of a consignment that was found after its answer was lost. A consignment that an
    /// earlier run of the program sent is left out, because its label may have been printed then.
    fn print_once_found(&mut self, operation: &Operation) {
        if operation.state == OperationState::Done && self.consign.begun.contains(&operation.id) {
            self.labels.to_print.extend(&operation.consignments);
        }
    }

    /// Shows a notice about a refused operation, unless the draft, the booking's card or the open page
    /// already shows the refusal.
    fn tell_refusal(&mut self, operation: &Operation) {
        let what = match operation.kind {
            OperationKind::Create | OperationKind::PendingCreate | OperationKind::Manifest => {
                return;
            }
            OperationKind::Edit if operation.draft.is_some() => return,
            OperationKind::Edit => "not changed",
            OperationKind::Delete | OperationKind::PendingDelete => "not deleted",
            OperationKind::Status if self.is_on_page(operation) => return,
            OperationKind::Status => "not set",
            OperationKind::ServicePrint => "not printed by the service",
        };
        let headline = format!("{}: {what}", operation.title);
        let notice = Notice::new(Tone::Bad, headline, &operation.message);
        self.notify(
            notice.with_target(NoticeTarget::ActionItem(ActionItem::Operation(
                operation.id,
            ))),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{OperationEvent, events};
    use storage::{Operation, OperationId, OperationKind, OperationState};

    fn operation(state: OperationState, attempt: u32) -> Operation {
        Operation {
            id: OperationId(1),
            kind: OperationKind::Create,
            state,
            key: String::new(),
            title: String::new(),
            request: String::new().into(),
            draft: None,
            consignments: Vec::new(),
            denied: Vec::new(),
            attempt,
            checks: 0,
            message: String::new(),
            reference: String::new(),
            made: jiff::Timestamp::UNIX_EPOCH,
            changed: jiff::Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn events_tell_the_difference_between_two_states() {
        use OperationEvent as Event;
        use OperationState as State;
        let rows: [(Option<State>, State, u32, &[Event]); 8] = [
            (None, State::Ready, 0, &[Event::Written]),
            (Some(State::Ready), State::Sending, 1, &[]),
            (
                Some(State::Sending),
                State::Done,
                1,
                &[Event::Done, Event::Ended],
            ),
            (
                Some(State::Sending),
                State::Rejected,
                1,
                &[Event::Refused, Event::Ended],
            ),
            (
                Some(State::Unknown),
                State::Done,
                1,
                &[Event::Reconciled, Event::Done, Event::Ended],
            ),
            (
                Some(State::Done),
                State::Conflict,
                1,
                &[Event::Conflict, Event::Contradicted],
            ),
            (
                Some(State::Ready),
                State::Discarded,
                0,
                &[Event::Withdrawn, Event::Ended],
            ),
            (Some(State::Done), State::Done, 1, &[]),
        ];
        for (before, now, attempt, expected) in rows {
            assert_eq!(
                events(before, &operation(now, attempt)),
                expected,
                "{before:?} to {now:?}"
            );
        }
    }
}
