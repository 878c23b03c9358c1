//! The clerk's decisions about operations whose result is uncertain.

use std::time::Duration;

use super::reconcile::{ReconcileResult, Reconciliation};
use super::{EngineContext, Payload, SendAttempt};
use crate::Outcome;
use draft::DraftId;
use shipping::ConsignmentId;
use storage::{JournalError, Operation, OperationId, OperationKind, OperationState};

const UNREADABLE: &str = "Couldn't read the result";

/// The message for a draft that is saved at the service, but whose number there was lost with the answer. The
/// clerk gets the draft back unchanged.
const SAVED_SOMEHOW: &str = "Marked as saved at the service, but its number there is not known. Before you send \
or save this draft again, delete it in the service's list of pending consignments";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperationDecision {
    /// Check at once instead of on schedule.
    CheckNow,
    /// Send the operation again with the same key. Offered only if it did not happen, according to reconciliation or
    /// the clerk.
    SendAgain,
    /// Send the operation again even if the workgroup's database can't say whether another bench works on the same. Holds
    /// the clerk's reason.
    SendUnclaimed(String),
    /// Run the whole schedule of checks once more.
    KeepChecking,
    Discard,
    /// Accept this consignment as the result of the operation.
    Adopt(ConsignmentId),
    /// Reject all consignments that were found: the operation did not happen.
    RejectAll,
    /// Delete this duplicate, which is not manifested yet.
    DeleteDuplicate(ConsignmentId),
    /// The clerk's answer where the program cannot check: true if the operation happened.
    Happened(bool),
}

impl OperationDecision {
    /// Returns true if this decision is possible for an operation of this kind in this state.
    pub const fn is_possible(&self, kind: OperationKind, state: OperationState) -> bool {
        use OperationState::{Absent, Ask, Conflict, Done, Unknown};
        match self {
            Self::CheckNow => {
                kind.can_be_reconciled() && matches!(state, Unknown | Absent | Conflict | Done)
            }
            Self::SendAgain | Self::SendUnclaimed(_) => matches!(state, Absent),
            Self::KeepChecking => matches!(state, Absent) && kind.can_be_reconciled(),
            Self::Discard => matches!(state, Unknown | Absent | Conflict | Ask),
            Self::Adopt(_) | Self::RejectAll | Self::DeleteDuplicate(_) => {
                matches!((kind, state), (OperationKind::Create, Conflict))
            }
            Self::Happened(_) => matches!(state, Ask),
        }
    }
}

impl EngineContext {
    /// Carries out the clerk's decision. Does nothing if the operation has changed in the meantime.
    pub(crate) async fn decide(&self, id: OperationId, choice: OperationDecision) {
        let operation = self.or_tell(UNREADABLE, self.operation(id)).await;
        let possible = |one: &Operation| choice.is_possible(one.kind, one.state);
        let Some(operation) = operation.filter(possible) else {
            return;
        };
        match choice {
            OperationDecision::CheckNow => self.check_now(&operation).await,
            OperationDecision::SendAgain => {
                self.send_again(operation, SendAttempt::Repeated).await;
            }
            OperationDecision::SendUnclaimed(reason) => {
                self.send_unclaimed(&operation, &reason).await;
            }
            OperationDecision::KeepChecking => self.wait_longer(&operation).await,
            OperationDecision::Discard => self.discard(&operation).await,
            OperationDecision::Adopt(consignment) => self.adopt(&operation, consignment).await,
            OperationDecision::RejectAll => self.none_of_these(&operation).await,
            OperationDecision::DeleteDuplicate(twin) => self.delete_twin(&operation, twin).await,
            OperationDecision::Happened(true) if operation.kind == OperationKind::PendingCreate => {
                self.end(&operation, OperationState::Done, SAVED_SOMEHOW)
                    .await;
                self.give_draft_back(operation.draft).await;
            }
            OperationDecision::Happened(true) => {
                let message = "Marked as done by hand";
                self.end(&operation, OperationState::Done, message).await;
            }
            OperationDecision::Happened(false) => {
                let message = "Marked as not done by hand. Send it again, or give up";
                self.end(&operation, OperationState::Absent, message).await;
            }
        }
    }

    /// Wakes the running reconciliation, or checks directly if none is running.
    async fn check_now(&self, operation: &Operation) {
        if operation.state == OperationState::Unknown {
            return self.wake(operation.id);
        }
        match self.check_once(operation).await {
            Ok(found) if found.is_absent() => {}
            // A finished operation stays `Done` unless a duplicate was found. A consignment with only the same typed
            // reference is no duplicate.
            Ok(found)
                if operation.state == OperationState::Done
                    && (!matches!(found.verdict, ReconcileResult::Conflict(_))
                        || !self.is_ours(operation)) => {}
            Ok(found) => {
                self.write_result(operation, found).await;
            }
            Err(failure) => {
                let what = "Couldn't ask the service";
                self.tell_failed(what, failure.into()).await;
            }
        }
    }

    /// Sends an absent operation again with the same key, after another check that it did not happen.
    async fn send_again(&self, operation: Operation, occasion: SendAttempt) {
        if operation.kind.can_be_reconciled() {
            match self.check_once(&operation).await {
                Ok(found) if found.is_absent() => {}
                Ok(found) => {
                    self.write_result(&operation, found).await;
                    return;
                }
                Err(failure) => {
                    let what = "Not sent again: couldn't check whether it had already gone through";
                    return self.tell_failed(what, failure.into()).await;
                }
            }
        }
        if operation.payload().is_none() {
            let error = JournalError::UnreadableRequest.into();
            return self.tell_failed(UNREADABLE, error).await;
        }
        let made = operation.made;
        self.check_then_send(operation, occasion, made).await;
    }

    /// Records the clerk's reason in the operation's history, then sends the operation again.
    async fn send_unclaimed(&self, operation: &Operation, reason: &str) {
        let recorded = self.change_or_tell(operation, |operation| {
            operation.message = format!("Reason to send without the workgroup: {reason}");
        });
        if let Some(operation) = recorded.await {
            self.send_again(operation, SendAttempt::RepeatedUnclaimed)
                .await;
        }
    }

    async fn wait_longer(&self, operation: &Operation) {
        let waiting = self.change_or_tell(operation, |operation| {
            operation.state = OperationState::Unknown;
            operation.checks = 0;
            "Checking again whether this went through. Please don't repeat it"
                .clone_into(&mut operation.message);
        });
        if let Some(operation) = waiting.await {
            self.start_reconciliation(operation, Duration::ZERO);
        }
    }

    async fn discard(&self, operation: &Operation) {
        let of_found =
            operation.state == OperationState::Conflict && operation.kind == OperationKind::Create;
        let ours = self.is_ours(operation);
        let discarded = self.change_or_tell(operation, |operation| {
            operation.state = OperationState::Discarded;
            if of_found {
                // The clerk has seen these consignments: later checks must not report them again.
                operation.denied.extend_from_slice(&operation.consignments);
                if !ours {
                    // The consignments only look similar, so the clerk gets the draft back.
                    operation.consignments.clear();
                }
            }
            "Given up by hand".clone_into(&mut operation.message);
        });
        if let Some(discarded) = discarded.await {
            self.give_draft_back(discarded.draft).await;
        }
    }

    async fn adopt(&self, operation: &Operation, consignment: ConsignmentId) {
        let found = async { Ok(self.client.consignment(consignment).await?) };
        let what = "Couldn't read the consignment";
        let Some(found) = self.or_tell(what, found).await else {
            return;
        };
        let words = format!("Matched by hand to {}", found.consignment_number);
        let mut told = operation.clone();
        let others = operation.consignments.iter();
        told.denied.extend(others.filter(|id| **id != consignment));
        let found = Reconciliation::new(ReconcileResult::Done(words), vec![found]);
        self.write_result(&told, found).await;
    }

    /// Marks the consignments that were found as rejected, so that no later check accepts them as the result
    /// of this operation.
    async fn none_of_these(&self, operation: &Operation) {
        let denied = self.change_or_tell(operation, |operation| {
            operation.state = OperationState::Absent;
            operation.denied.append(&mut operation.consignments);
            "None of the consignments found is the right one. Send it again, or give up"
                .clone_into(&mut operation.message);
        });
        let _told = denied.await;
    }

    /// Deletes the duplicate in a separate operation, then checks the original operation again.
    async fn delete_twin(&self, operation: &Operation, twin: ConsignmentId) {
        if operation.consignments.contains(&twin) {
            self.perform(Payload::Delete(vec![twin]).to_operation())
                .await;
            self.check_now(operation).await;
        }
    }

    pub(super) async fn give_draft_back(&self, draft: Option<DraftId>) {
        let Some(id) = draft else { return };
        let draft = self.journal(move |journal| journal.draft(&id));
        let draft = self.or_tell("Couldn't read the draft", draft).await;
        if let Some(draft) = draft.flatten() {
            self.tell(Outcome::DraftBack(Box::new(draft))).await;
        }
    }
}
