//! The toolbar above the rows: row count, filter, views, menu and filter chips.

use egui::{Align, Id, Layout, Ui, vec2};

use super::{TrackTableState, chips, menu, run_actions};
use crate::state::{Shared, TrackCommand};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{counted, grouped};
use crate::ui::lists::{filter, views};
use widgets::button::Button;
use widgets::field::{Field, OnEnter};
use widgets::tokens::size;
use widgets::{icons, menu as kit_menu, text};

/// The actions that show and save views of this table.
const VIEWS: (Action, Action) = (Action::TrackViews, Action::TrackSaveView);
/// In a narrower table (in points), the filter has a line of its own.
const ONE_LINE_POINTS: f32 = 700.0;

fn filter_id() -> Id {
    Id::unique("track filter")
}

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, state: &mut TrackTableState) {
    if context.is_triggered(Action::TrackFilter) {
        ui.memory_mut(|memory| memory.request_focus(filter_id()));
    }
    let one_line = ui.available_width() >= ONE_LINE_POINTS;
    ui.horizontal(|ui| {
        ui.set_height(size::BUTTON);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            more(ui, context, state);
            views::button(ui, context, &mut state.list, VIEWS);
            if one_line {
                let width = (ui.available_width() - 190.0).clamp(140.0, 360.0);
                ui.allocate_ui(vec2(width, size::FIELD), |ui| {
                    filter_field(ui, context, state);
                });
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let words = counts(ui, context.shared, state);
                ui.add(egui::Label::new(text::strong(words)).truncate());
            });
        });
    });
    if !one_line {
        ui.add_space(6.0);
        let line = vec2(ui.available_width(), size::FIELD);
        ui.allocate_ui(line, |ui| filter_field(ui, context, state));
    }
    if !chips::all(context.shared).is_empty() {
        ui.add_space(6.0);
        let taken = ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            chips::show(ui, context)
        });
        if taken.inner {
            state.list.table.request_focus();
        }
    }
}

fn filter_field(ui: &mut Ui, context: &mut Context<'_>, state: &mut TrackTableState) {
    let key = Action::TrackFilter.key();
    chips::by_backspace(ui, context, filter_id(), &state.list.filter);
    let shown = Field::new("Filter", &mut state.list.filter)
        .id(filter_id())
        .icon(icons::ICON_SEARCH)
        .hint("Number, reference, receiver, suburb")
        .key(&key)
        .on_enter(OnEnter::Stay)
        .hide_label()
        .show(ui);
    if shown.entered && asks_service(context, state) {
        return;
    }
    let list = &mut state.list;
    filter::focus_rows(ui, &shown, &mut list.filter, &mut list.table);
}

/// Asks the service if Enter was pressed in the filter and there are no rows. Returns true if it does.
fn asks_service(context: &mut Context<'_>, state: &TrackTableState) -> bool {
    let track = &context.shared.track;
    let words = state.list.filter.trim();
    let nothing = track.list.value().is_some_and(|list| {
        // The list may still belong to an earlier filter text.
        list.ids.is_empty() && list.query.words.trim() == words
    });
    let asks = nothing && !words.is_empty();
    if asks {
        context.push(TrackCommand::AskService(words.to_owned()));
    }
    asks
}

fn counts(ui: &Ui, shared: &Shared, state: &mut TrackTableState) -> String {
    if let Some(words) = state.list.message(ui) {
        return words;
    }
    let Some(list) = shared.track.list.value() else {
        return "Reading…".to_owned();
    };
    let mut words = counted(list.ids.len(), "row", "rows");
    if list.more {
        words = format!("The newest {words}");
    }
    let ticked = state.list.table.selection.len();
    if ticked > 0 {
        words = format!("{words}, {} ticked", grouped(ticked));
    }
    match ticked.saturating_sub(state.ticked) {
        0 => words,
        hidden if hidden == ticked => format!("{words}, hidden"),
        hidden => format!("{words}, {} hidden", grouped(hidden)),
    }
}

fn more(ui: &mut Ui, context: &mut Context<'_>, state: &mut TrackTableState) {
    let more = ui.add(Button::icon_only(icons::ICON_MORE_HORIZ, "More"));
    let taken = kit_menu::under_with(&more, 260.0, |ui| {
        menu::lines(ui, context.shared, state, true)
    });
    if let Some(action) = taken {
        state.list.table.request_focus();
        run_actions::run_menu_action(ui, context, state, action);
    }
}
