//! Booking one manifest group: checked, written down, sent once, and believed only when the consignments say so too.

use super::bench::Bench;
use super::{Failure, Outcome};
use crate::journal::{JournalError, Kind, NewOperation, Operation, OperationState};
use crate::shipping::{Consignment, ManifestGroup, ManifestResult};

/// Bookings with a lost answer that stop further ones.
const MOST_UNKNOWN: usize = 3;

impl Bench {
    /// Books groups one after the other. All intents are on disk before the first is sent, so that none is lost, and no
    /// consignment of theirs is free meanwhile.
    pub(super) async fn book(&self, groups: Vec<ManifestGroup>) {
        let groups: Vec<_> = groups
            .into_iter()
            .filter(|group| !group.consignment_ids.is_empty())
            .collect();
        let new = groups.iter().map(intent).collect::<Result<Vec<_>, _>>();
        let now = self.now();
        let written = match new {
            Ok(new) => {
                self.writer
                    .run(move |journal| journal.begin(&new, now))
                    .await
            }
            Err(error) => Err(JournalError::from(error).into()),
        };
        match written {
            Ok(operations) => {
                for operation in &operations {
                    self.tell(Outcome::Operation(Box::new(operation.clone())))
                        .await;
                }
                for (operation, group) in operations.into_iter().zip(groups) {
                    self.check_then_send(operation, group).await;
                }
            }
            Err(error) => self.tell(Outcome::NotBooked(error)).await,
        }
    }

    /// Reads every consignment first: one that is booked already, or gone, stops the group before the carrier hears of it.
    async fn check_then_send(&self, operation: Operation, group: ManifestGroup) {
        if let Some(words) = self.reason_not_to_book(&operation, &group).await {
            return self.reject(operation, words).await;
        }
        self.send_booking(operation, group).await;
    }

    async fn reason_not_to_book(&self, own: &Operation, group: &ManifestGroup) -> Option<String> {
        match self.writer.run(|journal| journal.operations(0)).await {
            Ok(open) => {
                let shares = |other: &Operation| {
                    other.id != own.id
                        && other.state.is_open()
                        && other
                            .consignments
                            .iter()
                            .any(|id| group.consignment_ids.contains(id))
                };
                if open.iter().any(shares) {
                    return Some(
                        "Another operation holds some of these, and its end is not known yet"
                            .to_owned(),
                    );
                }
                let unknown = open.iter().filter(|operation| {
                    operation.kind == Kind::Manifest && operation.state == OperationState::Unknown
                });
                if unknown.count() >= MOST_UNKNOWN {
                    return Some(
                        "Three bookings are not known yet: nothing more is booked until they are"
                            .to_owned(),
                    );
                }
            }
            Err(error) => return Some(format!("Not booked: {error}")),
        }
        match self.read_all(group).await {
            Ok(consignments) => {
                let taken: Vec<_> = consignments
                    .iter()
                    .filter(|consignment| !consignment.is_unmanifested())
                    .map(|consignment| consignment.consignment_number.clone())
                    .collect();
                self.tell(Outcome::Seen(consignments)).await;
                (!taken.is_empty())
                    .then(|| format!("No longer unmanifested: {}. Group again", taken.join(", ")))
            }
            Err(failure) => Some(format!("Not booked: {failure}. Nothing was sent")),
        }
    }

    async fn read_all(&self, group: &ManifestGroup) -> Result<Vec<Consignment>, Failure> {
        let mut consignments = Vec::with_capacity(group.consignment_ids.len());
        for id in &group.consignment_ids {
            consignments.push(self.client.consignment(*id).await?);
        }
        Ok(consignments)
    }

    pub(super) async fn send_booking(&self, operation: Operation, group: ManifestGroup) {
        let from = operation.state;
        let sending = self
            .change(&operation, from, |operation| {
                operation.state = OperationState::Sending;
            })
            .await;
        let operation = match sending {
            Ok(operation) => operation,
            Err(error) => {
                return self
                    .tell_failed(
                        "The group was not booked: it could not be written down first",
                        error,
                    )
                    .await;
            }
        };
        match self.client.manifest(std::slice::from_ref(&group)).await {
            Ok(results) => self.answered(operation, results).await,
            Err(Failure::Refused(errors)) => {
                let words: Vec<_> = errors
                    .iter()
                    .map(|error| error.error_message.as_str())
                    .collect();
                self.reject(operation, words.join(" · ")).await;
            }
            Err(failure) if failure.changed_nothing() => {
                self.reject(
                    operation,
                    format!("Not booked: {failure}. Nothing was sent"),
                )
                .await;
            }
            Err(failure) => {
                self.unknown(
                    operation,
                    format!("We don't know yet: {failure}. Don't book it by other means"),
                )
                .await;
            }
        }
    }

    /// The service answered: what it says is read back from the consignments before the clerk hears it.
    async fn answered(&self, operation: Operation, results: Vec<ManifestResult>) {
        let Some(result) = results.into_iter().next() else {
            return self
                .unknown(
                    operation,
                    "The service answered without a result. Checking".to_owned(),
                )
                .await;
        };
        let reference = result.carrier_reference.unwrap_or_default();
        let service_words = result.error_message.unwrap_or_default();
        let noted = Operation {
            reference,
            ..operation
        };
        match self.look(&noted).await {
            Ok(found) if found.is_done() => {
                self.settle_as(&noted, OperationState::Sending, found).await;
            }
            Ok(found) if found.is_absent() && !result.booking_successful => {
                let words = if service_words.is_empty() {
                    "The carrier did not take the booking".to_owned()
                } else {
                    service_words
                };
                self.reject(noted, words).await;
            }
            Ok(found) if !found.is_absent() => {
                self.settle_as(&noted, OperationState::Sending, found).await;
            }
            Ok(_) | Err(_) => {
                self.unknown(
                    noted,
                    "The service answered, and the consignments don't show it yet. Checking"
                        .to_owned(),
                )
                .await;
            }
        }
    }

    async fn reject(&self, operation: Operation, words: String) {
        let from = operation.state;
        let rejected = self.change(&operation, from, |operation| {
            operation.state = OperationState::Rejected;
            operation.words = words;
        });
        if let Err(error) = rejected.await {
            self.tell_failed("The operation could not be written down", error)
                .await;
        }
    }

    async fn unknown(&self, operation: Operation, words: String) {
        let unknown = self.change(&operation, OperationState::Sending, |operation| {
            operation.state = OperationState::Unknown;
            operation.words = words;
            operation.checks = 0;
        });
        match unknown.await {
            Ok(operation) => self.watch(operation),
            Err(error) => {
                self.tell_failed("The operation could not be written down", error)
                    .await;
            }
        }
    }
}

fn intent(group: &ManifestGroup) -> Result<NewOperation, serde_json::Error> {
    Ok(NewOperation {
        kind: Kind::Manifest,
        key: String::new(),
        title: group.carrier_name.clone().unwrap_or_default(),
        request: serde_json::to_string(group)?,
        draft: None,
        consignments: group.consignment_ids.clone(),
    })
}
