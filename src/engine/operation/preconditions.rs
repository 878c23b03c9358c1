//! Checks before an operation is sent: whether the facts on which the clerk decided are still true. Nothing
//! outdated reaches a carrier.

use std::sync::atomic::Ordering;

use jiff::Timestamp;

use super::pending::Conversion;
use super::{EngineContext, Payload};
use crate::EngineError;
use client::Failure;
use storage::{Operation, OperationKind, OperationState};

/// The reason why an operation ends before it is sent.
pub(super) enum PreconditionFailed {
    /// The decision is out of date; holds a message for the clerk.
    Outdated(String),
    /// The check itself failed.
    Unchecked(EngineError),
    /// Somebody else already converted the pending consignment.
    Converted(Box<Conversion>),
}

impl PreconditionFailed {
    pub(super) fn because(message: impl Into<String>) -> Self {
        Self::Outdated(message.into())
    }
}

impl From<EngineError> for PreconditionFailed {
    fn from(error: EngineError) -> Self {
        Self::Unchecked(error)
    }
}

impl From<Failure> for PreconditionFailed {
    fn from(failure: Failure) -> Self {
        Self::Unchecked(failure.into())
    }
}

impl EngineContext {
    pub(super) async fn check_preconditions(
        &self,
        operation: &Operation,
        intent: &Payload,
        prepared: Timestamp,
    ) -> Result<(), PreconditionFailed> {
        self.token_is_accepted().await?;
        self.check_not_locked(operation).await?;
        match intent {
            Payload::Manifest(group) => self.check_still_bookable(operation, group, prepared).await,
            Payload::Edit(edit) => self.check_unchanged(operation, edit).await,
            Payload::Delete(ids) => self.check_still_unmanifested(ids).await.map(drop),
            Payload::Create(request) => {
                let replaced = &request.linked_pending_consignment_ids;
                self.not_converted_elsewhere(operation, replaced).await
            }
            Payload::PendingCreate(_) => self.draft_not_converted(operation).await,
            Payload::Status(_) | Payload::PendingDelete(_) | Payload::ServicePrint(..) => Ok(()),
        }
    }

    /// After a 401 nothing more is sent until a ping shows that the service accepts the token again.
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
        let open = self.writer.run(|journal| journal.operations(0)).await?;
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
}
