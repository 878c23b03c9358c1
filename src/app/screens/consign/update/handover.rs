//! Drafts that this bench leaves for any other bench of its workgroup, and takes over from them.

use crate::core::Core;
use crate::state::{HandoverCommand, Notice, Screen, Tone};
use draft::{Draft, DraftId};
use engine::{EngineError, Request};
use workgroup::WorkgroupState;

impl Core {
    pub(super) fn run_handover(&mut self, command: HandoverCommand) {
        match command {
            HandoverCommand::Leave(drafts) => self.leave_drafts(&drafts),
            HandoverCommand::LeaveOpen => {
                let open = self.editing.draft.id.clone();
                self.leave_drafts(&[open]);
            }
            HandoverCommand::Take(id) => self.take_draft(Some(id)),
            HandoverCommand::TakeNext => self.take_draft(None),
        }
    }

    fn leave_drafts(&mut self, ids: &[DraftId]) {
        let state = self.shared.workgroup.as_ref().map(|view| &view.state);
        if state != Some(&WorkgroupState::Connected) {
            let headline = "The workgroup is not connected, so no draft was left for other benches";
            let advice = "The drafts are still here. Leave them when it is connected again";
            return self.notify(Notice::new(Tone::Warning, headline, advice));
        }
        let left: Vec<_> = { ids.iter() }
            .filter_map(|id| self.take_draft_to_leave(id))
            .collect();
        if left.is_empty() {
            let headline = "This draft can be finished on this bench only";
            let advice = "It is empty, changes a consignment, is also saved at the service, or may have been sent already";
            return self.notify(Notice::new(Tone::Warning, headline, advice));
        }
        self.work.submit(Request::LeaveDrafts(left));
    }

    /// Handles drafts that any bench can take over now. After an error, they are on this bench as before.
    pub(crate) fn drafts_left(&mut self, drafts: Vec<Draft>, result: Result<(), EngineError>) {
        if let Err(error) = result {
            for draft in drafts {
                self.consign.unsaved.insert(draft.id.clone());
                self.relist_draft(draft);
            }
            self.consign.retry_save = true;
            let headline = "Couldn't leave the drafts for other benches";
            return self.notify(Notice::failed(headline, &error));
        }
        for draft in &drafts {
            self.needs_no_saving(&draft.id);
        }
        let headline = match drafts.as_slice() {
            [draft] if !draft.title().is_empty() => {
                format!("{} can be taken over by any bench", draft.title())
            }
            [_] => "The draft can be taken over by any bench".to_owned(),
            drafts => format!("{} drafts can be taken over by any bench", drafts.len()),
        };
        let advice = "The list of drafts on each bench shows it";
        self.notify(Notice::new(Tone::Ok, headline, advice));
    }

    /// Takes a draft out of the form or the list, with true if it can be sent as it is. Returns `None` for one that only
    /// this bench can finish.
    fn take_draft_to_leave(&mut self, id: &DraftId) -> Option<(Draft, bool)> {
        let is_open = self.editing.draft.id == *id;
        let consign = &self.shared.consign;
        let draft = if is_open {
            &self.editing.draft
        } else {
            consign.listed(id)?
        };
        if draft.is_blank() || consign.is_excluded_from_runs(draft) {
            return None;
        }
        let mut draft = draft.clone();
        // The other bench may have the token of another company.
        draft.company = draft.company.or(self.shared.session.own_company);
        let check = draft.check(&self.shared.check_context());
        let is_ready = check.request().is_some();
        self.remove_from_run(id);
        self.shared.consign.unlist(id);
        self.shared.consign.refusals.remove(id);
        if is_open {
            self.consign.save_due = None;
            self.editing.mark_kept();
            self.open_next_draft();
        }
        Some((draft, is_ready))
    }

    /// Takes over the draft with this id, or the oldest that can be sent as it is.
    fn take_draft(&mut self, id: Option<String>) {
        if !self.consign.taking.is_loading() {
            let fetch = self.work.reads().take_draft(id);
            self.consign.taking.start(fetch);
            self.consign.taken_from = Some(self.editing.draft.clone());
        }
    }

    pub(crate) fn draft_taken(&mut self) {
        let failed = |error: &EngineError| Notice::failed("Couldn't take over the draft", error);
        match self.consign.taking.take() {
            Some(Ok(Some(draft))) => {
                if self.consign.taken_from.as_ref() != Some(&self.editing.draft) {
                    // The clerk went on typing meanwhile.
                    let headline = format!("{} is among your drafts", draft.title());
                    self.relist_draft(draft);
                    let advice = "It was taken over. Ctrl+O opens it";
                    return self.notify(Notice::new(Tone::Ok, headline, advice));
                }
                self.shared.screen = Screen::Consign;
                self.shared.consign.unlist(&draft.id);
                self.keep_open_draft();
                self.open_in_form(draft);
            }
            Some(Ok(None)) => {
                let headline = "There is nothing to take over";
                let advice = "Another bench was faster, or no draft is ready to be sent. See the list of drafts";
                self.notify(Notice::new(Tone::Warning, headline, advice));
            }
            Some(Err(error)) => self.notify(failed(&error)),
            None => {}
        }
    }
}
