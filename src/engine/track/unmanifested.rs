//! The list of unmanifested consignments, made from the store. Unchanged rows are shared with the previous
//! list. The screen adds the clerk's changes in the meantime.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Track;
use super::sync::{ListProgress, SyncPurpose, SyncRequest};
use crate::context::EngineContext;
use crate::reads::Reads;
use crate::remote::Fetch;
use crate::request::LastSeenList;
use crate::unread::UnreadRecords;
use crate::{EngineError, Outcome, UnmanifestedList, UnmanifestedRow, UnmanifestedRowBuilder};
use shipping::{CompanyId, ConsignmentId, TransitState, UnreadableRecord};
use storage::SyncScope;

/// How much a sync reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncKind {
    /// Everything that the service lists.
    Full,
    /// Changes since the last sync: new consignments, removed consignments,
    /// and consignments whose status changed.
    Changes,
}

impl Reads {
    /// Syncs the unmanifested consignments of a company and returns their list, newest first. `shown` is the
    /// list on the screen; without one, the stored list is reported first. Ends a running sync for another
    /// company, because nobody waits for it any more.
    pub fn sync_unmanifested(
        &self,
        company: Option<CompanyId>,
        kind: SyncKind,
        shown: Option<UnmanifestedList>,
    ) -> Fetch<UnmanifestedList> {
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
        shown: Option<UnmanifestedList>,
    ) -> Result<UnmanifestedList, EngineError> {
        let company = order.scope.company;
        let shown = match shown {
            Some(shown) => Some(shown),
            None => self.report_stored_list(company).await?,
        };
        let synced = self.sync_unmanifested(order).await?;
        let company = company.or(synced.own_company);
        let list = self.track.unmanifested_list(company, shown).await?;
        self.tell_unread_listed(synced.unread, &list);
        self.report_suggestions();
        self.late.notify_one();
        self.unfinished_deletions.notify_one();
        Ok(list)
    }

    /// Sends the screens the list of the last complete sync, if the store has it, and returns it.
    async fn report_stored_list(
        &self,
        company: Option<CompanyId>,
    ) -> Result<Option<UnmanifestedList>, EngineError> {
        let scope = scope_of(company);
        let mark = self.track.read(move |reader| reader.mark(scope)).await?;
        let Some(mark) = mark.filter(|_| company.is_some()) else {
            return Ok(None);
        };
        let list = self.track.unmanifested_list(company, None).await?;
        let seen = LastSeenList::Unmanifested {
            company,
            list: list.clone(),
            as_of: mark.at,
        };
        self.tell(Outcome::LastSeen(Box::new(seen))).await;
        Ok(Some(list))
    }

    /// Passes on the records that can't be read, for the screen to show.
    fn tell_unread_listed(&self, unread: Vec<UnreadableRecord>, list: &UnmanifestedList) {
        let is_shown = |one: &&UnreadableRecord| {
            one.id
                .is_some_and(|id| list.get(ConsignmentId::new(id)).is_some())
        };
        let shown = unread.iter().filter(is_shown).count();
        let of = list.len() + unread.len() - shown;
        self.unreadable.lists().unmanifested = UnreadRecords::new(unread, of);
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
        let ids = summaries.ids();
        let companies: Vec<bool> = { ids.companies.values().iter() }
            .map(|company| is_wanted(*company))
            .collect();
        let statuses: Vec<bool> = { ids.statuses.values().iter() }
            .map(|status| status.transit_state() == TransitState::Unmanifested)
            .collect();
        let of =
            |flags: &[bool], place: u32| flags.get(place as usize).copied().unwrap_or_default();
        let unmanifested = summaries
            .iter()
            .filter(|one| of(&statuses, one.status) && of(&companies, one.company));
        Ok(unmanifested.map(|one| one.id).collect())
    }

    /// Makes the list of a company's unmanifested consignments from the list made last and the rows that have
    /// changed since; if nothing has changed, it is that list. A consignment with newer data that is not stored
    /// yet stays as in `shown`, the list on the screen.
    async fn unmanifested_list(
        &self,
        company: Option<CompanyId>,
        shown: Option<UnmanifestedList>,
    ) -> Result<UnmanifestedList, EngineError> {
        let mut last = self.0.last_list.lock().await;
        let base = match &*last {
            Some((of, list)) if *of == company => list.clone(),
            _ => UnmanifestedList::default(),
        };
        let unstored = self.sync_state().unstored();
        let changed = TakenChanges::take(self);
        let is_wanted = |owner: Option<CompanyId>| owner.is_none() || owner == company;
        let mut ids = self.unmanifested_of(is_wanted).await?;
        ids.retain(|id| !unstored.contains(id));
        let is_read = |id: &ConsignmentId| base.get(*id).is_none() || changed.ids.contains(id);
        let to_read: Vec<_> = ids.iter().copied().filter(is_read).collect();
        let mut read = self.unmanifested_rows(to_read, &base).await?;
        let shown = shown.unwrap_or_default();
        let on_screen = unstored.iter().filter_map(|id| shown.shared(*id).cloned());
        let on_screen: Vec<_> = on_screen.collect();
        let make = move || {
            let stored = { ids.iter() }.filter_map(|id| match read.remove(id) {
                Some(row) => Some(row),
                None => base.shared(*id).cloned(),
            });
            let rows: Vec<_> = stored.chain(on_screen).collect();
            let is_same = |row: &Arc<UnmanifestedRow>| {
                base.shared(row.id)
                    .is_some_and(|before| Arc::ptr_eq(before, row))
            };
            if rows.len() == base.len() && rows.iter().all(is_same) {
                base
            } else {
                UnmanifestedList::from_shared(rows)
            }
        };
        let made = tokio::task::spawn_blocking(make).await;
        let list = made.map_err(|_panicked| EngineError::Internal)?;
        *last = Some((company, list.clone()));
        changed.applied();
        self.0.changed_rows().extend(&unstored);
        Ok(list)
    }

    /// Reads rows of the list. A row that is as in `base` is shared.
    async fn unmanifested_rows(
        &self,
        ids: Vec<ConsignmentId>,
        base: &UnmanifestedList,
    ) -> Result<HashMap<ConsignmentId, Arc<UnmanifestedRow>>, EngineError> {
        let base = base.clone();
        self.read(move |reader| {
            let mut builder = UnmanifestedRowBuilder::default();
            let mut read = HashMap::with_capacity(ids.len());
            for some in ids.chunks(ROWS_AT_ONCE) {
                for stored in reader.rows(some)? {
                    let row = builder.row(&stored);
                    let row = match base.shared(row.id) {
                        Some(known) if **known == row => Arc::clone(known),
                        _ => Arc::new(row),
                    };
                    read.insert(row.id, row);
                }
            }
            Ok(read)
        })
        .await
    }
}

/// Rows in memory at once in their long form.
const ROWS_AT_ONCE: usize = 500;

/// Changed rows that are being applied to the list. They are still to be applied if that fails or is cancelled.
struct TakenChanges<'a> {
    track: &'a Track,
    ids: HashSet<ConsignmentId>,
}

impl<'a> TakenChanges<'a> {
    fn take(track: &'a Track) -> Self {
        let ids = std::mem::take(&mut *track.0.changed_rows());
        Self { track, ids }
    }

    fn applied(mut self) {
        self.ids.clear();
    }
}

impl Drop for TakenChanges<'_> {
    fn drop(&mut self) {
        self.track.0.changed_rows().extend(&self.ids);
    }
}
