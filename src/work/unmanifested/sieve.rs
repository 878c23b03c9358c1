//! One look at the list: pages go in, and what waits comes out. No service and no disk in here.
//!
//! What always holds: the last word on a consignment counts; a row that is as it was is the same row.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::shipping::{CompanyId, Consignment, ConsignmentId, Unread};
use crate::work::{Waiting, WaitingList, WaitingRows};

/// What a look has found so far.
pub(super) struct Sieve {
    company: Option<CompanyId>,
    /// As it was before.
    base: WaitingList,
    rows: WaitingRows,
    /// These wait.
    found: HashMap<ConsignmentId, Arc<Waiting>>,
    /// These are, and wait no longer.
    others: HashSet<ConsignmentId>,
    /// These were asked for and are not there.
    gone: HashSet<ConsignmentId>,
    /// Which rows of the base stay that no page had; all but `others` where nothing says.
    stay: Option<HashSet<ConsignmentId>>,
    /// These were answered and can't be read.
    unread: HashMap<i64, Unread>,
    /// The service's newest word.
    newest: Option<Timestamp>,
}

impl Sieve {
    /// `unread` are those that could not be read before.
    pub(super) fn new(
        company: Option<CompanyId>,
        base: WaitingList,
        rows: WaitingRows,
        unread: HashMap<i64, Unread>,
    ) -> Self {
        Self {
            company,
            base,
            rows,
            found: HashMap::new(),
            others: HashSet::new(),
            gone: HashSet::new(),
            stay: None,
            unread,
            newest: None,
        }
    }

    pub(super) const fn company(&self) -> Option<CompanyId> {
        self.company
    }

    /// How many were known before.
    pub(super) fn knew(&self) -> usize {
        self.base.len()
    }

    /// When the newest change was made that it saw, by the service's clock.
    pub(super) const fn newest(&self) -> Option<Timestamp> {
        self.newest
    }

    /// A page of a list.
    pub(super) fn page(&mut self, page: &[Consignment]) {
        for one in page {
            let changes = one.history().iter();
            let newest = changes.filter_map(|change| change.status_date_utc).max();
            self.newest = self.newest.max(newest.map(|moment| moment.0));
            self.gone.remove(&one.id);
            self.unread.remove(&one.id.get());
            if !one.is_unmanifested() {
                self.found.remove(&one.id);
                self.others.insert(one.id);
                continue;
            }
            let known = self.base.shared(one.id);
            let row = self.rows.row_after(one, known.map(|known| &**known));
            let row = match known {
                Some(known) if **known == row => Arc::clone(known),
                _ => Arc::new(row),
            };
            self.others.remove(&one.id);
            self.found.insert(one.id, row);
        }
    }

    /// What of a page can't be read.
    pub(super) fn set_aside(&mut self, unread: Vec<Unread>) {
        let unread = unread.into_iter().map(|one| (one.key(), one));
        self.unread.extend(unread);
    }

    /// Nothing that pages said counts: they are read anew.
    pub(super) fn forget_pages(&mut self) {
        self.found.clear();
        self.others.clear();
        self.unread.clear();
    }

    /// What was answered to a question for `ids`: one that is not there is gone. One that can't be read is there, and so may be
    /// any other where an answer names no id.
    pub(super) fn answered(
        &mut self,
        ids: &[ConsignmentId],
        found: &[Consignment],
        unread: Vec<Unread>,
    ) {
        self.page(found);
        let has_nameless = unread.iter().any(|one| one.id.is_none());
        self.set_aside(unread);
        for id in ids {
            if found.iter().any(|one| one.id == *id) {
                continue;
            }
            if has_nameless || self.unread.contains_key(&id.get()) {
                self.stay.get_or_insert_default().insert(*id);
            } else {
                self.found.remove(id);
                self.gone.insert(*id);
            }
        }
    }

    /// Those that can't be read and have an id, to be asked for by it: an answer of another shape may be read.
    pub(super) fn unread_ids(&self) -> Vec<ConsignmentId> {
        let ids = self.unread.values().filter_map(|one| one.id);
        ids.map(ConsignmentId::new).collect()
    }

    /// Only these wait, by the service's own word: what else can't be read is of no concern.
    pub(super) fn unread_of(&mut self, waiting: &HashSet<ConsignmentId>) {
        self.unread.retain(|_, one| {
            one.id
                .is_none_or(|id| waiting.contains(&ConsignmentId::new(id)))
        });
    }

    /// What can't be read.
    pub(super) fn unread(&self) -> &HashMap<i64, Unread> {
        &self.unread
    }

    /// Compares with the ids that wait, by the service's own word: those that have to be asked for. Of those that wait and are
    /// known from before only, `again` are asked for, too, the newest first.
    pub(super) fn weigh(
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
            if self.base.get(*id).is_some() && !self.others.contains(id) {
                old.push(*id);
            } else {
                doubtful.push(*id);
            }
        }
        let not_there = |id: &ConsignmentId| !waiting.contains(id);
        doubtful.extend(self.found.keys().copied().filter(not_there));
        let shown = self.base.iter().map(|one| one.id);
        doubtful.extend(shown.filter(|id| {
            not_there(id) && !self.found.contains_key(id) && !self.others.contains(id)
        }));
        old.sort_unstable();
        old.reverse();
        doubtful.extend(old.iter().take(again));
        doubtful.sort_unstable();
        self.stay = Some(old.into_iter().collect());
        doubtful
    }

    /// Those that were there before and no page of a whole list had: they have to be asked for.
    pub(super) fn unlisted(&mut self) -> Vec<ConsignmentId> {
        self.stay = Some(HashSet::new());
        let shown = self.base.iter().map(|one| one.id);
        shown
            .filter(|id| !self.found.contains_key(id) && !self.others.contains(id))
            .collect()
    }

    /// What of a page is not on disk as it is.
    pub(super) fn changed(&self, page: &[Consignment], on_disk: &WaitingList) -> Vec<Arc<Waiting>> {
        let rows = page.iter().filter_map(|one| self.found.get(&one.id));
        rows.filter(|row| on_disk.get(row.id) != Some(row.as_ref()))
            .cloned()
            .collect()
    }

    /// What waits, and what makes its rows. The list before, where nothing changed.
    pub(super) fn into_list(self) -> (WaitingList, WaitingRows) {
        let Self {
            base,
            rows,
            mut found,
            others,
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
        (WaitingList::of_shared(list), rows)
    }

    pub(super) fn into_rows(self) -> WaitingRows {
        self.rows
    }
}
