//! The figures as the handle holds them: loaded once in the background, and kept up with every change from then on.
//!
//! What always holds: a change that is made while they are loaded is put on top of what was loaded, so none is lost.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::figures::Figures;
use crate::journal::Gist;
use crate::shipping::ConsignmentId;

/// A change that came while the figures were loaded.
enum Late {
    Put(Vec<Gist>),
    Forgotten(Vec<ConsignmentId>),
}

#[derive(Default)]
enum State {
    /// Nobody has asked yet.
    #[default]
    Unread,
    /// They are being loaded.
    Loading(Vec<Late>),
    /// They are here.
    Here(Figures),
}

/// The figures, or what there is of them yet.
#[derive(Default)]
pub(super) struct Held {
    state: Mutex<State>,
    /// One load at a time; the others wait for it.
    pub(super) loading: tokio::sync::Mutex<()>,
}

impl Held {
    /// As they are now, where they are here.
    pub(super) fn now(&self) -> Option<Figures> {
        match &*self.state() {
            State::Here(figures) => Some(figures.clone()),
            _ => None,
        }
    }

    /// They are read from the store from now on: what changes meanwhile is remembered.
    pub(super) fn begin(&self) {
        *self.state() = State::Loading(Vec::new());
    }

    /// They were read.
    pub(super) fn loaded(&self, mut figures: Figures) -> Figures {
        let mut state = self.state();
        // Where the store was begun anew meanwhile, what was read is of the old one.
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

    /// They could not be read.
    pub(super) fn failed(&self) {
        let mut state = self.state();
        if matches!(*state, State::Loading(_)) {
            *state = State::Unread;
        }
    }

    /// The store has kept these.
    pub(super) fn put(&self, gists: Vec<Gist>) {
        match &mut *self.state() {
            State::Unread => {}
            State::Loading(late) => late.push(Late::Put(gists)),
            State::Here(figures) => figures.put(&gists),
        }
    }

    /// The store has forgotten these.
    pub(super) fn forget(&self, ids: &[ConsignmentId]) {
        match &mut *self.state() {
            State::Unread => {}
            State::Loading(late) => late.push(Late::Forgotten(ids.to_vec())),
            State::Here(figures) => figures.forget(ids),
        }
    }

    /// The store was begun anew: nothing is followed.
    pub(super) fn clear(&self) {
        *self.state() = State::Here(Figures::default());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
