//! The list of unmanifested consignments, or the message that is shown in its place.

use std::collections::HashSet;

use egui::{Event, Key, Modifiers, Ui};

use super::{DispatchState, list_actions, show_label};
use crate::screens::operations::view::operation_text::lock_reason;
use crate::state::{ConsignmentRow, DispatchCommand, LabelState, ListField, Shared, ViewedList};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::lists::{ListKind, ListWidth, RowLook, copy_key, problem_bar, show_head};
use crate::ui::unreadable;
use shipping::ConsignmentId;
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
        pending_deletion: &state.pending_deletion,
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
    /// Consignments of the deletion that can still be undone; their rows are drawn muted.
    pending_deletion: &'a HashSet<ConsignmentId>,
}

impl DispatchLook<'_> {
    fn is_on_hold(&self, id: ConsignmentId) -> bool {
        self.shared.dispatch.on_hold.contains(&id)
    }

    /// Draws the lock, hold or test mark of a row; returns whether the cell is complete with it.
    fn draw_marks(&self, cell: &mut Cell<'_>, one: &ConsignmentRow) -> bool {
        if let Some(held) = lock_reason(self.shared, one.id) {
            // The reason for the lock matters more than the usual content of the cell.
            cell.toned(held.state, Tone::Unknown);
            cell.muted(held.what);
            return true;
        }
        if self.is_on_hold(one.id) {
            cell.badge(&Badge::new(Tone::Neutral, "on hold").icon(icons::ICON_PAUSE));
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
        let held = if self.is_on_hold(row.id) {
            ", on hold"
        } else {
            ""
        };
        format!("{test}{held}")
    }

    fn is_muted(&self, id: ConsignmentId) -> bool {
        self.is_on_hold(id) || self.pending_deletion.contains(&id)
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

/// Handles the Delete and Copy keys while the list has the focus. In a text field they belong to the field.
fn keys(ui: &Ui, context: &mut Context<'_>, state: &mut DispatchState, shown: &TableResponse) {
    if context.is_dialog_open || !shown.response.has_focus() {
        return;
    }
    // Earlier keys in this frame may have moved the cursor or ticked rows.
    state.list.refresh_chosen();
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
