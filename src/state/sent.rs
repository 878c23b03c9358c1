//! Orders that have left the form and have no result yet.

use super::{Operation, OperationState, Shared};
use crate::draft::{Draft, DraftId};

/// A draft that was handed over for sending. The form has gone on to the next one.
#[derive(Debug, Clone)]
pub struct SentDraft {
    /// The draft as it was when the clerk sent it.
    pub draft: Draft,
}

/// How far the sending of a draft has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentProgress {
    /// Written down, and behind others in the queue.
    Waiting,
    /// On its way to the service.
    Sending,
    /// The answer was lost: the bench is looking for it at the service.
    Checking,
}

impl SentDraft {
    /// The receiver's name, else the reference.
    pub fn name(&self) -> &str {
        let receiver = self.draft.to.title();
        if receiver.is_empty() {
            self.draft.title()
        } else {
            receiver
        }
    }
}

impl Shared {
    /// True where this draft was sent and its result is not known yet.
    pub fn is_sent(&self, draft: &DraftId) -> bool {
        self.sent.iter().any(|sent| sent.draft.id == *draft)
    }

    /// How far the sending of a draft has come.
    pub fn sent_progress(&self, draft: &DraftId) -> SentProgress {
        let mut of_it = self.operations.iter();
        let last = of_it.find(|operation: &&Operation| operation.draft.as_ref() == Some(draft));
        match last.map(|operation| operation.state) {
            Some(OperationState::Sending) => SentProgress::Sending,
            Some(OperationState::Unknown) => SentProgress::Checking,
            _ => SentProgress::Waiting,
        }
    }
}
