//! Following what was sent: the store of it kept up with the service, and what is asked of that store.
//!
//! What always holds: the store is a copy; nothing here changes the service, and nothing of the journal waits for it. The
//! file is opened when it is first asked for.
//! What it must not know: how anything is shown.

mod board;
mod count;
mod door;
mod figures;
mod files;
mod find;
mod follow;
mod held;
mod list;
mod look;
mod news;
mod page;
mod rows;
mod sync;
mod tend;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::WorkError;
use crate::journal::{JournalError, SyncMark, SyncScope, TrackReader, TrackStore};
use crate::shipping::Clock;
pub use board::{Board, CarrierTally, DayShare, ExceptionRow, Share, Tally};
pub use door::{AgeBand, Arrival, Door, Exception, Thresholds, TrackScope};
use figures::Figures;
pub use files::{FileError, FileOrder, FileShown, KeptFiles, SavedFiles};
pub use find::{AtService, Here, Wanted};
use held::Held;
pub use list::{TrackColumn, TrackList, TrackOrder, TrackQuery};
pub use news::{News, NewsOrder};
pub use sync::{SyncOrder, Synced};
use tend::Tending;

/// Readers that are kept open between two questions.
const READERS: usize = 4;

/// How often it is tried to remove a damaged store, and how long between: about as long as anything is read.
const REMOVALS: u32 = 20;
const BETWEEN_REMOVALS: Duration = Duration::from_millis(100);

/// The store of what is followed; cheap to clone.
#[derive(Clone)]
pub(super) struct Track(Arc<Inner>);

struct Inner {
    clock: Clock,
    path: PathBuf,
    store: Mutex<Option<TrackStore>>,
    readers: Mutex<Readers>,
    figures: Held,
    tending: Tending,
    /// The newest list that was asked for.
    list: AtomicU64,
    sync: sync::Standing,
    behind: follow::Behind,
}

/// Readers that nobody reads with now, all of the store that was begun last.
#[derive(Default)]
struct Readers {
    idle: Vec<TrackReader>,
    begun: u64,
}

impl Track {
    /// The store beside a journal.
    pub(super) fn beside(journal: &std::path::Path, clock: Clock) -> Self {
        Self(Arc::new(Inner {
            clock,
            path: TrackStore::beside(journal),
            store: Mutex::default(),
            readers: Mutex::default(),
            figures: Held::default(),
            tending: Tending::default(),
            list: AtomicU64::default(),
            sync: sync::Standing::default(),
            behind: follow::Behind::default(),
        }))
    }

    /// How often the store was begun anew, because it was damaged.
    fn begun(&self) -> u64 {
        self.0.readers().begun
    }

    /// Says up to where a scope was followed. False where that is not true, because the store was begun anew since `begun`.
    async fn set_mark(
        &self,
        scope: SyncScope,
        mark: SyncMark,
        begun: u64,
    ) -> Result<bool, WorkError> {
        let held = self.clone();
        self.write(move |store| {
            let is_true = held.begun() == begun;
            if is_true {
                store.set_mark(scope, mark)?;
            }
            Ok(is_true)
        })
        .await
    }

    /// How following stands.
    fn standing(&self) -> &sync::Standing {
        &self.0.sync
    }

    /// Writes; done when this returns. Where damage shows, the store is begun anew and `job` is done there.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        mut job: impl FnMut(&mut TrackStore) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, WorkError> {
        let inner = Arc::clone(&self.0);
        let done = blocking(move || inner.with_store(&mut job)).await;
        self.used();
        done
    }

    /// Reads, beside whatever is written meanwhile. Where damage shows, the store is begun anew and `job` is done there.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        mut job: impl FnMut(&TrackReader) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, WorkError> {
        let inner = Arc::clone(&self.0);
        let done = blocking(move || inner.with_reader(&mut job)).await;
        self.used();
        done
    }

    /// The figures as they are now; they are loaded when they are first asked for.
    pub(super) async fn figures(&self) -> Result<Figures, WorkError> {
        if let Some(figures) = self.0.figures.now() {
            return Ok(figures);
        }
        let _one = self.0.figures.loading.lock().await;
        if let Some(figures) = self.0.figures.now() {
            return Ok(figures);
        }
        self.0.figures.begin();
        let loaded = self.read(Figures::load).await;
        if loaded.is_err() {
            self.0.figures.failed();
        }
        Ok(self.0.figures.loaded(loaded?))
    }

    /// A list is asked for: those that were asked for before are given up. Answers whether this one still is the newest.
    fn newest_list(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let number = self.0.list.fetch_add(1, Ordering::Relaxed) + 1;
        let inner = Arc::clone(&self.0);
        move || inner.list.load(Ordering::Relaxed) == number
    }
}

impl Inner {
    fn with_store<T>(
        &self,
        job: &mut impl FnMut(&mut TrackStore) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        let mut store = self.store();
        let done = self.opened(&mut store).and_then(&mut *job);
        if matches!(done, Err(JournalError::Damaged)) {
            self.begin_anew(&mut store)?;
            return self.opened(&mut store).and_then(job);
        }
        done
    }

    fn with_reader<T>(
        &self,
        job: &mut impl FnMut(&TrackReader) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        let (reader, begun) = self.reader()?;
        let done = job(&reader);
        if matches!(done, Err(JournalError::Damaged)) {
            drop(reader);
            let mut store = self.store();
            // Somebody else may have come upon the damage first.
            if self.readers().begun == begun {
                self.begin_anew(&mut store)?;
            }
            return job(&self.opened(&mut store)?.reader()?);
        }
        let mut readers = self.readers();
        if readers.begun == begun && readers.idle.len() < READERS {
            readers.idle.push(reader);
        }
        done
    }

    fn reader(&self) -> Result<(TrackReader, u64), JournalError> {
        {
            let mut readers = self.readers();
            if let Some(idle) = readers.idle.pop() {
                return Ok((idle, readers.begun));
            }
        }
        let mut store = self.store();
        let begun = self.readers().begun;
        let reader = self.opened(&mut store).and_then(|store| store.reader());
        if matches!(reader, Err(JournalError::Damaged)) {
            self.begin_anew(&mut store)?;
            let begun = self.readers().begun;
            return Ok((self.opened(&mut store)?.reader()?, begun));
        }
        Ok((reader?, begun))
    }

    fn opened<'a>(
        &self,
        store: &'a mut Option<TrackStore>,
    ) -> Result<&'a mut TrackStore, JournalError> {
        let open = match store.take() {
            Some(open) => open,
            None => TrackStore::open(&self.path)?,
        };
        Ok(store.insert(open))
    }

    /// It is a copy of what the service has: what is damaged goes, and is fetched again.
    fn begin_anew(&self, store: &mut Option<TrackStore>) -> Result<(), JournalError> {
        tracing::warn!("what is followed is damaged; it is begun anew");
        // Whether it can be removed or not, nobody counts by it any more.
        self.figures.clear();
        *store = None;
        {
            let mut readers = self.readers();
            readers.idle.clear();
            readers.begun += 1;
        }
        // Who reads just now holds it open, and some systems remove no file that is open. No new reader comes meanwhile: it
        // would need the store.
        let mut tries = REMOVALS;
        loop {
            tries -= 1;
            match TrackStore::remove(&self.path) {
                Err(_) if tries > 0 => std::thread::sleep(BETWEEN_REMOVALS),
                done => return done,
            }
        }
    }

    fn store(&self) -> MutexGuard<'_, Option<TrackStore>> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn readers(&self) -> MutexGuard<'_, Readers> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn blocking<T: Send + 'static>(
    job: impl FnOnce() -> Result<T, JournalError> + Send + 'static,
) -> Result<T, WorkError> {
    let done = tokio::task::spawn_blocking(job).await;
    Ok(done.map_err(|_panicked| WorkError::Internal)??)
}
