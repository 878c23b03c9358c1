//! Drafts that were sent and have no result yet.

use crate::state::{ConsignView, Operation, OperationState, Shared};
use draft::{Draft, DraftId};

/// A draft that was sent. The form already shows the next draft.
#[derive(Debug, Clone)]
pub struct SentDraft {
    pub draft: Draft,
}

/// The progress of sending a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentProgress {
    /// Recorded, and waiting for others in the queue.
    Waiting,
    Sending,
    /// The answer was lost; the operation is being reconciled.
    Checking,
}

impl SentDraft {
    /// Returns the receiver's name, or the reference if there is none.
    pub fn name(&self) -> &str {
        let receiver = self.draft.to.title();
        if receiver.is_empty() {
            self.draft.title()
        } else {
            receiver
        }
    }
}

impl ConsignView {
    /// Returns the place of a draft in the list of drafts.
    pub fn draft_index(&self, id: &DraftId) -> Option<usize> {
        self.drafts.iter().position(|draft| draft.id == *id)
    }

    /// Returns true if this draft was sent and its result is not known yet.
    pub fn is_sent(&self, draft: &DraftId) -> bool {
        self.sent.iter().any(|sent| sent.draft.id == *draft)
    }
}

impl Shared {
    /// Returns the progress of sending a draft.
    pub fn sent_progress(&self, draft: &DraftId) -> SentProgress {
        let mut of_it = self.operations.list.iter();
        let last = of_it.find(|operation: &&Operation| operation.draft.as_ref() == Some(draft));
        match last.map(|operation| operation.state) {
            Some(OperationState::Sending) => SentProgress::Sending,
            Some(OperationState::Unknown) => SentProgress::Checking,
            _ => SentProgress::Waiting,
        }
    }
}
