//! Writes consignments that the service returned to the tracking store. Fields that an answer leaves out keep
//! their stored values. If a list and an operation report a consignment at the same time, the operation wins.

mod background;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::Track;
use super::summary_cache::SummaryChange;
use super::sync::SyncPurpose;
use crate::context::EngineContext;
use crate::remote::Fetch;
use crate::{EngineError, Reads};
pub(super) use background::BackgroundUpdates;
use shipping::{Consignment, ConsignmentId, TransitState};
use storage::{ConsignmentHistory, ConsignmentSummary, JournalError, SyncScope, TrackStore};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerSource {
    /// A list, or a sync's lookup by id. Gives way to an `Operation` that reported the consignment
    /// during the sync.
    List(SyncPurpose),
    /// An operation, or an opened details page.
    Operation,
}

#[derive(Default)]
pub(crate) struct RecordedChanges {
    /// When the newest change in the answers was made, by the service's clock.
    pub(crate) newest: Option<Timestamp>,
    /// Ids of the consignments that are new or have changed, in the order of the answers.
    pub(crate) changed: Vec<ConsignmentId>,
}

impl EngineContext {
    /// Stores consignments as the service just returned them. They win over the lists of a running sync.
    /// Returns the ids of consignments that are new or have changed, in their order.
    pub(crate) async fn record(
        &self,
        consignments: &[Consignment],
    ) -> Result<Vec<ConsignmentId>, EngineError> {
        let ids = consignments.iter().map(|one| one.id);
        let unkept = self.track.sync_state().mark_newer(ids.collect());
        let track = &self.track;
        let told = track.follow(consignments.to_vec(), AnswerSource::Operation, self.now());
        let news = told.await?;
        drop(unkept);
        Ok(news.changed)
    }

    pub(crate) async fn record_list(
        &self,
        consignments: Vec<Consignment>,
        purpose: SyncPurpose,
    ) -> Result<RecordedChanges, EngineError> {
        let source = AnswerSource::List(purpose);
        self.track.follow(consignments, source, self.now()).await
    }
}

impl Reads {
    /// Fetches a consignment from the service, and updates the tracking store.
    pub fn full_consignment(&self, id: ConsignmentId) -> Fetch<Arc<Consignment>> {
        self.job(move |bench| async move {
            let one = bench.client.consignment(id).await?;
            bench.record(std::slice::from_ref(&one)).await?;
            Ok(Arc::new(one))
        })
    }

    /// Fetches consignments again after something was done with them, and updates the tracking store. Returns
    /// how many of them the service has.
    pub fn refresh(&self, ids: Vec<ConsignmentId>) -> Fetch<usize> {
        self.job(move |bench| async move {
            let found = bench.existing_consignments(&ids).await?;
            bench.record(&found).await?;
            Ok(found.len())
        })
    }
}

impl Track {
    /// Merges answers into the store. The old rows are read under the same lock under which the new rows are
    /// written, so no other change comes in between.
    async fn follow(
        &self,
        consignments: Vec<Consignment>,
        teller: AnswerSource,
        now: Timestamp,
    ) -> Result<RecordedChanges, EngineError> {
        if consignments.is_empty() {
            return Ok(RecordedChanges::default());
        }
        let changes = consignments.iter().flat_map(Consignment::history);
        let newest = changes.filter_map(|change| change.status_date_utc).max();
        let standing = self.clone();
        let gives_way = move |one: &&Consignment| match teller {
            AnswerSource::List(purpose) => standing.sync_state().is_newer(purpose, one.id),
            AnswerSource::Operation => false,
        };
        let keep = move |store: &mut TrackStore| {
            let said: Vec<_> = { consignments.iter() }
                .filter(|one| !gives_way(one))
                .collect();
            store.put_and_summarize(&followed(store, &said)?, now)
        };
        let changed = self.put(keep, now).await?;
        Ok(RecordedChanges {
            newest: newest.map(|moment| moment.0),
            changed,
        })
    }

    /// Writes rows with `keep`, then updates the summaries. Returns the ids of the rows that are new or have
    /// changed, in their order.
    pub(super) async fn put(
        &self,
        mut keep: impl FnMut(&mut TrackStore) -> Result<Vec<ConsignmentSummary>, JournalError>
        + Send
        + 'static,
        now: Timestamp,
    ) -> Result<Vec<ConsignmentId>, EngineError> {
        let held = self.clone();
        let changed = self
            .write(move |store| {
                let changed = keep(store)?;
                let ids: Vec<_> = changed.iter().map(|gist| gist.id).collect();
                // Under the store's lock, so that the summaries change in the same order as the store.
                held.0.summaries.apply(SummaryChange::Written(changed));
                held.0.texts.changed(&ids);
                Ok(ids)
            })
            .await?;
        self.0.maintenance.count_write();
        self.start_maintenance(now);
        if !changed.is_empty() {
            self.sync_state().changed();
        }
        Ok(changed)
    }

    /// Removes consignments that the service no longer has or that are too old.
    pub(crate) async fn forget(&self, ids: Arc<[ConsignmentId]>) -> Result<(), EngineError> {
        self.forget_but(ids, |_| false).await.map(drop)
    }

    /// Removes consignments, unless an operation or an opened page has brought newer data about them. Returns
    /// the removed ids.
    pub(crate) async fn forget_unlisted(
        &self,
        ids: Arc<[ConsignmentId]>,
        purpose: SyncPurpose,
    ) -> Result<Vec<ConsignmentId>, EngineError> {
        let held = self.clone();
        let stays = move |id| held.sync_state().is_newer(purpose, id);
        self.forget_but(ids, stays).await
    }

    async fn forget_but(
        &self,
        ids: Arc<[ConsignmentId]>,
        stays: impl Fn(ConsignmentId) -> bool + Send + 'static,
    ) -> Result<Vec<ConsignmentId>, EngineError> {
        let held = self.clone();
        let gone = self
            .write(move |store| {
                let gone: Vec<_> = ids.iter().copied().filter(|id| !stays(*id)).collect();
                store.forget(&gone)?;
                held.0.summaries.apply(SummaryChange::Removed(gone.clone()));
                Ok(gone)
            })
            .await?;
        self.sync_state().changed();
        Ok(gone)
    }

    /// Returns the open consignments of a scope with their transit state, the lowest id first. If the scope
    /// includes child companies, the company is not checked, because the tree of companies is not known here.
    /// Consignments without a known company or carrier always match.
    pub(crate) async fn open_ids(
        &self,
        scope: SyncScope,
    ) -> Result<Vec<(ConsignmentId, TransitState)>, EngineError> {
        let figures = self.summaries().await?;
        let places = figures.ids();
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
            (is_open && is_of).then(|| (one.id, status.transit_state()))
        });
        Ok(open.collect())
    }
}

/// Merges each answer with its stored row.
fn followed(
    store: &TrackStore,
    said: &[&Consignment],
) -> Result<Vec<ConsignmentHistory>, JournalError> {
    let ids: Vec<_> = said.iter().map(|one| one.id).collect();
    let before: HashMap<_, _> = { store.rows(&ids)?.into_iter() }
        .map(|row| (row.id, row))
        .collect();
    let followed = |one: &&Consignment| ConsignmentHistory::of(one, before.get(&one.id));
    Ok(said.iter().map(followed).collect())
}
