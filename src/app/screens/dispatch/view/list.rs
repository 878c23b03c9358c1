//! The list of unmanifested consignments, or the message that is shown in its place.

use std::collections::HashSet;
use std::sync::Arc;

use egui::{Event, Key, Modifiers, Ui};

use super::index::Index;
use super::rows::DispatchRows;
use super::{DispatchState, list_actions, show_label};
use crate::state::{DispatchCommand, ListField, Shared, UnmanifestedList, ViewedList};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::lists::{ListKind, ListWidth, copy_key, problem_bar, show_head};
use crate::ui::unreadable;
use shipping::{ConsignmentId, LocalTime};
use widgets::button::Button;
use widgets::card::Card;
use widgets::empty_state::empty_state;
use widgets::icons;
use widgets::table::TableResponse;

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
    row_actions: &[
        Action::Change,
        Action::CloneChosen,
        Action::PrintChosen,
        Action::ShowLabel,
        Action::ShowOnTrack,
        Action::ToggleHold,
        Action::CopyCell,
        Action::CopyRows,
        Action::Delete,
    ],
    list_actions: &[Action::Columns, Action::SaveView, Action::Refresh],
};

/// The columns of a list until the clerk chooses columns, and the width from which on each is shown. A narrow list
/// has no suburb, weight or despatch, so that the carrier's service can be read.
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

/// Returns the columns for a list of this width, in points, until the clerk chooses columns.
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
    let known = context
        .shared
        .dispatch
        .unmanifested
        .value()
        .map(UnmanifestedList::len);
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
        Some(_) if state.index.rows().is_empty() => nothing_found(ui, state),
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

/// Returns the rows as they are now. Takes parts of [`DispatchState`] one by one, so that the list can be
/// changed meanwhile.
fn dispatch_rows<'a>(
    shared: &'a Shared,
    index: &'a Index,
    pending_deletion: &'a HashSet<ConsignmentId>,
    columns: &Arc<[ListField]>,
    ticked: usize,
) -> DispatchRows<'a> {
    DispatchRows {
        shared,
        index,
        columns: Arc::clone(columns),
        pending_deletion,
        ticked,
        now: LocalTime::at(shared.now, &shared.session.zone).0,
    }
}

/// Keeps the visible rows where they are after the list was refreshed.
pub(super) fn keep_in_sight(shared: &Shared, state: &mut DispatchState) {
    let (ticked, columns) = (state.shown_ticks(), &state.list.columns);
    let (index, deletion) = (&state.index, &state.pending_deletion);
    let rows = dispatch_rows(shared, index, deletion, columns, ticked);
    state.list.table.keep_scroll_position(&rows);
}

fn rows(ui: &mut Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    let (ticked, columns) = (state.shown_ticks(), &state.list.columns);
    let (index, deletion) = (&state.index, &state.pending_deletion);
    let mut rows = dispatch_rows(context.shared, index, deletion, columns, ticked);
    let shown = state.list.show_table(ui, &mut rows);
    if let Some(opened) = shown.opened.and_then(|row| state.index.row_at(row)) {
        show_label(context, opened.id);
    }
    keys(ui, context, state, &shown);
}

impl DispatchState {
    /// Returns how many of the shown rows are ticked.
    fn shown_ticks(&self) -> usize {
        let ticked = self.list.table.selection.len();
        ticked.saturating_sub(self.chosen.hidden_ids().len())
    }
}

/// Handles the Delete and Copy keys while the list has the focus. In a text field they belong to the field.
fn keys(ui: &Ui, context: &mut Context<'_>, state: &mut DispatchState, shown: &TableResponse) {
    if context.is_dialog_open || !shown.response.has_focus() {
        return;
    }
    // Earlier keys in this frame may have moved the cursor or ticked rows.
    state
        .chosen
        .refresh(&state.list.table.selection, &state.index);
    if pressed_delete(ui) {
        list_actions::delete_by_key(ui, context, state);
    }
    copy_key(ui, context, state);
}

/// Consumes the Delete key and returns whether it was pressed. Repeats of a key held down don't count.
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
    let Some(problem) = context.shared.dispatch.unmanifested.problem() else {
        return;
    };
    let kept = context.shared.dispatch.unmanifested.value().is_some();
    let headline = if kept {
        "Couldn't refresh the list: it may be out of date"
    } else {
        "Couldn't load the list"
    };
    if problem_bar(ui, headline, problem) {
        context.push(DispatchCommand::Refresh);
    }
}
