//! Finds the index of a consignment in the list. A list sorted by number is searched by bisection. In another
//! order the list is scanned once for each consignment, and the answer is cached until the list changes.

use std::cell::RefCell;

use shipping::ConsignmentId;

/// Number of cached answers: enough for the cursor, the start of a selected range and the rows in view.
const KEPT: usize = 32;

/// The cached answers for one list.
#[derive(Default)]
pub(super) struct RowIndex {
    version: u64,
    /// The direction of a list sorted by number: true if descending. `None` for another order.
    by_number: Option<bool>,
    kept: RefCell<Vec<(ConsignmentId, Option<usize>)>>,
}

impl RowIndex {
    /// Clears the cache for a new list. `by_number` is its direction if it is sorted by number:
    /// true if descending.
    pub(super) fn renew(&mut self, by_number: Option<bool>) {
        self.version += 1;
        self.by_number = by_number;
        self.kept.get_mut().clear();
    }

    /// Changes with each new list.
    pub(super) const fn version(&self) -> u64 {
        self.version
    }

    /// Returns the index of `id` in `ids`, which must be the current list.
    pub(super) fn find(&self, ids: &[ConsignmentId], id: ConsignmentId) -> Option<usize> {
        if let Some(descending) = self.by_number {
            let way = |at: &ConsignmentId| {
                let upwards = at.cmp(&id);
                if descending {
                    upwards.reverse()
                } else {
                    upwards
                }
            };
            return ids.binary_search_by(way).ok();
        }
        let mut kept = self.kept.borrow_mut();
        if let Some((_, place)) = kept.iter().find(|(known, _)| *known == id) {
            return *place;
        }
        let place = ids.iter().position(|one| *one == id);
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((id, place));
        place
    }
}
