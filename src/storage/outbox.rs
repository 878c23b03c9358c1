//! The outbox: changes of operations' states that the workgroup's database has not received yet, oldest first.
//!
//! Invariant: a change of state and its row here are written in one transaction, so that no event is lost or made up.

use jiff::Timestamp;
use rusqlite::Row;

use super::operations::Operation;
use super::shared_values::forget;
use super::sql_types::{Millis, first_row, rows, run};
use super::{Journal, OperationState, Result};

pub(super) const TABLES: &str = "
CREATE TABLE workgroup_member (only INTEGER PRIMARY KEY CHECK (only = 1)) STRICT;

CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL DEFAULT (lower(hex(randomblob(16)))),
    operation INTEGER NOT NULL,
    state TEXT NOT NULL,
    words TEXT NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;

CREATE TRIGGER outbox_gets_history AFTER INSERT ON history
WHEN EXISTS (SELECT 1 FROM workgroup_member)
BEGIN
    INSERT INTO outbox (operation, state, words, at_ms)
    VALUES (NEW.operation, NEW.state, NEW.words, NEW.at_ms);
END;
";

/// A change of an operation's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxEvent {
    /// The place in the outbox.
    pub seq: i64,
    /// Random, so that the database stores an event once that is delivered twice.
    pub id: String,
    /// The operation as it is now, which may be later than this event.
    pub operation: Operation,
    /// The state that began at the time `at`.
    pub state: OperationState,
    /// Message that the clerk saw.
    pub message: String,
    pub at: Timestamp,
}

impl Journal {
    /// Sets whether events are collected. A bench that joins a workgroup tells about its open operations first; a
    /// bench that leaves has nothing more to tell.
    pub fn set_workgroup_member(&mut self, is_member: bool) -> Result<()> {
        let known = "SELECT 1 FROM workgroup_member";
        let was_member = first_row(&self.db, known, [], |_| Ok(()))?.is_some();
        if is_member == was_member {
            return Ok(());
        }
        self.transaction(|tx| {
            if is_member {
                run(tx, "INSERT INTO workgroup_member (only) VALUES (1)", [])?;
                run(
                    tx,
                    "INSERT INTO outbox (operation, state, words, at_ms)
                     SELECT id, state, words, changed_ms FROM operations
                     WHERE state NOT IN ('Done', 'Rejected', 'Discarded') ORDER BY id",
                    [],
                )?;
            } else {
                run(tx, "DELETE FROM workgroup_member", [])?;
                run(tx, "DELETE FROM outbox", [])?;
                forget(tx)?;
            }
            Ok(())
        })
    }

    /// Returns the oldest events. Events of operations that were removed since are left out.
    pub fn outbox(&self, most: u32) -> Result<Vec<OutboxEvent>> {
        let sql = "SELECT operations.*, outbox.seq AS event_seq, outbox.id AS event_id, outbox.state AS event_state,
                outbox.words AS event_words, outbox.at_ms AS event_at
             FROM outbox JOIN operations ON operations.id = outbox.operation ORDER BY outbox.seq LIMIT ?1";
        rows(&self.db, sql, [most], |row: &Row<'_>| {
            let Millis(at) = row.get("event_at")?;
            Ok(OutboxEvent {
                seq: row.get("event_seq")?,
                id: row.get("event_id")?,
                operation: Operation::read(row)?,
                state: row.get("event_state")?,
                message: row.get("event_words")?,
                at,
            })
        })
    }

    /// Removes the events up to this place, because the database has them.
    pub fn remove_delivered(&mut self, up_to: i64) -> Result<()> {
        self.write("DELETE FROM outbox WHERE seq <= ?1", [up_to])
    }
}
