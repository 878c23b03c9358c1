//! Suggestions of receivers, suburbs and saved items: collected from every answer, stored in the journal, and
//! sent to the screens when they change. The service has no operation that lists them, so answers and sent
//! requests are the only source. Collecting never delays a request, and names are never logged.

mod collect;
mod store;

use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::{Mutex, OwnedMutexGuard};

use store::{JournalChanges, SuggestionStore};

use super::{EngineContext, EngineError, Fetch, Outcome, Reads, blocking};
use draft::{Receiver, SavedItem, Suburb};
use shipping::{
    Carrier, CompanyId, CompanyLocation, Consignment, ConsignmentRequest, UnLookupEntry, UnNumber,
};
use storage::{Journal, SuggestionKind, SuggestionRow};

/// Rows in one transaction, so that no other commit waits long.
const AT_ONCE: usize = 100;

/// UN numbers in one call.
const A_CALL: usize = 50;

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

pub(super) type SharedSuggestions = Arc<Mutex<SuggestionStore>>;

/// Normalises a text for comparison: lower case, single spaces.
fn fold(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

impl EngineContext {
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
        let now = self.now();
        let collect = move |store: &mut SuggestionStore| {
            for consignment in &page {
                store.remember_consignment(consignment, now);
            }
        };
        drop(self.collect(collect).await);
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

    pub(super) fn remember_created(&self, request: &ConsignmentRequest, consignment: &Consignment) {
        let (request, consignment, now) = (request.clone(), consignment.clone(), self.now());
        self.update_suggestions(move |store| {
            store.remember_created(&request, &consignment, now);
        });
    }

    /// Runs a job on the suggestions in a separate thread, because a long list takes a while. Returns the result
    /// and the suggestions, which are still locked; `None` if the job panicked.
    async fn collect<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut SuggestionStore) -> T + Send + 'static,
    ) -> Option<(T, OwnedMutexGuard<SuggestionStore>)> {
        let mut store = Arc::clone(&self.suggestions).lock_owned().await;
        let done = tokio::task::spawn_blocking(move || (job(&mut store), store)).await;
        if done.is_err() {
            tracing::error!("collecting suggestions panicked");
        }
        done.ok()
    }

    /// Updates the suggestions in the background, reports them to the screens and stores them.
    fn update_suggestions(&self, update: impl FnOnce(&mut SuggestionStore) + Send + 'static) {
        let bench = self.clone();
        tokio::spawn(async move {
            let changes = |store: &mut SuggestionStore| {
                update(store);
                store.changes()
            };
            let Some(((written, known), store)) = bench.collect(changes).await else {
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
            for some in rows.chunks(AT_ONCE) {
                let some = some.to_vec();
                self.journal(move |journal| journal.remember_suggestions(kind, &some))
                    .await?;
            }
            self.journal(move |journal| journal.forget_suggestions(kind, &gone))
                .await?;
        }
        Ok(())
    }

    pub(super) async fn restore_suggestions(&self) {
        if let Some(Err(error)) = self.until_closed(self.try_restore_suggestions()).await {
            tracing::warn!(%error, "stored suggestions could not be read");
        }
    }

    async fn try_restore_suggestions(&self) -> Result<(), EngineError> {
        let stored = |kind| {
            let path = self.writer.path();
            blocking(move || Journal::suggestions(&path, kind))
        };
        for kind in [
            SuggestionKind::Receiver,
            SuggestionKind::Suburb,
            SuggestionKind::Item,
        ] {
            let rows = stored(kind).await?;
            self.suggestions.lock().await.restore(kind, &rows);
        }
        let un_numbers = stored(SuggestionKind::UnNumber).await?;
        let carriers = stored(SuggestionKind::Carriers).await?;
        let store = self.suggestions.lock().await;
        let known = Suggestions {
            un_numbers: un_numbers.iter().filter_map(un_found).collect(),
            carriers: carriers.iter().filter_map(carriers_of).collect(),
            ..store.whole()
        };
        self.tell(Outcome::Suggestions(Box::new(known))).await;
        Ok(())
    }

    /// Stores answers of the service in the journal, in the background.
    fn store_answers(&self, kind: SuggestionKind, rows: Vec<SuggestionRow>) {
        let bench = self.clone();
        let gone = Vec::new();
        let changes = vec![JournalChanges { kind, rows, gone }];
        tokio::spawn(async move { bench.keep_or_warn(changes).await });
    }
}

impl Reads {
    /// Fetches UN numbers in as few calls as possible. A number that the service does not know
    /// has no entries.
    pub fn un_numbers(&self, numbers: Vec<UnNumber>) -> Fetch<Vec<UnNumberAnswer>> {
        self.job(|bench| async move {
            let mut found = Vec::with_capacity(numbers.len());
            for numbers in numbers.chunks(A_CALL) {
                let entries = bench.client.un_numbers(numbers).await?;
                let at = bench.now();
                let of = |number: UnNumber| UnNumberAnswer {
                    number,
                    entries: entries
                        .iter()
                        .filter(|entry| entry.un_number == number)
                        .cloned()
                        .collect(),
                    at,
                };
                found.extend(numbers.iter().copied().map(of));
            }
            let rows = found.iter().filter_map(un_row).collect();
            bench.store_answers(SuggestionKind::UnNumber, rows);
            Ok(found)
        })
    }

    pub fn carriers(&self, company: CompanyId) -> Fetch<Arc<Vec<Carrier>>> {
        self.job(move |bench| async move {
            let carriers = bench.client.carriers(company).await?;
            if let Ok(body) = serde_json::to_string(&carriers) {
                let (key, seen) = (company.to_string(), bench.now());
                let row = SuggestionRow { key, seen, body };
                bench.store_answers(SuggestionKind::Carriers, vec![row]);
            }
            Ok(Arc::new(carriers))
        })
    }
}

fn un_row(found: &UnNumberAnswer) -> Option<SuggestionRow> {
    Some(SuggestionRow {
        key: found.number.get().to_string(),
        seen: found.at,
        body: serde_json::to_string(&found.entries).ok()?,
    })
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
