//! The lists last seen: stored in the journal after a fetch and restored at the next start.
//!
//! Rows are written and read in small pages, so that no other commit waits for a long list. A stored list
//! never replaces one that was fetched since. The unmanifested consignments are handled in
//! [`super::unmanifested_list`].

use std::collections::HashSet;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::EngineContext;
use super::request::LastSeenList;
use super::{EngineError, Outcome};
use shipping::{Company, CompanyId, CompanyLocation};
use storage::{CachedList, CachedRow};

/// Rows in a transaction or in a page that is read: some milliseconds.
pub(super) const PAGE: usize = 100;

/// The rows of a list as stored.
pub(super) type ListRows = Vec<CachedRow>;

/// Converts records to rows and keeps their order.
pub(super) fn in_order<T: Serialize>(rows: &[T], id: impl Fn(&T) -> i64) -> ListRows {
    let placed = rows.iter().zip(1..);
    placed
        .filter_map(|(row, place)| list_row(row, id(row), place))
        .collect()
}

fn list_row<T: Serialize>(row: &T, id: i64, place: i64) -> Option<CachedRow> {
    let body = serde_json::to_string(row).ok()?;
    Some(CachedRow { id, place, body })
}

impl EngineContext {
    /// Stores a completely fetched list in a background task, in which `rows` is called too.
    pub(super) fn remember(
        &self,
        list: CachedList,
        rows: impl FnOnce() -> ListRows + Send + 'static,
    ) {
        let (bench, now) = (self.clone(), self.now());
        tokio::spawn(async move {
            // One list at a time, in order, so that the newer list wins.
            let _turn = bench.writer.list_turn().await;
            let Ok(rows) = tokio::task::spawn_blocking(rows).await else {
                return;
            };
            let kept = tokio::select! {
                kept = bench.keep_list(list, rows, now) => kept,
                () = bench.outcomes.closed() => Ok(()),
            };
            if let Err(error) = kept {
                tracing::warn!(%error, "a list could not be kept for the next start");
            }
        });
    }

    async fn keep_list(
        &self,
        list: CachedList,
        rows: ListRows,
        now: Timestamp,
    ) -> Result<(), EngineError> {
        let ids: HashSet<_> = rows.iter().map(|row| row.id).collect();
        let mut rows = rows.into_iter();
        loop {
            let page: Vec<_> = rows.by_ref().take(PAGE).collect();
            if page.is_empty() {
                break;
            }
            self.writer
                .run(move |journal| journal.keep_rows(list, &page, now))
                .await?;
        }
        let kept = self
            .writer
            .run(move |journal| journal.row_ids(list))
            .await?;
        let gone: Vec<_> = kept.into_iter().filter(|id| !ids.contains(id)).collect();
        for page in gone.chunks(PAGE) {
            let page = page.to_vec();
            self.writer
                .run(move |journal| journal.drop_rows(list, &page))
                .await?;
        }
        self.writer
            .run(move |journal| journal.mark_list_complete(list, now))
            .await
    }

    /// Sends the companies last seen to the window. Other lists are sent when they are requested.
    pub(super) async fn restore_lists(&self) {
        tokio::select! {
            restored = self.try_restore_lists() => {
                if let Err(error) = restored {
                    tracing::warn!(%error, "the lists last seen could not be read");
                }
            }
            () = self.outcomes.closed() => {}
        }
    }

    async fn try_restore_lists(&self) -> Result<(), EngineError> {
        if let Some((companies, _)) = self.list::<Company>(CachedList::Companies).await? {
            self.tell_last_seen(LastSeenList::Companies(companies))
                .await;
        }
        Ok(())
    }

    /// Sends the saved locations last seen of a company to the window, and returns them.
    pub(super) async fn tell_last_locations(
        &self,
        company: Option<CompanyId>,
    ) -> Vec<CompanyLocation> {
        match self.list(CachedList::Locations(company)).await {
            Ok(Some((list, _))) => {
                let seen = LastSeenList::Locations {
                    company,
                    list: list.clone(),
                };
                self.tell_last_seen(seen).await;
                return list;
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "the saved locations last seen could not be read"),
        }
        Vec::new()
    }

    async fn tell_last_seen(&self, seen: LastSeenList) {
        self.tell(Outcome::LastSeen(Box::new(seen))).await;
    }

    /// Reads a list as it was last fetched completely; `None` if it never was. Unreadable rows are skipped.
    pub(super) async fn list<T: DeserializeOwned + Send + 'static>(
        &self,
        list: CachedList,
    ) -> Result<Option<(Vec<T>, Timestamp)>, EngineError> {
        let as_of = self
            .writer
            .run(move |journal| journal.list_as_of(list))
            .await?;
        let Some(as_of) = as_of else { return Ok(None) };
        let (mut read, mut after) = (Vec::new(), i64::MIN);
        loop {
            let page = self
                .writer
                .run(move |journal| journal.rows_after(list, after, PAGE))
                .await?;
            let whole = page.len() == PAGE;
            if let Some(last) = page.last() {
                after = last.place;
            }
            let parse = move || {
                let rows = page.iter();
                rows.filter_map(|row| serde_json::from_str(&row.body).ok())
                    .collect::<Vec<T>>()
            };
            let parsed = tokio::task::spawn_blocking(parse).await;
            read.extend(parsed.map_err(|_panicked| EngineError::Internal)?);
            if !whole {
                return Ok(Some((read, as_of)));
            }
        }
    }
}
