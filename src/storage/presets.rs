//! Presets, the column choices of order files, and the orders that were already imported.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::sql_types::{Millis, run};
use super::{Journal, JournalError, drafts, read_only};
use draft::Preset;
use draft::orders::{Column, Order};

/// A schema migration.
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
        let mut rows = self.db.prepare("SELECT body FROM presets ORDER BY name")?;
        let bodies = rows.query_map([], |row| row.get::<_, String>(0))?;
        let mut presets = Vec::new();
        for body in bodies {
            if let Ok(preset) = serde_json::from_str(&body?) {
                presets.push(preset);
            } else {
                tracing::warn!("a preset could not be read and stays as it is");
            }
        }
        Ok(presets)
    }

    /// Saves a preset. It replaces the preset of its own name and the one of its former name `was`.
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

    /// Returns the columns chosen last for a file with these headers.
    pub fn order_columns(&self, headers: &str) -> Result<Option<OrderColumns>, JournalError> {
        let sql = "SELECT body FROM order_columns WHERE headers = ?1";
        let body: Option<String> = self
            .db
            .query_row(sql, [headers], |row| row.get(0))
            .optional()?;
        // Columns saved by another version are guessed again.
        Ok(body.and_then(|body| serde_json::from_str(&body).ok()))
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
    let mut rows = db.prepare(
        "SELECT json_extract(request, '$.customerReference'), reference FROM operations
         WHERE kind = 'Create' AND state NOT IN ('Rejected', 'Discarded') AND made_ms >= ?1
         AND json_valid(request)",
    )?;
    let rows = rows.query_map([Millis(since)], |row| {
        Ok((row.get::<_, Option<String>>(0)?, row.get(1)?))
    })?;
    let mut sent = HashMap::new();
    for row in rows {
        if let (Some(reference), number) = row? {
            sent.insert(reference.trim().to_lowercase(), number);
        }
    }
    Ok(sent)
}

fn taken(db: &Connection, since: Timestamp) -> Result<HashSet<String>, JournalError> {
    let mut rows = db.prepare("SELECT digest FROM orders_taken WHERE at_ms >= ?1")?;
    let rows = rows.query_map([Millis(since)], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
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
