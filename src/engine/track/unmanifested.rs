//! The list of the Dispatch screen: the ids of the unmanifested consignments of a company, and queries in this list.
//!
//! A filter of this list searches every column of every row, so the rows' texts are in memory while filters are
//! typed. They are read when the first filter is typed, and dropped at a sync if no filter was typed since the
//! previous sync.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::Track;
use super::list::{TrackList, TrackQuery};
use super::sync::{ListProgress, SyncPurpose, SyncRequest};
use crate::UnreadRecords;
use crate::context::{EngineContext, lock};
use crate::reads::Reads;
use crate::remote::Fetch;
use crate::request::LastSeenList;
use crate::{EngineError, Outcome};
use shipping::{CompanyId, ConsignmentId, TransitState, UnreadableRecord};
use storage::{
    FilterTexts, JournalError, SyncScope, TrackReader, ViewedList, WindowMarks, parse_filter,
    put_in_order,
};

/// Rows in memory at once while texts are read.
const ROWS_AT_ONCE: usize = 500;

/// How much a sync reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncKind {
    /// Everything that the service lists.
    Full,
    /// Changes since the last sync: new consignments, removed consignments, and consignments whose status changed.
    Changes,
}

/// The texts by which the list is filtered.
#[derive(Default)]
pub(super) struct ListTexts {
    texts: tokio::sync::Mutex<Arc<FilterTexts>>,
    /// Consignments that have changed since the texts were read; `None` if no texts are in memory.
    changed: Mutex<Option<HashSet<ConsignmentId>>>,
    /// True if a filter was typed since the last sync.
    used: AtomicBool,
}

impl ListTexts {
    /// Records rows that the store has written. Call this while holding the store's lock.
    pub(super) fn changed(&self, ids: &[ConsignmentId]) {
        if let Some(changed) = &mut *lock(&self.changed) {
            changed.extend(ids);
        }
    }

    async fn drop_unused(&self) {
        if !self.used.swap(false, Ordering::Relaxed) {
            let mut texts = self.texts.lock().await;
            *lock(&self.changed) = None;
            *texts = Arc::default();
        }
    }
}

impl Reads {
    /// Syncs the unmanifested consignments of a company and returns their ids, newest first. `shown` is the list on
    /// the screen; if there is none, the stored list is sent to the window first. Ends a running sync for another
    /// company, because nobody waits for it any more.
    pub fn sync_unmanifested(
        &self,
        company: Option<CompanyId>,
        kind: SyncKind,
        shown: Option<Arc<[ConsignmentId]>>,
    ) -> Fetch<Arc<[ConsignmentId]>> {
        let scope = scope_of(company);
        let state = self.bench().track.sync_state();
        state.want(SyncPurpose::Unmanifested, scope);
        let whole = kind == SyncKind::Full;
        self.job(move |bench| async move {
            tokio::select! {
                list = bench.list_after_sync(SyncRequest { scope, whole }, shown) => list,
                // The window was closed.
                () = bench.outcomes.closed() => Err(EngineError::Internal),
            }
        })
    }

    /// Returns the progress of the running sync of the list.
    pub fn list_progress(&self) -> Option<ListProgress> {
        let state = self.bench().track.sync_state();
        state.progress(SyncPurpose::Unmanifested)
    }

    /// Runs a query among the consignments of the list, which must be newest first. Only the words and the order of
    /// the query are used.
    pub fn unmanifested_list(
        &self,
        list: Arc<[ConsignmentId]>,
        query: TrackQuery,
        marks: Arc<WindowMarks>,
    ) -> Fetch<TrackList> {
        self.local(move |bench| async move {
            let as_of = bench.now();
            let words = parse_filter(&query.words, ViewedList::Dispatch);
            let texts = if words.is_empty() {
                Arc::default()
            } else {
                bench.track.filter_texts(&list).await?
            };
            let order = query.order;
            let read = move |reader: &TrackReader| {
                let ids = if words.is_empty() {
                    list.to_vec()
                } else {
                    texts.find(&words, &marks)
                };
                let stored = |ids: &[_]| reader.sort_keys(order.column, ids, &|| false);
                put_in_order(ids, order, &marks, stored)
            };
            let ids = bench.track.read(read).await?.into();
            Ok(TrackList {
                query,
                ids,
                more: false,
                as_of,
            })
        })
    }
}

const fn scope_of(company: Option<CompanyId>) -> SyncScope {
    SyncScope {
        company,
        children: false,
        carrier: None,
    }
}

impl EngineContext {
    async fn list_after_sync(
        &self,
        order: SyncRequest,
        shown: Option<Arc<[ConsignmentId]>>,
    ) -> Result<Arc<[ConsignmentId]>, EngineError> {
        let company = order.scope.company;
        let shown = match shown {
            Some(shown) => Some(shown),
            None => self.report_stored_list(company).await?,
        };
        let synced = self.sync_unmanifested(order).await?;
        let company = company.or(synced.own_company);
        let list = self.track.unmanifested_list(company, shown).await?;
        self.track.0.texts.drop_unused().await;
        self.tell_unread_listed(synced.unread, &list);
        self.report_suggestions();
        self.late.notify_one();
        self.unfinished_deletions.notify_one();
        Ok(list)
    }

    /// Sends the window the list of the last complete sync, if the store has one, and returns that list.
    async fn report_stored_list(
        &self,
        company: Option<CompanyId>,
    ) -> Result<Option<Arc<[ConsignmentId]>>, EngineError> {
        let scope = scope_of(company);
        let mark = self.track.read(move |reader| reader.mark(scope)).await?;
        let Some(mark) = mark.filter(|_| company.is_some()) else {
            return Ok(None);
        };
        let ids = self.track.unmanifested_list(company, None).await?;
        let seen = LastSeenList::Unmanifested {
            company,
            ids: Arc::clone(&ids),
            as_of: mark.at,
        };
        self.tell(Outcome::LastSeen(Box::new(seen))).await;
        Ok(Some(ids))
    }

    /// Stores the unreadable records, so that the screen can show them.
    fn tell_unread_listed(&self, unread: Vec<UnreadableRecord>, list: &[ConsignmentId]) {
        let is_shown = |one: &&UnreadableRecord| {
            let id = one.id.map(ConsignmentId::new);
            id.is_some_and(|id| list.binary_search_by(|one| id.cmp(one)).is_ok())
        };
        let shown = unread.iter().filter(is_shown).count();
        let of = list.len() + unread.len() - shown;
        self.unread_lists().unmanifested = UnreadRecords::new(unread, of);
    }
}

impl Track {
    /// Returns the ids of all unmanifested consignments; `None` if nothing is in the store yet.
    pub(crate) async fn unmanifested_ids(
        &self,
    ) -> Result<Option<HashSet<ConsignmentId>>, EngineError> {
        if self.summaries().await?.iter().next().is_none() {
            return Ok(None);
        }
        let ids = self.unmanifested_of(|_| true).await?;
        Ok(Some(ids.into_iter().collect()))
    }

    async fn unmanifested_of(
        &self,
        is_wanted: impl Fn(Option<CompanyId>) -> bool,
    ) -> Result<Vec<ConsignmentId>, EngineError> {
        let summaries = self.summaries().await?;
        let unmanifested = summaries.iter().filter(|one| {
            let (company, _, status) = summaries.ids_of(one);
            status.transit_state() == TransitState::Unmanifested && is_wanted(company)
        });
        Ok(unmanifested.map(|one| one.id).collect())
    }

    /// Returns the unmanifested consignments of a company, newest first. A consignment with newer data that is
    /// not stored yet is in the list if it is in `shown`, the list on the screen.
    async fn unmanifested_list(
        &self,
        company: Option<CompanyId>,
        shown: Option<Arc<[ConsignmentId]>>,
    ) -> Result<Arc<[ConsignmentId]>, EngineError> {
        let unstored = self.sync_state().unstored();
        let is_wanted = |owner: Option<CompanyId>| owner.is_none() || owner == company;
        let mut ids = self.unmanifested_of(is_wanted).await?;
        if !unstored.is_empty() {
            ids.retain(|id| !unstored.contains(id));
            let shown = shown.iter().flat_map(|shown| shown.iter());
            ids.extend(shown.filter(|id| unstored.contains(id)));
        }
        ids.sort_unstable_by(|one, other| other.cmp(one));
        Ok(ids.into())
    }

    /// Returns the texts of these rows, newest first. Only rows that are new or have changed are read.
    async fn filter_texts(&self, list: &[ConsignmentId]) -> Result<Arc<FilterTexts>, EngineError> {
        let held = &self.0.texts;
        held.used.store(true, Ordering::Relaxed);
        let mut texts = held.texts.lock().await;
        let changed = lock(&held.changed).replace(HashSet::new());
        let changed = changed.unwrap_or_default();
        if changed.is_empty() && texts.ids() == list {
            return Ok(Arc::clone(&texts));
        }
        // If the read fails or is cancelled, no texts are left, and all texts are read again later.
        let before = std::mem::take(&mut *texts);
        let list = list.to_vec();
        let read = move |reader: &TrackReader| updated_texts(&before, &list, &changed, reader);
        *texts = Arc::new(self.read(read).await?);
        Ok(Arc::clone(&texts))
    }
}

fn updated_texts(
    before: &FilterTexts,
    list: &[ConsignmentId],
    changed: &HashSet<ConsignmentId>,
    reader: &TrackReader,
) -> Result<FilterTexts, JournalError> {
    let mut texts = FilterTexts::default();
    let known = |id: &ConsignmentId| before.place(*id).filter(|_| !changed.contains(id));
    for some in list.chunks(ROWS_AT_ONCE) {
        let unknown: Vec<_> = { some.iter().copied() }
            .filter(|id| known(id).is_none())
            .collect();
        let mut read = reader.rows(&unknown)?.into_iter().peekable();
        for id in some {
            if let Some(row) = read.next_if(|row| row.id == *id) {
                texts.push(&row);
            } else if let Some(place) = known(id) {
                texts.push_known(before, place);
            }
        }
    }
    texts.shrink();
    Ok(texts)
}
