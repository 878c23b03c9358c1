//! Keeping what the service said of consignments.
//!
//! What always holds: what an answer says nothing of stays as it was kept. It must not know how answers came.

use std::sync::Arc;

use jiff::Timestamp;

use crate::journal::{Followed, SyncScope};
use crate::shipping::{Consignment, ConsignmentId, Course};
use crate::work::WorkError;
use crate::work::bench::Bench;

use super::Track;

impl Bench {
    /// Keeps what the service said of these. Answers which are new or have changed, in their order.
    pub(in crate::work) async fn follow(
        &self,
        consignments: &[Consignment],
    ) -> Result<Vec<ConsignmentId>, WorkError> {
        let said = consignments.iter().map(|one| Followed::of(one, None));
        self.track.put(said.collect(), self.now()).await
    }

    /// Forgets these: the service has them no longer.
    pub(in crate::work) async fn unfollow(&self, ids: &[ConsignmentId]) -> Result<(), WorkError> {
        self.track.forget(ids.into()).await
    }
}

impl Track {
    /// Keeps these. Answers those that are new or have changed, in their order.
    pub(in crate::work) async fn put(
        &self,
        followed: Vec<Followed>,
        now: Timestamp,
    ) -> Result<Vec<ConsignmentId>, WorkError> {
        let held = self.clone();
        let changed = self
            .write(move |store| {
                let changed = store.keep(&followed, now)?;
                let ids = changed.iter().map(|gist| gist.id).collect();
                // While the store is held, so that the figures change in its order.
                held.0.figures.put(changed);
                Ok(ids)
            })
            .await?;
        self.0.tending.kept();
        self.tend(now);
        Ok(changed)
    }

    /// Forgets these.
    pub(in crate::work) async fn forget(&self, ids: Arc<[ConsignmentId]>) -> Result<(), WorkError> {
        let held = self.clone();
        self.write(move |store| {
            store.forget(&ids)?;
            held.0.figures.forget(&ids);
            Ok(())
        })
        .await
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
