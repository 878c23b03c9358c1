//! Fetches UN numbers and the carriers of a company from the service, and stores both in the journal.

use std::sync::Arc;

use super::store::Written;
use super::{Bench, UnFound};
use crate::journal::{KnownKind, KnownRow};
use crate::shipping::{Carrier, CompanyId, UnNumber};
use crate::work::{Fetch, Reads};

/// Numbers in one call.
const A_CALL: usize = 50;

impl Reads {
    /// Fetches UN numbers in as few calls as possible. A number that the service does not know
    /// has no entries.
    pub fn un_numbers(&self, numbers: Vec<UnNumber>) -> Fetch<Vec<UnFound>> {
        self.job(|bench| async move {
            let mut found = Vec::with_capacity(numbers.len());
            for numbers in numbers.chunks(A_CALL) {
                let entries = bench.client.un_numbers(numbers).await?;
                let at = bench.now();
                let of = |number: UnNumber| UnFound {
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
            bench.keep_behind(
                KnownKind::UnNumber,
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
                bench.keep_behind(KnownKind::Carriers, vec![KnownRow { key, seen, body }]);
            }
            Ok(Arc::new(carriers))
        })
    }
}

fn un_row(found: &UnFound) -> Option<KnownRow> {
    Some(KnownRow {
        key: found.number.get().to_string(),
        seen: found.at,
        body: serde_json::to_string(&found.entries).ok()?,
    })
}

impl Bench {
    /// Stores rows in the background.
    fn keep_behind(&self, kind: KnownKind, rows: Vec<KnownRow>) {
        let bench = self.clone();
        let gone = Vec::new();
        tokio::spawn(async move {
            bench.keep_or_warn(vec![Written { kind, rows, gone }]).await;
        });
    }
}
