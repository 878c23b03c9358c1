//! Changes to existing consignments: edits, deletions, status changes and bookings with a carrier (manifests).
//! Each fails if another call was faster.

use rusqlite::params;
use serde_json::Value;

use super::consignments::add_event;
use super::{Store, StoreError};
use crate::consignment::Consignment;
use crate::status::{ConsignmentRecord, Status, StatusEvent};

/// One change of status by a user.
pub(crate) struct StatusChange {
    pub(crate) consignment_id: i64,
    /// The status that the consignment must still have.
    pub(crate) before: Status,
    /// A partial event leaves the status of the consignment unchanged.
    pub(crate) event: StatusEvent,
}

impl StatusChange {
    /// Returns the status of the consignment after the change.
    pub(crate) fn after(&self) -> Status {
        if self.event.partial {
            self.before
        } else {
            self.event.status
        }
    }
}

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
    /// Replaces a consignment by its edited form. Returns none if the consignment is no longer unmanifested.
    pub(crate) fn replace_consignment(
        &mut self,
        edited: &Consignment,
    ) -> Result<Option<ConsignmentRecord>, StoreError> {
        let changed = self.connection.execute(
            "UPDATE consignment SET company_id = ?2, carrier_id = ?3, document = ?4 WHERE id = ?1 AND status = ?5",
            params![
                edited.id,
                edited.company_id,
                edited.carrier_id,
                serde_json::to_string(edited)?,
                Status::Unmanifested.id()
            ],
        )?;
        if changed == 1 {
            self.consignment(edited.id)
        } else {
            Ok(None)
        }
    }

    /// Deletes all of the consignments. If one is no longer unmanifested, deletes none and returns false. Ids
    /// are never reused.
    pub(crate) fn delete_consignments(&mut self, ids: &[i64]) -> Result<bool, StoreError> {
        let mut once = ids.to_vec();
        once.sort_unstable();
        once.dedup();
        let transaction = self.connection.transaction()?;
        for id in once {
            transaction.execute("DELETE FROM history WHERE consignment_id = ?1", [id])?;
            let deleted = transaction.execute(
                "DELETE FROM consignment WHERE id = ?1 AND status = ?2",
                [id, Status::Unmanifested.id()],
            )?;
            if deleted != 1 {
                return Ok(false);
            }
        }
        transaction.commit()?;
        Ok(true)
    }

    /// Saves all changes. If a consignment has another status by now, saves none and returns false.
    pub(crate) fn change_statuses(&mut self, changes: &[StatusChange]) -> Result<bool, StoreError> {
        let transaction = self.connection.transaction()?;
        for change in changes {
            let rows = transaction.execute(
                "UPDATE consignment SET status = ?2 WHERE id = ?1 AND status = ?3",
                params![
                    change.consignment_id,
                    change.after().id(),
                    change.before.id()
                ],
            )?;
            if rows != 1 {
                return Ok(false);
            }
            add_event(&transaction, change.consignment_id, &change.event)?;
        }
        transaction.commit()?;
        Ok(true)
    }

    /// Books the whole group in one transaction. Returns the manifest's id and the carrier's reference, or
    /// books nothing and returns `None` if another call has already changed the status
    /// of any of the consignments.
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
