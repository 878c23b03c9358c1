//! Suggestions of receivers, suburbs and saved items: collected from every answer, stored in the journal, and
//! reported to the screens when they change. The interface has no operation that lists these, so answers and
//! sent requests are the only source. Collecting never delays a request, and names are never logged.

mod asks;
mod lesson;
mod store;

use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::Mutex;

pub(super) use store::Store;
use store::Written;

use super::bench::Bench;
use super::{Outcome, WorkError};
use crate::draft::{Receiver, SavedItem, Suburb};
use crate::journal::{KnownKind, KnownRow};
use crate::shipping::{
    Carrier, CompanyId, CompanyLocation, Consignment, ConsignmentRequest, UnEntry, UnNumber,
};

/// Rows in one transaction, or in one page that is read.
const PAGE: usize = 100;

/// Suggestions that changed. A list that did not change is `None`.
#[derive(Debug, Default)]
pub struct Known {
    /// Receivers, the last one sent to first.
    pub receivers: Option<Arc<Vec<Receiver>>>,
    /// Suburbs, sorted.
    pub suburbs: Option<Arc<Vec<Suburb>>>,
    /// Saved items: those with an id first, and otherwise the last used first.
    pub items: Option<Arc<Vec<SavedItem>>>,
    /// The service's earlier answers about UN numbers.
    pub un_numbers: Vec<UnFound>,
    /// The carriers of companies, as fetched before.
    pub carriers: Vec<(CompanyId, Arc<Vec<Carrier>>)>,
}

/// The service's answer about a UN number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnFound {
    pub number: UnNumber,
    /// An entry for each packing group; empty if the service does not know the number.
    pub entries: Vec<UnEntry>,
    /// When the service answered.
    pub at: Timestamp,
}

/// The suggestions, shared by the queues.
pub(super) type Shelves = Arc<Mutex<Store>>;

/// Normalises a text for comparison: lower case, single spaces.
fn fold(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

impl Bench {
    /// Collects suggestions from consignments that the service returned.
    pub(super) fn learn_consignments(&self, consignments: Vec<Consignment>) {
        let now = self.now();
        self.learn(move |store| {
            for consignment in &consignments {
                store.learn_consignment(consignment, now);
            }
        });
    }

    /// Collects suggestions from a page of a long list before the next page arrives. They are reported to the
    /// screens after the last page.
    pub(super) async fn teach(&self, page: Vec<Consignment>) {
        if page.is_empty() {
            return;
        }
        let mut store = Arc::clone(&self.known).lock_owned().await;
        let now = self.now();
        let taught = tokio::task::spawn_blocking(move || {
            for consignment in &page {
                store.learn_consignment(consignment, now);
            }
        });
        if taught.await.is_err() {
            tracing::error!("learning from a page panicked");
        }
    }

    /// Reports the suggestions that were collected page by page.
    pub(super) fn tell_learnt(&self) {
        self.learn(|_| ());
    }

    /// Collects suggestions from saved locations.
    pub(super) fn learn_locations(&self, locations: Vec<CompanyLocation>) {
        let now = self.now();
        self.learn(move |store| {
            for location in &locations {
                store.learn_location(location, now);
            }
        });
    }

    /// Collects suggestions from a consignment that was created here.
    pub(super) fn learn_created(&self, request: &ConsignmentRequest, consignment: &Consignment) {
        let (request, consignment, now) = (request.clone(), consignment.clone(), self.now());
        self.learn(move |store| {
            store.learn_created(&request, &consignment, now);
        });
    }

    /// Updates the suggestions in the background, because a long list takes a while.
    fn learn(&self, lesson: impl FnOnce(&mut Store) + Send + 'static) {
        let bench = self.clone();
        tokio::spawn(async move {
            let mut store = Arc::clone(&bench.known).lock_owned().await;
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
                bench.tell(Outcome::Known(Box::new(known))).await;
                drop(store);
                bench.keep_or_warn(written).await;
            }
        });
    }

    async fn keep_or_warn(&self, written: Vec<Written>) {
        let kept = tokio::select! {
            kept = self.keep_all(written) => kept,
            () = self.outcomes.closed() => Ok(()),
        };
        if let Err(error) = kept {
            tracing::warn!(%error, "what was learnt could not be kept for the next start");
        }
    }

    async fn keep_all(&self, written: Vec<Written>) -> Result<(), WorkError> {
        for Written { kind, rows, gone } in written {
            for page in rows.chunks(PAGE) {
                let page = page.to_vec();
                self.writer
                    .run(move |journal| journal.keep_known(kind, &page))
                    .await?;
            }
            for page in gone.chunks(PAGE) {
                let page = page.to_vec();
                self.writer
                    .run(move |journal| journal.forget_known(kind, &page))
                    .await?;
            }
        }
        Ok(())
    }

    /// Reports the suggestions that an earlier run stored.
    pub(super) async fn restore_known(&self) {
        tokio::select! {
            restored = self.try_restore_known() => {
                if let Err(error) = restored {
                    tracing::warn!(%error, "what was learnt before could not be read");
                }
            }
            () = self.outcomes.closed() => {}
        }
    }

    async fn try_restore_known(&self) -> Result<(), WorkError> {
        for kind in [KnownKind::Receiver, KnownKind::Suburb, KnownKind::Item] {
            let rows = self.known_rows(kind).await?;
            self.known.lock().await.restore(kind, &rows);
        }
        let un_numbers = self.known_rows(KnownKind::UnNumber).await?;
        let carriers = self.known_rows(KnownKind::Carriers).await?;
        let store = self.known.lock().await;
        let known = Known {
            un_numbers: un_numbers.iter().filter_map(un_found).collect(),
            carriers: carriers.iter().filter_map(carriers_of).collect(),
            ..store.whole()
        };
        self.tell(Outcome::Known(Box::new(known))).await;
        Ok(())
    }

    async fn known_rows(&self, kind: KnownKind) -> Result<Vec<KnownRow>, WorkError> {
        let (mut all, mut after) = (Vec::new(), String::new());
        loop {
            let from = std::mem::take(&mut after);
            let page = self
                .writer
                .run(move |journal| journal.known_after(kind, &from, PAGE))
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

fn un_found(row: &KnownRow) -> Option<UnFound> {
    Some(UnFound {
        number: UnNumber::new(row.key.parse().ok()?)?,
        entries: serde_json::from_str(&row.body).ok()?,
        at: row.seen,
    })
}

fn carriers_of(row: &KnownRow) -> Option<(CompanyId, Arc<Vec<Carrier>>)> {
    let company = row.key.parse().ok().map(CompanyId::new)?;
    Some((company, Arc::new(serde_json::from_str(&row.body).ok()?)))
}
