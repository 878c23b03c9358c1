//! The lists last fetched from the service. They are shown at the next start until the service has answered.
//!
//! Only changed rows are written. The time of a list is that of its last complete fetch. Rows are the
//! service's JSON; readers skip a row that this version cannot parse.

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, params};

use super::sql_types::Millis;
use super::{Journal, JournalError};
use shipping::CompanyId;

/// A stored list. Without a company, `Locations` and `Unmanifested` are those of the token's own company.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CachedList {
    /// The companies that the token may use.
    Companies,
    /// Saved locations of a company.
    Locations(Option<CompanyId>),
    /// Unmanifested consignments of a company.
    Unmanifested(Option<CompanyId>),
}

impl CachedList {
    fn name(self) -> String {
        match self {
            Self::Companies => "companies".to_owned(),
            Self::Locations(None) => "locations".to_owned(),
            Self::Locations(Some(company)) => format!("locations {company}"),
            Self::Unmanifested(None) => "unmanifested".to_owned(),
            Self::Unmanifested(Some(company)) => format!("unmanifested {company}"),
        }
    }
}

/// Deletes a list of recently changed consignments. A store of its own has replaced that list:
/// see `tracked.rs`.
pub(super) const NO_RECENT: &str = "
DELETE FROM last_seen WHERE list = 'recent';
DELETE FROM last_seen_lists WHERE list = 'recent';
";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedRow {
    /// The id at the service.
    pub id: i64,
    /// Sort key of the row.
    pub place: i64,
    /// The row in the service's JSON.
    pub body: String,
}

impl Journal {
    /// Saves new and changed rows of a list in one transaction. Returns how many were written.
    pub fn keep_rows(
        &mut self,
        list: CachedList,
        rows: &[CachedRow],
        now: Timestamp,
    ) -> Result<usize, JournalError> {
        let name = list.name();
        let tx = self.db.transaction()?;
        let mut written = 0;
        {
            let mut put = tx.prepare_cached(
                "INSERT INTO last_seen (list, id, place, changed_ms, body) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (list, id) DO UPDATE SET place = ?3, changed_ms = ?4, body = ?5
                 WHERE body IS NOT ?5 OR place IS NOT ?3",
            )?;
            for row in rows {
                written += put.execute(params![name, row.id, row.place, Millis(now), row.body])?;
            }
        }
        tx.commit()?;
        Ok(written)
    }

    /// Returns the ids of a list's rows.
    pub fn row_ids(&self, list: CachedList) -> Result<Vec<i64>, JournalError> {
        let mut ids = self
            .db
            .prepare_cached("SELECT id FROM last_seen WHERE list = ?1 ORDER BY id")?;
        let ids = ids.query_map([list.name()], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// Deletes rows of a list in one transaction.
    pub fn drop_rows(&mut self, list: CachedList, ids: &[i64]) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        {
            let mut gone =
                tx.prepare_cached("DELETE FROM last_seen WHERE list = ?1 AND id = ?2")?;
            for id in ids {
                gone.execute(params![list.name(), id])?;
            }
        }
        tx.commit()?;
        Ok(())
    }

    /// Records that a list was fetched completely at `now`.
    pub fn mark_list_complete(
        &mut self,
        list: CachedList,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        self.db.execute(
            "INSERT INTO last_seen_lists (list, as_of_ms) VALUES (?1, ?2)
             ON CONFLICT (list) DO UPDATE SET as_of_ms = ?2",
            params![list.name(), Millis(now)],
        )?;
        Ok(())
    }

    /// Returns when a list was last fetched completely; `None` if it never was.
    pub fn list_as_of(&self, list: CachedList) -> Result<Option<Timestamp>, JournalError> {
        let sql = "SELECT as_of_ms FROM last_seen_lists WHERE list = ?1";
        let as_of = self
            .db
            .query_row(sql, [list.name()], |row| row.get::<_, Millis>(0));
        Ok(as_of.optional()?.map(|as_of| as_of.0))
    }

    /// Returns the company and the time of the unmanifested list that was fetched last.
    pub fn newest_unmanifested(
        &self,
    ) -> Result<Option<(Option<CompanyId>, Timestamp)>, JournalError> {
        let sql = "SELECT list, as_of_ms FROM last_seen_lists WHERE list LIKE 'unmanifested%'
                   ORDER BY as_of_ms DESC, list DESC LIMIT 1";
        let newest = self.db.query_row(sql, [], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, Millis>(1)?.0))
        });
        Ok(newest.optional()?.map(|(name, as_of)| {
            let company = name.rsplit_once(' ').and_then(|(_, id)| id.parse().ok());
            (company.map(CompanyId::new), as_of)
        }))
    }

    /// Returns up to `most` rows of a list in their order, starting after the sort key `after`. A page with
    /// fewer rows is the last one.
    pub fn rows_after(
        &self,
        list: CachedList,
        after: i64,
        most: usize,
    ) -> Result<Vec<CachedRow>, JournalError> {
        let mut rows = self.db.prepare_cached(
            "SELECT id, place, body FROM last_seen WHERE list = ?1 AND place > ?2 ORDER BY place LIMIT ?3",
        )?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = rows.query_map(params![list.name(), after, most], |row| {
            Ok(CachedRow {
                id: row.get(0)?,
                place: row.get(1)?,
                body: row.get(2)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
