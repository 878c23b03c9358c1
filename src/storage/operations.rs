//! The operations that change data at the service, and their table. Each change of state is also added to the table
//! `history`.
//!
//! Pending consignments that were replaced, for example by a real consignment, are deleted by a follow-up operation.
//! Invariant: the replacement and the deletion are recorded in one transaction, so that a crash between them cannot
//! leave a pending consignment that somebody converts again. The key of such a deletion has a special form, which
//! distinguishes it from a deletion by a clerk. Such a deletion can safely be sent again.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::types::{FromSql, Null, ToSqlOutput};
use rusqlite::{Connection, Row, ToSql, Transaction, params, params_from_iter};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::sql_types::{Millis, first_row, rows, run, word};
use super::{Journal, JournalError, Payload, Result, StoredRequest, read_only};
use super::{drafts, labels, order_folder};
use draft::{Draft, DraftId, Packing, PendingCopy};
use shipping::{ConsignmentId, PendingConsignmentId};

/// The message of an operation that was never sent, because its draft was sent again with another operation.
const SENT_INSTEAD: &str = "Not sent. The draft was sent again instead";

/// Prefix of the key of a deletion that follows another operation.
const AFTER: &str = "after-";

/// Schema migration that adds the address to which the operations were sent.
pub(super) const SERVICE_ADDRESS: &str = "
CREATE TABLE service_address (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    address TEXT NOT NULL
) STRICT;
";

/// Schema migration that adds what was ordered and packed of an order that was packed by scan.
pub(super) const PACKING: &str = "ALTER TABLE operations ADD COLUMN packing TEXT;";

const CUT: &str =
    "Packbench was closed before the answer came. The deletion will be sent again, which is safe";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OperationId(pub i64);

word! {
    OperationKind {
        Create,
        Edit,
        Delete,
        /// Books one manifest group.
        Manifest,
        /// Sets statuses by hand, including Cancelled.
        Status,
        /// Saves a draft at the service.
        PendingCreate,
        /// Deletes drafts at the service.
        PendingDelete,
        /// Prints labels on one of the service's printers.
        ServicePrint,
    }
}

word! {
    OperationState {
        /// Recorded, and not sent yet.
        Ready,
        /// Sent; the service may or may not have received it.
        Sending,
        Done,
        /// Refused by the service, with its reasons.
        Rejected,
        /// Sent, but the answer was lost or cannot be trusted.
        Unknown,
        /// Not found by any check: the operation did not happen.
        Absent,
        /// Found more than once, only in part, or with other content than was sent.
        Conflict,
        /// Impossible to check at the service: the clerk has to find out.
        Ask,
        Discarded,
    }
}

impl OperationKind {
    /// Returns true if the service can be asked whether the operation happened.
    pub const fn can_be_reconciled(self) -> bool {
        !matches!(
            self,
            Self::PendingCreate | Self::PendingDelete | Self::ServicePrint
        )
    }
}

impl OperationState {
    /// Returns true until the operation is done, rejected or discarded.
    pub const fn is_open(self) -> bool {
        !matches!(self, Self::Done | Self::Rejected | Self::Discarded)
    }
}

#[derive(Debug, Clone)]
pub struct NewOperation {
    pub kind: OperationKind,
    /// The bench's key for the operation. The request contains the key if the service's interface allows that.
    pub key: String,
    /// The name shown to the clerk.
    pub title: String,
    /// The request in JSON, as it will be sent.
    pub request: String,
    pub draft: Option<DraftId>,
    pub consignments: Vec<ConsignmentId>,
}

/// An operation that changes data at the service. The commit log also records operations, so that lost operations can
/// be restored, but without the members that serde skips.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    pub id: OperationId,
    pub kind: OperationKind,
    pub state: OperationState,
    pub key: String,
    pub title: String,
    pub request: StoredRequest,
    pub draft: Option<DraftId>,
    /// The consignments that the operation made or changed.
    #[serde(serialize_with = "write_ids", deserialize_with = "read_ids")]
    pub consignments: Vec<ConsignmentId>,
    /// Consignments with the same references that do not belong to this operation, as the clerk has decided.
    #[serde(skip)]
    pub denied: Vec<ConsignmentId>,
    /// How many times the operation was sent.
    #[serde(skip)]
    pub attempt: u32,
    /// How many times the service was checked since the answer was lost.
    #[serde(skip)]
    pub checks: u32,
    /// Message for the clerk, from the service or from the bench.
    #[serde(skip)]
    pub message: String,
    #[serde(skip)]
    pub reference: String,
    /// The ordered and the packed pieces of an order that was packed by scan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packing: Option<Packing>,
    /// When the operation was recorded.
    #[serde(with = "jiff::fmt::serde::timestamp::millisecond::required")]
    pub made: Timestamp,
    #[serde(skip)]
    pub changed: Timestamp,
}

/// An operation without personal data, for support.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OperationOutline {
    pub id: OperationId,
    pub kind: OperationKind,
    pub state: OperationState,
    /// How many times the operation was sent.
    pub attempt: u32,
    pub made: Timestamp,
    pub changed: Timestamp,
}

/// An entry in the history of an operation or a print job. Entries are only added, never changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry<State = OperationState> {
    /// The state that began at the time `at`.
    pub state: State,
    /// Message that the clerk saw.
    pub words: String,
    pub at: Timestamp,
}

/// The columns of the table, besides its id. A new column needs a member in [`Operation`], a name here, and a line in
/// each of the two functions below.
const COLUMNS: [&str; 15] = [
    "kind",
    "state",
    "key",
    "title",
    "request",
    "draft",
    "consignments",
    "denied",
    "attempt",
    "checks",
    "words",
    "reference",
    "packing",
    "made_ms",
    "changed_ms",
];

const PLACES: [&str; COLUMNS.len()] = ["?"; COLUMNS.len()];

impl Operation {
    /// Returns the values of [`COLUMNS`].
    fn values(&self) -> rusqlite::Result<[ToSqlOutput<'_>; COLUMNS.len()]> {
        let Self {
            id: _,
            kind,
            state,
            key,
            title,
            request,
            draft,
            consignments,
            denied,
            attempt,
            checks,
            message,
            reference,
            packing,
            made,
            changed,
        } = self;
        let packing = packing.as_ref().map(serde_json::to_string).transpose();
        let packing =
            packing.map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        Ok([
            kind.to_sql()?,
            state.to_sql()?,
            key.to_sql()?,
            title.to_sql()?,
            request.json().into(),
            draft
                .as_ref()
                .map(DraftId::as_str)
                .map_or(Null.into(), Into::into),
            ids_to_text(consignments).into(),
            ids_to_text(denied).into(),
            attempt.to_sql()?,
            checks.to_sql()?,
            message.to_sql()?,
            reference.to_sql()?,
            packing.map_or(Null.into(), Into::into),
            made.as_millisecond().into(),
            changed.as_millisecond().into(),
        ])
    }

    /// Reads a row that was selected with all columns.
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: OperationId(row.get("id")?),
            kind: row.get("kind")?,
            state: row.get("state")?,
            key: row.get("key")?,
            title: row.get("title")?,
            request: row.get::<_, String>("request")?.into(),
            draft: row.get::<_, Option<String>>("draft")?.map(DraftId::from),
            consignments: ids_from_text(&row.get::<_, String>("consignments")?),
            denied: ids_from_text(&row.get::<_, String>("denied")?),
            attempt: row.get("attempt")?,
            checks: row.get("checks")?,
            message: row.get("words")?,
            reference: row.get("reference")?,
            packing: read_packing(row.get("packing")?),
            made: row.get::<_, Millis>("made_ms")?.0,
            changed: row.get::<_, Millis>("changed_ms")?.0,
        })
    }
}

/// Reads a packing. A text that this version can't parse counts as none, because it is needed for documents only.
fn read_packing(text: Option<String>) -> Option<Packing> {
    serde_json::from_str(&text?).ok()
}

impl Operation {
    /// Returns the operation whose replaced pending consignments this operation deletes.
    pub fn follows(&self) -> Option<OperationId> {
        let of = self.key.strip_prefix(AFTER)?.parse().ok()?;
        (self.kind == OperationKind::PendingDelete).then_some(OperationId(of))
    }

    /// Returns the pending consignments that this operation deletes; empty for any other operation.
    pub fn deleted_pending(&self) -> &[PendingConsignmentId] {
        match self.payload() {
            Some(Payload::PendingDelete(ids)) => ids,
            _ => &[],
        }
    }
}

impl NewOperation {
    /// Returns the operation as it is recorded before it is sent. Its id is chosen by the table.
    fn recorded_at(&self, now: Timestamp) -> Operation {
        Operation {
            id: OperationId(0),
            kind: self.kind,
            state: OperationState::Ready,
            key: self.key.clone(),
            title: self.title.clone(),
            request: self.request.clone().into(),
            draft: self.draft.clone(),
            consignments: self.consignments.clone(),
            denied: Vec::new(),
            attempt: 0,
            checks: 0,
            message: String::new(),
            reference: String::new(),
            packing: None,
            made: now,
            changed: now,
        }
    }

    /// Builds the deletion of the pending consignments that operation `of` replaced.
    pub fn deletion_after(of: OperationId, replaced: &[PendingConsignmentId]) -> Result<Self> {
        Ok(Self {
            key: format!("{AFTER}{}", of.0),
            ..Payload::PendingDelete(replaced.to_vec()).to_operation()?
        })
    }
}

impl Journal {
    /// Counts the open operations in the journal at `path`; 0 if there is no journal.
    pub fn count_open(path: &Path) -> Result<usize> {
        if !path.exists() {
            return Ok(0);
        }
        let journal = Self::open(path)?;
        Ok(journal.operations(0)?.len())
    }

    /// Records the address of the service to which this journal's operations are sent. Fails while operations that were
    /// sent to another address are unfinished: they would not be found at the new address, and would be sent again.
    pub fn set_service_address(&mut self, address: &str) -> Result<()> {
        let sql = "SELECT address FROM service_address";
        let known: Option<String> = first_row(&self.db, sql, [], |row| row.get(0))?;
        if known.as_deref() == Some(address) {
            return Ok(());
        }
        let unfinished = self.operations(0)?.len();
        if let Some(sent_to) = known
            && unfinished > 0
        {
            return Err(JournalError::OtherAddress {
                sent_to,
                unfinished,
            });
        }
        self.write(
            "INSERT OR REPLACE INTO service_address (only, address) VALUES (1, ?1)",
            [address],
        )
    }

    /// Records new operations in one transaction, before anything is sent.
    pub fn begin(&mut self, new: &[NewOperation], now: Timestamp) -> Result<Vec<Operation>> {
        let ids = self.transaction(|tx| {
            let ids = new.iter().map(|new| insert(tx, &new.recorded_at(now)));
            ids.collect::<Result<Vec<_>>>()
        })?;
        ids.into_iter()
            .map(|id| self.stored_operation(id))
            .collect()
    }

    /// Saves a draft and records the operation that sends it, in one transaction. Discards older operations of the
    /// draft that were never sent, so that they are not offered together with the new operation.
    pub fn begin_from_draft(
        &mut self,
        draft: &Draft,
        new: &NewOperation,
        now: Timestamp,
    ) -> Result<Operation> {
        let id = self.transaction(|tx| {
            drafts::save(tx, draft, now)?;
            let unsent = params![draft.id.as_str(), OperationState::Ready];
            let end = (OperationState::Discarded, SENT_INSTEAD);
            move_all(tx, "draft = ?1 AND state = ?2", unsent, end, now)?;
            // The draft is deleted when the operation is done, but the evidence of its weights and of its packing is
            // still needed then.
            let operation = Operation {
                packing: draft.packing.clone(),
                ..new.recorded_at(now)
            };
            insert_with_message(tx, &operation, &draft.evidence())
        })?;
        self.stored_operation(id)
    }

    fn stored_operation(&self, id: OperationId) -> Result<Operation> {
        self.operation(id)?.ok_or(JournalError::Changed)
    }

    /// Moves an operation from state `from` to `operation.state` and saves it. Fails with [`JournalError::Changed`]
    /// if the stored operation is no longer in `from`. A change to `Sending` counts as an attempt.
    pub fn change(
        &mut self,
        operation: &mut Operation,
        from: OperationState,
        now: Timestamp,
    ) -> Result<()> {
        self.change_and_follow_up(operation, from, None, now)
    }

    /// Changes an operation as [`Journal::change`] does, and records the follow-up operation if it is
    /// not recorded yet.
    pub fn change_and_follow_up(
        &mut self,
        operation: &mut Operation,
        from: OperationState,
        follows: Option<&NewOperation>,
        now: Timestamp,
    ) -> Result<()> {
        self.transaction(|tx| {
            apply(tx, operation, from, now)?;
            if operation.state == OperationState::Done {
                order_folder::record_result(tx, operation, now)?;
            }
            remove_used_draft(tx, operation, from)?;
            if let Some(follows) = follows {
                insert_once(tx, follows, now)?;
            }
            Ok(())
        })
    }

    /// Records that a draft was saved at the service. Unlike with [`Journal::change`], the draft stays and stores its
    /// pending consignment. If the draft was saved as another pending consignment before, also records the deletion
    /// of that pending consignment. Returns the draft as saved.
    pub fn mark_saved_as_pending(
        &mut self,
        operation: &mut Operation,
        from: OperationState,
        saved: &PendingCopy,
        now: Timestamp,
    ) -> Result<Option<Draft>> {
        self.transaction(|tx| {
            apply(tx, operation, from, now)?;
            let mut kept = match &operation.draft {
                Some(id) => drafts::read(tx, id)?,
                None => None,
            };
            if let Some(kept) = &mut kept {
                let before = kept.pending.replace(saved.clone());
                drafts::save(tx, kept, now)?;
                if let Some(before) = before.filter(|before| before.id != saved.id) {
                    let deletion = NewOperation::deletion_after(operation.id, &[before.id])?;
                    insert_once(tx, &deletion, now)?;
                }
            }
            Ok(kept)
        })
    }

    /// Returns the deletions of replaced consignments that are not done and need no decision, oldest first.
    pub fn unfinished_deletions(&self) -> Result<Vec<Operation>> {
        let sql = "SELECT * FROM operations WHERE state IN ('Ready', 'Absent') AND kind = ?1 AND key LIKE ?2
                   ORDER BY id";
        let about = params![OperationKind::PendingDelete, format!("{AFTER}%")];
        rows(&self.db, sql, about, Operation::read)
    }

    pub fn operation(&self, id: OperationId) -> Result<Option<Operation>> {
        let sql = "SELECT * FROM operations WHERE id = ?1";
        first_row(&self.db, sql, [id.0], Operation::read)
    }

    /// Returns the ordered and the packed pieces of a consignment that was created here. Returns `None` if that
    /// consignment was not packed by scan.
    pub fn packing_of(&self, consignment: ConsignmentId) -> Result<Option<Packing>> {
        let sql = "SELECT packing FROM operations WHERE kind = ?1 AND consignments = ?2 AND packing IS NOT NULL
                   ORDER BY id DESC LIMIT 1";
        let of = params![OperationKind::Create, consignment.to_string()];
        let found = first_row(&self.db, sql, of, |row| row.get(0))?;
        Ok(found.and_then(read_packing))
    }

    /// Returns the history of an operation, oldest first.
    pub fn history(&self, id: OperationId) -> Result<Vec<HistoryEntry>> {
        let sql = "SELECT state, words, at_ms FROM history WHERE operation = ?1 ORDER BY rowid";
        history(&self.db, sql, id.0)
    }

    /// Returns create operations that changed since `since`, were sent, and were in state `Unknown` at some time:
    /// their consignments may appear at the service late.
    pub fn once_unknown_creates(&self, since: Timestamp) -> Result<Vec<Operation>> {
        let sql = "SELECT * FROM operations
             WHERE changed_ms >= ?1 AND kind = ?2 AND attempt > 0 AND state IN ('Done', 'Absent', 'Discarded')
               AND EXISTS (SELECT 1 FROM history WHERE operation = operations.id AND history.state = 'Unknown')";
        let with = params![Millis(since), OperationKind::Create];
        rows(&self.db, sql, with, Operation::read)
    }

    /// Returns outlines of the newest operations in the journal at `path`, newest first, without changing the file.
    pub fn outline(path: &Path, newest: u32) -> Result<Vec<OperationOutline>> {
        let sql = "SELECT id, kind, state, attempt, made_ms, changed_ms FROM operations ORDER BY id DESC LIMIT ?1";
        rows(&read_only(path)?, sql, [newest], |row| {
            let (Millis(made), Millis(changed)) = (row.get("made_ms")?, row.get("changed_ms")?);
            Ok(OperationOutline {
                id: OperationId(row.get("id")?),
                kind: row.get("kind")?,
                state: row.get("state")?,
                attempt: row.get("attempt")?,
                made,
                changed,
            })
        })
    }

    /// Returns the newest operations and all open operations, newest first.
    pub fn operations(&self, newest: u32) -> Result<Vec<Operation>> {
        let sql = "SELECT * FROM operations
             WHERE id > (SELECT coalesce(max(id), 0) FROM operations) - ?1
                OR state IN ('Ready', 'Sending', 'Unknown', 'Absent', 'Conflict', 'Ask')
             ORDER BY id DESC";
        rows(&self.db, sql, [newest], Operation::read)
    }
}

pub(super) fn history<State: FromSql>(
    db: &Connection,
    sql: &str,
    id: i64,
) -> Result<Vec<HistoryEntry<State>>> {
    rows(db, sql, [id], |row| {
        Ok(HistoryEntry {
            state: row.get(0)?,
            words: row.get(1)?,
            at: row.get::<_, Millis>(2)?.0,
        })
    })
}

/// Changes an operation within an open transaction; see [`Journal::change`].
fn apply(
    tx: &Transaction<'_>,
    operation: &mut Operation,
    from: OperationState,
    now: Timestamp,
) -> Result<()> {
    if operation.state == OperationState::Sending && from != OperationState::Sending {
        operation.attempt += 1;
    }
    operation.changed = now;
    let mut values = operation.values()?.to_vec();
    values.extend([operation.id.0.into(), from.to_sql()?]);
    let sql = format!(
        "UPDATE operations SET ({}) = ({}) WHERE id = ? AND state = ?",
        COLUMNS.join(", "),
        PLACES.join(", ")
    );
    let changed = run(tx, &sql, params_from_iter(values))?;
    if changed != 1 {
        return Err(JournalError::Changed);
    }
    add_history(tx, operation.id.0, operation.state, &operation.message, now)?;
    let changed_goods = matches!(
        operation.state,
        OperationState::Done | OperationState::Conflict
    );
    if operation.kind == OperationKind::Edit && changed_goods {
        labels::discard_changed_labels(tx, &operation.consignments)?;
    }
    Ok(())
}

/// Deletes the draft of an operation that is done, or was discarded although the service has several
/// consignments for it. Such a draft must not be offered as unsent.
fn remove_used_draft(
    tx: &Transaction<'_>,
    operation: &Operation,
    from: OperationState,
) -> Result<()> {
    // A draft saved as pending stays on the bench: see [`Journal::mark_saved_as_pending`].
    if operation.kind == OperationKind::PendingCreate {
        return Ok(());
    }
    let spent = operation.state == OperationState::Done
        || (from == OperationState::Conflict
            && operation.state == OperationState::Discarded
            && operation.consignments.len() > 1);
    if let (true, Some(draft)) = (spent, &operation.draft) {
        run(tx, "DELETE FROM drafts WHERE id = ?1", [draft.as_str()])?;
    }
    Ok(())
}

/// Marks the follow-up deletions that the last run was still sending as not done, so that they are sent again without
/// a check by a person.
pub(super) fn reset_interrupted(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    let which = "kind = ?1 AND state = ?2 AND key LIKE ?3";
    let like = format!("{AFTER}%");
    let with = params![OperationKind::PendingDelete, OperationState::Sending, like];
    move_all(tx, which, with, (OperationState::Absent, CUT), now)
}

fn insert_once(tx: &Transaction<'_>, new: &NewOperation, now: Timestamp) -> Result<()> {
    let known = "SELECT 1 FROM operations WHERE kind = ?1 AND key = ?2";
    if !tx
        .prepare_cached(known)?
        .exists(params![new.kind, new.key])?
    {
        insert(tx, &new.recorded_at(now))?;
    }
    Ok(())
}

/// Moves all operations for which the SQL condition `which` holds to a state, with a message.
pub(super) fn move_all(
    tx: &Transaction<'_>,
    which: &str,
    with: &[&dyn ToSql],
    (to, message): (OperationState, &str),
    now: Timestamp,
) -> Result<()> {
    let sql = format!("SELECT id FROM operations WHERE {which}");
    for id in rows(tx, &sql, with, |row| row.get::<_, i64>(0))? {
        run(
            tx,
            "UPDATE operations SET state = ?1, words = ?2, checks = 0, changed_ms = ?3 WHERE id = ?4",
            params![to, message, Millis(now), id],
        )?;
        add_history(tx, id, to, message, now)?;
    }
    Ok(())
}

pub(super) fn add_history(
    tx: &Transaction<'_>,
    operation: i64,
    state: OperationState,
    message: &str,
    now: Timestamp,
) -> Result<()> {
    let sql = "INSERT INTO history (operation, state, words, at_ms) VALUES (?1, ?2, ?3, ?4)";
    run(tx, sql, params![operation, state, message, Millis(now)])?;
    Ok(())
}

/// Inserts an operation: in state `Ready`, or in state `Sending` if it was sent before its row was lost.
pub(super) fn insert(tx: &Transaction<'_>, operation: &Operation) -> Result<OperationId> {
    insert_with_message(tx, operation, "")
}

/// Inserts an operation as [`insert`] does, with a message in the first entry of its history.
fn insert_with_message(
    tx: &Transaction<'_>,
    operation: &Operation,
    message: &str,
) -> Result<OperationId> {
    let sql = format!(
        "INSERT INTO operations ({}) VALUES ({})",
        COLUMNS.join(", "),
        PLACES.join(", ")
    );
    run(tx, &sql, operation.values()?)?;
    let id = OperationId(tx.last_insert_rowid());
    add_history(tx, id.0, operation.state, message, operation.made)?;
    Ok(id)
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

fn write_ids<S: Serializer>(ids: &[ConsignmentId], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&ids_to_text(ids))
}

fn read_ids<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ConsignmentId>, D::Error> {
    Ok(ids_from_text(&String::deserialize(deserializer)?))
}
