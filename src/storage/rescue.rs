//! Opens the journal at start, and restores it if it is damaged, missing or too old.
//!
//! A journal that lacks commits known to its commit log or its newest backup counts as damaged. A damaged
//! journal is set aside before another takes its place. The replacement is verified and marked as restored,
//! until the service has been asked what happened since. Drafts that can still be read from the damaged file
//! are kept, and the commit log adds those that neither has. A small journal is checked before it is used. A
//! large one is checked in the background, and nothing is sent before that check has passed (see `work`).

use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::backup::{self, BackupError, Backups};
use super::commit_log::LoggedState;
use super::header::{self, FileCondition, side_file};
use super::set_aside::{clear_damage_mark, is_marked_damaged, mark_damaged, set_aside};
use super::{Journal, JournalError, quick_check};

/// Journals up to this size are checked when they are opened, which takes some tens of milliseconds.
const SMALL: u64 = 8 * 1024 * 1024;

/// An opened journal, and the recovery that was needed to open it.
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
    /// Date of the data that was restored: the backup's, or of the last entry in the file itself; `None` if
    /// the journal was begun anew.
    pub restored_from: Option<Timestamp>,
    /// When the last known commit was made.
    pub last_commit: Option<Timestamp>,
}

/// The state of the file at the journal's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileState {
    /// A journal, or no file where there never was one.
    Sound,
    /// No file, where a journal used to be.
    Gone,
    Damaged,
    /// A sound database that lacks commits, because its log or a part of it was lost.
    LacksCommits,
}

impl Journal {
    /// Opens the journal at `path`, or creates one where there never was one. A journal that is damaged,
    /// missing, or older than its commit log or its newest backup is set aside and restored from the newest
    /// copy that can be read.
    pub fn open_or_restore(path: &Path, now: Timestamp) -> Result<OpenedJournal, JournalError> {
        let look = header::inspect(path).map_err(|error| cannot(&error))?;
        let recorded = LoggedState::read(path).map_err(|error| cannot(&error))?;
        let backups = Backups::of(path);
        let recorded = recorded.unwrap_or_default();
        let is_known = recorded.last > 0 || !backups.newest_first().is_empty();
        let newest = recorded.last.max(backups.last_commit(now));
        let mut state = match look {
            _ if is_marked_damaged(path) => FileState::Damaged,
            FileCondition::Missing if is_known => FileState::Gone,
            FileCondition::Damaged => FileState::Damaged,
            FileCondition::LogUnreadable => FileState::LacksCommits,
            FileCondition::Missing | FileCondition::Plausible => FileState::Sound,
        };
        if state == FileState::Sound {
            match Self::open_if_up_to_date(path, newest, &recorded, now) {
                Ok(Some(mut journal)) => {
                    journal.record_everything_or_warn(now);
                    return Ok(OpenedJournal {
                        journal,
                        rescue: None,
                    });
                }
                Ok(None) => state = FileState::LacksCommits,
                Err(JournalError::Damaged) => state = FileState::Damaged,
                Err(error) => return Err(error),
            }
        }
        tracing::error!(?state, "the journal is damaged and is restored");
        let rescue = rescue(path, state, &recorded, newest, now)?;
        let mut journal = Self::open(path)?;
        journal.record_everything_or_warn(now);
        Ok(OpenedJournal {
            journal,
            rescue: Some(rescue),
        })
    }

    /// Marks the journal at `path` as damaged, so that the next start sets it aside.
    pub fn mark_damaged(path: &Path) -> Result<(), JournalError> {
        mark_damaged(path).map_err(|error| cannot(&error))
    }

    /// Opens a journal that looks sound. Returns `None` if its pages are sound but it lacks known commits. A
    /// journal of an older version is backed up before its tables are migrated.
    fn open_if_up_to_date(
        path: &Path,
        newest: i64,
        recorded: &LoggedState,
        now: Timestamp,
    ) -> Result<Option<Self>, JournalError> {
        let size = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
        let checked = size(path) + size(&side_file(path, "-wal")) <= SMALL;
        let mut journal = Self::open_unchecked(path)?;
        journal.leave_log(true)?;
        if checked {
            quick_check(&journal.db)?;
            journal.checked = true;
        }
        // A journal written before commits were counted is older than any counted commit.
        let last = journal.last_commit();
        if last.unwrap_or_default() < newest {
            return Ok(None);
        }
        if last.is_some() && recorded.contradicts(&journal)? {
            return Err(JournalError::Damaged);
        }
        journal.leave_log(false)?;
        if journal.is_of_older_version()? {
            Backups::of(path).make(now).map_err(|error| match error {
                BackupError::Journal(error) => error,
                BackupError::File(kind) => cannot(&kind.into()),
                BackupError::Unlike => JournalError::File(io::ErrorKind::InvalidData),
            })?;
        }
        journal.migrate()?;
        if let Err(error) = journal.checkpoint() {
            tracing::warn!(%error, "the journal's log could not be emptied");
        }
        Ok(Some(journal))
    }
}

/// Sets aside the present file and restores the best copy in its place. If interrupted, the next
/// start does it again.
fn rescue(
    path: &Path,
    state: FileState,
    recorded: &LoggedState,
    newest: i64,
    now: Timestamp,
) -> Result<Rescue, JournalError> {
    mark_damaged(path).map_err(|error| cannot(&error))?;
    let aside = set_aside(path, now).map_err(|error| cannot(&error))?;
    let growing = side_file(path, ".restoring");
    let own = aside
        .as_deref()
        .filter(|_| state == FileState::LacksCommits);
    let mut restored_from = None;
    for copy in copies(path, own, &growing, now) {
        match copy.restore(&growing) {
            Ok(()) => {
                restored_from = copy.moment;
                break;
            }
            Err(error) => tracing::warn!(%error, "a backup could not be read"),
        }
    }
    if restored_from.is_none() {
        clear(&growing);
    }
    let mut journal = Journal::open(&growing)?;
    let base = journal.last_commit().filter(|_| restored_from.is_some());
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
    backup::keep(&growing, path).map_err(|error| cannot(&error))?;
    clear_damage_mark(path).map_err(|error| cannot(&error))?;
    Ok(Rescue {
        set_aside: aside,
        restored_from,
        last_commit: recorded.at,
    })
}

struct RestoreSource {
    path: PathBuf,
    last_commit: i64,
    /// When the copy was last written to, if known.
    moment: Option<Timestamp>,
    /// True for the journal itself as it was set aside, whose log belongs to it.
    is_own: bool,
}

/// Returns the copies to restore from, best first: ordered by their last commit, then by date. Of copies with
/// the same last commit, those dated in the future by a wrong clock come last.
fn copies(path: &Path, own: Option<&Path>, growing: &Path, now: Timestamp) -> Vec<RestoreSource> {
    let backups = Backups::of(path).newest_first().into_iter();
    let mut copies: Vec<_> = backups
        .map(|(moment, path)| RestoreSource {
            last_commit: backup::last_commit(&path),
            moment: Some(moment),
            is_own: false,
            path,
        })
        .collect();
    if let Some(own) = own {
        let mut own = RestoreSource {
            path: own.to_owned(),
            last_commit: 0,
            moment: None,
            is_own: true,
        };
        if own.restore(growing).is_ok()
            && let Ok(journal) = Journal::open(growing)
        {
            own.last_commit = journal.last_commit().unwrap_or_default();
            own.moment = journal.newest_entry();
            // A journal that nothing was ever written to is of no use.
            copies.extend(own.moment.is_some().then_some(own));
        }
    }
    copies.sort_by_key(|copy| {
        let is_later = copy.moment.is_some_and(|moment| moment > now);
        (Reverse(copy.last_commit), is_later, Reverse(copy.moment))
    });
    copies
}

impl RestoreSource {
    /// Copies the file to `growing` and verifies it there.
    fn restore(&self, growing: &Path) -> Result<(), BackupError> {
        clear(growing);
        backup::private_file(growing)?;
        fs::copy(&self.path, growing)?;
        let log = side_file(&self.path, "-wal");
        if self.is_own && log.exists() {
            // SQLite recovers as much of the log as it can read.
            let beside = side_file(growing, "-wal");
            backup::private_file(&beside)?;
            fs::copy(log, beside)?;
            Journal::open_unchecked(growing)?.checkpoint()?;
        }
        backup::verify(growing)
    }
}

fn clear(growing: &Path) {
    for ending in ["", "-wal", "-shm", "-journal"] {
        let _absent = fs::remove_file(side_file(growing, ending));
    }
}

fn cannot(error: &io::Error) -> JournalError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => JournalError::Full,
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            JournalError::ReadOnly
        }
        kind => JournalError::File(kind),
    }
}
