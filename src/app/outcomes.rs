//! What the lanes answered: into what the screens read.

use super::core::Core;
use crate::draft::{Draft, DraftId, Field, Problem};
use crate::shipping::Consignment;
use crate::state::{LabelState, Notice, Saved, Tone};
use crate::work::{Failure, Outcome, Restored, WorkError};

impl Core {
    pub(super) fn take(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Restored(restored) => self.restored(*restored),
            Outcome::DraftSaved { id, at } => {
                if self.editing.draft.id == id {
                    self.editing.saved = Saved::At(at);
                }
            }
            Outcome::DraftDiscarded(id) => self.shared.drafts.retain(|draft| draft.id != id),
            Outcome::Operation(operation) => self.operation_changed(*operation),
            Outcome::Created(consignment) => self.created(*consignment),
            Outcome::NotCreated { draft, error } => self.not_created(draft.as_deref(), &error),
            Outcome::Unanswered(draft) => self.unanswered(draft.as_ref()),
            Outcome::Seen(consignments) => self.seen(consignments),
            Outcome::Job(job) => self.job_changed(*job),
            Outcome::LabelFailed { consignment, error } => {
                self.one_label_done();
                let notice = Notice::failed("not printed", &error);
                self.shared
                    .label_states
                    .insert(consignment, LabelState::Failed(notice.advice));
                self.rebuild_labels();
            }
            Outcome::Failed { what, error } => {
                let notice = Notice::failed(what, &error);
                self.notify(notice);
            }
            Outcome::StartedAgain => {
                let advice = "Packbench was started a second time: this is the one that runs";
                self.notify(Notice::new(Tone::Warning, "Already open", advice));
                self.raise = true;
            }
        }
    }

    fn restored(&mut self, restored: Restored) {
        let Restored {
            mut drafts,
            operations,
            jobs,
            unfinished,
        } = restored;
        for operation in operations.into_iter().rev() {
            if operation.state.is_open() {
                self.operation_changed(operation);
            } else {
                self.shared.operations.insert(0, operation);
            }
        }
        // A draft behind an open operation is not to be typed again.
        let held: Vec<_> = self
            .shared
            .open_operations()
            .filter_map(|operation| operation.draft.clone())
            .collect();
        drafts.retain(|draft| !held.contains(&draft.id));
        // The newest draft is what the clerk had in hand; typing that was quicker than the disk goes before it.
        if self.editing.draft.is_blank() && !drafts.is_empty() {
            let newest = drafts.remove(0);
            self.edit(newest);
        }
        self.shared.drafts = drafts;
        self.restore_jobs(jobs);
        if unfinished > 0 {
            let advice = "They are being checked. Don't type them again";
            self.notify(Notice::new(
                Tone::Unknown,
                format!("{unfinished} unfinished from the last time"),
                advice,
            ));
        }
    }

    fn created(&mut self, consignment: Consignment) {
        let id = consignment.id;
        self.next_after_send();
        self.shared.last_created = Some(consignment.clone());
        self.seen(vec![consignment]);
        self.shared.selected_label = Some(id);
        self.page = 0;
        self.shared.preview.clear();
        self.refresh_preview();
        if self.settings.auto_print && self.settings.label_printer().is_some() {
            self.print(vec![id], "");
        }
    }

    /// The form is ready for the next one, the sender kept.
    fn next_after_send(&mut self) {
        self.editing.sending = false;
        if self.sent.take().as_ref() == Some(&self.editing.draft.id) {
            let next = self.editing.draft.next();
            self.edit(next);
        }
    }

    fn unanswered(&mut self, draft: Option<&DraftId>) {
        if draft.is_some() && self.sent.as_ref() == draft {
            self.next_after_send();
        }
    }

    /// Nothing was created: the draft is as it was, with what is wrong at its fields, or over it.
    fn not_created(&mut self, draft: Option<&Draft>, error: &WorkError) {
        let open = draft.is_some_and(|draft| draft.id == self.editing.draft.id);
        if open {
            self.editing.sending = false;
            self.sent = None;
        }
        if let (true, WorkError::Service(Failure::Refused(errors))) = (open, error) {
            self.editing.show_all = true;
            self.editing.refusals = errors
                .iter()
                .map(|error| {
                    let member = error
                        .member_names
                        .first()
                        .map(|name| Field::from_member_name(name));
                    Problem::error(member.unwrap_or(Field::Whole), error.error_message.clone())
                })
                .collect();
            return;
        }
        let headline = if open {
            "The consignment was not sent. It is as you typed it"
        } else {
            "The consignment was not sent again"
        };
        let notice = Notice::failed(headline, error);
        self.notify(notice);
    }
}
