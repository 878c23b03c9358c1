//! The public tracking page of a consignment, found by the tracking token in its address. No user
//! token is needed.

use super::PracticeService;
use crate::store::StoreError;
use crate::tracking_page::{self, Design};

impl PracticeService {
    /// Returns the page of the consignment with this tracking token, or `None` if there is
    /// no such consignment.
    pub(crate) fn tracked_page(
        &self,
        token: &str,
        design: Design,
    ) -> Result<Option<String>, StoreError> {
        self.advance_carriers()?;
        let found = self.store().consignment_by_token(token)?;
        Ok(found.map(|tracked| tracking_page::page(&self.catalogue, &tracked, design)))
    }
}
