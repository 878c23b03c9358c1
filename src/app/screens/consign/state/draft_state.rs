//! The state of a draft.

use crate::state::{OperationState, Shared};
use draft::Draft;

/// The state of a draft. If several apply, the first of them counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftState<'a> {
    /// Possibly sent already; with the message.
    InDoubt(&'a str),
    /// Refused by the service and not changed since; with the service's message.
    Refused(&'a str),
    /// A change of a consignment; with its number.
    Changing(&'a str),
    /// Also saved at the service; with the number there.
    Pending(&'a str),
    /// Saved on this bench only.
    Draft,
}

impl Shared {
    /// Returns the state of a draft.
    pub fn draft_state<'a>(&'a self, draft: &'a Draft) -> DraftState<'a> {
        if let Some(words) = self.consign.possibly_sent.get(&draft.id) {
            return DraftState::InDoubt(words);
        }
        let saved = self.consign.draft_times.get(&draft.id);
        let mut of_it = self.operations.list.iter();
        let last = of_it.find(|operation| operation.draft.as_ref() == Some(&draft.id));
        if let Some(last) = last
            && last.state == OperationState::Rejected
            && saved.is_none_or(|saved| *saved <= last.changed)
        {
            return DraftState::Refused(&last.message);
        }
        if let Some(edited) = &draft.edits {
            return DraftState::Changing(&edited.number);
        }
        match &draft.pending {
            Some(pending) => DraftState::Pending(&pending.number),
            None => DraftState::Draft,
        }
    }
}
