//! Manifests: each is a booking with a carrier for a group of consignments.

use rusqlite::params;
use serde_json::Value;

use super::consignments::add_event;
use super::{Store, StoreError};
use crate::status::{Status, StatusEvent};

/// A manifest to insert.
pub(crate) struct NewManifest<'a> {
    pub(crate) company_id: i64,
    pub(crate) carrier_id: i64,
    pub(crate) consignment_ids: &'a [i64],
    pub(crate) booked: &'a StatusEvent,
    /// Prefix of the carrier's reference, before the manifest's id; none if no pickup was requested.
    pub(crate) reference_prefix: Option<&'a str>,
    /// The pickup as requested.
    pub(crate) document: &'a Value,
}

impl Store {
    /// Books the whole group in one transaction. Returns the manifest's id and the carrier's
    /// reference, or books nothing and returns none if another call has already changed the status of
    /// one of the consignments.
    pub(crate) fn insert_manifest(
        &mut self,
        new: &NewManifest<'_>,
    ) -> Result<Option<(i64, Option<String>)>, StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "INSERT INTO manifest (company_id, carrier_id, booked_us, document) VALUES (?1, ?2, ?3, ?4)",
            params![new.company_id, new.carrier_id, new.booked.at.as_microsecond(), new.document.to_string()],
        )?;
        let id = transaction.last_insert_rowid();
        let reference = new
            .reference_prefix
            .map(|prefix| format!("{prefix}-{id:06}"));
        transaction.execute(
            "UPDATE manifest SET carrier_reference = ?2 WHERE id = ?1",
            params![id, reference],
        )?;
        for &consignment in new.consignment_ids {
            let changed = transaction.execute(
                "UPDATE consignment SET status = ?2, manifest_id = ?3 WHERE id = ?1 AND status = ?4",
                params![consignment, new.booked.status.id(), id, Status::Unmanifested.id()],
            )?;
            if changed != 1 {
                return Ok(None);
            }
            add_event(&transaction, consignment, new.booked)?;
            // Due at once, so that the simulation then computes when the first step is due.
            transaction.execute(
                "INSERT INTO carriage (consignment_id, steps, since_us, takes_us, next_us, ended) VALUES (?1, 0, ?2, 0, ?2, 0)",
                params![consignment, new.booked.at.as_microsecond()],
            )?;
        }
        transaction.commit()?;
        Ok(Some((id, reference)))
    }
}
