//! A second record of the newest commits, in a file beside the database: the number of the last commit, every
//! draft, and every open operation.
//!
//! If the write-ahead log was deleted, cut or overwritten, SQLite opens the database as a healthy but older database.
//! The last commit recorded here shows that such a journal is out of date. The drafts and operations recorded here
//! are added to an older journal or a backup that lacks them.
//!
//! The file has one line for each change: a checksum and JSON. A line is appended only after its commit. Therefore,
//! after a crash, the file may lack the newest commits, but never has a commit that was not made. New operations are
//! synced before their request is sent. Other lines are not synced, because losing one of them cannot cause a
//! duplicate. The file is rewritten at each start and when it has grown.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::drafts::DraftRow;
use super::files::{allow, keep, private_file, sync_folder};
use super::operations::{add_history, insert};
use super::sql_types::{Millis, first_row, rows, run};
use super::{Journal, Operation, OperationId, OperationState, Result};

/// Counts the commits whose loss matters: commits of drafts, operations and print jobs. The rows record which draft
/// or operation a commit changed, so that a commit log without the newest commits can be completed.
pub(super) const TABLES: &str = "
CREATE TABLE commits (
    counter INTEGER PRIMARY KEY,
    draft TEXT,
    operation INTEGER
) STRICT;
INSERT INTO commits DEFAULT VALUES;
CREATE TRIGGER draft_added AFTER INSERT ON drafts
BEGIN INSERT INTO commits (draft) VALUES (NEW.id); END;
CREATE TRIGGER draft_changed AFTER UPDATE ON drafts
BEGIN INSERT INTO commits (draft) VALUES (NEW.id); END;
CREATE TRIGGER draft_removed AFTER DELETE ON drafts
BEGIN INSERT INTO commits (draft) VALUES (OLD.id); END;
CREATE TRIGGER operation_changed AFTER INSERT ON history
BEGIN INSERT INTO commits (operation) VALUES (NEW.operation); END;
CREATE TRIGGER job_changed AFTER INSERT ON job_history
BEGIN INSERT INTO commits (operation) VALUES (NULL); END;
";

/// The file is rewritten when it has this many bytes and is four times as long as after the last rewrite.
const GROWN: u64 = 4 * 1024 * 1024;

const CHECKSUM: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI);

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    commit: i64,
    /// When the line was written, in milliseconds since 1970.
    at: i64,
    change: Change,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Change {
    /// The first line of a rewritten file. The next `lines` lines contain every draft and every open operation.
    Whole {
        lines: usize,
    },
    Draft(DraftRow),
    /// A draft was sent or discarded.
    DraftRemoved {
        id: String,
    },
    /// An operation was recorded, or is ready to be sent again.
    Operation(Box<Operation>),
    State {
        operation: OperationId,
        state: OperationState,
    },
    Other,
}

#[derive(Debug, Default)]
pub(super) struct LoggedState {
    /// The number of the last commit; 0 if no commit is known.
    pub(super) last: i64,
    pub(super) at: Option<Timestamp>,
    /// True if no line is damaged and all lines that the first line announces are present.
    is_whole: bool,
    /// By draft id: the commit that changed the draft last, and the draft; `None` for a removed draft.
    drafts: BTreeMap<String, (i64, Option<DraftRow>)>,
    operations: BTreeMap<OperationId, Operation>,
}

/// The file that records a journal's commits.
#[derive(Debug, Default)]
pub(super) struct CommitLog {
    path: PathBuf,
    file: Option<File>,
    last: i64,
    length: u64,
    /// Length in bytes after the last rewrite.
    whole: u64,
}

impl CommitLog {
    /// Returns the commit log of the journal at this path. Does not open the file yet.
    pub(super) fn beside(journal: &Path) -> Self {
        Self {
            path: path(journal),
            ..Self::default()
        }
    }

    fn append(&mut self, lines: &[u8], last: i64, sync: bool) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Err(io::ErrorKind::NotFound.into());
        };
        // All lines are written in one call, so that a crash rarely leaves only a part of them.
        file.write_all(lines)?;
        if sync {
            file.sync_data()?;
        }
        self.last = last;
        self.length += lines.len() as u64;
        Ok(())
    }

    /// Replaces the file by a file with these lines.
    fn replace(&mut self, lines: &[u8], last: i64) -> io::Result<()> {
        self.file = None;
        let file = if self.path.exists() {
            let growing = self.path.with_extension("commits-new");
            allow(io::ErrorKind::NotFound, fs::remove_file(&growing))?;
            let mut file = private_file(&growing)?;
            file.write_all(lines)?;
            keep(&growing, &self.path)?;
            file
        } else {
            let mut file = private_file(&self.path)?;
            file.write_all(lines)?;
            file.sync_all()?;
            sync_folder(&self.path)?;
            file
        };
        self.file = Some(file);
        self.last = last;
        self.length = lines.len() as u64;
        self.whole = self.length;
        Ok(())
    }

    fn has_grown(&self) -> bool {
        self.length > GROWN && self.length > 4 * self.whole
    }
}

/// Returns `journal-practice.commits` for `journal-practice.sqlite`.
fn path(journal: &Path) -> PathBuf {
    journal.with_extension("commits")
}

fn write_line(
    lines: &mut Vec<u8>,
    commit: i64,
    now: Timestamp,
    change: Change,
) -> Result<(), serde_json::Error> {
    let at = now.as_millisecond();
    let json = serde_json::to_vec(&Entry { commit, at, change })?;
    lines.extend(format!("{:08x} ", CHECKSUM.checksum(&json)).bytes());
    lines.extend(json);
    lines.push(b'\n');
    Ok(())
}

/// Parses a line; `None` if the line is damaged.
fn read_line(line: &[u8]) -> Option<Entry> {
    let (checksum, json) = line.split_at_checked(9)?;
    let checksum = std::str::from_utf8(checksum).ok()?.strip_suffix(' ')?;
    let checksum = u32::from_str_radix(checksum, 16).ok()?;
    if checksum != CHECKSUM.checksum(json) {
        return None;
    }
    serde_json::from_slice(json).ok()
}

impl LoggedState {
    /// Reads the commit log of the journal at this path. Returns an empty state if there is no file.
    pub(super) fn read(journal: &Path) -> io::Result<Self> {
        match fs::read(path(journal)) {
            Ok(bytes) => Ok(Self::of(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }

    fn of(bytes: &[u8]) -> Self {
        let mut recorded = Self::default();
        let (mut announced, mut damaged) = (None, false);
        for (at, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let Some(line) = line.strip_suffix(b"\n").and_then(read_line) else {
                // The last line may be incomplete. Any other unreadable line was damaged, or lost in a crash.
                damaged = true;
                continue;
            };
            // Lines after a damaged line still count, although the readable lines may lack data that the journal has.
            recorded.last = recorded.last.max(line.commit);
            recorded.at = Timestamp::from_millisecond(line.at).ok();
            if let Change::Whole { lines } = line.change {
                announced = (at == 0).then_some(lines);
            } else {
                announced = announced.map(|lines| lines.saturating_sub(1));
                recorded.take(line.commit, line.change);
            }
        }
        recorded.is_whole = announced == Some(0) && !damaged;
        recorded
    }

    fn take(&mut self, commit: i64, change: Change) {
        match change {
            Change::Draft(draft) => {
                self.drafts.insert(draft.id.clone(), (commit, Some(draft)));
            }
            Change::DraftRemoved { id } => {
                self.drafts.insert(id, (commit, None));
            }
            Change::Operation(operation) => {
                self.operations.insert(operation.id, *operation);
            }
            Change::State { operation, state } => {
                if let Some(known) = self.operations.get_mut(&operation) {
                    known.state = state;
                }
            }
            Change::Whole { .. } | Change::Other => {}
        }
    }

    /// Returns true if the journal's drafts differ from the recorded drafts and no later commit explains the
    /// difference. The journal's pages are then sound, but lack something that was written.
    pub(super) fn contradicts(&self, journal: &Journal) -> Result<bool> {
        if !self.is_whole {
            // If lines are missing, the commit log may have only an older text of a draft.
            return Ok(false);
        }
        let db = &journal.db;
        let oldest: Option<i64> =
            db.query_row("SELECT min(counter) FROM commits", [], |row| row.get(0))?;
        if oldest.is_none_or(|oldest| oldest > self.last + 1) {
            // The journal no longer lists all commits after the last recorded one, so the drafts that they
            // changed are unknown.
            return Ok(false);
        }
        let mut changed = db.prepare("SELECT 1 FROM commits WHERE counter > ?1 AND draft = ?2")?;
        let body = "SELECT body FROM drafts WHERE id = ?1";
        for (id, (_, draft)) in &self.drafts {
            let found: Option<String> = first_row(db, body, [id], |row| row.get(0))?;
            let differs = found.as_deref() != draft.as_ref().map(|draft| draft.body.as_str());
            if differs && !changed.exists(params![self.last, id])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Updates the drafts and operations of an older journal, which has all commits up to `base`.
    pub(super) fn apply(&self, journal: &mut Journal, base: i64) -> Result<()> {
        let holds_all = self.is_whole && self.last >= base;
        let delete = "DELETE FROM drafts WHERE id = ?1";
        journal.transaction(|tx| {
            let newer = self.drafts.iter();
            let newer = newer.filter(|(_, (commit, _))| holds_all || *commit > base);
            for (id, (_, draft)) in newer {
                match draft {
                    Some(draft) => draft.save(tx)?,
                    None => run(tx, delete, [id]).map(drop)?,
                }
            }
            if holds_all {
                // Drafts that the commit log lacks were sent or discarded before its last rewrite. Drafts changed
                // after its last line come from a damaged journal and stay.
                let at = self.at.unwrap_or(Timestamp::MAX);
                let sql = "SELECT id FROM drafts WHERE changed_ms <= ?1";
                let ids: Vec<String> = rows(tx, sql, [Millis(at)], |row| row.get(0))?;
                for id in ids.iter().filter(|id| !self.drafts.contains_key(*id)) {
                    run(tx, delete, [id])?;
                }
            }
            for operation in self.operations.values() {
                restore(tx, operation)?;
            }
            Ok(())
        })
    }
}

/// Restores an open operation that the journal lacks, in state `Sending`, because it may have been sent.
/// Updates an operation that has ended since.
fn restore(tx: &rusqlite::Transaction<'_>, recorded: &Operation) -> Result<()> {
    let (id, state, made) = (recorded.id.0, recorded.state, recorded.made);
    let known = "SELECT state FROM operations WHERE id = ?1 AND kind = ?2 AND made_ms = ?3";
    let with = params![id, recorded.kind, Millis(made)];
    let known: Option<OperationState> = first_row(tx, known, with, |row| row.get(0))?;
    match known {
        None if state.is_open() => {
            let lost = Operation {
                state: OperationState::Sending,
                attempt: 1,
                changed: made,
                ..recorded.clone()
            };
            insert(tx, &lost).map(drop)
        }
        Some(before) if before.is_open() && !state.is_open() => {
            let update = "UPDATE operations SET state = ?1 WHERE id = ?2";
            run(tx, update, params![state, id])?;
            add_history(tx, id, state, "", made)
        }
        _ => Ok(()),
    }
}

impl Journal {
    /// Records the commits since the last call. Must be called after each change, before its result is
    /// reported to anybody.
    pub fn record_commits(&mut self, now: Timestamp) -> Result<()> {
        let since = self.commit_log.last;
        let sql = "SELECT counter, draft, operation FROM commits WHERE counter > ?1";
        let changes: Vec<(i64, Option<String>, Option<i64>)> =
            rows(&self.db, sql, [since], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?;
        let Some((last, ..)) = changes.last() else {
            return Ok(());
        };
        let last = *last;
        let has_gap = i64::try_from(changes.len()).ok() != Some(last - since);
        if self.commit_log.file.is_none() || has_gap || self.commit_log.has_grown() {
            return self.record_everything(now);
        }
        let (mut lines, mut has_intent) = (Vec::new(), false);
        for (place, (commit, draft, operation)) in changes.iter().enumerate() {
            let mut later = changes[place + 1..].iter();
            let change = if draft.is_some() && later.any(|(_, later, _)| later == draft) {
                Change::Other
            } else {
                self.changed_record(draft.as_ref(), *operation)?
            };
            has_intent |= matches!(change, Change::Operation(_));
            write_line(&mut lines, *commit, now, change)?;
        }
        let written = self.commit_log.append(&lines, last, has_intent);
        if written.is_err() {
            // The last line may be incomplete: the next call rewrites the file.
            self.commit_log.file = None;
        }
        Ok(written?)
    }

    /// Rewrites the commit log with all drafts and open operations.
    pub(super) fn record_everything(&mut self, now: Timestamp) -> Result<()> {
        let last = last_commit(&self.db).unwrap_or_default();
        let drafts = rows(&self.db, "SELECT * FROM drafts", [], DraftRow::read)?;
        let sql = "SELECT * FROM operations WHERE state NOT IN ('Done', 'Rejected', 'Discarded')";
        let operations = rows(&self.db, sql, [], Operation::read)?;
        let count = drafts.len() + operations.len();
        let whole = Change::Whole { lines: count };
        let drafts = drafts.into_iter().map(Change::Draft);
        let operations = operations.into_iter().map(Box::new).map(Change::Operation);
        let mut lines = Vec::new();
        for change in [whole].into_iter().chain(drafts).chain(operations) {
            write_line(&mut lines, last, now, change)?;
        }
        Ok(self.commit_log.replace(&lines, last)?)
    }

    /// Returns the draft or the operation that a commit changed, as it is now.
    fn changed_record(&self, draft: Option<&String>, operation: Option<i64>) -> Result<Change> {
        if let Some(id) = draft {
            let sql = "SELECT * FROM drafts WHERE id = ?1";
            let draft = first_row(&self.db, sql, [id], DraftRow::read)?;
            let removed = || Change::DraftRemoved { id: id.clone() };
            return Ok(draft.map_or_else(removed, Change::Draft));
        }
        let operation = operation.map(|id| self.operation(OperationId(id)));
        Ok(match operation.transpose()?.flatten() {
            // The operation was just recorded, or will be sent again.
            Some(one) if one.state == OperationState::Ready => Change::Operation(Box::new(one)),
            Some(one) => Change::State {
                operation: one.id,
                state: one.state,
            },
            None => Change::Other,
        })
    }

    /// Raises the commit counter above `floor`, so that the log and the backups of an earlier journal do
    /// not count as newer.
    pub(super) fn count_above(&self, floor: i64) -> Result<()> {
        let next = floor.max(last_commit(&self.db).unwrap_or_default()) + 1;
        self.write("INSERT INTO commits (counter) VALUES (?1)", [next])
    }
}

/// Returns the last counted commit; `None` in a journal that does not count commits yet.
pub(super) fn last_commit(db: &rusqlite::Connection) -> Option<i64> {
    let last = first_row(db, "SELECT max(counter) FROM commits", [], |row| row.get(0));
    last.ok().flatten().flatten()
}
