//! Keeping what the service said of consignments.
//!
//! What always holds: what an answer says nothing of stays as it was kept. It must not know how answers came.

mod behind;

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::Track;
use crate::journal::{Followed, JournalError, SyncScope, TrackReader};
use crate::shipping::{Consignment, ConsignmentId, Course};
use crate::work::WorkError;
use crate::work::bench::Bench;
pub(super) use behind::Behind;

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
        self.track.standing().known_meanwhile(ids);
        let news = self.follow_all(consignments.to_vec()).await?;
        Ok(news.changed)
    }

    /// Keeps what a list says of these.
    pub(in crate::work) async fn follow_all(
        &self,
        consignments: Vec<Consignment>,
    ) -> Result<Learnt, WorkError> {
        self.track.follow(consignments, self.now()).await
    }

    /// Forgets these: the service has them no longer.
    pub(in crate::work) async fn unfollow(&self, ids: &[ConsignmentId]) -> Result<(), WorkError> {
        self.track.forget(ids.into()).await
    }
}

impl Track {
    /// Keeps what answers say.
    async fn follow(
        &self,
        consignments: Vec<Consignment>,
        now: Timestamp,
    ) -> Result<Learnt, WorkError> {
        if consignments.is_empty() {
            return Ok(Learnt::default());
        }
        let changes = consignments.iter().flat_map(Consignment::history);
        let newest = changes.filter_map(|change| change.status_date_utc).max();
        let followed = self.read(move |reader| said(reader, &consignments)).await?;
        Ok(Learnt {
            newest: newest.map(|moment| moment.0),
            changed: self.put(followed, now).await?,
        })
    }

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

    /// Forgets these.
    pub(in crate::work) async fn forget(&self, ids: Arc<[ConsignmentId]>) -> Result<(), WorkError> {
        let held = self.clone();
        self.write(move |store| {
            store.forget(&ids)?;
            held.0.figures.forget(&ids);
            Ok(())
        })
        .await?;
        self.standing().changed();
        Ok(())
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
fn said(reader: &TrackReader, consignments: &[Consignment]) -> Result<Vec<Followed>, JournalError> {
    let ids: Vec<_> = consignments.iter().map(|one| one.id).collect();
    let before: HashMap<_, _> = { reader.rows(&ids)?.into_iter() }
        .map(|row| (row.id, row))
        .collect();
    let said = consignments.iter();
    Ok(said
        .map(|one| Followed::of(one, before.get(&one.id)))
        .collect())
}
