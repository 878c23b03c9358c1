//! Consignments on hold: they are left out when everything is grouped, until the clerk releases them.

use std::collections::HashSet;

use jiff::Timestamp;
use rusqlite::params;

use super::sql_types::{Millis, rows, run};
use super::{Journal, JournalError};
use shipping::ConsignmentId;

/// Schema migration that creates the table of consignments on hold.
pub(super) const TABLES: &str = "
CREATE TABLE held_back (
    consignment INTEGER PRIMARY KEY,
    since_ms INTEGER NOT NULL
) STRICT;
";

impl Journal {
    pub fn on_hold(&self) -> Result<HashSet<ConsignmentId>, JournalError> {
        let ids = rows(&self.db, "SELECT consignment FROM held_back", [], |row| {
            row.get(0).map(ConsignmentId::new)
        });
        Ok(ids?.into_iter().collect())
    }

    /// Puts consignments on hold, or releases them. Consignments that are already in that
    /// state stay as they are.
    pub fn set_on_hold(
        &mut self,
        ids: &[ConsignmentId],
        held: bool,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        for id in ids {
            if held {
                run(
                    &tx,
                    "INSERT INTO held_back (consignment, since_ms) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                    params![id.get(), Millis(now)],
                )?;
            } else {
                let sql = "DELETE FROM held_back WHERE consignment = ?1";
                run(&tx, sql, [id.get()])?;
            }
        }
        tx.commit()?;
        Ok(())
    }
}
