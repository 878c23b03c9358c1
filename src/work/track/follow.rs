//! Keeping what the service said of consignments.
//!
//! What always holds: what an answer says nothing of stays as it was kept; of what a list says and an operation, the
//! operation's word counts. It must not know how answers came.

mod behind;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::Track;
use crate::journal::{Followed, Gist, JournalError, SyncScope, TrackStore};
use crate::shipping::{Consignment, ConsignmentId, Course};
use crate::work::WorkError;
use crate::work::bench::Bench;
pub(super) use behind::Behind;

/// Who tells of consignments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Teller {
    /// A list, or what a look asked for: it gives way to what became known in another way while a look is under way.
    List,
    /// An operation or an opened page.
    Operation,
}

/// What answers brought.
#[derive(Default)]
pub(in crate::work) struct Learnt {
    /// When the newest change was made that they tell of, by the service's clock.
    pub(in crate::work) newest: Option<Timestamp>,
    /// Which are new or have changed, in their order.
    pub(in crate::work) changed: Vec<ConsignmentId>,
}

impl Bench {
    /// Keeps what the service said of these just now. Answers which are new or have changed, in their order.
    pub(in crate::work) async fn follow(
        &self,
        consignments: &[Consignment],
    ) -> Result<Vec<ConsignmentId>, WorkError> {
        let ids = consignments.iter().map(|one| one.id);
        let unkept = self.track.standing().known(ids.collect());
        let track = &self.track;
        let told = track.follow(consignments.to_vec(), Teller::Operation, self.now());
        let news = told.await?;
        drop(unkept);
        Ok(news.changed)
    }

    /// Keeps what a list says of these.
    pub(in crate::work) async fn follow_all(
        &self,
        consignments: Vec<Consignment>,
    ) -> Result<Learnt, WorkError> {
        let track = &self.track;
        track.follow(consignments, Teller::List, self.now()).await
    }
}

impl Track {
    /// Keeps what answers say. All of it while the store is held: what was kept before is what they are put on top of.
    async fn follow(
        &self,
        consignments: Vec<Consignment>,
        teller: Teller,
        now: Timestamp,
    ) -> Result<Learnt, WorkError> {
        if consignments.is_empty() {
            return Ok(Learnt::default());
        }
        let changes = consignments.iter().flat_map(Consignment::history);
        let newest = changes.filter_map(|change| change.status_date_utc).max();
        let standing = self.clone();
        let gives_way = move |one: &&Consignment| {
            teller == Teller::List && standing.standing().is_newer(one.id)
        };
        let keep = move |store: &mut TrackStore| {
            let said: Vec<_> = { consignments.iter() }
                .filter(|one| !gives_way(one))
                .collect();
            store.keep(&followed(store, &said)?, now)
        };
        let changed = self.put(keep, now).await?;
        Ok(Learnt {
            newest: newest.map(|moment| moment.0),
            changed,
        })
    }

    /// Has `keep` keep some. Answers those that are new or have changed, in their order.
    pub(super) async fn put(
        &self,
        mut keep: impl FnMut(&mut TrackStore) -> Result<Vec<Gist>, JournalError> + Send + 'static,
        now: Timestamp,
    ) -> Result<Vec<ConsignmentId>, WorkError> {
        let held = self.clone();
        let changed = self
            .write(move |store| {
                let changed = keep(store)?;
                let ids: Vec<_> = changed.iter().map(|gist| gist.id).collect();
                // While the store is held, so that the figures change in its order.
                held.0.figures.put(changed);
                Ok(ids)
            })
            .await?;
        self.0.tending.kept();
        self.tend(now);
        if !changed.is_empty() {
            self.standing().changed();
        }
        Ok(changed)
    }

    /// Forgets these: the service has them no longer, or they are too old.
    pub(in crate::work) async fn forget(&self, ids: Arc<[ConsignmentId]>) -> Result<(), WorkError> {
        self.forget_but(ids, |_| false).await.map(drop)
    }

    /// Forgets these, as far as nothing newer is known of them; answers which.
    pub(in crate::work) async fn forget_unlisted(
        &self,
        ids: Arc<[ConsignmentId]>,
    ) -> Result<Vec<ConsignmentId>, WorkError> {
        let held = self.clone();
        let stays = move |id| held.standing().is_newer(id);
        self.forget_but(ids, stays).await
    }

    async fn forget_but(
        &self,
        ids: Arc<[ConsignmentId]>,
        stays: impl Fn(ConsignmentId) -> bool + Send + 'static,
    ) -> Result<Vec<ConsignmentId>, WorkError> {
        let held = self.clone();
        let gone = self
            .write(move |store| {
                let gone: Vec<_> = ids.iter().copied().filter(|id| !stays(*id)).collect();
                store.forget(&gone)?;
                held.0.figures.forget(&gone);
                Ok(gone)
            })
            .await?;
        self.standing().changed();
        Ok(gone)
    }

    /// What is followed of a scope and has not ended, each with how far along it is; the lowest id first. Whose company a
    /// scope with the companies below it takes in is not known here: all are answered then. Those of no known company or
    /// carrier may be of any.
    pub(in crate::work) async fn open_ids(
        &self,
        scope: SyncScope,
    ) -> Result<Vec<(ConsignmentId, Course)>, WorkError> {
        let figures = self.figures().await?;
        let places = figures.places();
        let company = scope.company.filter(|_| !scope.children);
        let companies: Vec<bool> = { places.companies.values().iter() }
            .map(|one| company.is_none() || one.is_none() || *one == company)
            .collect();
        let carriers: Vec<bool> = { places.carriers.values().iter() }
            .map(|one| scope.carrier.is_none() || one.is_none() || *one == scope.carrier)
            .collect();
        let statuses = places.statuses.values();
        let of = |flags: &[bool], place: u32| flags.get(place as usize).copied().unwrap_or(true);
        let open = figures.iter().filter_map(|one| {
            let status = statuses.get(one.status as usize)?;
            let is_open = !status.is_final();
            let is_of = of(&companies, one.company) && of(&carriers, one.carrier);
            (is_open && is_of).then(|| (one.id, status.course()))
        });
        Ok(open.collect())
    }
}

/// What answers say, each with what was kept before where it says nothing.
fn followed(store: &TrackStore, said: &[&Consignment]) -> Result<Vec<Followed>, JournalError> {
    let ids: Vec<_> = said.iter().map(|one| one.id).collect();
    let before: HashMap<_, _> = { store.rows(&ids)?.into_iter() }
        .map(|row| (row.id, row))
        .collect();
    let followed = |one: &&Consignment| Followed::of(one, before.get(&one.id));
    Ok(said.iter().map(followed).collect())
}
