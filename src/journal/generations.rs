//! What a change of a consignment makes of its labels: files that were asked for before it are old, however late they come.
//!
//! What always holds: a label file is stored, and a job of one begun, only while its consignment is at the generation that
//! the file was asked for at.

use rusqlite::{OptionalExtension as _, Transaction};

use super::{Journal, JournalError};
use crate::shipping::ConsignmentId;

/// How often the label files of a consignment were thrown away; those asked for before that are old.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Generation(pub i64);

/// What was printed before a change is known to be old.
pub(super) const OUTDATED: &str =
    "ALTER TABLE print_jobs ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0;";

/// Files that were stored before the numbers of their consignments were kept are fetched anew.
pub(super) const TABLES: &str = "
DELETE FROM labels;
CREATE TABLE label_generations (
    consignment INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL
) STRICT;
";

impl Journal {
    /// The generation of a consignment's label files: to be read before one is asked for.
    pub fn label_generation(&self, consignment: ConsignmentId) -> Result<Generation, JournalError> {
        Ok(of(&self.db, consignment)?)
    }

    /// Forgets the label files of a consignment, and those that are under way: the next one comes from the service.
    pub fn forget_label(&mut self, consignment: ConsignmentId) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        forget(&tx, consignment)?;
        tx.commit()?;
        Ok(())
    }
}

pub(super) fn of(
    db: &rusqlite::Connection,
    consignment: ConsignmentId,
) -> rusqlite::Result<Generation> {
    let sql = "SELECT generation FROM label_generations WHERE consignment = ?1";
    let known = db.query_row(sql, [consignment.get()], |row| row.get(0));
    Ok(Generation(known.optional()?.unwrap_or_default()))
}

fn forget(tx: &Transaction<'_>, consignment: ConsignmentId) -> rusqlite::Result<()> {
    let id = [consignment.get()];
    tx.execute("DELETE FROM labels WHERE consignment = ?1", id)?;
    tx.execute(
        "INSERT INTO label_generations (consignment, generation) VALUES (?1, 1)
         ON CONFLICT (consignment) DO UPDATE SET generation = generation + 1",
        id,
    )?;
    Ok(())
}

/// The consignments were changed: their stored files are fetched again, and what was printed of them is known to be old.
pub(super) fn outdate(tx: &Transaction<'_>, ids: &[ConsignmentId]) -> rusqlite::Result<()> {
    for id in ids {
        forget(tx, *id)?;
        let sql = "UPDATE print_jobs SET outdated = 1 WHERE consignment = ?1";
        tx.execute(sql, [id.get()])?;
    }
    Ok(())
}
