//! Operations that the service offers no way to read back: pending consignments, and labels on the service's
//! own printers. After a lost answer the clerk has to look.

use super::{EngineContext, Payload, WrittenIntent};
use crate::Outcome;
use crate::context::FaultPoint;
use draft::{Draft, PendingCopy};
use shipping::{
    PendingConsignment, PendingConsignmentId, PendingConsignmentRequest, PrintLabelsRequest,
};
use storage::{Operation, OperationState};

impl EngineContext {
    /// Writes down the intent to save a draft at the service as a pending consignment, to be completed there.
    pub(super) async fn write_pending(
        &self,
        draft: Draft,
        mut request: PendingConsignmentRequest,
    ) -> Option<WrittenIntent> {
        // The key is copied into the converted consignment and identifies it.
        let key = self.give_key(
            &mut request.customer_reference,
            &mut request.customer_reference2,
        );
        self.write_draft(draft, Payload::PendingCreate(Box::new(request)), key)
            .await
    }

    /// Deletes pending consignments.
    pub(crate) async fn delete_pending(&self, ids: Vec<PendingConsignmentId>) {
        if !ids.is_empty() {
            self.perform(vec![Payload::PendingDelete(ids)], self.now())
                .await;
        }
    }

    pub(crate) async fn print_at_service(&self, order: PrintLabelsRequest, reason: String) {
        self.perform(vec![Payload::ServicePrint(order, reason)], self.now())
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
        let written = self.writer.run(move |journal| {
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

    pub(super) async fn pending_deleted(&self, operation: Operation) {
        self.done(&operation, |operation| {
            "Deleted at the service".clone_into(&mut operation.message);
        })
        .await;
    }

    pub(super) async fn handed_to_service(&self, operation: Operation) {
        self.done(&operation, |operation| {
            "The service accepted the labels for its printer".clone_into(&mut operation.message);
        })
        .await;
    }
}
