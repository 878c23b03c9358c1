//! The table of unmanifested consignments, or the message that is shown in its place.

use egui::{Event, Key, Modifiers, Ui};

use super::rows::DispatchRows;
use super::{DispatchState, head, list_actions, show_label};
use crate::state::{DispatchCommand, Notice, Shared, UnmanifestedList};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::frame::notices;
use crate::ui::unreadable;
use shipping::LocalTime;
use widgets::button::Button;
use widgets::card::Card;
use widgets::empty_state::empty_state;
use widgets::icons;
use widgets::table::{Table, TableResponse};

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    Card::plain().flush().fill_height().show(
        ui,
        |_| {},
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            egui::Frame::new()
                .inner_margin(egui::Margin::symmetric(12, 8))
                .show(ui, |ui| head::show(ui, context, state));
            trouble(ui, context);
            unreadable::bar(ui, &context.shared.unreadable.unmanifested, "consignments");
            content(ui, context, state);
        },
    );
}

fn content(ui: &mut Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    ui.set_min_size(ui.available_size());
    let known = context
        .shared
        .unmanifested
        .value()
        .map(UnmanifestedList::len);
    match known {
        None if context.shared.unmanifested.problem().is_none() => {
            let words = "Loading the unmanifested consignments from the service";
            let icon = icons::ICON_LOCAL_SHIPPING;
            empty_state(ui, icon, "Fetching the list", words, None);
        }
        None => {}
        Some(0) if !context.shared.unreadable.unmanifested.records.is_empty() => {}
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

/// Returns the rows as they are now. Takes parts of [`DispatchState`] one by one, so that the table's own
/// part can be changed meanwhile.
fn dispatch_rows<'a>(
    shared: &'a Shared,
    index: &'a super::Index,
    columns: &'a [super::Col],
    leaving: &'a std::collections::HashSet<shipping::ConsignmentId>,
    ticked: usize,
) -> DispatchRows<'a> {
    DispatchRows {
        shared,
        index,
        columns,
        pending_deletion: leaving,
        ticked,
        now: LocalTime::at(shared.now, &shared.zone).0,
    }
}

impl DispatchState {
    /// Returns how many of the shown rows are ticked.
    fn shown_ticks(&self) -> usize {
        self.list
            .table
            .selection
            .len()
            .saturating_sub(self.chosen.hidden())
    }
}

/// Keeps the visible rows where they are after the list was refreshed.
pub(super) fn keep_in_sight(shared: &Shared, state: &mut DispatchState) {
    let ticked = state.shown_ticks();
    let rows = dispatch_rows(
        shared,
        &state.index,
        &state.list.columns,
        &state.pending_deletion,
        ticked,
    );
    state.list.table.keep_scroll_position(&rows);
}

fn rows(ui: &mut Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    let widths_before = state.list.table.custom_widths.len();
    let ticked = state.shown_ticks();
    let mut rows = dispatch_rows(
        context.shared,
        &state.index,
        &state.list.columns,
        &state.pending_deletion,
        ticked,
    );
    let columns = state.list.heads();
    let shown = Table::new("Unmanifested", &columns)
        .ticks()
        .movable_columns()
        .sticky(1)
        .show(ui, &mut state.list.table, &mut rows);
    if shown.selection_changed {
        // The counts above the rows were drawn before the selection changed.
        ui.ctx().request_repaint();
    }
    if let Some(opened) = shown.opened.and_then(|row| state.index.consignment_at(row)) {
        show_label(context, opened.id);
    }
    state.list.handle_response(ui, &shown, widths_before);
    keys(ui, context, state, &shown);
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
    let copies = ui.input_mut(|input| {
        let before = input.events.len();
        input.events.retain(|event| !matches!(event, Event::Copy));
        input.events.len() < before
    });
    if copies {
        list_actions::take(ui, context, state, Action::CopyCell);
    }
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
    let Some(problem) = context.shared.unmanifested.problem() else {
        return;
    };
    let kept = context.shared.unmanifested.value().is_some();
    let headline = if kept {
        "Couldn't refresh the list: it may be out of date"
    } else {
        "Couldn't load the list"
    };
    let notice = Notice::failed(headline, problem);
    let acted = egui::Frame::new()
        .inner_margin(8)
        .show(ui, |ui| {
            notices::bar(&notice).action("Try again").show(ui).acted
        })
        .inner;
    if acted {
        context.push(DispatchCommand::Refresh);
    }
}
