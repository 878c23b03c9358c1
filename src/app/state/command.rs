//! Commands: everything that a clerk can ask for, as values.

mod settings;

use super::shared::{Screen, ThemeChoice};
use super::views::PrinterForm;
use super::{
    ActionItem, DocumentKind, ExportCommand, FilesCommand, GroupsCommand, JobId, ListView,
    NoticeId, OperationDecision, OperationId, OrdersCommand, PageCommand, PracticeCommand,
    TrackCommand, ViewedList,
};
use draft::DraftId;
pub use settings::SettingsCommand;
use shipping::{CompanyId, ConsignmentId, LabelSize, LabelType, ManifestGroup, PrinterId};

/// A command from the clerk.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Show a screen.
    Show(Screen),
    /// A command outside the screens, such as a search.
    Window(WindowCommand),
    /// A command on Consign.
    Consign(ConsignCommand),
    /// A command about presets, imported orders, or sending all drafts that are ready.
    Orders(OrdersCommand),
    /// A command on Dispatch.
    Dispatch(DispatchCommand),
    /// A command about groups and booked manifests.
    Groups(GroupsCommand),
    /// A command on Labels.
    Labels(LabelsCommand),
    /// A command on Track.
    Track(TrackCommand),
    /// A command on Operations.
    Operations(OperationsCommand),
    /// A command in the wizard or on Settings.
    Settings(SettingsCommand),
    /// A command for the practice drills.
    Practice(PracticeCommand),
}

impl Command {
    /// Returns the names of the variants without their data, for logs, which must not hold personal data.
    pub fn name(&self) -> String {
        let whole = format!("{self:?}");
        let inner = whole.find(['(', '{']).map_or(whole.len(), |outer| {
            whole[outer + 1..]
                .find(['(', '{'])
                .map_or(whole.len(), |inner| outer + 1 + inner)
        });
        let known = |at: char| at.is_ascii_alphabetic();
        whole[..inner]
            .split(|c| !known(c))
            .filter(|part| !part.is_empty())
            .take(2)
            .collect::<Vec<_>>()
            .join("::")
    }
}

/// A command outside the screens.
#[derive(Debug, Clone, PartialEq)]
pub enum WindowCommand {
    /// Find a scanned or typed text, and open the result.
    Find(String),
    /// Dismiss the message that nothing was found.
    AcknowledgeFind,
    PickCompany(CompanyId),
    PickTheme(ThemeChoice),
    /// Dismiss a notice.
    Dismiss(NoticeId),
    /// Fetch companies, locations and the unmanifested list again, at once.
    Reconnect,
}

/// A command on Consign. Typing needs no command: changes are noticed in [`super::Editing`] and
/// saved automatically.
#[derive(Debug, Clone, PartialEq)]
pub enum ConsignCommand {
    /// Fetch prices at once. Without this command, they are fetched once the draft has been
    /// left alone a while.
    FindRoutes,
    /// Dismiss the message that the chosen route has changed.
    AcknowledgeRoute,
    /// Repeat the failed lookups of UN numbers and carriers.
    LookUpAgain,
    /// Validate, record and send the draft. If it has problems, show all of them instead.
    Send,
    /// Keep this draft and start a new one.
    NewDraft,
    OpenDraft(DraftId),
    /// Delete a draft, also at the service if it is saved there. If it is the open one, start a new one.
    DiscardDraft(DraftId),
    /// Restore the draft that was deleted last.
    RestoreDraft,
    /// Save the open draft at the service as a pending consignment, to be completed later.
    SavePending,
    /// Fetch a consignment's form to change it.
    Edit(ConsignmentId),
    /// Fetch a consignment and start a new draft like it.
    Clone(ConsignmentId),
    RefreshLocations,
    /// Show, until it is dismissed, that the scanned text is not a known SKU.
    UnknownScan(String),
    /// Show, until it is dismissed, that the scanned item is in this line (from 0), whose quantity
    /// cannot be increased.
    UncountedScan(String, usize),
}

/// A command on Dispatch.
#[derive(Debug, Clone, PartialEq)]
pub enum DispatchCommand {
    /// Fetch the unmanifested list again.
    Refresh,
    /// Group these consignments for manifests.
    Group(Vec<ConsignmentId>),
    /// Group all unmanifested consignments.
    GroupAll,
    /// Repeat the last grouping, which failed.
    GroupAgain,
    /// Close the groups.
    ClearGroups,
    /// Book these groups as they are, one at a time.
    Book(Vec<ManifestGroup>),
    /// Delete these consignments at the service after a few seconds, unless the clerk undoes it.
    Delete(Vec<ConsignmentId>),
    /// Cancel the deletion that is about to be sent.
    UndoDelete,
    /// Put these consignments on hold, so that they are left out when all are grouped; or release them.
    SetOnHold(Vec<ConsignmentId>, bool),
    /// Save how the list is shown, replacing the view of its name; without a name, as the view last shown.
    SaveView(ListView),
    RemoveView(ViewedList, String),
    /// Print the labels of these consignments, in this order.
    PrintLabels(Vec<ConsignmentId>),
    /// Show the label of a consignment on Labels.
    ShowLabel(ConsignmentId),
    /// Show a consignment on Dispatch.
    Reveal(ConsignmentId),
    /// Close the card of a booking that is done or was refused.
    CloseBooking(OperationId),
}

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

/// A command on Operations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OperationsCommand {
    /// Apply the clerk's decision about an open operation.
    Decide(OperationId, OperationDecision),
    /// Show an item beside the list.
    Select(ActionItem),
    /// Open Operations and show an item.
    Show(ActionItem),
}

/// The commands of one frame, in order.
#[derive(Debug, Default)]
pub struct Commands(Vec<Command>);

impl Commands {
    pub fn push(&mut self, command: Command) {
        self.0.push(command);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn holds(&self, command: &Command) -> bool {
        self.0.contains(command)
    }

    /// Removes and returns all commands, in order.
    pub fn take(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.0)
    }
}

impl From<ConsignCommand> for Command {
    fn from(command: ConsignCommand) -> Self {
        Self::Consign(command)
    }
}

impl From<OrdersCommand> for Command {
    fn from(command: OrdersCommand) -> Self {
        Self::Orders(command)
    }
}

impl From<DispatchCommand> for Command {
    fn from(command: DispatchCommand) -> Self {
        Self::Dispatch(command)
    }
}

impl From<GroupsCommand> for Command {
    fn from(command: GroupsCommand) -> Self {
        Self::Groups(command)
    }
}

impl From<LabelsCommand> for Command {
    fn from(command: LabelsCommand) -> Self {
        Self::Labels(command)
    }
}

impl From<TrackCommand> for Command {
    fn from(command: TrackCommand) -> Self {
        Self::Track(command)
    }
}

impl From<FilesCommand> for Command {
    fn from(command: FilesCommand) -> Self {
        Self::Track(TrackCommand::Files(command))
    }
}

impl From<PageCommand> for Command {
    fn from(command: PageCommand) -> Self {
        Self::Track(TrackCommand::Page(command))
    }
}

impl From<ExportCommand> for Command {
    fn from(command: ExportCommand) -> Self {
        Self::Track(TrackCommand::Export(command))
    }
}

impl From<WindowCommand> for Command {
    fn from(command: WindowCommand) -> Self {
        Self::Window(command)
    }
}

impl From<OperationsCommand> for Command {
    fn from(command: OperationsCommand) -> Self {
        Self::Operations(command)
    }
}

impl From<PracticeCommand> for Command {
    fn from(command: PracticeCommand) -> Self {
        Self::Practice(command)
    }
}

impl From<SettingsCommand> for Command {
    fn from(command: SettingsCommand) -> Self {
        Self::Settings(command)
    }
}
