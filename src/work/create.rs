//! Creating a consignment: written down, sent once, and never "done" before the journal says so.

use std::time::Duration;

use super::bench::Bench;
use super::{Failure, Outcome, WorkError};
use crate::draft::{Draft, DraftId};
use crate::journal::{
    Journal, JournalError, Kind, NewOperation, Operation, OperationId, OperationState,
};
use crate::shipping::{Consignment, ConsignmentRequest};

/// Sends of a request that provably never left the machine.
const TRIES: u32 = 3;

/// Between those.
const PAUSE: Duration = Duration::from_millis(400);

impl Bench {
    /// Creates a consignment from a checked request; `draft` is what the clerk waits at.
    pub(super) async fn create(&self, draft: Draft, mut request: ConsignmentRequest) {
        let key = request
            .customer_reference2
            .get_or_insert_with(|| self.new_key())
            .clone();
        match self.write_down(&draft, &request, key).await {
            Ok(operation) => self.send_create(operation, request, Some(draft)).await,
            Err(error) => self.tell_not_created(Some(draft), error).await,
        }
    }

    async fn write_down(
        &self,
        draft: &Draft,
        request: &ConsignmentRequest,
        key: String,
    ) -> Result<Operation, WorkError> {
        let new = NewOperation {
            kind: Kind::Create,
            key,
            title: draft.title().to_owned(),
            request: serde_json::to_string(request).map_err(JournalError::from)?,
            draft: Some(draft.id.clone()),
            consignments: Vec::new(),
        };
        let (now, kept) = (self.now(), draft.clone());
        let written = move |journal: &mut Journal| {
            // What is sent is on disk as typed, too: a refusal gives it back.
            journal.save_draft(&kept, now)?;
            journal
                .begin(&[new], now)?
                .pop()
                .ok_or(JournalError::Changed)
        };
        self.writer.run(written).await
    }

    /// Sends a frozen create. `draft` is there when the clerk waits at it.
    async fn send_create(
        &self,
        frozen: Operation,
        request: ConsignmentRequest,
        draft: Option<Draft>,
    ) {
        let mut operation = frozen;
        let mut tries = 0;
        loop {
            let from = operation.state;
            let sending = self.change(&operation, from, |operation| {
                operation.state = OperationState::Sending;
            });
            operation = match sending.await {
                Ok(operation) => operation,
                Err(error) => return self.tell_not_created(draft, error).await,
            };
            tries += 1;
            let failure = match self.client.create(&request).await {
                Ok(consignment) => return self.created(operation, &request, consignment).await,
                Err(failure) => failure,
            };
            if !failure.sent_nothing() || tries == TRIES {
                return self.not_created(operation, failure, draft).await;
            }
            let again = self.change(&operation, OperationState::Sending, |operation| {
                operation.state = OperationState::Ready;
                "Not sent, trying again".clone_into(&mut operation.words);
            });
            operation = match again.await {
                Ok(ready) => ready,
                Err(error) => return self.tell_not_created(draft, error).await,
            };
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn created(
        &self,
        operation: Operation,
        request: &ConsignmentRequest,
        consignment: Consignment,
    ) {
        let draft = operation.draft.clone();
        let other_time = despatch_differs(request, &consignment);
        let done = self.change(&operation, OperationState::Sending, |operation| {
            operation.state = OperationState::Done;
            operation.words = format!("Created {}{other_time}", consignment.consignment_number);
            operation
                .reference
                .clone_from(&consignment.consignment_number);
            operation.consignments = vec![consignment.id];
        });
        if let Err(error) = done.await {
            return self.tell_unwritten(draft, error).await;
        }
        self.tell(Outcome::Created {
            draft,
            consignment: Box::new(consignment),
        })
        .await;
    }

    async fn not_created(&self, operation: Operation, failure: Failure, draft: Option<Draft>) {
        let (state, words) = verdict(&failure, draft.is_some());
        let changed = self.change(&operation, OperationState::Sending, |operation| {
            operation.state = state;
            operation.words = words;
            operation.checks = 0;
        });
        match changed.await {
            Ok(operation) if state == OperationState::Unknown => {
                self.tell(Outcome::Unanswered(operation.draft.clone()))
                    .await;
                self.watch(operation);
            }
            Ok(operation) => {
                if draft.is_none() && state == OperationState::Rejected {
                    self.give_draft_back(operation.draft).await;
                }
                self.tell_not_created(draft, failure.into()).await;
            }
            Err(error) => self.tell_unwritten(operation.draft, error).await,
        }
    }

    /// Certainly not created: the clerk has the draft back.
    async fn tell_not_created(&self, draft: Option<Draft>, error: WorkError) {
        self.tell(Outcome::NotCreated {
            draft: draft.map(Box::new),
            error,
        })
        .await;
    }

    /// Sent, and what became of it could not be written down: the next start looks for it.
    async fn tell_unwritten(&self, draft: Option<DraftId>, error: WorkError) {
        self.tell(Outcome::Unanswered(draft)).await;
        self.tell_failed(
            "What was sent could not be written down. Don't type it again",
            error,
        )
        .await;
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
                if operation.state.is_open() && operation.state != OperationState::Sending =>
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
        match discarded.await {
            Ok(discarded) => self.give_draft_back(discarded.draft).await,
            Err(error) => {
                self.tell_failed("The operation could not be written down", error)
                    .await;
            }
        }
    }

    /// What was typed is there again, where nothing became of it.
    async fn give_draft_back(&self, draft: Option<DraftId>) {
        let Some(id) = draft else { return };
        match self.writer.run(move |journal| journal.draft(&id)).await {
            Ok(Some(draft)) => self.tell(Outcome::DraftBack(Box::new(draft))).await,
            Ok(None) => {}
            Err(error) => self.tell_failed("The draft could not be read", error).await,
        }
    }
}

/// What a failed create means. Where nothing left the machine, the clerk who waits at the draft has it back; a re-send stays
/// what it was.
fn verdict(failure: &Failure, waited_for: bool) -> (OperationState, String) {
    match failure {
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
        nothing_sent if nothing_sent.sent_nothing() && waited_for => (
            OperationState::Discarded,
            "Not sent: the service cannot be reached".to_owned(),
        ),
        nothing_sent if nothing_sent.sent_nothing() => (
            OperationState::Absent,
            "Not sent: the service cannot be reached".to_owned(),
        ),
        _ => (
            OperationState::Unknown,
            format!("We don't know yet: {failure}. Don't type it again"),
        ),
    }
}

/// What to say where the service despatches at another time than was asked for: live services ignore what they don't know.
fn despatch_differs(request: &ConsignmentRequest, consignment: &Consignment) -> String {
    let differs = request
        .despatch()
        .is_some_and(|asked| consignment.leaves_at_another_time(asked));
    if !differs {
        return String::new();
    }
    let when = consignment
        .despatch_date_local
        .map(|time| time.0.strftime(" %a %-d %b %H:%M").to_string());
    format!(
        ". The service despatches it{}, not as asked",
        when.unwrap_or_else(|| " at another time".to_owned())
    )
}
