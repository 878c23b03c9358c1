//! Looks up by id what no list reports: consignments that were deleted, changed without a change of status,
//! or not reported for ten days. Only an unmanifested consignment can turn out to be gone, and only if the
//! service says so. Any other consignment without an answer keeps its stored data.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;

use super::Look;
use super::reach::{OVERLAP, Reach};
use crate::shipping::{Consignment, ConsignmentId, Course};
use crate::work::WorkError;
use crate::work::bench::Bench;
use crate::work::operation::LookedUp;

/// How many of the unmanifested consignments that were not listed are looked up in each sync. A full sync
/// looks up all of them.
const FEW: usize = 400;

/// How many of the consignments in transit that were not listed for ten days are looked up in each full sync;
/// all of them if the bench was away for longer than that.
const MOST_OLD: usize = 2_000;

/// Ids in one request.
const AT_ONCE: usize = 100;

/// Open consignments in the store that were not listed.
pub(super) struct Asked {
    waiting: BTreeSet<ConsignmentId>,
    moving: BTreeSet<ConsignmentId>,
}

/// Where the next sync continues, for those that are not all looked up in one sync.
#[derive(Default)]
pub(super) struct Turned {
    waiting: Option<ConsignmentId>,
    moving: Option<ConsignmentId>,
    /// Consignments that were not found, each with the start of the sync that missed it first. They may be
    /// too new to be found, or be refused for a while.
    missed: HashMap<ConsignmentId, Timestamp>,
}

impl Asked {
    pub(super) fn of(open: Vec<(ConsignmentId, Course)>) -> Self {
        let (waiting, moving): (Vec<_>, Vec<_>) = open
            .into_iter()
            .partition(|(_, course)| *course == Course::Unmanifested);
        let ids = |those: Vec<(ConsignmentId, Course)>| those.into_iter().map(|(id, _)| id);
        Self {
            waiting: ids(waiting).collect(),
            moving: ids(moving).collect(),
        }
    }

    /// Removes consignments that a page listed: they need no lookup.
    pub(super) fn listed(&mut self, page: &[Consignment]) {
        for one in page {
            self.waiting.remove(&one.id);
            self.moving.remove(&one.id);
        }
    }

    fn chosen(&self, look: &Look, turned: &mut Turned) -> Vec<ConsignmentId> {
        let is_whole = look.reach == Reach::Whole;
        let few = if is_whole { usize::MAX } else { FEW };
        let mut ids = in_turn(&self.waiting, &mut turned.waiting, few);
        let old = match (is_whole, look.gap) {
            (_, true) => usize::MAX,
            (true, false) => MOST_OLD,
            (false, false) => 0,
        };
        ids.extend(in_turn(&self.moving, &mut turned.moving, old));
        ids
    }
}

/// Unmanifested consignments that were not found.
struct Missing {
    ids: Vec<ConsignmentId>,
    /// The service says that it does not have them. It may not know the newest ones yet.
    sure: bool,
}

impl Missing {
    /// Returns the unmanifested consignments that a lookup did not find. A service that refuses the whole
    /// request and then every single id says nothing about any of them.
    fn of(ids: &[ConsignmentId], looked: &LookedUp, waiting: &BTreeSet<ConsignmentId>) -> Self {
        let says_nothing = !looked.sure && looked.found.is_empty();
        let is_missing = |id: &&ConsignmentId| {
            waiting.contains(*id)
                && !looked.found.iter().any(|one| one.id == **id)
                && !looked.withheld.iter().any(|(withheld, _)| withheld == *id)
        };
        let missing = ids.iter().filter(|_| !says_nothing).filter(is_missing);
        Self {
            ids: missing.copied().collect(),
            sure: looked.sure,
        }
    }
}

/// Returns the next `most` ids after those of the last sync; after the last id, continues with the first.
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

impl Bench {
    /// Looks up open consignments that were not listed, a hundred at a time.
    pub(super) async fn ask_by_ids(
        &self,
        look: &mut Look,
        asked: &Asked,
        turned: &mut Turned,
    ) -> Result<(), WorkError> {
        let standing = self.track.standing();
        for ids in asked.chosen(look, turned).chunks(AT_ONCE) {
            standing.still_wanted(look.scope)?;
            let looked = self.looked_up(ids).await?;
            let missing = Missing::of(ids, &looked, &asked.waiting);
            for one in &looked.found {
                turned.missed.remove(&one.id);
            }
            look.took(self.follow_all(looked.found).await?);
            self.forget_gone(look, missing, &mut turned.missed).await?;
            (self.repaint)();
        }
        Ok(())
    }

    /// Removes consignments that the service no longer has. A new consignment may not be found yet, and a
    /// refusal may be temporary: such a consignment must still be missing ten minutes later.
    async fn forget_gone(
        &self,
        look: &mut Look,
        missing: Missing,
        missed: &mut HashMap<ConsignmentId, Timestamp>,
    ) -> Result<(), WorkError> {
        if missing.ids.is_empty() {
            return Ok(());
        }
        let lately = look.newest.max(Some(look.began));
        let known = missing.ids.clone();
        let known = self.track.read(move |reader| reader.rows(&known)).await?;
        let mut is_gone = |id: &ConsignmentId| {
            let row = known.iter().find(|row| row.id == *id);
            let changed = row.and_then(|row| row.changed);
            let is_new = changed
                .is_some_and(|changed| lately.is_some_and(|lately| changed > lately - OVERLAP));
            let since = *missed.entry(*id).or_insert(look.began);
            let gone = (missing.sure && !is_new) || since <= look.began - OVERLAP;
            if gone {
                missed.remove(id);
            }
            gone
        };
        let gone: Vec<_> = { missing.ids.into_iter() }
            .filter(|id| is_gone(id))
            .collect();
        if !gone.is_empty() {
            let forgotten = self.track.forget_unlisted(gone.into()).await?;
            look.gone.extend(forgotten);
        }
        Ok(())
    }
}
