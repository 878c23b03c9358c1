//! The clerk's decisions about operations with an open end.

use super::settle::{Found, Verdict};
use super::{Bench, Occasion};
use crate::draft::DraftId;
use crate::journal::{JournalError, Kind, Operation, OperationId, OperationState};
use crate::shipping::ConsignmentId;
use crate::work::{Outcome, WorkError};

/// The message for a draft that is saved at the service, but whose number there was lost with the answer. The
/// clerk gets the draft back unchanged.
const SAVED_SOMEHOW: &str = "At the service, says the clerk. Its number there is not known here: before the draft is sent \
or saved again, delete it in the service's list of pending consignments";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Check at once instead of on schedule.
    CheckNow,
    /// Send it again with the same key. Offered only if reconciliation found that it did not happen.
    SendAgain,
    /// Run the whole schedule of checks once more.
    Wait,
    /// Give the operation up.
    Discard,
    /// Accept this consignment as the result of the operation.
    Adopt(ConsignmentId),
    /// Reject all consignments that were found: the operation did not happen.
    NotThese,
    /// Delete this duplicate, which is not manifested yet.
    DeleteTwin(ConsignmentId),
    /// The clerk's answer where the program cannot check: true if it happened.
    Happened(bool),
}

impl Choice {
    /// Returns true if this decision is possible for an operation of this kind in this state.
    pub const fn fits(self, kind: Kind, state: OperationState) -> bool {
        use OperationState::{Absent, Ask, Conflict, Done, Unknown};
        match self {
            Self::CheckNow => {
                kind.can_be_read_back() && matches!(state, Unknown | Absent | Conflict | Done)
            }
            Self::SendAgain => matches!(state, Absent),
            Self::Wait => matches!(state, Absent) && kind.can_be_read_back(),
            Self::Discard => matches!(state, Unknown | Absent | Conflict | Ask),
            Self::Adopt(_) | Self::NotThese | Self::DeleteTwin(_) => {
                matches!((kind, state), (Kind::Create, Conflict))
            }
            Self::Happened(_) => matches!(state, Ask),
        }
    }
}

impl Bench {
    /// Carries out the clerk's decision. Does nothing if the operation has changed in the meantime.
    pub(in crate::work) async fn decide(&self, id: OperationId, choice: Choice) {
        let operation = match self.operation(id).await {
            Ok(operation) if choice.fits(operation.kind, operation.state) => operation,
            Ok(_) => return,
            Err(error) => return self.tell_unreadable(error).await,
        };
        match choice {
            Choice::CheckNow => self.check_now(&operation).await,
            Choice::SendAgain => self.send_again(operation).await,
            Choice::Wait => self.wait_longer(&operation).await,
            Choice::Discard => self.discard(&operation).await,
            Choice::Adopt(consignment) => self.adopt(&operation, consignment).await,
            Choice::NotThese => {
                self.none_of_these(&operation).await;
            }
            Choice::DeleteTwin(twin) => self.delete_twin(&operation, twin).await,
            Choice::Happened(true) if operation.kind == Kind::PendingCreate => {
                self.set(&operation, OperationState::Done, SAVED_SOMEHOW)
                    .await;
                self.give_draft_back(operation.draft).await;
            }
            Choice::Happened(true) => {
                self.set(&operation, OperationState::Done, "Done, says the clerk")
                    .await;
            }
            Choice::Happened(false) => {
                let words = "It did not happen, says the clerk. Send it again, or give it up";
                self.set(&operation, OperationState::Absent, words).await;
            }
        }
    }

    /// Wakes the running reconciliation, or checks directly if none is running.
    async fn check_now(&self, operation: &Operation) {
        if operation.state == OperationState::Unknown {
            return self.wake(operation.id);
        }
        match self.look(operation).await {
            Ok(found) if found.is_absent() => {}
            // A finished operation stays `Done` unless a duplicate has turned up. A consignment with only the
            // same typed reference is no duplicate.
            Ok(found)
                if operation.state == OperationState::Done
                    && (!found.is_conflict() || !self.is_ours(operation)) => {}
            Ok(found) => {
                self.settle_as(operation, operation.state, found).await;
            }
            Err(failure) => {
                self.tell_failed("The service could not be asked", failure.into())
                    .await;
            }
        }
    }

    /// Sends an absent operation again with the same key, after another check that it did not happen.
    async fn send_again(&self, operation: Operation) {
        if operation.kind.can_be_read_back() {
            match self.look(&operation).await {
                Ok(found) if found.is_absent() => {}
                Ok(found) => {
                    self.settle_as(&operation, OperationState::Absent, found)
                        .await;
                    return;
                }
                Err(failure) => {
                    return self
                        .tell_failed("Not sent again: the fresh check failed", failure.into())
                        .await;
                }
            }
        }
        match operation.payload().cloned() {
            Some(payload) => {
                let made = operation.made;
                self.check_then_send(operation, payload, Occasion::Again, made)
                    .await;
            }
            None => {
                let error = JournalError::UnreadableRequest;
                self.tell_unreadable(error.into()).await;
            }
        }
    }

    async fn wait_longer(&self, operation: &Operation) {
        let waiting = self.change(operation, OperationState::Absent, |operation| {
            operation.state = OperationState::Unknown;
            operation.checks = 0;
            "Looked for once more. Don't do it again meanwhile".clone_into(&mut operation.words);
        });
        match waiting.await {
            Ok(operation) => self.watch(operation),
            Err(error) => self.tell_not_kept(error).await,
        }
    }

    async fn discard(&self, operation: &Operation) {
        let from = operation.state;
        let of_found = from == OperationState::Conflict && operation.kind == Kind::Create;
        let ours = self.is_ours(operation);
        let discarded = self.change(operation, from, |operation| {
            operation.state = OperationState::Discarded;
            if of_found {
                // The clerk has seen these consignments: later checks must not report them as news.
                operation.denied.extend_from_slice(&operation.consignments);
                if !ours {
                    // The consignments only look similar, so the clerk gets the draft back.
                    operation.consignments.clear();
                }
            }
            "Given up by the clerk".clone_into(&mut operation.words);
        });
        match discarded.await {
            Ok(discarded) => self.give_draft_back(discarded.draft).await,
            Err(error) => self.tell_not_kept(error).await,
        }
    }

    async fn adopt(&self, operation: &Operation, consignment: ConsignmentId) {
        match self.client.consignment(consignment).await {
            Ok(found) => {
                let words = format!("It is {}, says the clerk", found.consignment_number);
                let mut told = operation.clone();
                let others = operation.consignments.iter();
                told.denied.extend(others.filter(|id| **id != consignment));
                let found = Found::new(Verdict::Done(words), vec![found]);
                self.settle_as(&told, operation.state, found).await;
            }
            Err(failure) => {
                self.tell_failed("The consignment could not be read", failure.into())
                    .await;
            }
        }
    }

    /// Remembers the consignments that were found as rejected, so that no later check takes them for
    /// this operation's.
    async fn none_of_these(&self, operation: &Operation) {
        let from = operation.state;
        let denied = self.change(operation, from, |operation| {
            operation.state = OperationState::Absent;
            operation.denied.append(&mut operation.consignments);
            "None of these, says the clerk. Send it again, or give it up"
                .clone_into(&mut operation.words);
        });
        if let Err(error) = denied.await {
            self.tell_not_kept(error).await;
        }
    }

    /// Deletes the duplicate in an operation of its own, then checks again what is left.
    async fn delete_twin(&self, operation: &Operation, twin: ConsignmentId) {
        if operation.consignments.contains(&twin) {
            self.delete(vec![twin]).await;
            self.check_now(operation).await;
        }
    }

    async fn set(&self, operation: &Operation, state: OperationState, words: &str) {
        let from = operation.state;
        let changed = self.change(operation, from, |operation| {
            operation.state = state;
            words.clone_into(&mut operation.words);
        });
        if let Err(error) = changed.await {
            self.tell_not_kept(error).await;
        }
    }

    /// Gives the clerk the draft of an operation that came to nothing.
    pub(super) async fn give_draft_back(&self, draft: Option<DraftId>) {
        let Some(id) = draft else { return };
        match self.writer.run(move |journal| journal.draft(&id)).await {
            Ok(Some(draft)) => self.tell(Outcome::DraftBack(Box::new(draft))).await,
            Ok(None) => {}
            Err(error) => self.tell_failed("The draft could not be read", error).await,
        }
    }

    async fn tell_unreadable(&self, error: WorkError) {
        self.tell_failed("The operation could not be read", error)
            .await;
    }

    async fn tell_not_kept(&self, error: WorkError) {
        self.tell_failed("The operation could not be written down", error)
            .await;
    }
}
