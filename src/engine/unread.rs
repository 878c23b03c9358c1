//! The unreadable records of the service's lists, for the screens that show these lists.

use std::sync::{Arc, Mutex, MutexGuard};

use super::lock;
use shipping::UnreadableRecord;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnreadRecords {
    pub records: Arc<[UnreadableRecord]>,
    /// The count of all records in the list, including the unreadable ones.
    pub of: usize,
}

impl UnreadRecords {
    pub(super) fn new(records: Vec<UnreadableRecord>, of: usize) -> Self {
        Self {
            records: records.into(),
            of,
        }
    }
}

/// The unreadable records of every list that is shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnreadLists {
    pub unmanifested: UnreadRecords,
    pub tracked: UnreadRecords,
    pub locations: UnreadRecords,
    /// The routes of the last request.
    pub routes: UnreadRecords,
}

/// The unreadable records, shared by the readers of lists and the screens.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedUnreadLists(Arc<Mutex<UnreadLists>>);

impl SharedUnreadLists {
    pub(super) fn lists(&self) -> MutexGuard<'_, UnreadLists> {
        lock(&self.0)
    }
}
