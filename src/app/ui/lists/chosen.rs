//! The chosen consignments, recomputed when the ticks or the rows change, not in every frame: a list may have a
//! million rows.

use std::collections::HashSet;

use shipping::ConsignmentId;
use widgets::table::Selection;

/// Up to this many ticked rows are looked up one by one; for more, all rows are walked once.
const FEW: usize = 16;

/// Returns the key of a consignment's row in the table.
pub(crate) const fn key(id: ConsignmentId) -> u64 {
    id.get().cast_unsigned()
}

/// Returns the consignment that a row's key stands for.
pub(crate) const fn id_of(key: u64) -> ConsignmentId {
    ConsignmentId::new(key.cast_signed())
}

/// The consignments that a list shows, in their order.
pub(crate) trait ListedRows {
    /// Returns a number that changes when the shown rows or their order change.
    fn version(&self) -> u64;
    fn count(&self) -> usize;
    fn id_at(&self, place: usize) -> Option<ConsignmentId>;
    /// Returns the position at which a consignment is shown.
    fn place(&self, id: ConsignmentId) -> Option<usize>;
    fn shows(&self, id: ConsignmentId) -> bool {
        self.place(id).is_some()
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
    pub(crate) fn refresh(&mut self, selection: &Selection, rows: &impl ListedRows) {
        // The row under the cursor is chosen only if nothing is ticked.
        let cursor = selection.cursor().filter(|_| selection.is_empty());
        let of = Some((selection.version(), rows.version(), cursor));
        if self.computed_from == of {
            return;
        }
        self.computed_from = of;
        self.hidden = 0;
        if selection.is_empty() {
            let under = cursor.map(id_of).filter(|id| rows.shows(*id));
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
fn ticked(selection: &Selection, rows: &impl ListedRows) -> Vec<ConsignmentId> {
    if selection.len() > FEW {
        let ids = (0..rows.count()).filter_map(|place| rows.id_at(place));
        return ids.filter(|id| selection.contains(key(*id))).collect();
    }
    let mut places: Vec<_> = selection
        .keys()
        .filter_map(|key| Some((rows.place(id_of(key))?, id_of(key))))
        .collect();
    places.sort_unstable();
    places.into_iter().map(|(_, id)| id).collect()
}
