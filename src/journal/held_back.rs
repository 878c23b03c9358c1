//! Consignments that the clerk holds back: they are not grouped with all the others until they are let go.

use std::collections::HashSet;

use jiff::Timestamp;
use rusqlite::params;

use super::text::Millis;
use super::{Journal, JournalError};
use crate::shipping::ConsignmentId;

/// A migration of its own.
pub(super) const TABLES: &str = "
CREATE TABLE held_back (
    consignment INTEGER PRIMARY KEY,
    since_ms INTEGER NOT NULL
) STRICT;
";

impl Journal {
    /// All that are held back.
    pub fn held_back(&self) -> Result<HashSet<ConsignmentId>, JournalError> {
        let mut ids = self
            .db
            .prepare_cached("SELECT consignment FROM held_back")?;
        let ids = ids.query_map([], |row| row.get(0).map(ConsignmentId::new))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// Holds these back, or lets them go; one that is so already stays as it is.
    pub fn hold_back(
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
