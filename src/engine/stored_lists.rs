//! The short lists last seen, such as companies and saved locations: stored after a fetch, and restored at the
//! next start. The list of unmanifested consignments is made from the stored consignments (see
//! `track/unmanifested.rs`).

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::Outcome;
use super::context::EngineContext;
use super::request::LastSeenList;
use shipping::{Company, CompanyId, CompanyLocation};
use storage::CachedList;

impl EngineContext {
    pub(super) fn remember<T: Serialize>(&self, list: CachedList, rows: &[T]) {
        let Ok(body) = serde_json::to_string(rows) else {
            return;
        };
        let track = self.track.clone();
        tokio::spawn(async move {
            let kept = track.write(move |store| store.put_list(list, &body)).await;
            if let Err(error) = kept {
                tracing::warn!(%error, "a list could not be stored for the next start");
            }
        });
    }

    /// Sends the companies last seen to the window. Other lists are sent when they are requested.
    pub(super) async fn restore_lists(&self) {
        let companies = self.until_closed(self.stored_list::<Company>(CachedList::Companies));
        let companies = companies.await.unwrap_or_default();
        if !companies.is_empty() {
            self.tell_last_seen(LastSeenList::Companies(companies))
                .await;
        }
    }

    /// Sends the saved locations last seen of a company to the window, and returns them.
    pub(super) async fn tell_last_locations(
        &self,
        company: Option<CompanyId>,
    ) -> Vec<CompanyLocation> {
        let list: Vec<CompanyLocation> = self.stored_list(CachedList::Locations(company)).await;
        if !list.is_empty() {
            let seen = LastSeenList::Locations {
                company,
                list: list.clone(),
            };
            self.tell_last_seen(seen).await;
        }
        list
    }

    async fn tell_last_seen(&self, seen: LastSeenList) {
        self.tell(Outcome::LastSeen(Box::new(seen))).await;
    }

    /// Reads a list as it was last fetched; empty if it never was. Records that this version can't read are
    /// left out.
    pub(super) async fn stored_list<T: DeserializeOwned>(&self, list: CachedList) -> Vec<T> {
        let body = match self.track.read(move |reader| reader.list(list)).await {
            Ok(body) => body.unwrap_or_default(),
            Err(error) => {
                tracing::warn!(%error, "a list last seen could not be read");
                return Vec::new();
            }
        };
        let records: Vec<&RawValue> = serde_json::from_str(&body).unwrap_or_default();
        let records = records.into_iter();
        records
            .filter_map(|record| serde_json::from_str(record.get()).ok())
            .collect()
    }
}
