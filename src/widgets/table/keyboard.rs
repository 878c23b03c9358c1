//! Keyboard input of a table that has the focus.

use egui::{Event, Key, Modifiers, Ui};

use super::{Requests, Rows, Sort, Table, TableState};

/// Time in seconds after text input during which Enter is ignored. A scanner ends with Enter, and a scan that
/// was not meant for the table must not open the row under the cursor.
const SCAN_SECONDS: f64 = 0.3;

/// Change of a column's width by one key press, in points.
const WIDER: f32 = 8.0;

/// Handles the keys of a table.
pub(super) struct Keyboard<'a> {
    pub(super) table: &'a Table<'a>,
    pub(super) state: &'a mut TableState,
    pub(super) rows: &'a dyn Rows,
    /// Number of rows on a page.
    pub(super) page: usize,
    pub(super) requests: &'a mut Requests,
}

impl Keyboard<'_> {
    /// Handles and consumes the table's keys in the order in which they were pressed. One frame may have several.
    pub(super) fn handle(&mut self, ui: &Ui) {
        ui.input_mut(|input| {
            let now = input.time;
            input.events.retain(|event| match event {
                Event::Text(text) if !text.trim().is_empty() => {
                    self.state.typed_at = Some(now);
                    true
                }
                Event::Key {
                    key,
                    pressed: true,
                    modifiers,
                    ..
                } => {
                    let typed_at = self.state.typed_at.filter(|_| *key == Key::Enter);
                    let ends_scan = typed_at.is_some_and(|at| now - at < SCAN_SECONDS);
                    !ends_scan && !self.handle_key(*modifiers, *key)
                }
                _ => true,
            });
        });
    }

    /// Handles a key. Returns false if the table does not use the key.
    fn handle_key(&mut self, held: Modifiers, key: Key) -> bool {
        let (alt, shift) = (held.alt && !held.command, held.shift && !held.command);
        match key {
            Key::A if held.command_only() => self.state.selection.toggle_all(self.rows),
            Key::F10 if shift && !alt => self.requests.menu_of_cursor = true,
            Key::Menu => self.requests.menu_of_cursor = true,
            Key::ArrowLeft | Key::ArrowRight if alt => {
                self.move_or_resize_column(key == Key::ArrowRight, shift);
            }
            Key::ArrowLeft | Key::ArrowRight if !held.any() => {
                self.mark_column(key == Key::ArrowRight);
            }
            Key::ArrowUp | Key::ArrowDown if alt => self.sort(key == Key::ArrowDown),
            _ if alt || held.command || held.ctrl => return false,
            key => return self.move_cursor(shift, key),
        }
        true
    }

    fn move_cursor(&mut self, shift: bool, key: Key) -> bool {
        let (rows, selection) = (self.rows, &mut self.state.selection);
        let Some(last) = rows.count().checked_sub(1) else {
            return false;
        };
        let at = selection.cursor_in(rows);
        let to = match key {
            Key::ArrowDown => at.map_or(0, |at| (at + 1).min(last)),
            Key::ArrowUp => at.map_or(last, |at| at.saturating_sub(1)),
            Key::PageDown => at.map_or(0, |at| (at + self.page).min(last)),
            Key::PageUp => at.map_or(0, |at| at.saturating_sub(self.page)),
            Key::Home => 0,
            Key::End => last,
            Key::Space | Key::Enter if !shift => {
                let Some(at) = at else { return true };
                if key == Key::Enter {
                    self.requests.opened = Some(at);
                } else if !rows.is_tick_blocked(at) {
                    selection.toggle(rows.key(at));
                }
                return true;
            }
            _ => return false,
        };
        if shift {
            selection.extend_to(rows, to);
        } else {
            selection.move_and_reset_range(rows, to);
        }
        self.state.scroll_to_cursor = true;
        true
    }

    /// Moves the marked column to the left or right or, with Shift, makes it narrower or wider.
    fn move_or_resize_column(&mut self, right: bool, shift: bool) {
        let count = self.table.columns.len();
        let marked = self.state.marked_column.filter(|at| *at < count);
        let Some(at) = marked.filter(|_| self.table.movable_columns) else {
            return;
        };
        if shift {
            let points = if right { WIDER } else { -WIDER };
            let before = self.requests.widened.map_or(0.0, |(_, before)| before);
            self.requests.widened = Some((at, before + points));
            return;
        }
        // Several moves in one frame add up.
        let (from, at) = self.requests.moved.unwrap_or((at, at));
        let to = if right {
            (at + 1).min(count - 1)
        } else {
            at.saturating_sub(1)
        };
        self.requests.moved = Some((from, to));
    }

    fn sort(&mut self, descending: bool) {
        let columns = self.table.columns;
        let can = |at: &usize| columns.get(*at).is_some_and(|column| column.sortable);
        if let Some(column) = self.state.marked_column.filter(can) {
            let asked = Some(Sort { column, descending });
            // Requesting the current order again removes the order.
            self.state.sort = asked.filter(|_| self.state.sort != asked);
        }
    }

    fn mark_column(&mut self, right: bool) {
        let columns = self.table.columns;
        let can = |at: &usize| self.table.movable_columns || columns[*at].sortable;
        let mut can = (0..columns.len()).filter(can);
        let before = self.state.marked_column;
        let next = if right {
            let after = before.map_or(0, |at| at + 1);
            can.find(|at| *at >= after)
        } else {
            let before = before.unwrap_or(columns.len());
            can.rfind(|at| *at < before)
        };
        self.state.marked_column = next.or(before);
        self.state.scroll_to_column |= self.state.marked_column != before;
    }
}
