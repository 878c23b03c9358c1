//! The watched folder of orders: the files that were taken from it, and the results that are due in the outbox folder.
//!
//! Invariants: the orders of a file are saved in the same transaction as the file's row, so that no order is saved twice.
//! A result is recorded in the transaction that ends its operation, and belongs to one result file for ever.

use std::collections::HashSet;
use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Transaction, params};

use super::drafts;
use super::operations::Operation;
use super::sql_types::{Millis, first_row, rows, run};
use super::{Journal, OperationKind, Result, read_only};
use draft::orders::Order;
use shipping::ConsignmentId;

pub(super) const TABLES: &str = "
CREATE TABLE folder_files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    orders INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    reasons TEXT NOT NULL,
    is_moved INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX folder_files_to_move ON folder_files (folder, name) WHERE is_moved = 0;
CREATE INDEX folder_files_by_folder ON folder_files (folder, id);
CREATE INDEX folder_files_rejected ON folder_files (folder, id) WHERE rejected > 0;

CREATE TABLE result_files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    is_written INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX result_files_to_write ON result_files (id) WHERE is_written = 0;

CREATE TABLE order_results (
    operation INTEGER PRIMARY KEY,
    reference TEXT NOT NULL,
    consignment INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    file INTEGER REFERENCES result_files (id)
) STRICT;
CREATE INDEX order_results_by_file ON order_results (file);
";

/// A file of the watched folder whose orders were checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderFile {
    /// The name below `done` or `failed`.
    pub name: String,
    /// The number of orders that became drafts.
    pub orders: u32,
    pub rejected: u32,
    /// Why orders were rejected, a line for each.
    pub reasons: String,
    pub at: Timestamp,
}

/// An order from the watched folder that became a consignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderResult {
    pub reference: String,
    pub consignment: ConsignmentId,
    pub at: Timestamp,
}

/// The results that belong into one file of the outbox folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultFile {
    /// Numbers the files of this journal, from 1.
    pub number: i64,
    /// When the file was made.
    pub at: Timestamp,
    pub results: Vec<OrderResult>,
}

impl Journal {
    /// Saves files of a watched folder with the drafts made from them. They are not moved yet.
    pub fn save_folder_files(
        &mut self,
        folder: &str,
        files: &[(FolderFile, Vec<Order>)],
    ) -> Result<()> {
        self.transaction(|tx| {
            for (file, orders) in files {
                let at = Millis(file.at);
                run(
                    tx,
                    "INSERT INTO folder_files (folder, name, orders, rejected, reasons, is_moved, at_ms)
                     VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)",
                    params![folder, file.name, file.orders, file.rejected, file.reasons, at],
                )?;
                for order in orders {
                    drafts::save_order(tx, order, file.at)?;
                }
            }
            Ok(())
        })
    }

    /// Returns the files whose orders are saved, but which may still have to be moved.
    pub fn folder_files_to_move(&self, folder: &str) -> Result<Vec<FolderFile>> {
        let sql = "SELECT * FROM folder_files WHERE is_moved = 0 AND folder = ?1";
        rows(&self.db, sql, [folder], read)
    }

    /// Records that the files are where they belong.
    pub fn folder_files_moved(&mut self, folder: &str, names: &[String]) -> Result<()> {
        self.transaction(|tx| {
            for name in names {
                let sql = "UPDATE folder_files SET is_moved = 1 WHERE folder = ?1 AND name = ?2 AND is_moved = 0";
                run(tx, sql, [folder, name])?;
            }
            Ok(())
        })
    }

    /// Forgets a file that was moved back into the watched folder.
    pub fn forget_folder_file(&mut self, folder: &str, name: &str) -> Result<()> {
        let sql = "DELETE FROM folder_files WHERE folder = ?1 AND name = ?2";
        self.write(sql, [folder, name])
    }

    /// Returns the files that were taken last, newest first, and as many with rejected orders.
    pub fn folder_files(&self, folder: &str, most: u32) -> Result<Vec<FolderFile>> {
        let sql = "SELECT * FROM folder_files WHERE folder = ?1 AND (
                id IN (SELECT id FROM folder_files WHERE folder = ?1 ORDER BY id DESC LIMIT ?2)
                OR id IN (SELECT id FROM folder_files WHERE folder = ?1 AND rejected > 0 ORDER BY id DESC LIMIT ?2))
             ORDER BY id DESC";
        rows(&self.db, sql, params![folder, most], read)
    }

    /// Returns the references of all drafts in lower case, from the journal at `path`, on a separate connection.
    pub fn draft_references(path: &Path) -> Result<HashSet<String>> {
        let db = read_only(path)?;
        let sql = "SELECT json_extract(body, '$.reference1') AS reference FROM drafts
             WHERE json_valid(body) AND reference IS NOT NULL AND reference <> ''";
        let references = rows(&db, sql, [], |row| row.get::<_, String>(0))?;
        let lower = references.iter().map(|one| one.trim().to_lowercase());
        Ok(lower.collect())
    }

    /// Returns the oldest result file that is not written yet. If there is none, makes one of the next results, at most
    /// `most` of them; `None` if no result is due.
    pub fn due_result_file(&mut self, most: u32, now: Timestamp) -> Result<Option<ResultFile>> {
        let oldest = "SELECT min(id) FROM result_files WHERE is_written = 0";
        let is_due = "SELECT 1 FROM order_results WHERE file IS NULL LIMIT 1";
        let known = first_row(&self.db, oldest, [], |row| row.get::<_, Option<i64>>(0))?.flatten();
        let number = match known {
            Some(known) => known,
            None if first_row(&self.db, is_due, [], |_| Ok(()))?.is_none() => return Ok(None),
            None => self.transaction(|tx| {
                run(tx, "INSERT INTO result_files (is_written, at_ms) VALUES (0, ?1)", [Millis(now)])?;
                let number = tx.last_insert_rowid();
                let sql = "UPDATE order_results SET file = ?1 WHERE operation IN
                     (SELECT operation FROM order_results WHERE file IS NULL ORDER BY operation LIMIT ?2)";
                run(tx, sql, params![number, most])?;
                Ok(number)
            })?,
        };
        let made = "SELECT at_ms FROM result_files WHERE id = ?1";
        let made = first_row(&self.db, made, [number], |row| row.get::<_, Millis>(0))?;
        let sql = "SELECT reference, consignment, at_ms FROM order_results WHERE file = ?1 ORDER BY operation";
        let results = rows(&self.db, sql, [number], |row| {
            let Millis(at) = row.get(2)?;
            Ok(OrderResult {
                reference: row.get(0)?,
                consignment: ConsignmentId::new(row.get(1)?),
                at,
            })
        })?;
        Ok(made.map(|Millis(at)| ResultFile {
            number,
            at,
            results,
        }))
    }

    pub fn result_file_written(&mut self, number: i64) -> Result<()> {
        self.write(
            "UPDATE result_files SET is_written = 1 WHERE id = ?1",
            [number],
        )
    }

    /// Forgets the results that no file has, because no outbox folder is set up.
    pub fn forget_order_results(&mut self) -> Result<()> {
        self.write("DELETE FROM order_results WHERE file IS NULL", [])
    }

    /// Returns how many orders have a result in a file, and how many are still due.
    pub fn order_result_counts(&self) -> Result<(u32, u32)> {
        let due = "SELECT (SELECT count(*) FROM order_results WHERE file IS NULL) + (SELECT count(*) FROM order_results
             WHERE file IN (SELECT id FROM result_files WHERE is_written = 0))";
        let sql = format!("SELECT (SELECT count(*) FROM order_results), ({due})");
        let counts = first_row(&self.db, &sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let (all, due): (u32, u32) = counts.unwrap_or_default();
        Ok((all.saturating_sub(due), due))
    }
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<FolderFile> {
    let Millis(at) = row.get("at_ms")?;
    Ok(FolderFile {
        name: row.get("name")?,
        orders: row.get("orders")?,
        rejected: row.get("rejected")?,
        reasons: row.get("reasons")?,
        at,
    })
}

/// Records the result of an order from the folder, whose create is done. Must run before its draft is deleted.
pub(super) fn record_result(
    tx: &Transaction<'_>,
    operation: &Operation,
    now: Timestamp,
) -> Result<()> {
    let (Some(draft), Some(consignment)) = (&operation.draft, operation.consignments.first())
    else {
        return Ok(());
    };
    if operation.kind != OperationKind::Create {
        return Ok(());
    }
    let sql = "INSERT OR IGNORE INTO order_results (operation, reference, consignment, at_ms)
         SELECT ?1, coalesce(json_extract(body, '$.reference1'), ''), ?2, ?3 FROM drafts
         WHERE id = ?4 AND json_valid(body) AND json_extract(body, '$.is_from_folder')";
    let consignment = consignment.get();
    let with = params![operation.id.0, consignment, Millis(now), draft.as_str()];
    run(tx, sql, with).map(drop)
}
