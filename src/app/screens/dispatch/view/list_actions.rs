//! Runs the actions of the list, requested by a key, the action palette, a button or a menu.

use egui::Ui;

use super::{DispatchState, show_label};
use crate::state::{ConsignCommand, DispatchCommand, Shared, TrackCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::counted;
use crate::ui::lists::{ListColumn as _, copy, views};

/// The row actions that [`run`] performs when they are requested.
const ROW_ACTIONS: [Action; 10] = [
    Action::Group,
    Action::PrintChosen,
    Action::Delete,
    Action::Change,
    Action::CloneChosen,
    Action::ShowLabel,
    Action::ShowOnTrack,
    Action::ToggleHold,
    Action::CopyRows,
    Action::CopyCell,
];

/// Runs the actions that were requested in this frame by key or in the action palette.
pub(super) fn run(ui: &Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    for action in ROW_ACTIONS {
        if context.is_triggered(action) {
            take(ui, context, state, action);
        }
    }
    for action in [Action::Columns, Action::SaveView] {
        if context.is_triggered(action) {
            take(ui, context, state, action);
        }
    }
}

/// Handles the list's own Delete key. While a deletion can still be undone, only rows ticked since then are
/// added to it: pressing Delete once more must not delete the row that the cursor has moved to.
pub(super) fn delete_by_key(ui: &Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    if context.shared.deleting.is_some() && state.list.table.selection.is_empty() {
        return state
            .list
            .show_message(ui, "Tick the other rows that you want to delete".to_owned());
    }
    take(ui, context, state, Action::Delete);
}

/// Runs one action on the chosen consignments.
pub(super) fn take(ui: &Ui, context: &mut Context<'_>, state: &mut DispatchState, action: Action) {
    let chosen = state.chosen.ids();
    match action {
        Action::Group => group(context, state),
        Action::PrintChosen if !chosen.is_empty() => {
            context.push(DispatchCommand::PrintLabels(chosen.to_vec()));
        }
        Action::Delete => {
            let selection = &state.list.table.selection;
            let scanned = selection.ticked_by_scan().map(super::id_of);
            let (chosen, hidden) = (&state.chosen, state.chosen.hidden_ids());
            state.deletion.begin(context, chosen.ids(), hidden, scanned);
        }
        Action::Change => {
            if let Some(id) = state.chosen.single() {
                context.push(ConsignCommand::Edit(id));
            }
        }
        Action::CloneChosen => {
            if let Some(id) = state.chosen.single() {
                context.push(ConsignCommand::Clone(id));
            }
        }
        Action::ShowLabel => {
            if let Some(first) = chosen.first() {
                show_label(context, *first);
            }
        }
        Action::ShowOnTrack => {
            if let Some(first) = chosen.first() {
                context.push(TrackCommand::Reveal(*first));
            }
        }
        Action::ToggleHold if !chosen.is_empty() => {
            let hold = !state.releases_hold(context.shared);
            context.push(DispatchCommand::SetOnHold(chosen.to_vec(), hold));
        }
        Action::Refresh => context.push(DispatchCommand::Refresh),
        Action::CopyRows => copy_rows(ui, context, state),
        Action::CopyCell => copy_cell(ui, context, state),
        Action::Columns => state.list.choose_columns(),
        Action::SaveView => views::begin_saving(&mut state.list),
        _ => {}
    }
}

/// Groups the ticked consignments, or all if none is ticked. The row under the cursor doesn't count here,
/// because groups lead to bookings.
pub(super) fn group(context: &mut Context<'_>, state: &DispatchState) {
    if state.list.table.selection.is_empty() {
        context.push(DispatchCommand::GroupAll);
    } else {
        context.push(DispatchCommand::Group(state.chosen.ids().to_vec()));
    }
}

fn copy_rows(ui: &Ui, context: &Context<'_>, state: &mut DispatchState) {
    let ids = state.chosen.ids();
    if ids.is_empty() {
        return;
    }
    let (list, shared) = (state.index.list(), context.shared);
    let rows = ids.iter().filter_map(|id| list.get(*id));
    let table = copy::rows(rows, &state.list.columns, |one, col| {
        super::rows::export_text(one, col, shared)
    });
    let words = format!("{} copied", counted(ids.len(), "row", "rows"));
    state.list.copy(ui, table, words);
}

/// Copies the marked column of the row under the cursor, or the first column if none is marked.
fn copy_cell(ui: &Ui, context: &Context<'_>, state: &mut DispatchState) {
    let under = state.list.table.selection.cursor().map(super::id_of);
    let id = under.or_else(|| state.chosen.ids().first().copied());
    let one = id.and_then(|id| state.index.list().get(id));
    let col = state.list.marked_column();
    let (Some(one), Some(col)) = (one, col) else {
        return;
    };
    let cell = super::rows::export_text(one, col, context.shared).into_owned();
    let words = format!("{} copied", col.entry().name);
    state.list.copy(ui, cell, words);
}

impl DispatchState {
    /// Returns whether all chosen consignments are on hold, so that the hold action releases them.
    pub(super) fn releases_hold(&self, shared: &Shared) -> bool {
        let chosen = self.chosen.ids();
        let held = &shared.on_hold;
        !chosen.is_empty()
            && chosen.len() <= held.len()
            && chosen.iter().all(|id| held.contains(id))
    }

    /// Returns whether an action can be run on the chosen consignments.
    pub(super) fn can(&self, action: Action) -> bool {
        match action {
            Action::Change | Action::CloneChosen => self.chosen.single().is_some(),
            Action::PrintChosen
            | Action::ShowLabel
            | Action::ShowOnTrack
            | Action::ToggleHold
            | Action::CopyRows
            | Action::CopyCell
            | Action::Delete => !self.chosen.ids().is_empty(),
            _ => true,
        }
    }
}
