//! Pending consignments: drafts that are saved at the service, too, where somebody else may make consignments of them.
//!
//! What always holds: no operation gives a pending consignment back, so its draft stays on the bench until it became a
//! consignment, here or there, or is thrown away.

use super::core::Core;
use crate::draft::{Draft, DraftId, SavedPending};
use crate::shipping::{Consignment, PendingConsignmentId};
use crate::state::{LeadsTo, Notice, Tone};
use crate::work::{Kind, Operation, OperationState, Request, made_of};

/// What somebody made of a pending consignment.
pub(super) type Made = (PendingConsignmentId, Consignment);

impl Core {
    /// Saves what is typed at the service, however little it is.
    pub(super) fn save_pending(&mut self) {
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
        self.name_staff(&mut request.staff_member_name);
        let draft = self.give_away();
        self.work.submit(Request::CreatePending {
            draft,
            request: Box::new(request),
        });
    }

    /// It is at the service, and stays in the list of drafts.
    pub(super) fn pended(&mut self, draft: Option<Draft>, saved: &SavedPending) {
        let id = draft.as_ref().map(|draft| draft.id.clone());
        self.spent(id.as_ref());
        if let Some(draft) = draft {
            self.shared
                .draft_times
                .insert(draft.id.clone(), self.shared.now);
            self.list_draft(draft);
        }
        let headline = format!("Saved at the service as {}", saved.number);
        let advice = "It stays among your drafts: open it there to complete and send it";
        self.notify(Notice::new(Tone::Good, headline, advice));
    }

    /// What was deleted at the service is no draft's number any more, wherever the draft is by now. Where somebody had made a
    /// consignment of it before, the number stays: it finds that consignment, should the draft be brought back and sent.
    pub(super) fn pending_deleted(&mut self, operation: &Operation) {
        let is_done = operation.state == OperationState::Done;
        if operation.kind != Kind::PendingDelete || !is_done || !operation.consignments.is_empty() {
            return;
        }
        let gone = operation.deleted_pending();
        let forget = |draft: &mut Draft| {
            let pending = draft.pending.take_if(|pending| gone.contains(&pending.id));
            pending.is_some()
        };
        for draft in &mut self.shared.discarded {
            forget(draft);
        }
        for draft in &mut self.shared.drafts {
            if forget(draft) {
                self.work
                    .submit(Request::SaveDraft(Box::new(draft.clone())));
            }
        }
        forget(&mut self.editing.draft);
    }

    /// Asks the service whether somebody made consignments of what is pending; one call for a hundred.
    pub(super) fn ask_for_conversions(&mut self) {
        let open = [&self.editing.draft];
        let all = self.shared.drafts.iter().chain(open);
        let ids: Vec<_> = all
            .filter_map(|draft| Some(draft.pending.as_ref()?.id))
            .collect();
        if ids.is_empty() {
            return;
        }
        let fetch = self.work.reads().fetch(|client| async move {
            // The answer does not say which is which: only where there are any is each one asked for.
            let mut left = client.consignments_of_pending(&ids).await?.len();
            let mut made = Vec::new();
            for id in ids {
                if left == 0 {
                    break;
                }
                if let Some(one) = made_of(&client, id).await? {
                    left -= 1;
                    made.push((id, one));
                }
            }
            Ok(made)
        });
        self.conversions.start(fetch);
    }

    /// A failure is told by whatever else fails then: this is asked again with the next list.
    pub(super) fn conversions_came(&mut self) {
        let made = self.conversions.value().cloned().unwrap_or_default();
        for (pending, consignment) in made {
            let is_it = |draft: &&Draft| {
                let known = draft.pending.as_ref();
                known.is_some_and(|known| known.id == pending)
            };
            let mut all = { self.shared.drafts.iter() }.chain([&self.editing.draft]);
            let found = all.find(is_it).map(|draft| draft.id.clone());
            drop(all);
            if let Some(id) = found {
                self.work.submit(Request::DiscardDraft(id.clone()));
                self.converted(Some(&id), pending, consignment);
            }
        }
    }

    /// Somebody else made a consignment of it: the draft closes, and can be brought back as another one.
    pub(super) fn converted(
        &mut self,
        draft: Option<&DraftId>,
        pending: PendingConsignmentId,
        consignment: Consignment,
    ) {
        let listed = self
            .shared
            .drafts
            .iter()
            .position(|kept| Some(&kept.id) == draft);
        if let Some(at) = listed {
            let mut closed = self.shared.drafts.remove(at);
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
            self.edit(next);
        }
        let (id, number) = (consignment.id, consignment.consignment_number.clone());
        self.seen(vec![consignment]);
        let headline = format!("PC{pending} was converted at the service into {number}");
        let advice = "Its draft is closed, and nothing was sent from here";
        let notice = Notice::new(Tone::Warning, headline, advice);
        self.notify(notice.leading_to(LeadsTo::Consignment(id)));
    }
}
