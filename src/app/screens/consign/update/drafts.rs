//! Drafts on this bench: checking, saving, opening, discarding and restoring them. Also pending consignments: drafts
//! that are saved at the service, too, where somebody else may turn them into consignments.
//!
//! The service's interface can't return the content of a pending consignment. Its draft therefore stays on
//! the bench until it becomes a consignment, here or at the service, or is discarded.

use std::time::Duration;

use crate::core::Core;
use crate::state::{Notice, NoticeTarget, SaveState, Tone};
use draft::{Draft, DraftId, PendingCopy};
use engine::{Operation, Payload, Request, converted_consignment};
use shipping::{Consignment, PendingConsignmentId};

const MOST_DISCARDED: usize = 20;

/// Delay after which a change of the draft is saved. A draft must be saved within a second.
const SAVE_AFTER: Duration = Duration::from_millis(400);

/// Delay before a failed save is retried.
const SAVE_AGAIN_AFTER: Duration = Duration::from_secs(5);

/// Length of the pause in typing after which prices are requested.
const ROUTES_AFTER: Duration = Duration::from_millis(500);

/// The id of a pending consignment, and the consignment that somebody made of it.
pub(crate) type ConvertedPending = (PendingConsignmentId, Consignment);

impl Core {
    /// Handles changes that were typed since the last turn: schedules saving and the request for prices.
    pub(crate) fn watch_typing(&mut self, at: Duration) {
        let context = self.shared.check_context();
        let learnt = std::mem::take(&mut self.catalogue.news);
        if learnt {
            // Drafts that were right or wrong may be the other now.
            self.shared.consign.checked.clear();
        }
        self.editing.draft.follow_goods();
        let is_new = self.editing.notice_change() || learnt;
        let check = self.editing.refresh_check(&context, is_new);
        if is_new && check.route_request() != self.consign.routes_for {
            self.shared.consign.routes_stale = true;
            self.consign.routes_due = Some(at + ROUTES_AFTER);
        }
        if is_new && self.editing.is_dirty() {
            self.editing.saved = SaveState::Pending;
            self.consign.save_due.get_or_insert(at + SAVE_AFTER);
        }
    }

    /// Handles a change of the open draft at once. A question about the price that Send asks then stays, because nothing
    /// changes after it.
    pub(crate) fn settle_change(&mut self) {
        if self.editing.notice_change() {
            self.save_draft();
        }
    }

    pub(crate) fn save_and_fetch_prices(&mut self, at: Duration) {
        if std::mem::take(&mut self.consign.retry_save) {
            self.consign.save_due = Some(at + SAVE_AGAIN_AFTER);
        }
        if self.consign.save_due.is_some_and(|due| due <= at) {
            self.save_all_drafts();
        }
        if self.consign.routes_due.take_if(|due| *due <= at).is_some() {
            self.find_routes(false);
        }
    }

    /// Saves the open draft at once, if it differs from the draft on disk.
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

    /// Saves the open draft and adds it to the list of drafts. The service's problems are shown again when the draft
    /// is opened.
    pub(crate) fn keep_open_draft(&mut self) {
        if self.editing.draft.is_blank() {
            return;
        }
        self.save_draft();
        let draft = self.editing.draft.clone();
        if !self.editing.refusals.is_empty() {
            let problems = self.editing.refusals.clone();
            self.shared
                .consign
                .refusals
                .insert(draft.id.clone(), problems);
        }
        self.list_draft(draft);
    }

    fn list_draft(&mut self, draft: Draft) {
        let now = self.shared.now;
        let consign = &mut self.shared.consign;
        consign.unlist(&draft.id);
        consign.draft_times.entry(draft.id.clone()).or_insert(now);
        consign.drafts.insert(0, draft);
    }

    pub(crate) fn open_draft(&mut self, id: &DraftId) {
        let Some(draft) = self.shared.consign.unlist(id) else {
            return;
        };
        self.keep_open_draft();
        self.warn_of_doubt(id);
        self.remove_from_run(id);
        self.open_with_conversions(draft);
        if let Some(problems) = self.shared.consign.refusals.remove(id) {
            self.editing.refusals = problems;
            self.editing.show_all = true;
        }
    }

    /// Opens a draft in the form. If the draft is pending, asks the service whether somebody converted it.
    fn open_with_conversions(&mut self, draft: Draft) {
        let is_pending = draft.pending.is_some();
        self.open_in_form(draft);
        if is_pending {
            self.ask_for_conversions();
        }
    }

    /// Discards a draft here and at the service; it can be restored. The draft keeps the number of its
    /// pending consignment until that consignment is known to be deleted: a draft restored before then still
    /// replaces the pending consignment.
    pub(crate) fn discard_draft(&mut self, id: &DraftId) {
        let is_open = self.editing.draft.id == *id;
        let draft = match self.shared.consign.unlist(id) {
            Some(draft) => draft,
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
            self.open_next_draft();
        }
    }

    fn remember_discarded(&mut self, draft: Draft) {
        let discarded = &mut self.shared.consign.discarded;
        if draft.is_blank() {
            return;
        }
        if discarded.len() == MOST_DISCARDED {
            discarded.remove(0);
        }
        discarded.push(draft);
    }

    /// Opens the draft that was discarded last.
    pub(crate) fn bring_back(&mut self) {
        let Some(draft) = self.shared.consign.discarded.pop() else {
            return;
        };
        self.keep_open_draft();
        // The draft is no longer on disk, so it has to be saved like a new one.
        self.consign.unsaved.insert(draft.id.clone());
        self.open_with_conversions(draft);
        self.save_draft();
    }

    /// Saves the open draft at the service as a pending consignment, however incomplete it is.
    pub(crate) fn save_pending(&mut self) {
        if self.editing.draft.edits.is_some()
            || self.editing.draft.is_blank()
            || self.waits_for_comparison(&self.editing.draft.id.clone())
        {
            return;
        }
        let context = self.shared.check_context();
        let mut request = match self.editing.draft.pending_request(&context) {
            Ok(request) => request,
            Err(mut problems) => {
                let checked = &self.editing.refresh_check(&context, true).problems;
                problems.retain(|one| !checked.contains(one));
                self.editing.show_all = true;
                self.editing.refusals = problems;
                return;
            }
        };
        self.name_staff(&mut request.0.staff_member_name);
        let draft = self.take_open_draft();
        let intent = Payload::PendingCreate(Box::new(request));
        self.work.submit(Request::Send(draft, intent));
    }

    /// Handles a draft that was saved at the service: the draft stays in the list.
    pub(crate) fn pending_saved(&mut self, draft: Option<Draft>, saved: &PendingCopy) {
        self.remove_sent_draft(draft.as_ref().map(|draft| &draft.id));
        if let Some(draft) = draft {
            let (id, now) = (draft.id.clone(), self.shared.now);
            self.shared.consign.draft_times.insert(id, now);
            self.list_draft(draft);
        }
        let headline = format!("Saved at the service as {}", saved.number);
        let advice = "It stays in your drafts. Open it there to complete and send it";
        self.notify(Notice::new(Tone::Ok, headline, advice));
    }

    /// Removes the ids of deleted pending consignments from all drafts. If somebody had already converted one of them
    /// to a consignment, the ids stay: they lead to that consignment if the draft is restored and sent.
    pub(crate) fn pending_deleted(&mut self, operation: &Operation) {
        if !operation.consignments.is_empty() {
            return;
        }
        let gone = operation.deleted_pending();
        let forget = |draft: &mut Draft| {
            let pending = draft.pending.take_if(|pending| gone.contains(&pending.id));
            pending.is_some()
        };
        for draft in &mut self.shared.consign.discarded {
            forget(draft);
        }
        for draft in &mut self.shared.consign.drafts {
            if forget(draft) {
                self.work
                    .submit(Request::SaveDraft(Box::new(draft.clone())));
            }
        }
        forget(&mut self.editing.draft);
    }

    /// Asks the service whether somebody made consignments of the pending consignments. One call covers a
    /// hundred ids.
    pub(crate) fn ask_for_conversions(&mut self) {
        let open = [&self.editing.draft];
        let all = self.shared.consign.drafts.iter().chain(open);
        let ids: Vec<_> = all
            .filter_map(|draft| Some(draft.pending.as_ref()?.id))
            .collect();
        if ids.is_empty() {
            return;
        }
        let fetch = self.work.reads().fetch(|client| async move {
            // The answer does not say which consignment belongs to which pending consignment. If there are any, the
            // service is asked again for each id.
            let mut left = client.consignments_of_pending(&ids).await?.len();
            let mut made = Vec::new();
            for id in ids {
                if left == 0 {
                    break;
                }
                if let Some(one) = converted_consignment(&client, id).await? {
                    left -= 1;
                    made.push((id, one));
                }
            }
            Ok(made)
        });
        self.consign.conversions.start(fetch);
    }

    /// Closes the drafts that were converted. A failure is not shown, because other calls fail at the same time and
    /// report it. The service is asked again when the list of consignments is next loaded.
    pub(crate) fn conversions_came(&mut self) {
        let Some(Ok(made)) = self.consign.conversions.take() else {
            return;
        };
        for (pending, consignment) in made {
            let listed = self.shared.consign.drafts.iter();
            let mut all = listed.chain(std::iter::once(&self.editing.draft));
            let found = all.find(|draft| {
                let known = draft.pending.as_ref();
                known.is_some_and(|known| known.id == pending)
            });
            if let Some(id) = found.map(|draft| draft.id.clone()) {
                self.work.submit(Request::DiscardDraft(id.clone()));
                self.converted(Some(&id), pending, consignment);
            }
        }
    }

    /// Closes a draft whose pending consignment somebody else converted. The clerk can restore
    /// it as a new draft.
    pub(crate) fn converted(
        &mut self,
        draft: Option<&DraftId>,
        pending: PendingConsignmentId,
        consignment: Consignment,
    ) {
        let is_open = Some(&self.editing.draft.id) == draft;
        let closed = [
            draft.and_then(|id| self.shared.consign.unlist(id)),
            self.take_sent(draft),
            is_open.then(|| self.editing.draft.clone()),
        ];
        for mut closed in closed.into_iter().flatten() {
            closed.pending = None;
            self.remember_discarded(closed);
        }
        if is_open {
            self.open_next_draft();
        }
        let (id, number) = (consignment.id, consignment.consignment_number.clone());
        self.update_list(&[consignment]);
        let headline = format!("PC{pending} was completed at the service as {number}");
        let advice = "Your draft was closed, and nothing was sent from this computer";
        let notice = Notice::new(Tone::Warning, headline, advice);
        self.notify(notice.with_target(NoticeTarget::Consignment(id)));
    }
}
