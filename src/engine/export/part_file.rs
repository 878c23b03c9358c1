//! Writes to a temporary file in the same folder until the content is complete. Only then is an existing file replaced,
//! and only if the clerk agreed to that. An abandoned export leaves nothing behind.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::EngineError;

/// A target path and its temporary file.
#[derive(Debug)]
pub(super) struct PartFile {
    path: PathBuf,
    part: PathBuf,
    /// The clerk agreed in a dialog to replace an existing file.
    may_replace: bool,
}

impl PartFile {
    /// Checks the path and creates the temporary file. A bad path is an error before anything is written.
    pub(super) fn new(path: &Path, agreed: bool) -> Result<Self, EngineError> {
        let save = |kind| Err(EngineError::Save(kind));
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
        made.map_err(|error| EngineError::Save(error.kind()))?;
        Ok(Self {
            path: path.to_owned(),
            part,
            may_replace: agreed,
        })
    }

    /// Returns the path of the temporary file.
    pub(super) fn part(&self) -> &Path {
        &self.part
    }

    /// Gives the complete file its final name.
    pub(super) fn commit(&self) -> Result<(), EngineError> {
        let kept = if self.may_replace {
            fs::rename(&self.part, &self.path)
        } else {
            self.keep_new()
        };
        kept.map_err(|error| EngineError::Save(error.kind()))
    }

    /// Creates the final name without replacing a file that appeared meanwhile: by a hard link or, if the
    /// file system has no hard links, by a copy.
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

impl Drop for PartFile {
    fn drop(&mut self) {
        // After a rename there is nothing to remove, and the error is ignored.
        drop(fs::remove_file(&self.part));
    }
}
