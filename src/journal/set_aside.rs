//! A damaged journal is set aside whole, never deleted, and remembered as damaged until another stands in its place.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::backup::{private_file, private_folder, sync_folder};
use super::header::beside;

/// The log first: a log that stays behind would be taken for the next journal's.
const FILES: [&str; 3] = ["-wal", "-shm", ""];

/// Of one second.
const MOST_A_SECOND: u32 = 1000;

fn mark(journal: &Path) -> PathBuf {
    beside(journal, ".damaged")
}

/// Remembers that the journal was found damaged: the next start sets it aside without looking again.
pub(super) fn condemn(journal: &Path) -> io::Result<()> {
    match private_file(&mark(journal)) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => sync_folder(journal),
    }
}

pub(super) fn is_condemned(journal: &Path) -> bool {
    mark(journal).exists()
}

/// Another journal stands in its place.
pub(super) fn absolve(journal: &Path) -> io::Result<()> {
    match fs::remove_file(mark(journal)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => sync_folder(journal),
    }
}

/// Moves the journal with all that is beside it into `set-aside/`; where to, unless there is nothing.
pub(super) fn set_aside(journal: &Path, now: Timestamp) -> io::Result<Option<PathBuf>> {
    if !FILES.iter().any(|ending| beside(journal, ending).exists()) {
        return Ok(None);
    }
    let folder = journal.with_file_name("set-aside");
    private_folder(&folder)?;
    let stem = journal.file_stem().unwrap_or_default().to_string_lossy();
    let moment = now.strftime("%Y%m%dT%H%M%SZ");
    let named = |count: u32| match count {
        1 => folder.join(format!("{stem}-{moment}.sqlite")),
        more => folder.join(format!("{stem}-{moment}-{more}.sqlite")),
    };
    let taken = |there: &PathBuf| FILES.iter().any(|ending| beside(there, ending).exists());
    let there = (1..=MOST_A_SECOND)
        .map(named)
        .find(|there| !taken(there))
        .ok_or(io::ErrorKind::AlreadyExists)?;
    for ending in FILES {
        match fs::rename(beside(journal, ending), beside(&there, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    sync_folder(&there)?;
    sync_folder(journal)?;
    Ok(Some(there))
}
