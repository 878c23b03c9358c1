//! The requests that the window sends to the engine's queues, and the outcomes that it receives.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::Timestamp;

use super::{
    BookingMember, ClaimRelease, ConsignmentDocumentOrder, DocumentRule, DocumentTexts,
    EngineError, ListView, OperationDecision, SharedValues, Suggestions, ViewedList, WorkgroupView,
};
use draft::{Draft, DraftId, PendingCopy, Preset};
use printing::job::ShrinkWarning;
use printing::profile::PrinterProfile;
use shipping::{
    Company, CompanyId, CompanyLocation, Consignment, ConsignmentId, LabelSize, ManifestGroup,
    PendingConsignmentId, PrintLabelsRequest,
};
use storage::{
    JobId, NewestLabelJob, Operation, OperationId, Payload, PossiblySentDraft, PrintJob,
    SharedKind, UnprintedLabel, UnprintedLabelId,
};
use workgroup::WaitingDraft;

/// A request to one of the engine's queues; each queue handles its requests one after another.
#[derive(Debug, Clone)]
pub enum Request {
    SaveDraft(Box<Draft>),
    DiscardDraft(DraftId),
    /// Leave drafts for any bench of the workgroup, each with true if it can be sent as it is.
    LeaveDrafts(Vec<(Draft, bool)>),
    /// Save a preset. Replaces the preset of the same name and the preset with the given former name.
    SavePreset(Box<Preset>, Option<String>),
    RemovePreset(String),
    /// Put consignments on hold or release them. Consignments on hold are left out when all consignments are grouped.
    SetOnHold(Vec<ConsignmentId>, bool),
    /// Save a view of a list. Replaces the view of the same name.
    SaveView(Box<ListView>),
    RemoveView(ViewedList, String),
    /// Share printers and document routes with the other benches.
    SharePrinters {
        /// Each by its kind and name, as JSON.
        printers: Vec<(SharedKind, String, String)>,
        /// True to share only those that no bench has shared before.
        only_new: bool,
    },
    /// Save the intent together with the draft as it was when the clerk pressed Send, then carry it out. The window
    /// waits for the draft's result.
    Send(Box<Draft>, Payload),
    /// Send an operation that was saved with its draft before its turn in the queue.
    SendWritten(Box<Operation>, Box<Draft>),
    /// Save the intent, then carry it out for all of its consignments or for none.
    Perform(Payload),
    /// Save all intents, then book the manifest groups one after the other.
    Book {
        /// The groups with the clerk's adjustments.
        groups: Vec<ManifestGroup>,
        /// The time when the service grouped them. If that was more than a minute ago, the service groups them again
        /// before the booking.
        grouped: Timestamp,
    },
    /// Delete the pending consignments that were replaced and still exist.
    DeleteReplaced,
    /// Print labels on one of the service's printers, with the reason for a reprint.
    PrintAtService(PrintLabelsRequest, String),
    /// Store labels and print them in this order.
    PrintBatch(Box<PrintBatch>),
    /// Discard the labels that a batch did not print.
    DiscardUnprinted(Vec<UnprintedLabelId>),
    PrintDocument(Box<DocumentOrder>),
    /// Print the documents that the rules give to these consignments.
    PrintDocuments(Box<DocumentSet>),
    /// Release what an operation of another bench has claimed.
    ReleaseClaims(Box<ClaimRelease>),
    /// Let any bench take over the draft with this id, which the named bench took over and did not save.
    ReturnDraft {
        bench: String,
        id: String,
    },
    /// Record whether a label was printed, according to the clerk.
    AnswerJob {
        job: JobId,
        came_out: bool,
    },
    Decide(OperationId, OperationDecision),
}

/// The queues, which run at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Queue {
    /// Makes every call that changes the service.
    Service,
    /// Prints labels on our own printers.
    Print,
    /// Prints other documents on our own printers, so that they never delay a label.
    Documents,
    /// Saves drafts and other data of the bench.
    Drafts,
}

impl Request {
    pub(super) fn queue(&self) -> Queue {
        match self {
            Self::SaveDraft(_)
            | Self::DiscardDraft(_)
            | Self::LeaveDrafts(_)
            | Self::SharePrinters { .. }
            | Self::SavePreset(..)
            | Self::RemovePreset(_)
            | Self::SetOnHold(..)
            | Self::SaveView(_)
            | Self::RemoveView(..)
            | Self::DiscardUnprinted(_)
            | Self::ReleaseClaims(_)
            | Self::ReturnDraft { .. }
            | Self::AnswerJob { .. } => Queue::Drafts,
            Self::PrintBatch(_) => Queue::Print,
            Self::PrintDocument(order) if order.is_test_label() => Queue::Print,
            Self::PrintDocument(_) | Self::PrintDocuments(_) => Queue::Documents,
            Self::Send(..)
            | Self::SendWritten(..)
            | Self::Perform(_)
            | Self::Book { .. }
            | Self::DeleteReplaced
            | Self::PrintAtService(..)
            | Self::Decide(..) => Queue::Service,
        }
    }

    /// Returns true if the request is handled only while the journal is known to be intact.
    pub(super) fn needs_intact_journal(&self) -> bool {
        match self {
            Self::Decide(_, decision) => matches!(
                decision,
                OperationDecision::SendAgain
                    | OperationDecision::SendUnclaimed(_)
                    | OperationDecision::DeleteDuplicate(_)
            ),
            other => other.queue() != Queue::Drafts,
        }
    }

    /// Returns the draft for whose result the window waits.
    pub(super) fn draft(&self) -> Option<&Draft> {
        match self {
            Self::Send(draft, _) | Self::SendWritten(_, draft) => Some(draft),
            _ => None,
        }
    }

    /// Returns the outcome for the window if this request was not carried out. Gives back everything that
    /// the clerk typed.
    pub fn refused(self, error: EngineError) -> Option<Outcome> {
        if let Some(draft) = self.draft() {
            let draft = Some(Box::new(draft.clone()));
            return Some(Outcome::NotCreated { draft, error });
        }
        match self {
            Self::LeaveDrafts(drafts) => Some(not_left(drafts, error)),
            // The program itself made this request, and repeats it at the next start.
            Self::DeleteReplaced => None,
            Self::PrintBatch(batch) => Some(Outcome::Batch(Box::new(batch.not_written(error)))),
            Self::Decide(..) => Some(Outcome::Failed {
                what: "Nothing was sent",
                error,
                in_service_queue: true,
            }),
            _ => Some(Outcome::NotWritten(error)),
        }
    }
}

/// Returns the outcome of leaving drafts that stay on this bench.
pub(super) fn not_left(drafts: Vec<(Draft, bool)>, error: EngineError) -> Outcome {
    Outcome::DraftsLeft {
        drafts: drafts.into_iter().map(|(draft, _)| draft).collect(),
        result: Err(error),
    }
}

#[derive(Debug, Clone)]
pub struct PrintOrder {
    pub consignment: ConsignmentId,
    pub number: String,
    pub printer: PrinterProfile,
    pub size: LabelSize,
    /// The reason for a reprint; empty the first time.
    pub reason: String,
    /// The override of a failed verification. Without it, a label that fails its verification is not printed.
    pub verification_override: Option<VerificationOverride>,
    /// The reductions in size that the clerk has agreed to.
    pub accepted_shrinks: Vec<ShrinkWarning>,
}

/// A verification failure: a problem of one file. An override is valid for this problem of this file only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerificationFault {
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    pub kind: String,
}

/// A clerk's override to print a label that failed its verification. Valid only for the fault that the
/// clerk has seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerificationOverride {
    /// The reason, stored with the print job.
    pub reason: String,
    pub of: VerificationFault,
}

/// The number of a batch, increasing in the order of the requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct BatchId(pub u64);

#[derive(Debug, Clone)]
pub struct PrintBatch {
    pub id: BatchId,
    pub orders: Vec<PrintOrder>,
    /// The rules for labels of some consignments, each with its printer. The window may not have the rows of all
    /// consignments, so these rules are applied before the batch is saved.
    pub rules: Vec<(DocumentRule, PrinterProfile)>,
    /// The unprinted labels in the journal that this batch replaces.
    pub replaces: Vec<UnprintedLabelId>,
}

impl PrintBatch {
    /// Returns the end of a batch of which nothing was printed.
    pub(super) fn not_written(&self, error: EngineError) -> BatchEnd {
        let orders = self.orders.iter();
        BatchEnd {
            id: self.id,
            ending: BatchEndReason::NotWritten(error),
            ended_at: None,
            rest: orders.map(|order| (order.consignment, None)).collect(),
        }
    }
}

#[derive(Debug)]
pub struct BatchEnd {
    pub id: BatchId,
    pub ending: BatchEndReason,
    /// The journal row of the label at which the batch ended, if there is one.
    pub ended_at: Option<UnprintedLabelId>,
    /// The labels that were not begun, in order, with their journal rows.
    pub rest: Vec<(ConsignmentId, Option<UnprintedLabelId>)>,
}

#[derive(Debug)]
pub enum BatchEndReason {
    /// Every label was handed over or has reported its error.
    Done,
    Stopped,
    /// Nothing more can be printed because the printer or the service is unavailable. Holds the message.
    Halted(String),
    /// The next label would be printed much smaller than its size: ask the clerk.
    AskAboutShrinking(ShrinkWarning),
    /// The batch could not be saved; nothing was printed.
    NotWritten(EngineError),
}

#[derive(Debug, Clone)]
pub enum DocumentSource {
    /// A label with rulers and a barcode, which proves that the printer works.
    TestLabel { token: String, date: String },
    /// A booked manifest, by its booking operation.
    Manifest(OperationId),
    /// A document of a consignment, made from the service's newest record.
    OfConsignment(ConsignmentDocumentOrder),
    /// The PDF of a document that was already shown.
    File(Arc<[u8]>),
}

/// A document of our own to print.
#[derive(Debug, Clone)]
pub struct DocumentOrder {
    pub paper: DocumentSource,
    /// The name of the print job, shown to the clerk: `Manifest SCR-000012`.
    pub name: String,
    pub printer: PrinterProfile,
    /// The reason for a reprint; empty the first time.
    pub reason: String,
}

impl DocumentOrder {
    const fn is_test_label(&self) -> bool {
        matches!(self.paper, DocumentSource::TestLabel { .. })
    }
}

/// The documents of consignments by rules.
#[derive(Debug, Clone)]
pub struct DocumentSet {
    /// Each consignment with its number, in the order of printing.
    pub consignments: Vec<(ConsignmentId, String)>,
    /// The row of each consignment in the journal, once it is there.
    pub rows: Vec<i64>,
    /// The rules of the moment, each with its printer.
    pub rules: Vec<(DocumentRule, PrinterProfile)>,
    pub texts: DocumentTexts,
}

/// A message of the engine to the window.
#[derive(Debug)]
pub enum Outcome {
    Restored(Box<RestoredState>),
    DraftSaved {
        id: DraftId,
        at: Timestamp,
    },
    Presets(Vec<Preset>),
    OnHold {
        all: HashSet<ConsignmentId>,
        /// True for the answer to [`Request::SetOnHold`].
        is_answer: bool,
    },
    /// All views of lists, by name.
    Views(Vec<ListView>),
    Operation(Box<Operation>),
    /// The next check of an operation whose result is unknown has been scheduled.
    NextCheck {
        operation: OperationId,
        at: Timestamp,
        /// The count of checks after which an operation counts as not found.
        of: u32,
    },
    /// A consignment was created, and the journal has it.
    Created {
        draft: Option<DraftId>,
        consignment: Box<Consignment>,
    },
    /// A sent draft was not carried out and is returned.
    DraftBack(Box<Draft>),
    DraftNotSaved(DraftId, EngineError),
    /// A consignment was certainly not created: refused or never sent.
    NotCreated {
        /// The draft that was sent, if the window still waits for its result.
        draft: Option<Box<Draft>>,
        error: EngineError,
    },
    /// The result of an operation is unknown and is being reconciled. Holds the id of the draft that was sent, if there
    /// is one.
    ResultUnknown(Option<DraftId>),
    /// A draft was saved at the service, and the journal has it.
    PendingSaved {
        /// The draft as stored on the bench.
        draft: Option<Box<Draft>>,
        saved: PendingCopy,
    },
    /// A consignment was changed, and the journal has it.
    Edited {
        draft: Option<DraftId>,
        consignment: Box<Consignment>,
    },
    /// Somebody else converted a pending consignment: nothing was sent, and its draft was deleted.
    Converted {
        draft: Option<DraftId>,
        pending: PendingConsignmentId,
        consignment: Box<Consignment>,
    },
    /// Nothing of a request was sent, because it could not be saved first.
    NotWritten(EngineError),
    /// Consignments were fetched again; holds their newest state.
    ConsignmentsRead(Vec<Consignment>),
    /// The service no longer has these consignments.
    Gone(Vec<ConsignmentId>),
    BookingRead {
        operation: OperationId,
        members: Vec<BookingMember>,
    },
    Job(Box<PrintJob>),
    /// A document is printed without something: without letters that no font has, or without the logo.
    DocumentIncomplete {
        document: String,
        message: String,
    },
    /// A document that a rule asks for was not printed.
    DocumentFailed {
        /// The document's name, such as `Packing slip MS200431`.
        document: String,
        error: EngineError,
    },
    /// A label failed before it became a print job.
    LabelFailed {
        consignment: ConsignmentId,
        error: EngineError,
    },
    Batch(Box<BatchEnd>),
    /// A list as it was last fetched. The service may already have sent a newer list.
    LastSeen(Box<LastSeenList>),
    Suggestions(Box<Suggestions>),
    /// A list was read. Its rows show whether there are test consignments and real consignments.
    ModesListed {
        test: bool,
        real: bool,
    },
    /// The token's own company, known from the answer to a create without a company.
    OwnCompany(CompanyId),
    /// After a restoration of the journal, some changes could not be requested from the service. Sent once.
    RestorationIncomplete {
        /// True if the backup is older than the oldest changes in the service's lists.
        too_old: bool,
        /// The names of companies for which the service refused an answer.
        unasked: Vec<String>,
    },
    /// After a restoration of the journal, the changes since the backup were fetched.
    RestorationCompleted {
        /// Drafts that may have been sent, because the service has a matching consignment.
        doubts: Vec<PossiblySentDraft>,
        /// All drafts, newest first.
        drafts: Vec<Draft>,
    },
    /// The workgroup is connected or not, or other benches' claims have changed.
    Workgroup(Box<WorkgroupView>),
    /// Drafts were left for any bench, or stay on this bench because of an error.
    DraftsLeft {
        drafts: Vec<Draft>,
        result: Result<(), EngineError>,
    },
    /// The drafts that any bench can take over, the one that has waited longest first.
    WaitingDrafts(Vec<WaitingDraft>),
    SharedValues(Box<SharedValues>),
    /// The journal's file is damaged: nothing is sent, and the next start restores it.
    JournalDamaged,
    /// A failure that no other outcome reports.
    Failed {
        /// The headline of the notice: "Couldn't save the draft".
        what: &'static str,
        error: EngineError,
        /// True if the failure happened in the service queue. Its requests that were not saved then no
        /// longer lock anything.
        in_service_queue: bool,
    },
}

#[derive(Debug, Default)]
pub struct RestoredState {
    /// Newest first.
    pub drafts: Vec<Draft>,
    pub draft_times: Vec<(DraftId, Timestamp)>,
    /// Newest first.
    pub operations: Vec<Operation>,
    /// The newest print jobs, and all that are still open; newest first.
    pub jobs: Vec<PrintJob>,
    /// The state of each label that was ever printed.
    pub labels: Vec<NewestLabelJob>,
    pub unprinted: Vec<UnprintedLabel>,
    /// The numbers of the consignments whose documents were not all printed.
    pub undone_documents: Vec<String>,
    /// The drafts that may have been sent before the journal was restored.
    pub doubts: Vec<PossiblySentDraft>,
}

#[derive(Debug)]
pub enum LastSeenList {
    Companies(Vec<Company>),
    Locations {
        /// The company of the request; `None` for the token's own company.
        company: Option<CompanyId>,
        list: Vec<CompanyLocation>,
    },
    Unmanifested {
        /// The company of the request; `None` for the token's own company.
        company: Option<CompanyId>,
        ids: Arc<[ConsignmentId]>,
        as_of: Timestamp,
    },
}
