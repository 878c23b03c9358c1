//! The list of what waits for a manifest, kept up with the service: read whole, or by what differs since the last look.
//!
//! What always holds: one look at a time; rows are made of pages as they arrive, and no whole consignment stays; a row that is
//! as it was is shared with the list before. Where the service can be asked to group all, that says exactly which ids wait;
//! one that seems to be gone is asked for by its id before it is dropped.
//! What it must not know: what the clerk did meanwhile. That is put into the list by whoever shows it.

mod shelf;
mod sieve;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::bench::Bench;
use super::reads::Reads;
use super::remote::Fetch;
use super::request::LastSeen;
use super::unread::UnreadRecords;
use super::{Outcome, WaitingList, WorkError};
use crate::client::{Failure, ListPages, RecentUpdates};
use crate::journal::List;
use crate::shipping::{CompanyId, Consignment, ConsignmentId, Unread};
pub(super) use shelf::Listing;
use shelf::Shelf;
use sieve::Sieve;

/// How far recent updates go back: just inside the service's ten days; and less far where the service calls that too much,
/// because this machine's clock is behind its own.
const RECENT: [SignedDuration; 3] = [
    SignedDuration::from_hours(239),
    SignedDuration::from_hours(215),
    SignedDuration::from_hours(120),
];

/// A difference begins so much before the last look: the service may take a while to list what it was told.
const OVERLAP: SignedDuration = SignedDuration::from_mins(10);

/// Where a look at everything comes to so few rows, each look is one: that sees also what others changed of a consignment
/// without changing its status, which no list of updates says. Where only so few wait, they are asked for by their ids
/// instead, each time.
const FEW_ROWS: usize = 400;

/// Of those that recent updates do not list any more, so many are read again with the whole list. More are taken as they
/// were: they have waited for longer than ten days, and each hundred of them is a question of its own.
const MOST_OLD: usize = 2_000;

/// Ids in one question.
const AT_ONCE: usize = 100;

/// How closely it is looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Everything that the service lists.
    Whole,
    /// What came, went, and changed its status since the last look.
    Difference,
}

/// How far a look is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListProgress {
    /// Rows that came.
    pub came: usize,
    /// Of how many, where the service says.
    pub of: Option<usize>,
}

impl Reads {
    /// What is unmanifested, newest first: `shown` brought up to date. Where nothing is shown, what was last seen is told
    /// first. A look at another company's list, which nobody waits for any more, ends.
    pub fn unmanifested(
        &self,
        company: Option<CompanyId>,
        look: Look,
        shown: Option<WaitingList>,
    ) -> Fetch<WaitingList> {
        self.bench().listing.want(company);
        self.job(move |bench| async move {
            let looked = bench.look_at_list(company, look, shown).await;
            bench.listing.ended(company);
            looked
        })
    }

    /// How far the look is that is under way.
    pub fn list_progress(&self) -> Option<ListProgress> {
        self.bench().listing.progress()
    }

    /// The newest of a list whose receiver holds these words, or with a number or reference that begins so.
    pub fn like(&self, list: WaitingList, words: String) -> Fetch<Option<ConsignmentId>> {
        self.job(|_| async move {
            let find = move || list.like(&words).map(|one| one.id);
            let found = tokio::task::spawn_blocking(find).await;
            found.map_err(|_panicked| WorkError::Internal)
        })
    }

    /// Lets go of a long list where nobody waits for that.
    pub fn put_away(&self, list: WaitingList) {
        self.runtime().spawn_blocking(move || drop(list));
    }
}

impl Bench {
    async fn look_at_list(
        &self,
        company: Option<CompanyId>,
        look: Look,
        shown: Option<WaitingList>,
    ) -> Result<WaitingList, WorkError> {
        let mut shelf = Arc::clone(&self.listing.shelf).lock_owned().await;
        self.wanted_still(company)?;
        if shelf.company != Some(company) {
            self.take_down(&mut shelf, company).await;
        }
        let base = if let Some(shown) = shown {
            shown
        } else {
            self.tell_kept(&shelf, company).await;
            shelf.on_disk.clone()
        };
        let began = self.now();
        let since = shelf.since.filter(|_| look == Look::Difference);
        let since = since.filter(|_| shelf.came > FEW_ROWS);
        let unread = match since {
            Some(_) => shelf.unread.clone(),
            None => HashMap::new(),
        };
        let mut sieve = Sieve::new(company, base, std::mem::take(&mut shelf.rows), unread);
        let looked = self.sift(&mut shelf, &mut sieve, since).await;
        shelf.newest = shelf.newest.max(sieve.newest());
        let list = match looked {
            Ok(()) => {
                shelf.unread.clone_from(sieve.unread());
                let sorted = tokio::task::spawn_blocking(move || sieve.into_list()).await;
                let (list, rows) = sorted.map_err(|_panicked| WorkError::Internal)?;
                shelf.rows = rows;
                list
            }
            Err(error) => {
                shelf.rows = sieve.into_rows();
                return Err(error);
            }
        };
        self.tell_unread_listed(&shelf, &list);
        // The service's own clock where it says what it did when, and this one where it does not, or where somebody dated a
        // status ahead: what is looked at twice does no harm.
        shelf.since = Some(shelf.newest.map_or(began, |newest| newest.min(began)));
        self.keep_whole(&mut shelf, &list, began).await;
        self.tell_learnt();
        self.late.notify_one();
        self.unfinished.notify_one();
        Ok(list)
    }

    /// Reads what the service lists, all of it or since a moment, then what is in doubt.
    async fn sift(
        &self,
        shelf: &mut Shelf,
        sieve: &mut Sieve,
        since: Option<Timestamp>,
    ) -> Result<(), WorkError> {
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
            // Its own list says it all.
            _ if listed.is_some() => None,
            Some(company) => self.all_ids(company).await?,
            None => None,
        };
        let asks_again = since.is_none() || sieve.knew() <= FEW_ROWS;
        let mut doubtful = match &waiting {
            Some(waiting) => sieve.weigh(waiting, if asks_again { MOST_OLD } else { 0 }),
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
            let list = self.client.consignments_as_read(ids).await?;
            sieve.answered(ids, &list.rows, list.unread);
            self.put_by(shelf, sieve, list.rows).await;
        }
        Ok(())
    }

    /// Which ids wait, and no others; nothing where the service does not say: the list is told without that.
    async fn all_ids(
        &self,
        company: CompanyId,
    ) -> Result<Option<HashSet<ConsignmentId>>, WorkError> {
        match self.client.group_all(company).await {
            Ok(groups) => {
                let ids = groups.into_iter().flat_map(|group| group.consignment_ids);
                Ok(Some(ids.collect()))
            }
            Err(failure) if is_no_answer(&failure) => Err(failure.into()),
            Err(failure) => {
                tracing::warn!(%failure, "the service does not say which consignments wait");
                Ok(None)
            }
        }
    }

    /// The deployment's own list, where its dialect has one and it answers: how many rows came.
    async fn listed(
        &self,
        shelf: &mut Shelf,
        sieve: &mut Sieve,
    ) -> Result<Option<usize>, WorkError> {
        if !self.client.dialect().optional.unmanifested_list {
            return Ok(None);
        }
        let pages = self.client.unmanifested_pages(sieve.company());
        match self.pages(shelf, sieve, pages).await {
            Ok(came) => Ok(Some(came)),
            Err(WorkError::Service(failure)) if !is_no_answer(&failure) => {
                // It is in no specification: whatever else it says, there is another way.
                sieve.forget_pages();
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// What changed its status since a moment; nothing for as far back as the service goes. Answers how many rows came.
    async fn recent(
        &self,
        shelf: &mut Shelf,
        sieve: &mut Sieve,
        since: Option<Timestamp>,
    ) -> Result<usize, WorkError> {
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
            if !matches!(result, Err(WorkError::Service(Failure::Refused(_)))) {
                break;
            }
        }
        result
    }

    /// Makes rows of pages as they arrive; answers how many came.
    async fn pages(
        &self,
        shelf: &mut Shelf,
        sieve: &mut Sieve,
        mut pages: ListPages,
    ) -> Result<usize, WorkError> {
        while let Some(page) = pages.next().await? {
            self.wanted_still(sieve.company())?;
            self.tell_modes(&page.rows).await;
            sieve.page(&page.rows);
            sieve.set_aside(page.unread);
            self.put_by(shelf, sieve, page.rows).await;
            let of = pages.total().and_then(|total| usize::try_from(total).ok());
            let came = pages.came();
            self.listing.came(ListProgress { came, of });
            (self.repaint)();
        }
        Ok(pages.came())
    }

    /// Has the screen say what can't be read.
    fn tell_unread_listed(&self, shelf: &Shelf, list: &WaitingList) {
        let mut unread: Vec<_> = shelf.unread.values().cloned().collect();
        unread.sort_by_key(|one| (one.at, one.key()));
        let is_shown = |one: &&Unread| {
            one.id
                .is_some_and(|id| list.get(ConsignmentId::new(id)).is_some())
        };
        let shown = unread.iter().filter(is_shown).count();
        let of = list.len() + unread.len() - shown;
        self.unreadable.lists().unmanifested = UnreadRecords::new(unread, of);
    }

    /// Tells which modes the consignments of a page were made in.
    async fn tell_modes(&self, page: &[Consignment]) {
        let holds = |test: bool| page.iter().any(|one| one.is_test == Some(test));
        let (test, real) = (holds(true), holds(false));
        if test || real {
            self.tell(Outcome::ModesListed { test, real }).await;
        }
    }

    /// Keeps what changed of a page, and learns from it.
    async fn put_by(&self, shelf: &mut Shelf, sieve: &Sieve, page: Vec<Consignment>) {
        self.keep_changed(shelf, sieve.changed(&page, &shelf.on_disk))
            .await;
        self.teach(page.clone()).await;
        if let Err(error) = self.follow_all(page).await {
            tracing::warn!(%error, "a page could not be kept with what is followed");
        }
    }

    /// A look at a list that nobody waits for any more ends.
    fn wanted_still(&self, company: Option<CompanyId>) -> Result<(), WorkError> {
        if self.listing.is_wanted(company) {
            Ok(())
        } else {
            Err(WorkError::Internal)
        }
    }

    /// Tells what was kept of a list, where one was.
    async fn tell_kept(&self, shelf: &Shelf, company: Option<CompanyId>) {
        if let Some(as_of) = shelf.as_of {
            let seen = LastSeen::Unmanifested {
                company,
                list: shelf.on_disk.clone(),
                as_of,
            };
            self.tell(Outcome::LastSeen(Box::new(seen))).await;
        }
    }

    async fn take_down(&self, shelf: &mut Shelf, company: Option<CompanyId>) {
        *shelf = Shelf::default();
        match self.kept_rows(List::Unmanifested(company)).await {
            Ok(Some((list, rows, as_of))) => {
                *shelf = Shelf {
                    on_disk: list,
                    rows,
                    as_of: Some(as_of),
                    ..Shelf::default()
                };
            }
            Ok(None) => {}
            Err(error) => {
                shelf.is_doubtful = true;
                tracing::warn!(%error, "the list last seen could not be read");
            }
        }
        shelf.company = Some(company);
    }
}

/// Nothing else would be answered either.
fn is_no_answer(failure: &Failure) -> bool {
    failure.is_out_of_reach() || *failure == Failure::Unauthorised
}
