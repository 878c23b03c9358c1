//! Stores the consignments of operations in the background, so that no operation waits for the tracking store
//! or fails with it. Updates are stored in the order in which they arrived. An update that can't be stored is
//! found again by the next sync.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{AnswerSource, Track};
use crate::context::{EngineContext, lock};
use crate::track::sync::UnstoredGuard;
use crate::{EngineError, OperationKind, OperationState, Outcome, Repaint};
use shipping::{Clock, Consignment, ConsignmentId};

/// The most updates that may wait. If there are more, the oldest is left to the next sync.
const MOST: usize = 256;

/// The longest that a search waits for updates, and how often it looks whether they are stored.
const STORED_WITHIN: Duration = Duration::from_secs(1);
const STORED_POLL: Duration = Duration::from_millis(5);

#[derive(Default)]
pub(in crate::track) struct BackgroundUpdates(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    words: VecDeque<(Update, UnstoredGuard)>,
    at_work: bool,
}

enum Update {
    Seen(Vec<Consignment>),
    Gone(Vec<ConsignmentId>),
}

impl EngineContext {
    pub(crate) fn record_outcome(&self, outcome: &Outcome) {
        let word = match outcome {
            Outcome::ConsignmentsRead(seen) if seen.is_empty() => return,
            Outcome::ConsignmentsRead(seen) => Update::Seen(seen.clone()),
            Outcome::Created { consignment, .. }
            | Outcome::Edited { consignment, .. }
            | Outcome::Converted { consignment, .. } => Update::Seen(vec![(**consignment).clone()]),
            Outcome::Gone(gone) => Update::Gone(gone.clone()),
            Outcome::Operation(done)
                if done.kind == OperationKind::Delete && done.state == OperationState::Done =>
            {
                Update::Gone(done.consignments.clone())
            }
            _ => return,
        };
        let (clock, repaint) = (self.clock.clone(), Arc::clone(&self.repaint));
        self.track.queue_update(word, clock, repaint);
    }
}

impl Track {
    fn queue_update(&self, word: Update, clock: Clock, repaint: Repaint) {
        let unkept = self.sync_state().mark_newer(word.ids().collect());
        let mut queue = lock(&self.0.behind.0);
        if queue.words.len() >= MOST {
            queue.words.pop_front();
            tracing::warn!("tracking updates arrive faster than they can be stored");
        }
        queue.words.push_back((word, unkept));
        if !std::mem::replace(&mut queue.at_work, true) {
            let track = self.clone();
            tokio::spawn(async move {
                track.keep_all(&clock).await;
                repaint();
            });
        }
    }

    /// Waits until the consignments of earlier operations are stored, so that a search finds them.
    pub(in crate::track) async fn wait_until_stored(&self) {
        let stored = async {
            while !self.sync_state().unstored().is_empty() {
                tokio::time::sleep(STORED_POLL).await;
            }
        };
        tokio::time::timeout(STORED_WITHIN, stored).await.ok();
    }

    async fn keep_all(&self, clock: &Clock) {
        loop {
            let word = {
                let mut queue = lock(&self.0.behind.0);
                let word = queue.words.pop_front();
                queue.at_work = word.is_some();
                word
            };
            let Some((word, unkept)) = word else { return };
            if let Err(error) = self.keep(word, clock).await {
                tracing::warn!(%error, "an operation's consignments could not be written to the tracking store");
            }
            drop(unkept);
        }
    }

    async fn keep(&self, word: Update, clock: &Clock) -> Result<(), EngineError> {
        match word {
            Update::Seen(seen) => {
                let kept = self
                    .follow(seen, AnswerSource::Operation, clock.now())
                    .await;
                kept.map(drop)
            }
            Update::Gone(gone) => self.forget(gone.into()).await,
        }
    }
}

impl Update {
    fn ids(&self) -> impl Iterator<Item = ConsignmentId> {
        let (seen, gone) = match self {
            Self::Seen(seen) => (seen.as_slice(), [].as_slice()),
            Self::Gone(gone) => ([].as_slice(), gone.as_slice()),
        };
        let seen = seen.iter().map(|one| one.id);
        seen.chain(gone.iter().copied())
    }
}
