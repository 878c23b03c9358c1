//! A consignment's page: all that the service says of one, and of its files.

use std::sync::Arc;

use crate::shipping::{Attachment, Consignment, ConsignmentId};
use crate::work::Reads;
use crate::work::remote::Fetch;

impl Reads {
    /// One as the service has it now; what is followed of it is brought up to date.
    pub fn whole(&self, id: ConsignmentId) -> Fetch<Arc<Consignment>> {
        self.job(move |bench| async move {
            let one = bench.client.consignment(id).await?;
            bench.follow(std::slice::from_ref(&one)).await?;
            Ok(Arc::new(one))
        })
    }

    /// These as the service has them now, after something was done with them; what is followed of them is brought up to date.
    /// Answers how many the service has.
    pub fn read_back(&self, ids: Vec<ConsignmentId>) -> Fetch<usize> {
        self.job(move |bench| async move {
            let found = bench.those_there(&ids).await?;
            bench.follow(&found).await?;
            Ok(found.len())
        })
    }

    /// Its files.
    pub fn attachments(&self, id: ConsignmentId) -> Fetch<Vec<Attachment>> {
        self.fetch(move |client| async move { client.attachments(id).await })
    }
}
