//! Looks up by id the consignments whose changes no list shows: consignments that were deleted, changed without a
//! change of status, or not listed for ten days. Only unmanifested consignments are removed after a lookup, and only
//! if the service no longer has them. All other consignments that a lookup does not return keep their stored data.

use std::collections::{BTreeSet, HashMap, HashSet};

use jiff::Timestamp;

use super::state::SyncPurpose;
use super::{OVERLAP, SyncRun, SyncWindow};
use crate::EngineError;
use crate::context::EngineContext;
use crate::operation::LookupResult;
use shipping::{Consignment, ConsignmentId, TransitState};

/// How many of the unmanifested consignments that were not listed are looked up in each sync. A full sync looks up
/// all of these consignments.
const UNMANIFESTED_PER_SYNC: usize = 400;

/// How many of the consignments that were not listed for ten days are looked up in each full sync. If the last sync
/// is more than ten days old, all such consignments in transit are looked up.
const MOST_OLD: usize = 2_000;

/// If at most this many consignments are unmanifested, they are looked up in every sync of that list, which also
/// finds other people's changes that do not change the status.
pub(super) const FEW_ROWS: usize = 400;

const AT_ONCE: usize = 100;

/// Open consignments in the store that were not listed.
pub(super) struct Lookups {
    waiting: BTreeSet<ConsignmentId>,
    moving: BTreeSet<ConsignmentId>,
    /// Consignments that a page listed as unmanifested.
    listed_unmanifested: HashSet<ConsignmentId>,
    /// How many unmanifested consignments were in the store before the sync.
    known: usize,
    /// The ids of all unmanifested consignments, if the service named them.
    pub(super) exact: Option<HashSet<ConsignmentId>>,
}

/// Where the next sync continues, for consignments that are not all looked up in one sync.
#[derive(Default)]
pub(super) struct LookupRotation {
    waiting: Option<ConsignmentId>,
    moving: Option<ConsignmentId>,
    /// Consignments that were not found, each with the start of the sync that missed it first. Such consignments may
    /// be too new to be found, or the service may refuse them temporarily.
    missed: HashMap<ConsignmentId, Timestamp>,
}

impl Lookups {
    pub(super) fn of(open: Vec<(ConsignmentId, TransitState)>) -> Self {
        let (waiting, moving): (Vec<_>, Vec<_>) = open
            .into_iter()
            .partition(|(_, course)| *course == TransitState::Unmanifested);
        let ids = |those: Vec<(ConsignmentId, TransitState)>| those.into_iter().map(|(id, _)| id);
        Self {
            known: waiting.len(),
            waiting: ids(waiting).collect(),
            moving: ids(moving).collect(),
            listed_unmanifested: HashSet::new(),
            exact: None,
        }
    }

    /// Removes the consignments that a page listed, because they need no lookup.
    pub(super) fn listed(&mut self, page: &[Consignment]) {
        for one in page {
            self.waiting.remove(&one.id);
            self.moving.remove(&one.id);
            if one.is_unmanifested() {
                self.listed_unmanifested.insert(one.id);
            } else {
                self.listed_unmanifested.remove(&one.id);
            }
        }
    }

    /// Returns the ids for which the store and the service's exact list differ. In a full sync, or if there
    /// are few consignments, also returns the newest consignments that no page had.
    fn doubtful(&self, exact: &HashSet<ConsignmentId>, run: &SyncRun) -> Vec<ConsignmentId> {
        let stored =
            |id: &ConsignmentId| self.listed_unmanifested.contains(id) || self.waiting.contains(id);
        let missing_here = exact.iter().filter(|id| !stored(id));
        let here = self.listed_unmanifested.iter().chain(&self.waiting);
        let missing_there = here.filter(|id| !exact.contains(id));
        let mut doubtful: BTreeSet<_> = missing_here.chain(missing_there).copied().collect();
        if run.window == SyncWindow::Full || self.known <= FEW_ROWS {
            let unlisted = self.waiting.iter().rev().filter(|id| exact.contains(id));
            doubtful.extend(unlisted.take(MOST_OLD));
        }
        let unread = run.unread.values().filter_map(|one| one.id);
        doubtful.extend(unread.map(ConsignmentId::new));
        doubtful.into_iter().collect()
    }

    fn chosen(&self, run: &SyncRun, turned: &mut LookupRotation) -> Vec<ConsignmentId> {
        if let Some(exact) = &self.exact {
            return self.doubtful(exact, run);
        }
        let is_whole = run.window == SyncWindow::Full;
        let few = if is_whole {
            usize::MAX
        } else {
            UNMANIFESTED_PER_SYNC
        };
        let mut ids = in_turn(&self.waiting, &mut turned.waiting, few);
        let old = match (is_whole, run.gap) {
            (_, true) => usize::MAX,
            (true, false) => MOST_OLD,
            (false, false) => 0,
        };
        ids.extend(in_turn(&self.moving, &mut turned.moving, old));
        ids
    }
}

/// Returns the unmanifested consignments that a lookup did not find. If the service refuses the whole request and
/// then every single id, none of the consignments counts as missing.
fn missing(ids: &[ConsignmentId], looked: &LookupResult, asked: &Lookups) -> Vec<ConsignmentId> {
    if !looked.is_certain && looked.found.is_empty() {
        return Vec::new();
    }
    let is_missing = |id: &&ConsignmentId| {
        (asked.exact.is_some() || asked.waiting.contains(*id))
            && !looked.found.iter().any(|one| one.id == **id)
            && !looked.withheld.iter().any(|(withheld, _)| withheld == *id)
    };
    ids.iter().filter(is_missing).copied().collect()
}

/// Returns the next `most` ids after the ids of the last sync; after the last id, continues with the first.
fn in_turn(
    ids: &BTreeSet<ConsignmentId>,
    last: &mut Option<ConsignmentId>,
    most: usize,
) -> Vec<ConsignmentId> {
    if most >= ids.len() {
        return ids.iter().copied().collect();
    }
    let is_after = |id: &&ConsignmentId| last.is_none_or(|last| **id > last);
    let after = ids.iter().filter(is_after);
    let chosen: Vec<_> = after.chain(ids).take(most).copied().collect();
    *last = chosen.last().copied().or(*last);
    chosen
}

impl EngineContext {
    /// Looks up open consignments that were not listed, a hundred at a time.
    pub(super) async fn look_up_unlisted(
        &self,
        run: &mut SyncRun,
        asked: &Lookups,
        turned: &mut LookupRotation,
    ) -> Result<(), EngineError> {
        let standing = self.track.sync_state();
        for ids in asked.chosen(run, turned).chunks(AT_ONCE) {
            standing.still_wanted(run.purpose, run.scope)?;
            let looked = self.looked_up(ids).await?;
            let missing = missing(ids, &looked, asked);
            for one in &looked.found {
                turned.missed.remove(&one.id);
                run.unread.remove(&one.id.get());
            }
            let unread = looked.unreadable.into_iter().map(|one| (one.key(), one));
            run.unread.extend(unread);
            if run.purpose == SyncPurpose::Unmanifested {
                self.remember_page(looked.found.clone()).await;
            }
            run.took(self.record_list(looked.found, run.purpose).await?);
            self.forget_gone(run, (missing, looked.is_certain), asked, &mut turned.missed)
                .await?;
            (self.repaint)();
        }
        Ok(())
    }

    /// Removes missing consignments that the service no longer has. `is_sure` is true if the service certainly does
    /// not have them. A new consignment may not be found yet, and a refusal may be temporary. Such a consignment is
    /// removed only if it is still missing ten minutes later. If `is_sure`, a new consignment that the service's
    /// exact list lacks too is removed at once.
    async fn forget_gone(
        &self,
        run: &mut SyncRun,
        (missing, is_sure): (Vec<ConsignmentId>, bool),
        asked: &Lookups,
        missed: &mut HashMap<ConsignmentId, Timestamp>,
    ) -> Result<(), EngineError> {
        if missing.is_empty() {
            return Ok(());
        }
        let lately = run.newest.max(Some(run.began));
        let known = missing.clone();
        let known = self.track.read(move |reader| reader.rows(&known)).await?;
        let mut is_gone = |id: &ConsignmentId| {
            let row = known.iter().find(|row| row.id == *id);
            let changed = row.and_then(|row| row.changed);
            let is_new = changed
                .is_some_and(|changed| lately.is_some_and(|lately| changed > lately - OVERLAP));
            let is_unlisted = asked
                .exact
                .as_ref()
                .is_some_and(|exact| !exact.contains(id));
            let since = *missed.entry(*id).or_insert(run.began);
            let gone = (is_sure && (!is_new || is_unlisted)) || since <= run.began - OVERLAP;
            if gone {
                missed.remove(id);
            }
            gone
        };
        let gone: Vec<_> = missing.into_iter().filter(|id| is_gone(id)).collect();
        if !gone.is_empty() {
            let forgotten = self.track.forget_unlisted(gone.into(), run.purpose).await?;
            run.gone.extend(forgotten);
        }
        Ok(())
    }
}
