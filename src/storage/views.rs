//! Saved views of a list: its columns, order and filter, under a name given by the clerk.
//!
//! Invariant: a column's stored name never changes, so that a view can still be read by a version that
//! lacks the column.

use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::sql_types::records;
use super::{Journal, JournalError};

/// Schema migration that creates the table of saved list views.
pub(super) const TABLES: &str = "
CREATE TABLE views (
    name TEXT PRIMARY KEY COLLATE NOCASE,
    body TEXT NOT NULL
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
    /// Returns the key of a view of this name. A view of one list never replaces a view of another
    /// list with its name.
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
    /// Returns all views, by name. Views that this version cannot parse are skipped and stay in the file.
    pub fn views(&self) -> Result<Vec<ListView>, JournalError> {
        let sql = "SELECT body FROM views ORDER BY name";
        Ok(records(&self.db, sql, [])?)
    }

    /// Saves a view. Replaces the view of its list with its name.
    pub fn save_view(&mut self, view: &ListView) -> Result<(), JournalError> {
        let sql = "INSERT OR REPLACE INTO views (name, body) VALUES (?1, ?2)";
        self.db.execute(
            sql,
            params![view.list.key(&view.name), serde_json::to_string(view)?],
        )?;
        Ok(())
    }

    pub fn remove_view(&mut self, list: ViewedList, name: &str) -> Result<(), JournalError> {
        self.db
            .execute("DELETE FROM views WHERE name = ?1", [list.key(name)])?;
        Ok(())
    }
}
