//! Cache of the summaries: loaded once in the background, then updated with every change. Changes that arrive
//! during loading are applied on top of the loaded state, so none is lost.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::figures::Figures;
use crate::journal::Gist;
use crate::shipping::ConsignmentId;

/// A change that arrived while the summaries were being loaded.
enum Late {
    Put(Vec<Gist>),
    Forgotten(Vec<ConsignmentId>),
}

#[derive(Default)]
enum State {
    /// Not requested yet.
    #[default]
    Unread,
    /// Being loaded; holds the changes that arrived meanwhile.
    Loading(Vec<Late>),
    Here(Figures),
}

/// The cached summaries and their loading state.
#[derive(Default)]
pub(super) struct Held {
    state: Mutex<State>,
    /// Lets only one task load; the others wait for it.
    pub(super) loading: tokio::sync::Mutex<()>,
}

impl Held {
    /// Returns the summaries if they are loaded.
    pub(super) fn now(&self) -> Option<Figures> {
        match &*self.state() {
            State::Here(figures) => Some(figures.clone()),
            _ => None,
        }
    }

    /// Marks the start of loading: changes are remembered from now on.
    pub(super) fn begin(&self) {
        *self.state() = State::Loading(Vec::new());
    }

    /// Applies the changes that arrived during loading, and caches the result.
    pub(super) fn loaded(&self, mut figures: Figures) -> Figures {
        let mut state = self.state();
        // If the store was recreated meanwhile, the loaded summaries are those of the old one.
        if let State::Here(newer) = &*state {
            return newer.clone();
        }
        if let State::Loading(late) = std::mem::take(&mut *state) {
            for change in late {
                match change {
                    Late::Put(gists) => figures.put(&gists),
                    Late::Forgotten(ids) => figures.forget(&ids),
                }
            }
        }
        *state = State::Here(figures.clone());
        figures
    }

    /// Resets the cache after loading has failed.
    pub(super) fn failed(&self) {
        let mut state = self.state();
        if matches!(*state, State::Loading(_)) {
            *state = State::Unread;
        }
    }

    /// Applies rows that the store has written.
    pub(super) fn put(&self, gists: Vec<Gist>) {
        match &mut *self.state() {
            State::Unread => {}
            State::Loading(late) => late.push(Late::Put(gists)),
            State::Here(figures) => figures.put(&gists),
        }
    }

    /// Applies a removal from the store.
    pub(super) fn forget(&self, ids: &[ConsignmentId]) {
        match &mut *self.state() {
            State::Unread => {}
            State::Loading(late) => late.push(Late::Forgotten(ids.to_vec())),
            State::Here(figures) => figures.forget(ids),
        }
    }

    /// Empties the cache after the store was recreated.
    pub(super) fn clear(&self) {
        *self.state() = State::Here(Figures::default());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
