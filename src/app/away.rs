//! Watches whether the service can be reached, and repeats fetches that failed while it was away.

use std::time::Duration;

use super::core::Core;
use crate::state::Health;

/// Wait before failed fetches are retried although the service can be reached.
const HEAL_AFTER: Duration = Duration::from_secs(10);

/// Minimum time between two retries, so that a slow service is not asked without end.
const HEAL_AGAIN_AFTER: Duration = Duration::from_mins(1);

impl Core {
    /// Updates the health that the status line shows. Once the service has come back, fetches the list and
    /// everything that had failed.
    pub(super) fn watch_health(&mut self, at: Duration) {
        let health = self.work.reads().health();
        let latency_ms = health
            .latency
            .and_then(|latency| u64::try_from(latency.as_millis()).ok());
        self.shared.health = Health {
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
            self.heal_due = None;
            self.fetch_what_failed();
            // The list is fetched even if only a write had failed: other benches may have changed it.
            if !self.shared.unmanifested.is_loading() {
                self.refresh_unmanifested();
            }
        } else if !self.has_failed() {
            self.heal_due = None;
        } else if self.heal_due.is_some_and(|due| due <= at) {
            self.heal_due = None;
            self.healed = Some(at);
            self.fetch_what_failed();
        } else {
            let again = self.healed.map(|healed| healed + HEAL_AGAIN_AFTER);
            let due = (at + HEAL_AFTER).max(again.unwrap_or_default());
            self.heal_due.get_or_insert(due);
        }
    }

    /// Allows calls again at once and repeats the fetches, because the clerk asked for that.
    pub(super) fn reconnect(&mut self) {
        self.work.reads().reconnect();
        self.fetch_companies();
        self.fetch_locations();
        self.refresh_unmanifested();
        self.ask_again_what_is_known();
        if self.shared.routes.is_away() {
            self.find_routes(true);
        }
    }

    /// Returns whether data for a screen could not be fetched because the service was away.
    fn has_failed(&self) -> bool {
        let shared = &self.shared;
        shared.companies.is_away()
            || shared.locations.is_away()
            || shared.unmanifested.is_away()
            || shared.routes.is_away()
            || shared.preview.is_away()
            || shared.un_lookup.is_away()
            || shared.carrier_list.is_away()
    }

    fn fetch_what_failed(&mut self) {
        if self.shared.companies.is_away() {
            self.fetch_companies();
        }
        if self.shared.locations.is_away() {
            self.fetch_locations();
        }
        if self.shared.unmanifested.is_away() {
            self.refresh_unmanifested();
        }
        if self.shared.routes.is_away() {
            self.find_routes(true);
        }
        if self.shared.preview.is_away() {
            self.refresh_preview();
        }
        self.ask_again_what_is_known();
    }
}
