//! Runs the actions of the list, requested by a key, the action palette, a button or a menu.

use std::sync::Arc;

use egui::Ui;

use super::{DispatchState, show_label};
use crate::state::{ConsignCommand, DispatchCommand, ExportRows, Shared, TrackCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{Export, all_rows_ticked_or_not};
use crate::ui::format::grouped;
use crate::ui::lists::{ListScreen, ListState, id_of, run_triggered};
use widgets::button::Button;

/// The row actions that [`run`] performs when they are requested, in addition to the row actions of every list.
const ROW_ACTIONS: [Action; 8] = [
    Action::Group,
    Action::PrintChosen,
    Action::Delete,
    Action::Change,
    Action::CloneChosen,
    Action::ShowLabel,
    Action::ShowOnTrack,
    Action::ToggleHold,
];

/// Runs the actions that were requested in this frame by key or in the action palette.
pub(super) fn run(ui: &Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    for action in ROW_ACTIONS {
        if context.is_triggered(action) {
            state.run(ui, context, action);
        }
    }
    run_triggered(ui, context, state);
}

/// Handles the list's own Delete key. While a deletion can still be undone, only rows ticked since then are
/// added to it: pressing Delete once more must not delete the row that the cursor has moved to.
pub(super) fn delete_by_key(ui: &Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    if context.shared.dispatch.deleting.is_some() && state.list.table.selection.is_empty() {
        return state
            .list
            .show_message(ui, "Tick the other rows that you want to delete".to_owned());
    }
    state.run(ui, context, Action::Delete);
}

impl ListScreen for DispatchState {
    fn list(&mut self) -> &mut ListState {
        &mut self.list
    }

    fn count_text(&self, shared: &Shared) -> String {
        if let Some(id) = shared.consign.opening {
            return format!("Fetching MS{id}…");
        }
        let all = shared.dispatch.unmanifested.value().map(|list| list.len());
        let all_are_unreadable =
            all == Some(0) && !shared.catalogue.unreadable.unmanifested.records.is_empty();
        let Some(all) = all.filter(|_| !all_are_unreadable) else {
            return "–".to_owned();
        };
        let shown = self.list.rows.ids().len();
        let count = if shown == all {
            grouped(all)
        } else {
            format!("{} of {}", grouped(shown), grouped(all))
        };
        self.list.with_ticks(&count)
    }

    fn buttons(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let count = self.list.chosen.ids().len();
        let print = Action::PrintChosen.entry();
        let name = match self.list.chosen.single() {
            Some(id) => format!("{} {}", print.name, context.shared.number(id)),
            None if count == 0 => print.name.to_owned(),
            None => format!("{} {}", print.name, grouped(count)),
        };
        let tip = format!("{} ({})", print.tooltip, Action::PrintChosen.key());
        let button = Button::new(&name).icon(print.icon);
        let button = ui.add_enabled(count > 0, button).on_hover_text(tip);
        if button.clicked() {
            self.run(ui, context, Action::PrintChosen);
        }
        let change = Action::Change.entry();
        let name = format!("{} ({})", change.name, Action::Change.key());
        let can = self.can(Action::Change, context.shared);
        let button = ui.add_enabled(can, Button::icon_only(change.icon, &name));
        if button.on_hover_text(change.tooltip).clicked() {
            self.run(ui, context, Action::Change);
        }
    }

    fn action_name(&self, action: Action, shared: &Shared) -> &'static str {
        match action {
            Action::ToggleHold if self.releases_hold(shared) => "Release",
            Action::ToggleHold => "Put on hold",
            action => action.entry().name,
        }
    }

    fn can(&self, action: Action, _shared: &Shared) -> bool {
        match action {
            Action::Change | Action::CloneChosen => self.list.chosen.single().is_some(),
            Action::PrintChosen
            | Action::ShowLabel
            | Action::ShowOnTrack
            | Action::ToggleHold
            | Action::CopyRows
            | Action::CopyCell
            | Action::Delete => !self.list.chosen.ids().is_empty(),
            _ => true,
        }
    }

    fn run(&mut self, ui: &Ui, context: &mut Context<'_>, action: Action) {
        let (chosen, single) = (self.list.chosen.ids(), self.list.chosen.single());
        match action {
            Action::Group => group(context, self),
            Action::PrintChosen if !chosen.is_empty() => {
                context.push(DispatchCommand::PrintLabels(chosen.to_vec()));
            }
            Action::Delete => {
                let scanned = self.list.table.selection.ticked_by_scan().map(id_of);
                let hidden = self.list.chosen.hidden_ids();
                self.deletion.begin(context, chosen, hidden, scanned);
            }
            Action::Change => {
                if let Some(id) = single {
                    context.push(ConsignCommand::Edit(id));
                }
            }
            Action::CloneChosen => {
                if let Some(id) = single {
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
                let hold = !self.releases_hold(context.shared);
                context.push(DispatchCommand::SetOnHold(chosen.to_vec(), hold));
            }
            Action::Refresh => context.push(DispatchCommand::Refresh),
            action => self.list.run(ui, context, action),
        }
    }
}

/// Groups the ticked consignments, or all if none is ticked. The row under the cursor doesn't count here,
/// because groups lead to bookings.
pub(super) fn group(context: &mut Context<'_>, state: &DispatchState) {
    if state.list.table.selection.is_empty() {
        context.push(DispatchCommand::GroupAll);
    } else {
        context.push(DispatchCommand::Group(state.list.chosen.ids().to_vec()));
    }
}

/// Opens the export dialog if its action was requested, and draws it while it is open. The rows are exported as
/// they are shown: with the same filter, order and columns.
pub(super) fn export(ui: &Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    if context.is_triggered(Action::ExportWaiting) {
        let ids = Arc::clone(state.list.rows.ids());
        let text = all_rows_ticked_or_not(ids.len());
        let rows = |columns| ExportRows::Tracked { ids, columns };
        let export = Export::of_columns("Unmanifested", text, &state.list.columns, rows);
        state.export.begin(export, context);
    }
    state.export.show(ui, context);
}

impl DispatchState {
    /// Returns whether all chosen consignments are on hold, so that the hold action releases them.
    fn releases_hold(&self, shared: &Shared) -> bool {
        let chosen = self.list.chosen.ids();
        let held = &shared.dispatch.on_hold;
        !chosen.is_empty()
            && chosen.len() <= held.len()
            && chosen.iter().all(|id| held.contains(id))
    }
}
