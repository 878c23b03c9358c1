//! What is chosen in a table, by key.

use std::collections::HashSet;

use super::Rows;

/// The ticked rows, the cursor, and where a range began.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    chosen: HashSet<u64>,
    cursor: Option<u64>,
    anchor: Option<u64>,
    /// Where the cursor was last seen: right unless the rows were reordered.
    cursor_hint: usize,
}

impl Selection {
    /// Is this row ticked?
    pub fn contains(&self, key: u64) -> bool {
        self.chosen.contains(&key)
    }

    /// The keys of the ticked rows, in no order.
    pub fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        self.chosen.iter().copied()
    }

    /// How many rows are ticked.
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// Is no row ticked?
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// The key of the row that the cursor is on.
    pub fn cursor(&self) -> Option<u64> {
        self.cursor
    }

    /// Unticks everything; the cursor stays.
    pub fn clear(&mut self) {
        self.chosen.clear();
        self.anchor = None;
    }

    /// Unticks rows that can't be ticked any more; the cursor stays.
    pub fn untick(&mut self, mut held: impl FnMut(u64) -> bool) {
        self.chosen.retain(|key| !held(*key));
    }

    /// Forgets rows that are no longer there.
    pub fn retain(&mut self, mut still_there: impl FnMut(u64) -> bool) {
        self.chosen.retain(|key| still_there(*key));
        self.cursor = self.cursor.filter(|key| still_there(*key));
        self.anchor = self.anchor.filter(|key| still_there(*key));
    }

    /// Puts the cursor on a row and ticks that row alone.
    pub fn choose(&mut self, key: u64) {
        self.chosen = HashSet::from([key]);
        self.cursor = Some(key);
        self.anchor = Some(key);
    }

    /// Puts the cursor on a row without ticking it.
    pub fn point_at(&mut self, key: Option<u64>) {
        self.cursor = key;
    }

    /// Ticks or unticks one row.
    pub fn toggle(&mut self, key: u64) {
        if !self.chosen.remove(&key) {
            self.chosen.insert(key);
        }
        self.cursor = Some(key);
        self.anchor = Some(key);
    }

    /// Ticks every row, or unticks all where all are ticked.
    pub(super) fn toggle_all(&mut self, rows: &dyn Rows) {
        let free = || (0..rows.count()).filter(|index| rows.held(*index).is_none());
        if free().all(|index| self.contains(rows.key(index))) {
            self.clear();
        } else {
            self.chosen.extend(free().map(|index| rows.key(index)));
        }
    }

    /// Moves the cursor without ticking anything.
    pub(super) fn move_to(&mut self, rows: &dyn Rows, index: usize) {
        self.cursor = Some(rows.key(index));
        self.cursor_hint = index;
    }

    /// Ticks the range from where it began to `index`, and nothing else.
    pub(super) fn extend_to(&mut self, rows: &dyn Rows, index: usize) {
        let from = self
            .anchor
            .or(self.cursor)
            .and_then(|key| find(rows, key, self.cursor_hint))
            .unwrap_or(index);
        self.anchor = Some(rows.key(from));
        self.chosen = (from.min(index)..=from.max(index))
            .filter(|at| rows.held(*at).is_none())
            .map(|at| rows.key(at))
            .collect();
        self.move_to(rows, index);
    }

    /// The index of the row that the cursor is on.
    pub(super) fn cursor_in(&self, rows: &dyn Rows) -> Option<usize> {
        find(rows, self.cursor?, self.cursor_hint)
    }
}

fn find(rows: &dyn Rows, key: u64, hint: usize) -> Option<usize> {
    if hint < rows.count() && rows.key(hint) == key {
        return Some(hint);
    }
    (0..rows.count()).find(|index| rows.key(*index) == key)
}
