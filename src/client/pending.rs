//! Pending consignments, which are drafts stored at the service.

use super::answer::Cap;
use super::ask::Ask;
use super::{Client, Failure};
use crate::shipping::{
    PendingConsignment, PendingConsignmentId, PendingConsignmentRequest, Record,
};

impl Client {
    /// `POST /apiv2/pendingConsignments/createPendingConsignment`. A write: sent once.
    pub async fn create_pending(
        &self,
        request: &PendingConsignmentRequest,
    ) -> Result<PendingConsignment, Failure> {
        let path = "/apiv2/pendingConsignments/createPendingConsignment";
        let ask = Ask::post(path, request, Cap::Single);
        let Record(made): Record<PendingConsignment> = self.transport.write(ask).await?;
        if made.id.get() > 0 {
            Ok(made)
        } else {
            Err(Failure::Empty)
        }
    }

    /// `POST /apiv2/pendingConsignments/deletePendingConsignments`. A write: sent once.
    pub async fn delete_pending(&self, ids: &[PendingConsignmentId]) -> Result<(), Failure> {
        let path = "/apiv2/pendingConsignments/deletePendingConsignments";
        self.transport
            .write_unanswered(Ask::post(path, ids, Cap::Single))
            .await
    }
}
