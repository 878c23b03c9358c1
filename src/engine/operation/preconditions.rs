//! Checks before an operation is sent: whether the facts on which the clerk decided are still true. Nothing
//! outdated reaches a carrier.

use jiff::Timestamp;

use super::conversion::Conversion;
use super::{EngineContext, Payload};
use crate::EngineError;
use client::Failure;
use storage::{Operation, OperationKind, OperationState};

/// The reason why an operation ends before it is sent: a message for the clerk, and the error.
pub(super) struct PreconditionFailed {
    pub(super) message: String,
    pub(super) error: EngineError,
    /// Set if somebody else already converted the pending consignment.
    pub(super) converted: Option<Box<Conversion>>,
}

impl PreconditionFailed {
    /// The decision is out of date.
    pub(super) fn because(words: impl Into<String>) -> Self {
        let words = words.into();
        Self {
            error: EngineError::NotPossible(words.clone()),
            message: words,
            converted: None,
        }
    }

    /// The check itself failed.
    pub(super) fn unable(error: impl Into<EngineError>) -> Self {
        let error = error.into();
        Self {
            message: format!("Nothing was sent: {error}"),
            error,
            converted: None,
        }
    }

    /// The pending consignment was already converted at the service.
    pub(super) fn converted(found: Conversion) -> Self {
        let words = found.words();
        Self {
            error: EngineError::NotPossible(words.clone()),
            message: words,
            converted: Some(Box::new(found)),
        }
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
            Payload::Edit(edit) => self.check_unchanged(edit).await,
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
        if !self.paused.is_set() {
            return Ok(());
        }
        match self.client.ping().await {
            Ok(true) => {
                self.paused.clear();
                Ok(())
            }
            Ok(false) => Err(PreconditionFailed::unable(Failure::Unauthorised)),
            Err(failure) => Err(PreconditionFailed::unable(failure)),
        }
    }

    async fn check_not_locked(&self, own: &Operation) -> Result<(), PreconditionFailed> {
        if own.consignments.is_empty() {
            return Ok(());
        }
        let open = self.writer.run(|journal| journal.operations(0)).await;
        let open = open.map_err(PreconditionFailed::unable)?;
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
