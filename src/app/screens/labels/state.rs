//! Commands of Labels, the states of labels, the preview, printers, and the label queue. The queue contains each
//! unmanifested consignment once, and begins with labels that need a person.
//!
//! The queue contains only ids. To move a label, two sorted lists are searched and changed, so a batch of hundreds is
//! fast even with 100,000 consignments. The whole queue is sorted again only when the list of consignments is
//! replaced.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;

use crate::state::{
    DocumentKind, FitMode, JobId, LabelMark, Language, Media, PrintJob, Remote, Shared,
    ShrinkWarning, TrackList, TrackQuery,
};
use engine::{ConsignmentDocument, ConsignmentFacts, DocumentRule, JobSubject, VerificationFault};
use printing::page::Bitmap;
use printing::profile::{Rotation, Sensing};
use shipping::{AvailablePrinters, ConsignmentId, LabelSize, LabelType, PrinterId};

pub use printing::queue::QueueState as PrinterState;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum LabelState {
    #[default]
    Waiting,
    /// The label is being fetched, rendered or sent to the printer.
    Printing,
    /// The label was sent and is still in the printer's queue. It will be printed soon, or expire.
    InQueue(Timestamp),
    /// The label was sent to the printer. Nobody has confirmed whether it was printed.
    Sent(Timestamp),
    /// The clerk has confirmed that the label was printed.
    Printed(Timestamp),
    /// The label was sent or printed before the consignment was changed, so the new label has to be printed.
    Stale,
    /// The label was sent to one of the service's printers, which cannot report the outcome. The text
    /// names the printer.
    AtService(String),
    /// The label was not sent to the printer. Contains the reason.
    Failed(String),
    /// The label failed verification, so it is printed only with an override. Contains the reason.
    FailedVerification(String),
    /// The label may have been sent, so the clerk has to check the printer. Contains the message.
    Uncertain(String),
}

static WAITING: LabelState = LabelState::Waiting;

impl LabelState {
    /// Returns the part of the queue that a label in this state is in.
    pub const fn part(&self) -> LabelPart {
        match self {
            Self::Uncertain(_) => LabelPart::CheckPrinter,
            Self::Failed(_) | Self::FailedVerification(_) => LabelPart::Failed,
            Self::Printing => LabelPart::Printing,
            Self::Waiting | Self::Stale => LabelPart::Waiting,
            Self::InQueue(_) => LabelPart::InQueue,
            Self::Sent(_) | Self::Printed(_) | Self::AtService(_) => LabelPart::Sent,
        }
    }

    /// Returns how lists show, filter and sort this state.
    pub const fn mark(&self) -> LabelMark {
        let (text, sort_position) = match self {
            Self::Failed(_) => ("not sent", 0),
            Self::FailedVerification(_) => ("check", 1),
            Self::Uncertain(_) => ("printed?", 2),
            Self::Stale => ("changed", 3),
            Self::Waiting => ("waiting", 4),
            Self::Printing => ("printing", 5),
            Self::InQueue(_) => ("in queue", 6),
            Self::Sent(_) => ("sent", 7),
            Self::AtService(_) => ("by service", 8),
            Self::Printed(_) => ("printed", 9),
        };
        LabelMark {
            text,
            sort_position,
        }
    }

    /// Returns true if the label may already be printed, so that printing it again needs a reason.
    pub const fn may_be_printed(&self) -> bool {
        use LabelPart::{CheckPrinter, InQueue, Sent};
        matches!(self.part(), CheckPrinter | InQueue | Sent)
    }
}

/// A part of the label queue, in the order of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LabelPart {
    /// A person has to check the printer.
    CheckPrinter,
    /// The label was not sent to the printer, or failed verification.
    Failed,
    /// The label is being fetched, rendered or sent.
    Printing,
    /// The label was sent and is still in the printer's queue.
    InQueue,
    /// The label is not printed yet, or the printed label is out of date.
    Waiting,
    /// The label was sent to the printer, or to one of the service's printers.
    Sent,
}

impl LabelPart {
    pub const ALL: [Self; 6] = [
        Self::CheckPrinter,
        Self::Failed,
        Self::Printing,
        Self::InQueue,
        Self::Waiting,
        Self::Sent,
    ];
}

/// The labels of all unmanifested consignments, newest first within each part.
#[derive(Debug, Clone, Default)]
pub struct LabelQueue {
    parts: [Vec<ConsignmentId>; 6],
    version: u64,
}

impl LabelQueue {
    pub fn len(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(Vec::is_empty)
    }

    pub fn part(&self, part: LabelPart) -> &[ConsignmentId] {
        &self.parts[part as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = ConsignmentId> + '_ {
        self.parts.iter().flatten().copied()
    }

    /// Returns a number that changes with every change of the queue.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Fills the queue from a new list of consignments.
    fn arrange(&mut self, list: &[ConsignmentId], states: &HashMap<ConsignmentId, LabelState>) {
        self.version += 1;
        self.parts.iter_mut().for_each(Vec::clear);
        // Both lists are in descending order of ids, so one pass over both replaces a lookup for each of 100,000
        // rows.
        let mut known: Vec<_> = states
            .iter()
            .map(|(id, state)| (*id, state.part()))
            .collect();
        known.sort_unstable_by_key(|(id, _)| std::cmp::Reverse(*id));
        let mut known = known.into_iter().peekable();
        for one in list {
            while known.next_if(|(id, _)| id > one).is_some() {}
            let part = known.next_if(|(id, _)| id == one);
            let part = part.map_or(LabelPart::Waiting, |(_, part)| part);
            self.parts[part as usize].push(*one);
        }
    }

    fn moved(&mut self, id: ConsignmentId, from: LabelPart, to: LabelPart) {
        self.version += 1;
        if from == to {
            return;
        }
        if let Ok(at) = place(&self.parts[from as usize], id) {
            self.parts[from as usize].remove(at);
            if let Err(at) = place(&self.parts[to as usize], id) {
                self.parts[to as usize].insert(at, id);
            }
        }
    }
}

fn place(part: &[ConsignmentId], id: ConsignmentId) -> Result<usize, usize> {
    part.binary_search_by(|one| id.cmp(one))
}

impl LabelsView {
    pub fn state(&self, id: ConsignmentId) -> &LabelState {
        self.states.get(&id).unwrap_or(&WAITING)
    }

    /// Returns true if a label of the consignment may be printed, so that printing another label needs a reason.
    /// Ignores labels from before a change of the consignment if it is known that they were not printed.
    pub fn may_be_out(&self, id: ConsignmentId) -> bool {
        let state = self.state(id);
        let at_service = || *state != LabelState::Stale && self.printed_by_token.contains_key(&id);
        let mut jobs = self.jobs.iter().filter(|job| job.is_label_of(id));
        state.may_be_printed() || at_service() || jobs.any(PrintJob::may_be_out)
    }

    /// Sets the state of a label, moves it in the queue, and returns its former state.
    pub fn set_state(&mut self, id: ConsignmentId, state: LabelState) -> LabelState {
        let to = state.part();
        let before = if state == LabelState::Waiting {
            self.states.remove(&id)
        } else {
            self.states.insert(id, state)
        };
        let before = before.unwrap_or_default();
        self.queue.moved(id, before.part(), to);
        before
    }

    /// Returns the consignments whose labels were printed last, in printing order: one consignment or a whole batch.
    pub fn last_printed(&self) -> Vec<ConsignmentId> {
        let is_label = |job: &&PrintJob| job.subject.consignment().is_some();
        let mut labels = self.jobs.iter().filter(is_label);
        let Some(newest) = labels.next() else {
            return Vec::new();
        };
        let is_with_it = |job: &&PrintJob| {
            job.id == newest.id || (newest.batch != 0 && job.batch == newest.batch)
        };
        let mut last: Vec<_> = { self.jobs.iter().filter(is_with_it) }
            .filter_map(|job| job.subject.consignment())
            .collect();
        last.reverse();
        last
    }

    pub fn newest_job(&self, id: ConsignmentId) -> Option<&PrintJob> {
        self.jobs.iter().find(|job| job.is_label_of(id))
    }

    pub fn job(&self, id: JobId) -> Option<&PrintJob> {
        self.jobs.iter().find(|job| job.id == id)
    }
}

impl Shared {
    /// Returns the name of the printer that the rules give to a consignment's labels.
    pub fn label_printer_of(&self, id: ConsignmentId) -> Option<&str> {
        let facts = self.row(id).map(ConsignmentFacts::from);
        let rules = &self.labels.documents;
        let rule = DocumentRule::first(rules, DocumentKind::ItemLabels, facts.as_ref());
        Some(rule?.printer.as_str())
    }

    /// Fills the queue again, because the list of unmanifested consignments was replaced.
    pub fn arrange_labels(&mut self) {
        let list = self.dispatch.unmanifested.value();
        let list = list.map_or(&[][..], AsRef::as_ref);
        self.labels.queue.arrange(list, &self.labels.states);
    }
}

/// A batch of labels that is being printed, or has ended with something to report.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BatchProgress {
    /// Number of labels that were sent or failed.
    pub done: usize,
    pub total: usize,
    pub sent: usize,
    /// Number of the consignment whose label is being sent.
    pub number: String,
    pub printer: String,
    pub stage: BatchStage,
    /// The labels that were not sent, in order, with the reasons.
    pub failed: Vec<BatchFault>,
    /// The labels that were not started, in order.
    pub rest: Vec<ConsignmentId>,
}

impl BatchProgress {
    pub const fn is_running(&self) -> bool {
        matches!(self.stage, BatchStage::Running | BatchStage::Stopping)
    }

    /// Returns a sentence about labels that were not printed or may have been printed, for the batch's card
    /// and the notice.
    pub fn not_printed(&self, with_rest: bool) -> String {
        let may_be_out = self.failed.iter().filter(|fault| fault.may_be_printed);
        let may_be_out = may_be_out.count();
        let rest = if with_rest { self.rest.len() } else { 0 };
        let first = self.failed.first();
        let number = first.map_or("The label", |first| first.number.as_str());
        match (self.failed.len() - may_be_out + rest, may_be_out) {
            (0, 1) => format!("{number} may have printed, at least in part. Check the printer"),
            (0, out) => format!("{out} labels may have printed. Check the printer"),
            (1, 0) if rest == 0 => format!("{number} was not printed"),
            (1, 0) => "1 label was not printed".to_owned(),
            (count, 0) => format!("{count} labels were not printed"),
            (count, out) => {
                let labels = if count == 1 { "label" } else { "labels" };
                format!("{count} {labels} not printed, {out} may have printed. Check the printer")
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum BatchStage {
    #[default]
    Running,
    /// The clerk has stopped the batch. The current label is the last label that is printed.
    Stopping,
    /// The batch was stopped. The remaining labels wait in the queue again.
    Stopped,
    /// The printer or the service does not accept labels, for the given reason. The clerk can retry, skip the label
    /// or stop.
    Halted(String),
    /// The next label would be printed much smaller than its size. The clerk decides once for all
    /// labels of this size.
    NeedsDecision(ShrinkWarning),
    /// The batch was interrupted, because Packbench was closed.
    LeftOver,
    /// The batch has finished, but some labels failed or may be printed.
    Ended,
}

/// A label of a batch that was not sent, or was possibly sent only in part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchFault {
    pub consignment: ConsignmentId,
    /// The consignment number, such as `MS200431`.
    pub number: String,
    pub reason: String,
    /// True if the label or a part of it may be printed, so that a person has to check the printer.
    pub may_be_printed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReprintRequest {
    pub all: Vec<ConsignmentId>,
    /// The requested labels that may already be printed.
    pub maybe_printed: Vec<ConsignmentId>,
}

impl ReprintRequest {
    /// Returns true if some of the labels are certainly not printed.
    pub const fn is_partial(&self) -> bool {
        self.maybe_printed.len() < self.all.len()
    }
}

#[derive(Default)]
pub struct LabelsView {
    pub states: HashMap<ConsignmentId, LabelState>,
    pub queue: LabelQueue,
    pub query: TrackQuery,
    /// The consignments that match the filter; empty without a filter.
    pub found: Remote<TrackList>,
    /// Labels requested again that may already be printed. They are printed once the clerk gives a reason.
    pub print_again: Option<ReprintRequest>,
    /// Consignments sent with a printer token, so that the service may have printed their labels
    /// by its own rules.
    pub printed_by_token: HashMap<ConsignmentId, String>,
    /// The number of the service's printer that was typed last.
    pub service_printer: Option<PrinterId>,
    /// The service's printers for the consignments that were last requested.
    pub service_printers: Remote<AvailablePrinters>,
    pub selected: Option<ConsignmentId>,
    /// The document that is shown; `None` shows the label.
    pub document: Option<ConsignmentDocument>,
    pub size: LabelSize,
    pub preview: Remote<Preview>,
    pub batch: Option<BatchProgress>,
    /// Printers that are set up or were found.
    pub printers: Remote<Vec<PrinterView>>,
    /// The rules that say which documents are printed.
    pub documents: Vec<DocumentRule>,
    /// The test label that is shown, printed or waiting to be scanned.
    pub test_label: Remote<TestLabelView>,
    /// A label that is a file of this computer, until it is printed or closed.
    pub file: Remote<LabelFile>,
    /// True until the wizard that sets up a printer has opened, after the clerk asked for it on another screen.
    pub set_up_requested: bool,
    /// Problem with the printer settings that were last sent.
    pub printer_problem: Option<PrinterProblem>,
    pub jobs: Vec<PrintJob>,
}

/// A page of a label, with exactly the dots that will be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    pub subject: JobSubject,
    /// The consignment number, such as `MS200431`.
    pub number: String,
    /// Index of the page, from 0.
    pub page: usize,
    pub pages: usize,
    pub size: LabelSize,
    pub bitmap: Bitmap,
    /// Number of barcodes that could be read from these dots.
    pub codes_read: usize,
    /// Remarks, such as "fitted to the print head" or a barcode that cannot be read.
    pub notes: Vec<String>,
    /// True if the printer gets these dots; false if its driver draws the page itself.
    pub exact: bool,
    /// True if label verification passed: the barcodes contain the consignment's references. If this is false
    /// without a problem, nothing was compared, because no number of the consignment is known.
    pub checked: bool,
    pub problem: Option<PreviewProblem>,
    /// A smaller picture of the page, if it has more dots than a screen.
    pub overview: Option<ReducedPage>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewProblem {
    pub headline: String,
    pub advice: String,
    /// Index of the page with the problem, from 0; `None` if the problem is not on one page.
    pub page: Option<usize>,
    /// The kind of fault, which an override must name.
    pub fault: VerificationFault,
}

/// A page in shades of grey, reduced by a whole factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReducedPage {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Width and height of a pixel in dots.
    pub factor: u32,
    /// Rows from the top, one byte for each pixel: 0 is black, 255 is white.
    pub greys: Arc<[u8]>,
}

/// A printer that is set up on this bench, or was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrinterView {
    pub name: String,
    /// The settings ("ZPL · 203 dpi · 832 dots · item labels"), or the properties of a queue that is not set up.
    pub description: String,
    /// `None` if the printer's queue no longer exists. A port or a file shows its state only while in use.
    pub state: Option<PrinterState>,
    /// The printer's own message, such as "out of labels".
    pub message: String,
    /// True if labels are printed here.
    pub chosen: bool,
    /// True if the printer is set up on this bench; false if only its queue was found.
    pub set_up: bool,
    /// The values to start from when the printer is set up or changed.
    pub form: PrinterForm,
    pub hint: Option<PrinterHint>,
    /// "proved on 20 Nov" after the printed test label was scanned; empty before.
    pub proved: String,
}

/// Detected settings that differ from the saved settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrinterHint {
    /// The message, such as "It says that it understands ZPL, and is set to PDF".
    pub message: String,
    pub form: PrinterForm,
}

/// The typed settings of a printer. Numbers are kept as typed. An empty number means the default value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PrinterForm {
    /// The former name, if a printer is being changed.
    pub was: Option<String>,
    pub name: String,
    /// Where the bytes go: `queue NAME`, `HOST:PORT` of a label printer, `ipp://…`, or the
    /// absolute path of a file.
    pub destination: String,
    pub language: Language,
    /// Resolution: 8 (203 dpi), 11.8 or 12 (300 dpi) or 24 (600 dpi).
    pub dots_per_mm: String,
    /// Width of the print head in dots; empty if the width does not matter.
    pub head_dots: String,
    pub media: Media,
    /// Width and height in millimetres of paper of its own size.
    pub own_width: String,
    pub own_height: String,
    pub rotation: Rotation,
    /// How the printer finds the next label; `None` for the usual of its language.
    pub sensing: Option<Sensing>,
    /// Darkness in the steps of the printer's language; empty for the printer's own setting.
    pub darkness: String,
    /// Speed in the steps of the printer's language; empty for the printer's own setting.
    pub speed: String,
    /// Gap between two labels in millimetres; empty for the default of 3.
    pub gap_mm: String,
    /// Offset to the right, in millimetres or as `4 dots`.
    pub offset_x: String,
    /// Offset downwards, in millimetres or as `4 dots`.
    pub offset_y: String,
    /// How a page that is larger than the printable area is printed.
    pub fitting: FitMode,
    /// Lowest scale in per cent that is printed without asking; empty for the default of 90.
    pub min_scale_percent: String,
    /// Number of copies; empty for one.
    pub copies: String,
    /// Minutes after which a waiting job is cancelled; empty for the default of 30.
    pub expiry_minutes: String,
    /// The documents that are printed on this printer from now on. Documents that are removed here have no printer
    /// afterwards, except by rules for some consignments.
    pub documents: Vec<DocumentKind>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrinterProblem {
    pub field: PrinterField,
    /// Message that says what to type instead.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrinterField {
    Name,
    Destination,
    Resolution,
    Head,
    LeastPercent,
    OwnWidth,
    OwnHeight,
    Darkness,
    Speed,
    Gap,
    OffsetX,
    OffsetY,
    Copies,
    Expiry,
}

/// A label that is a PDF file of this computer, such as one from a carrier's website.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelFile {
    /// The file's name without its ending.
    pub name: String,
    pub path: PathBuf,
    pub pdf: Arc<[u8]>,
    /// The name of the printer for which the preview is drawn.
    pub printer: String,
    pub preview: Preview,
}

/// The test label of a printer, until the printed label has been scanned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestLabelView {
    pub printer: String,
    /// The text in the barcode.
    pub token: String,
    pub preview: Preview,
    /// True if the test label was printed, and the clerk has to scan it.
    pub printed: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum LabelsCommand {
    /// Show a PDF file as a label, as this printer would print it; `None` stands for the printer of labels.
    OpenFile(PathBuf, Option<String>),
    /// Print the file that is shown.
    PrintFile,
    CloseFile,
    /// List the labels of the consignments that match these words.
    Filter(String),
    /// Show a consignment's label, from its first page.
    Select(ConsignmentId),
    Page(usize),
    /// Show this document of the consignment; `None` shows the label.
    ShowDocument(Option<ConsignmentDocument>),
    Size(LabelSize),
    /// Print the labels of these consignments on the chosen printer.
    Print(Vec<ConsignmentId>),
    /// Print these labels again in this order, with the reason.
    Reprint(Vec<ConsignmentId>, String),
    /// Print a label although its verification failed, with the reason of the override.
    PrintWithOverride(ConsignmentId, String),
    FetchAgain(ConsignmentId),
    /// Answer "no" to the question whether to print labels again.
    CancelReprint,
    /// Show the last test label again, to print it once more.
    PrintTestAgain,
    Batch(BatchCommand),
    /// Fetch the service's printers that can print these labels.
    AskServicePrinters(Vec<ConsignmentId>),
    /// Print these labels on one of the service's printers.
    PrintAtService {
        ids: Vec<ConsignmentId>,
        /// The part of the documents to print.
        what: LabelType,
        printer: PrinterId,
        size: LabelSize,
        /// The reason for printing, if any of the labels may already be printed; otherwise empty.
        reason: String,
    },
    /// Print a document of this consignment on the printer of its rule.
    PrintDocument(ConsignmentDocument, ConsignmentId),
    RefreshPrinters,
    /// Show Labels with the wizard that sets up a printer.
    SetUpPrinter,
    /// The wizard has opened.
    SetUpOpened,
    /// Print the labels of all consignments on the named printer from now on, except where a rule says otherwise.
    ChooseLabelPrinter(String),
    /// Replace the rules that say which documents are printed.
    SetDocumentRules(Vec<DocumentRule>),
    SavePrinter(Box<PrinterForm>),
    RemovePrinter(String),
    CancelJob(JobId),
    /// Cancel all jobs in the queue of the printer of this name.
    CancelAllJobs(String),
    /// Release a job that its queue holds.
    ReleaseJob(JobId),
    ShowTestLabel(String),
    PrintTestLabel,
    /// Record whether a job's label was printed, as the clerk found at the printer.
    SetJobPrinted(JobId, bool),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchCommand {
    /// Print no more labels of the batch.
    Stop,
    /// Continue with the failed label, then the remaining labels.
    Retry,
    /// Continue with the remaining labels.
    Continue,
    /// Cancel the remaining labels and close the batch's card.
    PutAway,
}
