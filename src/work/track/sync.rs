//! The store kept up with the service.

use std::sync::{Arc, Mutex, PoisonError};

use crate::client::RecentUpdates;
use crate::journal::{SyncMark, SyncScope};
use crate::shipping::ConsignmentId;
use crate::work::remote::Fetch;
use crate::work::{ListProgress, Reads};
use jiff::SignedDuration;

/// How far recent updates go back: just inside the service's ten days.
const RECENT: SignedDuration = SignedDuration::from_hours(239);

/// What is to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncOrder {
    /// Whose.
    pub scope: SyncScope,
    /// All that the service lists, not the differences alone.
    pub whole: bool,
}

/// What a look brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synced {
    /// Whose.
    pub scope: SyncScope,
    /// Up to when it is known now.
    pub mark: SyncMark,
    /// Which are new or have changed.
    pub changed: Arc<[ConsignmentId]>,
    /// Which the service has no more.
    pub gone: Arc<[ConsignmentId]>,
    /// The bench was away for longer than the service's lists go back: what came and went meanwhile is not known.
    pub gap: bool,
}

/// How far a look is that is under way.
#[derive(Default)]
pub(super) struct Standing(Mutex<Option<ListProgress>>);

impl Standing {
    pub(super) fn set(&self, progress: Option<ListProgress>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }

    pub(super) fn get(&self) -> Option<ListProgress> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reads {
    /// Brings the store up to date.
    pub fn sync(&self, order: SyncOrder) -> Fetch<Synced> {
        self.job(move |bench| async move {
            let began = bench.now();
            let updates = RecentUpdates {
                company: order.scope.company,
                children: order.scope.children,
                carrier: order.scope.carrier,
                ..RecentUpdates::since(began - RECENT)
            };
            let mut pages = bench.client.recent_pages(updates);
            let mut changed = Vec::new();
            while let Some(page) = pages.next().await? {
                changed.extend(bench.follow(&page).await?);
                let of = pages.total().and_then(|total| usize::try_from(total).ok());
                let came = pages.came();
                bench.track.0.sync.set(Some(ListProgress { came, of }));
            }
            bench.track.0.sync.set(None);
            let mark = SyncMark {
                seen_to: began,
                at: began,
                whole_at: began,
            };
            let scope = order.scope;
            bench
                .track
                .write(move |store| store.set_mark(scope, mark))
                .await?;
            Ok(Synced {
                scope,
                mark,
                changed: changed.into(),
                gone: Arc::default(),
                gap: false,
            })
        })
    }

    /// How far the look is that is under way.
    pub fn sync_progress(&self) -> Option<ListProgress> {
        self.bench().track.0.sync.get()
    }

    /// Up to when a scope is known.
    pub fn sync_mark(&self, scope: SyncScope) -> Fetch<Option<SyncMark>> {
        self.job(
            move |bench| async move { bench.track.read(move |reader| reader.mark(scope)).await },
        )
    }
}
