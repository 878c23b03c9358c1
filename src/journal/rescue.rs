//! Opening a journal at start, whatever is found in its place.
//!
//! What always holds: a damaged journal is set aside whole before anything takes its place; what takes its place was verified,
//! and says of itself that it was restored, until what happened since is found out at the service; drafts that the damaged
//! file still gives are kept. A small journal is checked before it is used; a large one is checked behind the work, and
//! nothing is sent before that check has passed (see `work`).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::backup::{self, Backups};
use super::header::{self, Look, beside};
use super::set_aside::{absolve, condemn, is_condemned, set_aside};
use super::{Journal, JournalError, quick_check};

/// Journals up to this size are checked at once: some tens of milliseconds.
const SMALL: u64 = 8 * 1024 * 1024;

/// A journal, open for the day.
#[derive(Debug)]
pub struct Opening {
    /// The journal.
    pub journal: Journal,
    /// What had to be done first.
    pub rescue: Option<Rescue>,
}

/// What was done about a journal that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rescue {
    /// Where the damaged one is now; nothing where it was gone.
    pub set_aside: Option<PathBuf>,
    /// The moment that the journal is restored to: a backup's, or the last one in the file itself; nothing where it begins
    /// anew.
    pub restored_from: Option<Timestamp>,
}

impl Journal {
    /// Opens the journal at `path`, or makes a new one where there never was one. One that is damaged, or gone, is set aside
    /// and restored from the newest backup that can be read.
    pub fn open_or_restore(path: &Path, now: Timestamp) -> Result<Opening, JournalError> {
        let look = header::look(path).map_err(|error| cannot(&error))?;
        let gone = look == Look::Missing && !Backups::of(path).newest_first().is_empty();
        let damaged = is_condemned(path) || matches!(look, Look::Damaged | Look::LogUnreadable);
        if !gone && !damaged {
            match Self::open_for_the_day(path) {
                Err(JournalError::Damaged) => {}
                opened => return opened,
            }
        }
        tracing::error!(?look, "the journal is damaged and is restored");
        let rescue = rescue(path, look, now)?;
        Ok(Opening {
            journal: Self::open(path)?,
            rescue: Some(rescue),
        })
    }

    /// Has the journal at `path` set aside at the next start. It was found damaged.
    pub fn condemn(path: &Path) -> Result<(), JournalError> {
        condemn(path).map_err(|error| cannot(&error))
    }

    fn open_for_the_day(path: &Path) -> Result<Opening, JournalError> {
        let size = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
        let checked = size(path) + size(&beside(path, "-wal")) <= SMALL;
        let mut journal = Self::open_unchecked(path)?;
        if checked {
            quick_check(&journal.db)?;
            journal.checked = true;
        }
        journal.migrate()?;
        Ok(Opening {
            journal,
            rescue: None,
        })
    }
}

/// Sets aside what is there and puts the best that there is in its place. Cut short, it is done again at the next start.
fn rescue(path: &Path, look: Look, now: Timestamp) -> Result<Rescue, JournalError> {
    condemn(path).map_err(|error| cannot(&error))?;
    let aside = set_aside(path, now).map_err(|error| cannot(&error))?;
    let growing = beside(path, ".restoring");
    let mut restored_from = None;
    for (moment, source) in sources(path, aside.as_deref(), look, now) {
        match restore(&source, &growing) {
            Ok(()) => {
                restored_from = Some(moment);
                break;
            }
            Err(error) => tracing::warn!(%error, "a backup could not be read"),
        }
    }
    if restored_from.is_none() {
        clear(&growing);
    }
    prepare(&growing, restored_from, aside.as_deref(), now)?;
    backup::keep(&growing, path).map_err(|error| cannot(&error))?;
    absolve(path).map_err(|error| cannot(&error))?;
    Ok(Rescue {
        set_aside: aside,
        restored_from,
    })
}

/// Files to restore from, the best first: backups, newest first; before those, the file itself where only its log is lost
/// and it is newer.
fn sources(
    path: &Path,
    aside: Option<&Path>,
    look: Look,
    now: Timestamp,
) -> Vec<(Timestamp, PathBuf)> {
    let mut sources = Backups::of(path).newest_first_at(now);
    if let (Look::LogUnreadable, Some(aside)) = (look, aside) {
        let own = beside(path, ".restoring");
        if restore(aside, &own).is_ok()
            && let Some(moment) = Journal::open(&own).ok().and_then(|own| own.newest_entry())
        {
            sources.push((moment, aside.to_owned()));
            sources.sort_by_key(|(moment, _)| (*moment > now, std::cmp::Reverse(*moment)));
        }
    }
    sources
}

fn restore(source: &Path, growing: &Path) -> Result<(), backup::BackupError> {
    clear(growing);
    backup::private_file(growing)?;
    fs::copy(source, growing)?;
    backup::verify(growing)
}

/// Has the journal that will stand here say what it is, before it stands here.
fn prepare(
    growing: &Path,
    from: Option<Timestamp>,
    aside: Option<&Path>,
    now: Timestamp,
) -> Result<(), JournalError> {
    let mut journal = Journal::open(growing)?;
    if let Some(aside) = aside {
        journal.salvage_drafts(aside);
    }
    journal.note_restoration(from, now)?;
    // All into the one file: its log does not go with it.
    journal
        .db
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    journal.db.pragma_update(None, "journal_mode", "DELETE")?;
    Ok(())
}

fn clear(growing: &Path) {
    for ending in ["", "-wal", "-shm", "-journal"] {
        let _absent = fs::remove_file(beside(growing, ending));
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
