//! The dialog in which columns are shown, hidden and put in order.
//!
//! By keyboard: Space ticks a column, Alt+Up and Alt+Down move it, Enter closes the dialog.

use egui::{Align, Id, Key, Layout, Modifiers, ScrollArea, Ui, vec2};

use crate::state::{ListField, ViewedList};
use widgets::button::Button;
use widgets::checkbox::checkbox;
use widgets::modal::Modal;
use widgets::tokens::palette;
use widgets::{icons, text};

/// State of the dialog.
#[derive(Default)]
pub(super) struct ColumnDialog {
    open: bool,
    /// All columns and whether each is shown: first the shown columns in their order, then the hidden columns.
    lines: Vec<(ListField, bool)>,
    /// Column that gets the focus back after it moved.
    follows: Option<ListField>,
}

/// Change of the shown columns.
pub(super) enum ColumnChoice {
    /// Show exactly the given columns, in the given order.
    Columns(Vec<ListField>),
    /// Show as many columns as there is room for.
    ByRoom,
}

impl ColumnDialog {
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Opens the dialog with the columns of a list.
    pub(super) fn begin(&mut self, shown: &[ListField], list: ViewedList) {
        let others = list.fields().filter(|column| !shown.contains(column));
        self.lines = shown
            .iter()
            .map(|column| (*column, true))
            .chain(others.map(|column| (column, false)))
            .collect();
        self.open = true;
    }

    /// Draws the dialog while it is open. Returns each change at once, so that the list behind shows it.
    pub(super) fn show(&mut self, ui: &Ui) -> Option<ColumnChoice> {
        let mut open = self.open;
        let before = self.lines.clone();
        let by_room = Modal::new("columns", "Columns")
            .width(400.0)
            .show(ui, &mut open, |ui, open| self.content(ui, open))
            .unwrap_or(false);
        self.open = open;
        if by_room {
            return Some(ColumnChoice::ByRoom);
        }
        (self.lines != before).then(|| ColumnChoice::Columns(self.shown()))
    }

    fn shown(&self) -> Vec<ListField> {
        let shown = self.lines.iter().filter(|(_, on)| *on);
        shown.map(|(col, _)| *col).collect()
    }

    /// Draws the content. Returns true if the clerk chose to show as many columns as there is room for.
    fn content(&mut self, ui: &mut Ui, open: &mut bool) -> bool {
        let p = palette(ui);
        let words = "Space shows or hides a column, Alt ↑ and Alt ↓ move it";
        ui.label(text::small(words).color(p.muted));
        ui.add_space(4.0);
        let room = (ui.ctx().content_rect().height() - 230.0).max(160.0);
        ScrollArea::vertical()
            .max_height(room)
            .auto_shrink([false, true])
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                for at in 0..self.lines.len() {
                    self.line(ui, at);
                }
            });
        ui.add_space(8.0);
        let mut by_room = false;
        ui.horizontal(|ui| {
            if ui.add(Button::new("Done").min_width(80.0)).clicked() {
                *open = false;
            }
            if ui.add(Button::quiet("Fit to window")).clicked() {
                by_room = true;
                *open = false;
            }
        });
        by_room
    }

    fn line(&mut self, ui: &mut Ui, at: usize) {
        let (col, on) = self.lines[at];
        let name = col.name();
        let alone = on && self.shown().len() == 1;
        let mut step = 0;
        let row = ui.allocate_ui(vec2(ui.available_width(), 28.0), |ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                for (icon, way, by) in [
                    (icons::ICON_KEYBOARD_ARROW_DOWN, "down", 1),
                    (icons::ICON_KEYBOARD_ARROW_UP, "up", -1),
                ] {
                    let words = format!("Move {name} {way}");
                    let button = Button::icon_only(icon, &words).small().skip_in_tab_order();
                    if ui.add(button).clicked() {
                        step = by;
                    }
                }
                let left = Layout::left_to_right(Align::Center);
                ui.with_layout(left, |ui| self.tick(ui, at, alone)).inner
            })
            .inner
        });
        let id = row.inner;
        if ui.memory(|memory| memory.has_focus(id)) {
            for (key, by) in [(Key::ArrowUp, -1), (Key::ArrowDown, 1)] {
                if ui.input_mut(|input| input.consume_key(Modifiers::ALT, key)) {
                    step = by;
                }
            }
        }
        let to = at.checked_add_signed(step);
        if let Some(to) = to.filter(|to| step != 0 && *to < self.lines.len()) {
            self.lines.swap(at, to);
            self.follows = Some(col);
            ui.ctx().request_repaint();
        }
    }

    fn tick(&mut self, ui: &mut Ui, at: usize, alone: bool) -> Id {
        let (col, mut on) = self.lines[at];
        // The last shown column can't be hidden.
        let response = ui
            .add_enabled_ui(!alone, |ui| checkbox(ui, &mut on, col.name()))
            .inner;
        self.lines[at].1 = on;
        if self.follows == Some(col) {
            self.follows = None;
            response.request_focus();
            response.scroll_to_me(None);
        }
        if response.gained_focus() {
            response.scroll_to_me(None);
        }
        response.id
    }
}
