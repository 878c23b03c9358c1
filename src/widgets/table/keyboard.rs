//! Keyboard input of a table that has the focus.

use egui::{Event, Key, Modifiers, Ui};

use super::{Column, Requests, Rows, Sort, TableState};

/// Time in seconds after text input during which Enter is ignored. A scanner ends with Enter, and a scan that
/// was not meant for the table must not open the row under the cursor.
const SCAN_SECONDS: f64 = 0.3;

/// Change of a column's width by one key press, in points.
const WIDER: f32 = 8.0;

/// Properties of the table that the keys depend on.
pub(super) struct KeyContext<'a> {
    pub(super) columns: &'a [Column],
    /// The marked column can be moved and resized.
    pub(super) movable_columns: bool,
    /// Number of rows on a page.
    pub(super) page: usize,
}

/// Handles and consumes the table's keys in the order in which they were pressed. One frame may have several.
pub(super) fn handle(
    ui: &Ui,
    state: &mut TableState,
    rows: &dyn Rows,
    known: &KeyContext<'_>,
    done: &mut Requests,
) {
    ui.input_mut(|input| {
        let now = input.time;
        input.events.retain(|event| match event {
            Event::Text(text) if !text.trim().is_empty() => {
                state.typed_at = Some(now);
                true
            }
            Event::Key {
                key: Key::Enter,
                pressed: true,
                ..
            } if state.typed_at.is_some_and(|at| now - at < SCAN_SECONDS) => false,
            Event::Key {
                key,
                pressed: true,
                modifiers,
                ..
            } => !handle_key(state, rows, known, done, *modifiers, *key),
            _ => true,
        });
    });
}

/// Handles a key. Returns false if the table does not use the key.
fn handle_key(
    state: &mut TableState,
    rows: &dyn Rows,
    known: &KeyContext<'_>,
    done: &mut Requests,
    held: Modifiers,
    key: Key,
) -> bool {
    let (alt, shift) = (held.alt && !held.command, held.shift && !held.command);
    match key {
        Key::A if held.command_only() => state.selection.toggle_all(rows),
        Key::F10 if shift && !alt => done.menu_of_cursor = true,
        Key::Menu => done.menu_of_cursor = true,
        Key::ArrowLeft | Key::ArrowRight if alt => {
            move_or_resize_column(state, known, done, key == Key::ArrowRight, shift);
        }
        Key::ArrowLeft | Key::ArrowRight if !held.any() => {
            mark_column(state, known, key == Key::ArrowRight);
        }
        Key::ArrowUp | Key::ArrowDown if alt => sort(state, known.columns, key == Key::ArrowDown),
        _ if alt || held.command || held.ctrl => return false,
        key => return move_cursor(state, rows, known.page, done, shift, key),
    }
    true
}

fn move_cursor(
    state: &mut TableState,
    rows: &dyn Rows,
    page: usize,
    done: &mut Requests,
    shift: bool,
    key: Key,
) -> bool {
    let Some(last) = rows.count().checked_sub(1) else {
        return false;
    };
    let at = state.selection.cursor_in(rows);
    let to = match key {
        Key::ArrowDown => at.map_or(0, |at| (at + 1).min(last)),
        Key::ArrowUp => at.map_or(last, |at| at.saturating_sub(1)),
        Key::PageDown => at.map_or(0, |at| (at + page).min(last)),
        Key::PageUp => at.map_or(0, |at| at.saturating_sub(page)),
        Key::Home => 0,
        Key::End => last,
        Key::Space | Key::Enter if !shift => {
            let Some(at) = at else { return true };
            if key == Key::Enter {
                done.opened = Some(at);
            } else if !rows.is_tick_blocked(at) {
                state.selection.toggle(rows.key(at));
            }
            return true;
        }
        _ => return false,
    };
    if shift {
        state.selection.extend_to(rows, to);
    } else {
        state.selection.move_and_reset_range(rows, to);
    }
    state.scroll_to_cursor = true;
    true
}

/// Moves the marked column to the left or right or, with Shift, makes it narrower or wider.
fn move_or_resize_column(
    state: &TableState,
    known: &KeyContext<'_>,
    done: &mut Requests,
    right: bool,
    shift: bool,
) {
    let count = known.columns.len();
    let marked = state.marked_column.filter(|at| *at < count);
    let Some(at) = marked.filter(|_| known.movable_columns) else {
        return;
    };
    if shift {
        let points = if right { WIDER } else { -WIDER };
        let before = done.widened.map_or(0.0, |(_, before)| before);
        done.widened = Some((at, before + points));
        return;
    }
    // Several moves in one frame add up.
    let (from, at) = done.moved.unwrap_or((at, at));
    let to = if right {
        (at + 1).min(count - 1)
    } else {
        at.saturating_sub(1)
    };
    done.moved = Some((from, to));
}

fn sort(state: &mut TableState, columns: &[Column], descending: bool) {
    let can = |at: &usize| columns.get(*at).is_some_and(|column| column.sortable);
    if let Some(column) = state.marked_column.filter(can) {
        let asked = Some(Sort { column, descending });
        // Asking for the present order again removes the order.
        state.sort = asked.filter(|_| state.sort != asked);
    }
}

fn mark_column(state: &mut TableState, known: &KeyContext<'_>, right: bool) {
    let columns = known.columns;
    let mut can = (0..columns.len()).filter(|at| known.movable_columns || columns[*at].sortable);
    let before = state.marked_column;
    let next = if right {
        let after = before.map_or(0, |at| at + 1);
        can.find(|at| *at >= after)
    } else {
        let before = before.unwrap_or(columns.len());
        can.rfind(|at| *at < before)
    };
    state.marked_column = next.or(before);
    state.scroll_to_column |= state.marked_column != before;
}
