//! Pending consignments, which are drafts stored at the service.

use super::api_request::ApiRequest;
use super::response::SizeLimit;
use super::{Client, Failure};
use shipping::{ObjectOnly, PendingConsignment, PendingConsignmentId, PendingConsignmentRequest};

impl Client {
    /// `POST /apiv2/pendingConsignments/createPendingConsignment`. A write: sent once.
    pub async fn create_pending(
        &self,
        request: &PendingConsignmentRequest,
    ) -> Result<PendingConsignment, Failure> {
        let path = "/apiv2/pendingConsignments/createPendingConsignment";
        let ask = ApiRequest::post(path, request, SizeLimit::Single);
        let ObjectOnly(made): ObjectOnly<PendingConsignment> = self.transport.write(ask).await?;
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
            .write_without_payload(ApiRequest::post(path, ids, SizeLimit::Single))
            .await
    }
}
