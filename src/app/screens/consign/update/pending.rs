//! Pending consignments: drafts that are also saved at the service, where somebody else may turn them
//! into consignments.
//!
//! The service's interface can't return the content of a pending consignment. Its draft therefore stays on
//! the bench until it becomes a consignment, here or at the service, or is discarded.

use crate::core::Core;
use crate::state::{Notice, NoticeTarget, Tone};
use draft::{Draft, DraftId, PendingCopy};
use engine::{Operation, Payload, Request, converted_consignment};
use shipping::{Consignment, PendingConsignmentId};

/// The id of a pending consignment, and the consignment that somebody made of it.
pub(crate) type ConvertedPending = (PendingConsignmentId, Consignment);

impl Core {
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
        let id = draft.as_ref().map(|draft| draft.id.clone());
        self.remove_sent_draft(id.as_ref());
        if let Some(draft) = draft {
            self.shared
                .consign
                .draft_times
                .insert(draft.id.clone(), self.shared.now);
            self.list_draft(draft);
        }
        let headline = format!("Saved at the service as {}", saved.number);
        let advice = "It stays in your drafts. Open it there to complete and send it";
        self.notify(Notice::new(Tone::Ok, headline, advice));
    }

    /// Removes the ids of deleted pending consignments from all drafts. If somebody had already converted one
    /// of them to a consignment, the ids stay: they lead to that consignment if the
    /// draft is restored and sent.
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
            // The answer does not say which consignment belongs to which pending one. Only if there are any,
            // each id is asked for separately.
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

    /// Closes the drafts that were converted. A failure is not shown, because other calls fail at the same
    /// time and report it. The question is repeated with the next list.
    pub(crate) fn conversions_came(&mut self) {
        let made = self
            .consign
            .conversions
            .value()
            .cloned()
            .unwrap_or_default();
        for (pending, consignment) in made {
            let is_it = |draft: &&Draft| {
                let known = draft.pending.as_ref();
                known.is_some_and(|known| known.id == pending)
            };
            let mut all = { self.shared.consign.drafts.iter() }.chain([&self.editing.draft]);
            let found = all.find(is_it).map(|draft| draft.id.clone());
            drop(all);
            if let Some(id) = found {
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
        if let Some(at) = draft.and_then(|id| self.shared.consign.draft_index(id)) {
            let mut closed = self.shared.consign.drafts.remove(at);
            closed.pending = None;
            self.remember_discarded(closed);
        }
        if let Some(mut closed) = self.take_sent(draft) {
            closed.pending = None;
            self.remember_discarded(closed);
        }
        if Some(&self.editing.draft.id) == draft {
            let mut closed = self.editing.draft.clone();
            closed.pending = None;
            self.remember_discarded(closed);
            let next = self.next_draft();
            self.open_in_form(next);
        }
        let (id, number) = (consignment.id, consignment.consignment_number.clone());
        self.update_list(&[consignment]);
        let headline = format!("PC{pending} was completed at the service as {number}");
        let advice = "Your draft was closed, and nothing was sent from this computer";
        let notice = Notice::new(Tone::Warning, headline, advice);
        self.notify(notice.with_target(NoticeTarget::Consignment(id)));
    }
}
