//! In-memory summaries of all tracked consignments, 48 bytes each, from which the board's metrics are
//! counted. They hold the data of the store without names. A clone is a snapshot: later changes do not affect it, and a
//! change copies only the affected parts, so that a sync of a million rows does not copy all of them for each page.

use std::sync::Arc;

use indexmap::IndexSet;

use super::Track;
use crate::EngineError;
use crate::context::lock;
use shipping::{CarrierId, CompanyId, ConsignmentId, StatusId};
use storage::{ConsignmentSummary, JournalError, Seconds, TrackReader};

/// Summaries in one part. A part is copied as a whole if it changes while a snapshot shares it.
const TOGETHER: usize = 512;

/// Summary of a consignment. Company, carrier and status are indexes into the [`InternedIds`] of the same snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexedSummary {
    pub(crate) id: ConsignmentId,
    pub(crate) despatch: Seconds,
    pub(crate) eta: Seconds,
    pub(crate) changed: Seconds,
    pub(crate) scanned: Seconds,
    pub(crate) booked: Seconds,
    pub(crate) ended: Seconds,
    pub(crate) company: u32,
    pub(crate) carrier: u32,
    pub(crate) status: u32,
    pub(crate) eta_day: u16,
}

const _: () = assert!(
    size_of::<IndexedSummary>() <= 48,
    "a million are to fit in 60 MB"
);

/// The companies, carriers and statuses that occur, each with an index.
#[derive(Debug, Clone, Default)]
pub(crate) struct InternedIds {
    pub(crate) companies: IndexSet<Option<CompanyId>>,
    pub(crate) carriers: IndexSet<Option<CarrierId>>,
    pub(crate) statuses: IndexSet<StatusId>,
}

impl InternedIds {
    fn index(&mut self, one: &ConsignmentSummary) -> IndexedSummary {
        // There are fewer values than consignments, and fewer consignments than a `u32` can count.
        let place = |(place, _)| u32::try_from(place).unwrap_or(u32::MAX);
        IndexedSummary {
            id: one.id,
            despatch: one.despatch,
            eta: one.eta,
            changed: one.changed,
            scanned: one.scanned,
            booked: one.booked,
            ended: one.ended,
            company: place(self.companies.insert_full(one.company)),
            carrier: place(self.carriers.insert_full(one.carrier)),
            status: place(self.statuses.insert_full(one.status)),
            eta_day: one.eta_day,
        }
    }
}

/// A snapshot of all summaries; cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Summaries {
    /// In ascending order of id; no part is empty.
    parts: Vec<Arc<Vec<IndexedSummary>>>,
    ids: Arc<InternedIds>,
}

impl Summaries {
    fn load(reader: &TrackReader) -> Result<Self, JournalError> {
        let (mut summaries, mut some) = (Self::default(), Vec::with_capacity(TOGETHER));
        reader.for_each_summary(|one| {
            some.push(one);
            if some.len() == TOGETHER {
                summaries.put(&some);
                some.clear();
            }
        })?;
        summaries.put(&some);
        Ok(summaries)
    }

    pub(crate) fn ids(&self) -> &InternedIds {
        &self.ids
    }

    /// Iterates over all summaries in ascending order of id.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &IndexedSummary> {
        self.parts.iter().flat_map(|part| part.iter())
    }

    /// Iterates over the parts in ascending order of id, so that a long scan can stop between two parts.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &[IndexedSummary]> {
        self.parts.iter().map(|part| part.as_slice())
    }

    pub(crate) fn get(&self, id: ConsignmentId) -> Option<&IndexedSummary> {
        let part = self.parts.get(self.part_of(id))?;
        let place = part.binary_search_by_key(&id, |one| one.id).ok()?;
        part.get(place)
    }

    /// Returns the company, the carrier and the status of a summary.
    pub(crate) fn ids_of(
        &self,
        one: &IndexedSummary,
    ) -> (Option<CompanyId>, Option<CarrierId>, StatusId) {
        (
            self.ids.companies[one.company as usize],
            self.ids.carriers[one.carrier as usize],
            self.ids.statuses[one.status as usize],
        )
    }

    /// Inserts summaries, replacing summaries with the same id. If `changed` has two summaries with one id, the later
    /// one counts.
    fn put(&mut self, changed: &[ConsignmentSummary]) {
        let mut new = Vec::new();
        for one in changed {
            let summary = Arc::make_mut(&mut self.ids).index(one);
            if !self.replace(summary) {
                new.push(summary);
            }
        }
        // If an id occurs twice, the later summary wins.
        new.reverse();
        new.sort_by_key(|one| one.id);
        new.dedup_by_key(|one| one.id);
        let mut rest = new.as_slice();
        while let Some(first) = rest.first() {
            let at = self.part_of(first.id);
            let bound = self.parts.get(at + 1).map(|next| next[0].id);
            let here = rest.partition_point(|one| bound.is_none_or(|bound| one.id < bound));
            self.add(at, &rest[..here]);
            rest = &rest[here..];
        }
    }

    fn forget(&mut self, ids: &[ConsignmentId]) {
        for id in ids {
            let at = self.part_of(*id);
            let Some(part) = self.parts.get_mut(at) else {
                continue;
            };
            let Ok(place) = part.binary_search_by_key(id, |one| one.id) else {
                continue;
            };
            if part.len() == 1 {
                self.parts.remove(at);
            } else {
                Arc::make_mut(part).remove(place);
            }
        }
    }

    /// Returns the index of the part that holds an id, or into which the id would be inserted.
    fn part_of(&self, id: ConsignmentId) -> usize {
        let after = self.parts.partition_point(|part| part[0].id <= id);
        after.saturating_sub(1)
    }

    /// Replaces the summary with the same id. Returns false if there is none.
    fn replace(&mut self, summary: IndexedSummary) -> bool {
        let at = self.part_of(summary.id);
        let Some(part) = self.parts.get_mut(at) else {
            return false;
        };
        let Ok(place) = part.binary_search_by_key(&summary.id, |one| one.id) else {
            return false;
        };
        Arc::make_mut(part)[place] = summary;
        true
    }

    /// Inserts new summaries that belong into the same part. A part that grows too large is split.
    fn add(&mut self, at: usize, new: &[IndexedSummary]) {
        let old = self.parts.get(at).map_or(&[][..], |part| part.as_slice());
        let is_behind = old.last().is_none_or(|last| last.id < new[0].id);
        let mut all = Vec::with_capacity(old.len() + new.len());
        all.extend_from_slice(old);
        all.extend_from_slice(new);
        if !is_behind {
            all.sort_unstable_by_key(|one| one.id);
        }
        // Summaries added at the end fill the parts; summaries inserted in between leave room for more.
        let size = match () {
            () if all.len() <= TOGETHER => all.len(),
            () if is_behind => TOGETHER,
            () => all.len().div_ceil(all.len().div_ceil(TOGETHER)),
        };
        let cut = all.chunks(size.max(1)).map(|part| Arc::new(part.to_vec()));
        let until = (at + 1).min(self.parts.len());
        self.parts.splice(at.min(until)..until, cut);
    }
}

impl Track {
    /// Returns the current summaries of all consignments. The first call loads them.
    pub(super) async fn summaries(&self) -> Result<Summaries, EngineError> {
        let known = |track: &Self| lock(&track.0.summaries).clone();
        if let Some(summaries) = known(self) {
            return Ok(summaries);
        }
        let track = self.clone();
        // With write access, so that nothing changes between the load and the first change that is applied.
        self.write(move |store| {
            if let Some(summaries) = known(&track) {
                return Ok(summaries);
            }
            let loaded = Summaries::load(&store.reader()?)?;
            Ok(lock(&track.0.summaries).insert(loaded).clone())
        })
        .await
    }

    /// Applies rows that the store has written. Call this while holding the store's lock, so that the summaries change in
    /// the same order as the store.
    pub(super) fn summarize(&self, changed: &[ConsignmentSummary]) {
        if let Some(summaries) = &mut *lock(&self.0.summaries) {
            summaries.put(changed);
        }
    }

    /// Like [`Self::summarize`], for consignments that the store has removed.
    pub(super) fn forget_summaries(&self, ids: &[ConsignmentId]) {
        if let Some(summaries) = &mut *lock(&self.0.summaries) {
            summaries.forget(ids);
        }
    }
}

#[cfg(test)]
mod tests;
