//! Creating a consignment: written down, sent once, and never "done" before the journal says so.

use std::time::Duration;

use super::bench::Bench;
use super::{Failure, Outcome, WorkError};
use crate::draft::{Draft, DraftId};
use crate::journal::{Kind, NewOperation, Operation, OperationId, OperationState};
use crate::shipping::{Consignment, ConsignmentRequest};

/// Sends of a request that provably never left the machine.
const TRIES: u32 = 3;

/// Between those.
const PAUSE: Duration = Duration::from_millis(400);

impl Bench {
    pub(super) async fn create(&self, draft: Draft, mut request: ConsignmentRequest) {
        let key = format!("{}-{}", self.name, DraftId::random());
        let key = request.customer_reference2.get_or_insert(key).clone();
        let Ok(json) = serde_json::to_string(&request) else {
            return self
                .tell_failed(
                    "The consignment could not be written down",
                    WorkError::Internal,
                )
                .await;
        };
        let new = NewOperation {
            kind: Kind::Create,
            key,
            title: draft.title().to_owned(),
            request: json,
            draft: Some(draft.id.clone()),
            consignments: Vec::new(),
        };
        let now = self.now();
        let kept = draft.clone();
        let written = self
            .writer
            .run(move |journal| {
                // What is sent is on disk as typed, too: a refusal gives it back.
                journal.save_draft(&kept, now)?;
                journal.begin(&new, now)
            })
            .await;
        match written {
            Ok(operation) => self.send_create(operation, request, Some(draft)).await,
            Err(error) => {
                self.tell_failed(
                    "The consignment was not sent: it could not be written down first",
                    error,
                )
                .await;
            }
        }
    }

    /// Sends a frozen create. `draft` is there when the clerk waits at it.
    async fn send_create(
        &self,
        ready: Operation,
        request: ConsignmentRequest,
        draft: Option<Draft>,
    ) {
        let mut operation = ready;
        loop {
            let from = operation.state;
            let sending = self
                .change(&operation, from, |operation| {
                    operation.state = OperationState::Sending;
                })
                .await;
            operation = match sending {
                Ok(operation) => operation,
                Err(error) => {
                    return self
                        .tell_failed(
                            "The consignment was not sent: it could not be written down first",
                            error,
                        )
                        .await;
                }
            };
            let failure = match self.client.create(&request).await {
                Ok(consignment) => return self.created(operation, consignment).await,
                Err(failure) => failure,
            };
            if failure == Failure::NeverSent && operation.attempt < TRIES {
                let again = self.change(&operation, OperationState::Sending, |operation| {
                    operation.state = OperationState::Ready;
                    "Not sent, trying again".clone_into(&mut operation.words);
                });
                match again.await {
                    Ok(ready) => operation = ready,
                    Err(error) => {
                        return self
                            .tell_failed("The operation could not be written down", error)
                            .await;
                    }
                }
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            return self.not_created(operation, failure, draft).await;
        }
    }

    async fn created(&self, operation: Operation, consignment: Consignment) {
        let id = operation.id;
        let draft = operation.draft.clone();
        let done = self
            .change(&operation, OperationState::Sending, |operation| {
                operation.state = OperationState::Done;
                operation.words = format!("Created {}", consignment.consignment_number);
                operation
                    .reference
                    .clone_from(&consignment.consignment_number);
                operation.consignments = vec![consignment.id];
            })
            .await;
        if let Err(error) = done {
            return self
                .tell_failed(
                    "The consignment was created, and that could not be written down",
                    error,
                )
                .await;
        }
        self.forget_draft(draft).await;
        self.tell(Outcome::Created {
            operation: id,
            consignment: Box::new(consignment),
        })
        .await;
    }

    async fn forget_draft(&self, draft: Option<DraftId>) {
        let Some(draft) = draft else { return };
        if let Err(error) = self
            .writer
            .run(move |journal| journal.discard_draft(&draft))
            .await
        {
            self.tell_failed("The draft could not be discarded", error)
                .await;
        }
    }

    async fn not_created(&self, operation: Operation, failure: Failure, draft: Option<Draft>) {
        let (state, words) = match &failure {
            Failure::Refused(errors) => {
                let words: Vec<_> = errors
                    .iter()
                    .map(|error| error.error_message.as_str())
                    .collect();
                (OperationState::Rejected, words.join(" · "))
            }
            Failure::Unauthorised => (
                OperationState::Rejected,
                "The service does not accept the token".to_owned(),
            ),
            Failure::NeverSent => (
                OperationState::Discarded,
                "Not sent: the service cannot be reached".to_owned(),
            ),
            _ => (
                OperationState::Unknown,
                format!("We don't know yet: {failure}. Don't type it again"),
            ),
        };
        let unknown = state == OperationState::Unknown;
        let changed = self
            .change(&operation, OperationState::Sending, |operation| {
                operation.state = state;
                operation.words = words;
                operation.checks = 0;
            })
            .await;
        match changed {
            Ok(operation) if unknown => {
                self.tell(Outcome::Unanswered {
                    draft: operation.draft.clone(),
                    operation: operation.id,
                })
                .await;
                self.watch(operation);
            }
            Ok(_) => {
                self.tell(Outcome::NotCreated {
                    draft: draft.map(Box::new),
                    failure,
                })
                .await;
            }
            Err(error) => {
                self.tell_failed("The operation could not be written down", error)
                    .await;
            }
        }
    }

    /// The clerk sends an operation again that was found not to have happened: with the same key, after a fresh check.
    pub(super) async fn send_again(&self, id: OperationId) {
        let operation = match self.operation(id).await {
            Ok(operation) if operation.state == OperationState::Absent => operation,
            Ok(_) => return,
            Err(error) => {
                return self
                    .tell_failed("The operation could not be read", error)
                    .await;
            }
        };
        match self.look(&operation).await {
            Ok(found) if found.is_absent() => {}
            Ok(found) => {
                return self
                    .settle_as(&operation, OperationState::Absent, found)
                    .await;
            }
            Err(failure) => {
                return self
                    .tell_failed("Not sent again: the fresh check failed", failure.into())
                    .await;
            }
        }
        match operation.kind {
            Kind::Create => match serde_json::from_str(&operation.request) {
                Ok(request) => self.send_create(operation, request, None).await,
                Err(_) => {
                    self.tell_failed("The operation could not be read", WorkError::Internal)
                        .await;
                }
            },
            Kind::Manifest => match serde_json::from_str(&operation.request) {
                Ok(group) => self.send_booking(operation, group).await,
                Err(_) => {
                    self.tell_failed("The operation could not be read", WorkError::Internal)
                        .await;
                }
            },
        }
    }

    /// The clerk gives an operation up.
    pub(super) async fn discard(&self, id: OperationId) {
        let operation = match self.operation(id).await {
            Ok(operation)
                if matches!(
                    operation.state,
                    OperationState::Absent | OperationState::Conflict
                ) =>
            {
                operation
            }
            Ok(_) => return,
            Err(error) => {
                return self
                    .tell_failed("The operation could not be read", error)
                    .await;
            }
        };
        let from = operation.state;
        let discarded = self.change(&operation, from, |operation| {
            operation.state = OperationState::Discarded;
            "Given up by the clerk".clone_into(&mut operation.words);
        });
        if let Err(error) = discarded.await {
            self.tell_failed("The operation could not be written down", error)
                .await;
        }
    }
}
