//! Where a draft stands, as far as the bench knows.

use super::{OperationState, Shared};
use crate::draft::Draft;

/// Where a draft stands. The first that fits: a doubt is more than a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftState<'a> {
    /// It may have been sent already; why.
    InDoubt(&'a str),
    /// The service refused it, and it was not changed since; in its words.
    Refused(&'a str),
    /// It changes a consignment; its number.
    Changing(&'a str),
    /// It is saved at the service, too; its number.
    Pending(&'a str),
    /// It is on this bench only.
    Draft,
}

impl Shared {
    /// Where this draft stands.
    pub fn draft_state<'a>(&'a self, draft: &'a Draft) -> DraftState<'a> {
        if let Some(words) = self.doubts.get(&draft.id) {
            return DraftState::InDoubt(words);
        }
        let saved = self.draft_times.get(&draft.id);
        let mut of_it = self.operations.iter();
        let last = of_it.find(|operation| operation.draft.as_ref() == Some(&draft.id));
        if let Some(last) = last
            && last.state == OperationState::Rejected
            && saved.is_none_or(|saved| *saved <= last.changed)
        {
            return DraftState::Refused(&last.words);
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
