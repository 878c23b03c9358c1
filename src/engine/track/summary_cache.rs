//! Cache of the summaries: loaded once in the background, then updated with every change. Changes that arrive
//! during loading are applied on top of the loaded state, so none is lost.

use std::sync::Mutex;

use super::summaries::Summaries;
use crate::context::lock;
use shipping::ConsignmentId;
use storage::ConsignmentSummary;

/// A change of the store.
pub(super) enum SummaryChange {
    Written(Vec<ConsignmentSummary>),
    Removed(Vec<ConsignmentId>),
}

impl Summaries {
    fn apply(&mut self, change: &SummaryChange) {
        match change {
            SummaryChange::Written(rows) => self.put(rows),
            SummaryChange::Removed(ids) => self.forget(ids),
        }
    }
}

#[derive(Default)]
enum CacheState {
    /// Not requested yet.
    #[default]
    NotLoaded,
    /// Being loaded; holds the changes that arrived meanwhile.
    Loading(Vec<SummaryChange>),
    Loaded(Summaries),
}

#[derive(Default)]
pub(super) struct SummaryCache {
    state: Mutex<CacheState>,
    /// Lets only one task load; other tasks wait for it.
    pub(super) loading: tokio::sync::Mutex<()>,
}

impl SummaryCache {
    pub(super) fn now(&self) -> Option<Summaries> {
        match &*lock(&self.state) {
            CacheState::Loaded(figures) => Some(figures.clone()),
            _ => None,
        }
    }

    /// Marks the start of loading: changes are remembered from now on.
    pub(super) fn begin(&self) {
        *lock(&self.state) = CacheState::Loading(Vec::new());
    }

    /// Applies the changes that arrived during loading, and caches the result.
    pub(super) fn loaded(&self, mut figures: Summaries) -> Summaries {
        let mut state = lock(&self.state);
        // If the store was recreated meanwhile, the loaded summaries come from the previous store.
        if let CacheState::Loaded(newer) = &*state {
            return newer.clone();
        }
        if let CacheState::Loading(late) = std::mem::take(&mut *state) {
            for change in &late {
                figures.apply(change);
            }
        }
        *state = CacheState::Loaded(figures.clone());
        figures
    }

    /// Resets the cache after loading has failed.
    pub(super) fn failed(&self) {
        let mut state = lock(&self.state);
        if matches!(*state, CacheState::Loading(_)) {
            *state = CacheState::NotLoaded;
        }
    }

    /// Applies a change that the store has written.
    pub(super) fn apply(&self, change: SummaryChange) {
        match &mut *lock(&self.state) {
            CacheState::NotLoaded => {}
            CacheState::Loading(late) => late.push(change),
            CacheState::Loaded(figures) => figures.apply(&change),
        }
    }

    /// Empties the cache after the store was recreated.
    pub(super) fn clear(&self) {
        *lock(&self.state) = CacheState::Loaded(Summaries::default());
    }
}
