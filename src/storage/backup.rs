//! Backups of a journal: verified copies in the folder `backups/` beside it.
//!
//! A backup is read through a connection of its own, in one read transaction, so that no commit waits for
//! it. Invariants: a backup counts only after it was verified (integrity check, schema version and row
//! count of every table), synced and renamed; an older backup is removed only after that. A damaged journal
//! yields no backup.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use rusqlite::backup::Backup;
use thiserror::Error;

use super::{Journal, JournalError, header, quick_check, read_only};

/// Number of backups that are kept of each journal.
const KEPT: usize = 7;

/// Pages copied at a time (1 MiB), so that others can use the disk between two steps.
const PAGES_AT_ONCE: i32 = 256;
const PAUSE: Duration = Duration::from_millis(2);

const ENDING: &str = ".sqlite";
/// File extension of an unfinished backup.
const GROWING: &str = "growing";
const MOMENT: &str = "%Y%m%dT%H%M%SZ";

/// A reason why no backup could be made.
#[derive(Debug, Error)]
pub enum BackupError {
    /// The journal could not be read, or the copy could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The folder or the file could not be written.
    #[error("the backup could not be written ({0})")]
    File(io::ErrorKind),
    /// The copy differs from the journal.
    #[error("the backup differs from the journal")]
    Unlike,
}

impl From<io::Error> for BackupError {
    fn from(error: io::Error) -> Self {
        Self::File(error.kind())
    }
}

impl From<rusqlite::Error> for BackupError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Journal(error.into())
    }
}

/// Properties that must be equal in a journal and its backup.
#[derive(Debug, PartialEq, Eq)]
struct Content {
    version: i64,
    /// The tables by name, with their row counts.
    rows: Vec<(String, i64)>,
}

#[derive(Debug, Clone)]
pub struct Backups {
    journal: PathBuf,
    folder: PathBuf,
}

impl Backups {
    /// Returns the backups of the journal at this path.
    pub fn of(journal: &Path) -> Self {
        Self {
            journal: journal.to_owned(),
            folder: journal.with_file_name("backups"),
        }
    }

    /// Lists the backups, newest first, with their dates. Does not check whether they can be read.
    pub fn newest_first(&self) -> Vec<(Timestamp, PathBuf)> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let mut found: Vec<_> = entries
            .filter_map(Result::ok)
            .filter_map(|entry| {
                let name = entry.file_name();
                let moment = self.moment_of(name.to_str()?)?;
                Some((moment, entry.path()))
            })
            .collect();
        found.sort_by_key(|(moment, _)| std::cmp::Reverse(*moment));
        found
    }

    /// Lists the backups, newest first, but puts those dated after `now` last: a wrong clock dated them, so
    /// their age is not known.
    pub fn newest_first_at(&self, now: Timestamp) -> Vec<(Timestamp, PathBuf)> {
        let mut found = self.newest_first();
        found.sort_by_key(|(moment, _)| *moment > now);
        found
    }

    /// Returns the last commit in the newest readable backup; 0 if none can be read.
    pub(super) fn last_commit(&self, now: Timestamp) -> i64 {
        let backups = self.newest_first_at(now).into_iter();
        let commits = backups.map(|(_, path)| last_commit(&path));
        commits.into_iter().find(|last| *last > 0).unwrap_or(0)
    }

    /// Backs up the journal and removes all but the newest seven backups. With a large journal this takes
    /// seconds, but blocks no writer.
    pub fn make(&self, now: Timestamp) -> Result<PathBuf, BackupError> {
        private_folder(&self.folder)?;
        let name = format!("{}-{}{ENDING}", self.stem(), now.strftime(MOMENT));
        let whole = self.folder.join(name);
        let growing = whole.with_extension(GROWING);
        self.remove_half_done();
        let made = self
            .copy_to(&growing)
            .map_err(|error| self.whose_damage(error))
            .and_then(|()| keep(&growing, &whole).map_err(BackupError::from));
        if made.is_err() {
            remove(&growing);
            return made.map(|()| whole);
        }
        let others = self.newest_first_at(now).into_iter();
        let others = others.filter(|(_, path)| *path != whole);
        for (_, old) in others.skip(KEPT - 1) {
            remove(&old);
        }
        Ok(whole)
    }

    /// Removes the unfinished backups of an earlier run.
    fn remove_half_done(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        let stem = self.stem();
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            let ours = entry.file_name().to_string_lossy().starts_with(&stem);
            if ours && path.extension().is_some_and(|ending| ending == GROWING) {
                remove(&path);
            }
        }
    }

    fn copy_to(&self, growing: &Path) -> Result<(), BackupError> {
        remove(growing);
        private_file(growing)?;
        let journal = read_only(&self.journal)?;
        // One read transaction for the copy and the row counts, because others may write meanwhile.
        journal.execute_batch("BEGIN")?;
        let expected = content(&journal)?;
        {
            let mut copy = Connection::open(growing)?;
            Backup::new(&journal, &mut copy)?.run_to_completion(PAGES_AT_ONCE, PAUSE, None)?;
            // Without WAL, the backup is a single file.
            copy.pragma_update(None, "journal_mode", "DELETE")?;
        }
        journal.execute_batch("COMMIT")?;
        let found = verified(growing)?;
        if found == expected {
            Ok(())
        } else {
            Err(BackupError::Unlike)
        }
    }

    /// Finds out whether a damage error comes from the journal or only from the copy: a damaged copy must not
    /// condemn a sound journal.
    fn whose_damage(&self, error: BackupError) -> BackupError {
        if !matches!(error, BackupError::Journal(JournalError::Damaged)) {
            return error;
        }
        match Journal::check(&self.journal) {
            Ok(()) => BackupError::Unlike,
            Err(error) => error.into(),
        }
    }

    /// Returns `journal-practice` for `journal-practice.sqlite`.
    fn stem(&self) -> String {
        let stem = self.journal.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    fn moment_of(&self, name: &str) -> Option<Timestamp> {
        let moment = name
            .strip_prefix(&self.stem())?
            .strip_prefix('-')?
            .strip_suffix(ENDING)?;
        let moment = DateTime::strptime(MOMENT, moment).ok()?;
        Some(moment.to_zoned(TimeZone::UTC).ok()?.timestamp())
    }
}

/// Returns the last commit in a copy; 0 if it cannot be read, or was made before commits were counted.
pub(super) fn last_commit(copy: &Path) -> i64 {
    let copy = read_only(copy).ok();
    copy.and_then(|copy| super::commit_log::last_commit(&copy))
        .unwrap_or(0)
}

/// Verifies that a backup is sound. Does not check its schema version.
pub(super) fn verify(backup: &Path) -> Result<(), BackupError> {
    verified(backup).map(drop)
}

fn verified(backup: &Path) -> Result<Content, BackupError> {
    let copy = read_only(backup)?;
    quick_check(&copy)?;
    Ok(content(&copy)?)
}

fn content(db: &Connection) -> rusqlite::Result<Content> {
    let version = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let mut names =
        db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")?;
    let names = names
        .query_map([], |row| row.get::<_, String>(0))?
        .collect::<Result<Vec<_>, _>>()?;
    let rows = names
        .into_iter()
        .map(|name| {
            let sql = format!("SELECT count(*) FROM \"{}\"", name.replace('"', "\"\""));
            let count = db.query_row(&sql, [], |row| row.get(0))?;
            Ok((name, count))
        })
        .collect::<rusqlite::Result<_>>()?;
    Ok(Content { version, rows })
}

/// Syncs a finished file and gives it its final name.
pub(super) fn keep(growing: &Path, whole: &Path) -> io::Result<()> {
    // Some systems sync only a file that is open for writing.
    fs::OpenOptions::new()
        .write(true)
        .open(growing)?
        .sync_all()?;
    fs::rename(growing, whole)?;
    sync_folder(whole)
}

/// Makes a rename durable. Windows does so by itself and cannot open folders.
#[cfg_attr(
    not(unix),
    expect(clippy::unnecessary_wraps, reason = "it may fail elsewhere")
)]
pub(super) fn sync_folder(file: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(folder) = file.parent() {
        File::open(folder)?.sync_all()?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Creates a folder that only the bench's user can read.
pub(super) fn private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Creates an empty file that only the bench's user can read.
pub(super) fn private_file(path: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path).map(drop)
}

/// Removes a backup with its side files. A leftover that cannot be removed does no harm except
/// to its own name.
fn remove(path: &Path) {
    for ending in ["", "-journal", "-wal", "-shm"] {
        let _absent = fs::remove_file(header::side_file(path, ending));
    }
}
