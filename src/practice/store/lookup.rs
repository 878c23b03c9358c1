//! Lookups of consignments by carrier number or reference.

use super::consignments::{SELECT_CONSIGNMENT, StoredRow};
use super::{Store, StoreError};
use crate::status::ConsignmentRecord;

/// The field to look up by. Values must match exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LookupKey {
    CarrierConsignmentId,
    Reference1,
    Reference2,
}

impl LookupKey {
    /// Returns the JSON path of the field, exactly as in the index, so that SQLite uses the index.
    fn path(self) -> &'static str {
        match self {
            Self::CarrierConsignmentId => "$.carrier_consignment_id",
            Self::Reference1 => "$.job.customer_reference",
            Self::Reference2 => "$.job.customer_reference2",
        }
    }
}

impl Store {
    /// Finds the consignments for each value in order, oldest first within a value.
    pub(crate) fn find(
        &self,
        by: LookupKey,
        values: &[String],
    ) -> Result<Vec<ConsignmentRecord>, StoreError> {
        let query = format!(
            "{SELECT_CONSIGNMENT} WHERE json_extract(c.document, '{}') = ?1 ORDER BY c.id",
            by.path()
        );
        let mut statement = self.connection.prepare(&query)?;
        let mut found = Vec::new();
        for value in values {
            let rows = statement.query_map([value], StoredRow::read)?;
            for row in rows {
                found.push(self.to_record(&row?)?);
            }
        }
        Ok(found)
    }
}
