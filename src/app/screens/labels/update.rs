//! Runs the Labels screen's commands: queue, preview, printing.

mod batch;
mod jobs;
mod preview;
mod printer_form;
mod printers;

use std::collections::HashMap;

use crate::core::Core;
use crate::state::{LabelsCommand, Screen};
use engine::{Request, VerificationFault};
use printing::service::JobAction;
use shipping::{ConsignmentId, PrintLabelsRequest};

/// State of Labels that the screens do not read.
#[derive(Default)]
pub(crate) struct LabelsUpdate {
    /// Index of the shown label page, from 0.
    page: usize,
    /// Labels to print once their consignments have been fetched again.
    pub(crate) to_print: Vec<ConsignmentId>,
    /// True if the list has changed since the queue was sorted.
    queue_is_old: bool,
    batches: batch::LabelBatches,
    /// State of each consignment's label according to its newest job.
    standings: jobs::NewestJobStates,
    /// The faults of labels that failed verification when they were to be printed.
    faults: HashMap<ConsignmentId, VerificationFault>,
    pub(crate) polling: jobs::JobPolling,
}

impl Core {
    pub(crate) fn run_labels(&mut self, command: LabelsCommand) {
        match command {
            LabelsCommand::OpenFile(path, printer) => {
                self.open_label_file(path, printer.as_deref());
            }
            LabelsCommand::PrintFile => self.print_label_file(),
            LabelsCommand::CloseFile => self.shared.labels.file.clear(),
            LabelsCommand::Filter(words) => {
                self.shared.labels.query.words = words;
                self.filter_labels();
            }
            LabelsCommand::Select(id) => self.select_label(id),
            LabelsCommand::Page(page) => {
                self.labels.page = page;
                self.refresh_preview();
            }
            LabelsCommand::ShowDocument(document) => {
                self.shared.labels.document = document;
                self.labels.page = 0;
                self.shared.labels.preview.clear();
                self.refresh_preview();
            }
            LabelsCommand::Size(size) => {
                self.shared.labels.size = size;
                self.labels.page = 0;
                self.refresh_preview();
            }
            LabelsCommand::Print(ids) => self.print(ids),
            LabelsCommand::PrintTestAgain => self.test_again(),
            LabelsCommand::Reprint(ids, reason) => self.print_again(ids, &reason),
            LabelsCommand::PrintWithOverride(id, reason) => self.print_despite(id, &reason),
            LabelsCommand::CancelReprint => self.shared.labels.print_again = None,
            LabelsCommand::FetchAgain(id) => self.fetch_label_again(id),
            LabelsCommand::Batch(command) => self.run_batch(command),
            LabelsCommand::AskServicePrinters(ids) => self.ask_service_printers(ids),
            LabelsCommand::PrintAtService {
                ids,
                what,
                printer,
                size,
                reason,
            } => self.print_at_service(PrintLabelsRequest::new(ids, what, printer, size), &reason),
            LabelsCommand::PrintDocument(kind, id) => self.print_consignment_document(kind, id),
            LabelsCommand::RefreshPrinters => self.refresh_printers(),
            LabelsCommand::SetUpOpened => self.shared.labels.set_up_requested = false,
            LabelsCommand::SetUpPrinter => {
                self.shared.labels.set_up_requested = true;
                self.show(Screen::Labels);
            }
            LabelsCommand::ChooseLabelPrinter(name) => self.choose_label_printer(&name),
            LabelsCommand::SetDocumentRules(rules) => self.set_document_rules(rules),
            LabelsCommand::CancelJob(job) => self.act_on_jobs(vec![job], JobAction::Cancel),
            LabelsCommand::CancelAllJobs(printer) => self.cancel_all_of(&printer),
            LabelsCommand::ReleaseJob(job) => self.act_on_jobs(vec![job], JobAction::Release),
            LabelsCommand::ShowTestLabel(printer) => self.show_test_label(printer),
            LabelsCommand::PrintTestLabel => self.print_test_label(),
            LabelsCommand::SavePrinter(form) => self.save_printer(&form),
            LabelsCommand::RemovePrinter(name) => self.remove_printer(&name),
            LabelsCommand::SetJobPrinted(job, came_out) => {
                self.work.submit(Request::AnswerJob { job, came_out });
            }
        }
    }

    /// Opens Labels with the label that was shown before, or with the first label of the queue.
    pub(crate) fn open_labels_screen(&mut self) {
        self.refresh_printers();
        self.arrange_labels();
        let first = self.shared.labels.queue.iter().next();
        if let Some(first) = first.filter(|_| self.shared.labels.selected.is_none()) {
            self.select_label(first);
        }
    }

    /// Returns the consignment's number, or `MS` and its id if the bench has not seen the number.
    pub(crate) fn number_of(&self, id: ConsignmentId) -> String {
        if let Some(one) = self.shared.row(id) {
            return one.number.clone();
        }
        let job = self.shared.labels.newest_job(id);
        job.map_or_else(|| format!("MS{id}"), |job| job.number.clone())
    }

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
