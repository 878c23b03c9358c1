//! Drafts on this bench: kept, opened, thrown away and brought back.

use super::core::Core;
use crate::draft::{Draft, DraftId};
use crate::work::Request;

/// How many drafts can be brought back.
const MOST_DISCARDED: usize = 20;

impl Core {
    /// The open draft goes to disk and to the list of drafts.
    pub(super) fn keep_open_draft(&mut self) {
        if self.editing.draft.is_blank() {
            return;
        }
        self.save_draft();
        self.remember_refusal();
        let draft = self.editing.draft.clone();
        self.list_draft(draft);
    }

    /// First in the list of drafts.
    pub(super) fn list_draft(&mut self, draft: Draft) {
        self.shared.drafts.retain(|kept| kept.id != draft.id);
        let times = &mut self.shared.draft_times;
        times.entry(draft.id.clone()).or_insert(self.shared.now);
        self.shared.drafts.insert(0, draft);
    }

    pub(super) fn open_draft(&mut self, id: &DraftId) {
        if !self.shared.drafts.iter().any(|draft| draft.id == *id) {
            return;
        }
        self.keep_open_draft();
        // Keeping the open one may have moved it.
        let Some(at) = self.shared.drafts.iter().position(|draft| draft.id == *id) else {
            return;
        };
        let draft = self.shared.drafts.remove(at);
        self.warn_of_doubt(&draft.id);
        self.taken_out_of_run(&draft.id);
        let is_pending = draft.pending.is_some();
        self.edit(draft);
        self.recall_refusal();
        if is_pending {
            self.ask_for_conversions();
        }
    }

    /// Thrown away, here and at the service; it can be brought back. It keeps its number there until that is known to be gone:
    /// brought back before, it still takes the place of what it is saved as.
    pub(super) fn discard_draft(&mut self, id: &DraftId) {
        let is_open = self.editing.draft.id == *id;
        let at = self.shared.drafts.iter().position(|draft| draft.id == *id);
        let draft = match at {
            Some(at) => self.shared.drafts.remove(at),
            None if is_open => self.editing.draft.clone(),
            None => return,
        };
        if let Some(pending) = &draft.pending {
            self.work.submit(Request::DeletePending(vec![pending.id]));
        }
        self.work.submit(Request::DiscardDraft(id.clone()));
        self.needs_no_saving(id);
        self.remember_discarded(draft);
        if is_open {
            let next = self.next_draft();
            self.edit(next);
        }
    }

    pub(super) fn remember_discarded(&mut self, draft: Draft) {
        if draft.is_blank() {
            return;
        }
        if self.shared.discarded.len() == MOST_DISCARDED {
            self.shared.discarded.remove(0);
        }
        self.shared.discarded.push(draft);
    }

    /// The draft that was thrown away last is open again.
    pub(super) fn bring_back(&mut self) {
        let Some(draft) = self.shared.discarded.pop() else {
            return;
        };
        self.keep_open_draft();
        let is_pending = draft.pending.is_some();
        // As one that was just typed: it is on no disk any more.
        self.unsaved.insert(draft.id.clone());
        self.edit(draft);
        self.save_draft();
        if is_pending {
            self.ask_for_conversions();
        }
    }
}
