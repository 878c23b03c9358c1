//! Runs the actions of the table, requested by key, by name, by a button or from a menu.

use egui::{Event, Ui};

use super::able::waits;
use super::columns::Col;
use super::rows::plain;
use super::{State, id_of};
use crate::shipping::ConsignmentId;
use crate::state::{ConsignCommand, DispatchCommand, FilesCommand, PageView, TrackCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::lists::{ListColumn as _, copy, views};
use crate::ui::words::counted;

/// Actions that the table runs as soon as they are requested.
const ASKED: [Action; 6] = [
    Action::SaveFiles,
    Action::TrackCopyRows,
    Action::TrackCopyCell,
    Action::TrackColumns,
    Action::TrackSaveView,
    Action::TrackAskService,
];
/// Actions of a consignment's page. Without an open page, the table runs them for the row under the cursor.
const OF_PAGE: [Action; 5] = [
    Action::TrackingPage,
    Action::Proof,
    Action::PageLabel,
    Action::ClonePage,
    Action::SaveFiles,
];
/// Largest number of rows to copy. More should be exported to a file.
const MOST_COPIED: usize = 20_000;

/// Runs the actions that were requested in this frame, and an action taken from a menu in the last one.
pub(super) fn run(ui: &Ui, context: &mut Context<'_>, state: &mut State) {
    if !context.in_front {
        context.asked.extend(state.later.take());
    }
    for action in ASKED {
        if context.asked(action) {
            take(ui, context, state, action);
        }
    }
    if context.asked(Action::TrackRowMenu) {
        // Requested by name. When requested by key, the table itself opens the menu at the row.
        state.list.menu = Some(ui.max_rect().center_top());
    }
    // With an open page, the page handles these actions.
    if context.shared.track.page.open.is_none() {
        if context.asked(Action::TrackOnDispatch) {
            take(ui, context, state, Action::TrackOnDispatch);
        }
        without_page(context, state);
    }
    go_on(context, state);
    copied(ui, context, state);
}

/// Runs page actions for the row under the cursor: at once if the id is enough, else after opening the page.
fn without_page(context: &mut Context<'_>, state: &mut State) {
    let Some(id) = state.list.table.selection.cursor().map(id_of) else {
        return;
    };
    for action in OF_PAGE {
        if !context.asked(action) {
            continue;
        }
        context.asked.retain(|asked| *asked != action);
        match action {
            Action::PageLabel => context.ask(DispatchCommand::ShowLabel(id)),
            Action::ClonePage => context.ask(ConsignCommand::Clone(id)),
            Action::SaveFiles => context.ask(FilesCommand::SaveFiles(vec![id])),
            _ => {
                context.ask(TrackCommand::Open(id));
                state.awaits_page = Some((action, id));
            }
        }
    }
}

/// Hands a waiting action to the page once the page is ready for it.
fn go_on(context: &mut Context<'_>, state: &mut State) {
    let page = &context.shared.track.page;
    let ready = |(action, id): &mut (Action, _)| page.open == Some(*id) && can_now(page, *action);
    if !context.in_front
        && let Some((action, _)) = state.awaits_page.take_if(ready)
    {
        context.asked.push(action);
    }
}

/// Returns true if the page has loaded enough to run the action.
fn can_now(page: &PageView, action: Action) -> bool {
    match action {
        // The page itself waits for the list of files.
        Action::Proof => page.files.is_loading() || page.files.value().is_some(),
        _ => page.whole.value().is_some() || page.followed.value().is_some_and(Option::is_some),
    }
}

/// Runs one action.
pub(super) fn take(ui: &Ui, context: &mut Context<'_>, state: &mut State, action: Action) {
    match action {
        Action::TrackOnDispatch => {
            let waits = state.under(context.shared).filter(|one| waits(one));
            if let Some(id) = waits.map(|one| one.id) {
                context.ask(DispatchCommand::Reveal(id));
            }
        }
        Action::SaveFiles if state.list.table.selection.len() > 1 => {
            let ids = state.chosen(context.shared.track.list.value());
            context.ask(FilesCommand::SaveFiles(ids));
            // Handled here, so that the open page does not save its files again.
            context.asked.retain(|asked| *asked != action);
        }
        Action::TrackCopyRows => copy_rows(ui, context, state),
        Action::TrackCopyCell => copy_cell(ui, context, state),
        Action::TrackColumns => state.list.choose_columns(),
        Action::TrackSaveView => views::begin_saving(&mut state.list),
        Action::TrackAskService => {
            let words = state.list.filter.trim();
            if words.is_empty() {
                // Without a filter text there is nothing to ask for: let the clerk type it.
                context.asked.push(Action::TrackFilter);
            } else {
                context.ask(TrackCommand::AskService(words.to_owned()));
            }
        }
        _ => {}
    }
}

/// Runs an action taken from a menu, or defers it to the page until the menu is closed.
pub(super) fn take_from_menu(
    ui: &Ui,
    context: &mut Context<'_>,
    state: &mut State,
    action: Action,
) {
    if is_of_page(action) {
        state.later = Some(action);
        ui.ctx().request_repaint();
    } else {
        take(ui, context, state, action);
    }
}

const fn is_of_page(action: Action) -> bool {
    matches!(
        action,
        Action::SetStatus
            | Action::CancelManifested
            | Action::Proof
            | Action::SaveFiles
            | Action::TrackingPage
            | Action::PageLabel
            | Action::ClonePage
    )
}

/// Handles the table's own keys while it has the focus. In a text field they belong to the field.
pub(super) fn keys(ui: &Ui, context: &mut Context<'_>, state: &mut State) {
    let copies = ui.input_mut(|input| {
        let before = input.events.len();
        input.events.retain(|event| !matches!(event, Event::Copy));
        input.events.len() < before
    });
    if copies {
        take(ui, context, state, Action::TrackCopyCell);
    }
}

/// Starts copying the selected rows. Missing rows are loaded first.
fn copy_rows(ui: &Ui, context: &mut Context<'_>, state: &mut State) {
    let ids = state.chosen(context.shared.track.list.value());
    if ids.is_empty() {
        return;
    }
    if ids.len() > MOST_COPIED {
        let words = "Too many to copy: export them";
        return state.list.say(ui, words.to_owned());
    }
    state.copies = Some(ids.clone());
    context.ask(TrackCommand::CopyRows(ids));
}

/// Copies the rows once they are loaded.
fn copied(ui: &Ui, context: &Context<'_>, state: &mut State) {
    let Some(rows) = &context.shared.track.to_copy else {
        return;
    };
    let is_it = |ids: &mut Vec<ConsignmentId>| rows.of == *ids;
    if state.copies.take_if(is_it).is_none() {
        return;
    }
    let cell = |one: &_, col| plain(std::sync::Arc::as_ref(*one), col, context.shared);
    let table = copy::rows(rows.rows.iter(), &state.list.columns, cell);
    let words = format!("{} copied", counted(rows.rows.len(), "row", "rows"));
    state.list.copy(ui, table, words);
}

/// Copies the marked cell of the row under the cursor, or its first cell if no column is marked.
fn copy_cell(ui: &Ui, context: &Context<'_>, state: &mut State) {
    let (Some(one), Some(col)) = (state.under(context.shared), state.list.marked()) else {
        return;
    };
    let cell = plain(one, col, context.shared).into_owned();
    let words = format!("{} copied", Col::entry(col).name);
    state.list.copy(ui, cell, words);
}
