//! Moves a damaged journal to the folder `set-aside/`; a damaged journal is never deleted. A marker file
//! remembers the damage until another journal is in its place.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::files::{MOMENT, allow, private_file, private_folder, side_file, sync_folder};

/// Endings of the journal's files. The log comes first, because a log left behind would be taken for
/// the next journal's.
const FILES: [&str; 3] = ["-wal", "-shm", ""];

/// Most journals that can be set aside in one second.
const MOST_A_SECOND: u32 = 1000;

fn marker_path(journal: &Path) -> PathBuf {
    side_file(journal, ".damaged")
}

/// Marks the journal as damaged, so that the next start sets it aside without checking it again.
pub(super) fn mark_damaged(journal: &Path) -> io::Result<()> {
    let marked = private_file(&marker_path(journal)).map(drop);
    allow(io::ErrorKind::AlreadyExists, marked)?;
    sync_folder(journal)
}

pub(super) fn is_marked_damaged(journal: &Path) -> bool {
    marker_path(journal).exists()
}

/// Removes the mark, once another journal is in the damaged one's place.
pub(super) fn clear_damage_mark(journal: &Path) -> io::Result<()> {
    let cleared = fs::remove_file(marker_path(journal));
    allow(io::ErrorKind::NotFound, cleared)?;
    sync_folder(journal)
}

/// Moves the journal and the files beside it into `set-aside/` and returns the new path, or `None`
/// if there is no journal. The marker file holds the new name, so that an interrupted move continues
/// to the same place.
pub(super) fn set_aside(journal: &Path, now: Timestamp) -> io::Result<Option<PathBuf>> {
    let folder = journal.with_file_name("set-aside");
    let is_there = |file: &Path| FILES.iter().any(|ending| side_file(file, ending).exists());
    let begun = fs::read_to_string(marker_path(journal)).unwrap_or_default();
    let there = if begun.is_empty() {
        if !is_there(journal) {
            return Ok(None);
        }
        private_folder(&folder)?;
        let name = free_name(journal, now, |name| is_there(&folder.join(name)))?;
        let mut file = fs::File::create(marker_path(journal))?;
        file.write_all(name.as_bytes())?;
        file.sync_all()?;
        folder.join(name)
    } else {
        folder.join(begun)
    };
    for ending in FILES {
        let moved = fs::rename(side_file(journal, ending), side_file(&there, ending));
        allow(io::ErrorKind::NotFound, moved)?;
    }
    sync_folder(&there)?;
    sync_folder(journal)?;
    Ok(Some(there))
}

/// Returns a free name such as `journal-practice-20261120T030500Z.sqlite`, with a number at
/// its end if needed.
fn free_name(
    journal: &Path,
    now: Timestamp,
    is_taken: impl Fn(&str) -> bool,
) -> io::Result<String> {
    let stem = journal.file_stem().unwrap_or_default().to_string_lossy();
    let moment = now.strftime(MOMENT);
    let with_number = |count: u32| match count {
        1 => format!("{stem}-{moment}.sqlite"),
        more => format!("{stem}-{moment}-{more}.sqlite"),
    };
    let mut names = (1..=MOST_A_SECOND).map(with_number);
    let free = names.find(|name| !is_taken(name));
    free.ok_or_else(|| io::ErrorKind::AlreadyExists.into())
}
