//! The chosen consignments, recomputed when the ticks or the rows change, not in every frame.

use super::index::Index;
use super::{id_of, key};
use shipping::ConsignmentId;
use widgets::table::Selection;

/// Up to this many ticked rows are looked up one by one; for more, all rows are walked once.
const FEW: usize = 16;

/// The consignments that actions apply to: the ticked rows or, if none is ticked, the row under the cursor.
#[derive(Debug, Default)]
pub(super) struct ChosenConsignments {
    computed_from: Option<(u64, u64, Option<u64>)>,
    ids: Vec<ConsignmentId>,
    hidden: usize,
}

impl ChosenConsignments {
    /// Recomputes the chosen consignments if the ticks, the rows or the cursor changed.
    pub(super) fn refresh(&mut self, selection: &Selection, index: &Index) {
        // The row under the cursor is chosen only if nothing is ticked.
        let cursor = selection.cursor().filter(|_| selection.is_empty());
        let of = Some((selection.version(), index.version(), cursor));
        if self.computed_from == of {
            return;
        }
        self.computed_from = of;
        let shown = |key: &u64| index.shows(id_of(*key));
        if selection.is_empty() {
            self.ids = cursor.filter(shown).map(id_of).into_iter().collect();
            self.hidden = 0;
            return;
        }
        self.ids = listed(selection, index);
        let mut hidden: Vec<_> = if self.ids.len() < selection.len() {
            selection
                .keys()
                .filter(|key| !shown(key))
                .map(id_of)
                .collect()
        } else {
            Vec::new()
        };
        hidden.sort_unstable_by(|a, b| b.cmp(a));
        self.hidden = hidden.len();
        self.ids.append(&mut hidden);
    }

    /// Returns the ticked consignments in the order of the list, followed by ticked ones that the filter
    /// hides. If none is ticked, returns the one under the cursor.
    pub(super) fn ids(&self) -> &[ConsignmentId] {
        &self.ids
    }

    /// Returns the ticked consignments that the filter hides.
    pub(super) fn hidden_ids(&self) -> &[ConsignmentId] {
        &self.ids[self.ids.len() - self.hidden..]
    }

    /// Returns how many ticked consignments the filter hides.
    pub(super) const fn hidden(&self) -> usize {
        self.hidden
    }

    /// Returns the chosen consignment if there is exactly one.
    pub(super) fn single(&self) -> Option<ConsignmentId> {
        match self.ids.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }
}

/// Returns the ticked consignments that are shown, in the order of the list.
fn listed(selection: &Selection, index: &Index) -> Vec<ConsignmentId> {
    if selection.len() > FEW {
        let rows = (0..index.rows().len()).filter_map(|place| index.consignment_at(place));
        let ids = rows.map(|one| one.id);
        return ids.filter(|id| selection.contains(key(*id))).collect();
    }
    let mut places: Vec<_> = selection
        .keys()
        .filter_map(|key| Some((index.place(id_of(key))?, id_of(key))))
        .collect();
    places.sort_unstable();
    places.into_iter().map(|(_, id)| id).collect()
}
