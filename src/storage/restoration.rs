//! Recovery after a crash: corrects the states of operations and print jobs that the last run left unfinished. Also
//! the records about the restoration of a journal, which are needed until the service has been asked what happened
//! after the backup was made.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Transaction, params};

use super::drafts::DraftRow;
use super::operations::move_all;
use super::sql_types::{Millis, first_row, rows};
use super::{
    JobId, JobState, Journal, OperationKind, OperationState, Result, operations, print_jobs,
    read_only,
};
use draft::{Draft, DraftId};

/// Schema migration that creates `last_seen_lists` and `last_seen`, for lists from the service, which a later
/// migration drops; `restorations`, with a row for each restoration of the journal; and `doubts`, with drafts that
/// may have been sent after the restored backup was made.
pub(super) const TABLES: &str = "
CREATE TABLE last_seen_lists (
    list TEXT PRIMARY KEY,
    as_of_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE last_seen (
    list TEXT NOT NULL,
    id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX last_seen_by_id ON last_seen (list, id);
CREATE INDEX last_seen_by_place ON last_seen (list, place);

CREATE TABLE restorations (
    id INTEGER PRIMARY KEY,
    from_ms INTEGER,
    at_ms INTEGER NOT NULL,
    rebuilt INTEGER NOT NULL
) STRICT;

CREATE TABLE doubts (
    draft TEXT PRIMARY KEY,
    words TEXT NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS history_by_operation ON history (operation);
CREATE INDEX IF NOT EXISTS operations_by_changed ON operations (changed_ms);
CREATE INDEX IF NOT EXISTS operations_by_key ON operations (key);
CREATE INDEX IF NOT EXISTS print_jobs_by_changed ON print_jobs (changed_ms);
CREATE INDEX IF NOT EXISTS labels_by_stored ON labels (stored_ms);
";

/// A restoration of the journal. The service has not been asked yet what happened after the restored data was saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restoration {
    /// Date of the restored data; `None` if a new, empty journal was created.
    pub from: Option<Timestamp>,
    pub at: Timestamp,
}

/// A draft that may have been sent already, and is therefore not offered as unsent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PossiblySentDraft {
    pub draft: DraftId,
    pub message: String,
}

impl PossiblySentDraft {
    /// Returns true for the message of a draft that has not been compared with the service's
    /// consignments yet.
    pub fn is_unchecked(words: &str) -> bool {
        words == UNCHECKED
    }
}

const UNCHECKED: &str = "Restored: checking whether this was sent";
/// The stored form of [`UNCHECKED`], which must not change.
const STORED_UNCHECKED: &str = "Restored: whether it was sent is being looked for";
const UNSENT: &str = "Not sent: Packbench was closed first. Send it again or discard it";
const WAITS_AGAIN: &str = "Not sent: Packbench was closed first. The order waits again";
/// Creates of orders that came from the watched folder and that no clerk has opened.
const OF_FOLDER: &str = "kind = 'Create' AND draft IN (SELECT id FROM drafts WHERE json_valid(body)
    AND json_extract(body, '$.is_from_folder') AND NOT json_extract(body, '$.was_opened'))";
const CUT: &str = "Packbench was closed before the answer came";
const CUT_FOR_GOOD: &str = "Packbench was closed before the answer came, and the service can't confirm it. Please check it yourself";
const SPOOLING: &str = "Packbench was closed while printing. Check the printer";
const OPEN_AGAIN: &str = "This bench's records were restored. Checking whether this went through";
const OPEN_FOR_GOOD: &str = "This bench's records were restored, and the service can't confirm whether this went through. Please check it yourself";

/// Moves the operations in the states `from` to `Unknown`, or to `Ask` if the service cannot be asked about them.
/// Each of the two states has its own message.
fn reconcile_or_ask(
    tx: &Transaction<'_>,
    from: &[OperationState],
    (unknown, ask): (&str, &str),
    now: Timestamp,
) -> Result<()> {
    for kind in OperationKind::ALL {
        let to = if kind.can_be_reconciled() {
            (OperationState::Unknown, unknown)
        } else {
            (OperationState::Ask, ask)
        };
        for from in from {
            move_all(tx, "kind = ?1 AND state = ?2", params![kind, from], to, now)?;
        }
    }
    Ok(())
}

impl Journal {
    /// Corrects the operations and print jobs that the last run did not finish, in one transaction. Operations
    /// that were not sent become `Absent`; those of orders from the watched folder are discarded, and the orders wait again. Operations that were being sent become `Unknown`, or `Ask` if the
    /// service cannot be asked about them. Print jobs that were being sent to a printer become `Ask`, and their
    /// ids are returned.
    pub fn recover(&mut self, now: Timestamp) -> Result<Vec<JobId>> {
        use OperationState::{Absent, Discarded, Ready, Sending};
        self.transaction(|tx| {
            operations::reset_interrupted(tx, now)?;
            // Nobody asked for these orders, so nobody has to decide whether to send them again.
            let of_folder = format!("state = ?1 AND {OF_FOLDER}");
            let waits = (Discarded, WAITS_AGAIN);
            move_all(tx, &of_folder, params![Ready], waits, now)?;
            move_all(tx, "state = ?1", params![Ready], (Absent, UNSENT), now)?;
            reconcile_or_ask(tx, &[Sending], (CUT, CUT_FOR_GOOD), now)?;
            let sql = "SELECT id FROM print_jobs WHERE state = ?1 ORDER BY id";
            let jobs = rows(tx, sql, [JobState::Spooling], |row| row.get(0).map(JobId))?;
            for job in &jobs {
                let ask = (JobState::Ask, SPOOLING);
                print_jobs::set_state(tx, *job, JobState::Spooling, ask, now)?;
            }
            Ok(jobs)
        })
    }

    /// Records in one transaction that the journal was restored and may lack recent changes: open operations may have
    /// progressed, and drafts may have been sent.
    pub(super) fn note_restoration(
        &mut self,
        from: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<()> {
        use OperationState::{Absent, Ready, Sending, Unknown};
        self.transaction(|tx| {
            tx.execute(
                "INSERT INTO restorations (from_ms, at_ms, rebuilt) VALUES (?1, ?2, 0)",
                params![from.map(Millis), Millis(now)],
            )?;
            // Labels that were waiting may have been printed since.
            tx.execute("DELETE FROM unprinted", [])?;
            tx.execute("DELETE FROM due_documents", [])?;
            tx.execute(
                "INSERT INTO doubts (draft, words) SELECT id, ?1 FROM drafts WHERE true ON CONFLICT DO NOTHING",
                [STORED_UNCHECKED],
            )?;
            let from = [Ready, Sending, Absent, Unknown];
            reconcile_or_ask(tx, &from, (OPEN_AGAIN, OPEN_FOR_GOOD), now)
        })
    }

    /// Returns the restoration about which the service has not been asked yet. If there are several, returns the
    /// restoration with the oldest data.
    pub fn restoration(&self) -> Result<Option<Restoration>> {
        let sql =
            "SELECT from_ms, at_ms FROM restorations WHERE rebuilt = 0 ORDER BY from_ms LIMIT 1";
        first_row(&self.db, sql, [], |row| {
            Ok(Restoration {
                from: row.get::<_, Option<Millis>>(0)?.map(|from| from.0),
                at: row.get::<_, Millis>(1)?.0,
            })
        })
    }

    /// Records that the service was asked. Unchecked drafts no longer count as possibly sent, except the
    /// drafts in `doubts`.
    pub fn finish_restoration(&mut self, doubts: &[PossiblySentDraft]) -> Result<()> {
        let sql = "INSERT INTO doubts (draft, words) VALUES (?1, ?2) ON CONFLICT (draft) DO UPDATE SET words = ?2";
        self.transaction(|tx| {
            tx.execute("DELETE FROM doubts WHERE words = ?1", [STORED_UNCHECKED])?;
            for doubt in doubts {
                tx.execute(sql, params![doubt.draft.as_str(), doubt.message])?;
            }
            tx.execute("UPDATE restorations SET rebuilt = 1", [])?;
            Ok(())
        })
    }

    pub fn possibly_sent_drafts(&self) -> Result<Vec<PossiblySentDraft>> {
        let sql =
            "SELECT draft, words FROM doubts WHERE draft IN (SELECT id FROM drafts) ORDER BY draft";
        rows(&self.db, sql, [], |row| {
            Ok(PossiblySentDraft {
                draft: DraftId::from(row.get::<_, String>(0)?),
                message: match row.get::<_, String>(1)?.as_str() {
                    STORED_UNCHECKED => UNCHECKED.to_owned(),
                    message => message.to_owned(),
                },
            })
        })
    }

    /// Returns true if an operation in the journal has this key.
    pub fn is_key_known(&self, key: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM operations WHERE key = ?1";
        Ok(self.db.prepare_cached(sql)?.exists([key])?)
    }

    /// Returns the time of the newest change of an operation, draft or print job.
    pub(super) fn newest_entry(&self) -> Option<Timestamp> {
        let sql = "SELECT max(changed_ms) FROM
                   (SELECT changed_ms FROM operations UNION ALL SELECT changed_ms FROM drafts
                    UNION ALL SELECT changed_ms FROM print_jobs)";
        let newest = first_row(&self.db, sql, [], |row| row.get::<_, Option<Millis>>(0));
        newest.ok().flatten().flatten().map(|newest| newest.0)
    }

    /// Copies drafts from a damaged journal, if they can be read and are newer than this journal's drafts.
    pub(super) fn salvage_drafts(&mut self, damaged: &Path) {
        if self.try_salvage(damaged).is_err() {
            tracing::warn!("the damaged journal did not give all of its drafts");
        }
    }

    fn try_salvage(&mut self, damaged: &Path) -> Result<()> {
        let damaged = read_only(damaged)?;
        let mut rows = damaged.prepare("SELECT * FROM drafts")?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            let draft = DraftRow::read(row)?;
            let ours = "SELECT 1 FROM drafts WHERE id = ?1 AND changed_ms >= ?2";
            let has_newer =
                { self.db.prepare_cached(ours)? }.exists(params![draft.id, draft.changed])?;
            if !has_newer && serde_json::from_str::<Draft>(&draft.body).is_ok() {
                draft.save(&self.db)?;
            }
        }
        Ok(())
    }
}
