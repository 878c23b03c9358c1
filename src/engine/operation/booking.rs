//! Books a manifest group: reads every consignment first, sends the booking once, and counts it as done only when the
//! consignments show it too.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::reconcile::{ReconcileResult, Reconciliation};
use super::{EngineContext, Payload, PreconditionFailed, numbers};
use crate::manifests::BookingReply;
use crate::{CLOCKS_DIFFER, lock};
use client::Failure;
use shipping::{Consignment, ConsignmentId, ManifestGroup, ManifestId, ManifestResult, StatusId};
use storage::{Operation, OperationId, OperationKind, OperationState};

/// No further group is booked once this many bookings have a lost answer.
const MOST_UNKNOWN: usize = 3;

const BOOKED: &str = "Booked";

/// The age up to which a grouping is used without asking the service again.
const FRESH: SignedDuration = SignedDuration::from_secs(60);

/// The clerk's request to stop bookings after the group that is being booked: counts the bookings requested and
/// begun, and remembers up to which number they are stopped. Cheap to clone.
///
/// Invariant: a stop applies exactly to the bookings that were requested before it, in whatever order the
/// service queue and the clerk act.
#[derive(Debug, Clone, Default)]
pub(crate) struct BookingStop(Arc<BookingCounts>);

#[derive(Debug, Default)]
struct BookingCounts {
    asked: AtomicU64,
    begun: AtomicU64,
    stopped: AtomicU64,
}

impl BookingStop {
    /// Counts a booking that was put into the queue.
    pub(crate) fn asked(&self) {
        self.0.asked.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn stop(&self) {
        let asked = self.0.asked.load(Ordering::SeqCst);
        self.0.stopped.fetch_max(asked, Ordering::SeqCst);
    }

    pub(crate) fn begin(&self) -> u64 {
        self.0.begun.fetch_add(1, Ordering::SeqCst) + 1
    }

    pub(crate) fn is_stopped(&self, number: u64) -> bool {
        self.0.stopped.load(Ordering::SeqCst) >= number
    }
}

impl EngineContext {
    /// Books groups one after the other. `grouped` is the time when the service grouped them.
    pub(crate) async fn book(&self, groups: Vec<ManifestGroup>, grouped: Timestamp) {
        let groups = groups
            .into_iter()
            .filter(|group| !group.consignment_ids.is_empty());
        let intents = groups.map(|group| Payload::Manifest(Box::new(group)).to_operation());
        let number = self.booking_stop.begin();
        let stopped = || self.booking_stop.is_stopped(number);
        self.perform_all(intents.collect(), grouped, stopped).await;
    }

    /// Refuses a booking while several bookings have a lost answer, or while an operation that the program left open
    /// when it last ended is not reconciled yet.
    pub(super) fn check_unknown_bookings(
        &self,
        open: &[Operation],
    ) -> Result<(), PreconditionFailed> {
        let unknown: Vec<_> = open
            .iter()
            .filter(|operation| operation.state == OperationState::Unknown)
            .collect();
        let bookings = unknown
            .iter()
            .filter(|operation| operation.kind == OperationKind::Manifest);
        if bookings.count() >= MOST_UNKNOWN {
            return Err(PreconditionFailed::because(
                "Three bookings are not confirmed yet. No more can be booked until they are",
            ));
        }
        let left_over = lock(&self.unchecked_leftovers);
        if let Some(first) = unknown.iter().find(|one| left_over.contains(&one.id)) {
            return Err(PreconditionFailed::because(format!(
                "Checking an operation left unfinished in the last session first: {}. Try again in a moment",
                first.title
            )));
        }
        Ok(())
    }

    /// Checks that every consignment is still unmanifested and that the service still groups them in the same way.
    pub(super) async fn check_still_bookable(
        &self,
        operation: &Operation,
        group: &ManifestGroup,
        grouped: Timestamp,
    ) -> Result<(), PreconditionFailed> {
        // Forget the answer to an earlier attempt: it proves nothing about this attempt.
        self.note_booking_reply(operation.id, BookingReply::Nothing);
        match self.check_still_unmanifested(&group.consignment_ids).await {
            Ok(found) => check_declaration(group, &found)?,
            Err(stop) => {
                self.refresh_consignments(operation).await;
                return Err(stop);
            }
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
        let now = self.client.group(&group.consignment_ids).await?;
        let ids = |group: &ManifestGroup| -> BTreeSet<ConsignmentId> {
            group.consignment_ids.iter().copied().collect()
        };
        match now.as_slice() {
            [one] if ids(one) == ids(group) && one.carrier_name == group.carrier_name => Ok(()),
            _ => Err(PreconditionFailed::because(
                "The service now groups these consignments differently. Group again",
            )),
        }
    }

    /// Handles the answer to a booking: reads the consignments back before the clerk sees a result.
    pub(super) async fn booked(&self, operation: Operation, results: Vec<ManifestResult>) {
        let Some(result) = results.into_iter().next() else {
            let message =
                "The service gave no result for this booking. Checking whether it went through";
            return self.unknown(operation, message, Duration::ZERO).await;
        };
        self.note_booking_reply(operation.id, BookingReply::of(&result));
        let service_words = result.error_message.unwrap_or_default();
        let noted = Operation {
            reference: result.carrier_reference.unwrap_or_default(),
            ..operation
        };
        match self.check_once(&noted).await {
            Ok(found) if found.is_absent() && !result.booking_successful => {
                let words = if service_words.is_empty() {
                    "The carrier did not accept the booking".to_owned()
                } else {
                    service_words
                };
                self.end(&noted, OperationState::Rejected, words).await;
            }
            Ok(found) if found.is_settled() => {
                self.write_result(&noted, found).await;
            }
            Ok(_) | Err(_) => {
                let message = "Booking sent, but the consignments don't show it yet. Checking";
                self.unknown(noted, message, Duration::ZERO).await;
            }
        }
    }

    pub(super) async fn check_booking(
        &self,
        operation: &Operation,
    ) -> Result<Reconciliation, Failure> {
        let consignments = self.existing_consignments(&operation.consignments).await?;
        let said = self.booking_reply(operation.id);
        let verdict = if booked_before(operation.made, &consignments, said) {
            let ids: Vec<_> = { consignments.iter() }
                .filter_map(|one| one.manifest_id)
                .collect();
            ReconcileResult::Conflict(booked_elsewhere(&ids))
        } else {
            verdict(operation.consignments.len(), &consignments, said)
        };
        if consignments.iter().any(Consignment::is_manifested) {
            self.keep_manifest(operation, &consignments).await;
        }
        self.tell_members(operation, &consignments).await;
        self.tell_as_found(&operation.consignments, consignments.clone())
            .await;
        Ok(Reconciliation::new(verdict, consignments))
    }

    /// Returns the service's answer to a booking, if it came since the program started.
    pub(crate) fn booking_reply(&self, booking: OperationId) -> BookingReply {
        let replies = lock(&self.booking_replies);
        replies.get(&booking).copied().unwrap_or_default()
    }

    fn note_booking_reply(&self, booking: OperationId, reply: BookingReply) {
        lock(&self.booking_replies).insert(booking, reply);
    }
}

/// Refuses a group that contains dangerous goods but does not declare them. `found` has the consignments as they were
/// just read, because they may have changed since they were grouped.
fn check_declaration(
    group: &ManifestGroup,
    found: &[Consignment],
) -> Result<(), PreconditionFailed> {
    let dangerous = numbers(found.iter().filter(|one| one.has_dangerous_goods()));
    if group.dgs_declaration == Some(true) || dangerous.is_empty() {
        return Ok(());
    }
    Err(PreconditionFailed::because(format!(
        "Dangerous goods are not declared for: {dangerous}. Declare them and book again"
    )))
}

fn booked_elsewhere(manifests: &[ManifestId]) -> String {
    format!(
        "Already booked by someone else, on {}. Your pickup was not booked",
        on_manifests(manifests)
    )
}

/// Returns true if all consignments were on a manifest before this booking was saved: another bench booked them.
/// Returns false if the answer to this booking is known.
fn booked_before(made: Timestamp, consignments: &[Consignment], said: BookingReply) -> bool {
    let before = |one: &Consignment| {
        let manifested = one.history().iter().filter(|change| {
            let status = change.consignment_tracking_status.as_ref();
            status.is_some_and(|status| status.id == StatusId::MANIFESTED)
        });
        let first = manifested.filter_map(|change| change.status_date_utc).min();
        first.is_some_and(|first| first.0 < made - CLOCKS_DIFFER)
    };
    said == BookingReply::Nothing && !consignments.is_empty() && consignments.iter().all(before)
}

/// Derives the result of a booking of `of` consignments from their current states.
fn verdict(of: usize, consignments: &[Consignment], said: BookingReply) -> ReconcileResult {
    let on = consignments.iter().filter(|one| one.is_manifested());
    let on: Vec<ManifestId> = on.filter_map(|one| one.manifest_id).collect();
    let (ours, others): (Vec<ManifestId>, Vec<ManifestId>) =
        on.iter().partition(|id| said.may_be(**id));
    let several: BTreeSet<_> = ours.iter().collect();
    let waiting = consignments
        .iter()
        .filter(|consignment| consignment.is_unmanifested())
        .count();
    if of == 0 {
        ReconcileResult::Conflict("This booking has no consignments. Check the list".to_owned())
    } else if waiting == of {
        ReconcileResult::Absent
    } else if others.len() == of {
        ReconcileResult::Conflict(booked_elsewhere(&others))
    } else if on.len() == of && several.len() > 1 {
        ReconcileResult::Conflict(format!(
            "Booked on {}, but Packbench can't tell which one is yours. Ask the carrier",
            on_manifests(&ours)
        ))
    } else if ours.len() == of && said == BookingReply::Nothing {
        // The service's data contains neither who booked a manifest nor its pickup time.
        ReconcileResult::Done(format!(
            "Booked on {}, but possibly by another bench: Packbench received no answer to its booking. Ask the carrier which pickup is booked",
            on_manifests(&ours)
        ))
    } else if ours.len() == of {
        ReconcileResult::Done(BOOKED.to_owned())
    } else if on.is_empty() {
        ReconcileResult::Incomplete(format!(
            "{} of {of} are no longer unmanifested, but the service shows no booking. Ask the carrier",
            of - waiting
        ))
    } else {
        let elsewhere = match others.len() {
            0 => String::new(),
            _ => format!(
                " {} booked by someone else, on {}.",
                others.len(),
                on_manifests(&others)
            ),
        };
        ReconcileResult::Incomplete(format!(
            "Partly booked: {} of {of}.{elsewhere} Call the carrier before you book the rest",
            ours.len()
        ))
    }
}

/// Returns `manifest 5501`, or `manifests 5501, 5502`.
fn on_manifests(ids: &[ManifestId]) -> String {
    let ids: BTreeSet<_> = ids.iter().collect();
    let numbers: Vec<_> = ids.iter().map(ToString::to_string).collect();
    let word = if numbers.len() == 1 {
        "manifest"
    } else {
        "manifests"
    };
    format!("{word} {}", numbers.join(", "))
}
