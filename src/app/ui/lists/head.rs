//! The area above a list with its title, counts, filter, views and most used actions; and the menu of its rows.

use egui::{Align, Event, Id, Key, Layout, Modifiers, Ui, vec2};

use super::{ListScreen, ListState, views};
use crate::state::{Notice, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::frame::notices;
use engine::EngineError;
use widgets::button::Button;
use widgets::field::{Field, FieldResponse, OnEnter};
use widgets::menu::{self, MenuEntry};
use widgets::tokens::{palette, size};
use widgets::{icons, table, text};

/// The filter's tooltip, which explains the filter language.
const FILTER_TOOLTIP: &str = "Shows rows that match every word. Put a column's name before a word to search only that column: carrier:southern, \
    to:\"kings park\", suburb:tweed, state:vic, ref:so-48, kg:310, dg:yes, international:yes; also label:waiting and held:no on Dispatch, status:transit on Track";
/// Width of the menus, in points.
const MENU_POINTS: f32 = 260.0;

/// Draws the area above the list.
pub(crate) fn show(ui: &mut Ui, context: &mut Context<'_>, state: &mut impl ListScreen) {
    let kind = state.list().kind;
    if context.is_triggered(kind.filter) {
        ui.memory_mut(|memory| memory.request_focus(Id::unique(kind.filter_id)));
    }
    let one_line = ui.available_width() >= kind.one_line_points;
    ui.horizontal(|ui| {
        ui.set_height(size::BUTTON);
        if let Some(title) = kind.title {
            ui.label(text::title(title));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            more(ui, context, state);
            state.buttons(ui, context);
            if one_line {
                views::button(ui, context, state.list());
                let room = ui.available_width() - kind.count_points;
                let width = room.clamp(*kind.filter_points.start(), *kind.filter_points.end());
                ui.allocate_ui(vec2(width, size::FIELD), |ui| filter(ui, context, state));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let message = state.list().message(ui);
                let count = message.unwrap_or_else(|| state.count_text(context.shared));
                let count = match kind.title {
                    Some(_) => text::body(count).color(palette(ui).muted),
                    None => text::strong(count),
                };
                ui.add(egui::Label::new(count).truncate());
            });
        });
    });
    if !one_line {
        ui.add_space(6.0);
        let line = vec2(ui.available_width(), size::BUTTON);
        ui.allocate_ui_with_layout(line, Layout::right_to_left(Align::Center), |ui| {
            views::button(ui, context, state.list());
            let width = ui.available_width();
            ui.allocate_ui(vec2(width, size::FIELD), |ui| filter(ui, context, state));
        });
    }
}

fn filter(ui: &mut Ui, context: &mut Context<'_>, state: &mut impl ListScreen) {
    let kind = state.list().kind;
    let key = kind.filter.key();
    let id = Id::unique(kind.filter_id);
    state.before_filter(ui, context, id);
    let shown = Field::new("Filter", &mut state.list().filter)
        .id(id)
        .icon(icons::ICON_SEARCH)
        .hint(kind.filter_hint)
        .key(&key)
        .on_enter(OnEnter::Stay)
        .hide_label()
        .show(ui);
    if !(shown.entered && state.takes_enter(context)) {
        let list = state.list();
        focus_rows(ui, &shown, &mut list.filter, &mut list.table);
    }
    shown.response.on_hover_text(FILTER_TOOLTIP);
}

/// Gives the rows the focus if Enter, Down or Escape was pressed in their filter. Escape also clears the filter.
/// Returns whether the rows get the focus.
pub(crate) fn focus_rows(
    ui: &Ui,
    shown: &FieldResponse,
    filter: &mut String,
    table: &mut table::TableState,
) -> bool {
    let escaped = shown.response.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape));
    if escaped {
        filter.clear();
    }
    let down = shown.response.has_focus()
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::ArrowDown));
    let leaves = escaped || down || shown.entered;
    if leaves {
        table.request_focus();
        table.start_at_first_row();
    }
    leaves
}

/// Draws a notice that the list could not be read. Returns whether the clerk wants to try again.
pub(crate) fn problem_bar(ui: &mut Ui, headline: &str, problem: &EngineError) -> bool {
    let notice = Notice::failed(headline, problem);
    let bar = |ui: &mut Ui| notices::bar(&notice).action("Try again").show(ui).acted;
    egui::Frame::new().inner_margin(8).show(ui, bar).inner
}

/// Draws the button with all actions of the list and its rows.
fn more(ui: &mut Ui, context: &mut Context<'_>, state: &mut impl ListScreen) {
    let kind = state.list().kind;
    let more = ui.add(Button::icon_only(icons::ICON_MORE_HORIZ, "More"));
    let actions = [kind.row_actions, kind.list_actions].concat();
    let picked = menu::under_with(&more, MENU_POINTS, |ui| {
        entries(ui, context.shared, state, &actions)
    });
    if let Some(action) = picked {
        state.list().table.request_focus();
        state.run_picked(ui, context, action);
    }
}

/// Draws the menu of the chosen rows while it is open, and runs the action that was picked.
pub(crate) fn row_menu(ui: &Ui, context: &mut Context<'_>, state: &mut impl ListScreen) {
    let list = state.list();
    let (kind, mut place) = (list.kind, list.menu);
    if place.is_none() {
        return;
    }
    let picked = menu::at(ui, kind.menu_name, &mut place, MENU_POINTS, |ui| {
        entries(ui, context.shared, state, kind.row_actions)
    });
    let list = state.list();
    list.menu = place;
    if place.is_none() {
        list.table.request_focus();
    }
    if let Some(action) = picked {
        state.run_picked(ui, context, action);
    }
}

fn entries(
    ui: &mut Ui,
    shared: &Shared,
    state: &impl ListScreen,
    actions: &[Action],
) -> Option<Action> {
    let keys: Vec<String> = actions.iter().map(|action| action.key()).collect();
    let entries: Vec<MenuEntry<'_>> = actions
        .iter()
        .zip(&keys)
        .map(|(action, key)| MenuEntry {
            icon: Some(action.entry().icon),
            text: state.action_name(*action, shared),
            key,
            chosen: false,
            enabled: state.can(*action, shared),
        })
        .collect();
    menu::entries(ui, &entries).map(|picked| actions[picked])
}

/// Runs the actions that are the same for every list, if they were triggered by key or by name.
pub(crate) fn run_triggered(ui: &Ui, context: &mut Context<'_>, state: &mut impl ListScreen) {
    let kind = state.list().kind;
    for action in [kind.columns, kind.save_view, kind.copy_rows, kind.copy_cell] {
        if context.is_triggered(action) {
            state.run(ui, context, action);
        }
    }
    state.list().finish_copy(ui, context.shared);
    if context.is_triggered(kind.row_menu) {
        // Triggered by name. When triggered by key, the table itself opens the menu at the row.
        state.list().menu = Some(ui.max_rect().center_top());
    }
}

/// Consumes the key that copies a cell, while the rows have the focus. A text field uses the key itself.
pub(crate) fn copy_key(ui: &Ui, context: &mut Context<'_>, state: &mut impl ListScreen) {
    let copies = ui.input_mut(|input| {
        let before = input.events.len();
        input.events.retain(|event| !matches!(event, Event::Copy));
        input.events.len() < before
    });
    if copies {
        let copy_cell = state.list().kind.copy_cell;
        state.run(ui, context, copy_cell);
    }
}

impl ListState {
    /// Runs an action that is the same for every list.
    pub(crate) fn run(&mut self, ui: &Ui, context: &mut Context<'_>, action: Action) {
        if action == self.kind.columns {
            self.choose_columns();
        } else if action == self.kind.save_view {
            views::begin_saving(self);
        } else if action == self.kind.copy_rows {
            self.begin_copy(ui, context);
        } else if action == self.kind.copy_cell {
            self.copy_cell(ui, context.shared);
        } else if let Some(command) = &action.entry().command {
            context.push(command.clone());
        }
    }
}
