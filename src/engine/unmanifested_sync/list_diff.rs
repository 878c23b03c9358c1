//! Compares the list before a sync with the pages that arrive, and builds the new list. No I/O. The latest
//! answer about a consignment wins. An unchanged row is shared with the list before.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::{UnmanifestedList, UnmanifestedRow, WaitingRows};
use shipping::{CompanyId, Consignment, ConsignmentId, UnreadableRecord};

/// The differences that a sync has found so far.
pub(super) struct ListDiff {
    company: Option<CompanyId>,
    /// The list before the sync.
    base: UnmanifestedList,
    rows: WaitingRows,
    /// Consignments that are unmanifested.
    found: HashMap<ConsignmentId, Arc<UnmanifestedRow>>,
    /// Consignments that exist and are no longer unmanifested.
    no_longer_unmanifested: HashSet<ConsignmentId>,
    /// Consignments that were looked up and do not exist.
    gone: HashSet<ConsignmentId>,
    /// Rows of `base` that stay although no page had them. If `None`, all rows stay except
    /// `no_longer_unmanifested` and `gone`.
    stay: Option<HashSet<ConsignmentId>>,
    /// Records that were received and can't be read.
    unread: HashMap<i64, UnreadableRecord>,
    /// The time of the newest change that the service reported.
    newest: Option<Timestamp>,
}

impl ListDiff {
    /// Starts a comparison. `unread` are the records that could not be read before.
    pub(super) fn new(
        company: Option<CompanyId>,
        base: UnmanifestedList,
        rows: WaitingRows,
        unread: HashMap<i64, UnreadableRecord>,
    ) -> Self {
        Self {
            company,
            base,
            rows,
            found: HashMap::new(),
            no_longer_unmanifested: HashSet::new(),
            gone: HashSet::new(),
            stay: None,
            unread,
            newest: None,
        }
    }

    pub(super) const fn company(&self) -> Option<CompanyId> {
        self.company
    }

    /// Returns how many consignments were known before the sync.
    pub(super) fn knew(&self) -> usize {
        self.base.len()
    }

    /// Returns when the newest change seen so far was made, by the service's clock.
    pub(super) const fn newest(&self) -> Option<Timestamp> {
        self.newest
    }

    /// Adds a page of a list.
    pub(super) fn page(&mut self, page: &[Consignment]) {
        for one in page {
            let changes = one.history().iter();
            let newest = changes.filter_map(|change| change.status_date_utc).max();
            self.newest = self.newest.max(newest.map(|moment| moment.0));
            self.gone.remove(&one.id);
            self.unread.remove(&one.id.get());
            if !one.is_unmanifested() {
                self.found.remove(&one.id);
                self.no_longer_unmanifested.insert(one.id);
                continue;
            }
            let known = self.base.shared(one.id);
            let row = self.rows.row_after(one, known.map(|known| &**known));
            let row = match known {
                Some(known) if **known == row => Arc::clone(known),
                _ => Arc::new(row),
            };
            self.no_longer_unmanifested.remove(&one.id);
            self.found.insert(one.id, row);
        }
    }

    /// Adds records that can't be read.
    pub(super) fn set_aside(&mut self, unread: Vec<UnreadableRecord>) {
        let unread = unread.into_iter().map(|one| (one.key(), one));
        self.unread.extend(unread);
    }

    /// Discards what the pages said, because another list is read instead.
    pub(super) fn forget_pages(&mut self) {
        self.found.clear();
        self.no_longer_unmanifested.clear();
        self.unread.clear();
    }

    /// Adds the answer to a lookup of `ids`. A consignment that is not in the answer is gone. One that can't
    /// be read exists; if a record without a readable id came, any missing consignment may be that one.
    pub(super) fn answered(
        &mut self,
        ids: &[ConsignmentId],
        found: &[Consignment],
        unread: Vec<UnreadableRecord>,
    ) {
        self.page(found);
        let has_nameless = unread.iter().any(|one| one.id.is_none());
        self.set_aside(unread);
        for id in ids {
            if found.iter().any(|one| one.id == *id) {
                continue;
            }
            if has_nameless || self.unread.contains_key(&id.get()) {
                // Without a set every row stays anyway.
                if let Some(stay) = &mut self.stay {
                    stay.insert(*id);
                }
            } else {
                self.found.remove(id);
                self.gone.insert(*id);
            }
        }
    }

    /// Returns the ids of records that can't be read, to look them up: that answer has another form and may
    /// be readable.
    pub(super) fn unread_ids(&self) -> Vec<ConsignmentId> {
        let ids = self.unread.values().filter_map(|one| one.id);
        ids.map(ConsignmentId::new).collect()
    }

    /// Removes unreadable records that are not in `waiting`, the service's exact list of unmanifested ids.
    pub(super) fn unread_of(&mut self, waiting: &HashSet<ConsignmentId>) {
        self.unread.retain(|_, one| {
            one.id
                .is_none_or(|id| waiting.contains(&ConsignmentId::new(id)))
        });
    }

    pub(super) fn unread(&self) -> &HashMap<i64, UnreadableRecord> {
        &self.unread
    }

    /// Compares with `waiting`, the service's exact list of unmanifested ids, and returns the ids to look up:
    /// those in doubt and, of the known ones that no page had, the newest `again`.
    pub(super) fn compare(
        &mut self,
        waiting: &HashSet<ConsignmentId>,
        again: usize,
    ) -> Vec<ConsignmentId> {
        let mut doubtful = Vec::new();
        let mut old = Vec::new();
        for id in waiting {
            if self.found.contains_key(id) {
                continue;
            }
            if self.base.get(*id).is_some() && !self.no_longer_unmanifested.contains(id) {
                old.push(*id);
            } else {
                doubtful.push(*id);
            }
        }
        let not_there = |id: &ConsignmentId| !waiting.contains(id);
        doubtful.extend(self.found.keys().copied().filter(not_there));
        let shown = self.base.iter().map(|one| one.id);
        doubtful.extend(shown.filter(|id| {
            not_there(id)
                && !self.found.contains_key(id)
                && !self.no_longer_unmanifested.contains(id)
        }));
        old.sort_unstable();
        old.reverse();
        doubtful.extend(old.iter().take(again));
        doubtful.sort_unstable();
        self.stay = Some(old.into_iter().collect());
        doubtful
    }

    /// Returns the consignments of the list before that no page of a full list had: they have to
    /// be looked up.
    pub(super) fn unlisted(&mut self) -> Vec<ConsignmentId> {
        self.stay = Some(HashSet::new());
        let shown = self.base.iter().map(|one| one.id);
        shown
            .filter(|id| !self.found.contains_key(id) && !self.no_longer_unmanifested.contains(id))
            .collect()
    }

    /// Returns the rows of a page that differ from the journal.
    pub(super) fn changed(
        &self,
        page: &[Consignment],
        on_disk: &UnmanifestedList,
    ) -> Vec<Arc<UnmanifestedRow>> {
        let rows = page.iter().filter_map(|one| self.found.get(&one.id));
        rows.filter(|row| on_disk.get(row.id) != Some(row.as_ref()))
            .cloned()
            .collect()
    }

    /// Returns the new list and the row builder. If nothing changed, the list is the one before.
    pub(super) fn into_list(self) -> (UnmanifestedList, WaitingRows) {
        let Self {
            base,
            rows,
            mut found,
            no_longer_unmanifested: others,
            gone,
            stay,
            ..
        } = self;
        let stays = |id: &ConsignmentId| {
            !others.contains(id)
                && !gone.contains(id)
                && stay.as_ref().is_none_or(|stay| stay.contains(id))
        };
        let (mut same, mut list) = (true, Vec::with_capacity(base.len() + found.len()));
        for known in base.rows() {
            match found.remove(&known.id) {
                Some(row) => {
                    same &= Arc::ptr_eq(&row, known);
                    list.push(row);
                }
                None if stays(&known.id) => list.push(Arc::clone(known)),
                None => same = false,
            }
        }
        if same && found.is_empty() {
            return (base, rows);
        }
        list.extend(found.into_values());
        (UnmanifestedList::from_shared(list), rows)
    }

    pub(super) fn into_rows(self) -> WaitingRows {
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shipping::{Envelope, read_page};

    use super::*;

    #[test]
    fn a_lookup_that_can_not_be_read_keeps_all_rows_of_a_sync_of_changes() {
        let consignment = |id: i64| -> Consignment {
            let one =
                json!({"id": id, "consignmentTrackingStatus": {"id": 2, "name": "Unmanifested"}});
            serde_json::from_str(&one.to_string()).expect("a consignment")
        };
        let base = UnmanifestedList::from_consignments(&[consignment(7), consignment(8)]);
        let body = br#"{"object": [{"id": 7, "toName": {"not": "text"}}], "errors": null}"#;
        let unreadable = match read_page::<Consignment>(body) {
            Ok(Envelope::Done(Some(page))) => page.unreadable,
            _ => Vec::new(),
        };
        assert_eq!(unreadable.len(), 1, "the record can't be read");
        let mut diff = ListDiff::new(None, base, WaitingRows::default(), HashMap::new());
        diff.answered(&[ConsignmentId::new(7)], &[], unreadable);
        let (list, _rows) = diff.into_list();
        let ids: HashSet<_> = list.iter().map(|row| row.id.get()).collect();
        assert_eq!(ids, HashSet::from([7, 8]));
    }
}
