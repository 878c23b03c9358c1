//! Drafts, and the files of orders that drafts are imported from.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use jiff::Timestamp;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use super::sql_types::{Millis, records, rows, run};
use super::{Journal, Result, read_only};
use draft::orders::{Column, Order};
use draft::{Draft, DraftId};

/// The meaning that was chosen for each column of a file, by header.
pub type OrderColumns = Vec<(String, Option<Column>)>;

/// The orders of a recent period: the customer references that were sent, in lower case, each with its consignment
/// number; and the digests of orders imported from files.
pub type EarlierOrders = (HashMap<String, String>, HashSet<String>);

impl Journal {
    pub fn save_draft(&mut self, draft: &Draft, now: Timestamp) -> Result<()> {
        save(&self.db, draft, now)
    }

    /// Deletes a draft. A missing draft is not an error.
    pub fn discard_draft(&mut self, id: &DraftId) -> Result<()> {
        self.write("DELETE FROM drafts WHERE id = ?1", [id.as_str()])
    }

    /// Returns a draft; `None` if it is missing or this version cannot parse it.
    pub fn draft(&self, id: &DraftId) -> Result<Option<Draft>> {
        read(&self.db, id)
    }

    /// Returns when each draft was last saved.
    pub fn draft_times(&self) -> Result<Vec<(DraftId, Timestamp)>> {
        let sql = "SELECT id, changed_ms FROM drafts";
        rows(&self.db, sql, [], |row| {
            let id: String = row.get(0)?;
            Ok((DraftId::from(id), row.get::<_, Millis>(1)?.0))
        })
    }

    /// Returns all drafts, newest first; drafts with equal times stay in the order in which they were saved.
    /// Drafts that this version cannot parse are skipped and stay in the file. Drafts that were left for any bench are
    /// not this bench's any more.
    pub fn drafts(&self) -> Result<Vec<Draft>> {
        let sql = "SELECT body FROM drafts WHERE id NOT IN (SELECT draft FROM leaving_drafts)
             ORDER BY changed_ms DESC, rowid";
        records(&self.db, sql, [])
    }

    /// Returns the columns chosen last for a file with these headers; `None` if there are none, or if this version
    /// cannot parse them.
    pub fn order_columns(&self, headers: &str) -> Result<Option<OrderColumns>> {
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
    ) -> Result<()> {
        let columns = serde_json::to_string(columns)?;
        self.transaction(|tx| {
            for order in orders {
                save_order(tx, order, now)?;
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
    pub fn earlier_orders(path: &Path, since: Timestamp) -> Result<EarlierOrders> {
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
pub(super) fn read(db: &Connection, id: &DraftId) -> Result<Option<Draft>> {
    let sql = "SELECT body FROM drafts WHERE id = ?1";
    Ok(records(db, sql, [id.as_str()])?.pop())
}

pub(super) fn save(db: &Connection, draft: &Draft, now: Timestamp) -> Result<()> {
    let row = DraftRow {
        id: draft.id.to_string(),
        changed: now.as_millisecond(),
        body: serde_json::to_string(draft)?,
    };
    row.save(db)
}

/// Saves the draft made from an order, and that the order is imported.
pub(super) fn save_order(db: &Connection, order: &Order, now: Timestamp) -> Result<()> {
    save(db, &order.draft, now)?;
    let sql = "INSERT INTO orders_taken (digest, at_ms) VALUES (?1, ?2)
         ON CONFLICT (digest) DO UPDATE SET at_ms = ?2";
    run(db, sql, params![order.digest, Millis(now)]).map(drop)
}

/// A row of the table `drafts`, and a draft in the commit log. A new column needs a member here, and a line in each
/// function below. Files and logs of older versions lack the new column: `#[serde(default)]` and `read_or_default`
/// read them with the default of its type, as for `changed`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct DraftRow {
    pub(super) id: String,
    #[serde(default)]
    pub(super) changed: i64,
    pub(super) body: String,
}

impl DraftRow {
    /// Reads a row that was selected with all columns, possibly of a file that is not migrated yet.
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            changed: read_or_default(row, "changed_ms")?,
            body: row.get("body")?,
        })
    }

    /// Inserts the row, or replaces the row with its id.
    pub(super) fn save(&self, db: &Connection) -> Result<()> {
        let Self { id, changed, body } = self;
        let sql = "INSERT INTO drafts (id, changed_ms, body) VALUES (?1, ?2, ?3)
             ON CONFLICT (id) DO UPDATE SET (changed_ms, body) = (?2, ?3)";
        run(db, sql, params![id, changed, body]).map(drop)
    }
}

/// Reads a column; the default of its type if the file lacks the column.
fn read_or_default<T: FromSql + Default>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    match row.get(column) {
        Err(rusqlite::Error::InvalidColumnName(_)) => Ok(T::default()),
        read => read,
    }
}
