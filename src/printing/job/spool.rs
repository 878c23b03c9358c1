//! Files that contain labels. A label holds a person's address, so only the current user may
//! read these files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::profile::to_file_name;

/// A temporary file for the print library, removed when this value is dropped.
pub(super) struct SpoolFile(PathBuf);

impl SpoolFile {
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

impl Drop for SpoolFile {
    fn drop(&mut self) {
        // Nothing can be done about an error, and the folder is private.
        drop(fs::remove_file(&self.0));
    }
}

/// Writes a new file completely or not at all: first to a temporary file in the same folder, then under its
/// own name. If `goal` is a folder, `title` names the file. An existing file is never replaced; the new
/// file's name gets a number.
pub(super) fn write_new(
    goal: &Path,
    title: &str,
    extension: &str,
    bytes: &[u8],
) -> io::Result<PathBuf> {
    let goal = if goal.is_dir() {
        let stem = to_file_name(title);
        let stem = if stem.is_empty() { "label" } else { &stem };
        goal.join(format!("{stem}.{extension}"))
    } else {
        goal.to_owned()
    };
    let parent = goal.parent().filter(|parent| *parent != Path::new(""));
    let folder = parent.unwrap_or(Path::new("."));
    let (mut file, partial) = fresh(folder, "packbench", "partial")?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let written = written.and_then(|()| under_a_free_name(&partial, &goal));
    // After a hard link this removes only the temporary name, after an error the temporary file.
    drop(fs::remove_file(&partial));
    written
}

/// Gives the file the name `goal`, or the first numbered name that is free.
fn under_a_free_name(partial: &Path, goal: &Path) -> io::Result<PathBuf> {
    for number in 1..10_000 {
        let path = numbered(goal, number);
        match fs::hard_link(partial, &path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            // Some file systems have no hard links: reserve the name first, then move the file there.
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

/// Returns `label.zpl` for 1, `label-2.zpl` for 2.
fn numbered(goal: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return goal.to_owned();
    }
    let stem = goal.file_stem().unwrap_or_default().to_string_lossy();
    let name = match goal.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number}"),
    };
    goal.with_file_name(name)
}

/// Creates a new file that only the current user can read.
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
            // An earlier run with the same process id left this file behind.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (file, path)),
        }
    }
}
