//! The local store of consignments: opened on first use, kept in sync with the service, read by the Dispatch and
//! Track screens. The store is a copy of the service's data. Nothing here changes the service, and no journal
//! write waits for the store.

mod board;
mod drill_down;
mod evaluator;
mod files;
mod find;
mod list;
mod maintenance;
mod record;
mod summaries;
mod sync;
mod unmanifested;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::EngineError;
use super::context::{blocking, lock};
pub use board::{
    ArrivalCounts, Board, CarrierPerformance, DayPerformance, ExceptionRow, Metric, NewExceptions,
    NewExceptionsRequest,
};
pub use drill_down::{AgeBand, Arrival, DrillDown, Thresholds, TrackScope};
pub use files::{FileCache, FileError, FilePage, FilePageRequest, SavedFiles};
pub use find::{LocalMatches, SearchTerm, ServiceMatches};
pub use list::{TrackList, TrackQuery};
use maintenance::MaintenanceState;
use shipping::Clock;
use storage::{JournalError, SyncMark, SyncScope, TrackReader, TrackStore};
use summaries::Summaries;
pub use sync::{ListProgress, SyncRequest, SyncResult};
pub use unmanifested::SyncKind;

const READERS: usize = 4;

/// How often the removal of a damaged store is tried, and the pause in between. The total is about as long as
/// the longest read takes.
const REMOVALS: u32 = 20;
const BETWEEN_REMOVALS: Duration = Duration::from_millis(100);

/// A handle to the store of tracked consignments; cheap to clone.
#[derive(Clone)]
pub(super) struct Track(Arc<Inner>);

struct Inner {
    clock: Clock,
    path: PathBuf,
    store: Mutex<Option<TrackStore>>,
    readers: Mutex<Readers>,
    /// The summaries of all consignments; `None` until they are first needed.
    summaries: Mutex<Option<Summaries>>,
    maintenance: MaintenanceState,
    list: AtomicU64,
    sync: sync::SyncState,
    texts: unmanifested::ListTexts,
    behind: record::BackgroundUpdates,
}

/// Idle readers, all opened on the current store.
#[derive(Default)]
struct Readers {
    idle: Vec<TrackReader>,
    begun: u64,
}

impl Track {
    /// Creates a handle to the store next to a journal. The file is opened on first use.
    pub(super) fn for_journal(journal: &std::path::Path, clock: Clock) -> Self {
        Self(Arc::new(Inner {
            clock,
            path: TrackStore::beside(journal),
            store: Mutex::default(),
            readers: Mutex::default(),
            summaries: Mutex::default(),
            maintenance: MaintenanceState::default(),
            list: AtomicU64::default(),
            sync: sync::SyncState::default(),
            texts: unmanifested::ListTexts::default(),
            behind: record::BackgroundUpdates::default(),
        }))
    }

    /// Returns how often the store was recreated because it was damaged.
    fn generation(&self) -> u64 {
        lock(&self.0.readers).begun
    }

    /// Stores the sync mark of a scope. Returns false and stores nothing if the store was recreated since `begun`:
    /// the mark does not apply to the new, empty store.
    async fn set_mark(
        &self,
        scope: SyncScope,
        mark: SyncMark,
        begun: u64,
    ) -> Result<bool, EngineError> {
        let held = self.clone();
        self.write(move |store| {
            let is_true = held.generation() == begun;
            if is_true {
                store.set_mark(scope, mark)?;
            }
            Ok(is_true)
        })
        .await
    }

    fn sync_state(&self) -> &sync::SyncState {
        &self.0.sync
    }

    /// Runs `job` with write access; its changes are stored when this returns. If the store is damaged, it is
    /// recreated and `job` runs again on the new store.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        mut job: impl FnMut(&mut TrackStore) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, EngineError> {
        let inner = Arc::clone(&self.0);
        let done = blocking(move || inner.with_store(&mut job)).await;
        self.used();
        done
    }

    /// Runs `job` with read access, in parallel with writes. If the store is damaged, it is recreated and
    /// `job` runs again on the new store.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        mut job: impl FnMut(&TrackReader) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, EngineError> {
        let inner = Arc::clone(&self.0);
        let done = blocking(move || inner.with_reader(&mut job)).await;
        self.used();
        done
    }

    /// Registers a new list request, which makes all earlier requests obsolete. The returned function returns true
    /// while this request is the newest.
    fn newest_list(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let number = self.0.list.fetch_add(1, Ordering::Relaxed) + 1;
        let inner = Arc::clone(&self.0);
        move || inner.list.load(Ordering::Relaxed) == number
    }
}

impl Inner {
    fn with_store<T>(
        &self,
        job: &mut dyn FnMut(&mut TrackStore) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        let mut store = lock(&self.store);
        let done = self.opened(&mut store).and_then(&mut *job);
        if matches!(done, Err(JournalError::Damaged)) {
            self.recreate(&mut store)?;
            return self.opened(&mut store).and_then(job);
        }
        done
    }

    fn with_reader<T>(
        &self,
        job: &mut dyn FnMut(&TrackReader) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        let (reader, begun) = self.reader()?;
        let done = job(&reader);
        if matches!(done, Err(JournalError::Damaged)) {
            drop(reader);
            let mut store = lock(&self.store);
            // Another reader may have found the damage first and recreated the store.
            if lock(&self.readers).begun == begun {
                self.recreate(&mut store)?;
            }
            return job(&self.opened(&mut store)?.reader()?);
        }
        let mut readers = lock(&self.readers);
        if readers.begun == begun && readers.idle.len() < READERS {
            readers.idle.push(reader);
        }
        done
    }

    fn reader(&self) -> Result<(TrackReader, u64), JournalError> {
        {
            let mut readers = lock(&self.readers);
            if let Some(idle) = readers.idle.pop() {
                return Ok((idle, readers.begun));
            }
        }
        self.with_store(&mut |store: &mut TrackStore| {
            Ok((store.reader()?, lock(&self.readers).begun))
        })
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

    /// Deletes a damaged store, so that an empty one is opened next. The next sync fetches the data again.
    fn recreate(&self, store: &mut Option<TrackStore>) -> Result<(), JournalError> {
        tracing::warn!("the tracking store is damaged; recreating it");
        // Clear the summaries even if the removal fails: nothing may be counted from the damaged store any more.
        *lock(&self.summaries) = Some(Summaries::default());
        *store = None;
        {
            let mut readers = lock(&self.readers);
            readers.idle.clear();
            readers.begun += 1;
        }
        // Readers at work hold the file open, and some systems don't delete an open file. No new reader can
        // open it meanwhile, because that needs the lock of the store.
        let mut tries = REMOVALS;
        loop {
            tries -= 1;
            match TrackStore::remove(&self.path) {
                Err(_) if tries > 0 => std::thread::sleep(BETWEEN_REMOVALS),
                done => return done,
            }
        }
    }
}
