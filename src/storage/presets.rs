//! Presets, the column choices of order files, and the orders that were already imported.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::sql_types::{Millis, records, rows, run};
use super::{Journal, JournalError, drafts, read_only};
use draft::Preset;
use draft::orders::{Column, Order};

/// Schema migration that creates the tables of presets, of the column mappings of order files, and of
/// imported orders.
pub(super) const TABLES: &str = "
CREATE TABLE presets (
    name TEXT PRIMARY KEY COLLATE NOCASE,
    body TEXT NOT NULL
) STRICT;

CREATE TABLE order_columns (
    headers TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    used_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE orders_taken (
    digest TEXT PRIMARY KEY,
    at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX orders_taken_by_moment ON orders_taken (at_ms);
";

/// The meaning that was chosen for each column of a file, by header.
pub type OrderColumns = Vec<(String, Option<Column>)>;

/// Orders known since some time: the customer references that were sent, in lower case, each with its
/// consignment number; and the digests of orders imported from files.
pub type EarlierOrders = (HashMap<String, String>, HashSet<String>);

impl Journal {
    /// Returns all presets, by name. Presets that this version cannot parse are skipped and stay in the file.
    pub fn presets(&self) -> Result<Vec<Preset>, JournalError> {
        let sql = "SELECT body FROM presets ORDER BY name";
        Ok(records(&self.db, sql, [])?)
    }

    /// Saves a preset. It replaces the preset of the same name and the preset of its former name `was`.
    pub fn save_preset(&mut self, preset: &Preset, was: Option<&str>) -> Result<(), JournalError> {
        let body = serde_json::to_string(preset)?;
        let tx = self.db.transaction()?;
        if let Some(was) = was {
            tx.execute("DELETE FROM presets WHERE name = ?1", [was])?;
        }
        tx.execute(
            "INSERT INTO presets (name, body) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET name = ?1, body = ?2",
            params![preset.name, body],
        )?;
        tx.commit()?;
        Ok(())
    }

    /// Deletes a preset. A missing preset is not an error.
    pub fn remove_preset(&mut self, name: &str) -> Result<(), JournalError> {
        self.db
            .execute("DELETE FROM presets WHERE name = ?1", [name])?;
        Ok(())
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
        let tx = self.db.transaction()?;
        for order in orders {
            drafts::save(&tx, &order.draft, now)?;
            run(
                &tx,
                "INSERT INTO orders_taken (digest, at_ms) VALUES (?1, ?2)
                 ON CONFLICT (digest) DO UPDATE SET at_ms = ?2",
                params![order.digest, Millis(now)],
            )?;
        }
        tx.execute(
            "INSERT INTO order_columns (headers, body, used_ms) VALUES (?1, ?2, ?3)
             ON CONFLICT (headers) DO UPDATE SET body = ?2, used_ms = ?3",
            params![headers, columns, Millis(now)],
        )?;
        tx.commit()?;
        Ok(())
    }

    /// Reads the known orders from the journal at `path` on a separate read-only connection, which
    /// blocks no writer.
    pub fn earlier_orders(path: &Path, since: Timestamp) -> Result<EarlierOrders, JournalError> {
        let db = read_only(path)?;
        Ok((sent(&db, since)?, taken(&db, since)?))
    }
}

/// Returns the references of consignments that were sent, or may have been.
fn sent(db: &Connection, since: Timestamp) -> Result<HashMap<String, String>, JournalError> {
    let sql =
        "SELECT json_extract(request, '$.customerReference') AS sent, reference FROM operations
         WHERE kind = 'Create' AND state NOT IN ('Rejected', 'Discarded') AND made_ms >= ?1
         AND json_valid(request) AND sent IS NOT NULL";
    let sent = rows(db, sql, [Millis(since)], |row| {
        let reference: String = row.get(0)?;
        Ok((reference.trim().to_lowercase(), row.get(1)?))
    });
    Ok(sent?.into_iter().collect())
}

fn taken(db: &Connection, since: Timestamp) -> Result<HashSet<String>, JournalError> {
    let sql = "SELECT digest FROM orders_taken WHERE at_ms >= ?1";
    let taken = rows(db, sql, [Millis(since)], |row| row.get(0))?;
    Ok(taken.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use draft::Draft;

    #[test]
    fn a_preset_is_kept_renamed_and_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = Journal::open(&folder.path().join("journal.db")).expect("a journal");
        let preset = |name: &str| Preset::from_draft(&Draft::default(), name, 3);
        journal.save_preset(&preset("Pallets"), None).expect("kept");
        journal
            .save_preset(&preset("PALLETS"), None)
            .expect("replaced");
        let names = |journal: &Journal| {
            let presets = journal.presets().expect("presets");
            presets.into_iter().map(|one| one.name).collect::<Vec<_>>()
        };
        assert_eq!(names(&journal), ["PALLETS"]);
        journal
            .save_preset(&preset("Skids"), Some("pallets"))
            .expect("renamed");
        assert_eq!(names(&journal), ["Skids"]);
        journal.remove_preset("skids").expect("removed");
        assert!(names(&journal).is_empty());
    }
}
