//! Files that only the bench's user can read, and that survive a power cut.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The format of a time in the name of a file.
pub(super) const MOMENT: &str = "%Y%m%dT%H%M%SZ";

/// Returns the path of a file beside the journal: `-wal` is its log, `-shm` the index of the log.
pub(super) fn side_file(journal: &Path, ending: &str) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

pub(super) fn private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
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

/// Removes a database with its side files. A leftover that cannot be removed does no harm except to its
/// own name.
pub(super) fn remove_database(path: &Path) {
    for ending in ["", "-journal", "-wal", "-shm"] {
        let _absent = fs::remove_file(side_file(path, ending));
    }
}

/// Takes an error of this kind for success.
pub(super) fn allow(kind: io::ErrorKind, done: io::Result<()>) -> io::Result<()> {
    done.or_else(|error| {
        if error.kind() == kind {
            Ok(())
        } else {
            Err(error)
        }
    })
}
