//! Generations of label files: a change of a consignment makes its label files out of date, even those
//! still on their way.
//!
//! Invariant: a label file is stored, or a print job of it begun, only while the consignment has the same
//! generation as when the file was requested.

use rusqlite::{OptionalExtension as _, Transaction};

use super::{Journal, JournalError};
use shipping::ConsignmentId;

/// Counts how many times the label files of a consignment were discarded. A file requested at an earlier
/// generation is out of date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LabelGeneration(pub i64);

/// Adds the mark of print jobs that were printed before a change of their consignment.
pub(super) const OUTDATED: &str =
    "ALTER TABLE print_jobs ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0;";

/// Also deletes all label files: those stored before the numbers of their consignments were saved
/// are fetched again.
pub(super) const TABLES: &str = "
DELETE FROM labels;
CREATE TABLE label_generations (
    consignment INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL
) STRICT;
";

impl Journal {
    /// Returns the current generation of a consignment's label files; to be read before a file is requested.
    pub fn label_generation(
        &self,
        consignment: ConsignmentId,
    ) -> Result<LabelGeneration, JournalError> {
        Ok(current(&self.db, consignment)?)
    }

    /// Deletes the label files of a consignment and makes requested ones out of date, so that the next file
    /// comes from the service.
    pub fn forget_label(&mut self, consignment: ConsignmentId) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        forget(&tx, consignment)?;
        tx.commit()?;
        Ok(())
    }
}

pub(super) fn current(
    db: &rusqlite::Connection,
    consignment: ConsignmentId,
) -> rusqlite::Result<LabelGeneration> {
    let sql = "SELECT generation FROM label_generations WHERE consignment = ?1";
    let known = db.query_row(sql, [consignment.get()], |row| row.get(0));
    Ok(LabelGeneration(known.optional()?.unwrap_or_default()))
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

/// Deletes the stored label files of changed consignments, and marks their print jobs as out of date.
pub(super) fn discard_changed(tx: &Transaction<'_>, ids: &[ConsignmentId]) -> rusqlite::Result<()> {
    for id in ids {
        forget(tx, *id)?;
        let sql = "UPDATE print_jobs SET outdated = 1 WHERE consignment = ?1";
        tx.execute(sql, [id.get()])?;
    }
    Ok(())
}
