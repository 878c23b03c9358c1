//! Deletes unmanifested consignments. The deletion is refused if one is manifested, and done once the service
//! no longer has them.

use super::create::is_deleted;
use super::reconcile::{ReconcileResult, Reconciliation};
use super::{EngineContext, PreconditionFailed, numbers};
use client::Failure;
use shipping::{Consignment, ConsignmentId};

impl EngineContext {
    /// Reads every consignment and returns them. Fails if any of them is already booked or no longer exists.
    pub(super) async fn check_still_unmanifested(
        &self,
        ids: &[ConsignmentId],
    ) -> Result<Vec<Consignment>, PreconditionFailed> {
        let found = self.existing_consignments(ids).await?;
        let waits = |id: &ConsignmentId| {
            found
                .iter()
                .any(|one| one.id == *id && one.is_unmanifested())
        };
        let taken: Vec<_> = ids
            .iter()
            .filter(|id| !waits(id))
            .map(|id| number_of(*id, &found))
            .collect();
        self.tell_as_found(ids, found.clone()).await;
        if taken.is_empty() {
            return Ok(found);
        }
        Err(PreconditionFailed::because(format!(
            "No longer unmanifested: {}. Check the list and try again",
            taken.join(", ")
        )))
    }

    pub(super) async fn check_deletion(
        &self,
        ids: &[ConsignmentId],
    ) -> Result<Reconciliation, Failure> {
        let (mut found, sure) = self.looked_up(ids).await?.of_all()?;
        found.retain(|one| !is_deleted(one));
        let booked = numbers(found.iter().filter(|one| !one.is_unmanifested()));
        let verdict = if !booked.is_empty() {
            ReconcileResult::Conflict(format!("Already manifested, so not deleted: {booked}"))
        } else if found.is_empty() && sure {
            ReconcileResult::Done("Deleted".to_owned())
        } else if found.is_empty() {
            // The service may have refused to show them for another reason.
            ReconcileResult::Incomplete(
                "The service no longer shows them. Check whether they are deleted".to_owned(),
            )
        } else if found.len() == ids.len() {
            ReconcileResult::Absent
        } else {
            let left = numbers(&found);
            ReconcileResult::Incomplete(format!("Partly deleted. Still there: {left}"))
        };
        Ok(Reconciliation::new(verdict, found))
    }
}

/// Returns the consignment's number; if it was not found, the number derived from its id.
fn number_of(id: ConsignmentId, found: &[Consignment]) -> String {
    found
        .iter()
        .find(|one| one.id == id)
        .map_or_else(|| format!("MS{id}"), |one| one.consignment_number.clone())
}
