//! State that all syncs share: which one runs, which scope is wanted, its progress, and which consignments
//! have newer data. However a sync ends, its progress is cleared. Every sync that begins knows about data
//! from operations that is not stored yet.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use super::SyncRun;
use super::lookups::LookupRotation;
use super::window::SyncWindow;
use crate::{EngineError, ListProgress};
use shipping::{ConsignmentId, UnreadableRecord};
use storage::SyncScope;

/// The sync state of the tracking store.
#[derive(Default)]
pub(in crate::track) struct SyncState {
    turn: tokio::sync::Mutex<SyncMemory>,
    shared: Arc<Mutex<Shared>>,
    version: AtomicU64,
}

#[derive(Default)]
struct Shared {
    wanted: Option<SyncScope>,
    progress: Option<ListProgress>,
    /// Consignments from operations and opened pages that are not stored yet, each with its
    /// number of updates.
    unkept: HashMap<ConsignmentId, usize>,
    /// Consignments that operations and opened pages reported since the running sync began, or that were not
    /// stored yet at its start. `None` if no sync is running.
    meanwhile: Option<HashSet<ConsignmentId>>,
}

/// Marks consignments as not stored yet, until it is dropped.
pub(in crate::track) struct UnstoredGuard {
    shared: Arc<Mutex<Shared>>,
    ids: Vec<ConsignmentId>,
}

/// State that one sync leaves for the next.
#[derive(Default)]
pub(super) struct SyncMemory {
    told: HashMap<SyncScope, ScopeMemory>,
    turned: LookupRotation,
}

#[derive(Default, Clone)]
struct ScopeMemory {
    /// When a sync that read more than the difference last began.
    far_at: Option<Timestamp>,
    /// The time of the newest change that the service reported.
    newest: Option<Timestamp>,
    /// Records that could not be read.
    unread: HashMap<i64, UnreadableRecord>,
}

/// Guard of a running sync.
pub(in crate::track) struct RunningSync<'a> {
    standing: &'a SyncState,
    scope: SyncScope,
}

impl SyncState {
    /// Makes this scope the only one that is wanted.
    pub(super) fn want(&self, scope: SyncScope) {
        let mut shared = self.shared();
        shared.wanted = Some(scope);
        shared.progress = Some(ListProgress::default());
    }

    /// Returns an error if another scope is wanted, which ends the sync: nobody waits for it any more.
    pub(super) fn still_wanted(&self, scope: SyncScope) -> Result<(), EngineError> {
        let wanted = self.shared().wanted;
        if wanted == Some(scope) {
            Ok(())
        } else {
            Err(EngineError::Internal)
        }
    }

    /// Waits until no other sync is running.
    pub(super) async fn lock(&self) -> tokio::sync::MutexGuard<'_, SyncMemory> {
        self.turn.lock().await
    }

    pub(in crate::track) fn begins(&self, scope: SyncScope) -> RunningSync<'_> {
        let mut shared = self.shared();
        shared.meanwhile = Some(shared.unkept.keys().copied().collect());
        RunningSync {
            standing: self,
            scope,
        }
    }

    pub(super) fn came(&self, progress: ListProgress) {
        self.shared().progress = Some(progress);
    }

    pub(super) fn progress(&self) -> Option<ListProgress> {
        self.shared().progress
    }

    /// Marks consignments as newer than all data that a sync has requested so far, or requests before the
    /// returned guard is dropped.
    pub(in crate::track) fn mark_newer(&self, ids: Vec<ConsignmentId>) -> UnstoredGuard {
        let mut shared = self.shared();
        for id in &ids {
            *shared.unkept.entry(*id).or_default() += 1;
        }
        if let Some(meanwhile) = &mut shared.meanwhile {
            meanwhile.extend(&ids);
        }
        UnstoredGuard {
            shared: Arc::clone(&self.shared),
            ids,
        }
    }

    /// Returns true if an operation or an opened page reported the consignment since the running sync began.
    /// Call this while holding the store's lock: newer data that is marked after the call is then also stored
    /// after it.
    pub(in crate::track) fn is_newer(&self, id: ConsignmentId) -> bool {
        let shared = self.shared();
        let meanwhile = shared.meanwhile.as_ref();
        meanwhile.is_some_and(|meanwhile| meanwhile.contains(&id))
    }

    pub(in crate::track) fn changed(&self) {
        self.version.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningSync<'_> {
    fn drop(&mut self) {
        let mut shared = self.standing.shared();
        shared.meanwhile = None;
        if shared.wanted == Some(self.scope) {
            shared.progress = None;
        }
    }
}

impl Drop for UnstoredGuard {
    fn drop(&mut self) {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        for id in &self.ids {
            if let Entry::Occupied(mut words) = shared.unkept.entry(*id) {
                *words.get_mut() -= 1;
                if *words.get() == 0 {
                    words.remove();
                }
            }
        }
    }
}

impl SyncMemory {
    pub(super) fn far_at(&self, scope: SyncScope) -> Option<Timestamp> {
        self.told.get(&scope)?.far_at
    }

    pub(super) fn newest(&self, scope: SyncScope) -> Option<Timestamp> {
        self.told.get(&scope)?.newest
    }

    pub(super) fn turned(&mut self) -> &mut LookupRotation {
        &mut self.turned
    }

    pub(super) fn unread(&self, scope: SyncScope) -> HashMap<i64, UnreadableRecord> {
        let told = self.told.get(&scope);
        told.map(|told| told.unread.clone()).unwrap_or_default()
    }

    pub(super) fn ended(&mut self, look: &SyncRun) {
        let told = self.told.entry(look.scope).or_default();
        told.newest = told.newest.max(look.newest);
        told.unread.clone_from(&look.unread);
        if look.window != SyncWindow::Changes {
            told.far_at = Some(look.began);
        }
    }
}
