//! State between two syncs of the unmanifested list: the list as stored in the journal, and
//! where to continue.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;

use super::ListProgress;
use crate::context::EngineContext;
use crate::stored_lists::PAGE;
use crate::unmanifested_list::to_json;
use crate::{EngineError, UnmanifestedList, UnmanifestedRow, WaitingRows};
use shipping::{CompanyId, ConsignmentId, UnreadableRecord};
use storage::{CachedList, CachedRow};

/// The list as it is stored. Locked by one sync at a time.
#[derive(Default)]
pub(super) struct ListCache {
    /// The company of the list; `None` before the first sync.
    #[expect(
        clippy::option_option,
        reason = "a company's, the token's own, or none yet"
    )]
    pub(super) company: Option<Option<CompanyId>>,
    /// The list in the journal. Shares its rows with the list on the screen.
    pub(super) on_disk: UnmanifestedList,
    /// When that list was last complete; `None` if it never was.
    pub(super) as_of: Option<Timestamp>,
    /// The content of the journal is uncertain after a failed read or write: the next sync writes everything.
    pub(super) is_doubtful: bool,
    pub(super) rows: WaitingRows,
    /// When the newest change seen so far was made, by the service's clock.
    pub(super) newest: Option<Timestamp>,
    /// The last sync saw all changes up to this time.
    pub(super) since: Option<Timestamp>,
    /// The number of rows that the last full sync returned.
    pub(super) came: usize,
    /// Records that could not be read, as far as known.
    pub(super) unread: HashMap<i64, UnreadableRecord>,
}

/// State that all syncs of the list share; cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct ListSyncState {
    pub(super) cache: Arc<tokio::sync::Mutex<ListCache>>,
    wanted: Arc<Mutex<RequestedList>>,
}

#[derive(Default)]
struct RequestedList {
    #[expect(
        clippy::option_option,
        reason = "a company's, the token's own, or none yet"
    )]
    company: Option<Option<CompanyId>>,
    progress: Option<ListProgress>,
}

impl ListSyncState {
    /// Makes this company's list the only one that is wanted.
    pub(super) fn want(&self, company: Option<CompanyId>) {
        *self.wanted() = RequestedList {
            company: Some(company),
            progress: Some(ListProgress::default()),
        };
    }

    pub(super) fn is_wanted(&self, company: Option<CompanyId>) -> bool {
        self.wanted().company == Some(company)
    }

    pub(super) fn came(&self, progress: ListProgress) {
        self.wanted().progress = Some(progress);
    }

    pub(super) fn ended(&self, company: Option<CompanyId>) {
        let mut wanted = self.wanted();
        if wanted.company == Some(company) {
            wanted.progress = None;
        }
    }

    pub(super) fn progress(&self) -> Option<ListProgress> {
        self.wanted().progress
    }

    fn wanted(&self) -> std::sync::MutexGuard<'_, RequestedList> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EngineContext {
    /// Writes changed rows in small pages. If that fails, the next sync writes them.
    pub(super) async fn keep_changed(
        &self,
        shelf: &mut ListCache,
        changed: Vec<Arc<UnmanifestedRow>>,
    ) {
        let Some(company) = shelf.company else { return };
        if let Err(error) = self.write_rows(company, &changed).await {
            shelf.is_doubtful = true;
            tracing::warn!(%error, "rows of the list could not be stored for the next start");
        }
    }

    /// Stores a complete list: deletes rows that are gone from the journal, and writes those that
    /// no page brought.
    pub(super) async fn write_complete_list(
        &self,
        shelf: &mut ListCache,
        list: &UnmanifestedList,
        began: Timestamp,
    ) {
        let Some(company) = shelf.company else { return };
        let kept = self.try_keep_whole(shelf, company, list, began).await;
        shelf.is_doubtful = kept.is_err();
        shelf.on_disk = list.clone();
        shelf.as_of = Some(began);
        if let Err(error) = kept {
            tracing::warn!(%error, "the list could not be stored for the next start");
        }
    }

    async fn try_keep_whole(
        &self,
        shelf: &ListCache,
        company: Option<CompanyId>,
        list: &UnmanifestedList,
        began: Timestamp,
    ) -> Result<(), EngineError> {
        let name = CachedList::Unmanifested(company);
        let gone: Vec<i64> = if shelf.is_doubtful {
            let kept = self
                .writer
                .run(move |journal| journal.row_ids(name))
                .await?;
            let waits = |id: &i64| list.get(ConsignmentId::new(*id)).is_some();
            kept.into_iter().filter(|id| !waits(id)).collect()
        } else {
            let before = shelf.on_disk.iter().map(|one| one.id);
            before
                .filter(|id| list.get(*id).is_none())
                .map(ConsignmentId::get)
                .collect()
        };
        for page in gone.chunks(PAGE) {
            let page = page.to_vec();
            self.writer
                .run(move |journal| journal.drop_rows(name, &page))
                .await?;
        }
        let differs = |row: &&Arc<UnmanifestedRow>| {
            shelf.is_doubtful
                || shelf
                    .on_disk
                    .shared(row.id)
                    .is_none_or(|known| !Arc::ptr_eq(known, row) && **known != ***row)
        };
        let left: Vec<_> = list.rows().iter().filter(differs).cloned().collect();
        self.write_rows(company, &left).await?;
        self.writer
            .run(move |journal| journal.mark_list_complete(name, began))
            .await
    }

    async fn write_rows(
        &self,
        company: Option<CompanyId>,
        rows: &[Arc<UnmanifestedRow>],
    ) -> Result<(), EngineError> {
        let (list, now) = (CachedList::Unmanifested(company), self.now());
        for page in rows.chunks(PAGE) {
            let page: Vec<_> = page.iter().filter_map(|row| kept(row)).collect();
            self.writer
                .run(move |journal| journal.keep_rows(list, &page, now).map(drop))
                .await?;
        }
        Ok(())
    }

    /// Reads a stored list in small pages. Returns `None` if it never was complete.
    pub(super) async fn kept_rows(
        &self,
        list: CachedList,
    ) -> Result<Option<(UnmanifestedList, WaitingRows, Timestamp)>, EngineError> {
        let as_of = self
            .writer
            .run(move |journal| journal.list_as_of(list))
            .await?;
        let Some(as_of) = as_of else { return Ok(None) };
        let (mut read, mut rows) = (Vec::new(), WaitingRows::default());
        let mut after = i64::MIN;
        loop {
            let page = self
                .writer
                .run(move |journal| journal.rows_after(list, after, PAGE))
                .await?;
            let whole = page.len() == PAGE;
            after = page.last().map_or(after, |last| last.place);
            read.extend(
                page.iter()
                    .filter_map(|row| rows.row_from_json(&row.body).map(Arc::new)),
            );
            if !whole {
                break;
            }
        }
        let sorted = tokio::task::spawn_blocking(move || UnmanifestedList::from_shared(read)).await;
        let list = sorted.map_err(|_panicked| EngineError::Internal)?;
        Ok(Some((list, rows, as_of)))
    }
}

fn kept(row: &UnmanifestedRow) -> Option<CachedRow> {
    let id = row.id.get();
    Some(CachedRow {
        id,
        place: -id,
        body: to_json(row)?,
    })
}
