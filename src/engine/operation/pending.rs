//! Pending consignments: drafts saved at the service, and their conversion into a consignment by this program, or by
//! somebody else at the service.
//!
//! Invariants: before a conversion, the program asks the service whether somebody has already converted the pending
//! consignment. After a confirmed conversion the pending consignment is deleted, if necessary after a restart of the
//! program. Only this deletion is repeated automatically if its result is uncertain, because repeating it does no
//! harm.

use super::create::may_carry;
use super::{EngineContext, Payload, PreconditionFailed, SendAttempt};
use crate::{FaultPoint, Outcome};
use client::{Client, Failure};
use draft::PendingCopy;
use shipping::{Consignment, PendingConsignment, PendingConsignmentId, ServiceError};
use storage::{JournalError, NewOperation, Operation, OperationKind, OperationState};

/// A conversion of a pending consignment by somebody else.
#[derive(Debug)]
pub(crate) struct Conversion {
    pub(crate) pending: PendingConsignmentId,
    pub(crate) consignment: Consignment,
}

/// Returns the consignment that a pending consignment was converted into; `None` if it is still pending or no
/// longer exists.
pub async fn converted_consignment(
    client: &Client,
    id: PendingConsignmentId,
) -> Result<Option<Consignment>, Failure> {
    match client.consignment_of_pending(id).await {
        Ok(made) => Ok(Some(made)),
        Err(Failure::Refused(_) | Failure::Empty | Failure::Status(400..=404)) => Ok(None),
        Err(failure) => Err(failure),
    }
}

impl EngineContext {
    /// Fails if somebody already converted any of these pending consignments.
    pub(super) async fn not_converted_elsewhere(
        &self,
        own: &Operation,
        ids: &[PendingConsignmentId],
    ) -> Result<(), PreconditionFailed> {
        for pending in ids {
            let Some(consignment) = converted_consignment(&self.client, *pending).await? else {
                continue;
            };
            if self.is_ours(own) && may_carry(&consignment, &own.key) {
                let number = &consignment.consignment_number;
                return Err(PreconditionFailed::because(format!(
                    "Already created: {number}"
                )));
            }
            return Err(PreconditionFailed::Converted(Box::new(Conversion {
                pending: *pending,
                consignment,
            })));
        }
        Ok(())
    }

    /// Fails if a draft that is to be saved at the service again was converted there in the meantime.
    pub(super) async fn draft_not_converted(
        &self,
        own: &Operation,
    ) -> Result<(), PreconditionFailed> {
        let Some(id) = own.draft.clone() else {
            return Ok(());
        };
        let draft = self.journal(move |journal| journal.draft(&id)).await?;
        let pending = draft.and_then(|draft| draft.pending);
        let ids: Vec<_> = pending.iter().map(|pending| pending.id).collect();
        self.not_converted_elsewhere(own, &ids).await
    }

    /// Discards the operation and its draft: the consignment already exists.
    pub(super) async fn converted_elsewhere(&self, operation: &Operation, found: Conversion) {
        let message = format!(
            "PC{} was already converted into {} at the service. Nothing was sent",
            found.pending, found.consignment.consignment_number
        );
        self.end(operation, OperationState::Discarded, message)
            .await;
        if let Some(id) = operation.draft.clone() {
            let gone = self.journal(move |journal| journal.discard_draft(&id));
            self.or_tell("Couldn't discard the draft", gone).await;
        }
        self.tell(Outcome::Converted {
            draft: operation.draft.clone(),
            pending: found.pending,
            consignment: Box::new(found.consignment),
        })
        .await;
    }

    pub(super) async fn pending_created(&self, operation: Operation, pending: &PendingConsignment) {
        let number = if pending.consignment_number.is_empty() {
            format!("PC{}", pending.id)
        } else {
            pending.consignment_number.clone()
        };
        let saved = PendingCopy {
            id: pending.id,
            number,
        };
        let mut done = operation.clone();
        done.state = OperationState::Done;
        done.message = format!("Saved at the service as {}", saved.number);
        done.reference.clone_from(&saved.number);
        let (now, kept) = (self.now(), saved.clone());
        let written = self.journal(move |journal| {
            // Keep the draft: the service offers no way to fetch a pending consignment.
            let draft =
                journal.mark_saved_as_pending(&mut done, OperationState::Sending, &kept, now)?;
            Ok((done, draft))
        });
        match written.await {
            Ok((done, draft)) => {
                self.reach_fault_point(FaultPoint::ResultWritten);
                self.tell(Outcome::Operation(Box::new(done))).await;
                let draft = draft.map(Box::new);
                self.tell(Outcome::PendingSaved { draft, saved }).await;
                self.unfinished_deletions.notify_one();
            }
            Err(error) => self.tell_unwritten(operation.draft, error).await,
        }
    }

    /// Returns the deletion of the pending consignments that `operation` replaced, which must follow once
    /// the operation is done. Returns `None` if there are none, or if the service deletes them itself
    /// during the conversion.
    pub(crate) fn follow_up_deletion(
        &self,
        operation: &Operation,
    ) -> Result<Option<NewOperation>, JournalError> {
        if operation.kind != OperationKind::Create
            || operation.state != OperationState::Done
            || self.client.compatibility().optional.linked_pending
        {
            return Ok(None);
        }
        let Some(Payload::Create(request)) = operation.payload() else {
            return Ok(None);
        };
        let replaced = &request.linked_pending_consignment_ids;
        if replaced.is_empty() {
            return Ok(None);
        }
        NewOperation::deletion_after(operation.id, replaced).map(Some)
    }

    /// Deletes the replaced pending consignments that still exist, as far as the service can be reached.
    pub(crate) async fn finish_conversions(&self) {
        let unfinished = self.journal(|journal| journal.unfinished_deletions());
        let what = "Couldn't read which pending consignments to delete";
        let unfinished = self.or_tell(what, unfinished).await;
        for operation in unfinished.into_iter().flatten() {
            let made = operation.made;
            if operation.payload().is_some() {
                self.check_then_send(operation, SendAttempt::Repeated, made)
                    .await;
            }
        }
    }

    /// Handles the deletion of a pending consignment that no longer exists. The deletion is done; but if it followed
    /// our conversion and somebody else converted the pending consignment too, it becomes a conflict.
    pub(super) async fn was_gone(&self, operation: Operation) {
        let made = match operation.deleted_pending() {
            [id] => { converted_consignment(&self.client, *id).await }
                .ok()
                .flatten(),
            _ => None,
        };
        let follows = operation.follows();
        let ours = match follows {
            Some(id) => self.operation(id).await.ok(),
            None => None,
        };
        let ours = ours.map(|ours| ours.consignments).unwrap_or_default();
        let theirs = made.filter(|made| !ours.contains(&made.id));
        let (state, words) = match &theirs {
            None => (OperationState::Done, "Already deleted".to_owned()),
            Some(theirs) if follows.is_some() => (
                OperationState::Conflict,
                format!(
                    "Someone else converted it into {} as well. Check whether you need both, and delete one if not",
                    theirs.consignment_number
                ),
            ),
            Some(theirs) => (
                OperationState::Done,
                format!(
                    "Already converted by someone else into {}",
                    theirs.consignment_number
                ),
            ),
        };
        let made = theirs.filter(|_| state == OperationState::Done);
        let ended = self.write_end(&operation, |operation| {
            operation.state = state;
            operation.message = words;
            operation.consignments.extend(made.map(|made| made.id));
        });
        let _told = ended.await;
    }
}

/// Returns true if the failure says that the consignment no longer exists. The service's documentation defines no
/// text for this case, so the list has texts from real answers.
pub(super) fn is_already_gone(failure: &Failure) -> bool {
    match failure {
        Failure::Refused(errors) => {
            let words = ServiceError::joined_messages(errors).to_ascii_lowercase();
            ["not found", "not exist", "no longer", "already"]
                .iter()
                .any(|part| words.contains(part))
        }
        Failure::Status(404 | 410) => true,
        _ => false,
    }
}
