//! Commands of the Labels screen.

use crate::state::{DocumentKind, JobId, PrinterForm};
use shipping::{ConsignmentId, LabelSize, LabelType, PrinterId};

/// A command on Labels.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelsCommand {
    /// Show a consignment's label, from its first page.
    Select(ConsignmentId),
    /// Show a page of the label (from 0).
    Page(usize),
    /// Show the label as A6 or A4.
    Size(LabelSize),
    /// Print the labels of these consignments on the chosen printer.
    Print(Vec<ConsignmentId>),
    /// Print a label again, with the reason.
    Reprint(ConsignmentId, String),
    /// Print these labels again in this order, with the reason.
    ReprintAll(Vec<ConsignmentId>, String),
    /// Print a label although its verification failed, with the reason of the override.
    PrintWithOverride(ConsignmentId, String),
    /// Fetch a label file again.
    FetchAgain(ConsignmentId),
    /// Answer the question whether to print labels again: print nothing.
    CancelReprint,
    /// Show the last test label again, to print it once more.
    PrintTestAgain,
    /// A command on the batch of labels.
    Batch(BatchCommand),
    /// Save a label file; the clerk picks the path in a dialog.
    SavePdf(ConsignmentId),
    /// Save a label file at a typed path, if there is no file dialog.
    SavePdfAt(ConsignmentId, String),
    /// Save one label file for each of these consignments in a folder that the clerk picks.
    SaveAll(Vec<ConsignmentId>),
    /// Save one label file for each of these consignments in a typed folder.
    SaveAllIn(Vec<ConsignmentId>, String),
    /// Dismiss the message about saved files.
    ForgetSaved,
    /// Fetch the service's printers that can print these labels.
    AskServicePrinters(Vec<ConsignmentId>),
    /// Print these labels on one of the service's printers.
    PrintAtService {
        ids: Vec<ConsignmentId>,
        /// The part of the documents to print.
        what: LabelType,
        printer: PrinterId,
        size: LabelSize,
        /// Why, if one of the labels may already be printed; otherwise empty.
        reason: String,
    },
    /// Fetch the printers again.
    RefreshPrinters,
    /// Print labels on the printer of this name from now on.
    ChoosePrinter(String),
    /// Print documents of this kind on the named printer from now on, or on none.
    SetDocumentPrinter(DocumentKind, Option<String>),
    /// Set up or change a printer.
    SavePrinter(Box<PrinterForm>),
    RemovePrinter(String),
    /// Turn the automatic printing of new labels on or off.
    AutoPrint(bool),
    /// Cancel a job in its queue.
    CancelJob(JobId),
    /// Cancel all jobs in the queue of the printer of this name.
    CancelAllJobs(String),
    /// Release a job that its queue holds.
    ReleaseJob(JobId),
    /// Show the test label of the printer of this name.
    ShowTestLabel(String),
    PrintTestLabel,
    /// Record whether a job's label was printed, as the clerk found at the printer.
    SetJobPrinted(JobId, bool),
}

/// A command on a batch of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchCommand {
    /// Print no more labels of the batch.
    Stop,
    /// Continue with the failed label, then the others.
    Retry,
    /// Continue with the remaining labels.
    Continue,
    /// Cancel the remaining labels and close the batch's card.
    PutAway,
}
