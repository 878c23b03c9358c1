//! Changing and cloning consignments: fetches the service's form, opens it as a draft, and submits changes.

use super::RepeatTarget;
use crate::core::Core;
use crate::state::{LabelState, Notice, NoticeTarget, OperationKind, Screen, Tone};
use draft::{Draft, DraftId, GoodsLine};
use engine::{ConsignmentEdit, Failure, Payload, Request, describe_claim};
use shipping::{Consignment, ConsignmentId, EditForm};

/// Why a consignment's form is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormPurpose {
    Change,
    Clone,
    /// The goods, options and carrier for the open draft.
    Repeat,
    /// A new consignment back to the sender.
    Return,
}

/// A consignment that was fetched to be opened in the form.
pub(crate) enum FetchedForm {
    Change(Box<EditForm>),
    /// The draft of a new consignment, a copy or a return; `None` if the service's form can't be read.
    New(Option<Box<Draft>>),
    /// A copy, whose goods, options and carrier go into the open draft.
    Repeat(RepeatedOrder),
}

/// An earlier order that is taken over.
pub(crate) struct RepeatedOrder {
    /// A copy; `None` if the service's form can't be read.
    order: Option<Box<Draft>>,
    /// False if the service no longer knows the order's options, because it is booked.
    has_options: bool,
}

pub(crate) fn not_changed_headline(number: &str) -> String {
    format!("{number} was not changed. What you typed is kept")
}

impl Core {
    /// Fetches a consignment's form, and opens it once it arrives.
    pub(crate) fn open_form(&mut self, id: ConsignmentId, purpose: FormPurpose) {
        if purpose == FormPurpose::Change && self.is_locked(id, &self.number_of(id)) {
            return;
        }
        self.shared.consign.opening = Some(id);
        let zone = self.shared.session.zone.clone();
        let fetch = self.work.reads().fetch(move |client| async move {
            match (client.edit_form(id).await, purpose) {
                (Ok(form), FormPurpose::Change) => Ok(FetchedForm::Change(Box::new(form))),
                (Ok(form), FormPurpose::Clone) => {
                    let draft = Draft::copy_of_form(&form, &zone);
                    Ok(FetchedForm::New(draft.map(Box::new)))
                }
                (Ok(form), FormPurpose::Repeat) => {
                    let draft = Draft::copy_of_form(&form, &zone);
                    Ok(FetchedForm::Repeat(RepeatedOrder {
                        order: draft.map(Box::new),
                        has_options: true,
                    }))
                }
                (Ok(form), FormPurpose::Return) => {
                    let draft = Draft::return_of_form(&form, &zone);
                    Ok(FetchedForm::New(draft.map(Box::new)))
                }
                // The service returns no form for a manifested consignment, which can't be changed.
                (
                    Err(Failure::Refused(_) | Failure::Status(400..=404)),
                    FormPurpose::Clone | FormPurpose::Repeat | FormPurpose::Return,
                ) => {
                    let found = client.consignment(id).await?;
                    Ok(match purpose {
                        FormPurpose::Return => {
                            FetchedForm::New(Some(Box::new(Draft::return_of(&found))))
                        }
                        FormPurpose::Repeat => FetchedForm::Repeat(RepeatedOrder {
                            order: Some(Box::new(Draft::copy_of(&found))),
                            has_options: false,
                        }),
                        _ => FetchedForm::New(Some(Box::new(Draft::copy_of(&found)))),
                    })
                }
                (Err(failure), _) => Err(failure),
            }
        });
        self.consign.form.start(fetch);
        // The form has only the carrier's id; the row has its name.
        self.read_rows(vec![id]);
    }

    /// Returns true and shows a notice if an earlier operation on the consignment is not finished yet.
    fn is_locked(&mut self, id: ConsignmentId, number: &str) -> bool {
        let is_locked = self.shared.operations.locked.contains_key(&id);
        if is_locked {
            let headline = format!("{number} can't be changed now");
            let workgroup = self.shared.workgroup.as_ref();
            let advice = match workgroup.and_then(|workgroup| workgroup.claim_of(id)) {
                Some(claim) => format!("{}. Try again when that is done", describe_claim(claim)),
                None => {
                    "Something you did earlier with this consignment is not confirmed yet. Try again in a moment"
                        .to_owned()
                }
            };
            self.notify(Notice::new(Tone::Warning, headline, advice));
        }
        is_locked
    }

    pub(crate) fn form_came(&mut self) {
        // There is no result if the clerk has requested another consignment's form, which is still being fetched.
        let Some(fetched) = self.consign.form.take() else {
            return;
        };
        let Some(id) = self.shared.consign.opening.take() else {
            return;
        };
        let number = self.number_of(id);
        match fetched {
            Err(problem) => {
                let headline = format!("{number} can't be opened");
                self.notify(Notice::failed(&headline, &problem));
            }
            Ok(FetchedForm::Change(form)) => self.change(id, &form),
            Ok(FetchedForm::New(None)) => self.notify_unreadable(&number),
            Ok(FetchedForm::Repeat(repeated)) => self.repeat(id, &number, repeated),
            Ok(FetchedForm::New(Some(mut draft))) => {
                self.name_carrier(&mut draft, id);
                let is_return = draft.is_return;
                self.put_up(*draft);
                let (headline, advice) = if is_return {
                    (
                        format!("The return of {number}"),
                        "Check the goods and choose a route. The next consignment has your usual sender again",
                    )
                } else {
                    (
                        format!("A new consignment like {number}"),
                        "Enter references, despatch time, the carrier's numbers and the declaration yourself",
                    )
                };
                self.notify(Notice::new(Tone::Ok, headline, advice));
            }
        }
    }

    /// Fills the goods, options and carrier of an earlier order into the draft for which the clerk asked. Goods that were typed
    /// meanwhile stay.
    fn repeat(&mut self, id: ConsignmentId, number: &str, repeated: RepeatedOrder) {
        let Some(mut order) = repeated.order else {
            return self.notify_unreadable(number);
        };
        self.name_carrier(&mut order, id);
        let draft = &self.editing.draft;
        let blank = GoodsLine::default();
        let is_it = self.consign.repeat_for.take() == Some(RepeatTarget::of(draft));
        let refused = if !is_it {
            "another consignment is open now"
        } else if draft.goods.iter().any(|line| *line != blank) {
            "goods are typed already"
        } else {
            ""
        };
        if !refused.is_empty() {
            let headline = format!("{number} was not taken over, because {refused}");
            return self.notify(Notice::new(Tone::Warning, headline, ""));
        }
        let draft = &mut self.editing.draft;
        draft.repeat(*order);
        draft.recall(&self.shared.catalogue.items);
        let headline = format!("Goods and carrier of {number}");
        let notice = if repeated.has_options {
            let advice = "Check them, then send. Declare dangerous goods again, if there are any";
            Notice::new(Tone::Ok, headline, advice)
        } else {
            let advice = "The order is booked, so the service no longer tells its options, such as tailgate or authority to leave. \
                          Choose them again";
            Notice::new(Tone::Warning, headline, advice)
        };
        self.notify(notice);
    }

    /// Opens a form for a change. If a draft with earlier changes exists, opens that draft instead, with its
    /// changes on top of the service's newest form.
    fn change(&mut self, id: ConsignmentId, form: &EditForm) {
        let number = self.number_of(id);
        let is_change = |draft: &&Draft| draft.edits.as_ref().is_some_and(|edited| edited.id == id);
        let open = Some(&self.editing.draft).filter(is_change);
        let is_open = open.is_some();
        let known = open.or_else(|| self.shared.consign.drafts.iter().find(is_change));
        let Some(known) = known.cloned() else {
            let Some(mut draft) = Draft::from_form(form, &self.shared.session.zone) else {
                return self.notify_unreadable(&number);
            };
            self.name_edited(&mut draft, id, number);
            return self.put_up(draft);
        };
        let seen = known.edits.as_ref().map(|edited| &edited.form);
        let theirs = seen.map(|seen| form.differences(seen)).unwrap_or_default();
        let rebased = if theirs.is_empty() {
            None
        } else {
            known.rebased(form, &self.shared.check_context()).ok()
        };
        let advice = if let Some(mut rebased) = rebased {
            self.name_edited(&mut rebased, id, number.clone());
            self.shared.consign.unlist(&known.id);
            if !is_open {
                self.keep_open_draft();
            }
            self.open_as_new(rebased);
            "Your changes are on top of theirs. Check both, then save"
        } else {
            if !is_open {
                self.open_draft(&known.id);
            }
            "Fix the problems here, then open it again"
        };
        self.shared.screen = Screen::Consign;
        if !theirs.is_empty() {
            let theirs = theirs.join(", ");
            let words = format!("Someone else changed this consignment: {theirs}. {advice}");
            let headline = not_changed_headline(&number);
            self.notify(Notice::new(Tone::Warning, headline, words));
        }
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

    /// Sets the consignment's number and the carrier's name, because the form has only ids.
    fn name_edited(&self, draft: &mut Draft, id: ConsignmentId, number: String) {
        self.name_carrier(draft, id);
        if let Some(edited) = &mut draft.edits {
            edited.number = number;
        }
    }

    /// Sets the carrier's name from the consignment's row, because the form has only the carrier's id.
    fn name_carrier(&self, draft: &mut Draft, id: ConsignmentId) {
        if let Some(one) = self.shared.row(id)
            && let Some(chosen) = draft.routing.chosen()
            && one.carrier_id.is_none_or(|own| own == chosen.carrier_id)
        {
            draft.name_carrier(&one.carrier, &one.service);
        }
    }

    /// Submits the changed form to the service queue. If the form has problems, shows all of them instead.
    pub(crate) fn save_changes(&mut self) {
        let context = self.shared.check_context();
        let Some(edited) = self.editing.draft.edits.clone() else {
            return;
        };
        let form = match self.editing.draft.into_form(&context) {
            Ok(form) => form,
            Err(mut problems) => {
                self.editing.show_all = true;
                if let Some(check) = self.editing.check() {
                    problems.retain(|one| !check.problems.contains(one));
                }
                self.editing.refusals = problems;
                return;
            }
        };
        if form == *edited.form {
            let headline = format!("No changes to {}", edited.number);
            let advice = "Change something, or discard this draft";
            return self.notify(Notice::new(Tone::Warning, headline, advice));
        }
        if self.is_locked(edited.id, &edited.number) {
            return;
        }
        self.shared
            .operations
            .lock([edited.id], OperationKind::Edit);
        let draft = self.take_open_draft();
        let seen = *edited.form;
        let intent = Payload::Edit(Box::new(ConsignmentEdit { seen, form }));
        self.work.submit(Request::Send(draft, intent));
    }

    /// Handles a change that the service has accepted: removes its draft, and shows the new state in the list.
    pub(crate) fn change_accepted(&mut self, draft: Option<&DraftId>, consignment: Consignment) {
        let id = consignment.id;
        let headline = format!("{} updated", consignment.consignment_number);
        self.remove_sent_draft(draft);
        self.clear_notice(&not_changed_headline(&consignment.consignment_number));
        self.check_mode(&consignment);
        self.update_list(&[consignment]);
        let advice = if self.shared.labels.states.get(&id) == Some(&LabelState::Stale) {
            "Its printed label is out of date: print it again"
        } else {
            ""
        };
        let notice = Notice::new(Tone::Ok, headline, advice);
        self.notify(notice.with_target(NoticeTarget::Consignment(id)));
    }
}
