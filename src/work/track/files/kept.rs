//! Files that were fetched, for as long as somebody may look at them: in memory alone, so that no proof with a signature and
//! an address stays on a bench's disk.
//!
//! What always holds: no more than [`MOST_BYTES`] are kept, but for what was fetched last; the oldest go first.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::FileError;
use crate::shipping::{AttachmentId, ConsignmentId, DocumentKind};

/// Bytes kept of earlier consignments.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// Consignments whose files are kept.
const MOST: usize = 16;

/// Fetched files; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct KeptFiles(Arc<Mutex<VecDeque<Kept>>>);

#[derive(Debug)]
struct Kept {
    of: ConsignmentId,
    /// What was listed when they were fetched.
    listed: Vec<AttachmentId>,
    files: Files,
}

/// In the order of the list; or why there is none: it did not come, or nobody knows which of them it is.
pub(super) type Files = Arc<[Result<KeptFile, FileError>]>;

/// A file that was fetched.
#[derive(Debug, Clone)]
pub(super) struct KeptFile {
    pub(super) kind: DocumentKind,
    pub(super) bytes: Arc<[u8]>,
}

impl KeptFiles {
    /// Forgets those of a consignment: they are to be fetched again.
    pub fn forget(&self, of: ConsignmentId) {
        self.kept().retain(|kept| kept.of != of);
    }

    /// Those of a consignment, where they were fetched for the same list.
    pub(super) fn get(&self, of: ConsignmentId, listed: &[AttachmentId]) -> Option<Files> {
        let kept = self.kept();
        let found = { kept.iter() }.find(|kept| kept.of == of && kept.listed == listed)?;
        Some(Arc::clone(&found.files))
    }

    pub(super) fn put(&self, of: ConsignmentId, listed: Vec<AttachmentId>, files: Files) -> Files {
        let mut kept = self.kept();
        kept.retain(|kept| kept.of != of);
        kept.push_back(Kept {
            of,
            listed,
            files: Arc::clone(&files),
        });
        while kept.len() > MOST || (kept.len() > 1 && bytes(&kept) > MOST_BYTES) {
            kept.pop_front();
        }
        files
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, VecDeque<Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bytes(kept: &VecDeque<Kept>) -> usize {
    let files = kept.iter().flat_map(|kept| kept.files.iter());
    files.flatten().map(|file| file.bytes.len()).sum()
}
