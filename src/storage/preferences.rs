//! The clerk's choices on this bench: presets, saved views of lists, and consignments on hold.
//!
//! Invariant: a column's stored name never changes, because saved views contain it. Views store plain names, so that
//! a version that lacks a column can still read the view.

use std::collections::HashSet;

use jiff::Timestamp;
use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::sql_types::{Millis, records, rows, run};
use super::{Journal, Result};
use draft::Preset;
use shipping::ConsignmentId;

/// Schema migration that creates the tables of presets, of the column mappings of order files, and of
/// imported orders.
pub(super) const PRESETS_AND_ORDERS: &str = "
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

pub(super) const VIEWS: &str = "
CREATE TABLE views (
    name TEXT PRIMARY KEY COLLATE NOCASE,
    body TEXT NOT NULL
) STRICT;
";

pub(super) const ON_HOLD: &str = "
CREATE TABLE held_back (
    consignment INTEGER PRIMARY KEY,
    since_ms INTEGER NOT NULL
) STRICT;
";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ViewedList {
    #[default]
    Dispatch,
    Track,
}

impl ViewedList {
    /// Returns the key of a view of this name. The key contains the list, so that a view never replaces another
    /// list's view with the same name.
    fn key(self, name: &str) -> String {
        match self {
            Self::Dispatch => name.to_owned(),
            Self::Track => format!("track\u{1f}{name}"),
        }
    }
}

/// A saved view of a list. The view without a name remembers how the list was last shown.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ListView {
    /// The name given by the clerk; empty for the view last shown.
    pub name: String,
    pub list: ViewedList,
    /// The shown columns, from left to right.
    pub columns: Vec<ViewColumn>,
    /// The column to sort by, and true for descending order.
    pub sort: Option<(String, bool)>,
    pub filter: String,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewColumn {
    pub column: String,
    /// Width in points that the clerk chose; `None` for automatic width.
    pub width: Option<f32>,
}

impl Journal {
    /// Returns all presets, by name. Presets that this version cannot parse are skipped and stay in the file.
    pub fn presets(&self) -> Result<Vec<Preset>> {
        records(&self.db, "SELECT body FROM presets ORDER BY name", [])
    }

    /// Saves a preset. It replaces the preset of the same name and the preset of its former name `was`.
    pub fn save_preset(&mut self, preset: &Preset, was: Option<&str>) -> Result<()> {
        let body = serde_json::to_string(preset)?;
        self.transaction(|tx| {
            run(tx, "DELETE FROM presets WHERE name = ?1", [was])?;
            run(
                tx,
                "INSERT INTO presets (name, body) VALUES (?1, ?2)
                 ON CONFLICT (name) DO UPDATE SET name = ?1, body = ?2",
                params![preset.name, body],
            )?;
            Ok(())
        })
    }

    /// Deletes a preset. A missing preset is not an error.
    pub fn remove_preset(&mut self, name: &str) -> Result<()> {
        self.write("DELETE FROM presets WHERE name = ?1", [name])
    }

    /// Returns all views, by name. Views that this version cannot parse are skipped and stay in the file.
    pub fn views(&self) -> Result<Vec<ListView>> {
        records(&self.db, "SELECT body FROM views ORDER BY name", [])
    }

    /// Saves a view. Replaces the view of the same list with the same name.
    pub fn save_view(&mut self, view: &ListView) -> Result<()> {
        let row = params![view.list.key(&view.name), serde_json::to_string(view)?];
        self.write(
            "INSERT OR REPLACE INTO views (name, body) VALUES (?1, ?2)",
            row,
        )
    }

    pub fn remove_view(&mut self, list: ViewedList, name: &str) -> Result<()> {
        self.write("DELETE FROM views WHERE name = ?1", [list.key(name)])
    }

    pub fn on_hold(&self) -> Result<HashSet<ConsignmentId>> {
        let ids = rows(&self.db, "SELECT consignment FROM held_back", [], |row| {
            row.get(0).map(ConsignmentId::new)
        });
        Ok(ids?.into_iter().collect())
    }

    /// Puts consignments on hold or releases them. Consignments on hold are left out when all consignments are
    /// grouped. Consignments that are already on hold keep their starting time.
    pub fn set_on_hold(&mut self, ids: &[ConsignmentId], held: bool, now: Timestamp) -> Result<()> {
        let hold =
            "INSERT INTO held_back (consignment, since_ms) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        let release = "DELETE FROM held_back WHERE consignment = ?1";
        self.transaction(|tx| {
            for id in ids {
                if held {
                    run(tx, hold, params![id.get(), Millis(now)])?;
                } else {
                    run(tx, release, [id.get()])?;
                }
            }
            Ok(())
        })
    }
}
