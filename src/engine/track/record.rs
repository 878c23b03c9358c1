//! Writes consignments that the service returned to the tracking store. Fields that an answer leaves out keep
//! their stored values. If a list and an operation report a consignment at the same time, the operation wins.
//!
//! The consignments of operations are stored in the background, so that no operation waits for the tracking store or fails
//! with it. Updates are stored in the order in which they arrived. An update that can't be stored is found again by the
//! next sync.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;

use super::Track;
use super::sync::{SyncPurpose, UnstoredGuard};
use crate::context::{EngineContext, lock};
use crate::remote::Fetch;
use crate::{EngineError, OperationKind, OperationState, Outcome, Reads, Repaint};
use shipping::{Clock, Consignment, ConsignmentId, TransitState};
use storage::{ConsignmentHistory, SyncScope};

#[derive(Default)]
pub(crate) struct RecordedChanges {
    /// The time of the newest change in the answers, by the service's clock.
    pub(crate) newest: Option<Timestamp>,
    /// Ids of the consignments that are new or have changed, in the order of the answers.
    pub(crate) changed: Vec<ConsignmentId>,
}

impl EngineContext {
    /// Stores consignments that the service just returned. Their data wins over the lists of a running sync. Returns
    /// the ids of new or changed consignments, in the given order.
    pub(crate) async fn record(
        &self,
        consignments: &[Consignment],
    ) -> Result<Vec<ConsignmentId>, EngineError> {
        let ids = consignments.iter().map(|one| one.id);
        let unstored = self.track.sync_state().mark_newer(ids.collect());
        let told = self.track.follow(consignments.to_vec(), None, self.now());
        let news = told.await?;
        drop(unstored);
        Ok(news.changed)
    }

    pub(crate) async fn record_list(
        &self,
        consignments: Vec<Consignment>,
        purpose: SyncPurpose,
    ) -> Result<RecordedChanges, EngineError> {
        let list = Some(purpose);
        self.track.follow(consignments, list, self.now()).await
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

    /// Fetches consignments again after an operation on them, and updates the tracking store. Returns how many of
    /// them the service has.
    pub fn refresh(&self, ids: Vec<ConsignmentId>) -> Fetch<usize> {
        self.job(move |bench| async move {
            let found = bench.existing_consignments(&ids).await?;
            bench.record(&found).await?;
            Ok(found.len())
        })
    }
}

impl Track {
    /// Merges answers into the store. Answers of a `list`, or of a sync's lookup by id, are ignored for consignments
    /// that an operation or an opened page reported during the sync. One lock covers the reading of the old rows and
    /// the writing of the new rows, so that no other change happens in between.
    async fn follow(
        &self,
        consignments: Vec<Consignment>,
        list: Option<SyncPurpose>,
        now: Timestamp,
    ) -> Result<RecordedChanges, EngineError> {
        if consignments.is_empty() {
            return Ok(RecordedChanges::default());
        }
        let changes = consignments.iter().flat_map(Consignment::history);
        let newest = changes.filter_map(|change| change.status_date_utc).max();
        let track = self.clone();
        let changed = self
            .write(move |store| {
                let gives_way = |one: &Consignment| {
                    list.is_some_and(|purpose| track.sync_state().is_newer(purpose, one.id))
                };
                let answers = consignments.iter().filter(|one| !gives_way(one));
                let ids: Vec<_> = answers.clone().map(|one| one.id).collect();
                let before: HashMap<_, _> = { store.rows(&ids)?.into_iter() }
                    .map(|row| (row.id, row))
                    .collect();
                let merged = answers.map(|one| ConsignmentHistory::of(one, before.get(&one.id)));
                let changed = store.put(&merged.collect::<Vec<_>>(), now)?;
                let ids: Vec<_> = changed.iter().map(|summary| summary.id).collect();
                track.summarize(&changed);
                track.0.texts.changed(&ids);
                Ok(ids)
            })
            .await?;
        self.0.maintenance.count_write();
        self.start_maintenance(now);
        if !changed.is_empty() {
            self.sync_state().changed();
        }
        Ok(RecordedChanges {
            newest: newest.map(|moment| moment.0),
            changed,
        })
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
                held.forget_summaries(&gone);
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
        let summaries = self.summaries().await?;
        let company = scope.company.filter(|_| !scope.children);
        let open = summaries.iter().filter_map(|one| {
            let (of, carrier, status) = summaries.ids_of(one);
            let is_of = company.is_none_or(|company| of.is_none_or(|of| of == company))
                && (scope.carrier).is_none_or(|wanted| carrier.is_none_or(|one| one == wanted));
            (is_of && !status.is_final()).then(|| (one.id, status.transit_state()))
        });
        Ok(open.collect())
    }
}

/// The most updates that may wait. If there are more, the oldest update is dropped; the next sync finds it again.
const MOST: usize = 256;

/// The longest that a search waits for updates, and how often it checks whether they are stored.
const STORED_WITHIN: Duration = Duration::from_secs(1);
const STORED_POLL: Duration = Duration::from_millis(5);

#[derive(Default)]
pub(super) struct BackgroundUpdates(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    updates: VecDeque<(Update, UnstoredGuard)>,
    at_work: bool,
}

enum Update {
    Seen(Vec<Consignment>),
    Gone(Vec<ConsignmentId>),
}

impl EngineContext {
    pub(crate) fn record_outcome(&self, outcome: &Outcome) {
        let update = match outcome {
            Outcome::ConsignmentsRead(seen) if seen.is_empty() => return,
            Outcome::ConsignmentsRead(seen) => Update::Seen(seen.clone()),
            Outcome::Created { consignment, .. }
            | Outcome::Edited { consignment, .. }
            | Outcome::Converted { consignment, .. } => Update::Seen(vec![(**consignment).clone()]),
            Outcome::Gone(gone) => Update::Gone(gone.clone()),
            Outcome::Operation(done)
                if done.kind == OperationKind::Delete && done.state == OperationState::Done =>
            {
                Update::Gone(done.consignments.clone())
            }
            _ => return,
        };
        let (clock, repaint) = (self.clock.clone(), Arc::clone(&self.repaint));
        self.track.queue_update(update, clock, repaint);
    }
}

impl Track {
    fn queue_update(&self, update: Update, clock: Clock, repaint: Repaint) {
        let unstored = self.sync_state().mark_newer(update.ids().collect());
        let mut queue = lock(&self.0.behind.0);
        if queue.updates.len() >= MOST {
            queue.updates.pop_front();
            tracing::warn!("tracking updates arrive faster than they can be stored");
        }
        queue.updates.push_back((update, unstored));
        if !std::mem::replace(&mut queue.at_work, true) {
            let track = self.clone();
            tokio::spawn(async move {
                track.keep_all(&clock).await;
                repaint();
            });
        }
    }

    /// Waits until the consignments of earlier operations are stored, so that a search finds them.
    pub(super) async fn wait_until_stored(&self) {
        let stored = async {
            while self.sync_state().has_unstored() {
                tokio::time::sleep(STORED_POLL).await;
            }
        };
        tokio::time::timeout(STORED_WITHIN, stored).await.ok();
    }

    async fn keep_all(&self, clock: &Clock) {
        loop {
            let update = {
                let mut queue = lock(&self.0.behind.0);
                let update = queue.updates.pop_front();
                queue.at_work = update.is_some();
                update
            };
            let Some((update, unstored)) = update else {
                return;
            };
            if let Err(error) = self.keep(update, clock).await {
                tracing::warn!(%error, "an operation's consignments could not be written to the tracking store");
            }
            drop(unstored);
        }
    }

    async fn keep(&self, update: Update, clock: &Clock) -> Result<(), EngineError> {
        match update {
            Update::Seen(seen) => {
                let kept = self.follow(seen, None, clock.now()).await;
                kept.map(drop)
            }
            Update::Gone(gone) => self.forget(gone.into()).await,
        }
    }
}

impl Update {
    fn ids(&self) -> impl Iterator<Item = ConsignmentId> {
        let (seen, gone) = match self {
            Self::Seen(seen) => (seen.as_slice(), [].as_slice()),
            Self::Gone(gone) => ([].as_slice(), gone.as_slice()),
        };
        let seen = seen.iter().map(|one| one.id);
        seen.chain(gone.iter().copied())
    }
}
