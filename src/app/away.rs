//! The service away and back again: said in the status line, and what could not be fetched meanwhile is fetched by itself.

use std::time::Duration;

use super::core::Core;
use crate::state::Health;

/// Until the program itself fetches what failed although the service is there.
const HEAL_AFTER: Duration = Duration::from_secs(10);

/// At the least between two such fetches: what is slow must not be asked for without end.
const HEAL_AGAIN_AFTER: Duration = Duration::from_mins(1);

impl Core {
    /// Takes over how the service is; fetches the list anew when it has come back, and what had failed.
    pub(super) fn watch_health(&mut self, at: Duration) {
        let health = self.work.reads().health();
        let latency_ms = health
            .latency
            .and_then(|latency| u64::try_from(latency.as_millis()).ok());
        self.shared.health = Health {
            // Nobody believes in 0 ms.
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
            // What another bench did meanwhile shows too, also where only a write did not get through.
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

    /// The clerk wants to know now.
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

    /// True where something that a screen shows could not be fetched because the service was away.
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
