//! Where a consignment is in the list, however long that is.
//!
//! What always holds: a list by number is halved until it is found; in another order the list is looked through once for each
//! consignment that is asked about, and the answer is kept until there is another list.

use std::cell::RefCell;

use crate::shipping::ConsignmentId;

/// Answers that are kept: the cursor, where a range began, what is in sight.
const KEPT: usize = 32;

/// What was found in one list.
#[derive(Default)]
pub(super) struct Places {
    version: u64,
    /// The list is in the order of ids, one way or the other.
    by_number: Option<bool>,
    kept: RefCell<Vec<(ConsignmentId, Option<usize>)>>,
}

impl Places {
    /// There is another list; `descending` where it is in the order of ids, and which way.
    pub(super) fn renew(&mut self, by_number: Option<bool>) {
        self.version += 1;
        self.by_number = by_number;
        self.kept.get_mut().clear();
    }

    /// Another one for each list.
    pub(super) const fn version(&self) -> u64 {
        self.version
    }

    /// Its place in the list that these are of.
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
