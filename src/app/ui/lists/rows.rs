//! The rows of a list: their ids in order, which of them are chosen, which to load, and how they are drawn. Ids are
//! compared only when the list or the ticks change, not in every frame: a list may have a million rows.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use jiff::civil::DateTime;

use super::draw_cell;
use crate::state::{ConsignmentRow, ListField, Shared, TrackList};
use shipping::ConsignmentId;
use widgets::table::{Cell, Rows, Selection};

/// Number of cached positions: enough for the cursor, the start of a selected range and the rows in view.
const KEPT: usize = 32;
/// Up to this many ticked rows are looked up one by one. For more ticked rows, the whole list is scanned once.
const FEW: usize = 16;
/// Number of rows that are read together: enough to fill the window several times, and few enough to be read within
/// a frame.
const PAGE: usize = 128;
/// Seconds after which missing rows are requested again.
const AGAIN_SECONDS: f64 = 2.0;

/// Returns the key of a consignment's row in the table.
pub(crate) const fn key(id: ConsignmentId) -> u64 {
    id.get().cast_unsigned()
}

/// Returns the consignment that a row's key stands for.
pub(crate) const fn id_of(key: u64) -> ConsignmentId {
    ConsignmentId::new(key.cast_signed())
}

/// The ids of a list, and their positions. A list sorted by number is searched by bisection. In another order the
/// list is scanned once for each consignment, and the answer is cached until the list changes.
#[derive(Default)]
pub(crate) struct RowIndex {
    ids: Arc<[ConsignmentId]>,
    pub(super) version: u64,
    /// The direction of a list sorted by number: true if descending. `None` for another order.
    by_number: Option<bool>,
    kept: RefCell<Vec<(ConsignmentId, Option<usize>)>>,
}

impl RowIndex {
    /// Replaces the list. Returns false if the list is unchanged, that is, at the same memory address.
    pub(super) fn adopt(&mut self, list: &TrackList) -> bool {
        if Arc::ptr_eq(&self.ids, &list.ids) {
            return false;
        }
        self.ids = Arc::clone(&list.ids);
        self.version += 1;
        let order = list.query.order;
        self.by_number = (order.column == ListField::Number).then_some(order.descending);
        self.kept.get_mut().clear();
        true
    }

    pub(crate) fn ids(&self) -> &Arc<[ConsignmentId]> {
        &self.ids
    }

    /// Returns the position at which a consignment is shown.
    pub(crate) fn place(&self, id: ConsignmentId) -> Option<usize> {
        if let Some(descending) = self.by_number {
            let way = |at: &ConsignmentId| {
                let upwards = at.cmp(&id);
                if descending {
                    upwards.reverse()
                } else {
                    upwards
                }
            };
            return self.ids.binary_search_by(way).ok();
        }
        let mut kept = self.kept.borrow_mut();
        if let Some((_, place)) = kept.iter().find(|(known, _)| *known == id) {
            return *place;
        }
        let place = self.ids.iter().position(|one| *one == id);
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((id, place));
        place
    }
}

/// The consignments that actions apply to: the ticked rows or, if none is ticked, the row under the cursor.
#[derive(Debug, Default)]
pub(crate) struct ChosenConsignments {
    computed_from: Option<(u64, u64, Option<u64>)>,
    ids: Vec<ConsignmentId>,
    hidden: usize,
}

impl ChosenConsignments {
    /// Recomputes the chosen consignments if the ticks, the rows or the cursor changed.
    pub(super) fn refresh(&mut self, selection: &Selection, rows: &RowIndex) {
        // The row under the cursor is chosen only if nothing is ticked.
        let cursor = selection.cursor().filter(|_| selection.is_empty());
        let of = Some((selection.version(), rows.version, cursor));
        if self.computed_from == of {
            return;
        }
        self.computed_from = of;
        self.hidden = 0;
        if selection.is_empty() {
            let under = cursor.map(id_of).filter(|id| rows.place(*id).is_some());
            self.ids = under.into_iter().collect();
            return;
        }
        self.ids = ticked(selection, rows);
        if self.ids.len() < selection.len() {
            let shown: HashSet<_> = self.ids.iter().copied().collect();
            let all = selection.keys().map(id_of);
            let mut hidden: Vec<_> = all.filter(|id| !shown.contains(id)).collect();
            hidden.sort_unstable_by(|a, b| b.cmp(a));
            self.hidden = hidden.len();
            self.ids.append(&mut hidden);
        }
    }

    /// Returns the ticked consignments in the order of the list, followed by ticked consignments that the
    /// filter hides. If none is ticked, returns the consignment under the cursor.
    pub(crate) fn ids(&self) -> &[ConsignmentId] {
        &self.ids
    }

    /// Returns the ticked consignments that the filter hides.
    pub(crate) fn hidden_ids(&self) -> &[ConsignmentId] {
        &self.ids[self.ids.len() - self.hidden..]
    }

    /// Returns the chosen consignment if there is exactly one.
    pub(crate) fn single(&self) -> Option<ConsignmentId> {
        match self.ids.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }
}

/// Returns the ticked consignments that are shown, in the order of the list.
fn ticked(selection: &Selection, rows: &RowIndex) -> Vec<ConsignmentId> {
    if selection.len() > FEW {
        let ids = rows.ids.iter().copied();
        return ids.filter(|id| selection.contains(key(*id))).collect();
    }
    let mut places: Vec<_> = selection
        .keys()
        .filter_map(|key| Some((rows.place(id_of(key))?, id_of(key))))
        .collect();
    places.sort_unstable();
    places.into_iter().map(|(_, id)| id).collect()
}

/// The last request for rows: the pages in view, and one page before and one after them. However long the list is,
/// only a few pages of ids are examined.
#[derive(Default)]
pub(crate) struct RowPrefetch {
    pages: Range<usize>,
    /// The version of the list to which the pages belong.
    of: u64,
    at: f64,
}

impl RowPrefetch {
    /// Returns the rows near the view if another page has come near, or if rows in view have been missing for a
    /// while. Includes rows that are loaded, so that they stay loaded. `of` is the version of the ids.
    pub(crate) fn needs(
        &mut self,
        shared: &Shared,
        (ids, of): (&[ConsignmentId], u64),
        in_sight: Range<usize>,
        now: f64,
    ) -> Option<Vec<ConsignmentId>> {
        if ids.is_empty() {
            return None;
        }
        let last = in_sight.end.clamp(1, ids.len());
        let first = in_sight.start.min(last - 1);
        let pages = (first / PAGE).saturating_sub(1)..(last - 1) / PAGE + 2;
        let is_new = self.pages != pages || self.of != of;
        let near = pages.start * PAGE..(pages.end * PAGE).min(ids.len());
        let is_missing = |id: &ConsignmentId| !shared.rows.contains_key(id);
        if !is_new {
            let waits = ids[first..last].iter().any(is_missing);
            if !waits || now - self.at < AGAIN_SECONDS {
                return None;
            }
        }
        (self.pages, self.of, self.at) = (pages, of, now);
        Some(ids[near].to_vec())
    }
}

/// The parts of a row that differ between Dispatch and Track.
pub(crate) trait RowLook {
    /// Draws the cell, or only something before its usual content, or nothing. Returns true if the cell is complete:
    /// the caller then leaves out the usual content.
    fn draw(&self, cell: &mut Cell<'_>, row: &ConsignmentRow, field: ListField) -> bool;
    /// Returns the text that a screen reader reads after a row's number and receiver.
    fn name(&self, row: &ConsignmentRow) -> String;
    fn is_muted(&self, _id: ConsignmentId) -> bool {
        false
    }
    /// Returns why a row can't be ticked, or `None` if it can.
    fn tick_block_reason(&self, _id: ConsignmentId) -> Option<String> {
        None
    }
    fn is_tick_blocked(&self, _id: ConsignmentId) -> bool {
        false
    }
}

/// The rows of a list, as the table draws them. A row that is not loaded yet has placeholders of the same
/// height, so that nothing moves when its data arrives.
pub(super) struct ConsignmentRows<'a> {
    pub(super) shared: &'a Shared,
    pub(super) index: &'a RowIndex,
    pub(super) columns: &'a [ListField],
    pub(super) look: &'a dyn RowLook,
    /// Number of listed rows that are ticked.
    pub(super) ticked: usize,
    /// The present time at the bench.
    pub(super) now: DateTime,
}

impl ConsignmentRows<'_> {
    fn id(&self, index: usize) -> Option<ConsignmentId> {
        self.index.ids.get(index).copied()
    }
}

impl Rows for ConsignmentRows<'_> {
    fn count(&self) -> usize {
        self.index.ids.len()
    }

    fn key(&self, index: usize) -> u64 {
        self.id(index).map_or(u64::MAX, key)
    }

    fn find(&self, key: u64) -> Option<usize> {
        self.index.place(id_of(key))
    }

    fn ticked(&self, _selection: &Selection) -> usize {
        self.ticked
    }

    fn name(&self, index: usize) -> String {
        let Some(id) = self.id(index) else {
            return String::new();
        };
        match self.shared.row(id) {
            Some(one) => format!("{} {}{}", one.number, one.to, self.look.name(one)),
            None => format!("MS{id}, loading"),
        }
    }

    fn tick_block_reason(&self, index: usize) -> Option<String> {
        self.look.tick_block_reason(self.id(index)?)
    }

    fn is_tick_blocked(&self, index: usize) -> bool {
        self.id(index)
            .is_some_and(|id| self.look.is_tick_blocked(id))
    }

    fn is_muted(&self, index: usize) -> bool {
        let is_muted = |id| !self.shared.rows.contains_key(&id) || self.look.is_muted(id);
        self.id(index).is_some_and(is_muted)
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let (Some(id), Some(field)) = (self.id(index), self.columns.get(column).copied()) else {
            return;
        };
        match self.shared.row(id) {
            Some(row) => {
                if !self.look.draw(cell, row, field) {
                    draw_cell(cell, row, field, self.columns, self.shared, self.now);
                }
            }
            None if field == ListField::Number => cell.mono(&format!("MS{id}")),
            None => cell.placeholder(),
        }
    }
}
