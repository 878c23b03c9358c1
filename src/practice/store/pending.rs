//! Pending consignments, stored as they were sent, and the consignment that each was converted into.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::{Store, StoreError};
use crate::status::ConsignmentRecord;

impl Store {
    pub(crate) fn insert_pending(
        &mut self,
        company_id: i64,
        user_id: i64,
        created: Timestamp,
        document: &Value,
    ) -> Result<i64, StoreError> {
        self.connection.execute(
            "INSERT INTO pending (company_id, created_us, by_user_id, document) VALUES (?1, ?2, ?3, ?4)",
            params![company_id, created.as_microsecond(), user_id, document.to_string()],
        )?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Returns the company of a pending consignment, and its document.
    pub(crate) fn pending(&self, id: i64) -> Result<Option<(i64, String)>, StoreError> {
        let query = "SELECT company_id, document FROM pending WHERE id = ?1";
        let found = self
            .connection
            .query_row(query, [id], |row| Ok((row.get(0)?, row.get(1)?)));
        Ok(found.optional()?)
    }

    pub(crate) fn delete_pending(&mut self, ids: &[i64]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for id in ids {
            transaction.execute("DELETE FROM pending WHERE id = ?1", [id])?;
        }
        Ok(transaction.commit()?)
    }

    /// Returns the consignment that a pending one was converted into.
    pub(crate) fn converted(
        &self,
        pending_id: i64,
    ) -> Result<Option<ConsignmentRecord>, StoreError> {
        let query = "SELECT consignment_id FROM converted WHERE pending_id = ?1";
        let found = self
            .connection
            .query_row(query, [pending_id], |row| row.get(0))
            .optional()?;
        found.map_or(Ok(None), |id| self.consignment(id))
    }
}

/// Deletes pending consignments and records the consignment that replaces them.
pub(super) fn convert(
    connection: &Connection,
    consignment_id: i64,
    pending_ids: &[i64],
) -> Result<(), StoreError> {
    for id in pending_ids {
        let gone = connection.execute("DELETE FROM pending WHERE id = ?1", [id])?;
        if gone == 1 {
            connection.execute(
                "INSERT INTO converted (pending_id, consignment_id) VALUES (?1, ?2)",
                [*id, consignment_id],
            )?;
        }
    }
    Ok(())
}
