//! The area above the list: title, counts, filter, views and the most used actions.

use egui::{Align, Id, Layout, Ui, vec2};

use super::{DispatchState, list_actions, menu};
use crate::state::{Shared, UnmanifestedList};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::grouped;
use crate::ui::lists::{filter, views};
use widgets::button::Button;
use widgets::field::{Field, OnEnter};
use widgets::tokens::{palette, size};
use widgets::{icons, menu as kit_menu, text};

/// Minimum width, in points, for the filter on the line of the title; below it the filter has its own line.
const ONE_LINE_POINTS: f32 = 800.0;
/// The actions that show and save views on this screen.
const VIEWS: (Action, Action) = (Action::Views, Action::SaveView);
/// The filter's tooltip, which explains the filter language.
const FILTER_TOOLTIP: &str = "Shows rows that match every word. Put a column's name before a word to search only that column: carrier:southern, \
    to:\"kings park\", suburb:tweed, state:vic, ref:so-48, kg:310, label:waiting, dg:yes, held:no, international:yes";

fn filter_id() -> Id {
    Id::unique("dispatch filter")
}

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    if context.is_triggered(Action::Filter) {
        ui.memory_mut(|memory| memory.request_focus(filter_id()));
    }
    let one_line = ui.available_width() >= ONE_LINE_POINTS;
    ui.horizontal(|ui| {
        ui.set_height(size::BUTTON);
        ui.label(text::title("Unmanifested"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            buttons(ui, context, state);
            if one_line {
                views::button(ui, context, &mut state.list, VIEWS);
                // Leaves room for the count beside the title.
                let width = (ui.available_width() - 210.0).clamp(120.0, 260.0);
                ui.allocate_ui(vec2(width, size::FIELD), |ui| filter_field(ui, state));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let words = counts(ui, context.shared, state);
                let words = text::body(words).color(palette(ui).muted);
                ui.add(egui::Label::new(words).truncate());
            });
        });
    });
    if !one_line {
        ui.add_space(6.0);
        let line = vec2(ui.available_width(), size::BUTTON);
        ui.allocate_ui_with_layout(line, Layout::right_to_left(Align::Center), |ui| {
            views::button(ui, context, &mut state.list, VIEWS);
            let width = ui.available_width();
            ui.allocate_ui(vec2(width, size::FIELD), |ui| filter_field(ui, state));
        });
    }
}

fn filter_field(ui: &mut Ui, state: &mut DispatchState) {
    let key = Action::Filter.key();
    let shown = Field::new("Filter", &mut state.list.filter)
        .id(filter_id())
        .icon(icons::ICON_SEARCH)
        .hint("Filter, or carrier:…")
        .key(&key)
        .on_enter(OnEnter::Stay)
        .hide_label()
        .show(ui);
    let list = &mut state.list;
    filter::focus_rows(ui, &shown, &mut list.filter, &mut list.table);
    shown.response.on_hover_text(FILTER_TOOLTIP);
}

fn counts(ui: &Ui, shared: &Shared, state: &mut DispatchState) -> String {
    if let Some(id) = shared.opening {
        return format!("Fetching MS{id}…");
    }
    if let Some(words) = state.list.message(ui) {
        return words;
    }
    let Some(all) = shared.unmanifested.value().map(UnmanifestedList::len) else {
        return "–".to_owned();
    };
    if all == 0 && !shared.unreadable.unmanifested.records.is_empty() {
        return "–".to_owned();
    }
    let shown = state.index.rows().len();
    let mut words = if shown == all {
        grouped(all)
    } else {
        format!("{} of {}", grouped(shown), grouped(all))
    };
    let ticked = state.list.table.selection.len();
    if ticked > 0 {
        words = format!("{words}, {} ticked", grouped(ticked));
    }
    match state.chosen.hidden() {
        0 => words,
        hidden if hidden == ticked => format!("{words}, hidden"),
        hidden => format!("{words}, {} hidden", grouped(hidden)),
    }
}

fn buttons(ui: &mut Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    let more = ui.add(Button::icon_only(icons::ICON_MORE_HORIZ, "More"));
    let taken = kit_menu::under_with(&more, 260.0, |ui| {
        menu::lines(ui, context.shared, state, true)
    });
    if let Some(action) = taken {
        state.list.table.request_focus();
        list_actions::take(ui, context, state, action);
    }
    let count = state.chosen.ids().len();
    let print = Action::PrintChosen.entry();
    let only = state.chosen.single();
    let only = only.and_then(|id| state.index.list().get(id));
    let words = match (only, count) {
        (Some(one), _) => format!("{} {}", print.name, one.number),
        (None, 0) => print.name.to_owned(),
        (None, count) => format!("{} {}", print.name, grouped(count)),
    };
    let tip = format!("{} ({})", print.tooltip, Action::PrintChosen.key());
    let button = Button::new(&words).icon(print.icon);
    let button = ui.add_enabled(count > 0, button).on_hover_text(tip);
    if button.clicked() {
        list_actions::take(ui, context, state, Action::PrintChosen);
    }
    let change = Action::Change.entry();
    let name = format!("{} ({})", change.name, Action::Change.key());
    let can = state.can(Action::Change);
    let button = ui.add_enabled(can, Button::icon_only(change.icon, &name));
    if button.on_hover_text(change.tooltip).clicked() {
        list_actions::take(ui, context, state, Action::Change);
    }
}
