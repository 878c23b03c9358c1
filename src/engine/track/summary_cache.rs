//! Cache of the summaries: loaded once in the background, then updated with every change. Changes that arrive
//! during loading are applied on top of the loaded state, so none is lost.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::summaries::Summaries;
use shipping::ConsignmentId;
use storage::ConsignmentSummary;

/// A change that arrived while the summaries were being loaded.
enum PendingChange {
    Put(Vec<ConsignmentSummary>),
    Forgotten(Vec<ConsignmentId>),
}

#[derive(Default)]
enum CacheState {
    /// Not requested yet.
    #[default]
    NotLoaded,
    /// Being loaded; holds the changes that arrived meanwhile.
    Loading(Vec<PendingChange>),
    Loaded(Summaries),
}

/// The cached summaries and their loading state.
#[derive(Default)]
pub(super) struct SummaryCache {
    state: Mutex<CacheState>,
    /// Lets only one task load; the others wait for it.
    pub(super) loading: tokio::sync::Mutex<()>,
}

impl SummaryCache {
    /// Returns the summaries if they are loaded.
    pub(super) fn now(&self) -> Option<Summaries> {
        match &*self.state() {
            CacheState::Loaded(figures) => Some(figures.clone()),
            _ => None,
        }
    }

    /// Marks the start of loading: changes are remembered from now on.
    pub(super) fn begin(&self) {
        *self.state() = CacheState::Loading(Vec::new());
    }

    /// Applies the changes that arrived during loading, and caches the result.
    pub(super) fn loaded(&self, mut figures: Summaries) -> Summaries {
        let mut state = self.state();
        // If the store was recreated meanwhile, the loaded summaries are those of the old one.
        if let CacheState::Loaded(newer) = &*state {
            return newer.clone();
        }
        if let CacheState::Loading(late) = std::mem::take(&mut *state) {
            for change in late {
                match change {
                    PendingChange::Put(gists) => figures.put(&gists),
                    PendingChange::Forgotten(ids) => figures.forget(&ids),
                }
            }
        }
        *state = CacheState::Loaded(figures.clone());
        figures
    }

    /// Resets the cache after loading has failed.
    pub(super) fn failed(&self) {
        let mut state = self.state();
        if matches!(*state, CacheState::Loading(_)) {
            *state = CacheState::NotLoaded;
        }
    }

    /// Applies rows that the store has written.
    pub(super) fn put(&self, gists: Vec<ConsignmentSummary>) {
        match &mut *self.state() {
            CacheState::NotLoaded => {}
            CacheState::Loading(late) => late.push(PendingChange::Put(gists)),
            CacheState::Loaded(figures) => figures.put(&gists),
        }
    }

    /// Applies a removal from the store.
    pub(super) fn forget(&self, ids: &[ConsignmentId]) {
        match &mut *self.state() {
            CacheState::NotLoaded => {}
            CacheState::Loading(late) => late.push(PendingChange::Forgotten(ids.to_vec())),
            CacheState::Loaded(figures) => figures.forget(ids),
        }
    }

    /// Empties the cache after the store was recreated.
    pub(super) fn clear(&self) {
        *self.state() = CacheState::Loaded(Summaries::default());
    }

    fn state(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
