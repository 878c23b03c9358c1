//! Syncs the list of unmanifested consignments with the service: in full, or by the changes since the last
//! sync. One sync runs at a time. Pages become rows as they arrive, and unchanged rows are shared with the
//! list before. If the service can group all, that gives the exact ids. A consignment that seems gone is
//! looked up by id before it is removed. The screen adds what the clerk did meanwhile.

mod list_cache;
mod list_diff;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::context::EngineContext;
use super::reads::Reads;
use super::remote::Fetch;
use super::request::LastSeenList;
use super::unread::UnreadRecords;
use super::{EngineError, Outcome, UnmanifestedList};
use client::{Failure, ListPages, RecentUpdates};
use list_cache::ListCache;
pub(super) use list_cache::ListSyncState;
use list_diff::ListDiff;
use shipping::{CompanyId, Consignment, ConsignmentId, UnreadableRecord};
use storage::CachedList;

/// How far back recent updates go: just inside the service's limit of ten days. The shorter values are tried
/// if the service refuses the first, because this machine's clock is behind its own.
const RECENT: [SignedDuration; 3] = [
    SignedDuration::from_hours(239),
    SignedDuration::from_hours(215),
    SignedDuration::from_hours(120),
];

/// How much before the last sync the next one starts, because the service may list a change with a delay.
const OVERLAP: SignedDuration = SignedDuration::from_mins(10);

/// If a full sync returns at most this many rows, every sync is a full one. A full sync also sees changes by
/// others that leave the status as it was, which no list of updates reports. If at most this many
/// consignments are unmanifested, they are looked up by id in every sync instead.
const FEW_ROWS: usize = 400;

/// How many of the consignments that recent updates no longer list are read again in a full sync. Others stay
/// as they were: they have been waiting for more than ten days, and each hundred of them costs a request.
const MOST_OLD: usize = 2_000;

/// Ids in one request.
const AT_ONCE: usize = 100;

/// How much a sync reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncKind {
    /// Everything that the service lists.
    Full,
    /// Changes since the last sync: new consignments, removed ones, and those with another status.
    Changes,
}

/// The progress of a sync.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListProgress {
    /// Rows received so far.
    pub came: usize,
    /// The number of all rows, if the service tells.
    pub of: Option<usize>,
}

impl Reads {
    /// Updates the list of unmanifested consignments, newest first. `shown` is the list on the screen;
    /// without one, the stored list is reported first. Ends a running sync for another company, because
    /// nobody waits for it any more.
    pub fn sync_unmanifested(
        &self,
        company: Option<CompanyId>,
        look: SyncKind,
        shown: Option<UnmanifestedList>,
    ) -> Fetch<UnmanifestedList> {
        self.bench().listing.want(company);
        self.job(move |bench| async move {
            let looked = bench.sync_list(company, look, shown).await;
            bench.listing.ended(company);
            looked
        })
    }

    /// Returns the progress of the running sync.
    pub fn list_progress(&self) -> Option<ListProgress> {
        self.bench().listing.progress()
    }

    /// Finds the newest consignment whose receiver contains this text, or with a number or reference that
    /// starts with it.
    pub fn find_in_list(
        &self,
        list: UnmanifestedList,
        words: String,
    ) -> Fetch<Option<ConsignmentId>> {
        self.job(|_| async move {
            let find = move || list.find_text(&words).map(|one| one.id);
            let found = tokio::task::spawn_blocking(find).await;
            found.map_err(|_panicked| EngineError::Internal)
        })
    }

    /// Drops a long list in the background.
    pub fn drop_in_background(&self, list: UnmanifestedList) {
        self.runtime().spawn_blocking(move || drop(list));
    }
}

impl EngineContext {
    async fn sync_list(
        &self,
        company: Option<CompanyId>,
        look: SyncKind,
        shown: Option<UnmanifestedList>,
    ) -> Result<UnmanifestedList, EngineError> {
        let mut shelf = Arc::clone(&self.listing.cache).lock_owned().await;
        self.wanted_still(company)?;
        if shelf.company != Some(company) {
            self.take_down(&mut shelf, company).await;
        }
        let base = if let Some(shown) = shown {
            shown
        } else {
            self.report_stored_list(&shelf, company).await;
            shelf.on_disk.clone()
        };
        let began = self.now();
        let since = shelf.since.filter(|_| look == SyncKind::Changes);
        let since = since.filter(|_| shelf.came > FEW_ROWS);
        let unread = match since {
            Some(_) => shelf.unread.clone(),
            None => HashMap::new(),
        };
        let mut sieve = ListDiff::new(company, base, std::mem::take(&mut shelf.rows), unread);
        let looked = self.read_changes(&mut shelf, &mut sieve, since).await;
        shelf.newest = shelf.newest.max(sieve.newest());
        let list = match looked {
            Ok(()) => {
                shelf.unread.clone_from(sieve.unread());
                let sorted = tokio::task::spawn_blocking(move || sieve.into_list()).await;
                let (list, rows) = sorted.map_err(|_panicked| EngineError::Internal)?;
                shelf.rows = rows;
                list
            }
            Err(error) => {
                shelf.rows = sieve.into_rows();
                return Err(error);
            }
        };
        self.tell_unread_listed(&shelf, &list);
        // By the service's clock if the service dates changes; by this machine's clock if it does not, or if
        // somebody dated a status ahead. Reading changes twice does no harm.
        shelf.since = Some(shelf.newest.map_or(began, |newest| newest.min(began)));
        self.write_complete_list(&mut shelf, &list, began).await;
        self.report_suggestions();
        self.late.notify_one();
        self.unfinished_deletions.notify_one();
        Ok(list)
    }

    /// Reads what the service lists, in full or since a moment, and then looks up doubtful
    /// consignments by id.
    async fn read_changes(
        &self,
        shelf: &mut ListCache,
        sieve: &mut ListDiff,
        since: Option<Timestamp>,
    ) -> Result<(), EngineError> {
        let listed = match since {
            None => self.listed(shelf, sieve).await?,
            Some(_) => None,
        };
        let came = match listed {
            Some(came) => came,
            None => self.recent(shelf, sieve, since).await?,
        };
        if since.is_none() {
            shelf.came = came;
        }
        let waiting = match sieve.company() {
            // The service's own list is complete.
            _ if listed.is_some() => None,
            Some(company) => self.unmanifested_ids(company).await?,
            None => None,
        };
        let asks_again = since.is_none() || sieve.knew() <= FEW_ROWS;
        let mut doubtful = match &waiting {
            Some(waiting) => sieve.compare(waiting, if asks_again { MOST_OLD } else { 0 }),
            None if asks_again => sieve.unlisted(),
            None => Vec::new(),
        };
        if let Some(waiting) = &waiting {
            sieve.unread_of(waiting);
        }
        doubtful.extend(sieve.unread_ids());
        doubtful.sort_unstable();
        doubtful.dedup();
        for ids in doubtful.chunks(AT_ONCE) {
            self.wanted_still(sieve.company())?;
            let list = self.client.consignments_partial(ids).await?;
            sieve.answered(ids, &list.rows, list.unreadable);
            self.put_by(shelf, sieve, list.rows).await;
        }
        Ok(())
    }

    /// Returns the exact ids of the unmanifested consignments. Returns `None` if the service does not say;
    /// then the list is made without them.
    async fn unmanifested_ids(
        &self,
        company: CompanyId,
    ) -> Result<Option<HashSet<ConsignmentId>>, EngineError> {
        match self.client.group_all(company).await {
            Ok(groups) => {
                let ids = groups.into_iter().flat_map(|group| group.consignment_ids);
                Ok(Some(ids.collect()))
            }
            Err(failure) if is_unavailable(&failure) => Err(failure.into()),
            Err(failure) => {
                tracing::warn!(%failure, "the service did not say which consignments are unmanifested");
                Ok(None)
            }
        }
    }

    /// Reads the service's own list, if this deployment has one and it answers. Returns the number of rows.
    async fn listed(
        &self,
        shelf: &mut ListCache,
        sieve: &mut ListDiff,
    ) -> Result<Option<usize>, EngineError> {
        if !self.client.compatibility().optional.unmanifested_list {
            return Ok(None);
        }
        let pages = self.client.unmanifested_pages(sieve.company());
        match self.pages(shelf, sieve, pages).await {
            Ok(came) => Ok(Some(came)),
            Err(EngineError::Service(failure)) if !is_unavailable(&failure) => {
                // This list is not in the specification. If it fails, recent updates are read instead.
                sieve.forget_pages();
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Reads the consignments whose status changed since a moment; if `since` is `None`, for as far back as
    /// the service goes. Returns the number of rows.
    async fn recent(
        &self,
        shelf: &mut ListCache,
        sieve: &mut ListDiff,
        since: Option<Timestamp>,
    ) -> Result<usize, EngineError> {
        let now = self.now();
        let mut result = Ok(0);
        for back in RECENT {
            let furthest = now - back;
            let from = since.map_or(furthest, |since| (since - OVERLAP).max(furthest));
            let updates = RecentUpdates {
                company: sieve.company(),
                ..RecentUpdates::since(from)
            };
            let pages = self.client.recent_pages(updates);
            result = self.pages(shelf, sieve, pages).await;
            if !matches!(result, Err(EngineError::Service(Failure::Refused(_)))) {
                break;
            }
        }
        result
    }

    /// Turns pages into rows as they arrive. Returns the number of rows.
    async fn pages(
        &self,
        shelf: &mut ListCache,
        sieve: &mut ListDiff,
        mut pages: ListPages,
    ) -> Result<usize, EngineError> {
        while let Some(page) = pages.next().await? {
            self.wanted_still(sieve.company())?;
            self.tell_modes(&page.rows).await;
            sieve.page(&page.rows);
            sieve.set_aside(page.unreadable);
            self.put_by(shelf, sieve, page.rows).await;
            let of = pages.total().and_then(|total| usize::try_from(total).ok());
            let came = pages.received_rows();
            self.listing.came(ListProgress { came, of });
            (self.repaint)();
        }
        Ok(pages.received_rows())
    }

    /// Reports the records that can't be read, for the screen to show.
    fn tell_unread_listed(&self, shelf: &ListCache, list: &UnmanifestedList) {
        let mut unread: Vec<_> = shelf.unread.values().cloned().collect();
        unread.sort_by_key(|one| (one.at, one.key()));
        let is_shown = |one: &&UnreadableRecord| {
            one.id
                .is_some_and(|id| list.get(ConsignmentId::new(id)).is_some())
        };
        let shown = unread.iter().filter(is_shown).count();
        let of = list.len() + unread.len() - shown;
        self.unreadable.lists().unmanifested = UnreadRecords::new(unread, of);
    }

    /// Reports whether a page has consignments made in test mode and in live mode.
    async fn tell_modes(&self, page: &[Consignment]) {
        let holds = |test: bool| page.iter().any(|one| one.is_test == Some(test));
        let (test, real) = (holds(true), holds(false));
        if test || real {
            self.tell(Outcome::ModesListed { test, real }).await;
        }
    }

    /// Stores the changed rows of a page, and collects suggestions from it.
    async fn put_by(&self, shelf: &mut ListCache, sieve: &ListDiff, page: Vec<Consignment>) {
        self.keep_changed(shelf, sieve.changed(&page, &shelf.on_disk))
            .await;
        self.remember_page(page.clone()).await;
        if let Err(error) = self.record_list(page).await {
            tracing::warn!(%error, "a page could not be written to the tracking store");
        }
    }

    /// Returns an error if nobody waits for this list any more, which ends the sync.
    fn wanted_still(&self, company: Option<CompanyId>) -> Result<(), EngineError> {
        if self.listing.is_wanted(company) {
            Ok(())
        } else {
            Err(EngineError::Internal)
        }
    }

    /// Reports the stored list, if there is one.
    async fn report_stored_list(&self, shelf: &ListCache, company: Option<CompanyId>) {
        if let Some(as_of) = shelf.as_of {
            let seen = LastSeenList::Unmanifested {
                company,
                list: shelf.on_disk.clone(),
                as_of,
            };
            self.tell(Outcome::LastSeen(Box::new(seen))).await;
        }
    }

    async fn take_down(&self, shelf: &mut ListCache, company: Option<CompanyId>) {
        *shelf = ListCache::default();
        match self.kept_rows(CachedList::Unmanifested(company)).await {
            Ok(Some((list, rows, as_of))) => {
                *shelf = ListCache {
                    on_disk: list,
                    rows,
                    as_of: Some(as_of),
                    ..ListCache::default()
                };
            }
            Ok(None) => {}
            Err(error) => {
                shelf.is_doubtful = true;
                tracing::warn!(%error, "the stored list could not be read");
            }
        }
        shelf.company = Some(company);
    }
}

/// Returns true if every further request would fail as well.
fn is_unavailable(failure: &Failure) -> bool {
    failure.is_out_of_reach() || *failure == Failure::Unauthorised
}
