//! Following what was sent: the store of it kept up with the service, and what is asked of that store.
//!
//! What always holds: the store is a copy; nothing here changes the service, and nothing of the journal waits for it. The
//! file is opened when it is first asked for.
//! What it must not know: how anything is shown.

mod board;
mod door;
mod follow;
mod list;
mod news;
mod page;
mod sync;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::WorkError;
use crate::journal::{JournalError, TrackReader, TrackStore};
pub use board::{Board, CarrierTally, DayShare, ExceptionRow, Share, Tally};
pub use door::{AgeBand, Arrival, Door, Exception, Thresholds, TrackScope};
pub use list::{TrackColumn, TrackList, TrackOrder, TrackQuery};
pub use news::{News, NewsOrder};
pub use sync::{SyncOrder, Synced};

/// Readers that are kept open between two questions.
const READERS: usize = 4;

/// The store of what is followed; cheap to clone.
#[derive(Clone)]
pub(super) struct Track(Arc<Inner>);

struct Inner {
    path: PathBuf,
    store: Mutex<Option<TrackStore>>,
    readers: Mutex<Vec<TrackReader>>,
    sync: sync::Standing,
    behind: follow::Behind,
}

impl Track {
    /// The store beside a journal.
    pub(super) fn beside(journal: &std::path::Path) -> Self {
        Self(Arc::new(Inner {
            path: TrackStore::beside(journal),
            store: Mutex::default(),
            readers: Mutex::default(),
            sync: sync::Standing::default(),
            behind: follow::Behind::default(),
        }))
    }

    /// How following stands.
    fn standing(&self) -> &sync::Standing {
        &self.0.sync
    }

    /// Writes; done when this returns.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut TrackStore) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, WorkError> {
        let inner = Arc::clone(&self.0);
        blocking(move || inner.with_store(job)).await
    }

    /// Reads, beside whatever is written meanwhile.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        job: impl FnOnce(&TrackReader) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, WorkError> {
        let inner = Arc::clone(&self.0);
        blocking(move || inner.with_reader(job)).await
    }
}

impl Inner {
    fn with_store<T>(
        &self,
        job: impl FnOnce(&mut TrackStore) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let open = match store.take() {
            Some(open) => open,
            None => TrackStore::open(&self.path)?,
        };
        job(store.insert(open))
    }

    fn with_reader<T>(
        &self,
        job: impl FnOnce(&TrackReader) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        let kept = self.readers().pop();
        let reader = match kept {
            Some(reader) => reader,
            None => self.with_store(|store| store.reader())?,
        };
        let done = job(&reader);
        let mut readers = self.readers();
        if readers.len() < READERS {
            readers.push(reader);
        }
        done
    }

    fn readers(&self) -> std::sync::MutexGuard<'_, Vec<TrackReader>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn blocking<T: Send + 'static>(
    job: impl FnOnce() -> Result<T, JournalError> + Send + 'static,
) -> Result<T, WorkError> {
    let done = tokio::task::spawn_blocking(job).await;
    Ok(done.map_err(|_panicked| WorkError::Internal)??)
}
