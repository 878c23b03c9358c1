//! Everything that a clerk can ask for, as values.

mod settings;

use super::shared::{Screen, ThemeChoice};
use super::views::PrinterForm;
use super::{
    Choice, DocumentKind, FilesCommand, GroupsCommand, JobId, ListView, Matter, NoticeId,
    OperationId, OrdersCommand, OutCommand, PageCommand, PracticeCommand, TrackCommand, ViewOf,
};
use crate::draft::DraftId;
use crate::shipping::{CompanyId, ConsignmentId, LabelSize, LabelType, ManifestGroup, PrinterId};
pub use settings::SettingsCommand;

/// Something that the clerk asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Put a screen up.
    Show(Screen),
    /// Around the screens.
    Frame(FrameCommand),
    /// On Consign.
    Consign(ConsignCommand),
    /// Presets, orders from a file, and sending all that is ready.
    Orders(OrdersCommand),
    /// On Dispatch.
    Dispatch(DispatchCommand),
    /// On groups and booked manifests.
    Groups(GroupsCommand),
    /// On Labels.
    Labels(LabelsCommand),
    /// On Track.
    Track(TrackCommand),
    /// On an operation whose end is open.
    Operations(OperationsCommand),
    /// In the wizard and on Settings.
    Settings(SettingsCommand),
    /// On troubles to rehearse.
    Trouble(PracticeCommand),
}

impl Command {
    /// Which command it is, without what it is about: for logs, which hold nobody's name.
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

/// Around the screens.
#[derive(Debug, Clone, PartialEq)]
pub enum FrameCommand {
    /// Find what was scanned or typed into the search box, and open it.
    Find(String),
    /// The clerk has seen that the scan found nothing.
    AcknowledgeFind,
    /// Work for another company.
    PickCompany(CompanyId),
    /// Light, dark, or as the system says.
    PickTheme(ThemeChoice),
    /// The clerk has read a notice.
    Dismiss(NoticeId),
    /// Ask the service again, at once: companies, locations, the list.
    Reconnect,
}

/// On Consign. What is typed needs no command: it is seen in [`super::Editing`] and saved by itself.
#[derive(Debug, Clone, PartialEq)]
pub enum ConsignCommand {
    /// Ask for prices at once (they are asked for by themselves when what they depend on has been left alone a while).
    FindRoutes,
    /// The clerk has seen what changed of the chosen route.
    AcknowledgeRoute,
    /// Ask again for what the lookup of UN numbers and the list of carriers failed to bring.
    LookUpAgain,
    /// Check, write down and send; where the check fails, show every problem.
    Send,
    /// Keep this draft and begin another.
    NewDraft,
    /// Open another draft.
    OpenDraft(DraftId),
    /// Forget a draft, at the service too where it is saved there; where it is the open one, begin another.
    DiscardDraft(DraftId),
    /// Bring the draft back that was forgotten last.
    BringBack,
    /// Save the open draft at the service, to be completed later.
    SavePending,
    /// Fetch a consignment's editable form and change it.
    Edit(ConsignmentId),
    /// Fetch a consignment and begin a new one like it.
    Clone(ConsignmentId),
    /// Fetch the saved locations again.
    RefreshLocations,
    /// What was scanned into the goods is no SKU that the bench knows: says so until it is acknowledged.
    UnknownScan(String),
    /// What was scanned is in this line (from 0), whose quantity cannot be counted up: says so until it is acknowledged.
    UncountedScan(String, usize),
}

/// On Dispatch.
#[derive(Debug, Clone, PartialEq)]
pub enum DispatchCommand {
    /// Fetch the list again.
    Refresh,
    /// Group these for manifest.
    Group(Vec<ConsignmentId>),
    /// Group everything unmanifested.
    GroupAll,
    /// Group what was asked for last: it failed.
    GroupAgain,
    /// Put the groups away.
    ClearGroups,
    /// Book these groups, one at a time, as they are.
    Book(Vec<ManifestGroup>),
    /// Delete these at the service, unless that is taken back within some seconds.
    Delete(Vec<ConsignmentId>),
    /// Don't delete what was about to be deleted.
    UndoDelete,
    /// Hold these back from grouping all, or let them go.
    HoldBack(Vec<ConsignmentId>, bool),
    /// Keep how the list is shown, instead of the view of its name; without a name, how it is left.
    SaveView(ListView),
    /// Forget the view of this name.
    RemoveView(ViewOf, String),
    /// Print the labels of these, in this order.
    PrintLabels(Vec<ConsignmentId>),
    /// Show the label of this one on Labels.
    ShowLabel(ConsignmentId),
    /// Put this one in sight on Dispatch.
    Reveal(ConsignmentId),
    /// Put the card of a booking away: it is done, or was refused.
    PutAway(OperationId),
}

/// On Labels.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelsCommand {
    /// Show this one's label, from its first page.
    Select(ConsignmentId),
    /// Show another page (from 0).
    Page(usize),
    /// Show A6 or A4.
    Size(LabelSize),
    /// Print the labels of these on the chosen printer.
    Print(Vec<ConsignmentId>),
    /// Print one again, with the reason.
    Reprint(ConsignmentId, String),
    /// Print these again, in this order, with the reason.
    ReprintAll(Vec<ConsignmentId>, String),
    /// Print this one although it fails the check before ink, with the reason.
    PrintDespite(ConsignmentId, String),
    /// Fetch the label file of this one again.
    FetchAgain(ConsignmentId),
    /// The clerk answered what was asked before labels are printed again: nothing is.
    ForgetPrintAgain,
    /// Shows the last test label again, to print it once more.
    PrintTestAgain,
    /// On the batch of labels.
    Batch(BatchCommand),
    /// Save the label file of this one where the clerk says.
    SavePdf(ConsignmentId),
    /// Save the label file of this one at a typed path (when no file dialog is to be had).
    SavePdfAt(ConsignmentId, String),
    /// Save the label files of these, a file each, in a folder that the clerk picks.
    SaveAll(Vec<ConsignmentId>),
    /// Save the label files of these, a file each, in a typed folder.
    SaveAllIn(Vec<ConsignmentId>, String),
    /// The clerk has seen what was wrong with where files were to be saved, or where they are.
    ForgetSaved,
    /// Ask the service which of its printers these can be printed on.
    AskServicePrinters(Vec<ConsignmentId>),
    /// Print these on one of the service's printers.
    PrintAtService {
        /// Whose labels.
        ids: Vec<ConsignmentId>,
        /// What of them.
        what: LabelType,
        /// Where.
        printer: PrinterId,
        /// The paper.
        size: LabelSize,
        /// Why, where one of these may be out already; else empty.
        reason: String,
    },
    /// Look at the printers again.
    RefreshPrinters,
    /// Print labels on this one from now on.
    ChoosePrinter(String),
    /// Print documents of this kind on this printer from now on; on none where there is no name.
    PrintOn(DocumentKind, Option<String>),
    /// Set a printer up, or change one.
    SavePrinter(Box<PrinterForm>),
    /// Forget a printer.
    RemovePrinter(String),
    /// Print the label of each new consignment by itself, or don't.
    AutoPrint(bool),
    /// Take this job out of its queue.
    CancelJob(JobId),
    /// Take all jobs of the printer of this name out of its queue.
    CancelAllJobs(String),
    /// Let this job go, which its queue holds.
    ReleaseJob(JobId),
    /// Draw the test label of this printer.
    ShowTestLabel(String),
    /// Print the test label that is shown.
    PrintTestLabel,
    /// The clerk looked whether a job's label came out.
    AnswerJob(JobId, bool),
}

/// On a batch of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchCommand {
    /// Print no further label of it.
    Stop,
    /// Go on with the one that failed, then the rest.
    Retry,
    /// Go on with the rest.
    GoOn,
    /// Leave the rest, and put its card away.
    PutAway,
}

/// On operations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OperationsCommand {
    /// The clerk decided what to do about one whose end is open.
    Decide(OperationId, Choice),
    /// Show this one beside the list.
    Select(Matter),
    /// Go to Operations and show this one.
    Show(Matter),
}

/// Collects the commands of one frame, in order.
#[derive(Debug, Default)]
pub struct Commands(Vec<Command>);

impl Commands {
    /// Adds one.
    pub fn push(&mut self, command: Command) {
        self.0.push(command);
    }

    /// True where nothing was asked for.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True where this was asked for.
    pub fn holds(&self, command: &Command) -> bool {
        self.0.contains(command)
    }

    /// Takes all, in order.
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

impl From<OutCommand> for Command {
    fn from(command: OutCommand) -> Self {
        Self::Track(TrackCommand::Out(command))
    }
}

impl From<FrameCommand> for Command {
    fn from(command: FrameCommand) -> Self {
        Self::Frame(command)
    }
}

impl From<OperationsCommand> for Command {
    fn from(command: OperationsCommand) -> Self {
        Self::Operations(command)
    }
}

impl From<PracticeCommand> for Command {
    fn from(command: PracticeCommand) -> Self {
        Self::Trouble(command)
    }
}

impl From<SettingsCommand> for Command {
    fn from(command: SettingsCommand) -> Self {
        Self::Settings(command)
    }
}
