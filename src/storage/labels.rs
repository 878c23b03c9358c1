//! Label files, and their generations: a change of a consignment makes its label files out of date, even files that
//! are still being requested.
//!
//! Invariant: a label file is stored, or a print job of it begun, only while the consignment has the same
//! generation as when the file was requested.

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, params};

use super::sql_types::{Millis, first_row, run};
use super::{Journal, JournalError, Result};
use shipping::{ConsignmentId, LabelSize};

/// Adds the numbers of the whole consignment. Files stored before have no numbers.
pub(super) const NUMBERS: &str =
    "ALTER TABLE labels ADD COLUMN numbers TEXT NOT NULL DEFAULT '[]';";

/// Adds the table of generations. Also deletes all label files, because old files were stored without their
/// consignments' numbers; they are fetched again.
pub(super) const GENERATIONS: &str = "
DELETE FROM labels;
CREATE TABLE label_generations (
    consignment INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL
) STRICT;
";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLabel {
    pub pdf: Vec<u8>,
    /// The sha256 of the PDF, hexadecimal.
    pub sha256: String,
    /// The references that the barcodes must contain, one for each page; empty if they are not known.
    pub expected: Vec<String>,
    /// Numbers of the whole consignment that a page's barcode may contain instead: the carrier's
    /// and the service's.
    pub numbers: Vec<String>,
}

/// Counts how many times the label files of a consignment were discarded. A file requested at an earlier
/// generation is out of date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LabelGeneration(pub i64);

impl Journal {
    /// Stores a label file that was requested at this generation. Replaces an older file of the same size.
    /// Fails with [`JournalError::Changed`] if the consignment was changed since the request.
    pub fn store_label(
        &mut self,
        consignment: ConsignmentId,
        size: LabelSize,
        label: &StoredLabel,
        generation: LabelGeneration,
        now: Timestamp,
    ) -> Result<()> {
        self.transaction(|tx| {
            if current_generation(tx, consignment)? != generation {
                return Err(JournalError::Changed);
            }
            run(
                tx,
                "INSERT OR REPLACE INTO labels (consignment, size, pdf, sha256, expected, stored_ms, numbers)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    consignment.get(),
                    size_word(size),
                    label.pdf,
                    label.sha256,
                    serde_json::to_string(&label.expected)?,
                    Millis(now),
                    serde_json::to_string(&label.numbers)?,
                ],
            )?;
            Ok(())
        })
    }

    pub fn label(
        &self,
        consignment: ConsignmentId,
        size: LabelSize,
    ) -> Result<Option<StoredLabel>> {
        let sql = "SELECT pdf, sha256, expected, numbers FROM labels WHERE consignment = ?1 AND size = ?2";
        let about = params![consignment.get(), size_word(size)];
        let found = first_row(&self.db, sql, about, |row| {
            let texts: (String, String) = (row.get(2)?, row.get(3)?);
            Ok((row.get(0)?, row.get(1)?, texts))
        })?;
        let label = found.map(|(pdf, sha256, (expected, numbers))| {
            Ok(StoredLabel {
                pdf,
                sha256,
                expected: serde_json::from_str(&expected)?,
                numbers: serde_json::from_str(&numbers)?,
            })
        });
        label.transpose()
    }

    /// Returns the current generation of a consignment's label files; must be called before a file is requested.
    pub fn label_generation(&self, consignment: ConsignmentId) -> Result<LabelGeneration> {
        current_generation(&self.db, consignment)
    }

    /// Deletes the label files of a consignment and makes requested files out of date, so that the next file
    /// comes from the service.
    pub fn forget_label(&mut self, consignment: ConsignmentId) -> Result<()> {
        self.transaction(|tx| forget(tx, consignment))
    }
}

pub(super) fn current_generation(
    db: &Connection,
    consignment: ConsignmentId,
) -> Result<LabelGeneration> {
    let sql = "SELECT generation FROM label_generations WHERE consignment = ?1";
    let known = first_row(db, sql, [consignment.get()], |row| row.get(0))?;
    Ok(LabelGeneration(known.unwrap_or_default()))
}

fn forget(tx: &Transaction<'_>, consignment: ConsignmentId) -> Result<()> {
    let id = [consignment.get()];
    run(tx, "DELETE FROM labels WHERE consignment = ?1", id)?;
    run(
        tx,
        "INSERT INTO label_generations (consignment, generation) VALUES (?1, 1)
         ON CONFLICT (consignment) DO UPDATE SET generation = generation + 1",
        id,
    )?;
    Ok(())
}

/// Deletes the stored label files of changed consignments, and marks their print jobs as out of date.
pub(super) fn discard_changed_labels(tx: &Transaction<'_>, ids: &[ConsignmentId]) -> Result<()> {
    for id in ids {
        forget(tx, *id)?;
        let sql = "UPDATE print_jobs SET outdated = 1 WHERE consignment = ?1";
        run(tx, sql, [id.get()])?;
    }
    Ok(())
}

pub(super) const fn size_word(size: LabelSize) -> &'static str {
    match size {
        LabelSize::A6 => "A6",
        LabelSize::A4 => "A4",
    }
}

/// Parses a size written by [`size_word`]; anything unknown is A6.
pub(super) fn read_size(word: &str) -> LabelSize {
    if word == "A4" {
        LabelSize::A4
    } else {
        LabelSize::A6
    }
}
