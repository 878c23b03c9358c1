//! Cache of fetched files, in memory only, so that no proof with a signature and an address stays on the
//! bench's disk. The oldest files are removed when the cache holds more than 64 MiB or 16 consignments; the
//! files fetched last always stay.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::FileError;
use shipping::{AttachmentId, ConsignmentId, DocumentKind};

/// The most bytes in the cache. The files of a single consignment may be larger.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// The most consignments in the cache.
const MOST: usize = 16;

/// Cache of fetched files; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct FileCache(Arc<Mutex<VecDeque<CacheEntry>>>);

#[derive(Debug)]
struct CacheEntry {
    of: ConsignmentId,
    /// The listed files at the time of the fetch.
    listed: Vec<AttachmentId>,
    files: FileResults,
}

/// Files in the order of the list. An error stands for a file that did not come or could not be assigned.
pub(super) type FileResults = Arc<[Result<CachedFile, FileError>]>;

#[derive(Debug, Clone)]
pub(super) struct CachedFile {
    pub(super) kind: DocumentKind,
    pub(super) bytes: Arc<[u8]>,
}

impl FileCache {
    /// Removes the files of a consignment, so that they are fetched again.
    pub fn forget(&self, of: ConsignmentId) {
        self.kept().retain(|kept| kept.of != of);
    }

    /// Returns the files of a consignment, if they were fetched for the same list.
    pub(super) fn get(&self, of: ConsignmentId, listed: &[AttachmentId]) -> Option<FileResults> {
        let kept = self.kept();
        let found = { kept.iter() }.find(|kept| kept.of == of && kept.listed == listed)?;
        Some(Arc::clone(&found.files))
    }

    pub(super) fn put(
        &self,
        of: ConsignmentId,
        listed: Vec<AttachmentId>,
        files: FileResults,
    ) -> FileResults {
        let mut kept = self.kept();
        kept.retain(|kept| kept.of != of);
        kept.push_back(CacheEntry {
            of,
            listed,
            files: Arc::clone(&files),
        });
        while kept.len() > MOST || (kept.len() > 1 && bytes(&kept) > MOST_BYTES) {
            kept.pop_front();
        }
        files
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, VecDeque<CacheEntry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bytes(kept: &VecDeque<CacheEntry>) -> usize {
    let files = kept.iter().flat_map(|kept| kept.files.iter());
    files.flatten().map(|file| file.bytes.len()).sum()
}
