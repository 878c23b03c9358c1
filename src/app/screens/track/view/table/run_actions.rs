//! Runs the actions of the table, requested by key, by name, by a button or from a menu.

use egui::{Event, Ui};

use super::columns::Col;
use super::enabled::is_unmanifested;
use super::rows::cell_text;
use super::{TrackTableState, id_of};
use crate::state::{ConsignCommand, DispatchCommand, FilesCommand, PageView, TrackCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::counted;
use crate::ui::lists::{ListColumn as _, copy, views};
use shipping::ConsignmentId;

/// Actions that the table runs as soon as they are requested.
const DIRECT_ACTIONS: [Action; 6] = [
    Action::SaveFiles,
    Action::TrackCopyRows,
    Action::TrackCopyCell,
    Action::TrackColumns,
    Action::TrackSaveView,
    Action::TrackSearchService,
];
/// Actions of a consignment's page. Without an open page, the table runs them for the row under the cursor.
const PAGE_ACTIONS: [Action; 5] = [
    Action::TrackingPage,
    Action::ProofOfDelivery,
    Action::ConsignmentLabel,
    Action::CloneConsignment,
    Action::SaveFiles,
];
/// Largest number of rows to copy. More should be exported to a file.
const MOST_COPIED: usize = 20_000;

/// Runs the actions that were requested in this frame, and an action taken from a menu in the last one.
pub(super) fn run(ui: &Ui, context: &mut Context<'_>, state: &mut TrackTableState) {
    if !context.is_dialog_open {
        context.triggered.extend(state.deferred_action.take());
    }
    for action in DIRECT_ACTIONS {
        if context.is_triggered(action) {
            run_action(ui, context, state, action);
        }
    }
    if context.is_triggered(Action::TrackRowMenu) {
        // Requested by name. When requested by key, the table itself opens the menu at the row.
        state.list.menu = Some(ui.max_rect().center_top());
    }
    // With an open page, the page handles these actions.
    if context.shared.track.page.open.is_none() {
        if context.is_triggered(Action::ShowOnDispatch) {
            run_action(ui, context, state, Action::ShowOnDispatch);
        }
        without_page(context, state);
    }
    hand_to_page(context, state);
    finish_copy(ui, context, state);
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

/// Runs one action.
pub(super) fn run_action(
    ui: &Ui,
    context: &mut Context<'_>,
    state: &mut TrackTableState,
    action: Action,
) {
    match action {
        Action::ShowOnDispatch => {
            let waits = state
                .row_under_cursor(context.shared)
                .filter(|one| is_unmanifested(one));
            if let Some(id) = waits.map(|one| one.id) {
                context.push(DispatchCommand::Reveal(id));
            }
        }
        Action::SaveFiles if state.list.table.selection.len() > 1 => {
            let ids = state.chosen(context.shared.track.list.value());
            context.push(FilesCommand::SaveFiles(ids));
            // Handled here, so that the open page does not save its files again.
            context.triggered.retain(|asked| *asked != action);
        }
        Action::TrackCopyRows => copy_rows(ui, context, state),
        Action::TrackCopyCell => copy_cell(ui, context, state),
        Action::TrackColumns => state.list.choose_columns(),
        Action::TrackSaveView => views::begin_saving(&mut state.list),
        Action::TrackSearchService => {
            let words = state.list.filter.trim();
            if words.is_empty() {
                // Without a filter text there is nothing to ask for: let the clerk type it.
                context.triggered.push(Action::TrackFilter);
            } else {
                context.push(TrackCommand::AskService(words.to_owned()));
            }
        }
        _ => {}
    }
}

/// Runs an action taken from a menu, or defers it to the page until the menu is closed.
pub(super) fn run_menu_action(
    ui: &Ui,
    context: &mut Context<'_>,
    state: &mut TrackTableState,
    action: Action,
) {
    if is_of_page(action) {
        state.deferred_action = Some(action);
        ui.ctx().request_repaint();
    } else {
        run_action(ui, context, state, action);
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

/// Handles the table's own keys while it has the focus. In a text field they belong to the field.
pub(super) fn keys(ui: &Ui, context: &mut Context<'_>, state: &mut TrackTableState) {
    let copies = ui.input_mut(|input| {
        let before = input.events.len();
        input.events.retain(|event| !matches!(event, Event::Copy));
        input.events.len() < before
    });
    if copies {
        run_action(ui, context, state, Action::TrackCopyCell);
    }
}

/// Starts copying the selected rows. Missing rows are loaded first.
fn copy_rows(ui: &Ui, context: &mut Context<'_>, state: &mut TrackTableState) {
    let ids = state.chosen(context.shared.track.list.value());
    if ids.is_empty() {
        return;
    }
    if ids.len() > MOST_COPIED {
        let words = "Too many rows to copy. Export them instead";
        return state.list.show_message(ui, words.to_owned());
    }
    state.copies = Some(ids.clone());
    context.push(TrackCommand::CopyRows(ids));
}

/// Copies the rows once they are loaded.
fn finish_copy(ui: &Ui, context: &Context<'_>, state: &mut TrackTableState) {
    let Some(rows) = &context.shared.track.to_copy else {
        return;
    };
    let is_it = |ids: &mut Vec<ConsignmentId>| rows.of == *ids;
    if state.copies.take_if(is_it).is_none() {
        return;
    }
    let cell = |one: &_, col| cell_text(std::sync::Arc::as_ref(*one), col, context.shared);
    let table = copy::rows(rows.rows.iter(), &state.list.columns, cell);
    let words = format!("{} copied", counted(rows.rows.len(), "row", "rows"));
    state.list.copy(ui, table, words);
}

/// Copies the marked cell of the row under the cursor, or its first cell if no column is marked.
fn copy_cell(ui: &Ui, context: &Context<'_>, state: &mut TrackTableState) {
    let (Some(one), Some(col)) = (
        state.row_under_cursor(context.shared),
        state.list.marked_column(),
    ) else {
        return;
    };
    let cell = cell_text(one, col, context.shared).into_owned();
    let words = format!("{} copied", Col::entry(col).name);
    state.list.copy(ui, cell, words);
}
