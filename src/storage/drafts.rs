//! Drafts, and the files of orders that drafts are imported from.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::sql_types::{Millis, records, rows, run};
use super::{Journal, JournalError, read_only};
use draft::orders::{Column, Order};
use draft::{Draft, DraftId};

/// The meaning that was chosen for each column of a file, by header.
pub type OrderColumns = Vec<(String, Option<Column>)>;

/// Orders known since some time: the customer references that were sent, in lower case, each with its
/// consignment number; and the digests of orders imported from files.
pub type EarlierOrders = (HashMap<String, String>, HashSet<String>);

impl Journal {
    pub fn save_draft(&mut self, draft: &Draft, now: Timestamp) -> Result<(), JournalError> {
        save(&self.db, draft, now)
    }

    /// Deletes a draft. A missing draft is not an error.
    pub fn discard_draft(&mut self, id: &DraftId) -> Result<(), JournalError> {
        self.write("DELETE FROM drafts WHERE id = ?1", [id.as_str()])
    }

    /// Returns a draft; `None` if it is missing or this version cannot parse it.
    pub fn draft(&self, id: &DraftId) -> Result<Option<Draft>, JournalError> {
        Ok(read(&self.db, id)?)
    }

    pub fn draft_times(&self) -> Result<Vec<(DraftId, Timestamp)>, JournalError> {
        let sql = "SELECT id, changed_ms FROM drafts";
        let times = rows(&self.db, sql, [], |row| {
            let id: String = row.get(0)?;
            Ok((DraftId::from(id), row.get::<_, Millis>(1)?.0))
        });
        Ok(times?)
    }

    /// Returns all drafts, newest first; drafts with equal times stay in the order in which they were saved.
    /// Drafts that this version cannot parse are skipped and stay in the file.
    pub fn drafts(&self) -> Result<Vec<Draft>, JournalError> {
        let sql = "SELECT body FROM drafts ORDER BY changed_ms DESC, rowid";
        Ok(records(&self.db, sql, [])?)
    }

    /// Returns the columns chosen last for a file with these headers; `None` if another version saved them in
    /// a way that this version cannot parse.
    pub fn order_columns(&self, headers: &str) -> Result<Option<OrderColumns>, JournalError> {
        let sql = "SELECT body FROM order_columns WHERE headers = ?1";
        Ok(records(&self.db, sql, [headers])?.pop())
    }

    /// Saves in one transaction the drafts made from a file, the digests of their orders and
    /// the column choices.
    pub fn save_imported_orders(
        &mut self,
        orders: &[Order],
        headers: &str,
        columns: &OrderColumns,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        let columns = serde_json::to_string(columns)?;
        self.transaction(|tx| {
            for order in orders {
                save(tx, &order.draft, now)?;
                run(
                    tx,
                    "INSERT INTO orders_taken (digest, at_ms) VALUES (?1, ?2)
                     ON CONFLICT (digest) DO UPDATE SET at_ms = ?2",
                    params![order.digest, Millis(now)],
                )?;
            }
            run(
                tx,
                "INSERT INTO order_columns (headers, body, used_ms) VALUES (?1, ?2, ?3)
                 ON CONFLICT (headers) DO UPDATE SET body = ?2, used_ms = ?3",
                params![headers, columns, Millis(now)],
            )?;
            Ok(())
        })
    }

    /// Reads the known orders from the journal at `path` on a separate read-only connection, which
    /// blocks no writer.
    pub fn earlier_orders(path: &Path, since: Timestamp) -> Result<EarlierOrders, JournalError> {
        let db = read_only(path)?;
        // Consignments that were sent, or may have been.
        let sent =
            "SELECT json_extract(request, '$.customerReference') AS sent, reference FROM operations
             WHERE kind = 'Create' AND state NOT IN ('Rejected', 'Discarded') AND made_ms >= ?1
             AND json_valid(request) AND sent IS NOT NULL";
        let sent = rows(&db, sent, [Millis(since)], |row| {
            let reference: String = row.get(0)?;
            Ok((reference.trim().to_lowercase(), row.get(1)?))
        });
        let taken = "SELECT digest FROM orders_taken WHERE at_ms >= ?1";
        let taken = rows(&db, taken, [Millis(since)], |row| row.get(0));
        Ok((sent?.into_iter().collect(), taken?.into_iter().collect()))
    }
}

/// Returns a draft; `None` if it is missing or this version cannot parse it.
pub(super) fn read(db: &Connection, id: &DraftId) -> rusqlite::Result<Option<Draft>> {
    let sql = "SELECT body FROM drafts WHERE id = ?1";
    Ok(records(db, sql, [id.as_str()])?.pop())
}

pub(super) fn save(db: &Connection, draft: &Draft, now: Timestamp) -> Result<(), JournalError> {
    let body = serde_json::to_string(draft)?;
    run(
        db,
        "INSERT INTO drafts (id, body, changed_ms) VALUES (?1, ?2, ?3)
         ON CONFLICT (id) DO UPDATE SET body = ?2, changed_ms = ?3",
        params![draft.id.as_str(), body, Millis(now)],
    )?;
    Ok(())
}
