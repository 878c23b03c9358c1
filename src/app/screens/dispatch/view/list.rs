//! The list of unmanifested consignments, or the message that is shown in its place.

use std::sync::Arc;

use egui::{Event, Key, Modifiers, Ui};

use super::{DispatchState, show_label};
use crate::screens::operations::view::operation_text::lock_reason;
use crate::state::{
    ConsignCommand, ConsignmentLock, ConsignmentRow, DispatchCommand, ExportRows, LabelState,
    ListField, Shared, TrackCommand, ViewedList,
};
use crate::ui::actions::Action;
use crate::ui::export::{Export, all_rows_ticked_or_not};
use crate::ui::format::grouped;
use crate::ui::lists::{
    ListKind, ListScreen, ListState, ListWidth, RowLook, copy_key, id_of, problem_bar,
    run_triggered, show_head,
};
use crate::ui::{Context, unreadable};
use shipping::ConsignmentId;
use storage::SharedKind;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::empty_state::empty_state;
use widgets::icons;
use widgets::table::{Cell, TableResponse};
use widgets::tokens::Tone;

pub(super) static UNMANIFESTED: ListKind = ListKind {
    list: ViewedList::Dispatch,
    table_name: "Unmanifested",
    menu_name: "Chosen rows",
    title: Some("Unmanifested"),
    filter_id: "dispatch filter",
    filter_hint: "Filter, or carrier:…",
    keeps_filter: true,
    one_line_points: 800.0,
    count_points: 210.0,
    filter_points: 120.0..=260.0,
    filter: Action::Filter,
    views: Action::Views,
    save_view: Action::SaveView,
    columns: Action::Columns,
    copy_rows: Action::CopyRows,
    copy_cell: Action::CopyCell,
    row_menu: Action::RowMenu,
    row_actions: &MENU,
    list_actions: &[Action::Columns, Action::SaveView, Action::Refresh],
};

/// The default columns of the list, each with the smallest list width at which it is shown. A narrow list has no
/// suburb, weight or despatch, so that the carrier's service can be read.
const COLUMNS: [(ListField, ListWidth); 14] = [
    (ListField::Number, ListWidth::Narrow),
    (ListField::Reference, ListWidth::Narrow),
    (ListField::To, ListWidth::Narrow),
    (ListField::Suburb, ListWidth::Wide),
    (ListField::State, ListWidth::Widest),
    (ListField::Carrier, ListWidth::Narrow),
    (ListField::Service, ListWidth::Widest),
    (ListField::Pieces, ListWidth::Narrow),
    (ListField::Weight, ListWidth::Wide),
    (ListField::Price, ListWidth::Widest),
    (ListField::Despatch, ListWidth::Wide),
    (ListField::Eta, ListWidth::Widest),
    (ListField::Dangerous, ListWidth::Narrow),
    (ListField::Label, ListWidth::Narrow),
];

/// Returns the default columns for a list with this width, in points.
pub(super) fn fitting_columns(points: f32) -> Vec<ListField> {
    let width = ListWidth::of(points);
    let fits = |(column, from): (ListField, ListWidth)| (from <= width).then_some(column);
    COLUMNS.into_iter().filter_map(fits).collect()
}

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    Card::plain().flush().fill_height().show(
        ui,
        |_| {},
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            egui::Frame::new()
                .inner_margin(egui::Margin::symmetric(12, 8))
                .show(ui, |ui| show_head(ui, context, state));
            trouble(ui, context);
            unreadable::bar(
                ui,
                &context.shared.catalogue.unreadable.unmanifested,
                "consignments",
            );
            content(ui, context, state);
        },
    );
}

fn content(ui: &mut Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    ui.set_min_size(ui.available_size());
    let known = context.shared.dispatch.unmanifested.value();
    let known = known.map(|list| list.len());
    match known {
        None if context.shared.dispatch.unmanifested.problem().is_none() => {
            let words = "Loading the unmanifested consignments from the service";
            let icon = icons::ICON_LOCAL_SHIPPING;
            empty_state(ui, icon, "Fetching the list", words, None);
        }
        None => {}
        Some(0)
            if !context
                .shared
                .catalogue
                .unreadable
                .unmanifested
                .records
                .is_empty() => {}
        Some(0) => {
            let words = "Consignments that you send appear here until they are manifested";
            let icon = icons::ICON_LOCAL_SHIPPING;
            empty_state(ui, icon, "All manifested", words, None);
        }
        Some(_) if state.list.rows.ids().is_empty() => nothing_found(ui, state),
        Some(_) => rows(ui, context, state),
    }
}

fn nothing_found(ui: &mut Ui, state: &mut DispatchState) {
    let button = empty_state(
        ui,
        icons::ICON_SEARCH,
        "No results",
        "Shorten the filter",
        Some(Button::new("Clear the filter")),
    );
    if button.is_some_and(|button| button.clicked()) {
        state.list.filter.clear();
        state.list.table.request_focus();
    }
}

fn rows(ui: &mut Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    let look = DispatchLook {
        shared: context.shared,
        marks: marks_column(&state.list.columns),
    };
    let shown = state.list.show_rows(ui, context, &look);
    let opened = shown.opened.and_then(|row| state.list.rows.ids().get(row));
    if let Some(id) = opened {
        show_label(context, *id);
    }
    keys(ui, context, state, &shown);
}

/// Returns the column that shows locks, holds and test marks: the first of Held, Carrier, To and Number that is shown.
fn marks_column(columns: &[ListField]) -> Option<ListField> {
    let first = [
        ListField::OnHold,
        ListField::Carrier,
        ListField::To,
        ListField::Number,
    ];
    first.into_iter().find(|field| columns.contains(field))
}

/// How Dispatch shows locks, holds, pending deletions and labels.
struct DispatchLook<'a> {
    shared: &'a Shared,
    marks: Option<ListField>,
}

impl DispatchLook<'_> {
    fn is_on_hold(&self, id: ConsignmentId) -> bool {
        self.shared.dispatch.on_hold.contains(&id)
    }

    /// Returns "on hold" or "on hold by Bench 3" for a consignment on hold.
    fn held_by(&self, id: ConsignmentId) -> Option<String> {
        if !self.is_on_hold(id) {
            return None;
        }
        let of = (SharedKind::OnHold, id.to_string());
        Some(match self.shared.changed_by.get(&of) {
            Some(bench) => format!("on hold by {bench}"),
            None => "on hold".to_owned(),
        })
    }

    /// Draws the lock, hold or test mark of a row; returns true if the usual content must not follow.
    fn draw_marks(&self, cell: &mut Cell<'_>, one: &ConsignmentRow) -> bool {
        if let Some(held) = lock_reason(self.shared, one.id) {
            // The reason for the lock matters more than the usual content of the cell.
            cell.toned(&held.state, Tone::Unknown);
            cell.muted(held.what);
            return true;
        }
        if let Some(words) = self.held_by(one.id) {
            cell.badge(&Badge::new(Tone::Neutral, &words).icon(icons::ICON_PAUSE));
        }
        if one.is_test {
            cell.badge(&Badge::new(Tone::Warning, "TEST"));
        }
        false
    }
}

impl RowLook for DispatchLook<'_> {
    fn draw(&self, cell: &mut Cell<'_>, row: &ConsignmentRow, field: ListField) -> bool {
        if self.marks == Some(field) && self.draw_marks(cell, row) {
            return true;
        }
        if field == ListField::Label {
            label(cell, self.shared.labels.state(row.id));
        }
        field == ListField::Label
    }

    fn name(&self, row: &ConsignmentRow) -> String {
        let test = if row.is_test { ", test" } else { "" };
        let held = match self.held_by(row.id) {
            Some(words) => format!(", {words}"),
            None => String::new(),
        };
        format!("{test}{held}")
    }

    fn is_muted(&self, id: ConsignmentId) -> bool {
        let is_deleted = self.shared.operations.locked.get(&id) == Some(&ConsignmentLock::Deleting);
        self.is_on_hold(id) || is_deleted
    }

    fn tick_block_reason(&self, id: ConsignmentId) -> Option<String> {
        lock_reason(self.shared, id).map(|held| held.why)
    }

    fn is_tick_blocked(&self, id: ConsignmentId) -> bool {
        self.shared.operations.locked.contains_key(&id)
    }
}

fn label(cell: &mut Cell<'_>, state: &LabelState) {
    let word = state.mark().text;
    let tone = match state {
        LabelState::InQueue(_)
        | LabelState::Sent(_)
        | LabelState::Printed(_)
        | LabelState::AtService(_) => {
            return cell.muted(word);
        }
        LabelState::Waiting | LabelState::Stale | LabelState::FailedVerification(_) => {
            Tone::Warning
        }
        LabelState::Printing => Tone::Accent,
        LabelState::Failed(_) => Tone::Bad,
        LabelState::Uncertain(_) => Tone::Unknown,
    };
    cell.badge(&Badge::new(tone, word));
}

/// Handles the Delete and Copy keys while the list has the focus. Text fields use these keys themselves.
fn keys(ui: &Ui, context: &mut Context<'_>, state: &mut DispatchState, shown: &TableResponse) {
    if context.is_dialog_open || !shown.response.has_focus() {
        return;
    }
    // Earlier keys in this frame may have moved the cursor or ticked rows.
    state.list.refresh_chosen();
    if pressed_delete(ui) {
        delete_by_key(ui, context, state);
    }
    copy_key(ui, context, state);
}

/// Consumes the Delete key and returns whether it was pressed. Repeats of a held key don't count.
fn pressed_delete(ui: &Ui) -> bool {
    let mut pressed = false;
    ui.input_mut(|input| {
        input.events.retain(|event| match event {
            Event::Key {
                key: Key::Delete,
                pressed: true,
                repeat,
                modifiers: Modifiers::NONE,
                ..
            } => {
                pressed |= !repeat;
                false
            }
            _ => true,
        });
    });
    pressed
}

fn trouble(ui: &mut Ui, context: &mut Context<'_>) {
    let dispatch = &context.shared.dispatch;
    if let Some(problem) = dispatch.found.problem()
        && problem_bar(ui, "Couldn't load the rows", problem)
    {
        let query = dispatch.query.clone();
        context.push(DispatchCommand::Query(query.words, query.order));
    }
    let Some(problem) = dispatch.unmanifested.problem() else {
        return;
    };
    let kept = dispatch.unmanifested.value().is_some();
    let headline = if kept {
        "Couldn't refresh the list: it may be out of date"
    } else {
        "Couldn't load the list"
    };
    if problem_bar(ui, headline, problem) {
        context.push(DispatchCommand::Refresh);
    }
}

/// The effect of an action on the chosen rows.
enum RowAction {
    /// Needs exactly one row.
    One(fn(&mut Context<'_>, ConsignmentId)),
    /// Applies to the first row.
    First(fn(&mut Context<'_>, ConsignmentId)),
    /// Applies to all chosen rows.
    All(fn(&mut DispatchState, &mut Context<'_>)),
    /// Run by [`ListState`], as in every list.
    OfEveryList,
}

/// The actions for the chosen rows, in the order of the menus.
const ROW_ACTIONS: [(Action, RowAction); 10] = [
    (
        Action::Change,
        RowAction::One(|context, id| context.push(ConsignCommand::Edit(id))),
    ),
    (
        Action::CloneChosen,
        RowAction::One(|context, id| context.push(ConsignCommand::Clone(id))),
    ),
    (
        Action::ReturnChosen,
        RowAction::One(|context, id| context.push(ConsignCommand::Return(id))),
    ),
    (
        Action::PrintChosen,
        RowAction::All(|state, context| {
            let chosen = state.list.chosen.ids().to_vec();
            context.push(DispatchCommand::PrintLabels(chosen));
        }),
    ),
    (Action::ShowLabel, RowAction::First(show_label)),
    (
        Action::ShowOnTrack,
        RowAction::First(|context, id| context.push(TrackCommand::Reveal(id))),
    ),
    (
        Action::ToggleHold,
        RowAction::All(|state, context| {
            let hold = !state.releases_hold(context.shared);
            let chosen = state.list.chosen.ids().to_vec();
            context.push(DispatchCommand::SetOnHold(chosen, hold));
        }),
    ),
    (Action::CopyCell, RowAction::OfEveryList),
    (Action::CopyRows, RowAction::OfEveryList),
    (
        Action::Delete,
        RowAction::All(|state, context| {
            let scanned = state.list.table.selection.ticked_by_scan().map(id_of);
            let (chosen, hidden) = (state.list.chosen.ids(), state.list.chosen.hidden_ids());
            state.deletion.begin(context, chosen, hidden, scanned);
        }),
    ),
];

/// The actions of [`ROW_ACTIONS`].
const MENU: [Action; ROW_ACTIONS.len()] = {
    let mut menu = [Action::Change; ROW_ACTIONS.len()];
    let mut at = 0;
    while at < menu.len() {
        menu[at] = ROW_ACTIONS[at].0;
        at += 1;
    }
    menu
};

fn row_action(action: Action) -> Option<RowAction> {
    let mut rows = ROW_ACTIONS.into_iter();
    rows.find_map(|(of, run)| (of == action).then_some(run))
}

/// Runs the actions that were requested in this frame by key or in the command palette.
pub(super) fn run_actions(ui: &Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    if context.is_triggered(Action::Group) {
        group(context, state);
    }
    for (action, run) in ROW_ACTIONS {
        if context.is_triggered(action) && !matches!(run, RowAction::OfEveryList) {
            state.run(ui, context, action);
        }
    }
    run_triggered(ui, context, state);
}

/// Handles the list's own Delete key. While a deletion can still be undone, the key adds only ticked rows to it:
/// pressing Delete once more must not delete the row that the cursor has moved to.
fn delete_by_key(ui: &Ui, context: &mut Context<'_>, state: &mut DispatchState) {
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
        match row_action(action) {
            Some(RowAction::One(_)) => self.list.chosen.single().is_some(),
            Some(_) => !self.list.chosen.ids().is_empty(),
            None => true,
        }
    }

    fn run(&mut self, ui: &Ui, context: &mut Context<'_>, action: Action) {
        let chosen = self.list.chosen.ids().first().copied();
        match (row_action(action), chosen) {
            (Some(RowAction::One(run)), _) => {
                if let Some(id) = self.list.chosen.single() {
                    run(context, id);
                }
            }
            (Some(RowAction::First(run)), Some(first)) => run(context, first),
            (Some(RowAction::All(run)), Some(_)) => run(self, context),
            (Some(RowAction::First(_) | RowAction::All(_)), None) => {}
            (Some(RowAction::OfEveryList) | None, _) => self.list.run(ui, context, action),
        }
    }
}

/// Groups the ticked consignments, or all if none is ticked. Ignores the row under the cursor, because a group may be
/// booked next, and booking needs a deliberate choice.
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
