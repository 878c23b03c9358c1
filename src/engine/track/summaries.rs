//! In-memory summaries of all tracked consignments, 48 bytes each, from which the board's metrics are
//! counted. They hold the data of the store without names.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexSet;

use super::Track;
use crate::EngineError;
use crate::context::lock;
use shipping::{CarrierId, CompanyId, ConsignmentId, StatusId};
use storage::{ConsignmentSummary, JournalError, Seconds, TrackReader};

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

/// A snapshot of all summaries. A clone is cheap, and later changes do not affect it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Summaries {
    /// In ascending order of id.
    rows: Arc<Vec<IndexedSummary>>,
    ids: Arc<InternedIds>,
}

impl Summaries {
    fn load(reader: &TrackReader) -> Result<Self, JournalError> {
        let (mut rows, mut ids) = (Vec::new(), InternedIds::default());
        reader.for_each_summary(|one| rows.push(ids.index(&one)))?;
        Ok(Self {
            rows: Arc::new(rows),
            ids: Arc::new(ids),
        })
    }

    pub(crate) fn ids(&self) -> &InternedIds {
        &self.ids
    }

    /// Returns all summaries in ascending order of id.
    pub(crate) fn rows(&self) -> &[IndexedSummary] {
        &self.rows
    }

    pub(crate) fn get(&self, id: ConsignmentId) -> Option<&IndexedSummary> {
        let place = self.rows.binary_search_by_key(&id, |one| one.id).ok()?;
        self.rows.get(place)
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

    /// Inserts summaries, replacing summaries with the same id. Of two with one id, the later counts.
    fn put(&mut self, changed: &[ConsignmentSummary]) {
        let (rows, ids) = (Arc::make_mut(&mut self.rows), Arc::make_mut(&mut self.ids));
        let mut new = BTreeMap::new();
        for one in changed {
            let one = ids.index(one);
            match rows.binary_search_by_key(&one.id, |known| known.id) {
                Ok(place) => rows[place] = one,
                Err(_) => drop(new.insert(one.id, one)),
            }
        }
        let is_behind = match (rows.last(), new.first_key_value()) {
            (Some(last), Some((first, _))) => last.id < *first,
            _ => true,
        };
        rows.extend(new.into_values());
        if !is_behind {
            // A stable sort merges the two sorted parts in one pass.
            rows.sort_by_key(|one| one.id);
        }
    }

    fn forget(&mut self, ids: &[ConsignmentId]) {
        let mut gone = ids.to_vec();
        gone.sort_unstable();
        let stays = |one: &IndexedSummary| gone.binary_search(&one.id).is_err();
        Arc::make_mut(&mut self.rows).retain(stays);
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
