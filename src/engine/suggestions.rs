//! Suggestions of receivers, suburbs and saved items: collected from every answer, stored in the journal, and
//! sent to the screens when they change. The service has no operation that lists them, so answers and sent
//! requests are the only source. Collecting never delays a request, and names are never logged.

mod collect;
mod store;

use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;
use tokio::sync::{Mutex, OwnedMutexGuard};

pub use collect::brings_dangerous_goods;
use store::JournalChanges;
pub use store::SuggestionStore;

use super::{EngineContext, EngineError, Fetch, Outcome, Reads, blocking};
use draft::{Receiver, SavedItem, Suburb};
use shipping::{
    Carrier, CompanyId, CompanyLocation, Consignment, ConsignmentRequest, UnLookupEntry, UnNumber,
};
use storage::{Journal, SuggestionKind, SuggestionRow};

/// The most rows in one transaction, so that no other commit waits long.
const AT_ONCE: usize = 100;

/// The most UN numbers in one call.
const A_CALL: usize = 50;

/// The suggestions of each kind that changed. A list that did not change is `None`.
#[derive(Debug, Default)]
pub struct Suggestions {
    /// Receivers, the most recently used first.
    pub receivers: Option<Arc<Vec<Receiver>>>,
    /// Sorted by name.
    pub suburbs: Option<Arc<Vec<Suburb>>>,
    /// Saved items with an id, then saved items without an id. In both groups, the most recently used come first.
    pub items: Option<Arc<Vec<SavedItem>>>,
    /// The service's earlier answers about UN numbers.
    pub un_numbers: Vec<UnNumberAnswer>,
    /// The carriers of companies, from earlier fetches.
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
        self.update_suggestions(move |store| store.remember_consignments(&consignments, now));
    }

    /// Collects suggestions from a page of a long list before the next page arrives. They are reported to the
    /// screens after the last page.
    pub(super) async fn remember_page(&self, page: Vec<Consignment>) {
        let now = self.now();
        let collect = move |store: &mut SuggestionStore| store.remember_consignments(&page, now);
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
            // A suggestion that was removed may have been seen again since, so removals come first.
            self.journal(move |journal| journal.forget_suggestions(kind, &gone))
                .await?;
            for some in rows.chunks(AT_ONCE) {
                let some = some.to_vec();
                self.journal(move |journal| journal.remember_suggestions(kind, &some))
                    .await?;
            }
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
            self.suggestions.lock().await.restore(kind, rows);
        }
        let un_number = |row: &SuggestionRow| {
            Some(UnNumberAnswer {
                number: UnNumber::new(row.key.parse().ok()?)?,
                entries: serde_json::from_str(&row.body).ok()?,
                at: row.seen,
            })
        };
        let carriers_of = |row: &SuggestionRow| {
            let company = CompanyId::new(row.key.parse().ok()?);
            Some((company, Arc::new(serde_json::from_str(&row.body).ok()?)))
        };
        let un_numbers = stored(SuggestionKind::UnNumber).await?;
        let carriers = stored(SuggestionKind::Carriers).await?;
        let store = self.suggestions.lock().await;
        let known = Suggestions {
            un_numbers: un_numbers.iter().filter_map(un_number).collect(),
            carriers: carriers.iter().filter_map(carriers_of).collect(),
            ..store.whole()
        };
        self.tell(Outcome::Suggestions(Box::new(known))).await;
        Ok(())
    }

    /// Stores answers of the service in the journal, in the background, each with its key.
    fn store_answers<'a, T: Serialize + 'a>(
        &self,
        kind: SuggestionKind,
        answers: impl IntoIterator<Item = (String, &'a T)>,
    ) {
        let seen = self.now();
        let row = |(key, answer)| {
            let body = serde_json::to_string(answer).ok()?;
            Some(SuggestionRow { key, seen, body })
        };
        let rows = answers.into_iter().filter_map(row).collect();
        let gone = Vec::new();
        let (bench, changes) = (self.clone(), vec![JournalChanges { kind, rows, gone }]);
        tokio::spawn(async move { bench.keep_or_warn(changes).await });
    }
}

impl Reads {
    /// Fetches UN numbers in as few calls as possible. A number that the service does not know has no entries.
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
            let answers = found
                .iter()
                .map(|one| (one.number.get().to_string(), &one.entries));
            bench.store_answers(SuggestionKind::UnNumber, answers);
            Ok(found)
        })
    }

    pub fn carriers(&self, company: CompanyId) -> Fetch<Arc<Vec<Carrier>>> {
        self.job(move |bench| async move {
            let carriers = bench.client.carriers(company).await?;
            let answer = [(company.to_string(), &carriers)];
            bench.store_answers(SuggestionKind::Carriers, answer);
            Ok(Arc::new(carriers))
        })
    }
}
