//! The files of a journal: readable only for the bench's user, durable after a power cut, inspected before SQLite
//! opens them, and set aside if they are damaged.
//!
//! SQLite treats a database file of zero bytes as a new database and deletes the log beside it. SQLite treats a log
//! with an unreadable header as empty. Both cases would silently lose confirmed commits, so [`inspect`] detects them.
//! A damaged journal is moved to the folder `set-aside/` and never deleted; a marker file records the damage until
//! another journal is in its place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

/// The format of a time in the name of a file.
pub(super) const MOMENT: &str = "%Y%m%dT%H%M%SZ";

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const DATABASE_HEAD: usize = 100;
const LOG_HEAD: usize = 32;
/// The lowest bit of the magic number gives the byte order of the checksums.
const LOG_MAGIC: u32 = 0x377f_0682;

/// Endings of the journal's files. The log is moved first, because SQLite would treat a leftover log as the next
/// journal's log.
const ENDINGS: [&str; 3] = ["-wal", "-shm", ""];

/// Returns the path of a file beside the journal: `-wal` is its log, `-shm` the index of the log.
pub(super) fn side_file(journal: &Path, ending: &str) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

pub(super) fn private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    restrict(folder, 0o700)
}

/// Creates an empty file that only the bench's user can read. Fails if the file exists.
pub(super) fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

/// Sets the mode of a file or folder, on systems that have modes.
#[cfg_attr(
    not(unix),
    expect(clippy::unnecessary_wraps, reason = "it may fail elsewhere")
)]
pub(super) fn restrict(path: &Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
    Ok(())
}

pub(super) fn keep(growing: &Path, whole: &Path) -> io::Result<()> {
    // Some systems sync only a file that is open for writing.
    OpenOptions::new().write(true).open(growing)?.sync_all()?;
    fs::rename(growing, whole)?;
    sync_folder(whole)
}

/// Makes a rename durable. Windows does so automatically and cannot open folders.
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

/// Removes a database with its side files. A file that cannot be removed is harmless, but its name stays in use.
pub(super) fn remove_database(path: &Path) {
    for ending in ["", "-journal", "-wal", "-shm"] {
        let _absent = fs::remove_file(side_file(path, ending));
    }
}

/// Treats an error of this kind as success.
pub(super) fn allow(kind: io::ErrorKind, done: io::Result<()>) -> io::Result<()> {
    done.or_else(|error| {
        if error.kind() == kind {
            Ok(())
        } else {
            Err(error)
        }
    })
}

/// The condition of the file at the journal's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileCondition {
    /// No file, or an empty one.
    Missing,
    /// Possibly a journal.
    Plausible,
    /// A sound database that lacks commits, because its log or a part of it was lost.
    LacksCommits,
    /// Not a database, or only the beginning of one, or marked as damaged.
    Damaged,
}

/// Returns the version of the tables, without the changes that are still in the log; 0 if the file is no database.
pub(super) fn header_version(journal: &Path) -> io::Result<u32> {
    let head = head::<DATABASE_HEAD>(journal)?.map(|(head, _)| head);
    let head = head.filter(|head| head.starts_with(MAGIC));
    Ok(head.map_or(0, |head| {
        u32::from_be_bytes([head[60], head[61], head[62], head[63]])
    }))
}

pub(super) fn inspect(journal: &Path) -> io::Result<FileCondition> {
    if marker_path(journal).exists() {
        return Ok(FileCondition::Damaged);
    }
    let Some((head, length)) = head::<DATABASE_HEAD>(journal)? else {
        return Ok(FileCondition::Missing);
    };
    let log = head_of_log(journal)?;
    Ok(match log {
        // An empty file without a log has no commits.
        None if length == 0 => FileCondition::Missing,
        _ if !head.starts_with(MAGIC) => FileCondition::Damaged,
        // The last page may be incomplete, because the log contains it.
        Some(log) if is_log(&log) => FileCondition::Plausible,
        Some(_) => FileCondition::LacksCommits,
        None if has_all_pages(&head, length) => FileCondition::Plausible,
        None => FileCondition::Damaged,
    })
}

/// Returns the first bytes of the journal's log; `None` if the log is missing or empty, or has a header of zeros.
fn head_of_log(journal: &Path) -> io::Result<Option<[u8; LOG_HEAD]>> {
    let log = head(&side_file(journal, "-wal"))?;
    Ok(log
        .map(|(head, _)| head)
        .filter(|head| *head != [0; LOG_HEAD]))
}

/// Returns true if a database of this length contains all the pages that its header names.
fn has_all_pages(head: &[u8; DATABASE_HEAD], length: u64) -> bool {
    let page = match u16::from_be_bytes([head[16], head[17]]) {
        1 => 65_536,
        other => u64::from(other),
    };
    let pages = u64::from(u32::from_be_bytes([head[28], head[29], head[30], head[31]]));
    page >= 512 && page.is_power_of_two() && length >= page * pages
}

/// Returns true if a log's header has the right magic number and checksum.
fn is_log(head: &[u8; LOG_HEAD]) -> bool {
    let bytes = |at: usize| [head[at], head[at + 1], head[at + 2], head[at + 3]];
    let word = |at: usize| u32::from_be_bytes(bytes(at));
    let magic = word(0);
    let summand = |at: usize| match magic & 1 {
        1 => word(at),
        _ => u32::from_le_bytes(bytes(at)),
    };
    let (mut one, mut two) = (0_u32, 0_u32);
    for at in (0..24).step_by(8) {
        one = one.wrapping_add(summand(at)).wrapping_add(two);
        two = two.wrapping_add(summand(at + 4)).wrapping_add(one);
    }
    magic & !1 == LOG_MAGIC && (one, two) == (word(24), word(28))
}

/// Reads the first bytes of a file, padded with zeros, and its length. Returns `None` if the file is missing.
fn head<const N: usize>(path: &Path) -> io::Result<Option<([u8; N], u64)>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let length = file.metadata()?.len();
    let mut start = Vec::with_capacity(N);
    file.take(N as u64).read_to_end(&mut start)?;
    start.resize(N, 0);
    let mut head = [0; N];
    head.copy_from_slice(&start);
    Ok(Some((head, length)))
}

/// Returns true if the journal's file or its folder does not allow writing.
pub(super) fn is_read_only(journal: &Path) -> bool {
    let refused = |opened: io::Result<File>| {
        let kind = opened.map_err(|error| error.kind()).err();
        matches!(
            kind,
            Some(io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
        )
    };
    let probe = side_file(journal, ".probe");
    let folder = refused(File::create(&probe));
    let _absent = fs::remove_file(&probe);
    folder || refused(File::options().write(true).open(journal))
}

fn marker_path(journal: &Path) -> PathBuf {
    side_file(journal, ".damaged")
}

/// Marks the journal as damaged, so that the next start sets it aside without checking it again.
pub(super) fn mark_damaged(journal: &Path) -> io::Result<()> {
    let marked = private_file(&marker_path(journal)).map(drop);
    allow(io::ErrorKind::AlreadyExists, marked)?;
    sync_folder(journal)
}

/// Removes the mark after another journal has replaced the damaged journal.
pub(super) fn clear_damage_mark(journal: &Path) -> io::Result<()> {
    let cleared = fs::remove_file(marker_path(journal));
    allow(io::ErrorKind::NotFound, cleared)?;
    sync_folder(journal)
}

/// Moves the journal and the files beside it into `set-aside/` and returns the new path, or `None` if there is no
/// journal. The marker file contains the new name, so that an interrupted move continues to the same place.
pub(super) fn set_aside(journal: &Path, now: Timestamp) -> io::Result<Option<PathBuf>> {
    let folder = journal.with_file_name("set-aside");
    let is_there = |file: &Path| { ENDINGS.iter() }.any(|ending| side_file(file, ending).exists());
    let begun = fs::read_to_string(marker_path(journal)).unwrap_or_default();
    let there = if begun.is_empty() {
        if !is_there(journal) {
            return Ok(None);
        }
        private_folder(&folder)?;
        let stem = journal.file_stem().unwrap_or_default().to_string_lossy();
        let moment = now.strftime(MOMENT);
        let mut name = format!("{stem}-{moment}.sqlite");
        let mut count = 1;
        while is_there(&folder.join(&name)) {
            count += 1;
            name = format!("{stem}-{moment}-{count}.sqlite");
        }
        let mut file = File::create(marker_path(journal))?;
        file.write_all(name.as_bytes())?;
        file.sync_all()?;
        folder.join(name)
    } else {
        folder.join(begun)
    };
    for ending in ENDINGS {
        let moved = fs::rename(side_file(journal, ending), side_file(&there, ending));
        allow(io::ErrorKind::NotFound, moved)?;
    }
    sync_folder(&there)?;
    sync_folder(journal)?;
    Ok(Some(there))
}
