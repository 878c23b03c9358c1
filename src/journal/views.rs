//! How a list is shown, as the clerk saved it under a name.
//!
//! What always holds: columns are known by words that never change, so that a view outlives a version that lacks one.

use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::{Journal, JournalError};

/// A migration of its own.
pub(super) const TABLES: &str = "
CREATE TABLE views (
    name TEXT PRIMARY KEY COLLATE NOCASE,
    body TEXT NOT NULL
) STRICT;
";

/// The lists that have views.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ViewOf {
    /// What is unmanifested.
    #[default]
    Dispatch,
    /// What is followed.
    Track,
}

impl ViewOf {
    /// What a view of this name is kept under: names of one list are none of another.
    fn key(self, name: &str) -> String {
        match self {
            Self::Dispatch => name.to_owned(),
            Self::Track => format!("track\u{1f}{name}"),
        }
    }
}

/// A saved view. The one without a name is how the list was left last.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ListView {
    /// What the clerk calls it; empty for how the list was left.
    pub name: String,
    /// Of which list.
    pub list: ViewOf,
    /// The columns that are shown, from the left.
    pub columns: Vec<ViewColumn>,
    /// The column that the rows are in order of, and whether the largest comes first.
    pub sort: Option<(String, bool)>,
    /// What is typed into the filter.
    pub filter: String,
}

/// A column of a view.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewColumn {
    /// The word that the column is known by.
    pub column: String,
    /// How wide the clerk made it, in points; nothing where it is as wide as there is room.
    pub width: Option<f32>,
}

impl Journal {
    /// All views, by name. One that this version cannot read stays in the file and is passed over.
    pub fn views(&self) -> Result<Vec<ListView>, JournalError> {
        let mut rows = self.db.prepare("SELECT body FROM views ORDER BY name")?;
        let bodies = rows.query_map([], |row| row.get::<_, String>(0))?;
        let mut views = Vec::new();
        for body in bodies {
            if let Ok(view) = serde_json::from_str(&body?) {
                views.push(view);
            } else {
                tracing::warn!("a view could not be read and stays as it is");
            }
        }
        Ok(views)
    }

    /// Keeps a view, instead of the one of its list and name.
    pub fn save_view(&mut self, view: &ListView) -> Result<(), JournalError> {
        let sql = "INSERT OR REPLACE INTO views (name, body) VALUES (?1, ?2)";
        self.db.execute(
            sql,
            params![view.list.key(&view.name), serde_json::to_string(view)?],
        )?;
        Ok(())
    }

    /// Forgets a list's view of this name.
    pub fn remove_view(&mut self, list: ViewOf, name: &str) -> Result<(), JournalError> {
        self.db
            .execute("DELETE FROM views WHERE name = ?1", [list.key(name)])?;
        Ok(())
    }
}
