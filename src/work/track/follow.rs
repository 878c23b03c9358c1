//! Keeping what the service said of consignments.
//!
//! What always holds: what an answer says nothing of stays as it was kept. It must not know how answers came.

use std::sync::Arc;

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
        now: jiff::Timestamp,
    ) -> Result<Vec<ConsignmentId>, WorkError> {
        self.write(move |store| store.put(&followed, now)).await
    }

    /// Forgets these.
    pub(in crate::work) async fn forget(&self, ids: Arc<[ConsignmentId]>) -> Result<(), WorkError> {
        self.write(move |store| store.forget(&ids)).await
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
