//! The keys of a table that has the focus.

use egui::{Key, Modifiers, Ui};

use super::{Column, Rows, Sort, State};

/// Answers the row that was opened.
pub(super) fn handle(
    ui: &Ui,
    state: &mut State,
    rows: &dyn Rows,
    columns: &[Column],
    page: usize,
) -> Option<usize> {
    let pressed =
        |modifiers: Modifiers, key: Key| ui.input_mut(|input| input.consume_key(modifiers, key));
    sort(state, columns, pressed);
    if pressed(Modifiers::COMMAND, Key::A) {
        state.selection.toggle_all(rows);
    }
    let last = rows.count().checked_sub(1)?;
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
    let at = state.selection.cursor_in(rows)?;
    if pressed(Modifiers::NONE, Key::Space) && rows.held(at).is_none() {
        state.selection.toggle(rows.key(at));
    }
    pressed(Modifiers::NONE, Key::Enter).then_some(at)
}

fn sort(state: &mut State, columns: &[Column], pressed: impl Fn(Modifiers, Key) -> bool) {
    for (key, descending) in [(Key::ArrowDown, true), (Key::ArrowUp, false)] {
        if pressed(Modifiers::ALT, key)
            && let Some(column) = state.marked_column.filter(|at| columns[*at].sortable)
        {
            state.sort = Some(Sort { column, descending });
        }
    }
    let sortable = || (0..columns.len()).filter(|at| columns[*at].sortable);
    if pressed(Modifiers::NONE, Key::ArrowRight) {
        let after = state.marked_column.map_or(0, |at| at + 1);
        state.marked_column = sortable().find(|at| *at >= after).or(state.marked_column);
    }
    if pressed(Modifiers::NONE, Key::ArrowLeft) {
        let before = state.marked_column.unwrap_or(columns.len());
        state.marked_column = sortable().rfind(|at| *at < before).or(state.marked_column);
    }
}
