//! The ids of the listed consignments, and their places. A list sorted by number is searched by bisection. In
//! another order the list is scanned once for each consignment, and the answer is cached until the list changes.

use std::cell::RefCell;
use std::sync::Arc;

use crate::state::{ListField, TrackList};
use crate::ui::lists::ListedRows;
use shipping::ConsignmentId;

/// Number of cached answers: enough for the cursor, the start of a selected range and the rows in view.
const KEPT: usize = 32;

/// The ids of a list.
#[derive(Default)]
pub(super) struct RowIndex {
    ids: Arc<[ConsignmentId]>,
    version: u64,
    /// The direction of a list sorted by number: true if descending. `None` for another order.
    by_number: Option<bool>,
    kept: RefCell<Vec<(ConsignmentId, Option<usize>)>>,
}

impl RowIndex {
    /// Takes over a list. Returns false if it is the present list, which is recognised by its address.
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

    pub(super) fn ids(&self) -> &[ConsignmentId] {
        &self.ids
    }
}

impl ListedRows for RowIndex {
    fn version(&self) -> u64 {
        self.version
    }

    fn count(&self) -> usize {
        self.ids.len()
    }

    fn id_at(&self, place: usize) -> Option<ConsignmentId> {
        self.ids.get(place).copied()
    }

    fn place(&self, id: ConsignmentId) -> Option<usize> {
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
