//! Creates and reads consignments and their history.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Store, StoreError, pending};
use crate::consignment::Consignment;
use crate::status::{ConsignmentRecord, Status, StatusEvent};

/// A consignment to insert; the database assigns the id.
pub(crate) struct NewConsignment<'a> {
    pub(crate) company_id: i64,
    pub(crate) carrier_id: i64,
    pub(crate) created: StatusEvent,
    /// Builds the complete consignment from the id and a random tracking token.
    pub(crate) complete: &'a dyn Fn(i64, String) -> Consignment,
    /// Ids of the pending consignments that are converted into this consignment.
    pub(crate) converts: &'a [i64],
}

pub(super) const SELECT_CONSIGNMENT: &str =
    "SELECT c.document, c.status, c.manifest_id, m.booked_us FROM consignment c
    LEFT JOIN manifest m ON m.id = c.manifest_id";

impl Store {
    pub(crate) fn insert_consignment(
        &mut self,
        new: &NewConsignment<'_>,
    ) -> Result<ConsignmentRecord, StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "INSERT INTO consignment (company_id, carrier_id, status, document) VALUES (?1, ?2, ?3, '{}')",
            params![new.company_id, new.carrier_id, new.created.status.id()],
        )?;
        let id = transaction.last_insert_rowid();
        let token =
            transaction.query_row("SELECT lower(hex(randomblob(12)))", [], |row| row.get(0))?;
        let consignment = (new.complete)(id, token);
        let document = serde_json::to_string(&consignment)?;
        transaction.execute(
            "UPDATE consignment SET document = ?2 WHERE id = ?1",
            params![id, document],
        )?;
        add_event(&transaction, id, &new.created)?;
        pending::convert(&transaction, id, new.converts)?;
        transaction.commit()?;
        let status = new.created.status;
        Ok(ConsignmentRecord {
            consignment,
            status,
            manifest_id: None,
            booked: None,
            history: vec![new.created.clone()],
        })
    }

    pub(crate) fn consignment(&self, id: i64) -> Result<Option<ConsignmentRecord>, StoreError> {
        let query = format!("{SELECT_CONSIGNMENT} WHERE c.id = ?1");
        let stored = self
            .connection
            .query_row(&query, [id], StoredRow::read)
            .optional()?;
        stored.map(|stored| self.to_record(&stored)).transpose()
    }

    /// Finds the consignment with this token in its tracking address.
    pub(crate) fn consignment_by_token(
        &self,
        token: &str,
    ) -> Result<Option<ConsignmentRecord>, StoreError> {
        let query =
            format!("{SELECT_CONSIGNMENT} WHERE json_extract(c.document, '$.tracking_token') = ?1");
        let stored = self
            .connection
            .query_row(&query, [token], StoredRow::read)
            .optional()?;
        stored.map(|stored| self.to_record(&stored)).transpose()
    }

    /// Returns the unmanifested consignments of a company, oldest first.
    pub(crate) fn unmanifested(
        &self,
        company_id: i64,
    ) -> Result<Vec<ConsignmentRecord>, StoreError> {
        let query =
            format!("{SELECT_CONSIGNMENT} WHERE c.status = ?1 AND c.company_id = ?2 ORDER BY c.id");
        let mut statement = self.connection.prepare(&query)?;
        let rows = statement.query_map([Status::Unmanifested.id(), company_id], StoredRow::read)?;
        rows.map(|row| self.to_record(&row?)).collect()
    }

    pub(super) fn to_record(&self, stored: &StoredRow) -> Result<ConsignmentRecord, StoreError> {
        let mut consignment: Consignment = serde_json::from_str(&stored.document)?;
        // Documents from older versions have no line numbers.
        consignment.number_lines();
        let history = self.history(consignment.id)?;
        Ok(ConsignmentRecord {
            consignment,
            status: Status::from_id(stored.status),
            manifest_id: stored.manifest_id,
            booked: stored.booked.map(moment).transpose()?,
            history,
        })
    }

    fn history(&self, id: i64) -> Result<Vec<StatusEvent>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT at_us, status, by_name, by_user_id, zone, partial, carrier_status, carrier_words, information,
                item_reference FROM history WHERE consignment_id = ?1 ORDER BY id",
        )?;
        let rows = statement.query_map([id], |row| Ok((row.get(0)?, event(row)?)))?;
        rows.map(|row| {
            let (at, event) = row?;
            Ok(StatusEvent {
                at: moment(at)?,
                ..event
            })
        })
        .collect()
    }
}

pub(super) fn add_event(
    connection: &Connection,
    id: i64,
    event: &StatusEvent,
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO history (consignment_id, status, at_us, by_name, by_user_id, zone, partial, carrier_status,
            carrier_words, information, item_reference) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            id,
            event.status.id(),
            event.at.as_microsecond(),
            event.by,
            event.by_user_id,
            event.zone,
            event.partial,
            event.carrier_status,
            event.carrier_words,
            event.information,
            event.item_reference
        ],
    )?;
    Ok(())
}

/// Reads an event except its time, which the caller converts because the stored value may be invalid.
fn event(row: &Row<'_>) -> rusqlite::Result<StatusEvent> {
    Ok(StatusEvent {
        at: Timestamp::UNIX_EPOCH,
        status: Status::from_id(row.get(1)?),
        by: row.get(2)?,
        by_user_id: row.get(3)?,
        zone: row.get(4)?,
        partial: row.get(5)?,
        carrier_status: row.get(6)?,
        carrier_words: row.get(7)?,
        information: row.get(8)?,
        item_reference: row.get(9)?,
    })
}

pub(super) struct StoredRow {
    document: String,
    status: i64,
    manifest_id: Option<i64>,
    booked: Option<i64>,
}

impl StoredRow {
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            document: row.get(0)?,
            status: row.get(1)?,
            manifest_id: row.get(2)?,
            booked: row.get(3)?,
        })
    }
}

pub(super) fn moment(microseconds: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(microseconds).map_err(|error| StoreError::Value(error.to_string()))
}
