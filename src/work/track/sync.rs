//! Syncs the tracking store with the service: reads the changes since the last sync page by page, and looks
//! up by id what no list reports.
//!
//! Invariants: one sync runs at a time, with at most two pages in memory. A mark is written only after every
//! row before it, so a failed or interrupted sync only costs repeated work; marks are by the service's clock,
//! because this machine's clock may be wrong. A sync never overwrites newer data from an operation or an
//! opened page.

mod asked;
mod pages;
mod reach;
mod standing;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};

use super::follow::Learnt;
use crate::journal::{JournalError, SyncMark, SyncScope};
use crate::shipping::{Consignment, ConsignmentId, PartialList, Unread};
use crate::work::bench::Bench;
use crate::work::remote::Fetch;
use crate::work::unread::UnreadRecords;
use crate::work::{ListProgress, Reads, WorkError};
use asked::Asked;
use reach::Reach;
use standing::Memory;
pub(super) use standing::{Standing, Unkept};

/// How often a sync starts over because the store was recreated meanwhile.
const BEGINS: usize = 3;

/// A request to sync a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncOrder {
    pub scope: SyncScope,
    /// Read all that the service lists, not only the changes.
    pub whole: bool,
}

/// The result of a sync.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synced {
    pub scope: SyncScope,
    /// Up to when all changes are known now.
    pub mark: SyncMark,
    /// Consignments that are new or have changed.
    pub changed: Arc<[ConsignmentId]>,
    /// Consignments that the service no longer has.
    pub gone: Arc<[ConsignmentId]>,
    /// The last sync was longer ago than the service's lists go back: changes in between may be missing.
    pub gap: bool,
}

/// A sync in progress.
struct Look {
    scope: SyncScope,
    reach: Reach,
    /// The mark of the previous sync.
    mark: Option<SyncMark>,
    /// By this machine's clock.
    began: Timestamp,
    running: Instant,
    /// Start of the period for which the list was requested.
    from: Timestamp,
    /// When the newest change seen so far was made, by the service's clock.
    newest: Option<Timestamp>,
    changed: HashSet<ConsignmentId>,
    gone: Vec<ConsignmentId>,
    /// Records that can't be read, as far as known.
    unread: HashMap<i64, Unread>,
    /// The service's lists do not go back to the previous sync.
    gap: bool,
}

impl Reads {
    /// Updates the store with the changes since the last sync, or with all that the service lists. Ends a
    /// running sync of another scope, because nobody waits for it any more.
    pub fn sync(&self, order: SyncOrder) -> Fetch<Synced> {
        self.bench().track.standing().want(order.scope);
        self.job(move |bench| async move {
            tokio::select! {
                synced = bench.sync(order) => synced,
                // The window was closed.
                () = bench.outcomes.closed() => Err(WorkError::Internal),
            }
        })
    }

    /// Returns the progress of the running sync.
    pub fn sync_progress(&self) -> Option<ListProgress> {
        self.bench().track.standing().progress()
    }

    /// Returns a number that increases with every change of the tracked consignments, whatever its source.
    pub fn followed_version(&self) -> u64 {
        self.bench().track.standing().version()
    }

    /// Returns up to when the changes of a scope are known.
    pub fn sync_mark(&self, scope: SyncScope) -> Fetch<Option<SyncMark>> {
        self.local(
            move |bench| async move { bench.track.read(move |reader| reader.mark(scope)).await },
        )
    }
}

impl Bench {
    async fn sync(&self, order: SyncOrder) -> Result<Synced, WorkError> {
        let mut memory = self.track.standing().turn().await;
        for _ in 0..BEGINS {
            if let Some(synced) = self.look_at(order, &mut memory).await? {
                return Ok(synced);
            }
        }
        Err(JournalError::Damaged.into())
    }

    /// Runs one sync. Returns `None` if the store was recreated meanwhile, because the rows stored
    /// before are lost.
    async fn look_at(
        &self,
        order: SyncOrder,
        memory: &mut Memory,
    ) -> Result<Option<Synced>, WorkError> {
        let standing = self.track.standing();
        standing.still_wanted(order.scope)?;
        let under_way = standing.begins(order.scope);
        let scope = order.scope;
        let begun = self.track.begun();
        let mark = self.track.read(move |reader| reader.mark(scope)).await?;
        if self.track.begun() != begun {
            return Ok(None);
        }
        let began = self.now();
        let reach = Reach::of(mark, order.whole, memory.far_at(scope), began);
        let mut look = Look::new(scope, reach, mark, began, memory.newest(scope));
        if reach != Reach::Whole {
            look.unread = memory.unread(scope);
        }
        let mut asked = Asked::of(self.track.open_ids(scope).await?);
        self.read_pages(&mut look, &mut asked).await?;
        self.ask_by_ids(&mut look, &asked, memory.turned()).await?;
        let mark = look.mark_now(self.now());
        let is_set = self.track.set_mark(scope, mark, begun).await?;
        if is_set {
            memory.ended(&look);
            self.tell_unread_followed(&look).await?;
        }
        drop(under_way);
        Ok(is_set.then(|| look.synced(mark)))
    }

    /// Reports the tracked records that can't be read, for the screen to show.
    async fn tell_unread_followed(&self, look: &Look) -> Result<(), WorkError> {
        let mut unread: Vec<_> = look.unread.values().cloned().collect();
        unread.sort_by_key(|one| (one.at, one.key()));
        let ids = unread.iter().filter_map(|one| one.id);
        let ids: Vec<_> = ids.map(ConsignmentId::new).collect();
        let kept = self
            .track
            .read(move |reader| reader.rows(&ids))
            .await?
            .len();
        let of = self.track.figures().await?.iter().count() + unread.len() - kept;
        self.unreadable.lists().followed = UnreadRecords::new(unread, of);
        Ok(())
    }
}

impl Look {
    fn new(
        scope: SyncScope,
        reach: Reach,
        mark: Option<SyncMark>,
        began: Timestamp,
        newest: Option<Timestamp>,
    ) -> Self {
        Self {
            scope,
            reach,
            mark,
            began,
            running: Instant::now(),
            from: began,
            newest,
            changed: HashSet::new(),
            gone: Vec::new(),
            unread: HashMap::new(),
            gap: false,
        }
    }

    /// Remembers the records of a page that can't be read, and drops those that have become readable.
    fn set_aside(&mut self, page: &PartialList<Consignment>) {
        for one in &page.rows {
            self.unread.remove(&one.id.get());
        }
        let unread = page.unread.iter().map(|one| (one.key(), one.clone()));
        self.unread.extend(unread);
    }

    fn took(&mut self, learnt: Learnt) {
        self.newest = self.newest.max(learnt.newest);
        self.changed.extend(learnt.changed);
    }

    /// Returns the mark up to which all changes are known. The service's clock is known only from its newest
    /// change. That change may have been made while pages were read, after its place in the list had gone by,
    /// so the duration of the sync is subtracted. The mark is not later than this machine's clock at the
    /// start, in case somebody dated a change ahead. If the service reported no change, only the start of the
    /// requested period is certain.
    fn mark_now(&self, now: Timestamp) -> SyncMark {
        let ran = SignedDuration::try_from(self.running.elapsed()).unwrap_or(SignedDuration::MAX);
        let took = now.duration_since(self.began).max(ran);
        let by_service = self.newest.map_or(self.from, |newest| {
            newest.saturating_sub(took).unwrap_or(self.from)
        });
        let before = self.mark.map(|mark| mark.seen_to);
        let seen_to = Some(by_service.min(self.began)).max(before);
        SyncMark {
            seen_to: seen_to.unwrap_or(self.from),
            at: self.began,
            whole_at: match (self.reach, self.mark) {
                (Reach::Difference | Reach::Day, Some(mark)) => mark.whole_at,
                _ => self.began,
            },
        }
    }

    fn synced(self, mark: SyncMark) -> Synced {
        let gone: HashSet<_> = self.gone.iter().copied().collect();
        let mut changed: Vec<_> = self.changed.difference(&gone).copied().collect();
        changed.sort_unstable();
        Synced {
            scope: self.scope,
            mark,
            changed: changed.into(),
            gone: self.gone.into(),
            gap: self.gap,
        }
    }
}
