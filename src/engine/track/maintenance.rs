//! Background maintenance of the tracking store, in small batches: fills the search index and removes old
//! consignments. At most one run is active. While a sync writes pages, indexing waits, unless too many rows are not
//! indexed yet.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::Track;
use crate::EngineError;

/// Rows that are indexed in one write, which takes some milliseconds.
const INDEX_BATCH: u32 = 256;

const REMOVE_BATCH: usize = 500;

/// The time without writes that must pass before the index is filled.
const IDLE_BEFORE_INDEXING: Duration = Duration::from_millis(400);

/// If more rows than this are not indexed, the index is filled even while the store is busy, because a search
/// scans those rows one by one.
const MAX_UNINDEXED: usize = 50_000;

const REMOVE_INTERVAL: SignedDuration = SignedDuration::from_hours(24);

#[derive(Default)]
pub(super) struct MaintenanceState {
    begun: AtomicBool,
    running: AtomicBool,
    kept: AtomicU64,
    /// When old consignments were last removed, in seconds since 1970.
    removed_at: AtomicU64,
}

impl MaintenanceState {
    pub(super) fn count_write(&self) {
        self.kept.fetch_add(1, Ordering::Relaxed);
    }
}

impl Track {
    /// Starts maintenance on the first use of the store, for work that an earlier run left undone.
    pub(super) fn used(&self) {
        if !self.0.maintenance.begun.swap(true, Ordering::Relaxed) {
            self.start_maintenance(self.0.clock.now());
        }
    }

    /// Starts maintenance in the background, unless it is running already. `now` is by the bench's clock.
    pub(super) fn start_maintenance(&self, now: Timestamp) {
        if self.0.maintenance.running.swap(true, Ordering::AcqRel) {
            return;
        }
        let track = self.clone();
        tokio::spawn(async move {
            let done = track.run_maintenance(now).await;
            track.0.maintenance.running.store(false, Ordering::Release);
            match done {
                // Rows written after the last check have not been handled yet.
                Ok(kept) if kept != track.0.maintenance.kept.load(Ordering::Acquire) => {
                    track.start_maintenance(now);
                }
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "maintenance of the tracking store failed"),
            }
        });
    }

    /// Works until nothing is left to do. Returns the number of writes up to then.
    async fn run_maintenance(&self, now: Timestamp) -> Result<u64, EngineError> {
        loop {
            let before = self.0.maintenance.kept.load(Ordering::Relaxed);
            tokio::time::sleep(IDLE_BEFORE_INDEXING).await;
            let is_quiet = self.0.maintenance.kept.load(Ordering::Relaxed) == before;
            let waiting = self.write(|store| store.unindexed()).await?;
            if waiting == 0 && is_quiet {
                self.remove_old(now).await?;
                self.write(|store| store.release_memory()).await?;
                return Ok(before);
            }
            if is_quiet || waiting > MAX_UNINDEXED {
                self.index_some().await?;
            }
        }
    }

    /// Fills the index until it is complete. After every eight batches, stops if the store was written meanwhile.
    async fn index_some(&self) -> Result<(), EngineError> {
        let before = self.0.maintenance.kept.load(Ordering::Relaxed);
        let mut turns = 0_u32;
        while self.write(|store| store.index(INDEX_BATCH)).await? > 0 {
            turns += 1;
            let is_quiet = self.0.maintenance.kept.load(Ordering::Relaxed) == before;
            if !is_quiet && turns.is_multiple_of(8) {
                break;
            }
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// Removes old consignments, at most once a day.
    async fn remove_old(&self, now: Timestamp) -> Result<(), EngineError> {
        let last = self.0.maintenance.removed_at.load(Ordering::Relaxed);
        let at = u64::try_from(now.as_second()).unwrap_or_default();
        if at.abs_diff(last) < REMOVE_INTERVAL.as_secs().unsigned_abs() {
            return Ok(());
        }
        let kept = || self.0.maintenance.kept.load(Ordering::Acquire);
        let before = kept();
        let old = self.read(move |reader| reader.overdue(now)).await?;
        for some in old.chunks(REMOVE_BATCH) {
            // A row that was written meanwhile may no longer be old: stop, and check again after those writes.
            if kept() != before {
                return Ok(());
            }
            self.forget(some.into()).await?;
            tokio::task::yield_now().await;
        }
        self.0.maintenance.removed_at.store(at, Ordering::Relaxed);
        Ok(())
    }
}
