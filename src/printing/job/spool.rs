//! Files with labels in them: a label is somebody's address, so only the bench's own user may read it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

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

/// Writes all or nothing: beside the goal first, onto the disk, then renamed. In a folder, a new file by `title`.
pub(super) fn write_whole(
    goal: &Path,
    title: &str,
    extension: &str,
    bytes: &[u8],
) -> io::Result<PathBuf> {
    let goal = if goal.is_dir() {
        free_name(goal, title, extension)?
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
        .and_then(|()| fs::rename(&partial, &goal));
    if written.is_err() {
        drop(fs::remove_file(&partial));
    }
    written.map(|()| goal)
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

/// A name in the folder by the title's harmless characters, numbered until it is free.
fn free_name(folder: &Path, title: &str, extension: &str) -> io::Result<PathBuf> {
    let plain: String = title
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' {
                c
            } else {
                '-'
            }
        })
        .take(80)
        .collect();
    let stem = plain.trim_matches('-');
    let stem = if stem.is_empty() { "label" } else { stem };
    for number in 1..10_000 {
        let name = if number == 1 {
            format!("{stem}.{extension}")
        } else {
            format!("{stem}-{number}.{extension}")
        };
        let path = folder.join(name);
        if !path.try_exists()? {
            return Ok(path);
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
