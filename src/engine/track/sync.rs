//! Syncs the store with the service: reads the changes since the last sync page by page, and looks up by id
//! the changes that no list shows.
//!
//! Invariants: one sync of each purpose runs at a time, with at most two pages in memory. A mark is written only
//! after every row before it, so a failed or interrupted sync only costs repeated work; marks use the service's
//! clock, because this machine's clock may be wrong. A sync never overwrites newer data from an operation or an
//! opened page.

mod lookups;
mod state;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};

use super::record::RecordedChanges;
use crate::UnreadRecords;
use crate::context::EngineContext;
use crate::error::is_unavailable;
use crate::remote::Fetch;
use crate::{EngineError, Outcome, Reads};
use client::{Failure, ListPages, RecentUpdates};
use lookups::{FEW_ROWS, Lookups};
use shipping::{
    CompanyId, Consignment, ConsignmentId, PartialList, TransitState, UnreadableRecord,
};
use state::SyncMemory;
pub(crate) use state::SyncPurpose;
pub(super) use state::{SyncState, UnstoredGuard};
use storage::{JournalError, SyncMark, SyncScope};

/// How often a sync is tried. It starts over if the store was recreated meanwhile.
const MAX_ATTEMPTS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListProgress {
    /// Rows received so far.
    pub came: usize,
    /// The number of all rows, if the service reports it.
    pub of: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncRequest {
    pub scope: SyncScope,
    /// True to read everything that the service lists, not only the changes.
    pub whole: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncResult {
    pub scope: SyncScope,
    /// The time up to which all changes are known now.
    pub mark: SyncMark,
    /// Consignments that are new or have changed.
    pub changed: Arc<[ConsignmentId]>,
    /// Consignments that the service no longer has.
    pub gone: Arc<[ConsignmentId]>,
    /// True if the last sync is older than the service's lists, so that changes in between may be missing.
    pub gap: bool,
}

struct SyncRun {
    purpose: SyncPurpose,
    scope: SyncScope,
    window: SyncWindow,
    mark: Option<SyncMark>,
    /// The start of the sync, by this machine's clock.
    began: Timestamp,
    running: Instant,
    /// Start of the period for which the list was requested.
    list_start: Timestamp,
    /// The time of the newest change seen so far, by the service's clock.
    newest: Option<Timestamp>,
    changed: HashSet<ConsignmentId>,
    gone: Vec<ConsignmentId>,
    /// Unreadable records of this sync so far, and of earlier syncs if only changes are read.
    unread: HashMap<i64, UnreadableRecord>,
    /// True if the service's lists start after the last sync, so that changes in between may be missing.
    gap: bool,
    came: usize,
    /// True if the service's own list of unmanifested consignments was read. That list is complete.
    has_own_list: bool,
    /// The company of the listed consignments.
    own_company: Option<CompanyId>,
}

/// The results of a sync of the unmanifested consignments, in addition to the rows in the store.
pub(super) struct SyncedUnmanifested {
    /// The company of the listed consignments, if they name it.
    pub(super) own_company: Option<CompanyId>,
    pub(super) unread: Vec<UnreadableRecord>,
}

impl Reads {
    /// Updates the store with the changes since the last sync, or with everything that the service lists. Ends a
    /// running sync of another scope, because nobody waits for it any more.
    pub fn sync(&self, order: SyncRequest) -> Fetch<SyncResult> {
        let state = self.bench().track.sync_state();
        state.want(SyncPurpose::Track, order.scope);
        self.job(move |bench| async move {
            let synced = bench.until_closed(bench.sync_tracked(order)).await;
            synced.unwrap_or(Err(EngineError::Internal))
        })
    }

    /// Returns the progress of the running sync.
    pub fn sync_progress(&self) -> Option<ListProgress> {
        self.bench().track.sync_state().progress(SyncPurpose::Track)
    }

    /// Returns a number that increases with every change of the tracked consignments, whatever its source.
    pub fn tracked_version(&self) -> u64 {
        self.bench().track.sync_state().version()
    }

    /// Returns the mark of a scope: the time up to which its changes are known.
    pub fn sync_mark(&self, scope: SyncScope) -> Fetch<Option<SyncMark>> {
        self.local(
            move |bench| async move { bench.track.read(move |reader| reader.mark(scope)).await },
        )
    }
}

impl EngineContext {
    async fn sync_tracked(&self, order: SyncRequest) -> Result<SyncResult, EngineError> {
        let (run, mark) = self.sync(order, SyncPurpose::Track).await?;
        let unread = run.sorted_unread();
        let ids = unread.iter().filter_map(|one| one.id);
        let ids: Vec<_> = ids.map(ConsignmentId::new).collect();
        let kept = { self.track.read(move |reader| reader.rows(&ids)).await? }.len();
        let of = self.track.summaries().await?.iter().count() + unread.len() - kept;
        self.unread_lists().tracked = UnreadRecords::new(unread, of);
        Ok(run.synced(mark))
    }

    /// Syncs the unmanifested consignments of a company, so that the store has exactly the consignments that
    /// the service has.
    pub(super) async fn sync_unmanifested(
        &self,
        order: SyncRequest,
    ) -> Result<SyncedUnmanifested, EngineError> {
        let (run, _mark) = self.sync(order, SyncPurpose::Unmanifested).await?;
        Ok(SyncedUnmanifested {
            own_company: run.own_company,
            unread: run.sorted_unread(),
        })
    }

    /// Runs a sync to its end and returns it with its new mark.
    async fn sync(
        &self,
        order: SyncRequest,
        purpose: SyncPurpose,
    ) -> Result<(SyncRun, SyncMark), EngineError> {
        let mut memory = self.track.sync_state().lock(purpose).await;
        for _ in 0..MAX_ATTEMPTS {
            if let Some(done) = self.run_sync(order, purpose, &mut memory).await? {
                return Ok(done);
            }
        }
        Err(JournalError::Damaged.into())
    }

    /// Runs one sync. Returns `None` if the store was recreated meanwhile, because the rows stored before are lost.
    async fn run_sync(
        &self,
        order: SyncRequest,
        purpose: SyncPurpose,
        memory: &mut SyncMemory,
    ) -> Result<Option<(SyncRun, SyncMark)>, EngineError> {
        let standing = self.track.sync_state();
        standing.still_wanted(purpose, order.scope)?;
        let under_way = standing.begins(purpose, order.scope);
        let scope = order.scope;
        let begun = self.track.generation();
        let mark = self.track.read(move |reader| reader.mark(scope)).await?;
        if self.track.generation() != begun {
            return Ok(None);
        }
        let began = self.now();
        let is_exact = purpose == SyncPurpose::Unmanifested;
        let before = memory.of(scope);
        let whole = order.whole || (is_exact && before.came <= FEW_ROWS);
        let window = SyncWindow::choose(mark, whole, before.far_at, began);
        let mut run = SyncRun {
            purpose,
            scope,
            window,
            mark,
            began,
            running: Instant::now(),
            list_start: began,
            newest: before.newest,
            changed: HashSet::new(),
            gone: Vec::new(),
            unread: match window {
                SyncWindow::Full => HashMap::new(),
                SyncWindow::Changes | SyncWindow::ChangesAndDayBefore => before.unread,
            },
            gap: false,
            came: 0,
            has_own_list: false,
            own_company: None,
        };
        let mut open = self.track.open_ids(scope).await?;
        if is_exact {
            open.retain(|(_, state)| *state == TransitState::Unmanifested);
        }
        let mut asked = Lookups::of(open);
        self.read_pages(&mut run, &mut asked).await?;
        if is_exact && !run.has_own_list {
            asked.exact = self.unmanifested_at_service(&mut run).await?;
        }
        self.look_up_unlisted(&mut run, &asked, &mut memory.rotation)
            .await?;
        let mark = run.mark_now(self.now());
        let is_set = self.track.set_mark(scope, mark, begun).await?;
        if is_set {
            memory.ended(&run);
        }
        drop(under_way);
        Ok(is_set.then_some((run, mark)))
    }

    /// Returns the exact ids of the company's unmanifested consignments, or `None` if the service does not return
    /// them. In that case, stored consignments that no page listed are looked up.
    async fn unmanifested_at_service(
        &self,
        run: &mut SyncRun,
    ) -> Result<Option<HashSet<ConsignmentId>>, EngineError> {
        let Some(company) = run.scope.company else {
            return Ok(None);
        };
        match self.client.group_all(company).await {
            Ok(groups) => {
                let ids = groups.into_iter().flat_map(|group| group.consignment_ids);
                let ids: HashSet<_> = ids.collect();
                // An unreadable record whose id is not in `ids` is not unmanifested.
                let is_in = |id| ids.contains(&ConsignmentId::new(id));
                run.unread.retain(|_, one| one.id.is_none_or(is_in));
                Ok(Some(ids))
            }
            Err(failure) if is_unavailable(&failure) => Err(failure.into()),
            Err(failure) => {
                tracing::warn!(%failure, "the service did not say which consignments are unmanifested");
                Ok(None)
            }
        }
    }
}

impl SyncRun {
    fn sorted_unread(&self) -> Vec<UnreadableRecord> {
        let mut unread: Vec<_> = self.unread.values().cloned().collect();
        unread.sort_by_key(|one| (one.at, one.key()));
        unread
    }

    /// Remembers the records of a page that can't be read, and forgets records that have become readable.
    fn set_aside(&mut self, page: &PartialList<Consignment>) {
        for one in &page.rows {
            self.unread.remove(&one.id.get());
        }
        let unread = page.unreadable.iter().map(|one| (one.key(), one.clone()));
        self.unread.extend(unread);
    }

    fn took(&mut self, learnt: RecordedChanges) {
        self.newest = self.newest.max(learnt.newest);
        self.changed.extend(learnt.changed);
    }

    /// Returns the mark up to which all changes are known. The service's clock is known only from the newest change.
    /// That change may have been made during the sync, and another change before it may be missing on the pages that
    /// were already read, so the duration of the sync is subtracted. The mark is not later than this machine's clock
    /// at the start, because a change may have a date in the future. If the service listed no change, only the start
    /// of the requested period is certain.
    fn mark_now(&self, now: Timestamp) -> SyncMark {
        let ran = SignedDuration::try_from(self.running.elapsed()).unwrap_or(SignedDuration::MAX);
        let took = now.duration_since(self.began).max(ran);
        let by_service = self.newest.map_or(self.list_start, |newest| {
            newest.saturating_sub(took).unwrap_or(self.list_start)
        });
        let before = self.mark.map(|mark| mark.seen_to);
        let seen_to = Some(by_service.min(self.began)).max(before);
        SyncMark {
            seen_to: seen_to.unwrap_or(self.list_start),
            at: self.began,
            whole_at: match (self.window, self.mark) {
                (SyncWindow::Changes | SyncWindow::ChangesAndDayBefore, Some(mark)) => {
                    mark.whole_at
                }
                _ => self.began,
            },
        }
    }

    fn synced(self, mark: SyncMark) -> SyncResult {
        let gone: HashSet<_> = self.gone.iter().copied().collect();
        let mut changed: Vec<_> = self.changed.difference(&gone).copied().collect();
        changed.sort_unstable();
        SyncResult {
            scope: self.scope,
            mark,
            changed: changed.into(),
            gone: self.gone.into(),
            gap: self.gap,
        }
    }
}

/// The longest periods to request recent updates for. The first is just inside the service's limit of ten days. The
/// shorter periods are tried if the service refuses the first, because this machine's clock may be behind the
/// service's clock.
const RECENT: [SignedDuration; 3] = [
    SignedDuration::from_hours(239),
    SignedDuration::from_hours(215),
    SignedDuration::from_hours(120),
];

/// How long before the last sync the next sync starts, because the service may list a change with a delay.
const OVERLAP: SignedDuration = SignedDuration::from_mins(10);

/// How much earlier a sync starts from time to time. Carriers report a step hours after it happened, and clerks
/// backdate statuses: the service lists both under the time of the event.
const EXTRA_LOOKBACK: SignedDuration = SignedDuration::from_hours(24);

/// How often a sync starts earlier by [`EXTRA_LOOKBACK`].
const DAY_EVERY: SignedDuration = SignedDuration::from_mins(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SyncWindow {
    Changes,
    /// Changes since the last sync, and changes of the day before it.
    ChangesAndDayBefore,
    Full,
}

impl SyncWindow {
    /// Decides how much a sync reads. `far_at` is the start of the last sync that read more than the changes.
    fn choose(
        mark: Option<SyncMark>,
        whole: bool,
        far_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Self {
        let Some(mark) = mark.filter(|_| !whole) else {
            return Self::Full;
        };
        if mark.at - OVERLAP < now - RECENT[0] {
            return Self::Full;
        }
        let far_at = far_at.max(Some(mark.whole_at));
        if far_at.is_some_and(|far_at| far_at <= now && now < far_at + DAY_EVERY) {
            Self::Changes
        } else {
            Self::ChangesAndDayBefore
        }
    }

    /// Returns the times from which to request the list. If the service refuses a time as too early, the next
    /// time is used.
    fn starts(self, mark: Option<SyncMark>, now: Timestamp) -> Vec<Timestamp> {
        let wanted = mark.and_then(|mark| match self {
            Self::Changes => Some(mark.seen_to - OVERLAP),
            Self::ChangesAndDayBefore => Some(mark.seen_to - OVERLAP - EXTRA_LOOKBACK),
            Self::Full => None,
        });
        let furthest = RECENT.map(|back| now - back);
        let mut starts: Vec<_> = furthest
            .into_iter()
            .map(|furthest| wanted.map_or(furthest, |wanted| wanted.max(furthest)))
            .collect();
        starts.dedup();
        starts
    }
}

/// Returns true if a list that starts at `from` leaves out changes since the last sync. A long time without changes
/// at the service is not a gap, so the time of the last sync counts too.
fn leaves_gap(mark: Option<SyncMark>, from: Timestamp) -> bool {
    mark.is_some_and(|mark| mark.seen_to - OVERLAP < from && mark.at - OVERLAP < from)
}

impl EngineContext {
    /// Stores the listed consignments, and removes them from the lookups. If the service refuses a period as
    /// too long, a shorter one is tried.
    async fn read_pages(&self, run: &mut SyncRun, asked: &mut Lookups) -> Result<(), EngineError> {
        if self.read_own_list(run, asked).await? {
            return Ok(());
        }
        let mut refused = EngineError::Internal;
        for from in run.window.starts(run.mark, run.began) {
            run.list_start = from;
            run.gap = leaves_gap(run.mark, from);
            let updates = RecentUpdates {
                company: run.scope.company,
                children: run.scope.children,
                carrier: run.scope.carrier,
                ..RecentUpdates::since(from)
            };
            let pages = self.client.recent_pages(updates);
            match self.read_list(run, asked, pages).await {
                Err(error @ EngineError::Service(Failure::Refused(_))) => refused = error,
                read => return read,
            }
        }
        Err(refused)
    }

    /// Reads the service's own list of unmanifested consignments, if everything is to be read. Returns false if
    /// recent updates have to be read instead, because not every deployment has this list: it is not in the
    /// specification.
    async fn read_own_list(
        &self,
        run: &mut SyncRun,
        asked: &mut Lookups,
    ) -> Result<bool, EngineError> {
        let has_list = self.client.compatibility().optional.unmanifested_list;
        if !has_list || run.purpose != SyncPurpose::Unmanifested || run.window != SyncWindow::Full {
            return Ok(false);
        }
        let pages = self.client.unmanifested_pages(run.scope.company);
        match self.read_list(run, asked, pages).await {
            Ok(()) => run.has_own_list = true,
            Err(EngineError::Service(failure)) if !is_unavailable(&failure) => run.unread.clear(),
            Err(error) => return Err(error),
        }
        Ok(run.has_own_list)
    }

    async fn read_list(
        &self,
        run: &mut SyncRun,
        asked: &mut Lookups,
        mut pages: ListPages,
    ) -> Result<(), EngineError> {
        let standing = self.track.sync_state();
        let mut next = pages.next().await?;
        while let Some(page) = next {
            standing.still_wanted(run.purpose, run.scope)?;
            let of = pages.total().and_then(|total| usize::try_from(total).ok());
            run.came = pages.received_rows();
            let came = run.came;
            standing.came(run.purpose, ListProgress { came, of });
            (self.repaint)();
            asked.listed(&page.rows);
            run.set_aside(&page);
            if run.purpose == SyncPurpose::Unmanifested {
                run.own_company = run.own_company.or(company_of(&page.rows));
                self.tell_modes(&page.rows).await;
                self.remember_page(page.rows.clone()).await;
            }
            let (stored, following) =
                tokio::join!(self.record_list(page.rows, run.purpose), pages.next());
            run.took(stored?);
            next = following?;
        }
        Ok(())
    }

    /// Tells the window whether the page contains test consignments and whether it contains live consignments.
    async fn tell_modes(&self, page: &[Consignment]) {
        let holds = |test: bool| page.iter().any(|one| one.is_test == Some(test));
        let (test, real) = (holds(true), holds(false));
        if test || real {
            self.tell(Outcome::ModesListed { test, real }).await;
        }
    }
}

fn company_of(page: &[Consignment]) -> Option<CompanyId> {
    page.iter().find_map(|one| one.company_id)
}
