//! The store kept up with the service: what changed since the last look is read page by page, and what no list tells is asked
//! for by its ids.
//!
//! What always holds: one look at a time; a mark is set only when everything up to it is in the store, so that a look that
//! fails, or is cut off, is only work done twice. A mark is by the service's clock: this machine's may be wrong. What became
//! known of a consignment while a look runs, from an operation or an opened page, is not taken back by that look. No more
//! than two pages are held at once.
//! What it must not know: when it is looked, and who looks.

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

/// So often a look begins again because the store was begun anew under it.
const BEGINS: usize = 3;

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

/// A look under way.
struct Look {
    scope: SyncScope,
    reach: Reach,
    /// Where the last one ended.
    mark: Option<SyncMark>,
    /// By this machine's clock.
    began: Timestamp,
    running: Instant,
    /// What the pages began with.
    from: Timestamp,
    /// When the newest change was made that was seen, by the service's clock.
    newest: Option<Timestamp>,
    changed: HashSet<ConsignmentId>,
    gone: Vec<ConsignmentId>,
    /// What can't be read, as far as is known.
    unread: HashMap<i64, Unread>,
    /// The service's lists do not go back to the last look.
    gap: bool,
}

impl Reads {
    /// Brings the store up to date: by what changed since the last look, or by all that the service lists. A look at another
    /// scope, for which nobody waits any more, ends.
    pub fn sync(&self, order: SyncOrder) -> Fetch<Synced> {
        self.bench().track.standing().want(order.scope);
        self.job(move |bench| async move {
            tokio::select! {
                synced = bench.sync(order) => synced,
                // The window is closed.
                () = bench.outcomes.closed() => Err(WorkError::Internal),
            }
        })
    }

    /// How far the look is that is under way.
    pub fn sync_progress(&self) -> Option<ListProgress> {
        self.bench().track.standing().progress()
    }

    /// Goes up with each change of what is followed, whoever brought it.
    pub fn followed_version(&self) -> u64 {
        self.bench().track.standing().version()
    }

    /// Up to when a scope is known.
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

    /// One look; nothing where the store was begun anew under it: what was kept before that counts for nothing.
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

    /// Has the screen say what can't be read of what is followed.
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

    /// What of a page can't be read; what could not be before and now can, is no longer.
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

    /// Up to when everything is known. The service's clock is known by its newest word alone. That may have been said while
    /// pages were read, after its place in them had gone by: as long as the reading took, the mark is before it. Neither is
    /// it after this machine's own clock at the beginning, should somebody have dated a change ahead. Where the service said
    /// nothing for as far back as it was asked, all that is certain is that.
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
