//! Labels that were asked for and are no print job yet: what a batch that was cut off has left.
//!
//! What always holds: a label that was asked for together with others is here until it becomes a print job, in one
//! transaction, or until somebody says that it is not to be printed. So no label is here and a job of the same asking.

use jiff::Timestamp;
use rusqlite::{Row, Transaction, params};

use super::labels::{LabelSource, read_size, size_word};
use super::text::Millis;
use super::{Generation, Journal, JournalError};
use crate::shipping::{ConsignmentId, LabelSize};

/// What a print job came from, and what was said about it.
pub(super) const TABLES: &str = "
CREATE TABLE unprinted (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    consignment INTEGER NOT NULL,
    number TEXT NOT NULL,
    printer TEXT NOT NULL,
    size TEXT NOT NULL,
    reason TEXT NOT NULL,
    despite TEXT NOT NULL,
    made_ms INTEGER NOT NULL
) STRICT;
ALTER TABLE print_jobs ADD COLUMN despite TEXT NOT NULL DEFAULT '';
ALTER TABLE print_jobs ADD COLUMN batch INTEGER NOT NULL DEFAULT 0;
";

/// The id of a label that waits to become a print job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnprintedId(pub i64);

/// A label that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Whose label.
    pub consignment: ConsignmentId,
    /// Its number, for the clerk.
    pub number: String,
    /// The printer's name, for the clerk.
    pub printer: String,
    /// The paper.
    pub size: LabelSize,
    /// Why it is printed again; empty the first time.
    pub reason: String,
}

/// One that is no print job yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unprinted {
    /// Its id.
    pub id: UnprintedId,
    /// What was asked for.
    pub wanted: Wanted,
    /// When.
    pub made: Timestamp,
}

/// Where a print job comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The label that waited for it.
    pub unprinted: Option<UnprintedId>,
    /// The first one of those that were asked for together; by this a batch is known. 0 for one alone.
    pub batch: i64,
    /// Why it is printed although the check before ink failed; empty where it passed.
    pub despite: String,
    /// The stored file that its bytes were made of: where that is no longer the stored one, they are out of date.
    pub source: Option<LabelSource>,
    /// The generation that the file was asked for at; nothing where no file was.
    pub generation: Option<Generation>,
}

impl Journal {
    /// Writes down that these are to be printed, in this order and instead of those that they stand for, all or none.
    pub fn begin_batch(
        &mut self,
        wanted: &[Wanted],
        instead_of: &[UnprintedId],
        now: Timestamp,
    ) -> Result<Vec<UnprintedId>, JournalError> {
        let tx = self.db.transaction()?;
        for id in instead_of {
            taken_up(&tx, *id)?;
        }
        let mut ids = Vec::with_capacity(wanted.len());
        {
            let mut insert = tx.prepare_cached(
                "INSERT INTO unprinted (consignment, number, printer, size, reason, despite, made_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, '', ?6)",
            )?;
            for one in wanted {
                insert.execute(params![
                    one.consignment.get(),
                    one.number,
                    one.printer,
                    size_word(one.size),
                    one.reason,
                    Millis(now)
                ])?;
                ids.push(UnprintedId(tx.last_insert_rowid()));
            }
        }
        tx.commit()?;
        Ok(ids)
    }

    /// These are not to be printed, or have said why they can't be.
    pub fn leave_unprinted(&mut self, ids: &[UnprintedId]) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        for id in ids {
            taken_up(&tx, *id)?;
        }
        tx.commit()?;
        Ok(())
    }

    /// What was asked for and is no job, in the order in which it was asked for.
    pub fn unprinted(&self) -> Result<Vec<Unprinted>, JournalError> {
        let sql = "SELECT id, consignment, number, printer, size, reason, made_ms FROM unprinted ORDER BY id";
        let mut rows = self.db.prepare(sql)?;
        let found = rows.query_map([], read)?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}

/// It is a print job now, or never will be one. True where it was still waiting for that.
pub(super) fn taken_up(tx: &Transaction<'_>, id: UnprintedId) -> rusqlite::Result<bool> {
    let gone = tx
        .prepare_cached("DELETE FROM unprinted WHERE id = ?1")?
        .execute([id.0])?;
    Ok(gone > 0)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Unprinted> {
    Ok(Unprinted {
        id: UnprintedId(row.get(0)?),
        wanted: Wanted {
            consignment: ConsignmentId::new(row.get(1)?),
            number: row.get(2)?,
            printer: row.get(3)?,
            size: read_size(&row.get::<_, String>(4)?),
            reason: row.get(5)?,
        },
        made: row.get::<_, Millis>(6)?.0,
    })
}
