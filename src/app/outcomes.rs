//! Applies the outcomes of the engine to the state that the screens read.

use std::sync::Arc;

use crate::core::Core;
use crate::screens::consign::update::edit::{FormPurpose, not_changed_headline};
use crate::state::{
    NextCheck, Notice, NoticeTarget, PossiblySentDraft, SaveState, Screen, SentProgress, Tone,
};
use crate::ui::format::day_and_time;
use draft::{Draft, DraftId, Preset, Problem, problems_from_errors};
use engine::{
    EngineError, Failure, LastSeenList, Outcome, PrintMoment, RestoredState, SharedValues, named,
};
use shipping::{Consignment, LocalTime};
use storage::Rescue;

/// Headline of the notice that a draft could not be saved to disk.
const NOT_SAVED: &str = "Couldn't save the draft";

impl Core {
    /// Shows the clerk's own presets, and then those of the administrator with other names.
    fn show_presets(&mut self, own: Vec<Preset>) {
        self.presets_restored();
        let catalogue = &mut self.shared.catalogue;
        catalogue.own_presets = own.len();
        let mut all = own;
        for preset in &self.setup.settings.presets {
            if all.iter().all(|known| known.name != preset.name) {
                all.push(preset.clone());
            }
        }
        catalogue.presets = Arc::new(all);
    }

    pub(super) fn apply_outcome(&mut self, outcome: Outcome) {
        let Some(outcome) = self.handle_run_outcome(outcome) else {
            return;
        };
        match outcome {
            Outcome::Presets(own) => self.show_presets(own),
            Outcome::OnHold { all, is_answer } => self.show_on_hold(all, is_answer),
            Outcome::Views(views) => self.shared.dispatch.views = Arc::new(views),
            Outcome::Restored(restored) => self.restored(*restored),
            Outcome::DraftSaved { id, at } => {
                self.needs_no_saving(&id);
                self.shared.consign.draft_times.insert(id.clone(), at);
                if self.editing.draft.id == id && self.consign.save_due.is_none() {
                    self.editing.saved = SaveState::At(at);
                }
            }
            Outcome::Operation(operation) => self.operation_changed(*operation),
            Outcome::NextCheck { operation, at, of } => {
                let check = NextCheck { at, total: of };
                self.shared.operations.next_checks.insert(operation, check);
            }
            Outcome::Created { draft, consignment } => self.created(draft.as_ref(), *consignment),
            Outcome::DraftBack(draft) => self.draft_back(*draft),
            Outcome::DraftNotSaved(id, error) => {
                self.consign.unsaved.insert(id);
                self.consign.retry_save = true;
                let notice = Notice::failed(NOT_SAVED, &error);
                self.notify(notice);
            }
            Outcome::PendingSaved { draft, saved } => {
                self.pending_saved(draft.map(|draft| *draft), &saved);
            }
            Outcome::Edited { draft, consignment } => {
                self.change_accepted(draft.as_ref(), *consignment);
            }
            Outcome::Converted {
                draft,
                pending,
                consignment,
            } => self.converted(draft.as_ref(), pending, *consignment),
            Outcome::NotWritten(error) => self.not_written(&error),
            Outcome::NotCreated { draft, error } => {
                self.not_created(draft.map(|draft| *draft), &error);
            }
            Outcome::ResultUnknown(draft) => self.result_unknown(draft.as_ref()),
            Outcome::ConsignmentsRead(consignments) => self.read_back(&consignments),
            Outcome::Gone(ids) => self.remove_from_list(&ids),
            Outcome::BookingRead { operation, members } => self.booking_read(operation, members),
            Outcome::Job(job) => self.job_changed(*job),
            Outcome::DocumentIncomplete { document, message } => {
                self.document_incomplete(&document, message);
            }
            Outcome::DocumentFailed { document, error } => self.document_failed(&document, &error),
            Outcome::LabelFailed { consignment, error } => self.label_failed(consignment, &error),
            Outcome::Batch(end) => self.batch_ended(*end),
            Outcome::Suggestions(known) => self.update_reference_data(*known),
            Outcome::ModesListed { test, real } => self.modes_listed(test, real),
            Outcome::OwnCompany(company) => {
                self.catalogue.told = Some(company);
                self.settle_company();
            }
            Outcome::LastSeen(seen) => self.last_seen(*seen),
            Outcome::RestorationCompleted { doubts, drafts } => {
                self.journal_rebuilt(doubts, drafts);
            }
            Outcome::RestorationIncomplete { too_old, unasked } => {
                self.notify_unchecked(too_old, &unasked);
            }
            Outcome::Workgroup(workgroup) => self.workgroup_changed(*workgroup),
            Outcome::DraftsLeft { drafts, result } => self.drafts_left(drafts, result),
            Outcome::WaitingDrafts(waiting) => self.shared.consign.waiting = waiting,
            Outcome::SharedValues(values) => self.values_came(&values),
            Outcome::JournalDamaged => self.journal_damaged(),
            Outcome::Failed {
                what,
                error,
                in_service_queue: of_dispatch,
            } => self.failed(what, &error, of_dispatch),
        }
    }

    fn values_came(&mut self, values: &SharedValues) {
        let changed = values.changed_by_others.iter();
        self.shared.changed_by = changed
            .map(|value| ((value.kind, value.name.clone()), value.changed_by.clone()))
            .collect();
        self.printers_came(values);
    }

    /// Shows for which consignments an earlier run of the program did not print all documents.
    pub(super) fn tell_undone_documents(&mut self, numbers: &[String]) {
        if numbers.is_empty() {
            return;
        }
        let headline = format!("Check the documents of {}", named(numbers));
        let advice = "Packbench was closed before all of them were printed. Print what is missing on Labels, with Documents";
        self.notify(Notice::new(Tone::Warning, headline, advice));
    }

    fn document_incomplete(&mut self, document: &str, message: String) {
        let headline = format!("{document} is not printed completely");
        self.notify(Notice::new(Tone::Warning, headline, message));
    }

    fn document_failed(&mut self, document: &str, error: &EngineError) {
        let headline = format!("Not printed: {document}");
        self.notify(Notice::failed(&headline, error));
    }

    fn not_written(&mut self, error: &EngineError) {
        self.shared.operations.unlock_requests();
        self.shared.dispatch.groups_view.run = None;
        let headline = "Nothing was sent: it couldn't be saved on this computer first";
        self.notify(Notice::failed(headline, error));
    }

    /// Records that a draft was saved or no longer exists. The warning about unsaved drafts stays while another draft
    /// could not be saved.
    pub(super) fn needs_no_saving(&mut self, draft: &DraftId) {
        self.consign.unsaved.remove(draft);
        if self.consign.unsaved.is_empty() {
            self.clear_notice(NOT_SAVED);
        }
    }

    /// Shows a notice about a failure that appears on no screen. Only a failure of the service queue removes the
    /// locks of requests, because other queues don't affect these locks.
    fn failed(&mut self, what: &str, error: &EngineError, of_dispatch: bool) {
        if of_dispatch {
            self.shared.operations.unlock_requests();
        }
        let notice = Notice::failed(what, error);
        self.notify(notice);
    }

    fn restored(&mut self, restored: RestoredState) {
        let RestoredState {
            mut drafts,
            draft_times,
            operations,
            jobs,
            labels,
            unprinted,
            doubts,
            undone_documents,
        } = restored;
        self.set_doubts(doubts);
        self.shared.consign.draft_times = draft_times.into_iter().collect();
        for operation in operations.into_iter().rev() {
            if operation.state.is_open() {
                self.operation_changed(operation);
            } else {
                self.shared.operations.list.insert(0, operation);
            }
        }
        self.consign.begun.clear();
        // Drafts of open operations, and drafts that were sent before the journal was read, must not be sent again.
        let held = self.held_drafts();
        drafts.retain(|draft| !held.contains(&draft.id) && !self.shared.consign.is_sent(&draft.id));
        // The clerk was probably working on the newest draft, so it is opened, unless something was typed
        // before the journal was read. Orders from the folder wait on Orders.
        let doubted = &self.shared.consign.possibly_sent;
        let mut known = drafts.iter();
        let offered =
            known.position(|draft| !doubted.contains_key(&draft.id) && !draft.is_from_folder);
        if !self.editing.is_dirty()
            && let Some(newest) = offered
        {
            let newest = drafts.remove(newest);
            self.open_in_form(newest);
        }
        // Drafts that were listed before the journal was read stay in the list.
        let (typed, open) = (&mut self.shared.consign.drafts, &self.editing.draft.id);
        drafts.retain(|draft| draft.id != *open && typed.iter().all(|kept| kept.id != draft.id));
        typed.append(&mut drafts);
        self.drafts_restored();
        self.ask_for_conversions();
        self.restore_jobs(jobs, labels, unprinted);
        self.tell_undone_documents(&undone_documents);
        self.tell_unfinished();
    }

    /// Returns the drafts of open operations.
    pub(super) fn held_drafts(&self) -> Vec<DraftId> {
        let open = self.shared.operations.open();
        open.filter_map(|operation| operation.draft.clone())
            .collect()
    }

    fn created(&mut self, draft: Option<&DraftId>, consignment: Consignment) {
        let (id, is_booked) = (consignment.id, consignment.is_manifested());
        self.remove_sent_draft(draft);
        self.consign.orders_of = None;
        self.check_mode(&consignment);
        self.order_created(&consignment);
        self.shared.consign.last_created = Some(consignment.clone());
        self.update_list(&[consignment]);
        if self.shared.consign.run.is_none() {
            self.select_label(id);
        }
        self.auto_print(vec![id]);
        self.print_documents_at(PrintMoment::Send, &[id]);
        if is_booked {
            self.print_documents_at(PrintMoment::Booking, &[id]);
        }
    }

    /// Updates the lists with consignments that were read back, and prints labels that waited.
    fn read_back(&mut self, consignments: &[Consignment]) {
        self.watch_modes(consignments);
        let ids: Vec<_> = consignments.iter().map(|one| one.id).collect();
        self.update_list(consignments);
        let due = self.take_due_labels(&ids);
        self.print_documents_at(PrintMoment::Send, &due);
        let booked = consignments.iter().filter(|one| one.is_manifested());
        let booked: Vec<_> = booked.map(|one| one.id).collect();
        let due_and_booked: Vec<_> = { due.iter().copied() }
            .filter(|id| booked.contains(id))
            .collect();
        self.print_documents_at(PrintMoment::Booking, &due_and_booked);
        self.auto_print(due);
    }

    /// Removes a draft permanently, because a consignment was or may have been created from it.
    pub(super) fn remove_sent_draft(&mut self, draft: Option<&DraftId>) {
        self.unlist_draft(draft);
        self.take_sent(draft);
    }

    /// Handles a draft whose answer was lost. The draft stays among the sent drafts while its operation
    /// is being reconciled.
    fn result_unknown(&mut self, draft: Option<&DraftId>) {
        self.unlist_draft(draft);
        let checking =
            draft.is_some_and(|id| self.shared.sent_progress(id) == SentProgress::Checking);
        if !checking {
            self.take_sent(draft);
        }
    }

    /// Removes a draft from the list, because it is stored with its operation, or became a consignment.
    fn unlist_draft(&mut self, draft: Option<&DraftId>) {
        if let Some(draft) = draft {
            self.shared.consign.unlist(draft);
            self.needs_no_saving(draft);
        }
    }

    /// Puts a draft back into the list after no consignment was created from it, unless it is open or
    /// already listed.
    pub(super) fn relist_draft(&mut self, draft: Draft) {
        if self.shared.consign.listed(&draft.id).is_none() && self.editing.draft.id != draft.id {
            self.shared.consign.drafts.insert(0, draft);
        }
    }

    /// Lists a draft that was on another bench, whose clerk may have changed it, or that was sent and refused.
    fn draft_back(&mut self, mut draft: Draft) {
        draft.was_opened |= draft.is_from_folder;
        self.relist_draft(draft);
    }

    /// Handles a draft from which certainly no consignment was created. The draft is opened again if the form is
    /// empty; otherwise it is listed among the drafts. Problems that the service reported are shown at the fields of
    /// the draft.
    fn not_created(&mut self, draft: Option<Draft>, error: &EngineError) {
        let Some(draft) = draft else {
            let notice = Notice::failed("The consignment was not sent again", error);
            return self.notify(notice);
        };
        let edited = draft.edits.clone();
        if let Some(edited) = &edited {
            self.shared.operations.unlock_request(edited.id);
        }
        self.take_sent(Some(&draft.id));
        let (id, name) = (draft.id.clone(), draft.title().to_owned());
        let problems = match error {
            EngineError::Service(Failure::Refused(errors)) => problems_from_errors(errors, &draft),
            _ => Vec::new(),
        };
        let is_refused = !problems.is_empty();
        let reopened = self.reopen(draft, problems);
        if reopened && is_refused && self.shared.screen == Screen::Consign {
            return;
        }
        let headline = match &edited {
            Some(edited) => not_changed_headline(&edited.number),
            None if reopened => "The consignment was not sent. Your draft is unchanged".to_owned(),
            None => format!("{name} was not sent. It is among your drafts"),
        };
        let mut notice = Notice::failed(&headline, error);
        if !reopened || self.shared.screen != Screen::Consign {
            notice = notice.with_target(NoticeTarget::Draft(id));
        }
        self.notify(notice);
        if let (Some(edited), EngineError::NotPossible(_)) = (edited, error) {
            // The consignment was changed elsewhere meanwhile. The form is fetched again, and the clerk's
            // changes are applied to the new version.
            self.open_form(edited.id, FormPurpose::Change);
        }
    }

    /// Opens a draft that was not sent if the form is empty; otherwise lists the draft. Returns whether the
    /// draft was opened.
    fn reopen(&mut self, draft: Draft, problems: Vec<Problem>) -> bool {
        let is_free = self.editing.draft.is_blank() && !self.editing.is_dirty();
        if is_free {
            self.shared.consign.unlist(&draft.id);
            self.open_in_form(draft);
            self.editing.show_all = !problems.is_empty();
            self.editing.refusals = problems;
        } else {
            if !problems.is_empty() {
                self.shared
                    .consign
                    .refusals
                    .insert(draft.id.clone(), problems);
            }
            self.relist_draft(draft);
        }
        is_free
    }
}

/// Returns the notice about a restored journal: where the damaged file is, which backup was restored, and
/// what to check.
pub(super) fn restoration_notice(rescue: &Rescue, zone: &str) -> Notice {
    let at = |moment| day_and_time(LocalTime::at(moment, zone));
    let missing = "Their file was missing. To start with empty records, also move the .commits file and the backups folder away";
    let (fault, kept) = match &rescue.set_aside {
        Some(path) => (
            "damaged",
            format!("The damaged file was kept: {}", path.display()),
        ),
        None => ("missing", missing.to_owned()),
    };
    let headline = match rescue.restored_from.map(at) {
        Some(from) => {
            format!("This bench's records were {fault} and have been restored as of {from}")
        }
        None => format!("This bench's records were {fault}. New, empty records were started"),
    };
    let advice = "Packbench is checking with the service what was sent since then. Before you send a draft, check it, and check \
                  Dispatch for what is there already";
    let worked = rescue.last_commit.map(at);
    let worked = worked.map(|last| format!("Last recorded work on this bench: {last}. "));
    Notice {
        detail: worked.unwrap_or_default() + &kept,
        ..Notice::new(Tone::Warning, headline, advice)
    }
}

const DOUBTED: &str = "This draft may have been sent already";

impl Core {
    /// Shows a list that was stored in the journal, until the service answers.
    pub(super) fn last_seen(&mut self, seen: LastSeenList) {
        match seen {
            LastSeenList::Companies(companies) => {
                if self.shared.catalogue.companies.remember(companies) {
                    self.settle_company();
                }
            }
            LastSeenList::Locations { company, list } => {
                if self.catalogue.locations_of == Some(company)
                    && self.shared.catalogue.locations.remember(list)
                {
                    self.locations_came();
                }
            }
            LastSeenList::Unmanifested {
                company,
                ids,
                as_of,
            } => self.show_kept_list(company, &ids, as_of),
        }
    }

    /// Replaces the list of drafts that may have been sent already.
    pub(super) fn set_doubts(&mut self, doubts: Vec<PossiblySentDraft>) {
        let doubts = doubts.into_iter().map(|doubt| (doubt.draft, doubt.message));
        self.shared.consign.possibly_sent = doubts.collect();
    }

    /// Replaces the listed drafts, except unsaved drafts, after the service was asked what was sent since the backup.
    pub(super) fn journal_rebuilt(&mut self, doubts: Vec<PossiblySentDraft>, drafts: Vec<Draft>) {
        self.set_doubts(doubts);
        let open = self.editing.draft.id.clone();
        let held = self.held_drafts();
        let consign = &mut self.shared.consign;
        let mut drafts = drafts;
        for draft in std::mem::take(&mut consign.drafts) {
            let is_unsaved = self.consign.unsaved.contains(&draft.id);
            if is_unsaved && drafts.iter().all(|read| read.id != draft.id) {
                drafts.push(draft);
            }
        }
        drafts.retain(|draft| {
            draft.id != open && !held.contains(&draft.id) && !consign.is_sent(&draft.id)
        });
        consign.drafts = drafts;
        let mut words: Vec<_> = consign.possibly_sent.values().cloned().collect();
        self.warn_of_doubt(&open);
        if words.is_empty() {
            return;
        }
        words.sort();
        let headline = match words.len() {
            1 => "A draft may have been sent already".to_owned(),
            count => format!("{count} drafts may have been sent already"),
        };
        let advice = format!("{}. Check each one before you send it", words.join("; "));
        self.notify(Notice::new(Tone::Warning, headline, advice));
    }

    /// Shows a notice that the service could not be asked for everything that was sent since the backup.
    pub(super) fn notify_unchecked(&mut self, too_old: bool, unasked: &[String]) {
        let mut words = Vec::new();
        if !unasked.is_empty() {
            let unasked = unasked.join(", ");
            words.push(format!("The service didn't answer for {unasked}"));
        }
        if too_old {
            let limit = "The service lists only the last ten days, and the backup is older";
            words.push(limit.to_owned());
        }
        let advice = format!(
            "{}. Check at the service yourself before you send a draft",
            words.join(". ")
        );
        let headline = "Not everything that was sent since the backup could be checked";
        self.notify(Notice::new(Tone::Warning, headline, advice));
    }

    /// Warns the clerk if the draft being opened may have been sent already.
    pub(super) fn warn_of_doubt(&mut self, draft: &DraftId) {
        self.clear_notice(DOUBTED);
        if let Some(words) = self.shared.consign.possibly_sent.get(draft) {
            let advice = format!("{words}. Send it only if it is a different consignment");
            self.notify(Notice::new(Tone::Warning, DOUBTED, advice));
        }
    }

    /// Returns true and shows a notice for a restored draft that was not yet compared with the service's
    /// consignments. Such a draft must not be sent.
    pub(super) fn waits_for_comparison(&mut self, draft: &DraftId) -> bool {
        let words = self.shared.consign.possibly_sent.get(draft);
        let waits = words.is_some_and(|words| PossiblySentDraft::is_unchecked(words));
        if waits {
            let headline = "This draft was not sent";
            let advice = "Packbench is still checking whether it was sent before this bench's records were restored. Send it once \
                          the service has answered";
            self.notify(Notice::new(Tone::Warning, headline, advice));
        }
        waits
    }

    /// Shows a notice that the journal is damaged. Nothing is sent any more; typed text stays in the form.
    pub(super) fn journal_damaged(&mut self) {
        let advice = "Restart Packbench to restore them. Your typed text stays here until \
                      you do, and nothing is sent";
        self.notify(Notice::new(
            Tone::Bad,
            "This bench's records are damaged",
            advice,
        ));
    }
}
