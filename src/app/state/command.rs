//! Commands: everything that a clerk can ask for, as values.

use super::{
    ConsignCommand, DispatchCommand, ExportCommand, FilesCommand, GroupsCommand, LabelsCommand,
    NoticeId, OperationsCommand, OrdersCommand, PageCommand, PracticeCommand, Screen,
    SettingsCommand, ThemeChoice, TrackCommand,
};
use shipping::{CompanyId, ConsignmentId};

/// A command from the clerk.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Show a screen.
    Show(Screen),
    /// A command outside the screens, such as a search.
    Window(WindowCommand),
    /// A command of a list of consignments, on any screen.
    List(ListCommand),
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

/// A command of a list of consignments.
#[derive(Debug, Clone, PartialEq)]
pub enum ListCommand {
    /// Load these rows, which are visible or nearly so, if they are not loaded yet.
    NeedRows(Vec<ConsignmentId>),
    /// Load these rows so that they can be copied.
    CopyRows(Vec<ConsignmentId>),
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

/// Implements the conversion of a screen's command to a [`Command`].
macro_rules! commands_of_screens {
    ($($command:ident: $variant:ident $(($inner:path))?;)+) => {$(
        impl From<$command> for Command {
            fn from(command: $command) -> Self {
                Self::$variant($($inner)?(command))
            }
        }
    )+};
}

commands_of_screens! {
    ConsignCommand: Consign;
    OrdersCommand: Orders;
    DispatchCommand: Dispatch;
    GroupsCommand: Groups;
    LabelsCommand: Labels;
    TrackCommand: Track;
    FilesCommand: Track (TrackCommand::Files);
    PageCommand: Track (TrackCommand::Page);
    ExportCommand: Track (TrackCommand::Export);
    WindowCommand: Window;
    ListCommand: List;
    OperationsCommand: Operations;
    PracticeCommand: Practice;
    SettingsCommand: Settings;
}
