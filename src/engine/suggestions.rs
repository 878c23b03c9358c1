//! Suggestions of receivers, suburbs and saved items: collected from every answer, stored in the journal, and
//! sent to the screens when they change. The service has no operation that lists them, so answers and sent
//! requests are the only source. Collecting never delays a request, and names are never logged.

mod collect;
mod lookups;
mod store;

use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::Mutex;

use store::JournalChanges;
pub(super) use store::SuggestionStore;

use super::context::EngineContext;
use super::{EngineError, Outcome};
use draft::{Receiver, SavedItem, Suburb};
use shipping::{
    Carrier, CompanyId, CompanyLocation, Consignment, ConsignmentRequest, UnLookupEntry, UnNumber,
};
use storage::{SuggestionKind, SuggestionRow};

/// Rows in one transaction, or in one page that is read.
const PAGE: usize = 100;

/// Suggestions that changed. A list that did not change is `None`.
#[derive(Debug, Default)]
pub struct Suggestions {
    /// Receivers, the most recently used first.
    pub receivers: Option<Arc<Vec<Receiver>>>,
    /// Sorted by name.
    pub suburbs: Option<Arc<Vec<Suburb>>>,
    /// Saved items: items with an id first, then items without an id; each of the two with the most recently
    /// used first.
    pub items: Option<Arc<Vec<SavedItem>>>,
    /// The service's earlier answers about UN numbers.
    pub un_numbers: Vec<UnNumberAnswer>,
    /// The carriers of companies, as fetched before.
    pub carriers: Vec<(CompanyId, Arc<Vec<Carrier>>)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnNumberAnswer {
    pub number: UnNumber,
    /// An entry for each packing group; empty if the service does not know the number.
    pub entries: Vec<UnLookupEntry>,
    pub at: Timestamp,
}

/// The suggestions, shared by the queues.
pub(super) type SharedSuggestions = Arc<Mutex<SuggestionStore>>;

/// Normalises a text for comparison: lower case, single spaces.
fn fold(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

impl EngineContext {
    /// Collects suggestions from consignments that the service returned.
    pub(super) fn remember_consignments(&self, consignments: Vec<Consignment>) {
        let now = self.now();
        self.update_suggestions(move |store| {
            for consignment in &consignments {
                store.remember_consignment(consignment, now);
            }
        });
    }

    /// Collects suggestions from a page of a long list before the next page arrives. They are reported to the
    /// screens after the last page.
    pub(super) async fn remember_page(&self, page: Vec<Consignment>) {
        if page.is_empty() {
            return;
        }
        let mut store = Arc::clone(&self.suggestions).lock_owned().await;
        let now = self.now();
        let taught = tokio::task::spawn_blocking(move || {
            for consignment in &page {
                store.remember_consignment(consignment, now);
            }
        });
        if taught.await.is_err() {
            tracing::error!("collecting suggestions from a page panicked");
        }
    }

    /// Sends the screens the suggestions that were collected page by page.
    pub(super) fn report_suggestions(&self) {
        self.update_suggestions(|_| ());
    }

    pub(super) fn remember_locations(&self, locations: Vec<CompanyLocation>) {
        let now = self.now();
        self.update_suggestions(move |store| {
            for location in &locations {
                store.remember_location(location, now);
            }
        });
    }

    /// Collects suggestions from a consignment that was created here.
    pub(super) fn remember_created(&self, request: &ConsignmentRequest, consignment: &Consignment) {
        let (request, consignment, now) = (request.clone(), consignment.clone(), self.now());
        self.update_suggestions(move |store| {
            store.remember_created(&request, &consignment, now);
        });
    }

    /// Updates the suggestions in the background, because a long list takes a while.
    fn update_suggestions(&self, lesson: impl FnOnce(&mut SuggestionStore) + Send + 'static) {
        let bench = self.clone();
        tokio::spawn(async move {
            let mut store = Arc::clone(&bench.suggestions).lock_owned().await;
            let learnt = tokio::task::spawn_blocking(move || {
                lesson(&mut store);
                let changes = store.changes();
                (changes, store)
            });
            let Ok(((written, known), store)) = learnt.await else {
                return;
            };
            if !written.is_empty() {
                // Reported while the store is still locked, so that the newest suggestions arrive last.
                bench.tell(Outcome::Suggestions(Box::new(known))).await;
                drop(store);
                bench.keep_or_warn(written).await;
            }
        });
    }

    async fn keep_or_warn(&self, written: Vec<JournalChanges>) {
        if let Some(Err(error)) = self.until_closed(self.keep_all(written)).await {
            tracing::warn!(%error, "suggestions could not be stored for the next start");
        }
    }

    async fn keep_all(&self, written: Vec<JournalChanges>) -> Result<(), EngineError> {
        for JournalChanges { kind, rows, gone } in written {
            for page in rows.chunks(PAGE) {
                let page = page.to_vec();
                self.writer
                    .run(move |journal| journal.remember_suggestions(kind, &page))
                    .await?;
            }
            for page in gone.chunks(PAGE) {
                let page = page.to_vec();
                self.writer
                    .run(move |journal| journal.forget_suggestions(kind, &page))
                    .await?;
            }
        }
        Ok(())
    }

    /// Sends the screens the suggestions that an earlier run stored.
    pub(super) async fn restore_suggestions(&self) {
        if let Some(Err(error)) = self.until_closed(self.try_restore_known()).await {
            tracing::warn!(%error, "stored suggestions could not be read");
        }
    }

    async fn try_restore_known(&self) -> Result<(), EngineError> {
        for kind in [
            SuggestionKind::Receiver,
            SuggestionKind::Suburb,
            SuggestionKind::Item,
        ] {
            let rows = self.known_rows(kind).await?;
            self.suggestions.lock().await.restore(kind, &rows);
        }
        let un_numbers = self.known_rows(SuggestionKind::UnNumber).await?;
        let carriers = self.known_rows(SuggestionKind::Carriers).await?;
        let store = self.suggestions.lock().await;
        let known = Suggestions {
            un_numbers: un_numbers.iter().filter_map(un_found).collect(),
            carriers: carriers.iter().filter_map(carriers_of).collect(),
            ..store.whole()
        };
        self.tell(Outcome::Suggestions(Box::new(known))).await;
        Ok(())
    }

    async fn known_rows(&self, kind: SuggestionKind) -> Result<Vec<SuggestionRow>, EngineError> {
        let (mut all, mut after) = (Vec::new(), String::new());
        loop {
            let from = std::mem::take(&mut after);
            let page = self
                .writer
                .run(move |journal| journal.suggestions_after(kind, &from, PAGE))
                .await?;
            let whole = page.len() == PAGE;
            if let Some(last) = page.last() {
                after.clone_from(&last.key);
            }
            all.extend(page);
            if !whole {
                return Ok(all);
            }
        }
    }
}

fn un_found(row: &SuggestionRow) -> Option<UnNumberAnswer> {
    Some(UnNumberAnswer {
        number: UnNumber::new(row.key.parse().ok()?)?,
        entries: serde_json::from_str(&row.body).ok()?,
        at: row.seen,
    })
}

fn carriers_of(row: &SuggestionRow) -> Option<(CompanyId, Arc<Vec<Carrier>>)> {
    let company = row.key.parse().ok().map(CompanyId::new)?;
    Some((company, Arc::new(serde_json::from_str(&row.body).ok()?)))
}
