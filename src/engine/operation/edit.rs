//! Changes an unmanifested consignment, only if it is still as the clerk saw it. A lost answer is reconciled
//! by comparing the changed fields.

use super::reconcile::{ReconcileResult, Reconciliation};
use super::{ConsignmentEdit, EngineContext, Payload, PreconditionFailed};
use crate::Outcome;
use client::Failure;
use draft::Draft;
use shipping::{Consignment, EditForm, ServiceError};
use storage::Operation;

impl EngineContext {
    /// Posts a changed form back. `seen` is the form before the change, `draft` the draft on which the clerk
    /// is waiting.
    pub(crate) async fn edit(&self, draft: Option<Box<Draft>>, seen: EditForm, form: EditForm) {
        let intent = Payload::Edit(Box::new(ConsignmentEdit { seen, form }));
        match draft {
            Some(draft) => {
                if let Some(written) = self.write_draft(*draft, intent, String::new()).await {
                    self.send_written(written).await;
                }
            }
            None => self.perform(intent).await,
        }
    }

    /// Fetches the form again, so that somebody else's change is not overwritten.
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
        let now = match self.client.edit_form(id).await {
            Ok(now) => now,
            Err(Failure::Refused(errors)) => {
                let words = format!(
                    "This consignment can no longer be changed: {}. Check whether it is as you want it",
                    ServiceError::joined_messages(&errors)
                );
                return Ok(Reconciliation::new(
                    ReconcileResult::Conflict(words),
                    Vec::new(),
                ));
            }
            Err(failure) => return Err(failure),
        };
        let ours = edit.form.differences(&edit.seen);
        let verdict = if now.has_all_of(&edit.form, &ours) {
            ReconcileResult::Done("Your change went through".to_owned())
        } else if now.has_all_of(&edit.seen, &ours) {
            ReconcileResult::Absent
        } else {
            ReconcileResult::Conflict(format!(
                "Someone else changed this consignment too: {}. Open it again",
                now.differences(&edit.form).join(", ")
            ))
        };
        Ok(Reconciliation::new(verdict, Vec::new()))
    }
}
