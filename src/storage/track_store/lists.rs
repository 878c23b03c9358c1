//! The short lists last fetched from the service, as JSON. They are shown at the next start until the service
//! has answered.

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::JournalError;
use shipping::CompanyId;

/// A stored list. Without a company, `Locations` has the locations of the token's own company.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CachedList {
    /// The companies that the token may use.
    Companies,
    /// Saved locations of a company.
    Locations(Option<CompanyId>),
}

impl CachedList {
    fn name(self) -> String {
        match self {
            Self::Companies => "companies".to_owned(),
            Self::Locations(None) => "locations".to_owned(),
            Self::Locations(Some(company)) => format!("locations {company}"),
        }
    }
}

pub(super) fn put(db: &Connection, list: CachedList, body: &str) -> Result<(), JournalError> {
    db.execute(
        "INSERT INTO lists (name, body) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET body = ?2 WHERE body <> ?2",
        params![list.name(), body],
    )?;
    Ok(())
}

pub(super) fn get(db: &Connection, list: CachedList) -> Result<Option<String>, JournalError> {
    let sql = "SELECT body FROM lists WHERE name = ?1";
    let body = db.query_row(sql, [list.name()], |row| row.get(0));
    Ok(body.optional()?)
}
