//! The keys of a table that has the focus.

use egui::{Key, Modifiers, Ui};

use super::{Column, Rows, Sort, State};

/// How much a key makes a column wider, in points.
const WIDER: f32 = 8.0;

/// What the keys asked of the table's owner.
#[derive(Debug, Default)]
pub(super) struct Pressed {
    /// The row that was opened.
    pub(super) opened: Option<usize>,
    /// A column goes to the place of another.
    pub(super) moved: Option<(usize, usize)>,
    /// A column gets so much wider, in points.
    pub(super) widened: Option<(usize, f32)>,
    /// The menu of the row under the cursor.
    pub(super) menu: bool,
}

/// What is known of the table.
pub(super) struct Known<'a> {
    pub(super) columns: &'a [Column],
    /// Its columns can be moved and made wider by their marks.
    pub(super) arranged: bool,
    /// Rows on a page.
    pub(super) page: usize,
}

pub(super) fn handle(ui: &Ui, state: &mut State, rows: &dyn Rows, known: &Known<'_>) -> Pressed {
    let pressed =
        |modifiers: Modifiers, key: Key| ui.input_mut(|input| input.consume_key(modifiers, key));
    let mut done = Pressed::default();
    arrange(state, known, &mut done, pressed);
    sort(state, known.columns, pressed);
    mark(state, known, pressed);
    done.menu = pressed(Modifiers::SHIFT, Key::F10) || pressed(Modifiers::NONE, Key::Menu);
    if pressed(Modifiers::COMMAND, Key::A) {
        state.selection.toggle_all(rows);
    }
    let Some(last) = rows.count().checked_sub(1) else {
        return done;
    };
    let page = known.page;
    let at = state.selection.cursor_in(rows);
    let moves: [(Key, usize); 6] = [
        (Key::ArrowDown, at.map_or(0, |at| (at + 1).min(last))),
        (Key::ArrowUp, at.map_or(last, |at| at.saturating_sub(1))),
        (Key::PageDown, at.map_or(0, |at| (at + page).min(last))),
        (Key::PageUp, at.map_or(0, |at| at.saturating_sub(page))),
        (Key::Home, 0),
        (Key::End, last),
    ];
    for (key, to) in moves {
        // With Shift first: a key without modifiers also matches when Shift is held.
        if pressed(Modifiers::SHIFT, key) && ui.input(|input| input.modifiers.shift) {
            state.selection.extend_to(rows, to);
            state.scroll_to_cursor = true;
        } else if pressed(Modifiers::NONE, key) {
            state.selection.move_to(rows, to);
            state.scroll_to_cursor = true;
        }
    }
    let Some(at) = state.selection.cursor_in(rows) else {
        return done;
    };
    if pressed(Modifiers::NONE, Key::Space) && !rows.is_held(at) {
        state.selection.toggle(rows.key(at));
    }
    done.opened = pressed(Modifiers::NONE, Key::Enter).then_some(at);
    done
}

/// With Alt the marked column goes to the left or right; with Shift, too, it gets narrower or wider.
fn arrange(
    state: &State,
    known: &Known<'_>,
    done: &mut Pressed,
    pressed: impl Fn(Modifiers, Key) -> bool,
) {
    let marked = state.marked_column.filter(|at| *at < known.columns.len());
    let Some(at) = marked.filter(|_| known.arranged) else {
        return;
    };
    for (key, step, points) in [(Key::ArrowLeft, -1, -WIDER), (Key::ArrowRight, 1, WIDER)] {
        // With Shift first: Alt alone also matches when Shift is held.
        if pressed(Modifiers::ALT | Modifiers::SHIFT, key) {
            done.widened = Some((at, points));
        } else if pressed(Modifiers::ALT, key) {
            let to = at.checked_add_signed(step);
            done.moved = to.filter(|to| *to < known.columns.len()).map(|to| (at, to));
        }
    }
}

fn sort(state: &mut State, columns: &[Column], pressed: impl Fn(Modifiers, Key) -> bool) {
    for (key, descending) in [(Key::ArrowDown, true), (Key::ArrowUp, false)] {
        if pressed(Modifiers::ALT, key)
            && let Some(column) = state
                .marked_column
                .filter(|at| columns.get(*at).is_some_and(|column| column.sortable))
        {
            let asked = Some(Sort { column, descending });
            // The same once more: in no order.
            state.sort = asked.filter(|_| state.sort != asked);
        }
    }
}

fn mark(state: &mut State, known: &Known<'_>, pressed: impl Fn(Modifiers, Key) -> bool) {
    let columns = known.columns;
    let can_be_marked = || (0..columns.len()).filter(|at| known.arranged || columns[*at].sortable);
    let before = state.marked_column;
    if pressed(Modifiers::NONE, Key::ArrowRight) {
        let after = before.map_or(0, |at| at + 1);
        state.marked_column = can_be_marked().find(|at| *at >= after).or(before);
    }
    if pressed(Modifiers::NONE, Key::ArrowLeft) {
        let before = before.unwrap_or(columns.len());
        let left = can_be_marked().rfind(|at| *at < before);
        state.marked_column = left.or(state.marked_column);
    }
    state.scroll_to_column |= state.marked_column != before;
}
