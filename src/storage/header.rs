//! Checks a journal's files before SQLite opens them.
//!
//! SQLite takes a database that was cut to zero bytes for a new one, and deletes the log beside it. It takes
//! a log whose header it cannot read for an empty log. Both would silently lose confirmed commits, so this
//! module detects both.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use super::files::side_file;

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const DATABASE_HEAD: usize = 100;
const LOG_HEAD: usize = 32;
/// The lowest bit of the magic number gives the byte order of the checksums.
const LOG_MAGIC: u32 = 0x377f_0682;

/// The condition of the file at the journal's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileCondition {
    /// No file, or an empty one.
    Missing,
    /// Possibly a journal.
    Plausible,
    /// A sound database that lacks commits, because its log or a part of it was lost.
    LacksCommits,
    /// Not a database, or only the beginning of one.
    Damaged,
}

/// Inspects the headers and lengths of a journal's files.
pub(super) fn inspect(journal: &Path) -> io::Result<FileCondition> {
    let log = head::<LOG_HEAD>(&side_file(journal, "-wal"))?;
    let Some((head, length)) = head::<DATABASE_HEAD>(journal)? else {
        return Ok(FileCondition::Missing);
    };
    let log_holds_something = log.is_some_and(|(head, length)| length > 0 && head != [0; LOG_HEAD]);
    if length == 0 {
        // A new file has no commits yet, unless there is a log.
        return Ok(if log_holds_something {
            FileCondition::Damaged
        } else {
            FileCondition::Missing
        });
    }
    if !head.starts_with(MAGIC) {
        return Ok(FileCondition::Damaged);
    }
    if log_holds_something {
        let readable = log.is_some_and(|(head, length)| is_log(&head, length));
        return Ok(if readable {
            FileCondition::Plausible
        } else {
            FileCondition::LacksCommits
        });
    }
    // Without a log, the file must contain all of its pages. With a log, the last page may be half written,
    // and the log holds it.
    let page = match u16::from_be_bytes([head[16], head[17]]) {
        1 => 65_536,
        other => u64::from(other),
    };
    let pages = u64::from(u32::from_be_bytes([head[28], head[29], head[30], head[31]]));
    let whole = page >= 512 && page.is_power_of_two() && length >= page * pages;
    Ok(if whole {
        FileCondition::Plausible
    } else {
        FileCondition::Damaged
    })
}

/// Returns true if the journal's file or its folder does not allow writing.
pub(super) fn is_read_only(journal: &Path) -> bool {
    let refused = |opened: io::Result<File>| {
        opened.is_err_and(|error| {
            matches!(
                error.kind(),
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
            )
        })
    };
    let probe = side_file(journal, ".probe");
    let folder = refused(
        File::options()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&probe),
    );
    let _absent = std::fs::remove_file(&probe);
    folder || refused(File::options().write(true).open(journal))
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
    let mut head = [0; N];
    head[..start.len()].copy_from_slice(&start);
    Ok(Some((head, length)))
}

/// Returns true if a log's header has the right magic number and checksum.
fn is_log(head: &[u8; LOG_HEAD], length: u64) -> bool {
    let word = |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let magic = word(0);
    if length < LOG_HEAD as u64 || magic & !1 != LOG_MAGIC {
        return false;
    }
    let native = |at: usize| {
        let bytes = [head[at], head[at + 1], head[at + 2], head[at + 3]];
        if magic & 1 == 1 {
            u32::from_be_bytes(bytes)
        } else {
            u32::from_le_bytes(bytes)
        }
    };
    let (mut one, mut two) = (0_u32, 0_u32);
    for at in (0..24).step_by(8) {
        one = one.wrapping_add(native(at)).wrapping_add(two);
        two = two.wrapping_add(native(at + 4)).wrapping_add(one);
    }
    (one, two) == (word(24), word(28))
}
