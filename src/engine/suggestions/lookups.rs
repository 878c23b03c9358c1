//! Fetches UN numbers and the carriers of a company from the service, and stores both in the journal.

use std::sync::Arc;

use super::store::JournalChanges;
use super::{EngineContext, UnNumberAnswer};
use crate::{Fetch, Reads};
use shipping::{Carrier, CompanyId, UnNumber};
use storage::{SuggestionKind, SuggestionRow};

const A_CALL: usize = 50;

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
            bench.store_in_background(
                SuggestionKind::UnNumber,
                found.iter().filter_map(un_row).collect(),
            );
            Ok(found)
        })
    }

    /// Fetches the carriers of a company, with their accounts and services.
    pub fn carriers(&self, company: CompanyId) -> Fetch<Arc<Vec<Carrier>>> {
        self.job(move |bench| async move {
            let carriers = bench.client.carriers(company).await?;
            if let Ok(body) = serde_json::to_string(&carriers) {
                let (key, seen) = (company.to_string(), bench.now());
                bench.store_in_background(
                    SuggestionKind::Carriers,
                    vec![SuggestionRow { key, seen, body }],
                );
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

impl EngineContext {
    fn store_in_background(&self, kind: SuggestionKind, rows: Vec<SuggestionRow>) {
        let bench = self.clone();
        let gone = Vec::new();
        tokio::spawn(async move {
            bench
                .keep_or_warn(vec![JournalChanges { kind, rows, gone }])
                .await;
        });
    }
}
