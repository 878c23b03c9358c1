//! Files with labels in them: a label is somebody's address, so only the bench's own user may read it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::profile::plain;

/// A file of our own for the print library to read, gone when this is dropped.
pub(super) struct Spooled(PathBuf);

impl Spooled {
    pub(super) fn create(folder: &Path, extension: &str, bytes: &[u8]) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let (mut file, path) = fresh(folder, "job", extension)?;
        let spooled = Self(path);
        file.write_all(bytes)?;
        Ok(spooled)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Spooled {
    fn drop(&mut self) {
        // Nothing to be done about a failure; the folder is the bench's own and private.
        drop(fs::remove_file(&self.0));
    }
}

/// Writes a new file, all or nothing: beside the goal first, onto the disk, then under its name. In a folder it is named
/// by `title`. A file that is there is never replaced: the new one gets a number.
pub(super) fn write_new(
    goal: &Path,
    title: &str,
    extension: &str,
    bytes: &[u8],
) -> io::Result<PathBuf> {
    let goal = if goal.is_dir() {
        let stem = plain(title);
        let stem = if stem.is_empty() { "label" } else { &stem };
        goal.join(format!("{stem}.{extension}"))
    } else {
        goal.to_owned()
    };
    let folder = goal
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let (mut file, partial) = fresh(folder, "packbench", "partial")?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| under_a_free_name(&partial, &goal));
    // Where it has its name already, this is its other one.
    drop(fs::remove_file(&partial));
    written
}

/// Gives a file the name of the goal, or the first numbered one that is free.
fn under_a_free_name(partial: &Path, goal: &Path) -> io::Result<PathBuf> {
    for number in 1..10_000 {
        let path = numbered(goal, number);
        match fs::hard_link(partial, &path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            // Some file systems have no second names: the name is taken first, then the file is put there.
            Err(_) => {}
        }
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(_) => return fs::rename(partial, &path).map(|()| path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// `label.zpl`, then `label-2.zpl`.
fn numbered(goal: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return goal.to_owned();
    }
    let text =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let stem = text(goal.file_stem());
    let name = match goal.extension() {
        Some(extension) => format!("{stem}-{number}.{}", text(Some(extension))),
        None => format!("{stem}-{number}"),
    };
    goal.with_file_name(name)
}

/// A file that was not there before, readable by us alone.
fn fresh(folder: &Path, stem: &str, extension: &str) -> io::Result<(File, PathBuf)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{stem}-{}-{count}.{extension}", std::process::id()));
        match options.open(&path) {
            // A leftover of an earlier run with our number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (file, path)),
        }
    }
}
