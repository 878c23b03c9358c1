//! What the bench knows: learnt from every answer, kept in the journal, told to the screens where it has changed.
//!
//! No operation lists receivers, suburbs or saved items, so that answers and what was sent are all there is to learn from.
//! What always holds: nobody who asked for something waits for what is learnt from it. What it must not do: log a name.

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

/// Rows in a transaction, or in a page that is read.
const PAGE: usize = 100;

/// What is known anew; lists that are as they were are left out.
#[derive(Debug, Default)]
pub struct Known {
    /// Receivers that were sent to, the last one first.
    pub receivers: Option<Arc<Vec<Receiver>>>,
    /// Suburbs, sorted.
    pub suburbs: Option<Arc<Vec<Suburb>>>,
    /// Saved items, the last one first, those with an id before the others.
    pub items: Option<Arc<Vec<SavedItem>>>,
    /// What the service once said of UN numbers.
    pub un_numbers: Vec<UnFound>,
    /// The carriers that companies had.
    pub carriers: Vec<(CompanyId, Arc<Vec<Carrier>>)>,
}

/// What the service said of a UN number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnFound {
    /// The number.
    pub number: UnNumber,
    /// An entry for each packing group; none where the service does not know the number.
    pub entries: Vec<UnEntry>,
    /// When it said so.
    pub at: Timestamp,
}

/// What is known, shared by the lanes.
pub(super) type Shelves = Arc<Mutex<Store>>;

/// As people compare names: without case, and with one blank where there are several.
fn fold(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

impl Bench {
    /// Learns from consignments that the service gave.
    pub(super) fn learn_consignments(&self, consignments: Vec<Consignment>) {
        let now = self.now();
        self.learn(move |store| {
            for consignment in &consignments {
                store.learn_consignment(consignment, now);
            }
        });
    }

    /// Learns from a page of a long list, before the next one comes; what is new is told at its end.
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

    /// Tells what was learnt page by page.
    pub(super) fn tell_learnt(&self) {
        self.learn(|_| ());
    }

    /// Learns from saved locations.
    pub(super) fn learn_locations(&self, locations: Vec<CompanyLocation>) {
        let now = self.now();
        self.learn(move |store| {
            for location in &locations {
                store.learn_location(location, now);
            }
        });
    }

    /// Learns from a consignment that was created here.
    pub(super) fn learn_created(&self, request: &ConsignmentRequest, consignment: &Consignment) {
        let (request, consignment, now) = (request.clone(), consignment.clone(), self.now());
        self.learn(move |store| {
            store.learn_created(&request, &consignment, now);
        });
    }

    /// Learns behind whoever asked; a long list takes a while.
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
                // Told before the next lesson begins: the newest word comes last.
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

    /// Tells what was known at the end of the last run.
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
