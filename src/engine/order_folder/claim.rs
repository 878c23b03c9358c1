//! Finds the complete files in the watched folder, and moves them to the folder of this bench below `in-progress`.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirEntry, File, Metadata, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use super::{DONE, FAILED, IN_PROGRESS, file_name, move_file};
use crate::save::numbered;
use crate::{EngineError, Repaint, lock};

/// How long size and time of a file must not change before it is taken.
const STILL_FOR: Duration = Duration::from_secs(2);

/// How long an empty file is left alone: most programs create a file some time before they write it.
const EMPTY_FOR: Duration = Duration::from_secs(30);

/// How often the folder is looked at without any event, because network folders send no events.
const POLL_EVERY: Duration = Duration::from_secs(5);

/// The most files that are taken at once.
const MOST_FILES: usize = 50;

/// The ending of a file beside an order file that says that the order file is complete.
const READY: &str = ".ready";

/// A folder that is watched for order files. Shared by the window and the jobs that read it.
pub struct OrderFolder {
    path: PathBuf,
    repaint: Repaint,
    /// True if something happened in the folder since [`Self::take_change`] was called.
    has_changed: Arc<AtomicBool>,
    watcher: Mutex<Option<RecommendedWatcher>>,
    sightings: Mutex<HashMap<OsString, Sighting>>,
}

/// A file that is not taken yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingFile {
    pub name: String,
    /// Why it is not taken; empty for a file that may still be written.
    pub reason: String,
}

/// The files that this bench works on.
pub(super) struct Claims {
    pub(super) files: Vec<PathBuf>,
    pub(super) waiting: Vec<WaitingFile>,
    pub(super) next: Option<Duration>,
}

/// A file as it was when its size or time changed last.
struct Sighting {
    size: u64,
    modified: Option<SystemTime>,
    since: Instant,
}

/// A file in the watched folder that could be taken.
struct Candidate {
    name: OsString,
    size: u64,
    modified: Option<SystemTime>,
}

impl WaitingFile {
    /// Makes the record of a file that can't be read or moved now.
    pub(super) fn stuck(path: &Path, error: &EngineError) -> Self {
        Self {
            name: file_name(path).into_owned(),
            reason: match error {
                EngineError::Open(kind) | EngineError::Save(kind) => reason_of(*kind),
                other => other.to_string(),
            },
        }
    }
}

impl OrderFolder {
    /// Makes the record of a watched folder. The folder itself is opened at the first look.
    pub fn new(path: PathBuf, repaint: Repaint) -> Self {
        Self {
            path,
            repaint,
            has_changed: Arc::default(),
            watcher: Mutex::default(),
            sightings: Mutex::default(),
        }
    }

    /// Returns the path as text, for the journal.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether something happened in the folder since the last call.
    pub fn take_change(&self) -> bool {
        self.has_changed.swap(false, Ordering::Relaxed)
    }

    /// Claims the complete files, and lists them together with those that were left in progress before. The key names
    /// this bench.
    pub(super) fn claim(
        &self,
        key: &str,
        now: Timestamp,
        zone: &str,
    ) -> Result<Claims, EngineError> {
        let open = |error: io::Error| EngineError::Open(error.kind());
        let own = self.path.join(IN_PROGRESS).join(key);
        let candidates = self.candidates().map_err(|error| {
            // A folder that comes back is watched anew.
            *lock(&self.watcher) = None;
            open(error)
        })?;
        for folder in [&own, &self.path.join(DONE), &self.path.join(FAILED)] {
            fs::create_dir_all(folder).map_err(open)?;
        }
        self.watch();
        let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
        let time = now.to_zoned(zone).strftime("%Y%m%d-%H%M%S").to_string();
        let mut claims = Claims {
            files: order_files(&own).map_err(open)?,
            waiting: Vec::new(),
            next: Some(POLL_EVERY),
        };
        let mut claimed = 0;
        for candidate in candidates {
            if claimed >= MOST_FILES {
                claims.next = Some(Duration::ZERO);
                break;
            }
            let name = candidate.name.to_string_lossy().into_owned();
            let wait = self.time_until_complete(&candidate);
            if !wait.is_zero() {
                claims.next = claims.next.map(|next| next.min(wait));
                claims.waiting.push(WaitingFile {
                    name,
                    reason: String::new(),
                });
                continue;
            }
            let prefix = format!("{time}-{key}-");
            match self.claim_file(&candidate, &own, &prefix) {
                Ok(path) => {
                    claimed += usize::from(path.is_some());
                    claims.files.extend(path);
                }
                Err(reason) => claims.waiting.push(WaitingFile { name, reason }),
            }
        }
        Ok(claims)
    }

    /// Starts to watch the folder, unless it is watched already. A folder that can't be watched is only polled.
    fn watch(&self) {
        let mut watcher = lock(&self.watcher);
        if watcher.is_some() {
            return;
        }
        let (has_changed, repaint) = (Arc::clone(&self.has_changed), Arc::clone(&self.repaint));
        let started = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| !event.kind.is_access()) {
                has_changed.store(true, Ordering::Relaxed);
                repaint();
            }
        });
        let started = started.and_then(|mut started| {
            started.watch(&self.path, RecursiveMode::NonRecursive)?;
            Ok(started)
        });
        match started {
            Ok(started) => *watcher = Some(started),
            Err(error) => tracing::info!(%error, "the folder of orders is only polled"),
        }
    }

    /// Returns the order files in the watched folder, oldest first.
    fn candidates(&self) -> io::Result<Vec<Candidate>> {
        let mut candidates = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            candidates.extend(candidate(&entry?));
        }
        candidates
            .sort_by(|one, other| (one.modified, &one.name).cmp(&(other.modified, &other.name)));
        let names: std::collections::HashSet<_> = candidates.iter().map(|one| &one.name).collect();
        lock(&self.sightings).retain(|name, _| names.contains(name));
        Ok(candidates)
    }

    /// Returns how long the file has to stay as it is; zero if it is complete.
    fn time_until_complete(&self, file: &Candidate) -> Duration {
        // A mark that is older than the file was left by an earlier file of this name.
        let mark = fs::metadata(self.path.join(ready_name(&file.name)));
        let marked = mark.and_then(|mark| mark.modified()).ok();
        if marked.is_some_and(|marked| file.modified.is_some_and(|modified| modified <= marked)) {
            return Duration::ZERO;
        }
        let mut sightings = lock(&self.sightings);
        let seen = sightings
            .entry(file.name.clone())
            .or_insert_with(|| Sighting {
                size: file.size,
                modified: file.modified,
                since: Instant::now(),
            });
        if (seen.size, seen.modified) != (file.size, file.modified) {
            *seen = Sighting {
                size: file.size,
                modified: file.modified,
                since: Instant::now(),
            };
        }
        let still_for = if file.size == 0 { EMPTY_FOR } else { STILL_FOR };
        still_for.saturating_sub(seen.since.elapsed())
    }

    /// Moves a file into the folder of this bench, with a prefix that makes its name unique. Returns `None` if it is gone, or
    /// the reason why it has to wait.
    fn claim_file(
        &self,
        file: &Candidate,
        own: &Path,
        prefix: &str,
    ) -> Result<Option<PathBuf>, String> {
        let path = self.path.join(&file.name);
        match File::open(&path) {
            // Unlocked again when it is dropped.
            Ok(opened) => match opened.try_lock_shared() {
                Err(TryLockError::WouldBlock) => return Err(IN_USE.to_owned()),
                // Some network folders have no locks.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            },
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(why_not(&error)),
        }
        // The mark must not stay for the next file of this name. If the program ends here, the file is taken later.
        match fs::remove_file(self.path.join(ready_name(&file.name))) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(why_not(&error)),
            Ok(()) | Err(_) => {}
        }
        let name = self.unused_name(&format!(
            "{prefix}{}",
            without_time(&file.name.to_string_lossy())
        ));
        match move_file(&path, own, &name) {
            Ok(claimed) => {
                lock(&self.sightings).remove(&file.name);
                Ok(Some(claimed))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(why_not(&error)),
        }
    }

    /// Returns the name, with a number if a finished file has it.
    fn unused_name(&self, name: &str) -> String {
        let is_used = |name: &String| {
            let folders = [DONE, FAILED].into_iter();
            folders
                .map(|folder| self.path.join(folder).join(name))
                .any(|path| path.exists())
        };
        let mut names = (1..).map(|number| numbered(name, number));
        names.find(|name| !is_used(name)).unwrap_or_default()
    }
}

/// Why a file waits that another program has open.
const IN_USE: &str = "Another program is using it";

/// Returns why a file can't be taken now.
fn why_not(error: &io::Error) -> String {
    // Windows: ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION.
    if cfg!(windows) && matches!(error.raw_os_error(), Some(32 | 33)) {
        return IN_USE.to_owned();
    }
    reason_of(error.kind())
}

fn reason_of(kind: ErrorKind) -> String {
    match kind {
        ErrorKind::PermissionDenied => "You don't have permission to read and move it".to_owned(),
        ErrorKind::StorageFull => "The disk is full".to_owned(),
        kind => format!("It can't be read or moved ({kind})"),
    }
}

fn ready_name(name: &OsStr) -> OsString {
    let mut ready = name.to_owned();
    ready.push(READY);
    ready
}

/// Returns the entry if it is an order file by its name.
fn candidate(entry: &DirEntry) -> Option<Candidate> {
    let name = entry.file_name();
    let path = Path::new(&name);
    let is_hidden = name.to_string_lossy().starts_with(['.', '~']);
    if is_hidden || !(is_json(path) || has_ending(path, &["csv", "txt", "tsv"])) {
        return None;
    }
    // The file may be gone since the folder was read.
    let about = entry.metadata().ok().filter(Metadata::is_file)?;
    Some(Candidate {
        name,
        size: about.len(),
        modified: about.modified().ok(),
    })
}

/// Returns the order files in a folder, oldest first.
fn order_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        files.extend(candidate(&entry).map(|_| entry.path()));
    }
    files.sort();
    Ok(files)
}

pub(super) fn is_json(path: &Path) -> bool {
    has_ending(path, &["json"])
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy());
    ending.is_some_and(|own| {
        endings
            .iter()
            .any(|ending| own.eq_ignore_ascii_case(ending))
    })
}

/// Returns the name without the time at which a bench took the file and without the bench: `orders.csv` for
/// `20261128-142233-QK7BND-orders.csv`.
pub fn without_time(name: &str) -> &str {
    let is_time = |text: &str| {
        let is_digit = |(at, byte): (usize, u8)| match at {
            8 | 15 => byte == b'-',
            _ => byte.is_ascii_digit(),
        };
        text.len() == 16 && text.bytes().enumerate().all(is_digit)
    };
    let plain = name.split_at_checked(16).filter(|(time, _)| is_time(time));
    let plain = plain.and_then(|(_, rest)| rest.split_once('-'));
    match plain {
        Some((_bench, rest)) if !rest.is_empty() => rest,
        _ => name,
    }
}
