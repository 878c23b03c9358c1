//! What looks share: whose turn it is, what is wanted, how far it is, and what became known meanwhile.
//!
//! What always holds: a look that has ended, however, leaves no progress behind; what became known in another way and is not
//! kept yet is known to every look that begins.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use super::Look;
use super::asked::Turned;
use super::reach::Reach;
use crate::journal::SyncScope;
use crate::shipping::{ConsignmentId, Unread};
use crate::work::{ListProgress, WorkError};

/// How following stands.
#[derive(Default)]
pub(in crate::work::track) struct Standing {
    turn: tokio::sync::Mutex<Memory>,
    shared: Arc<Mutex<Shared>>,
    version: AtomicU64,
}

#[derive(Default)]
struct Shared {
    wanted: Option<SyncScope>,
    progress: Option<ListProgress>,
    /// What operations and opened pages brought and is not kept yet, each with how many words of it there are.
    unkept: HashMap<ConsignmentId, usize>,
    /// What they brought since the look began that is under way, and what was not kept yet then.
    meanwhile: Option<HashSet<ConsignmentId>>,
}

/// Until it is dropped, these are not kept yet.
pub(in crate::work::track) struct Unkept {
    shared: Arc<Mutex<Shared>>,
    ids: Vec<ConsignmentId>,
}

/// What one look leaves for the next.
#[derive(Default)]
pub(super) struct Memory {
    told: HashMap<SyncScope, Told>,
    turned: Turned,
}

#[derive(Default, Clone)]
struct Told {
    /// When a look at more than a difference last began.
    far_at: Option<Timestamp>,
    /// The service's newest word.
    newest: Option<Timestamp>,
    /// What could not be read.
    unread: HashMap<i64, Unread>,
}

/// While it is there, a look is under way.
pub(in crate::work::track) struct UnderWay<'a> {
    standing: &'a Standing,
    scope: SyncScope,
}

impl Standing {
    /// From now on this scope is wanted, and no other.
    pub(super) fn want(&self, scope: SyncScope) {
        let mut shared = self.shared();
        shared.wanted = Some(scope);
        shared.progress = Some(ListProgress::default());
    }

    /// A look for which nobody waits any more ends.
    pub(super) fn still_wanted(&self, scope: SyncScope) -> Result<(), WorkError> {
        let wanted = self.shared().wanted;
        if wanted == Some(scope) {
            Ok(())
        } else {
            Err(WorkError::Internal)
        }
    }

    /// One look at a time.
    pub(super) async fn turn(&self) -> tokio::sync::MutexGuard<'_, Memory> {
        self.turn.lock().await
    }

    pub(in crate::work::track) fn begins(&self, scope: SyncScope) -> UnderWay<'_> {
        let mut shared = self.shared();
        shared.meanwhile = Some(shared.unkept.keys().copied().collect());
        UnderWay {
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

    /// Newer than whatever a look has asked for so far, or asks for before they are kept.
    pub(in crate::work::track) fn known(&self, ids: Vec<ConsignmentId>) -> Unkept {
        let mut shared = self.shared();
        for id in &ids {
            *shared.unkept.entry(*id).or_default() += 1;
        }
        if let Some(meanwhile) = &mut shared.meanwhile {
            meanwhile.extend(&ids);
        }
        Unkept {
            shared: Arc::clone(&self.shared),
            ids,
        }
    }

    /// True where it became known in another way since the look began that is under way. Who asks while the store is held
    /// knows it for as long.
    pub(in crate::work::track) fn is_newer(&self, id: ConsignmentId) -> bool {
        let shared = self.shared();
        let meanwhile = shared.meanwhile.as_ref();
        meanwhile.is_some_and(|meanwhile| meanwhile.contains(&id))
    }

    pub(in crate::work::track) fn changed(&self) {
        self.version.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let mut shared = self.standing.shared();
        shared.meanwhile = None;
        if shared.wanted == Some(self.scope) {
            shared.progress = None;
        }
    }
}

impl Drop for Unkept {
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

impl Memory {
    pub(super) fn far_at(&self, scope: SyncScope) -> Option<Timestamp> {
        self.told.get(&scope)?.far_at
    }

    pub(super) fn newest(&self, scope: SyncScope) -> Option<Timestamp> {
        self.told.get(&scope)?.newest
    }

    pub(super) fn turned(&mut self) -> &mut Turned {
        &mut self.turned
    }

    pub(super) fn unread(&self, scope: SyncScope) -> HashMap<i64, Unread> {
        let told = self.told.get(&scope);
        told.map(|told| told.unread.clone()).unwrap_or_default()
    }

    pub(super) fn ended(&mut self, look: &Look) {
        let told = self.told.entry(look.scope).or_default();
        told.newest = told.newest.max(look.newest);
        told.unread.clone_from(&look.unread);
        if look.reach != Reach::Difference {
            told.far_at = Some(look.began);
        }
    }
}
