//! What is done for the store behind everything else: the index filled, and what is old forgotten, in small turns.
//!
//! What always holds: one at a time; while a look at the service brings pages, it waits, unless too much waits already.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::Track;
use crate::work::WorkError;

/// Rows that are put into the index in a turn: some milliseconds.
const A_TURN: u32 = 256;

/// Rows that are forgotten in a turn.
const FORGOTTEN: usize = 500;

/// How long nothing was kept before the index is filled.
const QUIET: Duration = Duration::from_millis(400);

/// What may wait for the index however busy it is: a search looks through it row by row.
const MAY_WAIT: usize = 50_000;

/// How often it is looked for what is old.
const TIDIED: SignedDuration = SignedDuration::from_hours(24);

/// How tending goes.
#[derive(Default)]
pub(super) struct Tending {
    begun: AtomicBool,
    running: AtomicBool,
    kept: AtomicU64,
    /// When it was last looked for what is old, in seconds.
    tidied: AtomicU64,
}

impl Tending {
    /// Something was kept.
    pub(super) fn kept(&self) {
        self.kept.fetch_add(1, Ordering::Relaxed);
    }
}

impl Track {
    /// The store was used: the first time, what an earlier run left undone is seen to.
    pub(super) fn used(&self) {
        if !self.0.tending.begun.swap(true, Ordering::Relaxed) {
            self.tend(self.0.clock.now());
        }
    }

    /// Sees to the store in the background. `now` is the bench's.
    pub(super) fn tend(&self, now: Timestamp) {
        if self.0.tending.running.swap(true, Ordering::AcqRel) {
            return;
        }
        let track = self.clone();
        tokio::spawn(async move {
            let done = track.tend_all(now).await;
            track.0.tending.running.store(false, Ordering::Release);
            match done {
                // What was kept since it was looked last is seen to by nobody yet.
                Ok(kept) if kept != track.0.tending.kept.load(Ordering::Acquire) => track.tend(now),
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "what is followed could not be tended"),
            }
        });
    }

    /// Answers what had been kept when nothing was left to do.
    async fn tend_all(&self, now: Timestamp) -> Result<u64, WorkError> {
        loop {
            let before = self.0.tending.kept.load(Ordering::Relaxed);
            tokio::time::sleep(QUIET).await;
            let is_quiet = self.0.tending.kept.load(Ordering::Relaxed) == before;
            let waiting = self.write(|store| store.unindexed()).await?;
            if waiting == 0 && is_quiet {
                self.tidy(now).await?;
                return Ok(before);
            }
            if is_quiet || waiting > MAY_WAIT {
                self.index_some().await?;
            }
        }
    }

    /// Fills the index for as long as nothing is kept meanwhile, or too much waits.
    async fn index_some(&self) -> Result<(), WorkError> {
        let before = self.0.tending.kept.load(Ordering::Relaxed);
        let mut turns = 0_u32;
        while self.write(|store| store.index(A_TURN)).await? > 0 {
            turns += 1;
            let is_quiet = self.0.tending.kept.load(Ordering::Relaxed) == before;
            if !is_quiet && turns.is_multiple_of(8) {
                break;
            }
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// Forgets what is old, at most once a day.
    async fn tidy(&self, now: Timestamp) -> Result<(), WorkError> {
        let last = self.0.tending.tidied.load(Ordering::Relaxed);
        let at = u64::try_from(now.as_second()).unwrap_or_default();
        if at.abs_diff(last) < TIDIED.as_secs().unsigned_abs() {
            return Ok(());
        }
        let kept = || self.0.tending.kept.load(Ordering::Acquire);
        let before = kept();
        let old = self.read(move |reader| reader.overdue(now)).await?;
        for some in old.chunks(FORGOTTEN) {
            // What was kept meanwhile may be old no longer: it is looked again once that is over.
            if kept() != before {
                return Ok(());
            }
            self.forget(some.into()).await?;
            tokio::task::yield_now().await;
        }
        self.0.tending.tidied.store(at, Ordering::Relaxed);
        Ok(())
    }
}
