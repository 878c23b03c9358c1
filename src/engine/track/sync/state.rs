//! State that all syncs share: the running syncs, the wanted scopes, the progress, and the consignments with newer
//! data. The progress of a sync is cleared however it ends. Each new sync treats consignments with unstored data from
//! operations as newer.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use jiff::Timestamp;

use super::lookups::LookupRotation;
use super::{SyncRun, SyncWindow};
use crate::context::lock;
use crate::{EngineError, ListProgress};
use shipping::{ConsignmentId, UnreadableRecord};
use storage::SyncScope;

/// The purpose of a sync. One sync of each purpose runs at a time, so that the list of unmanifested consignments does
/// not wait for a long sync of Track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SyncPurpose {
    /// The list of unmanifested consignments of one company, which must be exact.
    Unmanifested,
    /// The consignments that Track shows.
    Track,
}

impl SyncPurpose {
    const ALL: [Self; 2] = [Self::Unmanifested, Self::Track];
}

#[derive(Default)]
pub(in crate::track) struct SyncState {
    memories: [tokio::sync::Mutex<SyncMemory>; SyncPurpose::ALL.len()],
    shared: Arc<Mutex<Shared>>,
    version: AtomicU64,
}

#[derive(Default)]
struct Shared {
    purposes: [PurposeState; SyncPurpose::ALL.len()],
    /// Consignments from operations and opened pages that are not stored yet, each with the number of its updates.
    unstored: HashMap<ConsignmentId, usize>,
}

#[derive(Default)]
struct PurposeState {
    wanted: Option<SyncScope>,
    progress: Option<ListProgress>,
    /// Consignments that operations and opened pages reported since the running sync began, or that were not
    /// stored yet at its start. `None` if no sync is running.
    meanwhile: Option<HashSet<ConsignmentId>>,
}

impl Shared {
    const fn of(&mut self, purpose: SyncPurpose) -> &mut PurposeState {
        &mut self.purposes[purpose as usize]
    }
}

/// A guard that marks consignments as not stored yet, until it is dropped.
pub(in crate::track) struct UnstoredGuard {
    shared: Arc<Mutex<Shared>>,
    ids: Vec<ConsignmentId>,
}

#[derive(Default)]
pub(super) struct SyncMemory {
    scopes: HashMap<SyncScope, ScopeMemory>,
    pub(super) rotation: LookupRotation,
}

#[derive(Default, Clone)]
pub(super) struct ScopeMemory {
    /// The start of the last sync that read more than the changes.
    pub(super) far_at: Option<Timestamp>,
    /// The time of the newest change that the service reported.
    pub(super) newest: Option<Timestamp>,
    pub(super) unread: HashMap<i64, UnreadableRecord>,
    /// The number of rows that the last full sync returned.
    pub(super) came: usize,
}

pub(in crate::track) struct RunningSync<'a> {
    standing: &'a SyncState,
    purpose: SyncPurpose,
    scope: SyncScope,
}

impl SyncState {
    /// Makes this scope the only scope that is wanted for a purpose.
    pub(in crate::track) fn want(&self, purpose: SyncPurpose, scope: SyncScope) {
        let mut shared = self.shared();
        let state = shared.of(purpose);
        state.wanted = Some(scope);
        state.progress = Some(ListProgress::default());
    }

    /// Returns an error if another scope is wanted now. The error ends the sync, because nobody waits for
    /// it any more.
    pub(super) fn still_wanted(
        &self,
        purpose: SyncPurpose,
        scope: SyncScope,
    ) -> Result<(), EngineError> {
        let wanted = self.shared().of(purpose).wanted;
        if wanted == Some(scope) {
            Ok(())
        } else {
            Err(EngineError::Internal)
        }
    }

    /// Waits until no other sync for this purpose is running.
    pub(super) async fn lock(
        &self,
        purpose: SyncPurpose,
    ) -> tokio::sync::MutexGuard<'_, SyncMemory> {
        self.memories[purpose as usize].lock().await
    }

    pub(in crate::track) fn begins(
        &self,
        purpose: SyncPurpose,
        scope: SyncScope,
    ) -> RunningSync<'_> {
        let mut shared = self.shared();
        let unstored = shared.unstored.keys().copied().collect();
        shared.of(purpose).meanwhile = Some(unstored);
        RunningSync {
            standing: self,
            purpose,
            scope,
        }
    }

    pub(super) fn came(&self, purpose: SyncPurpose, progress: ListProgress) {
        self.shared().of(purpose).progress = Some(progress);
    }

    pub(in crate::track) fn progress(&self, purpose: SyncPurpose) -> Option<ListProgress> {
        self.shared().of(purpose).progress
    }

    /// Returns the consignments with newer data that is not stored yet.
    pub(in crate::track) fn unstored(&self) -> HashSet<ConsignmentId> {
        self.shared().unstored.keys().copied().collect()
    }

    pub(in crate::track) fn has_unstored(&self) -> bool {
        !self.shared().unstored.is_empty()
    }

    /// Marks consignments as newer than all data that a sync has requested so far, or requests before the
    /// returned guard is dropped.
    pub(in crate::track) fn mark_newer(&self, ids: Vec<ConsignmentId>) -> UnstoredGuard {
        let mut shared = self.shared();
        for id in &ids {
            *shared.unstored.entry(*id).or_default() += 1;
        }
        for purpose in &mut shared.purposes {
            if let Some(meanwhile) = &mut purpose.meanwhile {
                meanwhile.extend(&ids);
            }
        }
        UnstoredGuard {
            shared: Arc::clone(&self.shared),
            ids,
        }
    }

    /// Returns true if an operation or an opened page reported the consignment since the running sync began. Call
    /// this while holding the store's lock: newer data that is marked after the call is then also stored after it.
    pub(in crate::track) fn is_newer(&self, purpose: SyncPurpose, id: ConsignmentId) -> bool {
        let mut shared = self.shared();
        let meanwhile = shared.of(purpose).meanwhile.as_ref();
        meanwhile.is_some_and(|meanwhile| meanwhile.contains(&id))
    }

    pub(in crate::track) fn changed(&self) {
        self.version.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        lock(&self.shared)
    }
}

impl Drop for RunningSync<'_> {
    fn drop(&mut self) {
        let mut shared = self.standing.shared();
        let state = shared.of(self.purpose);
        state.meanwhile = None;
        if state.wanted == Some(self.scope) {
            state.progress = None;
        }
    }
}

impl Drop for UnstoredGuard {
    fn drop(&mut self) {
        let mut shared = lock(&self.shared);
        for id in &self.ids {
            if let Entry::Occupied(mut words) = shared.unstored.entry(*id) {
                *words.get_mut() -= 1;
                if *words.get() == 0 {
                    words.remove();
                }
            }
        }
    }
}

impl SyncMemory {
    pub(super) fn of(&self, scope: SyncScope) -> ScopeMemory {
        self.scopes.get(&scope).cloned().unwrap_or_default()
    }

    pub(super) fn ended(&mut self, run: &SyncRun) {
        let scope = self.scopes.entry(run.scope).or_default();
        scope.newest = scope.newest.max(run.newest);
        scope.unread.clone_from(&run.unread);
        if run.window == SyncWindow::Full {
            scope.came = run.came;
        }
        if run.window != SyncWindow::Changes {
            scope.far_at = Some(run.began);
        }
    }
}
