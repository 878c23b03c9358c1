//! Commands: everything that a clerk can ask for, as values.

use super::{
    ConsignCommand, DispatchCommand, ExportCommand, FilesCommand, GroupsCommand, LabelsCommand,
    NoticeId, OperationsCommand, OrdersCommand, PageCommand, PracticeCommand, SaveCommand, Screen,
    SettingsCommand, ThemeChoice, TrackCommand,
};
use shipping::{CompanyId, ConsignmentId};

/// A command from the clerk.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    Show(Screen),
    Window(WindowCommand),
    /// A command of a list of consignments, on any screen.
    List(ListCommand),
    Save(SaveCommand),
    Consign(ConsignCommand),
    /// A command about presets, imported orders, or sending all drafts that are ready.
    Orders(OrdersCommand),
    Dispatch(DispatchCommand),
    /// A command about groups and booked manifests.
    Groups(GroupsCommand),
    Labels(LabelsCommand),
    Track(TrackCommand),
    Operations(OperationsCommand),
    /// A command in the wizard or on Settings.
    Settings(SettingsCommand),
    Practice(PracticeCommand),
}

impl Command {
    /// Returns the names of the variants without their data, for logs, which must not hold personal data. Every
    /// variant holds an enum, so the first two names are those of variants.
    pub fn name(&self) -> String {
        let whole = format!("{self:?}");
        let names = whole.split(|c: char| !c.is_ascii_alphabetic());
        let names: Vec<_> = names.filter(|name| !name.is_empty()).take(2).collect();
        names.join("::")
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
    SaveCommand: Save;
    OperationsCommand: Operations;
    PracticeCommand: Practice;
    SettingsCommand: Settings;
}
