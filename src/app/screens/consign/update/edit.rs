//! Changing and cloning consignments: fetches the service's form, opens it as a draft, and submits changes.

use crate::core::Core;
use crate::state::{Notice, NoticeTarget, OperationKind, Screen, Tone};
use draft::{Draft, DraftId};
use engine::{ConsignmentEdit, Failure, Payload, Request};
use shipping::{Consignment, ConsignmentId, EditForm};

/// Why a consignment's form is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormPurpose {
    /// To change the consignment.
    Change,
    /// To create a new consignment like it.
    Clone,
}

/// A consignment that was fetched to be opened in the form.
#[derive(Debug, Clone)]
pub(crate) struct FetchedForm {
    id: ConsignmentId,
    aim: FormPurpose,
    what: ConsignmentForm,
}

#[derive(Debug, Clone)]
enum ConsignmentForm {
    Editable(Box<EditForm>),
    /// The consignment is manifested, so it can only be cloned.
    Fixed(Box<Consignment>),
}

/// Returns the headline of the notice that a change was not made.
pub(crate) fn not_changed_headline(number: &str) -> String {
    format!("{number} was not changed. What you typed is kept")
}

impl Core {
    /// Fetches a consignment's form, and opens it once it arrives.
    pub(crate) fn open_form(&mut self, id: ConsignmentId, aim: FormPurpose) {
        if aim == FormPurpose::Change && self.shared.operations.locked.contains_key(&id) {
            let headline = format!("{} can't be changed now", self.number_of(id));
            let advice =
                "An earlier action on it is not finished yet. Try again once that is confirmed";
            return self.notify(Notice::new(Tone::Warning, headline, advice));
        }
        self.shared.consign.opening = Some(id);
        let fetch = self.work.reads().fetch(move |client| async move {
            let what = match client.edit_form(id).await {
                Ok(form) => ConsignmentForm::Editable(Box::new(form)),
                Err(Failure::Refused(_) | Failure::Status(400..=404))
                    if aim == FormPurpose::Clone =>
                {
                    ConsignmentForm::Fixed(Box::new(client.consignment(id).await?))
                }
                Err(failure) => return Err(failure),
            };
            Ok(FetchedForm { id, aim, what })
        });
        self.consign.form.start(fetch);
        // The form has only the carrier's id; the row has its name.
        self.read_rows(vec![id]);
    }

    pub(crate) fn form_came(&mut self) {
        let Some(id) = self.shared.consign.opening.take() else {
            return;
        };
        let number = self.number_of(id);
        if let Some(problem) = self.consign.form.problem() {
            let headline = format!("{number} can't be opened");
            let notice = Notice::failed(&headline, problem);
            self.consign.form.clear();
            return self.notify(notice);
        }
        let Some(fetched) = self.consign.form.value().cloned() else {
            return;
        };
        self.consign.form.clear();
        let zone = self.shared.session.zone.clone();
        let draft = match (&fetched.what, fetched.aim) {
            (ConsignmentForm::Editable(form), FormPurpose::Change) => {
                return self.change(fetched.id, form);
            }
            (ConsignmentForm::Editable(form), FormPurpose::Clone) => {
                Draft::copy_of_form(form, &zone)
            }
            (ConsignmentForm::Fixed(consignment), _) => Some(Draft::copy_of(consignment)),
        };
        let Some(mut draft) = draft else {
            return self.notify_unreadable(&number);
        };
        self.name_carrier(&mut draft, fetched.id);
        self.put_up(draft);
        let headline = format!("A new consignment like {number}");
        let advice =
            "Enter references, despatch time, the carrier's numbers and the declaration yourself";
        self.notify(Notice::new(Tone::Ok, headline, advice));
    }

    /// Opens a form for a change. If a draft with earlier changes exists, opens that draft instead, with its
    /// changes on top of the service's newest form.
    fn change(&mut self, id: ConsignmentId, form: &EditForm) {
        let number = self.number_of(id);
        let is_open = is_change_of(&self.editing.draft, id);
        let known = { self.shared.consign.drafts.iter() }.find(|draft| is_change_of(draft, id));
        let known = if is_open {
            Some(self.editing.draft.clone())
        } else {
            known.cloned()
        };
        let Some(known) = known else {
            let Some(mut draft) = Draft::from_form(form, &self.shared.session.zone) else {
                return self.notify_unreadable(&number);
            };
            self.name_carrier(&mut draft, id);
            if let Some(edited) = &mut draft.edits {
                edited.number = number;
            }
            return self.put_up(draft);
        };
        let seen = known
            .edits
            .as_ref()
            .map(|edited| edited.form.as_ref().clone());
        let theirs = seen.map(|seen| form.differences(&seen)).unwrap_or_default();
        if theirs.is_empty() {
            if is_open {
                self.shared.screen = Screen::Consign;
            } else {
                self.open_kept(&known.id);
            }
            return;
        }
        let context = self.shared.check_context();
        let advice = if let Ok(mut rebased) = known.rebased(form, &context) {
            self.name_carrier(&mut rebased, id);
            if let Some(edited) = &mut rebased.edits {
                edited.number.clone_from(&number);
            }
            self.shared
                .consign
                .drafts
                .retain(|draft| draft.id != known.id);
            if !is_open {
                self.keep_open_draft();
            }
            self.open_as_new(rebased);
            "Your changes were added to theirs: check them, then save"
        } else {
            if !is_open {
                self.open_kept(&known.id);
            }
            "Fix the problems here, then open it again"
        };
        let words = format!(
            "Somebody else changed it meanwhile: {}. {advice}",
            theirs.join(", ")
        );
        self.notify(Notice::new(
            Tone::Warning,
            not_changed_headline(&number),
            words,
        ));
    }

    fn open_kept(&mut self, id: &DraftId) {
        self.open_draft(id);
        self.shared.screen = Screen::Consign;
    }

    fn put_up(&mut self, draft: Draft) {
        self.keep_open_draft();
        self.open_as_new(draft);
    }

    /// Opens a draft that is not on disk yet, and saves it.
    fn open_as_new(&mut self, draft: Draft) {
        self.consign.unsaved.insert(draft.id.clone());
        self.open_in_form(draft);
        self.save_draft();
        self.shared.screen = Screen::Consign;
    }

    fn notify_unreadable(&mut self, number: &str) {
        let headline = format!("{number} can't be opened");
        let advice = "The service sent a form without the consignment's number. Try again later";
        self.notify(Notice::new(Tone::Bad, headline, advice));
    }

    /// Sets the carrier's name from the consignment's row, because the form has only the carrier's id.
    fn name_carrier(&self, draft: &mut Draft, id: ConsignmentId) {
        if let Some(one) = self.shared.row(id)
            && draft
                .carrier_id()
                .is_some_and(|carrier| one.carrier_id.is_none_or(|own| own == carrier))
        {
            draft.name_carrier(&one.carrier, &one.service);
        }
    }

    /// Gives the changed form to the service queue. If the form has problems, shows all of them instead.
    pub(crate) fn save_changes(&mut self) {
        let context = self.shared.check_context();
        let Some(edited) = self.editing.draft.edits.clone() else {
            return;
        };
        let form = match self.editing.draft.into_form(&context) {
            Ok(form) => form,
            Err(problems) => {
                self.editing.show_all = true;
                let checked: Vec<_> = self
                    .editing
                    .check()
                    .map_or_else(Vec::new, |check| check.problems.clone());
                self.editing.refusals = problems
                    .into_iter()
                    .filter(|one| !checked.contains(one))
                    .collect();
                return;
            }
        };
        if form == *edited.form {
            let headline = format!("No changes to {}", edited.number);
            let advice = "Change something, or discard this draft";
            return self.notify(Notice::new(Tone::Warning, headline, advice));
        }
        if self.shared.operations.locked.contains_key(&edited.id) {
            let headline = format!("{} can't be changed now", edited.number);
            let advice =
                "An earlier action on it is not finished yet. Try again once that is confirmed";
            return self.notify(Notice::new(Tone::Warning, headline, advice));
        }
        self.shared
            .operations
            .lock([edited.id], OperationKind::Edit);
        let draft = self.take_open_draft();
        let seen = *edited.form;
        let intent = Payload::Edit(Box::new(ConsignmentEdit { seen, form }));
        self.work.submit(Request::Send(draft, intent));
    }

    /// Handles a change that the service has accepted: its draft is done, and the list shows the new state.
    pub(crate) fn change_accepted(&mut self, draft: Option<&DraftId>, consignment: Consignment) {
        let id = consignment.id;
        let headline = format!("{} updated", consignment.consignment_number);
        self.remove_sent_draft(draft);
        self.clear_notice(&not_changed_headline(&consignment.consignment_number));
        self.check_mode(&consignment);
        self.update_list(&[consignment]);
        let printed = self.shared.labels.states.get(&id) == Some(&crate::state::LabelState::Stale);
        let advice = if printed {
            "Its printed label is out of date: print it again"
        } else {
            ""
        };
        let notice = Notice::new(Tone::Ok, headline, advice);
        self.notify(notice.with_target(NoticeTarget::Consignment(id)));
    }
}

fn is_change_of(draft: &Draft, id: ConsignmentId) -> bool {
    draft.edits.as_ref().is_some_and(|edited| edited.id == id)
}
