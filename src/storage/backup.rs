//! Backups of a journal: verified copies in the folder `backups/` beside it.
//!
//! A backup is made through a separate connection, in one read transaction, so that no commit waits for it.
//! Invariants: a backup counts only after it was verified (integrity check, schema version and row count of every
//! table), synced and renamed; an older backup is removed only after that. No backup is made of a damaged journal.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use rusqlite::backup::Backup;

use super::files::{MOMENT, keep, private_file, private_folder, remove_database};
use super::sql_types::rows;
use super::{Journal, JournalError, Result, quick_check, read_only};

const KEPT: usize = 7;

/// Pages copied at a time (1 MiB), so that other programs can use the disk between two steps.
const PAGES_AT_ONCE: i32 = 256;
const PAUSE: Duration = Duration::from_millis(2);

const ENDING: &str = ".sqlite";
/// File extension of an unfinished backup.
const GROWING: &str = "growing";

/// The error if a copy differs from its journal.
const UNLIKE: JournalError = JournalError::File(io::ErrorKind::InvalidData);

#[derive(Debug, Clone)]
pub struct Backups {
    journal: PathBuf,
    folder: PathBuf,
}

impl Backups {
    pub fn of(journal: &Path) -> Self {
        Self {
            journal: journal.to_owned(),
            folder: journal.with_file_name("backups"),
        }
    }

    /// Lists the backups, newest first, with their dates. Does not check whether they can be read.
    pub fn newest_first(&self) -> Vec<(Timestamp, PathBuf)> {
        let mut found: Vec<_> = { self.files() }
            .filter_map(|path| Some((self.moment_of(path.file_name()?.to_str()?)?, path)))
            .collect();
        found.sort_by_key(|(moment, _)| std::cmp::Reverse(*moment));
        found
    }

    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten();
        entries.filter_map(Result::ok).map(|entry| entry.path())
    }

    /// Lists the backups, newest first, but puts backups dated after `now` last: a wrong clock dated them, so
    /// their age is not known.
    pub fn newest_first_at(&self, now: Timestamp) -> Vec<(Timestamp, PathBuf)> {
        let mut found = self.newest_first();
        found.sort_by_key(|(moment, _)| *moment > now);
        found
    }

    /// Returns the last commit in the newest readable backup; 0 if no backup can be read.
    pub(super) fn last_commit(&self, now: Timestamp) -> i64 {
        let backups = self.newest_first_at(now).into_iter();
        let mut commits = backups.map(|(_, path)| last_commit(&path));
        commits.find(|last| *last > 0).unwrap_or(0)
    }

    /// Backs up the journal and removes all but the newest seven backups. With a large journal this takes
    /// seconds, but blocks no writer. Fails with [`JournalError::File`] if the copy could not be written.
    pub fn make(&self, now: Timestamp) -> Result<PathBuf> {
        private_folder(&self.folder).map_err(unwritten)?;
        let name = format!("{}-{}{ENDING}", self.stem(), now.strftime(MOMENT));
        let whole = self.folder.join(name);
        let growing = whole.with_extension(GROWING);
        self.remove_half_done();
        let made = self
            .copy_to(&growing)
            .map_err(|error| self.whose_damage(error))
            .and_then(|()| keep(&growing, &whole).map_err(unwritten));
        if let Err(error) = made {
            remove_database(&growing);
            return Err(error);
        }
        let others = self.newest_first_at(now).into_iter();
        let others = others.filter(|(_, path)| *path != whole);
        for (_, old) in others.skip(KEPT - 1) {
            remove_database(&old);
        }
        Ok(whole)
    }

    /// Removes the unfinished backups of an earlier run.
    fn remove_half_done(&self) {
        let stem = self.stem();
        let is_ours = |path: &PathBuf| {
            path.extension().is_some_and(|ending| ending == GROWING) && { path.file_name() }
                .is_some_and(|name| name.to_string_lossy().starts_with(&stem))
        };
        for path in self.files().filter(is_ours) {
            remove_database(&path);
        }
    }

    fn copy_to(&self, growing: &Path) -> Result<()> {
        remove_database(growing);
        private_file(growing).map_err(unwritten)?;
        let journal = read_only(&self.journal)?;
        // One read transaction for the copy and the row counts, because other connections may write meanwhile.
        journal.execute_batch("BEGIN")?;
        let expected = content(&journal)?;
        {
            let mut copy = Connection::open(growing)?;
            Backup::new(&journal, &mut copy)?.run_to_completion(PAGES_AT_ONCE, PAUSE, None)?;
            // Without WAL, the backup is a single file.
            copy.pragma_update(None, "journal_mode", "DELETE")?;
        }
        journal.execute_batch("COMMIT")?;
        let copy = read_only(growing)?;
        quick_check(&copy)?;
        if content(&copy)? == expected {
            Ok(())
        } else {
            Err(UNLIKE)
        }
    }

    /// Finds out whether a damage error comes from the journal or only from the copy: a sound journal must not count
    /// as damaged because its copy is.
    fn whose_damage(&self, error: JournalError) -> JournalError {
        match error {
            JournalError::Damaged => Journal::check(&self.journal).err().unwrap_or(UNLIKE),
            other => other,
        }
    }

    /// Returns `journal-practice` for `journal-practice.sqlite`.
    fn stem(&self) -> String {
        let stem = self.journal.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    fn moment_of(&self, name: &str) -> Option<Timestamp> {
        let moment = name.strip_prefix(&self.stem())?.strip_prefix('-')?;
        let moment = DateTime::strptime(MOMENT, moment.strip_suffix(ENDING)?).ok()?;
        Some(moment.to_zoned(TimeZone::UTC).ok()?.timestamp())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "as map_err wants it")]
fn unwritten(error: io::Error) -> JournalError {
    JournalError::File(error.kind())
}

/// Returns the last commit in a copy; 0 if it cannot be read, or was made before commits were counted.
pub(super) fn last_commit(copy: &Path) -> i64 {
    let copy = read_only(copy).ok();
    copy.and_then(|copy| super::commit_log::last_commit(&copy))
        .unwrap_or(0)
}

/// Returns what must be equal in a journal and its backup: the schema's version, and each table with the count
/// of its rows.
fn content(db: &Connection) -> Result<(i64, Vec<(String, i64)>)> {
    let version = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    let names: Vec<String> = rows(db, names, [], |row| row.get(0))?;
    let counted = names.into_iter().map(|name| {
        let sql = format!("SELECT count(*) FROM \"{}\"", name.replace('"', "\"\""));
        let count = db.query_row(&sql, [], |row| row.get(0))?;
        Ok((name, count))
    });
    Ok((version, counted.collect::<Result<_>>()?))
}
