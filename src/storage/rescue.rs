//! Opens the journal at start, and restores it if it is damaged, missing or too old.
//!
//! A journal that lacks commits known to its commit log or its newest backup counts as damaged. A damaged journal is
//! set aside before another file takes its place. The replacement is verified and marked as restored, until the
//! service has been asked what happened since. Drafts that can still be read from the damaged file are kept, and the
//! commit log adds drafts that neither file has. A small journal is checked before it is used. A large journal is
//! checked in the background, and no request is sent before that check has passed.

use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::backup::{self, Backups};
use super::commit_log::{LoggedState, last_commit};
use super::files::{
    FileCondition, clear_damage_mark, header_version, inspect, keep, mark_damaged, private_file,
    remove_database, set_aside, side_file,
};
use super::{Journal, JournalError, Result, quick_check, schema};

/// Journals up to this size are checked when they are opened, which takes some tens of milliseconds.
const SMALL: u64 = 8 * 1024 * 1024;

#[derive(Debug)]
pub struct OpenedJournal {
    pub journal: Journal,
    pub rescue: Option<Rescue>,
}

/// The recovery of a journal that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rescue {
    /// New path of the damaged journal; `None` if the file was missing.
    pub set_aside: Option<PathBuf>,
    /// Date of the data that was restored: the backup's, or of the last entry in the file itself; `None` if a new,
    /// empty journal was created.
    pub restored_from: Option<Timestamp>,
    pub last_commit: Option<Timestamp>,
}

impl Journal {
    /// Opens the journal at `path`, or creates a journal if there has never been one. A journal that is damaged,
    /// missing, or older than its commit log or its newest backup is set aside and restored from the newest copy that
    /// can be read. The journal of a newer version is left as it is: what this version misses in it may have moved.
    pub fn open_or_restore(path: &Path, now: Timestamp) -> Result<OpenedJournal> {
        if schema::is_newer(header_version(path)?) {
            return Err(JournalError::Newer);
        }
        let mut condition = inspect(path)?;
        let recorded = LoggedState::read(path)?;
        let backups = Backups::of(path);
        let newest = recorded.last.max(backups.last_commit(now));
        let is_new = condition == FileCondition::Missing
            && recorded.last == 0
            && backups.newest_first().is_empty();
        let mut sound = None;
        if is_new || condition == FileCondition::Plausible {
            match Self::open_if_up_to_date(path, newest, &recorded, now) {
                Ok(None) => condition = FileCondition::LacksCommits,
                Err(JournalError::Damaged) => condition = FileCondition::Damaged,
                opened => sound = opened?,
            }
        }
        let (mut journal, rescue) = if let Some(journal) = sound {
            (journal, None)
        } else {
            tracing::error!(?condition, "the journal is damaged and is restored");
            let rescue = rescue(path, condition, &recorded, newest, now)?;
            (Self::open(path)?, Some(rescue))
        };
        if let Err(error) = journal.record_everything(now) {
            // The next commit tries again.
            tracing::warn!(%error, "the commit log could not be written");
        }
        Ok(OpenedJournal { journal, rescue })
    }

    /// Marks the journal at `path` as damaged, so that the next start sets it aside.
    pub fn mark_damaged(path: &Path) -> Result<()> {
        Ok(mark_damaged(path)?)
    }

    /// Opens a journal that looks sound. Returns `None` if its pages are sound but it lacks known commits. A
    /// journal of an older version is backed up before its tables are migrated.
    fn open_if_up_to_date(
        path: &Path,
        newest: i64,
        recorded: &LoggedState,
        now: Timestamp,
    ) -> Result<Option<Self>> {
        let size = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
        let checked = size(path) + size(&side_file(path, "-wal")) <= SMALL;
        let mut journal = Self::open_unchecked(path)?;
        journal.leave_log(true)?;
        // The migration of a newer version may be in the log only.
        let version = journal
            .db
            .pragma_query_value(None, "user_version", |row| row.get(0))?;
        if schema::is_newer(version) {
            return Err(JournalError::Newer);
        }
        if checked {
            quick_check(&journal.db)?;
            journal.checked = true;
        }
        // A journal written before commits were counted is older than any counted commit.
        let last = last_commit(&journal.db);
        if last.unwrap_or_default() < newest {
            return Ok(None);
        }
        if last.is_some() && recorded.contradicts(&journal)? {
            return Err(JournalError::Damaged);
        }
        journal.leave_log(false)?;
        if schema::is_older(&journal.db)? {
            Backups::of(path).make(now).map_err(|error| match error {
                JournalError::File(kind) => io::Error::from(kind).into(),
                other => other,
            })?;
        }
        schema::migrate(&mut journal.db)?;
        if let Err(error) = journal.checkpoint() {
            tracing::warn!(%error, "the journal's log could not be emptied");
        }
        Ok(Some(journal))
    }
}

/// Sets aside the present file and restores the best copy in its place. If this is interrupted, the next start
/// repeats it.
fn rescue(
    path: &Path,
    condition: FileCondition,
    recorded: &LoggedState,
    newest: i64,
    now: Timestamp,
) -> Result<Rescue> {
    mark_damaged(path)?;
    let aside = set_aside(path, now)?;
    let growing = side_file(path, ".restoring");
    let own = aside
        .as_deref()
        .filter(|_| condition == FileCondition::LacksCommits);
    let mut copies = copies(path, own, &growing, now).into_iter();
    let restored = copies.find_map(|copy| match copy.restore(&growing) {
        Ok(journal) => Some((journal, copy.moment)),
        Err(error) => {
            tracing::warn!(%error, "a backup could not be read");
            None
        }
    });
    let (mut journal, restored_from) = if let Some((journal, moment)) = restored {
        (journal, Some(moment))
    } else {
        remove_database(&growing);
        (Journal::open(&growing)?, None)
    };
    let base = last_commit(&journal.db).filter(|_| restored_from.is_some());
    if let Some(aside) = &aside {
        journal.salvage_drafts(aside);
    }
    recorded.apply(&mut journal, base.unwrap_or_default())?;
    journal.note_restoration(restored_from, now)?;
    journal.count_above(newest)?;
    // Merge the log into the database file: only that file is renamed into place.
    journal.checkpoint()?;
    journal.db.pragma_update(None, "journal_mode", "DELETE")?;
    drop(journal);
    keep(&growing, path)?;
    clear_damage_mark(path)?;
    Ok(Rescue {
        set_aside: aside,
        restored_from,
        last_commit: recorded.at,
    })
}

struct RestoreSource {
    path: PathBuf,
    last_commit: i64,
    moment: Timestamp,
    /// True for the journal itself, which was set aside together with its write-ahead log.
    is_own: bool,
}

/// Returns the copies to restore from, best first: ordered by their last commit, then by date. Of copies with
/// the same last commit, copies dated in the future by a wrong clock come last.
fn copies(path: &Path, own: Option<&Path>, growing: &Path, now: Timestamp) -> Vec<RestoreSource> {
    let backups = Backups::of(path).newest_first().into_iter();
    let mut copies: Vec<_> = backups
        .map(|(moment, path)| RestoreSource {
            last_commit: backup::last_commit(&path),
            moment,
            is_own: false,
            path,
        })
        .collect();
    if let Some(own) = own {
        let mut own = RestoreSource {
            path: own.to_owned(),
            last_commit: 0,
            moment: now,
            is_own: true,
        };
        // A journal without any entry is of no use as a copy.
        if let Ok(journal) = own.restore(growing)
            && let Some(moment) = journal.newest_entry()
        {
            own.last_commit = last_commit(&journal.db).unwrap_or_default();
            own.moment = moment;
            copies.push(own);
        }
    }
    copies.sort_by_key(|copy| {
        let is_later = copy.moment > now;
        (Reverse(copy.last_commit), is_later, Reverse(copy.moment))
    });
    copies
}

impl RestoreSource {
    /// Copies the file to `growing` and opens it there. Fails if the copy is damaged, or if it comes from a
    /// newer version whose tables this version does not know.
    fn restore(&self, growing: &Path) -> Result<Journal> {
        remove_database(growing);
        private_file(growing)?;
        fs::copy(&self.path, growing)?;
        let log = side_file(&self.path, "-wal");
        if self.is_own && log.exists() {
            // SQLite recovers as much of the log as it can read.
            let beside = side_file(growing, "-wal");
            private_file(&beside)?;
            fs::copy(log, beside)?;
        }
        Journal::open(growing)
    }
}
