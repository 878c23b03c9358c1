//! A file under another name beside its place until it is whole.
//!
//! What always holds: what is at the place stays as it is until then; where nobody agreed that it is replaced, for good. What
//! is given up leaves nothing behind.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::work::WorkError;

/// A place, and the file beside it.
#[derive(Debug)]
pub(super) struct Beside {
    path: PathBuf,
    part: PathBuf,
    /// A dialog asked whether what is there is to be replaced.
    agreed: bool,
}

impl Beside {
    /// What is wrong with the place is said before anything is written.
    pub(super) fn new(path: &Path, agreed: bool) -> Result<Self, WorkError> {
        let save = |kind| Err(WorkError::Save(kind));
        let Some(name) = path.file_name().filter(|_| path.is_absolute()) else {
            return save(io::ErrorKind::InvalidFilename);
        };
        if path.is_dir() {
            return save(io::ErrorKind::IsADirectory);
        }
        if !agreed && path.exists() {
            return save(io::ErrorKind::AlreadyExists);
        }
        let mut beside = std::ffi::OsString::from(".");
        beside.push(name);
        beside.push(format!(".{:08x}.part", fastrand::u32(..)));
        let part = path.with_file_name(beside);
        let made = OpenOptions::new().write(true).create_new(true).open(&part);
        made.map_err(|error| WorkError::Save(error.kind()))?;
        Ok(Self {
            path: path.to_owned(),
            part,
            agreed,
        })
    }

    /// Where it is written.
    pub(super) fn part(&self) -> &Path {
        &self.part
    }

    /// It is whole: it gets its name.
    pub(super) fn keep(&self) -> Result<(), WorkError> {
        let kept = if self.agreed {
            fs::rename(&self.part, &self.path)
        } else {
            self.keep_new()
        };
        kept.map_err(|error| WorkError::Save(error.kind()))
    }

    /// A second name fails where the first one is taken meanwhile; where a file system has no second names, a copy does.
    fn keep_new(&self) -> io::Result<()> {
        match fs::hard_link(&self.part, &self.path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                let mut to = OpenOptions::new()
                    .write(true)
                    .create_new(true)
                    .open(&self.path)?;
                let copied = fs::File::open(&self.part).and_then(|mut from| {
                    io::copy(&mut from, &mut to)?;
                    to.sync_all()
                });
                if copied.is_err() {
                    drop(fs::remove_file(&self.path));
                }
                copied
            }
            linked => linked,
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // Renamed, it is not there any more.
        drop(fs::remove_file(&self.part));
    }
}
