//! A restored journal: what it records about the restoration, until the service has been asked what happened
//! after the backup was made.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, params};

use super::recover::move_all;
use super::sql_types::Millis;
use super::{Journal, JournalError, OperationKind, OperationState, read_only};
use draft::{Draft, DraftId};

/// A restoration after which the service has not been asked yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restoration {
    /// Date of the backup that was restored; `None` if the journal was begun anew.
    pub from: Option<Timestamp>,
    pub at: Timestamp,
}

/// A draft that may have been sent already, and is therefore not offered as unsent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PossiblySentDraft {
    pub draft: DraftId,
    /// Message for the clerk.
    pub message: String,
}

impl PossiblySentDraft {
    /// Returns true for the message of a draft that has not been compared with the service's
    /// consignments yet.
    pub fn is_unchecked(words: &str) -> bool {
        words == LOOKING
    }
}

const LOOKING: &str = "Restored: whether it was sent is being looked for";
const OPEN_AGAIN: &str = "The journal was restored. Checking whether this went through";
const OPEN_FOR_GOOD: &str = "The journal was restored, and the service can't confirm whether this went through. Please check it yourself";

impl Journal {
    /// Records in one transaction that this journal is older than the work done with it: open operations may
    /// have gone further, and drafts may have been sent.
    pub(super) fn note_restoration(
        &mut self,
        from: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        use OperationState::{Absent, Ready, Sending};
        let tx = self.db.transaction()?;
        tx.execute(
            "INSERT INTO restorations (from_ms, at_ms, rebuilt) VALUES (?1, ?2, 0)",
            params![from.map(Millis), Millis(now)],
        )?;
        // Labels that were waiting may have been printed since.
        tx.execute("DELETE FROM unprinted", [])?;
        tx.execute(
            "INSERT INTO doubts (draft, words) SELECT id, ?1 FROM drafts WHERE true ON CONFLICT DO NOTHING",
            [LOOKING],
        )?;
        for kind in OperationKind::ALL {
            let (to, words) = if kind.can_be_reconciled() {
                (OperationState::Unknown, OPEN_AGAIN)
            } else {
                (OperationState::Ask, OPEN_FOR_GOOD)
            };
            for from in [Ready, Sending, Absent, OperationState::Unknown] {
                move_all(&tx, *kind, from, to, words, now)?;
            }
        }
        tx.commit()?;
        Ok(())
    }

    /// Returns the restoration after which the service has not been asked yet; of several, the one that
    /// goes back furthest.
    pub fn restoration(&self) -> Result<Option<Restoration>, JournalError> {
        let sql =
            "SELECT from_ms, at_ms FROM restorations WHERE rebuilt = 0 ORDER BY from_ms LIMIT 1";
        let found = self.db.query_row(sql, [], |row| {
            Ok(Restoration {
                from: row.get::<_, Option<Millis>>(0)?.map(|from| from.0),
                at: row.get::<_, Millis>(1)?.0,
            })
        });
        Ok(found.optional()?)
    }

    /// Records that the service was asked: only `doubts` remain of the drafts that may have been sent.
    pub fn finish_restoration(&mut self, doubts: &[PossiblySentDraft]) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        tx.execute("DELETE FROM doubts WHERE words = ?1", [LOOKING])?;
        for doubt in doubts {
            tx.execute(
                "INSERT INTO doubts (draft, words) VALUES (?1, ?2) ON CONFLICT (draft) DO UPDATE SET words = ?2",
                params![doubt.draft.as_str(), doubt.message],
            )?;
        }
        tx.execute("UPDATE restorations SET rebuilt = 1", [])?;
        tx.commit()?;
        Ok(())
    }

    /// Returns the drafts that may have been sent.
    pub fn possibly_sent_drafts(&self) -> Result<Vec<PossiblySentDraft>, JournalError> {
        let mut rows = self.db.prepare(
            "SELECT draft, words FROM doubts WHERE draft IN (SELECT id FROM drafts) ORDER BY draft",
        )?;
        let doubts = rows.query_map([], |row| {
            Ok(PossiblySentDraft {
                draft: DraftId::from(row.get::<_, String>(0)?),
                message: row.get(1)?,
            })
        })?;
        Ok(doubts.collect::<Result<_, _>>()?)
    }

    /// Returns those of `keys` that belong to an operation in the journal.
    pub fn known_keys(&self, keys: &[String]) -> Result<Vec<String>, JournalError> {
        let mut found = self
            .db
            .prepare("SELECT count(*) FROM operations WHERE key = ?1")?;
        let mut known = Vec::new();
        for key in keys {
            if found.query_row([key], |row| row.get::<_, i64>(0))? > 0 {
                known.push(key.clone());
            }
        }
        Ok(known)
    }

    /// Returns the time of the newest change of an operation, draft or print job.
    pub(super) fn newest_entry(&self) -> Option<Timestamp> {
        let sql = "SELECT max(changed_ms) FROM
                   (SELECT changed_ms FROM operations UNION ALL SELECT changed_ms FROM drafts
                    UNION ALL SELECT changed_ms FROM print_jobs)";
        let newest = self
            .db
            .query_row(sql, [], |row| row.get::<_, Option<Millis>>(0));
        newest.ok().flatten().map(|newest| newest.0)
    }

    /// Copies the drafts that can still be read from a damaged journal, where they are newer than ours.
    pub(super) fn salvage_drafts(&mut self, damaged: &Path) {
        if self.try_salvage(damaged).is_err() {
            tracing::warn!("the damaged journal did not give all of its drafts");
        }
    }

    fn try_salvage(&mut self, damaged: &Path) -> Result<(), JournalError> {
        let damaged = read_only(damaged)?;
        let mut rows = damaged.prepare("SELECT id, body, changed_ms FROM drafts")?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            let (id, body): (String, String) = (row.get(0)?, row.get(1)?);
            let changed: i64 = row.get(2)?;
            if serde_json::from_str::<Draft>(&body).is_err() {
                continue;
            }
            self.db.execute(
                "INSERT INTO drafts (id, body, changed_ms) VALUES (?1, ?2, ?3)
                 ON CONFLICT (id) DO UPDATE SET body = ?2, changed_ms = ?3 WHERE changed_ms < ?3",
                params![id, body, changed],
            )?;
        }
        Ok(())
    }
}
