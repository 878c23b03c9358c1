//! Checks before an operation is sent: whether the facts on which the clerk decided are still true. Nothing
//! outdated reaches a carrier.

use jiff::Timestamp;

use super::conversion::Converted;
use super::{Bench, Payload};
use crate::client::Failure;
use crate::journal::{Kind, Operation, OperationState};
use crate::work::WorkError;

/// The reason why an operation ends before it is sent: a message for the clerk, and the error.
pub(super) struct Stop {
    pub(super) words: String,
    pub(super) error: WorkError,
    /// Set if somebody else already converted the pending consignment.
    pub(super) converted: Option<Box<Converted>>,
}

impl Stop {
    /// The decision is out of date.
    pub(super) fn because(words: impl Into<String>) -> Self {
        let words = words.into();
        Self {
            error: WorkError::Stopped(words.clone()),
            words,
            converted: None,
        }
    }

    /// The check itself failed.
    pub(super) fn unable(error: impl Into<WorkError>) -> Self {
        let error = error.into();
        Self {
            words: format!("Nothing was sent: {error}"),
            error,
            converted: None,
        }
    }

    /// The pending consignment was already converted at the service.
    pub(super) fn converted(found: Converted) -> Self {
        let words = found.words();
        Self {
            error: WorkError::Stopped(words.clone()),
            words,
            converted: Some(Box::new(found)),
        }
    }
}

impl Bench {
    pub(super) async fn may_be_sent(
        &self,
        operation: &Operation,
        intent: &Payload,
        prepared: Timestamp,
    ) -> Result<(), Stop> {
        self.token_is_accepted().await?;
        self.nothing_else_holds(operation).await?;
        match intent {
            Payload::Manifest(group) => self.still_to_be_booked(operation, group, prepared).await,
            Payload::Edit(edit) => self.still_as_seen(edit).await,
            Payload::Delete(ids) => self.still_unmanifested(ids).await.map(drop),
            Payload::Create(request) => {
                let replaced = &request.linked_pending_consignment_ids;
                self.not_converted_elsewhere(operation, replaced).await
            }
            Payload::PendingCreate(_) => self.draft_not_converted(operation).await,
            Payload::Status(_) | Payload::PendingDelete(_) | Payload::ServicePrint(..) => Ok(()),
        }
    }

    /// After a 401 nothing more is sent until a ping shows that the service accepts the token again.
    async fn token_is_accepted(&self) -> Result<(), Stop> {
        if !self.paused.is_set() {
            return Ok(());
        }
        match self.client.ping().await {
            Ok(true) => {
                self.paused.clear();
                Ok(())
            }
            Ok(false) => Err(Stop::unable(Failure::Unauthorised)),
            Err(failure) => Err(Stop::unable(failure)),
        }
    }

    async fn nothing_else_holds(&self, own: &Operation) -> Result<(), Stop> {
        if own.consignments.is_empty() {
            return Ok(());
        }
        let open = self.writer.run(|journal| journal.operations(0)).await;
        let open = open.map_err(Stop::unable)?;
        let holds = |other: &&Operation| {
            let twin = own.kind == Kind::Delete && other.state == OperationState::Conflict;
            other.id != own.id
                && other.state.is_open()
                && !twin
                && other
                    .consignments
                    .iter()
                    .any(|id| own.consignments.contains(id))
        };
        match open.iter().find(holds) {
            Some(other) => Err(Stop::because(format!(
                "Another operation holds some of these ({}), and its end is not known yet",
                other.title
            ))),
            None if own.kind == Kind::Manifest => self.bookings_are_open(&open),
            None => Ok(()),
        }
    }
}
