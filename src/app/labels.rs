//! The Labels screen's commands: queue, preview, printing, saving.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::core::Core;
use super::printers::default_profile;
use super::test_label::TEST_LABEL_OF;
use crate::printing::service::JobAction;
use crate::shipping::{ConsignmentId, LabelSize, file_name};
use crate::state::{
    BatchProgress, DocumentKind, JobState, LabelEntry, LabelState, LabelsCommand, Matter, Notice,
    Preview, PrintJob, Tone,
};
use crate::work::{LabelPage, LabelView, PrintOrder, Request, WaitingList};

/// Why a label is printed again whose consignment was changed.
const CHANGED: &str = "changed";

impl Core {
    pub(super) fn run_labels(&mut self, command: LabelsCommand) {
        match command {
            LabelsCommand::Select(id) => self.select_label(id),
            LabelsCommand::Page(page) => {
                self.page = page;
                self.refresh_preview();
            }
            LabelsCommand::Size(size) => {
                self.shared.label_size = size;
                self.page = 0;
                self.refresh_preview();
            }
            LabelsCommand::Print(ids) => self.print(ids, ""),
            LabelsCommand::Reprint(id, reason) => self.print(vec![id], reason.trim()),
            LabelsCommand::SavePdf(id) => self.save_pdf(id, None),
            LabelsCommand::SavePdfAt(id, path) => self.save_pdf(id, Some(path.trim().into())),
            LabelsCommand::AutoPrint(on) => {
                self.shared.auto_print = on;
                self.setup.settings.auto_print = on;
                self.setup.write();
            }
            LabelsCommand::RefreshPrinters => self.refresh_printers(),
            LabelsCommand::ChoosePrinter(name) => self.choose_printer(&name),
            LabelsCommand::PrintOn(kind, name) => self.print_on(kind, name.as_deref()),
            LabelsCommand::CancelJob(job) => self.act_on_job(job, JobAction::Cancel),
            LabelsCommand::ReleaseJob(job) => self.act_on_job(job, JobAction::Release),
            LabelsCommand::ShowTestLabel(printer) => self.show_test_label(&printer),
            LabelsCommand::PrintTestLabel => self.print_test_label(),
            LabelsCommand::SavePrinter(form) => self.save_printer(&form),
            LabelsCommand::RemovePrinter(name) => self.remove_printer(&name),
            LabelsCommand::AnswerJob(job, came_out) => {
                self.work.submit(Request::AnswerJob { job, came_out });
            }
        }
    }

    pub(super) fn select_label(&mut self, id: ConsignmentId) {
        self.shared.selected_label = Some(id);
        self.page = 0;
        self.shared.preview.clear();
        self.refresh_preview();
    }

    /// Draws the shown page again, for the printer that it would go to.
    pub(super) fn refresh_preview(&mut self) {
        let Some(consignment) = self.shared.selected_label else {
            return;
        };
        let number = self.number_of(consignment);
        let size = self.shared.label_size;
        let printer = self
            .setup
            .settings
            .label_printer()
            .cloned()
            .unwrap_or_else(default_profile);
        let wanted = LabelPage {
            consignment,
            size,
            page: self.page,
            printer,
        };
        let outdated = self.shared.label_states.get(&consignment) == Some(&LabelState::Stale);
        self.shared
            .preview
            .start(self.work.reads().label(wanted, move |view| {
                let mut preview = preview(consignment, number, size, &view);
                if outdated {
                    let words = "The consignment was changed since it was printed";
                    preview.notes.insert(0, words.to_owned());
                }
                preview
            }));
    }

    /// The consignment's number, as far as the bench has seen it.
    pub(super) fn number_of(&self, id: ConsignmentId) -> String {
        let list = self.shared.unmanifested.value();
        list.and_then(|list| list.get(id))
            .map(|one| one.number.to_string())
            .or_else(|| {
                self.shared
                    .jobs
                    .iter()
                    .find(|job| job.consignment == id)
                    .map(|job| job.number.clone())
            })
            .unwrap_or_else(|| format!("MS{id}"))
    }

    /// Gives labels to the paper lane, in this order.
    pub(super) fn print(&mut self, ids: Vec<ConsignmentId>, reason: &str) {
        if ids == [TEST_LABEL_OF] {
            return self.test_again();
        }
        let Some(printer) = self.printer_for(DocumentKind::ItemLabels) else {
            return;
        };
        let waiting = self
            .shared
            .batch
            .map_or(0, |batch| batch.total - batch.done);
        self.shared.batch = Some(BatchProgress {
            done: 0,
            total: waiting + ids.len(),
        });
        for consignment in ids {
            let states = &mut self.shared.label_states;
            let before = states.insert(consignment, LabelState::Printing);
            let reason = match before {
                Some(LabelState::Stale) if reason.is_empty() => CHANGED,
                _ => reason,
            };
            self.work.submit(Request::Print(Box::new(PrintOrder {
                consignment,
                number: self.number_of(consignment),
                printer: printer.clone(),
                size: self.shared.label_size,
                reason: reason.to_owned(),
            })));
        }
        self.rebuild_labels();
    }

    /// A print job is new or has changed.
    pub(super) fn job_changed(&mut self, job: PrintJob) {
        let matter = Matter::Job(job.id);
        let known = self.shared.jobs.iter().find(|known| known.id == job.id);
        if job.is_label()
            && job.state != JobState::Spooling
            && known.is_some_and(|known| known.state == JobState::Spooling)
        {
            self.one_label_done();
        }
        if job.is_label() {
            let states = &mut self.shared.label_states;
            states.insert(job.consignment, label_state(&job));
        }
        match self.shared.jobs.iter_mut().find(|known| known.id == job.id) {
            Some(known) => *known = job,
            None => self.shared.jobs.insert(0, job),
        }
        self.matters_changed = true;
        self.refresh_matter(matter);
        self.rebuild_labels();
    }

    /// Consignments were changed: their label files are fetched again, and what was printed of them is out of date.
    pub(super) fn labels_outdated(&mut self, ids: &[ConsignmentId]) {
        for job in &mut self.shared.jobs {
            job.outdated |= ids.contains(&job.consignment);
        }
        for id in ids {
            // Newest first: the last one says where its label stands.
            let last = self.shared.jobs.iter().find(|job| job.consignment == *id);
            if let Some(job) = last {
                self.shared.label_states.insert(*id, label_state(job));
            }
        }
        if self
            .shared
            .selected_label
            .is_some_and(|id| ids.contains(&id))
        {
            self.shared.preview.clear();
            self.refresh_preview();
        }
        self.rebuild_labels();
    }

    pub(super) fn one_label_done(&mut self) {
        let Some(batch) = &mut self.shared.batch else {
            return;
        };
        batch.done += 1;
        if batch.done >= batch.total {
            self.shared.batch = None;
        }
    }

    /// Jobs from the journal, newest first: the newest of a consignment says where its label stands.
    pub(super) fn restore_jobs(&mut self, jobs: Vec<PrintJob>) {
        let mut states = HashMap::new();
        for job in jobs.iter().filter(|job| job.is_label()) {
            states
                .entry(job.consignment)
                .or_insert_with(|| label_state(job));
        }
        self.shared.label_states = states;
        self.shared.jobs = jobs;
        self.rebuild_labels();
    }

    /// The queue: everything unmanifested, what needs a hand first.
    pub(super) fn rebuild_labels(&mut self) {
        let list = self.shared.unmanifested.value();
        let waiting = list.into_iter().flat_map(WaitingList::iter);
        let states = &self.shared.label_states;
        let mut labels: Vec<_> = waiting
            .map(|one| LabelEntry {
                consignment: one.id,
                number: one.number.to_string(),
                to: one.to.to_string(),
                state: states.get(&one.id).cloned().unwrap_or(LabelState::Waiting),
            })
            .collect();
        labels.sort_by_key(|entry| match entry.state {
            LabelState::Ask(_) | LabelState::Failed(_) => 0,
            LabelState::Printing | LabelState::Waiting | LabelState::Stale => 1,
            LabelState::Sent(_) | LabelState::Printed(_) => 2,
        });
        self.shared.labels = labels;
    }

    fn save_pdf(&mut self, id: ConsignmentId, typed: Option<PathBuf>) {
        if typed.is_none() && !self.surroundings.file_dialog {
            self.shared.no_file_dialog = true;
            return;
        }
        let name = file_name(&[&self.number_of(id)], "pdf");
        let fetch = self
            .work
            .reads()
            .save_label(id, self.shared.label_size, name, typed);
        self.saving.start(fetch);
    }

    pub(super) fn saved_label(&mut self) {
        if let Some(problem) = self.saving.problem() {
            let notice = Notice::failed("The label could not be saved", problem);
            self.notify(notice);
        } else if let Some(Some(path)) = self.saving.value() {
            let notice = Notice::new(Tone::Good, format!("Label saved to {}", path.display()), "");
            self.shared.no_file_dialog = false;
            self.notify(notice);
        }
    }
}

fn label_state(job: &PrintJob) -> LabelState {
    match job.state {
        JobState::Spooling => LabelState::Printing,
        JobState::Sent | JobState::Printed if job.outdated => LabelState::Stale,
        JobState::Sent => LabelState::Sent(job.changed),
        JobState::Printed => LabelState::Printed(job.changed),
        JobState::Failed => LabelState::Failed(job.words.clone()),
        JobState::Ask => LabelState::Ask(job.words.clone()),
    }
}

fn preview(
    consignment: ConsignmentId,
    number: String,
    size: LabelSize,
    view: &LabelView,
) -> Preview {
    let bitmap = &view.shown.bitmap;
    let problem = view
        .problem
        .as_ref()
        .map(|problem| format!("{problem}. {}", problem.advice()));
    Preview {
        consignment,
        number,
        page: view.shown.index,
        pages: view.shown.page_count,
        size,
        width: bitmap.width(),
        height: bitmap.height(),
        dots: Arc::from(bitmap.packed()),
        codes_read: view.shown.codes.len(),
        checked: problem.is_none(),
        notes: problem
            .into_iter()
            .chain(view.notes.iter().cloned())
            .collect(),
    }
}
