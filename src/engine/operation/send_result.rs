//! The ends of an attempt to send: done, refused, unknown, or not sent. Each result is saved before it is sent to the
//! window.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::pending::is_already_gone;
use super::{EngineContext, SendAttempt};
use crate::{EngineError, FaultPoint, Outcome, pause_text};
use client::Failure;
use draft::{Draft, DraftId};
use shipping::ServiceError;
use storage::{Operation, OperationKind, OperationState};

const UNSAVED: &str = "Couldn't save the result";

impl EngineContext {
    /// Confirms an operation that the service reported as done, by reading its result back.
    pub(super) async fn confirm(&self, operation: Operation) {
        match self.check_once(&operation).await {
            Ok(found) if found.is_settled() => {
                self.write_result(&operation, found).await;
            }
            // The service reported the deletion and no longer shows the consignments.
            Ok(found)
                if operation.kind == OperationKind::Delete && found.consignments.is_empty() =>
            {
                self.done(&operation, |operation| {
                    "Deleted".clone_into(&mut operation.message);
                })
                .await;
            }
            Ok(_) | Err(_) => {
                let message = "Sent, but the service doesn't show it yet. Checking";
                self.unknown(operation, message, Duration::ZERO).await;
            }
        }
    }

    /// Handles a failed call: a refusal, an answer that cannot be trusted, or no answer.
    pub(super) async fn failed(
        &self,
        operation: Operation,
        failure: Failure,
        occasion: SendAttempt,
    ) {
        if failure == Failure::Unauthorised {
            self.paused.store(true, Ordering::Relaxed);
        }
        // If several pending consignments are to be deleted, a refusal does not tell which of them no longer exist.
        if operation.deleted_pending().len() == 1 && is_already_gone(&failure) {
            return self.was_gone(operation).await;
        }
        let (state, words) = if operation.follows().is_some() && may_have_arrived(&failure) {
            let message = format!(
                "Not sure whether it was deleted: {failure}. Packbench tries again when the list is next refreshed"
            );
            (OperationState::Absent, message)
        } else {
            self.state_after_failure(operation.kind, &failure, &occasion)
        };
        if state == OperationState::Unknown {
            let pause = failure.pause().unwrap_or_default();
            return self.unknown(operation, words, pause).await;
        }
        let ended = self.write_end(&operation, |operation| {
            operation.state = state;
            operation.message = words;
        });
        let Some(operation) = ended.await else { return };
        if matches!(failure, Failure::Refused(_)) {
            // Usually somebody else has changed the consignment first: show the clerk its current state.
            self.refresh_consignments(&operation).await;
        }
        match (state, occasion) {
            (OperationState::Ask, _) => {
                self.tell(Outcome::ResultUnknown(operation.draft)).await;
            }
            (_, SendAttempt::First(Some(draft))) => {
                self.tell_not_created(Some(draft), failure.into()).await;
            }
            (OperationState::Rejected, _) if operation.draft.is_some() => {
                self.give_draft_back(operation.draft).await;
                self.tell_not_created(None, failure.into()).await;
            }
            _ => {}
        }
    }

    /// Marks the operation as unknown and starts its reconciliation, after the pause that the service asked for.
    /// The clerk can continue with other work.
    pub(super) async fn unknown(
        &self,
        operation: Operation,
        message: impl Into<String>,
        pause: Duration,
    ) {
        let unknown = self.write_end(&operation, |operation| {
            operation.state = OperationState::Unknown;
            operation.message = message.into();
            operation.checks = 0;
        });
        if let Some(operation) = unknown.await {
            self.tell(Outcome::ResultUnknown(operation.draft.clone()))
                .await;
            self.start_reconciliation(operation, pause);
        }
    }

    /// Marks the operation as done in the journal. Returns `None` if that could not be saved.
    pub(super) async fn done(
        &self,
        operation: &Operation,
        change: impl FnOnce(&mut Operation),
    ) -> Option<Operation> {
        self.write_end(operation, |operation| {
            operation.state = OperationState::Done;
            change(operation);
        })
        .await
    }

    /// Saves the result of a sent operation. If that fails, shows the clerk the error and returns `None`.
    pub(super) async fn write_end(
        &self,
        operation: &Operation,
        change: impl FnOnce(&mut Operation),
    ) -> Option<Operation> {
        match self.change(operation, change).await {
            Ok(changed) => {
                self.reach_fault_point(FaultPoint::ResultWritten);
                Some(changed)
            }
            Err(error) => {
                self.tell_unwritten(operation.draft.clone(), error).await;
                None
            }
        }
    }

    /// Ends an operation that was not sent, or whose result needs no check.
    pub(super) async fn end(
        &self,
        operation: &Operation,
        state: OperationState,
        message: impl Into<String>,
    ) {
        let _told = self
            .change_or_tell(operation, |operation| {
                operation.state = state;
                operation.message = message.into();
            })
            .await;
    }

    /// Changes an operation that is not being sent. If that fails, shows the clerk the error and returns `None`.
    pub(super) async fn change_or_tell(
        &self,
        operation: &Operation,
        change: impl FnOnce(&mut Operation),
    ) -> Option<Operation> {
        self.or_tell(UNSAVED, self.change(operation, change)).await
    }

    pub(super) async fn tell_unsaved(&self, error: EngineError) {
        self.tell_failed(UNSAVED, error).await;
    }

    /// Tells the clerk that an operation could not be saved and was not sent.
    pub(super) async fn tell_unwritten_before(&self, occasion: SendAttempt, error: EngineError) {
        if let SendAttempt::First(draft @ Some(_)) = occasion {
            return self.tell_not_created(draft, error).await;
        }
        let what = "Nothing was sent: it couldn't be saved on this computer first";
        self.tell_failed(what, error).await;
    }

    /// Tells the clerk that the result of a sent operation could not be saved. The next start reconciles it.
    pub(super) async fn tell_unwritten(&self, draft: Option<DraftId>, error: EngineError) {
        self.tell(Outcome::ResultUnknown(draft)).await;
        let what = "Sent, but the result couldn't be saved. Please don't send it again";
        self.tell_failed(what, error).await;
    }

    /// Returns the state and the message of an operation after a failed call.
    fn state_after_failure(
        &self,
        kind: OperationKind,
        failure: &Failure,
        occasion: &SendAttempt,
    ) -> (OperationState, String) {
        match failure {
            Failure::Refused(errors) => (
                OperationState::Rejected,
                ServiceError::joined_messages(errors),
            ),
            Failure::Unauthorised => (
                OperationState::Rejected,
                "The service does not accept the token. Nothing more is sent until it does"
                    .to_owned(),
            ),
            failure if self.changed_nothing(failure) => {
                (occasion.state_if_unsent(), format!("Not sent: {failure}"))
            }
            failure if kind.can_be_reconciled() => {
                let why = match failure.pause() {
                    Some(pause) => format!(
                        "the service asked us to wait {}; Packbench checks after that",
                        pause_text(pause)
                    ),
                    None => failure.to_string(),
                };
                (
                    OperationState::Unknown,
                    format!(
                        "Checking whether this went through: {why}. {}",
                        warning(kind)
                    ),
                )
            }
            failure => (
                OperationState::Ask,
                format!(
                    "Can't tell whether this went through: {failure}. {}",
                    what_to_look_at(kind)
                ),
            ),
        }
    }

    /// Tells the clerk that the consignment was certainly not created and gives the draft back.
    pub(crate) async fn tell_not_created(&self, draft: Option<Box<Draft>>, error: EngineError) {
        self.tell(Outcome::NotCreated { draft, error }).await;
    }
}

const fn may_have_arrived(failure: &Failure) -> bool {
    !matches!(failure, Failure::Refused(_) | Failure::Unauthorised)
}

/// Returns the warning about actions to avoid until the result is known.
pub(super) const fn warning(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Create | OperationKind::PendingCreate => "Please don't enter it again",
        OperationKind::Manifest => "Don't book it any other way",
        OperationKind::Edit => "Don't change it again",
        OperationKind::Delete | OperationKind::PendingDelete => {
            "Please don't use it until this is confirmed"
        }
        OperationKind::Status => "Don't set it again",
        OperationKind::ServicePrint => "Don't print it again",
    }
}

/// Returns where the clerk can look up a result that the program cannot read from the service.
const fn what_to_look_at(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::ServicePrint => "Check whether the label came out",
        OperationKind::PendingDelete => {
            "Check in the service's list of pending consignments that it is gone"
        }
        _ => "Check in the service's list of pending consignments whether it was saved",
    }
}
