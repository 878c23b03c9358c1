//! The shown action item, and the effects of each change of an operation: locks, booking cards and notices.
//!
//! Only this file compares a changed operation with its previous state.

use std::collections::HashSet;
use std::time::Duration;

use crate::core::Core;
use crate::state::{
    ActionItem, ActionItemView, Booking, LabelPart, Notice, NoticeTarget, Operation, OperationId,
    OperationKind, OperationState, PrinterState, Screen, Tone,
};
use engine::{ClaimRelease, Payload, PrintMoment, WorkgroupView};
use workgroup::BenchActivity;

/// State of Operations that the screens do not read.
#[derive(Default)]
pub(crate) struct OperationsUpdate {
    /// Operations or print jobs have changed since the action items were sorted.
    pub(crate) have_items_changed: bool,
    /// When all benches are read again, while they are shown.
    pub(crate) benches_due: Option<Duration>,
    /// When the other benches may be told next how much this bench has to do.
    activity_due: Duration,
}

/// How often all benches are read again, while they are shown.
const READ_BENCHES: Duration = Duration::from_secs(5);

/// The shortest time between two looks at how much this bench has to do.
const LOOK_AT_ACTIVITY: Duration = Duration::from_secs(2);

impl Core {
    pub(crate) fn workgroup_changed(&mut self, workgroup: WorkgroupView) {
        self.shared.operations.lock_open(&workgroup.claims);
        self.shared.workgroup = Some(workgroup);
    }

    /// Lets the other benches of the workgroup see how much this bench has to do. Each heartbeat tells it.
    pub(super) fn tell_activity(&mut self, at: Duration) {
        if self.shared.workgroup.is_none() || at < self.operations.activity_due {
            return;
        }
        self.operations.activity_due = at + LOOK_AT_ACTIVITY;
        let count = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        let shown = self.shared.labels.printers.value().into_iter().flatten();
        let printers = { shown.filter(|printer| printer.set_up) }
            .map(|printer| {
                let state = printer.state.map_or("not found", PrinterState::label);
                format!("{}: {state}", printer.name)
            })
            .collect();
        self.work.set_activity(BenchActivity {
            open_operations: count(self.shared.operations.open().count()),
            drafts: count(self.shared.consign.drafts.len()),
            labels: count(self.shared.labels.queue.part(LabelPart::Waiting).len()),
            printers,
        });
    }

    pub(super) fn show_benches(&mut self, is_shown: bool) {
        self.shared.operations.benches.is_shown = is_shown;
        self.operations.benches_due = None;
    }

    /// Reads all benches again if that is due and they are in view.
    pub(super) fn refresh_benches(&mut self, at: Duration) {
        let is_shown =
            self.shared.screen == Screen::Operations && self.shared.operations.benches.is_shown;
        if !is_shown {
            self.operations.benches_due = None;
            return;
        }
        if { self.operations.benches_due }.is_some_and(|due| due > at) {
            return;
        }
        self.operations.benches_due = Some(at + READ_BENCHES);
        let overview = self.work.reads().workgroup_overview();
        let benches = &mut self.shared.operations.benches;
        benches.overview.refresh(overview);
    }

    pub(super) fn ask_about_claims(&mut self, claims: ClaimRelease) {
        let reads = self.work.reads();
        let answer = reads.existing_consignments(claims.consignments.clone());
        let benches = &mut self.shared.operations.benches;
        benches.asked.start(answer);
        benches.asked_for = Some(claims);
    }

    pub(super) fn select_action_item(&mut self, item: ActionItem) {
        if self.shared.operations.action_item.of != Some(item) {
            self.shared.operations.action_item = ActionItemView {
                of: Some(item),
                ..ActionItemView::default()
            };
            self.refresh_action_item(item);
        }
    }

    /// Fetches the details of an action item, if that item is shown.
    pub(crate) fn refresh_action_item(&mut self, changed: ActionItem) {
        if self.shared.operations.action_item.of != Some(changed) {
            return;
        }
        let reads = self.work.reads();
        let id = match changed {
            ActionItem::Operation(id) => id,
            ActionItem::Job(id) => {
                let view = &mut self.shared.operations.action_item;
                return view.job_history.start(reads.job_history(id));
            }
        };
        let Some(operation) = self.shared.operations.by_id(id).cloned() else {
            return;
        };
        let view = &mut self.shared.operations.action_item;
        view.history.start(reads.history(id));
        let ids = operation.consignments;
        if operation.state == OperationState::Conflict && !ids.is_empty() {
            view.found.start(reads.existing_consignments(ids));
        } else {
            view.found.clear();
        }
    }

    /// Sorts the action items again. Removes the banner of unfinished operations once no item is open.
    pub(crate) fn sort_action_items(&mut self) {
        self.operations.have_items_changed = false;
        self.shared.sort_action_items();
        if self.shared.operations.action_items.open().is_empty() {
            let leads_here = Some(NoticeTarget::Operations);
            let notices = &mut self.shared.notices;
            notices.remove_where(|notice| notice.target == leads_here);
        }
    }

    /// Shows one banner for all action items that the last run of the program left unfinished.
    pub(crate) fn tell_unfinished(&mut self) {
        self.sort_action_items();
        let items = &self.shared.operations.action_items;
        let waiting = items.waiting().len();
        let (headline, advice) = match items.open().len() {
            0 => return,
            count if count > waiting => (
                format!("{count} unfinished, being checked"),
                "Left over from the last session. Please don't enter them again",
            ),
            count => (
                format!("{count} unfinished, waiting for you"),
                "Left over from the last session. Nothing is sent again until you decide",
            ),
        };
        let notice = Notice::new(Tone::Unknown, headline, advice);
        self.notify(notice.with_target(NoticeTarget::Operations));
    }

    /// Removes the card of a finished booking that the clerk has seen.
    pub(crate) fn dismiss_booking(&mut self, id: OperationId) {
        let operation = self.shared.operations.by_id(id);
        if operation.is_none_or(|operation| !operation.state.is_open()) {
            self.remove_booking(id);
        }
    }

    fn remove_booking(&mut self, id: OperationId) {
        let bookings = &mut self.shared.dispatch.bookings;
        bookings.retain(|booking| booking.operation != id);
    }

    /// Applies a new or changed operation to the list of operations, the locks and the screens.
    pub(crate) fn operation_changed(&mut self, operation: Operation) {
        let id = operation.id;
        let before = self.shared.operations.by_id(id).map(|known| known.state);
        if before != Some(operation.state) {
            self.operation_state_changed(before, &operation);
        }
        match operation.kind {
            OperationKind::Manifest => {
                self.show_booking(&operation);
                self.update_booking_run(&operation);
            }
            OperationKind::Status => self.show_status_change(&operation),
            _ => {}
        }
        let operations = &mut self.shared.operations;
        if operation.state != OperationState::Unknown {
            operations.next_checks.remove(&id);
        }
        // The operation is in the journal now. Its consignments no longer need the lock of the request: an open
        // operation has its own locks, and a finished operation needs none.
        for consignment in &operation.consignments {
            operations.unlock_request(*consignment);
        }
        match operations.list.iter_mut().find(|one| one.id == id) {
            Some(known) => *known = operation,
            None => operations.list.insert(0, operation),
        }
        let claims = { self.shared.workgroup.as_ref() }.map_or(&[][..], |one| &one.claims);
        operations.lock_open(claims);
        self.operations.have_items_changed = true;
        self.refresh_action_item(ActionItem::Operation(id));
    }

    /// Handles a new state of an operation. `before` is the previous state; `None` for an operation that the screens
    /// did not show yet.
    fn operation_state_changed(&mut self, before: Option<OperationState>, operation: &Operation) {
        use OperationState::{Absent, Conflict, Discarded, Done, Rejected, Unknown};
        let kind = operation.kind;
        if before.is_none() && kind == OperationKind::Create {
            self.consign.begun.insert(operation.id);
        }
        if before == Some(Unknown) {
            // Reconciliation has found the result of an operation whose answer was lost.
            self.sent_was_reconciled(operation);
            self.print_once_found(operation);
        }
        match operation.state {
            Done => self.operation_done(operation),
            Rejected => {
                self.tell_refusal(operation);
                if kind == OperationKind::Status {
                    self.learn_refusal(operation);
                }
            }
            Conflict => {
                if kind == OperationKind::Edit {
                    self.labels_outdated(&operation.consignments);
                }
                if matches!(before, Some(Done | Absent | Discarded)) {
                    self.tell_contradiction(operation);
                }
            }
            // The booking was stopped before it was sent. Its group is unchanged, so it needs no card.
            Discarded if operation.attempt == 0 && kind == OperationKind::Manifest => {
                self.remove_booking(operation.id);
            }
            _ => {}
        }
        if !operation.state.is_open() && kind == OperationKind::Status {
            // Read the consignments back even after a refusal, so that the screen shows the service's statuses.
            self.track.page.changed.extend(&operation.consignments);
        }
    }

    fn operation_done(&mut self, operation: &Operation) {
        match operation.kind {
            OperationKind::Create => {
                self.consign.begun.remove(&operation.id);
                self.learn_service_print(operation);
            }
            OperationKind::ServicePrint => self.learn_service_print(operation),
            OperationKind::Edit => self.labels_outdated(&operation.consignments),
            OperationKind::Delete => self.remove_from_list(&operation.consignments),
            OperationKind::PendingDelete => self.pending_deleted(operation),
            OperationKind::Manifest => {
                self.print_documents_at(PrintMoment::Booking, &operation.consignments);
                self.print_booked_manifest(operation.id);
                self.remove_from_list(&operation.consignments);
                self.drop_corrected(operation);
                self.dispatch.closings_due = None;
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

    /// Shows a warning that an operation that counted as finished is in conflict.
    fn tell_contradiction(&mut self, operation: &Operation) {
        let title = &operation.title;
        let is_twice = operation.kind == OperationKind::Create && operation.consignments.len() > 1;
        let headline = if is_twice {
            format!("{title} was created twice")
        } else {
            format!("{title}: needs a decision")
        };
        self.tell_problem(operation, headline);
    }

    /// Shows a notice with the message of an operation, and with a button that opens the operation.
    fn tell_problem(&mut self, operation: &Operation, headline: String) {
        let notice = Notice::new(Tone::Bad, headline, &operation.message);
        let item = ActionItem::Operation(operation.id);
        self.notify(notice.with_target(NoticeTarget::ActionItem(item)));
    }

    /// Ends the sending of a draft whose answer was lost, once reconciliation has found the outcome. If the
    /// consignment was created, shows a separate notice, because the clerk did not get the usual confirmation.
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
        if operation.state != OperationState::Done {
            return;
        }
        if self.consign.begun.contains(&operation.id) {
            self.labels.to_print.extend(&operation.consignments);
        } else if operation.kind == OperationKind::Create {
            // Sent before this start of the program. Nothing is printed unasked any more.
            let rules = self.setup.settings.rules_at(PrintMoment::Send);
            if !rules.is_empty() {
                let ids = operation.consignments.iter();
                let numbers: Vec<_> = ids.map(|id| self.number_of(*id)).collect();
                self.tell_undone_documents(&numbers);
            }
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
        self.tell_problem(operation, format!("{}: {what}", operation.title));
    }
}
