//! Drafts on this bench: checking, saving, opening, discarding and restoring them.

use std::time::Duration;

use crate::core::Core;
use crate::state::SaveState;
use draft::{Draft, DraftId};
use engine::{Payload, Request};

/// Maximum number of discarded drafts that can be brought back.
const MOST_DISCARDED: usize = 20;

/// How long after a change the draft is saved: well within the second that is promised.
const SAVE_AFTER: Duration = Duration::from_millis(400);

/// How long after a failure saving is tried again.
const SAVE_AGAIN_AFTER: Duration = Duration::from_secs(5);

/// How long typing must pause before prices are requested.
const ROUTES_AFTER: Duration = Duration::from_millis(500);

impl Core {
    /// Handles changes that were typed since the last turn: schedules saving and the request for prices.
    pub(crate) fn watch_typing(&mut self, at: Duration) {
        let context = self.shared.check_context();
        let learnt = std::mem::take(&mut self.catalogue.news);
        if self.editing.notice_change() || learnt {
            if self.editing.is_dirty() {
                self.editing.saved = SaveState::Pending;
                self.consign.save_due.get_or_insert(at + SAVE_AFTER);
            }
            let check = self.editing.refresh_check(&context, true);
            let wanted = check.route_request();
            if wanted != self.consign.routes_for {
                self.shared.consign.routes_stale = true;
                self.consign.routes_due = Some(at + ROUTES_AFTER);
            }
        } else {
            self.editing.refresh_check(&context, false);
        }
    }

    pub(crate) fn save_and_fetch_prices(&mut self, at: Duration) {
        if std::mem::take(&mut self.consign.retry_save) {
            self.consign.save_due = Some(at + SAVE_AGAIN_AFTER);
        }
        if self.consign.save_due.is_some_and(|due| due <= at) {
            self.save_all_drafts();
        }
        if self.consign.routes_due.is_some_and(|due| due <= at) {
            self.consign.routes_due = None;
            self.find_routes(false);
        }
    }

    /// Saves the open draft at once, if it differs from the one on disk.
    pub(crate) fn save_draft(&mut self) {
        self.consign.save_due = None;
        if self.editing.is_dirty() || self.consign.unsaved.contains(&self.editing.draft.id) {
            self.editing.mark_kept();
            self.work
                .submit(Request::SaveDraft(Box::new(self.editing.draft.clone())));
        }
    }

    /// Saves the open draft, and the listed drafts that are not on disk because saving failed.
    pub(crate) fn save_all_drafts(&mut self) {
        self.save_draft();
        let open = &self.editing.draft.id;
        for draft in &self.shared.consign.drafts {
            if draft.id != *open && self.consign.unsaved.contains(&draft.id) {
                let draft = Box::new(draft.clone());
                self.work.submit(Request::SaveDraft(draft));
            }
        }
    }

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
        if self.shared.consign.draft_index(id).is_none() {
            return;
        }
        self.keep_open_draft();
        // Adding the open draft to the list may have moved the wanted draft.
        let Some(at) = self.shared.consign.draft_index(id) else {
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

    /// Discards a draft here and at the service; it can be restored. The draft keeps the number of its
    /// pending consignment until that consignment is known to be deleted: a draft restored before then still
    /// replaces the pending consignment.
    pub(crate) fn discard_draft(&mut self, id: &DraftId) {
        let is_open = self.editing.draft.id == *id;
        let draft = match self.shared.consign.draft_index(id) {
            Some(at) => self.shared.consign.drafts.remove(at),
            None if is_open => self.editing.draft.clone(),
            None => return,
        };
        if let Some(pending) = &draft.pending {
            let intent = Payload::PendingDelete(vec![pending.id]);
            self.work.submit(Request::Perform(intent));
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
        self.consign.unsaved.insert(draft.id.clone());
        self.open_in_form(draft);
        self.save_draft();
        if is_pending {
            self.ask_for_conversions();
        }
    }
}
