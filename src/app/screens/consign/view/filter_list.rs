//! A list in a dialog that is filtered by typing, with a row that is marked by keyboard.

use egui::{Id, Key, Modifiers, Ui};

use widgets::field::{Field, FieldResponse, OnEnter};
use widgets::icons;

/// Number of rows that Page Up and Page Down move.
const PAGE: usize = 8;

/// The filter and the marked row.
#[derive(Debug, Default)]
pub(super) struct FilterList {
    pub(super) filter: String,
    pub(super) marked: usize,
    /// True after the marked row changed: the list scrolls to it.
    pub(super) follow: bool,
}

impl FilterList {
    /// Moves the mark among `count` rows by keyboard. Must be called before the filter is drawn. Returns true if
    /// another row is marked.
    pub(super) fn move_mark(&mut self, ui: &Ui, count: usize) -> bool {
        let before = self.marked;
        let last = count.saturating_sub(1);
        for (down, up, rows) in [
            (Key::ArrowDown, Key::ArrowUp, 1),
            (Key::PageDown, Key::PageUp, PAGE),
        ] {
            let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
            if pressed(down) {
                self.marked += rows;
            }
            if pressed(up) {
                self.marked = self.marked.saturating_sub(rows);
            }
        }
        self.marked = self.marked.min(last);
        let is_moved = self.marked != before;
        self.follow |= is_moved;
        is_moved
    }

    /// Draws the field with the filter. A change marks the first row.
    pub(super) fn show_filter(
        &mut self,
        ui: &mut Ui,
        id: Id,
        label: &str,
        hint: &str,
    ) -> FieldResponse {
        let field = Field::new(label, &mut self.filter)
            .icon(icons::ICON_SEARCH)
            .hint(hint)
            .on_enter(OnEnter::Stay)
            .id(id)
            .hide_label()
            .show(ui);
        if field.changed() {
            self.marked = 0;
            self.follow = true;
        }
        field
    }
}
