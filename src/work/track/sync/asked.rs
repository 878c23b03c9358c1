//! What no list tells: a consignment that was deleted, one that was changed without a change of status, and one of which
//! nobody said anything for ten days. They are asked for by their ids.
//!
//! What always holds: only what waits for a manifest can be gone, and only where the service says so; of anything else that is
//! not answered, the last word stays.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;

use super::Look;
use super::reach::{OVERLAP, Reach};
use crate::shipping::{Consignment, ConsignmentId, Course};
use crate::work::WorkError;
use crate::work::bench::Bench;
use crate::work::operation::LookedUp;

/// Of those that wait for a manifest and are not listed, so many are asked for with each look; all with a whole one.
const FEW: usize = 400;

/// Of those that are on their way and were not listed for ten days, so many are asked for with each whole look; all where
/// the bench was away for longer than that.
const MOST_OLD: usize = 2_000;

/// Ids in one question.
const AT_ONCE: usize = 100;

/// What is open in the store and was not listed.
pub(super) struct Asked {
    waiting: BTreeSet<ConsignmentId>,
    moving: BTreeSet<ConsignmentId>,
}

/// Where the next turn goes on, for those that are not all asked for with one look.
#[derive(Default)]
pub(super) struct Turned {
    waiting: Option<ConsignmentId>,
    moving: Option<ConsignmentId>,
    /// Since when these are not found, although they were made only just before, or are refused.
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

    /// These need not be asked for.
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

/// What waits for a manifest and is not found.
struct Missing {
    ids: Vec<ConsignmentId>,
    /// The service has them no more, as far as it knows them yet.
    sure: bool,
}

impl Missing {
    /// A service that refuses the question as a whole, and then each one of it, says nothing of any.
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

/// The next ones after those of the last turn, `most` at the most; from the first again after the last.
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
    /// Asks for what is open and was not listed, a hundred at a time.
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

    /// The service has these no more. One that was made only just now may not be found yet, and one that is refused may be so
    /// for a while only: it has to be missed again after that.
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
