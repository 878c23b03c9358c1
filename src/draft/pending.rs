//! A draft as a pending consignment: whatever is typed so far, to be completed later.

use super::{CheckContext, Draft, Problem};
use crate::shipping::PendingConsignmentRequest;

impl Draft {
    /// What can be saved at the service of what is typed: everything may be missing there.
    pub fn pending_request(
        &self,
        context: &CheckContext,
    ) -> Result<PendingConsignmentRequest, Vec<Problem>> {
        let request = self.check(context).built().clone();
        Ok(PendingConsignmentRequest::from_consignment(request))
    }
}
