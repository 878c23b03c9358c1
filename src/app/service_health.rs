//! Watches whether the service can be reached, and repeats fetches that failed while it was away.

use std::time::Duration;

use super::core::Core;
use crate::state::Health;

/// Wait before failed fetches are retried although the service can be reached.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// Minimum time between two retries, so that a slow service is not asked without end.
const RETRY_INTERVAL: Duration = Duration::from_mins(1);

impl Core {
    /// Updates the health that the status line shows. Once the service has come back, fetches the list and
    /// everything that had failed.
    pub(super) fn watch_health(&mut self, at: Duration) {
        let health = self.work.reads().health();
        let latency_ms = health
            .latency
            .and_then(|latency| u64::try_from(latency.as_millis()).ok());
        self.shared.session.health = Health {
            // 0 ms would not look believable.
            latency_ms: latency_ms.map(|ms| ms.max(1)),
            fault: health.fault,
            away_since: health.away_since,
        };
        let came_back = health.returns != self.returns;
        self.returns = health.returns;
        if health.away_since.is_some() {
            return;
        }
        if came_back {
            self.retry_due = None;
            self.retry_failed_fetches();
            // The list is fetched even if only a write had failed: other benches may have changed it.
            if !self.shared.dispatch.unmanifested.is_loading() {
                self.refresh_unmanifested();
            }
        } else if !self.has_failed() {
            self.retry_due = None;
        } else if self.retry_due.is_some_and(|due| due <= at) {
            self.retry_due = None;
            self.last_retry = Some(at);
            self.retry_failed_fetches();
        } else {
            let again = self.last_retry.map(|healed| healed + RETRY_INTERVAL);
            let due = (at + RETRY_AFTER).max(again.unwrap_or_default());
            self.retry_due.get_or_insert(due);
        }
    }

    /// Allows calls again at once and repeats the fetches, because the clerk asked for that.
    pub(super) fn reconnect(&mut self) {
        self.work.reads().reconnect();
        self.fetch_companies();
        self.fetch_locations();
        self.refresh_unmanifested();
        self.retry_lookups();
        if self.shared.consign.routes.is_service_unavailable() {
            self.find_routes(true);
        }
    }

    /// Returns whether data for a screen could not be fetched because the service was away.
    fn has_failed(&self) -> bool {
        let shared = &self.shared;
        shared.catalogue.companies.is_service_unavailable()
            || shared.catalogue.locations.is_service_unavailable()
            || shared.dispatch.unmanifested.is_service_unavailable()
            || shared.consign.routes.is_service_unavailable()
            || shared.labels.preview.is_service_unavailable()
            || shared.catalogue.un_lookup.is_service_unavailable()
            || shared.catalogue.carrier_list.is_service_unavailable()
    }

    fn retry_failed_fetches(&mut self) {
        if self.shared.catalogue.companies.is_service_unavailable() {
            self.fetch_companies();
        }
        if self.shared.catalogue.locations.is_service_unavailable() {
            self.fetch_locations();
        }
        if self.shared.dispatch.unmanifested.is_service_unavailable() {
            self.refresh_unmanifested();
        }
        if self.shared.consign.routes.is_service_unavailable() {
            self.find_routes(true);
        }
        if self.shared.labels.preview.is_service_unavailable() {
            self.refresh_preview();
        }
        self.retry_lookups();
    }
}
