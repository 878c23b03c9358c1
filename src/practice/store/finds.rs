//! Consignments by what is written on them.

use super::consignments::{COLUMNS, StoredRow};
use super::{Store, StoreError};
use crate::practice::status::Tracked;

/// What a consignment is looked up by, exactly as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    CarrierConsignmentId,
    Reference1,
    Reference2,
}

impl By {
    /// Where it stands in the document: as the index has it.
    fn path(self) -> &'static str {
        match self {
            Self::CarrierConsignmentId => "$.carrier_consignment_id",
            Self::Reference1 => "$.job.customer_reference",
            Self::Reference2 => "$.job.customer_reference2",
        }
    }
}

impl Store {
    /// Oldest first, for the values in their order.
    pub(crate) fn find(&self, by: By, values: &[String]) -> Result<Vec<Tracked>, StoreError> {
        let query = format!(
            "{COLUMNS} WHERE json_extract(c.document, '{}') = ?1 ORDER BY c.id",
            by.path()
        );
        let mut statement = self.connection.prepare(&query)?;
        let mut found = Vec::new();
        for value in values {
            let rows = statement.query_map([value], StoredRow::read)?;
            for row in rows {
                found.push(self.track(&row?)?);
            }
        }
        Ok(found)
    }
}
