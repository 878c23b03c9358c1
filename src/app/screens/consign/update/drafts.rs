//! Drafts on this bench: saving, opening, discarding and bringing back.

use crate::core::Core;
use draft::{Draft, DraftId};
use engine::Request;

/// Maximum number of discarded drafts that can be brought back.
const MOST_DISCARDED: usize = 20;

impl Core {
    /// Saves the open draft and adds it to the list of drafts.
    pub(crate) fn keep_open_draft(&mut self) {
        if self.editing.draft.is_blank() {
            return;
        }
        self.save_draft();
        self.remember_refusal();
        let draft = self.editing.draft.clone();
        self.list_draft(draft);
    }

    /// Puts a draft first in the list of drafts.
    pub(crate) fn list_draft(&mut self, draft: Draft) {
        self.shared
            .consign
            .drafts
            .retain(|kept| kept.id != draft.id);
        let times = &mut self.shared.consign.draft_times;
        times.entry(draft.id.clone()).or_insert(self.shared.now);
        self.shared.consign.drafts.insert(0, draft);
    }

    pub(crate) fn open_draft(&mut self, id: &DraftId) {
        if !self
            .shared
            .consign
            .drafts
            .iter()
            .any(|draft| draft.id == *id)
        {
            return;
        }
        self.keep_open_draft();
        // Adding the open draft to the list may have moved the wanted draft.
        let Some(at) = self
            .shared
            .consign
            .drafts
            .iter()
            .position(|draft| draft.id == *id)
        else {
            return;
        };
        let draft = self.shared.consign.drafts.remove(at);
        self.warn_of_doubt(&draft.id);
        self.remove_from_run(&draft.id);
        let is_pending = draft.pending.is_some();
        self.open_in_form(draft);
        self.recall_refusal();
        if is_pending {
            self.ask_for_conversions();
        }
    }

    /// Discards a draft here and at the service; it can be brought back. The draft keeps the number of its
    /// pending consignment until that is known to be deleted: if it is brought back before, it still replaces
    /// the pending consignment.
    pub(crate) fn discard_draft(&mut self, id: &DraftId) {
        let is_open = self.editing.draft.id == *id;
        let at = self
            .shared
            .consign
            .drafts
            .iter()
            .position(|draft| draft.id == *id);
        let draft = match at {
            Some(at) => self.shared.consign.drafts.remove(at),
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
            self.open_in_form(next);
        }
    }

    pub(crate) fn remember_discarded(&mut self, draft: Draft) {
        if draft.is_blank() {
            return;
        }
        if self.shared.consign.discarded.len() == MOST_DISCARDED {
            self.shared.consign.discarded.remove(0);
        }
        self.shared.consign.discarded.push(draft);
    }

    /// Opens the draft that was discarded last.
    pub(crate) fn bring_back(&mut self) {
        let Some(draft) = self.shared.consign.discarded.pop() else {
            return;
        };
        self.keep_open_draft();
        let is_pending = draft.pending.is_some();
        // The draft is no longer on disk, so it has to be saved like a new one.
        self.unsaved.insert(draft.id.clone());
        self.open_in_form(draft);
        self.save_draft();
        if is_pending {
            self.ask_for_conversions();
        }
    }
}
