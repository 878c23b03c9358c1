//! In-memory summaries of all tracked consignments, 48 bytes each, from which the board's metrics are
//! counted. They hold the data of the store without names. A clone is a snapshot: later changes do not affect
//! it, and a change copies only the affected parts.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use shipping::{CarrierId, CompanyId, ConsignmentId, StatusId};
use storage::{ConsignmentSummary, JournalError, Seconds, TrackReader};

/// Summaries in one part. A part is copied as a whole if it changes while a snapshot shares it.
const TOGETHER: usize = 512;

/// Summary of a consignment. Company, carrier and status are indexes into the [`InternedIds`] of
/// the same snapshot.
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
    pub(crate) companies: Interned<Option<CompanyId>>,
    pub(crate) carriers: Interned<Option<CarrierId>>,
    pub(crate) statuses: Interned<StatusId>,
}

impl InternedIds {
    /// Returns the indexes of company, carrier and status, if all three are known.
    fn find(&self, gist: &ConsignmentSummary) -> Option<(u32, u32, u32)> {
        Some((
            self.companies.place(gist.company)?,
            self.carriers.place(gist.carrier)?,
            self.statuses.place(gist.status)?,
        ))
    }

    fn insert(&mut self, gist: &ConsignmentSummary) -> (u32, u32, u32) {
        (
            self.companies.put(gist.company),
            self.carriers.put(gist.carrier),
            self.statuses.put(gist.status),
        )
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Interned<T> {
    values: Vec<T>,
    ids: HashMap<T, u32>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            ids: HashMap::new(),
        }
    }
}

impl<T: Copy + Eq + Hash> Interned<T> {
    pub(crate) fn place(&self, value: T) -> Option<u32> {
        self.ids.get(&value).copied()
    }

    pub(crate) fn values(&self) -> &[T] {
        &self.values
    }

    fn put(&mut self, value: T) -> u32 {
        // There are fewer values than consignments, and fewer consignments than a `u32` can count.
        let next = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        *self.ids.entry(value).or_insert_with(|| {
            self.values.push(value);
            next
        })
    }
}

/// A snapshot of all summaries; cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Summaries {
    /// In ascending order of id; no part is empty.
    parts: Vec<Arc<Vec<IndexedSummary>>>,
    places: Arc<InternedIds>,
    count: usize,
}

impl Summaries {
    pub(crate) fn load(reader: &TrackReader) -> Result<Self, JournalError> {
        let (mut figures, mut some) = (Self::default(), Vec::with_capacity(TOGETHER));
        reader.for_each_summary(|gist| {
            some.push(gist);
            if some.len() == TOGETHER {
                figures.put(&some);
                some.clear();
            }
        })?;
        figures.put(&some);
        Ok(figures)
    }

    #[cfg(test)]
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn ids(&self) -> &InternedIds {
        &self.places
    }

    /// Iterates over all summaries in ascending order of id.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &IndexedSummary> {
        self.parts.iter().flat_map(|part| part.iter())
    }

    /// Iterates over the parts in ascending order of id. A long scan can stop between two parts.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &[IndexedSummary]> {
        self.parts.iter().map(|part| part.as_slice())
    }

    pub(crate) fn get(&self, id: ConsignmentId) -> Option<&IndexedSummary> {
        let part = self.parts.get(self.part_of(id))?;
        let at = part.binary_search_by_key(&id, |one| one.id).ok()?;
        part.get(at)
    }

    /// Inserts summaries, replacing summaries with the same id.
    pub(crate) fn put(&mut self, gists: &[ConsignmentSummary]) {
        let mut new = Vec::new();
        for gist in gists {
            let figure = self.figure(gist);
            if !self.replace(figure) {
                new.push(figure);
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

    pub(crate) fn forget(&mut self, ids: &[ConsignmentId]) {
        for id in ids {
            let at = self.part_of(*id);
            let Some(part) = self.parts.get_mut(at) else {
                continue;
            };
            let Ok(place) = part.binary_search_by_key(id, |one| one.id) else {
                continue;
            };
            self.count -= 1;
            if part.len() == 1 {
                self.parts.remove(at);
            } else {
                Arc::make_mut(part).remove(place);
            }
        }
    }

    fn figure(&mut self, gist: &ConsignmentSummary) -> IndexedSummary {
        let known = self.places.find(gist);
        let (company, carrier, status) =
            known.unwrap_or_else(|| Arc::make_mut(&mut self.places).insert(gist));
        IndexedSummary {
            id: gist.id,
            despatch: gist.despatch,
            eta: gist.eta,
            changed: gist.changed,
            scanned: gist.scanned,
            booked: gist.booked,
            ended: gist.ended,
            company,
            carrier,
            status,
            eta_day: gist.eta_day,
        }
    }

    /// Returns the index of the part that holds an id, or into which the id would be inserted.
    fn part_of(&self, id: ConsignmentId) -> usize {
        let after = self.parts.partition_point(|part| part[0].id <= id);
        after.saturating_sub(1)
    }

    /// Replaces the summary with the same id. Returns false if there is none.
    fn replace(&mut self, figure: IndexedSummary) -> bool {
        let at = self.part_of(figure.id);
        let Some(part) = self.parts.get_mut(at) else {
            return false;
        };
        let Ok(place) = part.binary_search_by_key(&figure.id, |one| one.id) else {
            return false;
        };
        Arc::make_mut(part)[place] = figure;
        true
    }

    /// Inserts new summaries that belong into the same part. A part that grows too large is split.
    fn add(&mut self, at: usize, new: &[IndexedSummary]) {
        self.count += new.len();
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

#[cfg(test)]
mod tests;
