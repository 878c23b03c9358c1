//! Consignments on hold: they are left out when everything is grouped, until the clerk releases them.

use std::collections::HashSet;

use jiff::Timestamp;
use rusqlite::params;

use super::sql_types::Millis;
use super::{Journal, JournalError};
use shipping::ConsignmentId;

/// A schema migration.
pub(super) const TABLES: &str = "
CREATE TABLE held_back (
    consignment INTEGER PRIMARY KEY,
    since_ms INTEGER NOT NULL
) STRICT;
";

impl Journal {
    /// Returns all consignments on hold.
    pub fn on_hold(&self) -> Result<HashSet<ConsignmentId>, JournalError> {
        let mut ids = self
            .db
            .prepare_cached("SELECT consignment FROM held_back")?;
        let ids = ids.query_map([], |row| row.get(0).map(ConsignmentId::new))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// Puts consignments on hold, or releases them. Those that are already in that state stay as they are.
    pub fn set_on_hold(
        &mut self,
        ids: &[ConsignmentId],
        held: bool,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        {
            let mut hold = tx.prepare_cached(
                "INSERT INTO held_back (consignment, since_ms) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            )?;
            let mut let_go = tx.prepare_cached("DELETE FROM held_back WHERE consignment = ?1")?;
            for id in ids {
                if held {
                    hold.execute(params![id.get(), Millis(now)])?;
                } else {
                    let_go.execute([id.get()])?;
                }
            }
        }
        tx.commit()?;
        Ok(())
    }
}
