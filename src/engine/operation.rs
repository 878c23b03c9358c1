//! The operation engine: an intent is saved, checked, sent once, and counts as done only after confirmation.
//! Invariants: the intent is on disk before anything is sent. A write is repeated automatically only if it provably
//! changed nothing at the service, or if repeating it does no harm. An answer that cannot be trusted makes the
//! operation `Unknown`; its result is reconciled, never guessed.

mod booking;
mod changes;
mod create;
mod decisions;
mod pending;
mod reconcile;
mod send_result;

use std::sync::atomic::Ordering;
use std::time::Duration;

use jiff::Timestamp;

use super::sharing::ClaimFailure;
use super::{EngineContext, EngineError, Failure, FaultPoint, Outcome, Request, pause_text};
pub(crate) use booking::BookingStop;
pub use changes::StatusEvidence;
pub use decisions::OperationDecision;
use draft::Draft;
use pending::Conversion;
pub use pending::converted_consignment;
pub use reconcile::CHECKS_AT_ONCE;
pub(crate) use reconcile::LookupResult;
use shipping::{Consignment, ManifestResult, PendingConsignment, PrintLabelsRequest};
use storage::{JournalError, NewOperation, Operation, OperationKind, OperationState, Payload};
use workgroup::WorkgroupError;

/// The most attempts to send a request. A request is repeated only if it provably changed nothing at the service.
const TRIES: u32 = 3;

/// The pause between two attempts, unless the service asks for a different pause.
const PAUSE: Duration = Duration::from_millis(400);

/// The longest pause before an operation is sent again automatically. If the service requests a longer pause, the
/// operation is not repeated.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// The reason why an operation is sent now.
#[derive(Debug)]
enum SendAttempt {
    /// The first attempt. Holds the draft if the window waits for the draft's result.
    First(Option<Box<Draft>>),
    /// A repeated attempt. Either the clerk sends an operation again that did not happen, or the program sends a
    /// deletion that may be repeated without harm.
    Repeated,
    /// A repeated attempt without a claim, because the clerk does not want to wait for the workgroup's database.
    RepeatedUnclaimed,
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

/// The reason why an operation ends before it is sent.
enum PreconditionFailed {
    /// The decision is out of date; holds a message for the clerk.
    Outdated(String),
    /// The check itself failed.
    Unchecked(EngineError),
    /// The workgroup's database can't say whether another bench works on the same.
    Unclaimed(WorkgroupError),
    /// Somebody else already converted the pending consignment.
    Converted(Box<Conversion>),
}

impl PreconditionFailed {
    fn because(message: impl Into<String>) -> Self {
        Self::Outdated(message.into())
    }
}

impl<E: Into<EngineError>> From<E> for PreconditionFailed {
    fn from(error: E) -> Self {
        Self::Unchecked(error.into())
    }
}

impl EngineContext {
    /// Saves an intent together with its draft. Returns `None` if that failed; the clerk then gets the draft back.
    async fn write_draft(&self, draft: &Draft, intent: Payload, key: String) -> Option<Operation> {
        // The draft is saved too, as it was typed, because the clerk gets it back after a refusal.
        let (now, draft) = (self.now(), draft.clone());
        let kept = draft.clone();
        let written = self.journal(move |journal| {
            let title = { kept.edits.as_ref() }.map_or_else(|| kept.title(), |one| &one.number);
            let row = NewOperation {
                key,
                title: title.to_owned(),
                draft: Some(kept.id.clone()),
                ..intent.to_operation()?
            };
            journal.begin_from_draft(&kept, &row, now)
        });
        match written.await {
            Ok(operation) => {
                self.reach_fault_point(FaultPoint::Written);
                Some(operation)
            }
            Err(error) => {
                self.tell_not_created(Some(Box::new(draft)), error).await;
                None
            }
        }
    }

    /// Saves the intent of a create request and shows the operation as waiting, before its turn in the service
    /// queue. The journal then knows the operation even if the program ends before that turn. Returns any other
    /// request unchanged.
    pub(super) async fn write_ahead(&self, request: Request) -> Option<Request> {
        let Request::Send(draft, mut intent) = request else {
            return Some(request);
        };
        let key = match &mut intent {
            Payload::Create(request) => {
                // The ids of the replaced pending consignments are part of the intent, so that these are deleted once
                // the create is done, even if the program ends in between.
                let replaced = draft.pending.iter().map(|pending| pending.id);
                request.linked_pending_consignment_ids = replaced.collect();
                self.give_key(request)
            }
            // The key is copied into the converted consignment and identifies it.
            Payload::PendingCreate(request) => self.give_key(&mut request.0),
            // A change is saved only at its turn: until then, other operations may use its consignment.
            _ => return Some(Request::Send(draft, intent)),
        };
        if let Err(error) = self.writer.until_intact().await {
            self.tell_not_created(Some(draft), error).await;
            return None;
        }
        let written = self.write_draft(&draft, intent, key).await?;
        self.tell(Outcome::Operation(Box::new(written.clone())))
            .await;
        Some(Request::SendWritten(Box::new(written), draft))
    }

    /// Saves an intent together with its draft, then sends it.
    pub(super) async fn write_and_send(&self, draft: Box<Draft>, intent: Payload) {
        if let Some(written) = self.write_draft(&draft, intent, String::new()).await {
            self.send_written(written, draft).await;
        }
    }

    pub(super) async fn send_written(&self, operation: Operation, draft: Box<Draft>) {
        let prepared = operation.made;
        let first = SendAttempt::First(Some(draft));
        self.check_then_send(operation, first, prepared).await;
    }

    pub(super) async fn perform(&self, intent: Result<NewOperation, JournalError>) {
        let intents = intent.map(|intent| vec![intent]);
        self.perform_all(intents, self.now(), || false).await;
    }

    /// Prints labels on one of the service's printers. The reason for printing labels that may already be
    /// printed is shown with the operation.
    pub(super) async fn print_at_service(&self, order: PrintLabelsRequest, reason: &str) {
        let mut intent = Payload::ServicePrint(order).to_operation();
        if let Ok(intent) = &mut intent
            && !reason.is_empty()
        {
            intent.title = format!("{} · reprint: {reason}", intent.title);
        }
        self.perform(intent).await;
    }

    /// Saves all intents in one transaction, so that no intent is lost and their consignments are locked, then sends
    /// them one after the other. `prepared` is the time of the data on which the clerk decided. Once `stopped`
    /// returns true, discards the intents that were not sent yet.
    async fn perform_all(
        &self,
        intents: Result<Vec<NewOperation>, JournalError>,
        prepared: Timestamp,
        stopped: impl Fn() -> bool + Send + Sync,
    ) {
        let now = self.now();
        let written = self.journal(move |journal| journal.begin(&intents?, now));
        let operations = match written.await {
            Ok(operations) => operations,
            Err(error) => return self.tell(Outcome::NotWritten(error)).await,
        };
        self.reach_fault_point(FaultPoint::Written);
        for operation in &operations {
            let shown = Box::new(operation.clone());
            self.tell(Outcome::Operation(shown)).await;
        }
        for operation in operations {
            if stopped() {
                let message = "Not sent: stopped before its turn";
                self.end(&operation, OperationState::Discarded, message)
                    .await;
            } else {
                let first = SendAttempt::First(None);
                self.check_then_send(operation, first, prepared).await;
            }
        }
    }

    /// Checks that the facts on which the clerk decided are still true, then sends the operation, so that nothing
    /// outdated reaches a carrier.
    async fn check_then_send(
        &self,
        operation: Operation,
        occasion: SendAttempt,
        prepared: Timestamp,
    ) {
        let checked = self.check_preconditions(&operation, &occasion, prepared);
        let (message, error) = match checked.await {
            Ok(()) => {
                self.reach_fault_point(FaultPoint::PreconditionsChecked);
                return self.send(operation, occasion).await;
            }
            Err(PreconditionFailed::Converted(found)) => {
                return self.converted_elsewhere(&operation, *found).await;
            }
            Err(PreconditionFailed::Unclaimed(error)) => {
                let message = ClaimFailure::away_message(&error);
                if operation.state == OperationState::Absent && operation.message == message {
                    return self.tell(Outcome::Operation(Box::new(operation))).await;
                }
                self.end(&operation, OperationState::Absent, message).await;
                return self.tell(Outcome::ResultUnknown(operation.draft)).await;
            }
            Err(PreconditionFailed::Outdated(message)) => {
                (message.clone(), EngineError::NotPossible(message))
            }
            Err(PreconditionFailed::Unchecked(error)) => {
                (format!("Nothing was sent: {error}"), error)
            }
        };
        let state = occasion.state_if_unsent();
        self.end(&operation, state, message).await;
        if let SendAttempt::First(draft @ Some(_)) = occasion {
            self.tell_not_created(draft, error).await;
        }
    }

    async fn check_preconditions(
        &self,
        operation: &Operation,
        occasion: &SendAttempt,
        prepared: Timestamp,
    ) -> Result<(), PreconditionFailed> {
        self.token_is_accepted().await?;
        self.check_not_locked(operation).await?;
        let draft = match occasion {
            SendAttempt::First(draft) => draft.as_deref(),
            SendAttempt::Repeated | SendAttempt::RepeatedUnclaimed => None,
        };
        match self.claim(operation, draft).await {
            Ok(()) => {}
            Err(ClaimFailure::Held(message)) => return Err(PreconditionFailed::Outdated(message)),
            Err(ClaimFailure::Away(_)) if matches!(occasion, SendAttempt::RepeatedUnclaimed) => {}
            Err(ClaimFailure::Away(error)) => return Err(PreconditionFailed::Unclaimed(error)),
        }
        let intent = operation.payload().ok_or(JournalError::UnreadableRequest)?;
        match intent {
            Payload::Manifest(group) => self.check_still_bookable(operation, group, prepared).await,
            Payload::Edit(edit) => self.check_unchanged(operation, edit).await,
            Payload::Delete(ids) => self.check_still_unmanifested(ids).await.map(drop),
            Payload::Create(request) => {
                let replaced = &request.linked_pending_consignment_ids;
                self.not_converted_elsewhere(operation, replaced).await
            }
            Payload::PendingCreate(_) => self.draft_not_converted(operation).await,
            Payload::Status(_) | Payload::PendingDelete(_) | Payload::ServicePrint(_) => Ok(()),
        }
    }

    /// Fails if the service does not accept the token. After HTTP 401, nothing is sent until a ping shows that the
    /// service accepts the token again.
    async fn token_is_accepted(&self) -> Result<(), PreconditionFailed> {
        if !self.paused.load(Ordering::Relaxed) {
            return Ok(());
        }
        match self.client.ping().await {
            Ok(true) => {
                self.paused.store(false, Ordering::Relaxed);
                Ok(())
            }
            Ok(false) => Err(Failure::Unauthorised.into()),
            Err(failure) => Err(failure.into()),
        }
    }

    async fn check_not_locked(&self, own: &Operation) -> Result<(), PreconditionFailed> {
        if own.consignments.is_empty() {
            return Ok(());
        }
        let open = self.journal(|journal| journal.operations(0)).await?;
        let holds = |other: &&Operation| {
            let twin = own.kind == OperationKind::Delete && other.state == OperationState::Conflict;
            other.id != own.id
                && other.state.is_open()
                && !twin
                && other
                    .consignments
                    .iter()
                    .any(|id| own.consignments.contains(id))
        };
        match open.iter().find(holds) {
            Some(other) => Err(PreconditionFailed::because(format!(
                "Some of these belong to another operation that isn't finished yet ({})",
                other.title
            ))),
            None if own.kind == OperationKind::Manifest => self.check_unknown_bookings(&open),
            None => Ok(()),
        }
    }

    /// Sends an operation exactly as it was saved. Repeats the call only if it provably changed nothing
    /// at the service.
    async fn send(&self, mut operation: Operation, occasion: SendAttempt) {
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
            let answer = self.call(&operation).await;
            self.reach_fault_point(FaultPoint::Answered);
            let failure = match answer {
                Ok(answer) => return self.answered(operation, answer).await,
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
                        "Not sent: the service asked us to wait {}. Packbench sends it again after that",
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
    fn changed_nothing(&self, failure: &Failure) -> bool {
        let by_contract = self.client.compatibility().pause_means_not_done
            && matches!(failure, Failure::Busy { status: 429, .. });
        by_contract || failure.sent_nothing()
    }

    async fn call(&self, operation: &Operation) -> Result<Answer, Failure> {
        let client = &self.client;
        match operation.payload().ok_or(Failure::Internal)? {
            Payload::Create(request) => {
                let created = client.create(request).await?;
                return Ok(Answer::Created(Box::new(created)));
            }
            Payload::Edit(edit) => {
                let edited = client.edit(&edit.form).await?;
                return Ok(Answer::Edited(Box::new(edited)));
            }
            Payload::Manifest(group) => {
                let groups = std::slice::from_ref(&**group);
                return client.manifest(groups).await.map(Answer::Booked);
            }
            Payload::PendingCreate(request) => {
                return client.create_pending(request).await.map(Answer::Pending);
            }
            Payload::Delete(ids) => client.delete(ids).await,
            Payload::Status(updates) => client.update_statuses(updates).await,
            Payload::PendingDelete(ids) => client.delete_pending(ids).await,
            Payload::ServicePrint(order) => client.send_labels(std::slice::from_ref(order)).await,
        }
        .map(|()| Answer::Nothing)
    }

    /// Records the service's answer. Reads the result back from the service if the answer does not contain it.
    async fn answered(&self, operation: Operation, answer: Answer) {
        match answer {
            Answer::Created(consignment) => self.created(operation, *consignment).await,
            Answer::Edited(consignment) => self.edited(operation, *consignment).await,
            Answer::Booked(results) => self.booked(operation, results).await,
            Answer::Pending(pending) => self.pending_created(operation, &pending).await,
            Answer::Nothing => {
                let message = match operation.kind {
                    OperationKind::ServicePrint => "The service accepted the labels for printing",
                    OperationKind::PendingDelete => "Deleted at the service",
                    _ => return self.confirm(operation).await,
                };
                self.done(&operation, |operation| {
                    message.clone_into(&mut operation.message);
                })
                .await;
            }
        }
    }
}

impl SendAttempt {
    /// Returns the state of an operation of which provably nothing was sent: a first attempt ends and gives its draft
    /// back, and a repeated operation stays absent.
    const fn state_if_unsent(&self) -> OperationState {
        match self {
            Self::First(Some(_)) => OperationState::Discarded,
            Self::First(None) => OperationState::Rejected,
            Self::Repeated | Self::RepeatedUnclaimed => OperationState::Absent,
        }
    }
}

/// Returns the numbers of consignments for a message: `MS123, MS124`.
fn numbers<'a>(consignments: impl IntoIterator<Item = &'a Consignment>) -> String {
    let numbers = consignments.into_iter();
    let numbers: Vec<_> = numbers.map(|one| one.consignment_number.as_str()).collect();
    numbers.join(", ")
}
