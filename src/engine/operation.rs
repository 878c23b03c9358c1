//! The operation engine: an intent is saved, checked, sent once, and counts as done only after confirmation.
//! There is a file for each kind of operation. Invariants: the intent is on disk before anything is sent. A
//! write is repeated automatically only if it provably never left. An answer that cannot be trusted makes the
//! operation `Unknown`; its result is reconciled, never guessed.

mod booking;
mod create;
mod decisions;
mod delete;
mod edit;
mod pending;
mod preconditions;
mod reconcile;
mod send_result;
mod status;

use std::time::Duration;

use jiff::Timestamp;

use super::context::{EngineContext, FaultPoint};
use super::{EngineError, Failure, Outcome, Request, pause_text};
pub(crate) use booking::BookingStop;
pub use decisions::OperationDecision;
use draft::Draft;
pub use pending::converted_consignment;
use preconditions::PreconditionFailed;
pub(crate) use reconcile::LookupResult;
use shipping::{Consignment, ManifestResult, PendingConsignment};
use storage::{ConsignmentEdit, Operation, OperationKind, OperationState, Payload};

/// Attempts to send a request, as long as it provably never left the machine.
const TRIES: u32 = 3;

/// The pause between two attempts, unless the service asks for a different pause.
const PAUSE: Duration = Duration::from_millis(400);

/// The longest pause requested by the service after which an operation is still sent again automatically.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// An intent that is in the journal and was not sent yet.
#[derive(Debug, Clone)]
pub struct WrittenIntent {
    operation: Operation,
    intent: Payload,
    draft: Box<Draft>,
}

impl WrittenIntent {
    pub(super) fn draft(&self) -> &Draft {
        &self.draft
    }
}

/// The reason why an operation is sent now.
#[derive(Debug)]
enum SendAttempt {
    /// The first attempt. Holds the draft if the clerk is waiting on its form.
    First(Option<Box<Draft>>),
    /// A repetition: reconciliation found that the operation did not happen, and the clerk sends it again; or
    /// the automatic repetition of a deletion that is harmless to repeat.
    Repeated,
}

/// The service's successful answer to a write.
enum Answer {
    Created(Box<Consignment>),
    Edited(Box<Consignment>),
    Booked(Vec<ManifestResult>),
    Pending(PendingConsignment),
    /// `{errors: [], success: true}`, without data.
    Nothing,
}

impl EngineContext {
    /// Writes one intent down together with its draft. Returns `None` if that failed; the clerk then gets the
    /// draft back.
    async fn write_draft(
        &self,
        draft: Draft,
        intent: Payload,
        key: String,
    ) -> Option<WrittenIntent> {
        let title = { draft.edits.as_ref() }.map_or_else(|| draft.title(), |edited| &edited.number);
        let row = intent.to_operation(Some(title.to_owned()), Some(draft.id.clone()));
        let (now, kept) = (self.now(), draft.clone());
        let written = match row {
            Ok(mut row) => {
                row.key = key;
                // The draft as typed is saved too: it is returned after a refusal.
                self.writer
                    .run(move |journal| journal.begin_from_draft(&kept, &row, now))
                    .await
            }
            Err(error) => Err(error.into()),
        };
        match written {
            Ok(operation) => {
                self.reach_fault_point(FaultPoint::Written);
                Some(WrittenIntent {
                    operation,
                    intent,
                    draft: Box::new(draft),
                })
            }
            Err(error) => {
                self.tell_not_created(Some(Box::new(draft)), error).await;
                None
            }
        }
    }

    /// Writes the intent of a create request down and shows the operation as waiting, before its turn in the
    /// service queue: the journal knows of it even if the program ends before that. Returns any other
    /// request unchanged.
    pub(super) async fn write_ahead(&self, request: Request) -> Option<Request> {
        let (draft, intent, key) = match request {
            Request::Create { draft, mut request } => {
                let (first, second) = (
                    &mut request.customer_reference,
                    &mut request.customer_reference2,
                );
                let key = self.give_key(first, second);
                // The pending ids are part of the intent: once the create is done they are deleted, whatever
                // happens in between.
                let replaced = draft.pending.iter().map(|pending| pending.id);
                request.linked_pending_consignment_ids = replaced.collect();
                (draft, Payload::Create(request), key)
            }
            Request::CreatePending { draft, mut request } => {
                // The key is copied into the converted consignment and identifies it.
                let (first, second) = (
                    &mut request.0.customer_reference,
                    &mut request.0.customer_reference2,
                );
                let key = self.give_key(first, second);
                (draft, Payload::PendingCreate(request), key)
            }
            other => return Some(other),
        };
        if let Err(error) = self.writer.until_intact().await {
            self.tell_not_created(Some(draft), error).await;
            return None;
        }
        let written = self.write_draft(*draft, intent, key).await?;
        let row = Box::new(written.operation.clone());
        self.tell(Outcome::Operation(row)).await;
        Some(Request::SendWritten(Box::new(written)))
    }

    /// Sends an intent that was saved ahead of its turn.
    pub(super) async fn send_written(&self, written: WrittenIntent) {
        let WrittenIntent {
            operation,
            intent,
            draft,
        } = written;
        let prepared = operation.made;
        let first = SendAttempt::First(Some(draft));
        // The future is large: keep it off the caller's stack.
        Box::pin(self.check_then_send(operation, intent, first, prepared)).await;
    }

    /// Writes one intent down, then sends it.
    pub(super) async fn perform(&self, intent: Payload) {
        self.perform_all(vec![intent], self.now(), || false).await;
    }

    /// Saves all intents in one transaction, then sends them one after the other: no intent gets lost, and
    /// their consignments are locked until then. `prepared` is the time of the data on which the clerk
    /// decided. Discards the intents that were not sent yet once `stopped` returns true.
    async fn perform_all(
        &self,
        intents: Vec<Payload>,
        prepared: Timestamp,
        stopped: impl Fn() -> bool + Send + Sync,
    ) {
        let rows = intents.iter().map(|intent| intent.to_operation(None, None));
        let rows = rows.collect::<Result<Vec<_>, _>>();
        let now = self.now();
        let written = match rows {
            Ok(rows) => {
                self.writer
                    .run(move |journal| journal.begin(&rows, now))
                    .await
            }
            Err(error) => Err(error.into()),
        };
        match written {
            Ok(operations) => {
                self.reach_fault_point(FaultPoint::Written);
                for operation in &operations {
                    self.tell(Outcome::Operation(Box::new(operation.clone())))
                        .await;
                }
                for (operation, intent) in operations.into_iter().zip(intents) {
                    if stopped() {
                        let words = "Not sent: stopped before its turn".to_owned();
                        self.end(&operation, OperationState::Discarded, words).await;
                        continue;
                    }
                    self.check_then_send(operation, intent, SendAttempt::First(None), prepared)
                        .await;
                }
            }
            Err(error) => self.tell(Outcome::NotWritten(error)).await,
        }
    }

    /// Checks that the facts on which the clerk decided are still true, then sends: nothing outdated reaches
    /// a carrier.
    async fn check_then_send(
        &self,
        operation: Operation,
        intent: Payload,
        occasion: SendAttempt,
        prepared: Timestamp,
    ) {
        let checked = self.check_preconditions(&operation, &intent, prepared);
        let (message, error) = match checked.await {
            Ok(()) => {
                self.reach_fault_point(FaultPoint::PreconditionsChecked);
                return self.send(operation, intent, occasion).await;
            }
            Err(PreconditionFailed::Converted(found)) => {
                return self.converted_elsewhere(&operation, *found).await;
            }
            Err(PreconditionFailed::Outdated(message)) => {
                (message.clone(), EngineError::NotPossible(message))
            }
            Err(PreconditionFailed::Unchecked(error)) => {
                (format!("Nothing was sent: {error}"), error)
            }
        };
        match occasion {
            SendAttempt::First(Some(draft)) => {
                self.end(&operation, OperationState::Discarded, message)
                    .await;
                self.tell_not_created(Some(draft), error).await;
            }
            SendAttempt::First(None) => {
                self.end(&operation, OperationState::Rejected, message)
                    .await;
            }
            SendAttempt::Repeated => {
                self.end(&operation, OperationState::Absent, message).await;
            }
        }
    }

    /// Sends an operation exactly as it was saved. Repeats the call only if it provably was never sent.
    async fn send(&self, mut operation: Operation, intent: Payload, occasion: SendAttempt) {
        let mut tries = 0;
        loop {
            let sending = self.change(&operation, |operation| {
                operation.state = OperationState::Sending;
                operation.message.clear();
            });
            operation = match sending.await {
                Ok(operation) => operation,
                Err(error) => return self.tell_unwritten_before(occasion, error).await,
            };
            self.reach_fault_point(FaultPoint::Sending);
            tries += 1;
            let answer = self.call(&intent).await;
            self.reach_fault_point(FaultPoint::Answered);
            let failure = match answer {
                Ok(answer) => return self.answered(operation, intent, answer).await,
                Err(failure) => failure,
            };
            let pause = failure.pause().unwrap_or(PAUSE);
            if !self.changed_nothing(&failure) || tries == TRIES || pause > LONGEST_PAUSE {
                return self.failed(operation, failure, occasion).await;
            }
            let again = self.change(&operation, |operation| {
                operation.state = OperationState::Ready;
                operation.message = match failure.pause() {
                    Some(pause) => format!(
                        "Not sent: the service asked us to wait {}. We send it again after that",
                        pause_text(pause)
                    ),
                    None => "Not sent, trying again".to_owned(),
                };
            });
            operation = match again.await {
                Ok(ready) => ready,
                Err(error) => return self.tell_unwritten_before(occasion, error).await,
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Returns true if a failed call provably changed nothing at the service.
    pub(super) fn changed_nothing(&self, failure: &Failure) -> bool {
        let by_contract = self.client.compatibility().pause_means_not_done
            && matches!(failure, Failure::Busy { status: 429, .. });
        by_contract || failure.sent_nothing()
    }

    async fn call(&self, intent: &Payload) -> Result<Answer, Failure> {
        let client = &self.client;
        Ok(match intent {
            Payload::Create(request) => Answer::Created(Box::new(client.create(request).await?)),
            Payload::Edit(edit) => Answer::Edited(Box::new(client.edit(&edit.form).await?)),
            Payload::Delete(ids) => client.delete(ids).await.map(|()| Answer::Nothing)?,
            Payload::Manifest(group) => {
                Answer::Booked(client.manifest(std::slice::from_ref(&**group)).await?)
            }
            Payload::Status(updates) => client
                .update_statuses(updates)
                .await
                .map(|()| Answer::Nothing)?,
            Payload::PendingCreate(request) => {
                Answer::Pending(client.create_pending(request).await?)
            }
            Payload::PendingDelete(ids) => {
                client.delete_pending(ids).await.map(|()| Answer::Nothing)?
            }
            Payload::ServicePrint(order, _) => client
                .send_labels(std::slice::from_ref(order))
                .await
                .map(|()| Answer::Nothing)?,
        })
    }

    /// Records the service's answer. Reads the result back from the service if the answer says too little.
    async fn answered(&self, operation: Operation, intent: Payload, answer: Answer) {
        match answer {
            Answer::Created(consignment) => self.created(operation, &intent, *consignment).await,
            Answer::Edited(consignment) => self.edited(operation, *consignment).await,
            Answer::Booked(results) => self.booked(operation, results).await,
            Answer::Pending(pending) => self.pending_created(operation, &pending).await,
            Answer::Nothing => {
                let message = match operation.kind {
                    OperationKind::ServicePrint => "The service accepted the labels for printing",
                    OperationKind::PendingDelete => "Deleted at the service",
                    _ => return self.confirm(operation).await,
                };
                let message = message.to_owned();
                self.done(&operation, |operation| operation.message = message)
                    .await;
            }
        }
    }
}

/// Returns the numbers of consignments for a message: `MS123, MS124`.
fn numbers<'a>(consignments: impl IntoIterator<Item = &'a Consignment>) -> String {
    let numbers = consignments.into_iter();
    let numbers: Vec<_> = numbers.map(|one| one.consignment_number.as_str()).collect();
    numbers.join(", ")
}
