//! The actions of the table: which are enabled, and what they do, requested by key, by name, by a button or from
//! a menu.

use egui::{Id, Ui};

use super::{TrackTableState, chips};
use crate::state::{
    ConsignCommand, ConsignmentRow, DispatchCommand, FilesCommand, PageView, Shared, TrackCommand,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::counted;
use crate::ui::lists::{ListScreen, ListState, id_of, run_triggered};
use draft::{refusal_reason, settable_statuses};
use shipping::{StatusId, TransitState};

/// Number of ticked rows that are checked for a possible status change. Equal to the limit of
/// one status change.
const MOST_SET: usize = 1_000;
/// Actions of a consignment's page. Without an open page, the table runs them for the row under the cursor.
const PAGE_ACTIONS: [Action; 5] = [
    Action::TrackingPage,
    Action::ProofOfDelivery,
    Action::ConsignmentLabel,
    Action::CloneConsignment,
    Action::SaveFiles,
];

/// Runs the actions that were requested in this frame, and an action taken from a menu in the previous frame.
pub(super) fn run(ui: &Ui, context: &mut Context<'_>, state: &mut TrackTableState) {
    if !context.is_dialog_open {
        context.triggered.extend(state.deferred_action.take());
    }
    for action in [Action::SaveFiles, Action::TrackSearchService] {
        if context.is_triggered(action) {
            state.run(ui, context, action);
        }
    }
    run_triggered(ui, context, state);
    // With an open page, the page handles these actions.
    if context.shared.track.page.open.is_none() {
        if context.is_triggered(Action::ShowOnDispatch) {
            state.run(ui, context, Action::ShowOnDispatch);
        }
        without_page(context, state);
    }
    hand_to_page(context, state);
}

/// Runs page actions for the row under the cursor: at once if the id is enough, else after opening the page.
fn without_page(context: &mut Context<'_>, state: &mut TrackTableState) {
    let Some(id) = state.list.table.selection.cursor().map(id_of) else {
        return;
    };
    for action in PAGE_ACTIONS {
        if !context.is_triggered(action) {
            continue;
        }
        context.triggered.retain(|asked| *asked != action);
        match action {
            Action::ConsignmentLabel => context.push(DispatchCommand::ShowLabel(id)),
            Action::CloneConsignment => context.push(ConsignCommand::Clone(id)),
            Action::SaveFiles => context.push(FilesCommand::SaveFiles(vec![id])),
            _ => {
                context.push(TrackCommand::Open(id));
                state.pending_page_action = Some((action, id));
            }
        }
    }
}

/// Hands a waiting action to the page once the page is ready for it.
fn hand_to_page(context: &mut Context<'_>, state: &mut TrackTableState) {
    let page = &context.shared.track.page;
    let ready =
        |(action, id): &mut (Action, _)| page.open == Some(*id) && is_page_ready(page, *action);
    if !context.is_dialog_open
        && let Some((action, _)) = state.pending_page_action.take_if(ready)
    {
        context.triggered.push(action);
    }
}

/// Returns true if the page has loaded enough to run the action.
fn is_page_ready(page: &PageView, action: Action) -> bool {
    match action {
        // The page itself waits for the list of files.
        Action::ProofOfDelivery => page.files.is_loading() || page.files.value().is_some(),
        _ => {
            page.consignment.value().is_some() || page.history.value().is_some_and(Option::is_some)
        }
    }
}

impl ListScreen for TrackTableState {
    fn list(&mut self) -> &mut ListState {
        &mut self.list
    }

    fn count_text(&self, shared: &Shared) -> String {
        let Some(list) = shared.track.list.value() else {
            return "Reading…".to_owned();
        };
        let mut count = counted(list.ids.len(), "row", "rows");
        if list.more {
            count = format!("The newest {count}");
        }
        self.list.with_ticks(&count)
    }

    fn before_filter(&mut self, ui: &Ui, context: &mut Context<'_>, filter: Id) {
        chips::by_backspace(ui, context, filter, &self.list.filter);
    }

    /// Asks the service if there are no rows.
    fn takes_enter(&mut self, context: &mut Context<'_>) -> bool {
        let words = self.list.filter.trim();
        let nothing = context.shared.track.list.value().is_some_and(|list| {
            // The list may still belong to an earlier filter text.
            list.ids.is_empty() && list.query.words.trim() == words
        });
        let asks = nothing && !words.is_empty();
        if asks {
            context.push(TrackCommand::AskService(words.to_owned()));
        }
        asks
    }

    fn can(&self, action: Action, shared: &Shared) -> bool {
        let selection = &self.list.table.selection;
        match action {
            Action::ShowOnDispatch => self.row_under_cursor(shared).is_some_and(is_unmanifested),
            Action::TrackCopyCell
            | Action::ProofOfDelivery
            | Action::TrackingPage
            | Action::ConsignmentLabel
            | Action::CloneConsignment => self.row_under_cursor(shared).is_some(),
            Action::SaveFiles => !selection.is_empty() || self.row_under_cursor(shared).is_some(),
            Action::SetStatus => {
                let may = shared.track.rights.no_statuses.is_none();
                may && settable_statuses().any(|to| self.can_become(to, shared))
            }
            Action::CancelManifested => {
                let rights = &shared.track.rights;
                let may = rights.no_statuses.is_none() && rights.no_cancel.is_none();
                may && self.can_become(StatusId::CANCELLED, shared)
            }
            Action::TrackCopyRows => !selection.is_empty() || selection.cursor().is_some(),
            _ => true,
        }
    }

    fn run(&mut self, ui: &Ui, context: &mut Context<'_>, action: Action) {
        match action {
            Action::ShowOnDispatch => {
                let row = self.row_under_cursor(context.shared);
                if let Some(row) = row.filter(|row| is_unmanifested(row)) {
                    context.push(DispatchCommand::Reveal(row.id));
                }
            }
            Action::SaveFiles if self.list.table.selection.len() > 1 => {
                context.push(FilesCommand::SaveFiles(self.chosen()));
                // Handled here, so that the open page does not save its files again.
                context.triggered.retain(|asked| *asked != action);
            }
            Action::TrackSearchService => {
                let words = self.list.filter.trim();
                if words.is_empty() {
                    // Without a filter text there is nothing to ask for: let the clerk type it.
                    context.triggered.push(Action::TrackFilter);
                } else {
                    context.push(TrackCommand::AskService(words.to_owned()));
                }
            }
            action => self.list.run(ui, context, action),
        }
    }

    /// Runs the action, or defers it to the page until the menu is closed.
    fn run_picked(&mut self, ui: &Ui, context: &mut Context<'_>, action: Action) {
        if is_of_page(action) {
            self.deferred_action = Some(action);
            ui.ctx().request_repaint();
        } else {
            self.run(ui, context, action);
        }
    }
}

/// Returns true if the consignment is unmanifested, and so listed on Dispatch.
fn is_unmanifested(one: &ConsignmentRow) -> bool {
    one.status.id.transit_state() == TransitState::Unmanifested
}

impl TrackTableState {
    /// Returns the row under the cursor, if it is loaded.
    pub(super) fn row_under_cursor<'a>(&self, shared: &'a Shared) -> Option<&'a ConsignmentRow> {
        shared.row(id_of(self.list.table.selection.cursor()?))
    }

    /// Returns true if any selected consignment may change to this status. Rows that are not loaded
    /// count as possible.
    fn can_become(&self, to: StatusId, shared: &Shared) -> bool {
        let selection = &self.list.table.selection;
        let can = |key: u64| {
            let id = id_of(key);
            let row = shared.row(id);
            let refused = row.is_some_and(|row| refusal_reason(row.status.id, to).is_some());
            !refused && !shared.operations.locked.contains_key(&id)
        };
        if selection.is_empty() {
            selection.cursor().is_some_and(can)
        } else {
            selection.keys().take(MOST_SET).any(can)
        }
    }
}

const fn is_of_page(action: Action) -> bool {
    matches!(
        action,
        Action::SetStatus
            | Action::CancelManifested
            | Action::ProofOfDelivery
            | Action::SaveFiles
            | Action::TrackingPage
            | Action::ConsignmentLabel
            | Action::CloneConsignment
    )
}
