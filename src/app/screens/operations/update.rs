//! Commands of the Operations screen, and the effects of each change of an operation: locks, booking cards
//! and notices.

pub(crate) mod operation_events;

use crate::core::Core;
use crate::state::{
    ActionItem, ActionItemView, Notice, NoticeTarget, OperationId, OperationState,
    OperationsCommand, Screen, Tone,
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

    /// Keeps the shown action item while it is open. Otherwise selects the first item in the list, which
    /// needs a person most urgently.
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

    /// Fetches the details of an action item, if that item is shown.
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

    /// Pairs each consignment with its number.
    fn numbered(&self, ids: &[ConsignmentId]) -> Vec<(ConsignmentId, String)> {
        let numbered = ids.iter().map(|id| (*id, self.shared.number(*id)));
        numbered.collect()
    }

    /// Sorts the action items again. Removes the banner of unfinished operations once no item is open.
    pub(crate) fn sort_action_items(&mut self) {
        self.action_items_changed = false;
        self.shared.sort_action_items();
        if self.shared.operations.action_items.open().is_empty() {
            let leads_here = Some(NoticeTarget::Operations);
            self.shared
                .notices
                .remove_where(|notice| notice.target == leads_here);
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
