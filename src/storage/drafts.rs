//! Reads and writes drafts.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::sql_types::{Millis, run};
use super::{Journal, JournalError};
use draft::{Draft, DraftId};

impl Journal {
    /// Saves a draft and replaces its older version.
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
        let sql = "SELECT body FROM drafts WHERE id = ?1";
        let body: Option<String> = self
            .db
            .query_row(sql, [id.as_str()], |row| row.get(0))
            .optional()?;
        Ok(body.and_then(|body| serde_json::from_str(&body).ok()))
    }

    /// Returns the time of the last change of each draft.
    pub fn draft_times(&self) -> Result<Vec<(DraftId, Timestamp)>, JournalError> {
        let mut rows = self.db.prepare("SELECT id, changed_ms FROM drafts")?;
        let times = rows.query_map([], |row| {
            let id: String = row.get(0)?;
            Ok((DraftId::from(id), row.get::<_, Millis>(1)?.0))
        })?;
        Ok(times.collect::<Result<_, _>>()?)
    }

    /// Returns all drafts, newest first; drafts with equal times stay in the order in which they were saved.
    /// Drafts that this version cannot parse are skipped and stay in the file.
    pub fn drafts(&self) -> Result<Vec<Draft>, JournalError> {
        let mut rows = self
            .db
            .prepare("SELECT body FROM drafts ORDER BY changed_ms DESC, rowid")?;
        let bodies = rows.query_map([], |row| row.get::<_, String>(0))?;
        let mut drafts = Vec::new();
        for body in bodies {
            match serde_json::from_str(&body?) {
                Ok(draft) => drafts.push(draft),
                Err(_) => {
                    tracing::warn!("a draft could not be read and stays in the journal as it is");
                }
            }
        }
        Ok(drafts)
    }
}

/// Saves a draft within an open transaction.
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
