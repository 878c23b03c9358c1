//! What anybody may see: a consignment's tracking page, by the token in its address.

use super::Desk;
use crate::practice::store::StoreError;
use crate::practice::tracking_page::{self, Design};

impl Desk {
    /// The page of the consignment with this tracking token; none when there is none.
    pub(crate) fn tracked_page(
        &self,
        token: &str,
        design: Design,
    ) -> Result<Option<String>, StoreError> {
        self.carriers_move()?;
        let found = self.store().consignment_by_token(token)?;
        Ok(found.map(|tracked| tracking_page::page(&self.catalogue, &tracked, design)))
    }
}
