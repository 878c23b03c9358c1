//! The log on disk: one file a day, for a week, at most 10 MB together.
//!
//! Log messages never contain a token, a name or an address; a test searches the files for those of 200 consignments.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use shipping::Clock;

const DAYS: usize = 7;
const MOST_BYTES_A_DAY: u64 = 10 * 1024 * 1024 / DAYS as u64;

/// A writer to the file of the day. What does not fit is dropped.
pub struct LogFile {
    folder: PathBuf,
    clock: Clock,
    /// The open file: its day, the file, and its length in bytes.
    open: Option<(Date, File, u64)>,
}

impl LogFile {
    /// Writes to files in `folder`, which is made with the first message.
    pub const fn in_folder(folder: PathBuf, clock: Clock) -> Self {
        Self {
            folder,
            clock,
            open: None,
        }
    }

    fn file_of(&mut self, day: Date) -> io::Result<&mut (Date, File, u64)> {
        if self.open.as_ref().is_none_or(|(open, ..)| *open != day) {
            super::config::private_folder(&self.folder)?;
            let file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(self.folder.join(format!("{day}.log")))?;
            let length = file.metadata()?.len();
            self.open = Some((day, file, length));
            for old in sorted_files(&self.folder)?.into_iter().rev().skip(DAYS) {
                fs::remove_file(old)?;
            }
        }
        self.open
            .as_mut()
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let day = self.clock.now().to_zoned(TimeZone::UTC).date();
        let (_, file, length) = self.file_of(day)?;
        let more = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if *length + more <= MOST_BYTES_A_DAY {
            file.write_all(bytes)?;
            *length += more;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.open {
            Some((_, file, _)) => file.flush(),
            None => Ok(()),
        }
    }
}

/// Returns the files of a folder, sorted by name. Names that are dates put the oldest first.
pub(crate) fn sorted_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let files: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut files = files?;
    files.sort();
    Ok(files)
}
