//! Watches whether the service can be reached, and repeats fetches that failed while it was away.

use std::time::Duration;

use super::core::Core;
use super::environment_mismatch::SeenModes;
use crate::state::Health;

/// Wait before failed fetches are retried although the service can be reached.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// Minimum time between two retries, so that a slow service is not asked without end.
const RETRY_INTERVAL: Duration = Duration::from_mins(1);

/// State of the open service that the screens do not read.
#[derive(Default)]
pub(super) struct SessionUpdate {
    /// Number of times that the service had come back, as of the last turn.
    pub(super) returns: u32,
    /// When failed fetches are retried.
    retry_due: Option<Duration>,
    /// When failed fetches were last retried.
    last_retry: Option<Duration>,
    pub(super) modes: SeenModes,
    /// Another service, or this service again, is to be opened.
    pub(super) leave_requested: bool,
}

impl SessionUpdate {
    /// Returns when failed fetches are retried.
    pub(super) const fn next_due(&self) -> Option<Duration> {
        self.retry_due
    }
}

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
        let came_back = health.returns != self.session.returns;
        self.session.returns = health.returns;
        if health.away_since.is_some() {
            return;
        }
        if came_back {
            self.session.retry_due = None;
            self.retry_failed_fetches();
            // The list is fetched even if only a write had failed: other benches may have changed it.
            if !self.shared.dispatch.unmanifested.is_loading() {
                self.refresh_unmanifested();
            }
        } else if !self.has_failed() {
            self.session.retry_due = None;
        } else if self.session.retry_due.is_some_and(|due| due <= at) {
            self.session.retry_due = None;
            self.session.last_retry = Some(at);
            self.retry_failed_fetches();
        } else {
            let again = self
                .session
                .last_retry
                .map(|healed| healed + RETRY_INTERVAL);
            let due = (at + RETRY_AFTER).max(again.unwrap_or_default());
            self.session.retry_due.get_or_insert(due);
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
