//! The selected consignments, and how many of them the filter hides. The list may have a million rows, so it
//! is scanned only on request and when the ticks or the list change, not in each frame.

use super::{RowIndex, id_of, key};
use shipping::ConsignmentId;
use widgets::table::Selection;

/// Up to this many ticks are looked up one by one instead of scanning the list.
const FEW: usize = 16;

/// The cached number of ticked rows that are in the list.
#[derive(Default)]
pub(super) struct ListedTickCount {
    of: Option<(u64, u64)>,
    count: usize,
}

impl ListedTickCount {
    /// Counts again if the ticks or the list changed.
    pub(super) fn refresh(
        &mut self,
        selection: &Selection,
        ids: &[ConsignmentId],
        places: &RowIndex,
    ) -> usize {
        let of = Some((selection.version(), places.version()));
        if self.of != of {
            self.of = of;
            self.count = if selection.is_empty() {
                0
            } else if selection.len() <= FEW {
                let shown = |key: &u64| places.find(ids, id_of(*key)).is_some();
                selection.keys().filter(shown).count()
            } else {
                let is_ticked = |id: &&ConsignmentId| selection.contains(key(**id));
                ids.iter().filter(is_ticked).count()
            };
        }
        self.count
    }
}

/// Returns the ticked consignments in list order, then those hidden by the filter, newest first. If none is
/// ticked, returns the one under the cursor.
pub(super) fn chosen(selection: &Selection, ids: &[ConsignmentId]) -> Vec<ConsignmentId> {
    if selection.is_empty() {
        return selection.cursor().map(id_of).into_iter().collect();
    }
    let is_ticked = |id: &ConsignmentId| selection.contains(key(*id));
    let mut chosen: Vec<_> = ids.iter().copied().filter(is_ticked).collect();
    if chosen.len() < selection.len() {
        let shown: std::collections::HashSet<_> = chosen.iter().copied().collect();
        let all = selection.keys().map(id_of);
        let mut hidden: Vec<_> = all.filter(|id| !shown.contains(id)).collect();
        hidden.sort_unstable_by(|a, b| b.cmp(a));
        chosen.append(&mut hidden);
    }
    chosen
}
