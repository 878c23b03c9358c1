//! Changes of existing consignments: edits, deletions, and statuses set by hand.
//!
//! An edit is sent only if the consignment is still as the clerk saw it, and a deletion only if nothing in it is
//! manifested. After a lost answer, an edit is reconciled by comparing the changed fields. A deletion is done once
//! the service no longer has the consignments. A status, including Cancelled, is set once the consignments show it.
//! The carrier is not notified of statuses.

use jiff::Timestamp;

use super::create::is_deleted;
use super::reconcile::{ReconcileResult, Reconciliation};
use super::{EngineContext, PreconditionFailed, numbers};
use crate::{CLOCKS_DIFFER, Outcome};
use client::Failure;
use shipping::{
    Consignment, ConsignmentId, LocalTime, ServiceError, StatusChange, StatusId, StatusUpdate,
};
use storage::{ConsignmentEdit, Operation};

impl EngineContext {
    /// Fetches the form again and fails if it differs from the form that the clerk saw, so that somebody else's
    /// change is not overwritten.
    pub(super) async fn check_unchanged(
        &self,
        operation: &Operation,
        edit: &ConsignmentEdit,
    ) -> Result<(), PreconditionFailed> {
        let id = edit.form.id();
        let id = id.ok_or_else(|| {
            PreconditionFailed::because(
                "The service's form has no consignment id. Open the consignment again",
            )
        })?;
        let now = match self.client.edit_form(id).await {
            Ok(now) => now,
            Err(Failure::Refused(errors)) => {
                self.refresh_consignments(operation).await;
                return Err(PreconditionFailed::because(format!(
                    "This consignment can no longer be changed: {}. Check the list",
                    ServiceError::joined_messages(&errors)
                )));
            }
            Err(failure) => return Err(failure.into()),
        };
        let changed = now.differences(&edit.seen);
        if changed.is_empty() {
            return Ok(());
        }
        self.refresh_consignments(operation).await;
        Err(PreconditionFailed::because(format!(
            "Someone else has changed this consignment: {}. Open it again",
            changed.join(", ")
        )))
    }

    pub(super) async fn edited(&self, operation: Operation, consignment: Consignment) {
        let done = self.done(&operation, |operation| {
            operation.message = format!("Changed {}", consignment.consignment_number);
            operation
                .reference
                .clone_from(&consignment.consignment_number);
        });
        if let Some(done) = done.await {
            self.tell(Outcome::Edited {
                draft: done.draft,
                consignment: Box::new(consignment),
            })
            .await;
        }
    }

    /// Reconciles an edit: done if all changed fields have our values, absent if they have the old values,
    /// otherwise a conflict with somebody else's change.
    pub(super) async fn check_edit(
        &self,
        edit: &ConsignmentEdit,
    ) -> Result<Reconciliation, Failure> {
        let id = edit.form.id().ok_or(Failure::Internal)?;
        let ours = edit.form.differences(&edit.seen);
        let verdict = match self.client.edit_form(id).await {
            Ok(now) if now.has_all_of(&edit.form, &ours) => {
                ReconcileResult::Done("Your change went through".to_owned())
            }
            Ok(now) if now.has_all_of(&edit.seen, &ours) => ReconcileResult::Absent,
            Ok(now) => ReconcileResult::Conflict(format!(
                "Someone else changed this consignment too: {}. Open it again",
                now.differences(&edit.form).join(", ")
            )),
            Err(Failure::Refused(errors)) => ReconcileResult::Conflict(format!(
                "This consignment can no longer be changed: {}. Check whether it is as you want it",
                ServiceError::joined_messages(&errors)
            )),
            Err(failure) => return Err(failure),
        };
        Ok(Reconciliation::new(verdict, Vec::new()))
    }

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
            // The service may have refused to show the consignments for another reason.
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

    pub(super) async fn check_statuses(
        &self,
        operation: &Operation,
        updates: &[StatusUpdate],
    ) -> Result<Reconciliation, Failure> {
        let found = self.existing_consignments(&operation.consignments).await?;
        let since = operation.made - CLOCKS_DIFFER;
        let told = |update: &StatusUpdate| {
            let consignment = found.iter().find(|one| one.id == update.consignment_id);
            consignment.map_or(StatusEvidence::Missing, |one| {
                StatusEvidence::of(one, update, since)
            })
        };
        let told: Vec<StatusEvidence> = updates.iter().map(told).collect();
        let done = { told.iter() }
            .filter(|told| **told == StatusEvidence::Ours)
            .count();
        let verdict = if done == updates.len() {
            ReconcileResult::Done("Status set. The carrier was not notified".to_owned())
        } else if done > 0 {
            ReconcileResult::Incomplete(format!("Partly set: {done} of {}", updates.len()))
        } else if told.contains(&StatusEvidence::Possible) {
            ReconcileResult::Incomplete(
                "The consignment has this status, but someone else may have set it".to_owned(),
            )
        } else {
            ReconcileResult::Absent
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

/// The evidence in a consignment's history for a status that was to be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusEvidence {
    Ours,
    /// The status was reached, but the carrier may have set it.
    Possible,
    Missing,
}

impl StatusEvidence {
    /// Judges from the history of a consignment whether `update` set its status. The consignment may have had the
    /// status before, so the current status alone is proof only if neither history nor update has a time for it, or
    /// if the status can only be set by hand.
    pub fn of(consignment: &Consignment, update: &StatusUpdate, since: Timestamp) -> Self {
        let steps = consignment.history().iter().filter(|step| {
            let status = step.consignment_tracking_status.as_ref();
            status.is_some_and(|status| status.id == update.status)
        });
        let steps: Vec<_> = steps.filter(|step| may_be_of(step, update)).collect();
        let stands = update.item_reference.is_none() && { consignment.status() }
            .is_some_and(|status| status.id == update.status);
        let is_undated = !steps.iter().any(|step| is_dated(step));
        let has_time = update.status_date_time_local.is_some();
        let only_by_hand = update.status == StatusId::CANCELLED;
        if steps.iter().any(|step| is_ours(step, update, since))
            || (stands && (only_by_hand || (is_undated && !has_time)))
        {
            Self::Ours
        } else if (stands && is_undated) || steps.iter().any(|step| is_recent(step, since)) {
            Self::Possible
        } else {
            Self::Missing
        }
    }
}

/// Returns false if the step belongs to another piece.
fn may_be_of(step: &StatusChange, update: &StatusUpdate) -> bool {
    match (&update.item_reference, &step.item_reference) {
        (Some(asked), Some(told)) => asked == told,
        _ => true,
    }
}

/// Returns true if this step was set by this operation. If the clerk gave a time, the step must have that time or the
/// clerk's text, because a newer step may come from the carrier. For a single piece, the step must name the piece.
fn is_ours(step: &StatusChange, update: &StatusUpdate, since: Timestamp) -> bool {
    if update.item_reference.is_some() && step.item_reference.is_none() {
        return false;
    }
    let recent = is_recent(step, since);
    let Some(given) = update.status_date_time_local else {
        return recent;
    };
    let minute = |at: LocalTime| at.0.with().second(0).subsec_nanosecond(0).build().ok();
    let same_time = { step.status_date_local }.is_some_and(|told| minute(told) == minute(given));
    let words = |text: &Option<String>| text.as_deref().map(str::trim).map(str::to_owned);
    let ours = words(&update.extra_information).filter(|words| !words.is_empty());
    same_time || (recent && ours.is_some() && ours == words(&step.status_information))
}

fn is_recent(step: &StatusChange, since: Timestamp) -> bool {
    step.status_date_utc.is_some_and(|at| at.0 >= since)
}

const fn is_dated(step: &StatusChange) -> bool {
    step.status_date_utc.is_some() || step.status_date_local.is_some()
}
