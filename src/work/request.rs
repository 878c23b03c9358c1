//! What the dispatch lane is asked to do, and what it answers.

use std::collections::HashSet;

use jiff::Timestamp;

use super::{
    BookingMember, Choice, Known, ListView, TestOrder, ViewOf, WaitingList, WorkError,
    WrittenIntent,
};
use crate::draft::{Draft, DraftId, Preset, SavedPending};
use crate::journal::{
    Doubt, JobId, LabelStanding, Operation, OperationId, PrintJob, Unprinted, UnprintedId,
};
use crate::printing::job::Shrunk;
use crate::printing::profile::PrinterProfile;
use crate::shipping::{
    Company, CompanyId, CompanyLocation, Consignment, ConsignmentId, ConsignmentRequest, EditForm,
    LabelOrder, LabelSize, ManifestGroup, PendingConsignmentId, PendingConsignmentRequest,
    StatusUpdate,
};

/// A job for the dispatch lane: everything that writes to the journal or changes the service, one after another.
#[derive(Debug, Clone)]
pub enum Request {
    /// Save a draft.
    SaveDraft(Box<Draft>),
    /// Forget a draft.
    DiscardDraft(DraftId),
    /// Keep a preset, instead of the one of its name and of the one that it was called.
    SavePreset(Box<Preset>, Option<String>),
    /// Forget the preset of this name.
    RemovePreset(String),
    /// Hold these back from grouping all, or let them go.
    HoldBack(Vec<ConsignmentId>, bool),
    /// Keep how the list is shown, instead of the view of its name.
    SaveView(Box<ListView>),
    /// Forget the view of this name.
    RemoveView(ViewOf, String),
    /// Write the intent down, then create the consignment.
    Create {
        /// What it was made from, as it was when the clerk pressed Send.
        draft: Box<Draft>,
        /// What is sent.
        request: Box<ConsignmentRequest>,
    },
    /// Write all intents down, then book the manifest groups, one after the other.
    Book {
        /// The groups, as the clerk adjusted them.
        groups: Vec<ManifestGroup>,
        /// When the service grouped them: older than a minute, it is asked again first.
        grouped: Timestamp,
    },
    /// Change an unmanifested consignment.
    Edit {
        /// What it was made from, where the clerk waits at it.
        draft: Option<Box<Draft>>,
        /// The form that the clerk changed, as it came.
        seen: Box<EditForm>,
        /// The form, changed.
        form: Box<EditForm>,
    },
    /// Delete unmanifested consignments, all of them or none.
    Delete(Vec<ConsignmentId>),
    /// Set statuses by hand, Cancelled among them, all of them or none. The carrier is not told.
    SetStatuses(Vec<StatusUpdate>),
    /// Save a draft at the service, for somebody to complete there.
    CreatePending {
        /// What it was made from.
        draft: Box<Draft>,
        /// What is sent.
        request: Box<PendingConsignmentRequest>,
    },
    /// Send what was written down ahead of its turn.
    SendWritten(Box<WrittenIntent>),
    /// Delete drafts at the service.
    DeletePending(Vec<PendingConsignmentId>),
    /// Delete pending consignments that something else took the place of, as far as that is not done.
    FinishConversions,
    /// Print labels on one of the service's printers.
    PrintAtService(LabelOrder, String),
    /// Store a label and print it.
    Print(Box<PrintOrder>),
    /// Store labels and print them, in this order.
    PrintBatch(Box<PrintBatch>),
    /// What a batch left is not to be printed.
    LeaveUnprinted(Vec<UnprintedId>),
    /// Print the test label of a printer.
    PrintTest(Box<TestOrder>),
    /// Print a booked manifest, or another paper of our own.
    PrintDocument(Box<DocumentOrder>),
    /// The clerk looked at the printer.
    AnswerJob {
        /// Which job.
        job: JobId,
        /// Whether the label came out.
        came_out: bool,
    },
    /// What the clerk decided about an operation whose end is open.
    Decide(OperationId, Choice),
}

/// A label to print.
#[derive(Debug, Clone)]
pub struct PrintOrder {
    /// Whose label.
    pub consignment: ConsignmentId,
    /// Its number, for the clerk.
    pub number: String,
    /// Where to.
    pub printer: PrinterProfile,
    /// The paper.
    pub size: LabelSize,
    /// Why it is printed again; empty the first time.
    pub reason: String,
    /// Why it is printed although the check before ink failed; without that word a label that fails it is not.
    pub despite: Option<ClerkWord>,
    /// The sizes that the clerk agreed to have printed smaller.
    pub agreed: Vec<Shrunk>,
}

/// What a label fails the check before ink by: this file, in this way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file's sha256, hexadecimal.
    pub sha256: String,
    /// The kind of problem, in two or three words.
    pub kind: String,
}

/// A clerk's word that a label is printed although it fails the check; it holds for what they have seen and no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClerkWord {
    /// Why, as it is kept with the job.
    pub words: String,
    /// What they have seen.
    pub of: Fault,
}

/// Tells batches apart, in the order in which they were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct BatchId(pub u64);

/// Labels that are printed one after the other.
#[derive(Debug, Clone)]
pub struct PrintBatch {
    /// Which batch.
    pub id: BatchId,
    /// The labels, in order.
    pub orders: Vec<PrintOrder>,
    /// What earlier ones of the journal these stand for.
    pub replaces: Vec<UnprintedId>,
}

/// How a batch ended.
#[derive(Debug)]
pub struct BatchEnd {
    /// Which batch.
    pub id: BatchId,
    /// Why.
    pub ending: Ending,
    /// What the journal keeps of the label that it ended at, where it keeps it.
    pub ended_at: Option<UnprintedId>,
    /// What was not begun, in order, with what the journal keeps of it.
    pub rest: Vec<(ConsignmentId, Option<UnprintedId>)>,
}

/// Why a batch ended.
#[derive(Debug)]
pub enum Ending {
    /// Each label is on its way, or has said why it is not.
    Done,
    /// The clerk stopped it.
    Stopped,
    /// Nothing more can be printed as it is: the printer, or the service, is away. The words say so.
    Halted(String),
    /// The next label would be printed much smaller than it is: the clerk is asked.
    Asks(Shrunk),
    /// It could not be written down: nothing was printed.
    NotWritten(WorkError),
}

/// A paper of our own.
#[derive(Debug, Clone)]
pub enum PaperOf {
    /// A booked manifest, by the operation that booked it.
    Manifest(OperationId),
    /// One that was made and looked at before: its PDF.
    File(std::sync::Arc<[u8]>),
}

/// A paper of our own to print.
#[derive(Debug, Clone)]
pub struct DocumentOrder {
    /// Which.
    pub paper: PaperOf,
    /// What the job is called, for the clerk: `Manifest SCR-000012`.
    pub name: String,
    /// Where to.
    pub printer: PrinterProfile,
    /// Why it is printed again; empty the first time.
    pub reason: String,
}

/// What the dispatch lane answers.
#[derive(Debug)]
pub enum Outcome {
    /// What the journal held when the program started.
    Restored(Box<Restored>),
    /// A draft is on disk.
    DraftSaved {
        /// Which draft.
        id: DraftId,
        /// When.
        at: Timestamp,
    },
    /// A draft is gone.
    DraftDiscarded(DraftId),
    /// The presets, by name, as they are kept now.
    Presets(Vec<Preset>),
    /// What is held back from grouping all, as it is kept now.
    HeldBack(HashSet<ConsignmentId>),
    /// How the list can be shown, by name, as it is kept now.
    Views(Vec<ListView>),
    /// An operation is new or has changed.
    Operation(Box<Operation>),
    /// When an operation that is not known yet is looked for the next time.
    NextLook {
        /// Which one.
        operation: OperationId,
        /// The moment.
        at: Timestamp,
        /// How many looks there are before it counts as not found.
        of: u32,
    },
    /// A consignment was created, and that is in the journal.
    Created {
        /// The draft that it came from.
        draft: Option<DraftId>,
        /// What the service made.
        consignment: Box<Consignment>,
    },
    /// Nothing became of a draft that was sent: it is to be had again.
    DraftBack(Box<Draft>),
    /// A draft could not be saved.
    DraftNotSaved(DraftId, WorkError),
    /// A consignment was certainly not created: refused, or never sent.
    NotCreated {
        /// The draft that was sent, where the clerk waits at it.
        draft: Option<Box<Draft>>,
        /// Why.
        error: WorkError,
    },
    /// What became of an operation is not known, and the clerk waits no longer. The draft that they waited at.
    Unanswered(Option<DraftId>),
    /// A draft was saved at the service, and that is in the journal.
    Pending {
        /// The draft that it came from, as it is kept on the bench.
        draft: Option<Box<Draft>>,
        /// What it is there.
        saved: SavedPending,
    },
    /// A consignment was changed, and that is in the journal.
    Edited {
        /// The draft that it came from.
        draft: Option<DraftId>,
        /// As it is now.
        consignment: Box<Consignment>,
    },
    /// Somebody else made a consignment of a pending one: nothing was sent, and its draft is gone.
    Converted {
        /// The draft that it was.
        draft: Option<DraftId>,
        /// The pending consignment.
        pending: PendingConsignmentId,
        /// What it is now.
        consignment: Box<Consignment>,
    },
    /// Nothing of what was asked for was sent: it could not be written down first.
    NotWritten(WorkError),
    /// Consignments were read back: their newest state.
    Seen(Vec<Consignment>),
    /// Consignments were to be read back, and the service has them no longer.
    Gone(Vec<ConsignmentId>),
    /// The consignments of a booking were read back, each as it was found.
    BookingRead {
        /// The booking.
        operation: OperationId,
        /// Its consignments.
        members: Vec<BookingMember>,
    },
    /// A print job is new or has changed.
    Job(Box<PrintJob>),
    /// A document is printed with question marks in the place of letters that its font lacks.
    LettersMissing {
        /// The name of the document.
        document: String,
        /// A message that names the letters.
        message: String,
    },
    /// A label did not get as far as a print job.
    LabelFailed {
        /// Whose label.
        consignment: ConsignmentId,
        /// Why.
        error: WorkError,
    },
    /// A batch ended.
    Batch(Box<BatchEnd>),
    /// A list as it was last seen; the service may have given a newer one meanwhile.
    LastSeen(Box<LastSeen>),
    /// What the bench knows has changed.
    Known(Box<Known>),
    /// A list of the service was read.
    ModesListed {
        /// It held test consignments.
        test: bool,
        /// It held real ones.
        real: bool,
    },
    /// A create that named no company was answered: the company that it belongs to is the token's own.
    OwnCompany(CompanyId),
    /// After the journal was restored, not all that happened since could be asked for; told once.
    NotAllAsked {
        /// The backup is older than the service's lists go back.
        too_old: bool,
        /// Companies that the service says nothing of.
        unasked: Vec<String>,
    },
    /// The journal was restored, and what happened since was found out: which drafts may have been sent, and all drafts.
    Rebuilt {
        /// Drafts that the service has a consignment for.
        doubts: Vec<Doubt>,
        /// What is on disk, the newest first.
        drafts: Vec<Draft>,
    },
    /// The journal's file is damaged: nothing is sent, and the next start restores it.
    JournalDamaged,
    /// Something could not be done, and nothing else shows it.
    Failed {
        /// What, for the notice's headline: "The draft could not be saved".
        what: &'static str,
        /// Why.
        error: WorkError,
        /// It happened on the dispatch lane: what was asked for there and not written down holds nothing.
        of_dispatch: bool,
    },
}

/// What the journal held when the program started.
#[derive(Debug, Default)]
pub struct Restored {
    /// Drafts, the newest first.
    pub drafts: Vec<Draft>,
    /// When each of them was last changed.
    pub draft_times: Vec<(DraftId, Timestamp)>,
    /// Operations, newest first.
    pub operations: Vec<Operation>,
    /// Print jobs, newest first: the newest ones, and all that something may become of still.
    pub jobs: Vec<PrintJob>,
    /// Where the label of each consignment stands that was ever printed.
    pub labels: Vec<LabelStanding>,
    /// Labels that were asked for and did not become print jobs.
    pub unprinted: Vec<Unprinted>,
    /// Drafts that may have been sent before the journal was restored.
    pub doubts: Vec<Doubt>,
}

/// A list as the service last gave it.
#[derive(Debug)]
pub enum LastSeen {
    /// The companies that the token may work for.
    Companies(Vec<Company>),
    /// Saved locations.
    Locations {
        /// The company that they were fetched for; the token's own where none.
        company: Option<CompanyId>,
        /// The locations.
        list: Vec<CompanyLocation>,
    },
    /// What waited for a manifest.
    Unmanifested {
        /// Whose; the token's own where none.
        company: Option<CompanyId>,
        /// What waited.
        list: WaitingList,
        /// When it was fetched.
        as_of: Timestamp,
    },
}
