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
pub(in crate::work) struct News {
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
    ) -> Result<News, WorkError> {
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
    ) -> Result<News, WorkError> {
        if consignments.is_empty() {
            return Ok(News::default());
        }
        let changes = consignments.iter().flat_map(Consignment::history);
        let newest = changes.filter_map(|change| change.status_date_utc).max();
        let followed = self.read(move |reader| said(reader, &consignments)).await?;
        Ok(News {
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
        let changed = self.write(move |store| store.put(&followed, now)).await?;
        if !changed.is_empty() {
            self.standing().changed();
        }
        Ok(changed)
    }

    /// Forgets these.
    pub(in crate::work) async fn forget(&self, ids: Arc<[ConsignmentId]>) -> Result<(), WorkError> {
        self.write(move |store| store.forget(&ids)).await?;
        self.standing().changed();
        Ok(())
    }

    /// What is followed of a scope and has not ended, each with how far along it is; the lowest id first. Whose company a
    /// scope with the companies below it takes in is not known here: all are answered then.
    pub(in crate::work) async fn open_ids(
        &self,
        scope: SyncScope,
    ) -> Result<Vec<(ConsignmentId, Course)>, WorkError> {
        self.read(move |reader| {
            let mut open = Vec::new();
            reader.each(|row| {
                let course = row.status.id.course();
                let company = scope.company.filter(|_| !scope.children);
                let is_of = (company.is_none() || row.company.is_none() || row.company == company)
                    && (scope.carrier.is_none() || row.carrier_id == scope.carrier);
                if is_of && !row.status.id.is_final() {
                    open.push((row.id, course));
                }
            })?;
            Ok(open)
        })
        .await
    }
}

/// What answers say, each with what was kept before where it says nothing.
fn said(reader: &TrackReader, consignments: &[Consignment]) -> Result<Vec<Followed>, JournalError> {
    let ids: Vec<_> = consignments.iter().map(|one| one.id).collect();
    let before: HashMap<_, _> = { reader.rows(&ids)?.into_iter() }
        .map(|row| (row.id, row))
        .collect();
    let said = consignments.iter().map(|one| {
        let before = before.get(&one.id);
        let mut said = Followed::of(one, before);
        if said.history.is_empty() && before.is_some() {
            said.history = reader.history(one.id)?;
        }
        Ok(said)
    });
    said.collect()
}
