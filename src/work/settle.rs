//! After a lost answer: looking for what the operation did, on a schedule, until it is found or the worst case has passed.
//!
//! "Not found" counts only after every check of the schedule succeeded; a check that fails is made again.

use std::sync::{Arc, PoisonError};

use jiff::SignedDuration;
use tokio::sync::Notify;

use super::bench::{Bench, is_bench_key};
use super::{Failure, Outcome, WorkError};
use crate::client::RecentUpdates;
use crate::journal::{JournalError, Kind, Operation, OperationId, OperationState};
use crate::shipping::{Consignment, ConsignmentRequest};

/// How far before the intent the service's clock may be.
/// How far back the list of recent updates goes, less an hour for clocks that differ.
const LISTED_BACK: SignedDuration = SignedDuration::from_hours(239);

const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_mins(10);

/// What a look at the service found.
pub(super) struct Found {
    verdict: Verdict,
    consignments: Vec<Consignment>,
}

enum Verdict {
    Done,
    Absent,
    Conflict(String),
}

impl Found {
    pub(super) const fn is_done(&self) -> bool {
        matches!(self.verdict, Verdict::Done)
    }

    pub(super) const fn is_absent(&self) -> bool {
        matches!(self.verdict, Verdict::Absent)
    }
}

impl Bench {
    /// Looks for an operation with a lost answer until its end is known.
    pub(super) fn watch(&self, operation: Operation) {
        let wake = Arc::new(Notify::new());
        let mut watches = self.watches.lock().unwrap_or_else(PoisonError::into_inner);
        watches.retain(|(id, _)| *id != operation.id);
        watches.push((operation.id, Arc::clone(&wake)));
        drop(watches);
        let bench = self.clone();
        tokio::spawn(async move { bench.settle(operation, &wake).await });
    }

    /// The clerk wants to know at once: wakes the watch, or looks where none watches any more.
    pub(super) async fn check_now(&self, id: OperationId) {
        match self.operation(id).await {
            Ok(operation) if operation.state == OperationState::Unknown => self.wake(id),
            Ok(operation)
                if matches!(
                    operation.state,
                    OperationState::Absent | OperationState::Conflict
                ) =>
            {
                match self.look(&operation).await {
                    Ok(found) if found.is_absent() => {}
                    Ok(found) => self.settle_as(&operation, operation.state, found).await,
                    Err(failure) => {
                        self.tell_failed("The service could not be asked", failure.into())
                            .await;
                    }
                }
            }
            Ok(_) => {}
            Err(error) => {
                self.tell_failed("The operation could not be read", error)
                    .await;
            }
        }
    }

    fn wake(&self, id: OperationId) {
        let watches = self.watches.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, wake)) = watches.iter().find(|(watched, _)| *watched == id) {
            wake.notify_one();
        }
    }

    async fn settle(&self, mut operation: Operation, wake: &Notify) {
        let checks = u32::try_from(self.settle_after.len()).unwrap_or(u32::MAX);
        let given_up = tokio::time::Instant::now();
        while let Some(after) = self.settle_after.get(operation.checks as usize) {
            let early = tokio::select! {
                () = tokio::time::sleep_until(given_up + *after) => false,
                () = wake.notified() => true,
                // The window is closed: the next start goes on.
                () = self.outcomes.closed() => return,
            };
            let Ok(found) = self.look(&operation).await else {
                self.tell_cannot_check(&operation).await;
                // The service may be away for long: the same check again, no faster than the schedule's first step.
                tokio::time::sleep(self.settle_after[0]).await;
                continue;
            };
            if early && found.is_absent() {
                // Too soon to count: the service may still be at it.
                continue;
            }
            if !found.is_absent() {
                return self
                    .settle_as(&operation, OperationState::Unknown, found)
                    .await;
            }
            let done = operation.checks + 1;
            let words = if done < checks {
                format!(
                    "We don't know yet. Checked {done} of {checks}: not found so far. Don't type it again"
                )
            } else {
                "Not found: it did not happen. Send it again, or give it up".to_owned()
            };
            let changed = self.change(&operation, OperationState::Unknown, |operation| {
                operation.checks = done;
                operation.words = words;
                if done >= checks {
                    operation.state = OperationState::Absent;
                }
            });
            match changed.await {
                Ok(changed) => operation = changed,
                // Settled or given up meanwhile.
                Err(WorkError::Journal(JournalError::Changed)) => return,
                Err(error) => {
                    self.tell_failed("The operation could not be written down", error)
                        .await;
                    tokio::time::sleep(self.settle_after[0]).await;
                }
            }
        }
    }

    /// Says that a check failed; the journal need not remember that.
    async fn tell_cannot_check(&self, operation: &Operation) {
        let mut shown = operation.clone();
        "We don't know yet, and can't check: the service is away. Don't type it again"
            .clone_into(&mut shown.words);
        self.tell(Outcome::Operation(Box::new(shown))).await;
    }

    /// Looks once, whatever the schedule says.
    pub(super) async fn look(&self, operation: &Operation) -> Result<Found, Failure> {
        match operation.kind {
            Kind::Create => self.look_for_consignment(operation).await,
            Kind::Manifest => self.look_for_booking(operation).await,
        }
    }

    async fn look_for_consignment(&self, operation: &Operation) -> Result<Found, Failure> {
        let Ok(request) = serde_json::from_str::<ConsignmentRequest>(&operation.request) else {
            return Err(Failure::Internal);
        };
        let since = operation.made - CLOCKS_DIFFER;
        let mut consignments = if self.now().duration_since(since) > LISTED_BACK {
            // Older than the service's list goes back: by the key alone.
            let keys = [operation.key.clone()];
            self.client.consignments_by_reference2(&keys).await?
        } else {
            let updates = RecentUpdates {
                company: request.company_id,
                ..RecentUpdates::since(since)
            };
            self.client.recently_updated(&updates).await?
        };
        consignments.retain(|consignment| {
            consignment.customer_reference2.as_deref() == Some(operation.key.as_str())
                && consignment
                    .customer_reference
                    .as_deref()
                    .unwrap_or_default()
                    == request.customer_reference.as_deref().unwrap_or_default()
        });
        let verdict = match consignments.as_slice() {
            [] => Verdict::Absent,
            [_one] if is_bench_key(&operation.key) => Verdict::Done,
            [one] => Verdict::Conflict(format!(
                "{} has the same references. Look whether it is this one: send again only if it is not",
                one.consignment_number
            )),
            several => {
                let numbers: Vec<_> = several
                    .iter()
                    .map(|found| found.consignment_number.as_str())
                    .collect();
                Verdict::Conflict(format!(
                    "There more than once: {}. Delete the twin",
                    numbers.join(", ")
                ))
            }
        };
        Ok(Found {
            verdict,
            consignments,
        })
    }

    async fn look_for_booking(&self, operation: &Operation) -> Result<Found, Failure> {
        let mut consignments = Vec::with_capacity(operation.consignments.len());
        for id in &operation.consignments {
            consignments.push(self.client.consignment(*id).await?);
        }
        let manifested = consignments
            .iter()
            .filter(|consignment| consignment.is_manifested())
            .count();
        let verdict = if consignments.is_empty() {
            Verdict::Conflict("The booking names no consignments. Look at the list".to_owned())
        } else if manifested == consignments.len() {
            Verdict::Done
        } else if manifested == 0 {
            Verdict::Absent
        } else {
            let of = consignments.len();
            Verdict::Conflict(format!(
                "Booked in part: {manifested} of {of}. Call the carrier before you book the rest"
            ))
        };
        Ok(Found {
            verdict,
            consignments,
        })
    }

    /// Writes down what was found, then tells it.
    pub(super) async fn settle_as(
        &self,
        operation: &Operation,
        from: OperationState,
        found: Found,
    ) {
        let created = if operation.kind == Kind::Create {
            found.consignments.first().cloned()
        } else {
            None
        };
        let changed = self.change(operation, from, |operation| match &found.verdict {
            Verdict::Done => {
                operation.state = OperationState::Done;
                if let Some(consignment) = &created {
                    operation
                        .reference
                        .clone_from(&consignment.consignment_number);
                    operation.consignments = vec![consignment.id];
                    operation.words =
                        format!("It went through: {}", consignment.consignment_number);
                } else {
                    "Booked".clone_into(&mut operation.words);
                }
            }
            Verdict::Conflict(words) => {
                operation.state = OperationState::Conflict;
                operation.words.clone_from(words);
            }
            Verdict::Absent => operation.state = OperationState::Absent,
        });
        match changed.await {
            Ok(_) => self.tell(Outcome::Seen(found.consignments)).await,
            Err(WorkError::Journal(JournalError::Changed)) => {}
            Err(error) => {
                self.tell_failed("The operation could not be written down", error)
                    .await;
            }
        }
    }
}
