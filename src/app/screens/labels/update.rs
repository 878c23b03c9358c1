//! Runs the Labels screen's commands: queue, preview, printing, saving.

mod batch;
mod job_polling;
mod preview;
pub(crate) mod printers;
mod save;
mod states;
pub(crate) mod test_label;

use std::collections::HashMap;
use std::time::Duration;

use crate::core::Core;
use crate::state::{DocumentKind, LabelState, LabelsCommand, Remote};
use engine::{LabelPageRequest, Request, VerificationFault};
use job_polling::JobPolling;
use printing::service::JobAction;
use shipping::{ConsignmentId, PrintLabelsRequest};

/// State of Labels that the screens do not read.
#[derive(Default)]
pub(crate) struct LabelsUpdate {
    /// Index of the shown label page, from 0.
    page: usize,
    /// Labels to print once their consignment has been read back.
    pub(crate) to_print: Vec<ConsignmentId>,
    /// The list has changed since the queue was sorted.
    queue_is_old: bool,
    /// Label files being saved.
    pub(crate) saving: Remote<Option<engine::SavedLabels>>,
    /// The path to save to was typed, not chosen in a file dialog.
    place_is_typed: bool,
    batches: batch::LabelBatches,
    /// State of each consignment's label according to its newest job.
    standings: states::NewestJobStates,
    /// Why labels failed verification, as found when they were to be printed.
    faults: HashMap<ConsignmentId, VerificationFault>,
    /// State of polling print jobs and printers.
    pub(crate) polling: JobPolling,
}

impl LabelsUpdate {
    /// Returns when print jobs and printers are polled.
    pub(crate) const fn next_due(&self) -> Option<Duration> {
        self.polling.due
    }
}

impl Core {
    pub(crate) fn run_labels(&mut self, command: LabelsCommand) {
        match command {
            LabelsCommand::Filter(words) => {
                self.shared.labels.query.words = words;
                self.filter_labels();
            }
            LabelsCommand::Select(id) => self.select_label(id),
            LabelsCommand::Page(page) => {
                self.labels.page = page;
                self.refresh_preview();
            }
            LabelsCommand::Size(size) => {
                self.shared.labels.size = size;
                self.labels.page = 0;
                self.refresh_preview();
            }
            LabelsCommand::Print(ids) => self.print(ids),
            LabelsCommand::PrintTestAgain => self.test_again(),
            LabelsCommand::Reprint(id, reason) => self.print_again(&[id], &reason),
            LabelsCommand::ReprintAll(ids, reason) => self.print_again(&ids, &reason),
            LabelsCommand::PrintWithOverride(id, reason) => self.print_despite(id, &reason),
            LabelsCommand::CancelReprint => self.shared.labels.print_again = None,
            LabelsCommand::FetchAgain(id) => self.fetch_label_again(id),
            LabelsCommand::Batch(command) => self.run_batch(command),
            LabelsCommand::SavePdf(id) => self.save_label(id, None),
            LabelsCommand::SavePdfAt(id, path) => self.save_label(id, Some(&path)),
            LabelsCommand::SaveAll(ids) => self.save_labels(&ids, None),
            LabelsCommand::SaveAllIn(ids, path) => self.save_labels(&ids, Some(&path)),
            LabelsCommand::ForgetSaved => {
                self.shared.labels.save_problem = None;
                self.shared.labels.saved = None;
            }
            LabelsCommand::AutoPrint(on) => {
                self.shared.labels.auto_print = on;
                self.setup.settings.auto_print = on;
                self.setup.write();
            }
            LabelsCommand::AskServicePrinters(ids) => self.ask_service_printers(ids),
            LabelsCommand::PrintAtService {
                ids,
                what,
                printer,
                size,
                reason,
            } => self.print_at_service(PrintLabelsRequest::new(ids, what, printer, size), &reason),
            LabelsCommand::RefreshPrinters => self.refresh_printers(),
            LabelsCommand::ChoosePrinter(name) => {
                self.assign_printer(DocumentKind::ItemLabels, Some(&name));
            }
            LabelsCommand::SetDocumentPrinter(kind, name) => {
                self.assign_printer(kind, name.as_deref());
            }
            LabelsCommand::CancelJob(job) => self.act_on_jobs(vec![job], JobAction::Cancel),
            LabelsCommand::CancelAllJobs(printer) => self.cancel_all_of(&printer),
            LabelsCommand::ReleaseJob(job) => self.act_on_jobs(vec![job], JobAction::Release),
            LabelsCommand::ShowTestLabel(printer) => self.show_test_label(&printer),
            LabelsCommand::PrintTestLabel => self.print_test_label(),
            LabelsCommand::SavePrinter(form) => self.save_printer(&form),
            LabelsCommand::RemovePrinter(name) => self.remove_printer(&name),
            LabelsCommand::SetJobPrinted(job, came_out) => {
                self.work.submit(Request::AnswerJob { job, came_out });
            }
        }
    }

    pub(crate) fn select_label(&mut self, id: ConsignmentId) {
        self.shared.labels.selected = Some(id);
        self.labels.page = 0;
        self.shared.labels.preview.clear();
        self.refresh_preview();
    }

    /// Opens Labels with the label that was shown before, else with the first label of the queue.
    pub(crate) fn open_labels_screen(&mut self) {
        self.refresh_printers();
        self.arrange_labels();
        if self.shared.labels.selected.is_none()
            && let Some(first) = self.shared.labels.queue.get(0)
        {
            self.select_label(first);
        }
    }

    /// Draws the shown page again, for the printer that it would go to.
    pub(crate) fn refresh_preview(&mut self) {
        self.draw_preview(false);
    }

    fn draw_preview(&mut self, again: bool) {
        let Some(consignment) = self.shared.labels.selected else {
            return;
        };
        let number = self.number_of(consignment);
        let size = self.shared.labels.size;
        let printer = self
            .setup
            .settings
            .label_printer()
            .cloned()
            .unwrap_or_default();
        let language = printer.language;
        let wanted = LabelPageRequest {
            consignment,
            size,
            page: self.labels.page,
            printer,
            again,
        };
        let fetch = self.work.reads().label(wanted, move |view| {
            preview::shown(consignment, number, size, language, &view)
        });
        self.shared.labels.preview.start(fetch);
    }

    /// Fetches a label file again. The service may have corrected a label that failed verification or could
    /// not be drawn.
    fn fetch_label_again(&mut self, id: ConsignmentId) {
        if matches!(
            self.shared.labels.state(id),
            LabelState::FailedVerification(_) | LabelState::Failed(_)
        ) {
            let state = self.state_without_print(id);
            self.shared.labels.set_state(id, state);
        }
        self.shared.labels.selected = Some(id);
        self.shared.labels.preview.clear();
        self.draw_preview(true);
    }

    /// Returns the consignment's number, or `MS` and its id if the bench has not seen the number.
    pub(crate) fn number_of(&self, id: ConsignmentId) -> String {
        { self.shared.row(id).map(|one| one.number.clone()) }
            .or_else(|| {
                self.shared
                    .labels
                    .jobs
                    .iter()
                    .find(|job| job.is_label_of(id))
                    .map(|job| job.number.clone())
            })
            .unwrap_or_else(|| format!("MS{id}"))
    }

    /// Filters the label queue again.
    pub(crate) fn filter_labels(&mut self) {
        match self.query_of_list(self.shared.labels.query.clone()) {
            Some(found) => self.shared.labels.found.start(found),
            None => self.shared.labels.found.clear(),
        }
    }

    /// Marks the label queue to be sorted again in this turn, because the list has changed.
    pub(crate) fn rebuild_labels(&mut self) {
        self.labels.queue_is_old = true;
    }

    /// Sorts the label queue if the list has changed since it was sorted.
    pub(crate) fn arrange_labels(&mut self) {
        if std::mem::take(&mut self.labels.queue_is_old) {
            self.shared.arrange_labels();
        }
    }

    /// Removes and returns the labels that waited for one of these consignments to be read back.
    pub(crate) fn take_due_labels(&mut self, seen: &[ConsignmentId]) -> Vec<ConsignmentId> {
        let due = self.labels.to_print.extract_if(.., |id| seen.contains(id));
        due.collect()
    }
}
