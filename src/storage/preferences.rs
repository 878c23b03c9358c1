//! The clerk's choices on this bench: presets, saved views of lists, and consignments on hold.
//!
//! Invariant: a column's stored name never changes, because saved views contain it. Views store plain names, so that
//! a version that lacks a column can still read the view.

use std::collections::HashSet;

use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shared_values::{SharedKind, ValueChange, share};
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

impl ListView {
    /// Returns the name of a view among those of all lists.
    fn key(&self) -> String {
        self.list.key(&self.name)
    }

    /// Returns the name by which all benches know a view.
    pub fn shared_name(&self) -> String {
        shared_name(&self.key())
    }
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
            if let Some(was) = was.filter(|was| !was.eq_ignore_ascii_case(&preset.name)) {
                delete_preset(tx, was)?;
            }
            put_preset(tx, &preset.name, &body)?;
            share(
                tx,
                SharedKind::Preset,
                &shared_name(&preset.name),
                Some(&body),
            )
        })
    }

    /// Deletes a preset. A missing preset is not an error.
    pub fn remove_preset(&mut self, name: &str) -> Result<()> {
        self.transaction(|tx| delete_preset(tx, name))
    }

    /// Returns all views, by name. Views that this version cannot parse are skipped and stay in the file.
    pub fn views(&self) -> Result<Vec<ListView>> {
        records(&self.db, "SELECT body FROM views ORDER BY name", [])
    }

    /// Saves a view. Replaces the view of the same list with the same name.
    pub fn save_view(&mut self, view: &ListView) -> Result<()> {
        let (key, body) = (view.key(), serde_json::to_string(view)?);
        self.transaction(|tx| {
            put_view(tx, &key, &body)?;
            // Each bench remembers by itself how its list was last shown.
            if view.name.is_empty() {
                return Ok(());
            }
            share(tx, SharedKind::View, &view.shared_name(), Some(&body))
        })
    }

    pub fn remove_view(&mut self, list: ViewedList, name: &str) -> Result<()> {
        let key = list.key(name);
        self.transaction(|tx| {
            run(tx, "DELETE FROM views WHERE name = ?1", [&key])?;
            share(tx, SharedKind::View, &shared_name(&key), None)
        })
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
        self.transaction(|tx| {
            for id in ids {
                if set_on_hold(tx, *id, held, now)? {
                    let body = held.then_some("true");
                    share(tx, SharedKind::OnHold, &id.to_string(), body)?;
                }
            }
            Ok(())
        })
    }
}

/// Returns everything that other benches may use, too: kind, name and JSON.
pub(super) fn shared(db: &Connection) -> Result<Vec<(SharedKind, String, String)>> {
    let named = |kind, sql| {
        rows(db, sql, [], move |row| {
            let (name, body): (String, String) = (row.get(0)?, row.get(1)?);
            Ok((kind, name, body))
        })
    };
    let mut all = named(SharedKind::Preset, "SELECT name, body FROM presets")?;
    let views = "SELECT name, body FROM views WHERE json_extract(body, '$.name') <> ''";
    all.extend(named(SharedKind::View, views)?);
    for (_, name, _) in &mut all {
        *name = shared_name(name);
    }
    let on_hold = "SELECT CAST(consignment AS TEXT), 'true' FROM held_back";
    all.extend(named(SharedKind::OnHold, on_hold)?);
    Ok(all)
}

/// Takes the keys away from own presets that presets of other benches have, which come now.
pub(super) fn give_up_digits(tx: &Connection, changes: &[ValueChange]) -> Result<()> {
    let theirs: Vec<Preset> = { changes.iter() }
        .filter(|change| change.kind == SharedKind::Preset)
        .filter_map(|change| serde_json::from_str(change.body.as_deref()?).ok())
        .collect();
    for mut own in records::<Preset>(tx, "SELECT body FROM presets", [])? {
        let has_digit = |other: &Preset| {
            other.digit == own.digit && !other.name.eq_ignore_ascii_case(&own.name)
        };
        if own.digit > 0 && theirs.iter().any(has_digit) {
            own.digit = 0;
            put_preset(tx, &own.name, &serde_json::to_string(&own)?)?;
        }
    }
    Ok(())
}

/// Puts the change of another bench into its table. A preset or view that this version cannot parse is stored all
/// the same.
pub(super) fn take(
    tx: &Connection,
    kind: SharedKind,
    name: &str,
    body: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    match (kind, body) {
        (SharedKind::Preset, Some(body)) => {
            let parsed: Value = serde_json::from_str(body).unwrap_or_default();
            put_preset(tx, parsed["name"].as_str().unwrap_or(name), body)
        }
        (SharedKind::Preset, None) => {
            run(tx, "DELETE FROM presets WHERE name = ?1", [name]).map(drop)
        }
        (SharedKind::View, Some(body)) => {
            let parsed = serde_json::from_str::<ListView>(body);
            put_view(
                tx,
                &parsed.map_or_else(|_| name.to_owned(), |view| view.key()),
                body,
            )
        }
        (SharedKind::View, None) => run(tx, "DELETE FROM views WHERE name = ?1", [name]).map(drop),
        (SharedKind::OnHold, body) => match name.parse() {
            Ok(id) => set_on_hold(tx, ConsignmentId::new(id), body.is_some(), now).map(drop),
            Err(_not_an_id) => Ok(()),
        },
        // These are in the settings.
        (SharedKind::Printer | SharedKind::Route, _) => Ok(()),
    }
}

/// Saves a preset or view beside the one of the same name, as "Pallets (Bench 4)", and shares it. A value that this
/// version cannot parse is left out.
pub(super) fn keep_beside(
    tx: &Connection,
    kind: SharedKind,
    body: &str,
    bench: &str,
) -> Result<()> {
    let beside = |name: &str| format!("{name} ({bench})");
    if kind == SharedKind::Preset
        && let Ok(mut preset) = serde_json::from_str::<Preset>(body)
    {
        preset.name = beside(&preset.name);
        // The other preset of this name has the key.
        preset.digit = 0;
        let body = serde_json::to_string(&preset)?;
        put_preset(tx, &preset.name, &body)?;
        share(tx, kind, &shared_name(&preset.name), Some(&body))?;
    } else if kind == SharedKind::View
        && let Ok(mut view) = serde_json::from_str::<ListView>(body)
    {
        view.name = beside(&view.name);
        let (key, body) = (view.key(), serde_json::to_string(&view)?);
        put_view(tx, &key, &body)?;
        share(tx, kind, &view.shared_name(), Some(&body))?;
    }
    Ok(())
}

/// Returns the name by which all benches know a preset or view; SQLite compares names in the same way.
fn shared_name(name: &str) -> String {
    name.to_ascii_lowercase()
}

fn put_preset(db: &Connection, name: &str, body: &str) -> Result<()> {
    let sql = "INSERT INTO presets (name, body) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET (name, body) = (?1, ?2)";
    run(db, sql, [name, body]).map(drop)
}

fn delete_preset(db: &Connection, name: &str) -> Result<()> {
    run(db, "DELETE FROM presets WHERE name = ?1", [name])?;
    share(db, SharedKind::Preset, &shared_name(name), None)
}

fn put_view(db: &Connection, key: &str, body: &str) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO views (name, body) VALUES (?1, ?2)";
    run(db, sql, [key, body]).map(drop)
}

/// Returns true if this changed anything.
fn set_on_hold(db: &Connection, id: ConsignmentId, held: bool, now: Timestamp) -> Result<bool> {
    let changed = if held {
        let hold =
            "INSERT INTO held_back (consignment, since_ms) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        run(db, hold, params![id.get(), Millis(now)])?
    } else {
        run(
            db,
            "DELETE FROM held_back WHERE consignment = ?1",
            [id.get()],
        )?
    };
    Ok(changed > 0)
}
