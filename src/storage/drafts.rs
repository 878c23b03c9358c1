//! Reads and writes drafts.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::sql_types::{Millis, records, rows, run};
use super::{Journal, JournalError};
use draft::{Draft, DraftId};

impl Journal {
    pub fn save_draft(&mut self, draft: &Draft, now: Timestamp) -> Result<(), JournalError> {
        save(&self.db, draft, now)
    }

    /// Deletes a draft. A missing draft is not an error.
    pub fn discard_draft(&mut self, id: &DraftId) -> Result<(), JournalError> {
        self.db
            .execute("DELETE FROM drafts WHERE id = ?1", [id.as_str()])?;
        Ok(())
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
