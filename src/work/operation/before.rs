//! Before an operation is sent: whether what the clerk decided on still holds. The carrier hears of nothing that is out of date.

use jiff::Timestamp;

use super::conversion::Converted;
use super::{Bench, Intent};
use crate::client::Failure;
use crate::journal::{Kind, Operation, OperationState};
use crate::work::WorkError;

/// Why an operation ends before it is sent: in words, and what failed where something did.
pub(super) struct Stop {
    pub(super) words: String,
    pub(super) error: WorkError,
    /// Somebody else made a consignment of the pending one.
    pub(super) converted: Option<Box<Converted>>,
}

impl Stop {
    /// It is out of date.
    pub(super) fn because(words: impl Into<String>) -> Self {
        let words = words.into();
        Self {
            error: WorkError::Stopped(words.clone()),
            words,
            converted: None,
        }
    }

    /// It could not be found out whether it still holds.
    pub(super) fn unable(error: impl Into<WorkError>) -> Self {
        let error = error.into();
        Self {
            words: format!("Nothing was sent: {error}"),
            error,
            converted: None,
        }
    }

    /// It became a consignment at the service.
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
        intent: &Intent,
        prepared: Timestamp,
    ) -> Result<(), Stop> {
        self.token_is_accepted().await?;
        self.nothing_else_holds(operation).await?;
        match intent {
            Intent::Manifest(group) => self.still_to_be_booked(operation, group, prepared).await,
            Intent::Edit(edit) => self.still_as_seen(edit).await,
            Intent::Delete(ids) => self.still_unmanifested(ids).await.map(drop),
            Intent::Create(request) => {
                let replaced = &request.linked_pending_consignment_ids;
                self.not_converted_elsewhere(operation, replaced).await
            }
            Intent::PendingCreate(_) => self.draft_not_converted(operation).await,
            Intent::Status(_) | Intent::PendingDelete(_) | Intent::ServicePrint(..) => Ok(()),
        }
    }

    /// After a 401 nothing more is sent, until the service takes the token again.
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
