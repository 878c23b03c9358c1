//! Operations that change the service: the intent, and what became of it. Each change of state is kept in `history`.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, Row, params};

use super::text::{Millis, word};
use super::{Journal, JournalError};
use crate::draft::DraftId;
use crate::shipping::ConsignmentId;

/// An operation's id on this bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperationId(pub i64);

word! {
    /// What the operation does.
    Kind {
        /// Creates a consignment.
        Create,
        /// Books one manifest group.
        Manifest,
    }
}

word! {
    /// Where the operation stands.
    OperationState {
        /// Frozen, and not sent yet.
        Ready,
        /// On its way; whether it arrived is open.
        Sending,
        /// Confirmed by the service.
        Done,
        /// Refused by the service, with its reasons.
        Rejected,
        /// Sent, and no answer that can be believed.
        Unknown,
        /// Not found in any check: it did not happen.
        Absent,
        /// Found more than once, or only in part.
        Conflict,
        /// Given up by the clerk.
        Discarded,
    }
}

impl OperationState {
    /// True while its end is not known.
    pub const fn is_open(self) -> bool {
        !matches!(self, Self::Done | Self::Rejected | Self::Discarded)
    }
}

/// An operation about to be written down.
#[derive(Debug, Clone)]
pub struct NewOperation {
    /// What it does.
    pub kind: Kind,
    /// The bench's key, carried by the request where it can be.
    pub key: String,
    /// What the clerk calls it.
    pub title: String,
    /// The request, as it will be sent (JSON).
    pub request: String,
    /// The draft that it came from.
    pub draft: Option<DraftId>,
    /// The consignments that it changes.
    pub consignments: Vec<ConsignmentId>,
}

/// An operation as the journal has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Its id.
    pub id: OperationId,
    /// What it does.
    pub kind: Kind,
    /// Where it stands.
    pub state: OperationState,
    /// The bench's key.
    pub key: String,
    /// What the clerk calls it.
    pub title: String,
    /// The request, as sent (JSON).
    pub request: String,
    /// The draft that it came from.
    pub draft: Option<DraftId>,
    /// The consignments that it made or changed.
    pub consignments: Vec<ConsignmentId>,
    /// How often it was sent.
    pub attempt: u32,
    /// How often it was looked for since its answer was lost.
    pub checks: u32,
    /// What to tell the clerk: the service's words, or ours.
    pub words: String,
    /// The consignment number or the carrier's reference, once there is one.
    pub reference: String,
    /// When it was written down.
    pub made: Timestamp,
    /// When it last changed.
    pub changed: Timestamp,
}

/// What a start found unfinished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recovered {
    /// Operations whose answer the last run did not see.
    pub operations: usize,
    /// Print jobs that the last run did not see through.
    pub jobs: usize,
}

const COLUMNS: &str = "id, kind, state, key, title, request, draft, consignments, attempt, checks, words, reference, \
                       made_ms, changed_ms";

impl Journal {
    /// How many operations are open in the journal at `path`, which is only looked at; none where there is no journal.
    pub fn count_open(path: &Path) -> Result<usize, JournalError> {
        if !path.exists() {
            return Ok(0);
        }
        let journal = Self::open(path)?;
        let states = journal
            .db
            .prepare("SELECT state FROM operations")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<Vec<OperationState>, _>>()?;
        Ok(states.into_iter().filter(|state| state.is_open()).count())
    }

    /// Writes intents down, all in one transaction, before anything is sent.
    pub fn begin(
        &mut self,
        new: &[NewOperation],
        now: Timestamp,
    ) -> Result<Vec<Operation>, JournalError> {
        let tx = self.db.transaction()?;
        let mut ids = Vec::with_capacity(new.len());
        for new in new {
            tx.execute(
                "INSERT INTO operations (kind, state, key, title, request, draft, consignments, attempt, checks, words,
                 reference, made_ms, changed_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 0, '', '', ?8, ?8)",
                params![
                    new.kind,
                    OperationState::Ready,
                    new.key,
                    new.title,
                    new.request,
                    new.draft.as_ref().map(DraftId::as_str),
                    ids_to_text(&new.consignments),
                    Millis(now)
                ],
            )?;
            let id = OperationId(tx.last_insert_rowid());
            tx.execute(
                "INSERT INTO history (operation, state, words, at_ms) VALUES (?1, ?2, '', ?3)",
                params![id.0, OperationState::Ready, Millis(now)],
            )?;
            ids.push(id);
        }
        tx.commit()?;
        ids.into_iter()
            .map(|id| self.operation(id)?.ok_or(JournalError::Changed))
            .collect()
    }

    /// Moves an operation from `from` to `operation.state` with its new words, checks and reference, or fails with
    /// [`JournalError::Changed`] where it is not in `from` any more. Sending counts the attempt.
    pub fn change(
        &mut self,
        operation: &mut Operation,
        from: OperationState,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        if operation.state == OperationState::Sending && from != OperationState::Sending {
            operation.attempt += 1;
        }
        operation.changed = now;
        let tx = self.db.transaction()?;
        let changed = tx.execute(
            "UPDATE operations SET state = ?1, words = ?2, checks = ?3, reference = ?4, consignments = ?5, attempt = ?6,
             changed_ms = ?7 WHERE id = ?8 AND state = ?9",
            params![
                operation.state,
                operation.words,
                operation.checks,
                operation.reference,
                ids_to_text(&operation.consignments),
                operation.attempt,
                Millis(now),
                operation.id.0,
                from
            ],
        )?;
        if changed != 1 {
            return Err(JournalError::Changed);
        }
        tx.execute(
            "INSERT INTO history (operation, state, words, at_ms) VALUES (?1, ?2, ?3, ?4)",
            params![
                operation.id.0,
                operation.state,
                operation.words,
                Millis(now)
            ],
        )?;
        // A draft that became a consignment, or is known to be there twice, is never offered as unsent.
        let spent = operation.state == OperationState::Done || from == OperationState::Conflict;
        if let (true, Some(draft)) = (spent, &operation.draft) {
            tx.execute("DELETE FROM drafts WHERE id = ?1", [draft.as_str()])?;
        }
        tx.commit()?;
        Ok(())
    }

    /// One operation.
    pub fn operation(&self, id: OperationId) -> Result<Option<Operation>, JournalError> {
        let sql = format!("SELECT {COLUMNS} FROM operations WHERE id = ?1");
        Ok(self.db.query_row(&sql, [id.0], read).optional()?)
    }

    /// The newest operations, and all that are open; newest first.
    pub fn operations(&self, newest: u32) -> Result<Vec<Operation>, JournalError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM operations
             WHERE id > (SELECT coalesce(max(id), 0) FROM operations) - ?1
                OR state IN ('Ready', 'Sending', 'Unknown', 'Absent', 'Conflict')
             ORDER BY id DESC"
        );
        let mut rows = self.db.prepare(&sql)?;
        let operations = rows.query_map([newest], read)?.collect::<Result<_, _>>()?;
        Ok(operations)
    }

    /// Makes what the last run left open honest: sending becomes unknown, spooling becomes a question. One transaction.
    pub fn recover(&mut self, now: Timestamp) -> Result<Recovered, JournalError> {
        const CUT: &str = "Packbench was closed before the answer came";
        const UNSENT: &str = "Not sent: Packbench was closed first. Send it again, or give it up";
        let tx = self.db.transaction()?;
        tx.execute(
            "INSERT INTO history (operation, state, words, at_ms)
             SELECT id, 'Absent', ?1, ?2 FROM operations WHERE state = 'Ready'",
            params![UNSENT, Millis(now)],
        )?;
        tx.execute(
            "UPDATE operations SET state = 'Absent', words = ?1, changed_ms = ?2 WHERE state = 'Ready'",
            params![UNSENT, Millis(now)],
        )?;
        tx.execute(
            "INSERT INTO history (operation, state, words, at_ms)
             SELECT id, 'Unknown', ?1, ?2 FROM operations WHERE state = 'Sending'",
            params![CUT, Millis(now)],
        )?;
        tx.execute(
            "UPDATE operations SET state = 'Unknown', checks = 0, words = ?1, changed_ms = ?2 WHERE state = 'Sending'",
            params![CUT, Millis(now)],
        )?;
        let jobs = tx.execute(
            "UPDATE print_jobs SET state = 'Ask', words = ?1, changed_ms = ?2 WHERE state = 'Spooling'",
            params!["Packbench was closed while it printed. Look at the printer", Millis(now)],
        )?;
        let operations: i64 = tx.query_row(
            "SELECT count(*) FROM operations WHERE state IN ('Unknown', 'Conflict')",
            [],
            |row| row.get(0),
        )?;
        tx.commit()?;
        Ok(Recovered {
            operations: usize::try_from(operations).unwrap_or_default(),
            jobs,
        })
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Operation> {
    Ok(Operation {
        id: OperationId(row.get(0)?),
        kind: row.get(1)?,
        state: row.get(2)?,
        key: row.get(3)?,
        title: row.get(4)?,
        request: row.get(5)?,
        draft: row.get::<_, Option<String>>(6)?.map(DraftId::from),
        consignments: ids_from_text(&row.get::<_, String>(7)?),
        attempt: row.get(8)?,
        checks: row.get(9)?,
        words: row.get(10)?,
        reference: row.get(11)?,
        made: row.get::<_, Millis>(12)?.0,
        changed: row.get::<_, Millis>(13)?.0,
    })
}

fn ids_to_text(ids: &[ConsignmentId]) -> String {
    ids.iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

fn ids_from_text(text: &str) -> Vec<ConsignmentId> {
    text.split_whitespace()
        .filter_map(|id| id.parse().ok())
        .map(ConsignmentId::new)
        .collect()
}
