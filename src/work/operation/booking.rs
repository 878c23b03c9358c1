//! Booking one manifest group: every consignment read first, sent once, and believed only when the consignments say so too.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use jiff::{SignedDuration, Timestamp};

use super::settle::{Found, Verdict};
use super::{Bench, Intent, Stop};
use crate::client::Failure;
use crate::journal::{Kind, Operation, OperationState};
use crate::shipping::{ConsignmentId, ManifestGroup, ManifestResult};

/// Bookings with a lost answer that stop further ones.
const MOST_UNKNOWN: usize = 3;

/// How long a grouping holds without asking again.
const FRESH: SignedDuration = SignedDuration::from_secs(60);

impl Bench {
    /// Books groups one after the other. `grouped` is when the service grouped them.
    pub(in crate::work) async fn book(&self, groups: Vec<ManifestGroup>, grouped: Timestamp) {
        let groups = groups
            .into_iter()
            .filter(|group| !group.consignment_ids.is_empty());
        let intents = groups.map(|group| Intent::Manifest(Box::new(group)));
        let number = self.booking_stop.begin();
        let stopped = || self.booking_stop.is_stopped(number);
        self.perform_until(intents.collect(), grouped, stopped)
            .await;
    }

    /// Several bookings that are not known, and one from before this start, stop all others.
    pub(super) fn bookings_are_open(&self, open: &[Operation]) -> Result<(), Stop> {
        let unknown: Vec<_> = open
            .iter()
            .filter(|operation| operation.state == OperationState::Unknown)
            .collect();
        let bookings = unknown
            .iter()
            .filter(|operation| operation.kind == Kind::Manifest);
        if bookings.count() >= MOST_UNKNOWN {
            return Err(Stop::because(
                "Three bookings are not known yet: nothing more is booked until they are",
            ));
        }
        let left_over = self
            .left_over
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(first) = unknown.iter().find(|one| left_over.contains(&one.id)) {
            return Err(Stop::because(format!(
                "What was left unfinished the last time is being checked first ({}). Try again in a moment",
                first.title
            )));
        }
        Ok(())
    }

    /// Every consignment is still unmanifested, and the service still groups them so.
    pub(super) async fn still_to_be_booked(
        &self,
        operation: &Operation,
        group: &ManifestGroup,
        grouped: Timestamp,
    ) -> Result<(), Stop> {
        if let Err(stop) = self.still_unmanifested(&group.consignment_ids).await {
            if let Ok(found) = self.those_there(&group.consignment_ids).await {
                self.tell_members(operation, &found).await;
            }
            return Err(stop);
        }
        let since = if operation.attempt > 0 {
            operation.made
        } else {
            grouped
        };
        let age = self.now().duration_since(since);
        if !age.is_negative() && age <= FRESH {
            return Ok(());
        }
        let now = self.client.group(&group.consignment_ids).await;
        let ids = |group: &ManifestGroup| -> BTreeSet<ConsignmentId> {
            group.consignment_ids.iter().copied().collect()
        };
        match now.map_err(Stop::unable)?.as_slice() {
            [one] if ids(one) == ids(group) && one.carrier_name == group.carrier_name => Ok(()),
            _ => Err(Stop::because(
                "The service groups these otherwise by now. Group again",
            )),
        }
    }

    /// The service answered: what it says is read back from the consignments before the clerk hears it.
    pub(super) async fn booked(&self, operation: Operation, results: Vec<ManifestResult>) {
        let Some(result) = results.into_iter().next() else {
            let words = "The service answered without a result. Checking";
            return self.unknown(operation, words.to_owned()).await;
        };
        let service_words = result.error_message.unwrap_or_default();
        let noted = Operation {
            reference: result.carrier_reference.unwrap_or_default(),
            ..operation
        };
        match self.look(&noted).await {
            Ok(found) if found.is_absent() && !result.booking_successful => {
                let words = if service_words.is_empty() {
                    "The carrier did not take the booking".to_owned()
                } else {
                    service_words
                };
                self.end(&noted, OperationState::Rejected, words).await;
            }
            Ok(found) if found.is_settled() => {
                self.settle_as(&noted, OperationState::Sending, found).await;
            }
            Ok(_) | Err(_) => {
                let words =
                    "The service answered, and the consignments don't show it yet. Checking";
                self.unknown(noted, words.to_owned()).await;
            }
        }
    }

    pub(super) async fn look_for_booking(&self, operation: &Operation) -> Result<Found, Failure> {
        let consignments = self.those_there(&operation.consignments).await?;
        let of = operation.consignments.len();
        let manifested = consignments
            .iter()
            .filter(|consignment| consignment.is_manifested())
            .count();
        let waiting = consignments
            .iter()
            .filter(|consignment| consignment.is_unmanifested())
            .count();
        let verdict = if of == 0 {
            Verdict::Conflict("The booking names no consignments. Look at the list".to_owned())
        } else if manifested == of {
            Verdict::Done("Booked".to_owned())
        } else if waiting == of {
            Verdict::Absent
        } else if manifested == 0 {
            Verdict::Unsettled(format!(
                "{} of {of} no longer wait for a booking, and none is booked as far as the service says. Ask the carrier",
                of - waiting
            ))
        } else {
            Verdict::Unsettled(format!(
                "Booked in part: {manifested} of {of}. Call the carrier before you book the rest"
            ))
        };
        if manifested > 0 {
            self.keep_manifest(operation, &consignments).await;
        }
        self.tell_members(operation, &consignments).await;
        self.tell_as_found(&operation.consignments, consignments.clone())
            .await;
        Ok(Found::new(verdict, consignments))
    }
}
