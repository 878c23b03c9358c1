//! Changes to existing consignments: edits, deletions and status changes. Each fails if another call
//! was faster.

use rusqlite::params;

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
}
