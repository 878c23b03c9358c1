//! Reads for the details page of a consignment: the full record from the service, and the list of its files.

use std::sync::Arc;

use crate::Reads;
use crate::remote::Fetch;
use shipping::{Attachment, Consignment, ConsignmentId};

impl Reads {
    /// Fetches a consignment from the service, and updates the tracking store.
    pub fn full_consignment(&self, id: ConsignmentId) -> Fetch<Arc<Consignment>> {
        self.job(move |bench| async move {
            let one = bench.client.consignment(id).await?;
            bench.record(std::slice::from_ref(&one)).await?;
            Ok(Arc::new(one))
        })
    }

    /// Fetches consignments again after something was done with them, and updates the tracking store. Returns
    /// how many of them the service has.
    pub fn refresh(&self, ids: Vec<ConsignmentId>) -> Fetch<usize> {
        self.job(move |bench| async move {
            let found = bench.existing_consignments(&ids).await?;
            bench.record(&found).await?;
            Ok(found.len())
        })
    }

    /// Fetches the list of a consignment's files.
    pub fn attachments(&self, id: ConsignmentId) -> Fetch<Vec<Attachment>> {
        self.fetch(move |client| async move { client.attachments(id).await })
    }
}
