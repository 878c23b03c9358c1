//! The selection of a table: ticked rows and the cursor, by row key.

use rustc_hash::FxHashSet;

use super::Rows;

/// The ticked rows, the cursor, and the row where a range began.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    ticked: FxHashSet<u64>,
    cursor: Option<u64>,
    anchor: Option<u64>,
    /// The row that a scan ticked, until the clerk ticks rows by hand.
    scanned: Option<u64>,
    /// Last known index of the cursor, still right unless the rows were reordered.
    cursor_hint: usize,
    version: u64,
}

impl Selection {
    pub fn contains(&self, key: u64) -> bool {
        !self.ticked.is_empty() && self.ticked.contains(&key)
    }

    /// Returns the keys of the ticked rows, in no particular order.
    pub fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        self.ticked.iter().copied()
    }

    pub fn len(&self) -> usize {
        self.ticked.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ticked.is_empty()
    }

    pub fn cursor(&self) -> Option<u64> {
        self.cursor
    }

    /// Returns a number that increases whenever the set of ticked rows may have changed.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Unticks all rows. The cursor stays.
    pub fn clear(&mut self) {
        self.version += 1;
        self.ticked.clear();
        self.anchor = None;
    }

    /// Unticks rows that can't be ticked any more. The cursor stays.
    pub fn untick(&mut self, held: impl IntoIterator<Item = u64>) {
        if self.ticked.is_empty() {
            return;
        }
        for key in held {
            if self.ticked.remove(&key) {
                self.version += 1;
            }
        }
    }

    /// Forgets rows that no longer exist.
    pub fn retain(&mut self, mut still_there: impl FnMut(u64) -> bool) {
        self.version += 1;
        self.ticked.retain(|key| still_there(*key));
        self.cursor = self.cursor.filter(|key| still_there(*key));
        self.anchor = self.anchor.filter(|key| still_there(*key));
    }

    /// Puts the cursor on the row that a scan found, and ticks only that row.
    pub fn tick_scanned(&mut self, key: u64) {
        self.tick_only(key);
        self.scanned = Some(key);
    }

    /// Returns the row that a scan ticked, but only once more rows are ticked or the cursor has
    /// moved to another row.
    pub fn ticked_by_scan(&self) -> Option<u64> {
        let moved_on = |key: &u64| self.len() > 1 || self.cursor != Some(*key);
        let scanned = self.scanned.filter(|key| self.contains(*key));
        scanned.filter(moved_on)
    }

    /// Puts the cursor on a row, and ticks only that row.
    pub fn tick_only(&mut self, key: u64) {
        self.scanned = None;
        if self.ticked.len() == 1 && self.contains(key) && self.cursor == Some(key) {
            return;
        }
        self.version += 1;
        self.ticked.clear();
        self.ticked.insert(key);
        self.cursor = Some(key);
        self.anchor = Some(key);
    }

    /// Puts the cursor on a row without ticking it.
    pub fn set_cursor(&mut self, key: Option<u64>) {
        self.cursor = key;
    }

    pub fn toggle(&mut self, key: u64) {
        self.version += 1;
        self.scanned.take_if(|scanned| *scanned == key);
        if !self.ticked.remove(&key) {
            self.ticked.insert(key);
        }
        self.cursor = Some(key);
        self.anchor = Some(key);
    }

    /// Ticks all of `rows` that can be ticked, or unticks them if all are ticked. Other rows
    /// stay as they are.
    pub(super) fn toggle_all(&mut self, rows: &dyn Rows) {
        self.version += 1;
        let free = || (0..rows.count()).filter(|index| !rows.is_tick_blocked(*index));
        if free().all(|index| self.contains(rows.key(index))) {
            for index in free() {
                self.ticked.remove(&rows.key(index));
            }
            self.anchor = None;
        } else {
            self.scanned = None;
            self.ticked.extend(free().map(|index| rows.key(index)));
        }
    }

    /// Moves the cursor without ticking anything.
    pub(super) fn move_to(&mut self, rows: &dyn Rows, index: usize) {
        self.set_cursor(Some(rows.key(index)));
        self.cursor_hint = index;
    }

    /// Moves the cursor without ticking anything. The next range begins at `index`.
    pub(super) fn move_and_reset_range(&mut self, rows: &dyn Rows, index: usize) {
        self.anchor = None;
        self.move_to(rows, index);
    }

    /// Ticks the rows from the start of the range to `index` that can be ticked, and no other rows.
    pub(super) fn extend_to(&mut self, rows: &dyn Rows, index: usize) {
        self.version += 1;
        let from = self
            .anchor
            .or(self.cursor)
            .and_then(|key| self.find(rows, key))
            .unwrap_or(index);
        self.anchor = Some(rows.key(from));
        self.scanned = None;
        self.ticked.clear();
        let range = (from.min(index)..=from.max(index)).filter(|at| !rows.is_tick_blocked(*at));
        self.ticked.extend(range.map(|at| rows.key(at)));
        self.move_to(rows, index);
    }

    /// Returns the index of the row under the cursor.
    pub(super) fn cursor_in(&self, rows: &dyn Rows) -> Option<usize> {
        self.find(rows, self.cursor?)
    }

    fn find(&self, rows: &dyn Rows, key: u64) -> Option<usize> {
        let hint = self.cursor_hint;
        if hint < rows.count() && rows.key(hint) == key {
            return Some(hint);
        }
        rows.find(key)
    }
}
