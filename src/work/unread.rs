//! What of the service's lists can't be read, for the screens that show these lists.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::shipping::Unread;

/// The records of a list that can't be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnreadRecords {
    /// Each of them.
    pub records: Arc<[Unread]>,
    /// Records of the whole list, with these.
    pub of: usize,
}

impl UnreadRecords {
    pub(super) fn new(records: Vec<Unread>, of: usize) -> Self {
        Self {
            records: records.into(),
            of,
        }
    }
}

/// The same of every list that is shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnreadLists {
    /// What waits for a manifest.
    pub unmanifested: UnreadRecords,
    /// What Track follows.
    pub followed: UnreadRecords,
    /// Saved locations.
    pub locations: UnreadRecords,
    /// The routes that were asked for last.
    pub routes: UnreadRecords,
}

/// Shared by whoever reads lists and whoever shows them.
#[derive(Debug, Clone, Default)]
pub(super) struct Unreadable(Arc<Mutex<UnreadLists>>);

impl Unreadable {
    pub(super) fn lists(&self) -> MutexGuard<'_, UnreadLists> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
