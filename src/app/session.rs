//! Watches the open service: repeats fetches that failed while it could not be reached, and raises an alarm if a test
//! connection creates real consignments, or a live connection creates test consignments.

use std::time::Duration;

use crate::core::Core;
use crate::state::{Environment, KindEvidence, Notice, OperationKind, Tone};
use shipping::Consignment;

/// Wait before failed fetches are retried although the service can be reached.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// Minimum time between two retries, so that a slow service is not flooded with requests.
const RETRY_INTERVAL: Duration = Duration::from_mins(1);

/// Start of each alarm's headline, by which an older alarm is found and replaced.
const ALARM: &str = "This connection is set up as ";

/// State of the open service that the screens do not read.
#[derive(Default)]
pub(super) struct SessionUpdate {
    pub(super) retry_due: Option<Duration>,
    last_retry: Option<Duration>,
    modes: SeenModes,
    /// True if this service must be closed, to open another service or to open this service again.
    pub(super) leave_requested: bool,
}

/// The values of `isTest` in the service's answers so far.
#[derive(Debug, Default)]
struct SeenModes {
    /// Whether lists contained test consignments, and whether they contained real consignments.
    listed: [bool; 2],
    /// The value in the last answer to a create from this bench. This is the token's own mode.
    created: Option<bool>,
    /// Numbers of consignments whose mode contradicts the kind of the connection.
    mismatched_numbers: Vec<String>,
}

impl Core {
    /// Updates the health that the status line shows. Once the service can be reached again, fetches the list and
    /// repeats all fetches that had failed.
    pub(super) fn watch_health(&mut self, at: Duration) {
        let health = self.work.reads().health();
        let before = std::mem::replace(&mut self.shared.session.health, health);
        let came_back = health.returns != before.returns;
        if health.away_since.is_some() {
            return;
        }
        if came_back {
            self.session.retry_due = None;
            self.retry_failed_fetches();
            // The list is fetched even if only a write had failed, because other benches may have changed the list.
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
            let again = self.session.last_retry.map(|last| last + RETRY_INTERVAL);
            let due = (at + RETRY_AFTER).max(again.unwrap_or_default());
            self.session.retry_due.get_or_insert(due);
        }
    }

    /// Allows requests again at once and repeats the fetches, when the clerk asks for that.
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

    /// Returns whether data for a screen could not be fetched because the service was not available.
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

    /// Records whether a list from the service contained test consignments and real consignments.
    pub(super) fn modes_listed(&mut self, test: bool, real: bool) {
        let listed = &mut self.session.modes.listed;
        *listed = [listed[0] || test, listed[1] || real];
        self.update_kind_evidence();
    }

    /// Compares the modes seen so far with the connection's kind (test or live). A token has the mode of its user, so
    /// a consignment created here proves more than a list, which may contain consignments of other users.
    fn update_kind_evidence(&mut self) {
        let listed = match self.session.modes.listed {
            [true, false] => Some(true),
            [false, true] => Some(false),
            _ => None,
        };
        let is_test = self.session.modes.created.or(listed);
        let marked = self.shared.session.environment == Environment::Test;
        self.shared.session.kind_evidence = match is_test {
            None => KindEvidence::Unconfirmed,
            Some(is_test) if is_test == marked => KindEvidence::Confirmed,
            Some(_) => KindEvidence::Contradicted,
        };
    }

    /// Raises the alarm if a created consignment is not of the kind that the connection is set up for.
    pub(super) fn check_mode(&mut self, created: &Consignment) {
        if created.is_test.is_some() {
            self.session.modes.created = created.is_test;
            self.update_kind_evidence();
        }
        let (made, advice) = match (self.shared.session.environment, created.is_test) {
            (Environment::Test, Some(false)) => (
                "real",
                "The carrier will collect it. Delete it while it is unmanifested, and get a test-mode token before you continue",
            ),
            (Environment::Live, Some(true)) => (
                "test",
                "The carrier won't collect it. Ask the service's administrator to switch the token's user to production",
            ),
            _ => return,
        };
        let number = &created.consignment_number;
        let mismatched = &mut self.session.modes.mismatched_numbers;
        if !mismatched.contains(number) {
            mismatched.push(number.clone());
        }
        let created = match mismatched.len() {
            0 | 1 => format!("a {made} consignment: {number}"),
            count => format!("{count} {made} consignments, most recently {number}"),
        };
        let detail = mismatched.join(", ");
        // One alarm covers all such consignments, so that alarms do not hide other notices.
        let notices = &mut self.shared.notices;
        notices.remove_where(|shown| shown.headline.starts_with(ALARM));
        let word = self.shared.session.environment.label();
        let headline = format!("{ALARM}{word}, but the service created {created}");
        self.notify(Notice {
            detail,
            ..Notice::new(Tone::Bad, headline, advice)
        });
    }

    /// Checks the mode of consignments that were read back, if this bench created them.
    pub(super) fn watch_modes(&mut self, seen: &[Consignment]) {
        for consignment in seen {
            let mut operations = self.shared.operations.list.iter();
            let is_ours = operations.any(|operation| {
                operation.kind == OperationKind::Create
                    && operation.consignments.contains(&consignment.id)
            });
            if is_ours {
                self.check_mode(consignment);
            }
        }
    }
}
