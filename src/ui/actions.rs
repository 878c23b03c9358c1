//! Every action in one list: its name, icon, key, what it is good for, and the command that it is.
//!
//! Shortcuts, key caps, tooltips and Ctrl+K all come from here. An action without a command is done by the screen that it
//! belongs to, which asks whether it was asked for.

mod pressed;
mod table;

use egui::KeyboardShortcut;

use super::kit::{Icon, keys};
use crate::state::{Command, Screen, Shared, TrackPane};
pub(super) use pressed::{pressed, takes_key};
pub use table::ACTIONS;

/// Something that can be asked for by name or key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Show Consign.
    ShowConsign,
    /// Show Dispatch.
    ShowDispatch,
    /// Show Labels.
    ShowLabels,
    /// Show Track.
    ShowTrack,
    /// Show the board.
    TrackBoard,
    /// Show the table.
    TrackTable,
    /// Go to the filter of the table.
    TrackFilter,
    /// Choose the table's columns and their order.
    TrackColumns,
    /// Show the table as it was saved under a name.
    TrackViews,
    /// Save how the table is shown.
    TrackSaveView,
    /// Copy the cell under the cursor of the table.
    TrackCopyCell,
    /// Copy the chosen rows of the table.
    TrackCopyRows,
    /// What can be done with the chosen rows of the table.
    TrackRowMenu,
    /// Show what waits for a manifest on Dispatch.
    TrackOnDispatch,
    /// Ask the service for the words of the filter.
    TrackAskService,
    /// Show what is under the cursor of Dispatch on Track.
    ShowOnTrack,
    /// Ask the service for the consignment that is shown.
    RefreshPage,
    /// Put its page away.
    ClosePage,
    /// Copy its number.
    CopyNumber,
    /// Copy the number that its carrier knows it by.
    CopyCarrierNumber,
    /// Show its public tracking page.
    TrackingPage,
    /// Show its label.
    PageLabel,
    /// Another one like it.
    ClonePage,
    /// Change it.
    ChangePage,
    /// Set a status by hand.
    SetStatus,
    /// Cancel what is manifested.
    CancelManifested,
    /// How many days Track looks back.
    TrackPeriod,
    /// Of which carrier.
    TrackCarrier,
    /// With the companies below the bench's, or without.
    TrackCompanies,
    /// Look at the service for what changed.
    TrackAgain,
    /// From when on something counts as wrong.
    TrackThresholds,
    /// Whose consignments the service is asked for.
    TrackFollows,
    /// The new exceptions are seen.
    TrackSeen,
    /// Save the list as a file.
    ExportList,
    /// Save the list of what waits as a file.
    ExportWaiting,
    /// Save the list of operations as a file.
    ExportOperations,
    /// The day on paper.
    DaySheet,
    /// Show the first file of the consignment that is open.
    Proof,
    /// Save its files.
    SaveFiles,
    /// Show Operations.
    ShowOperations,
    /// Show Settings.
    ShowSettings,
    /// Save what is typed on Settings.
    SaveSettings,
    /// Look at the service as it is typed.
    TryConnection,
    /// Work with the service that is shown.
    UseConnection,
    /// Set up another connection.
    NewConnection,
    /// Work with the practice service.
    Practise,
    /// Go to the scan and search box.
    Search,
    /// Show the list of all actions.
    All,
    /// Rehearse a bad day, in practice.
    Trouble,
    /// Light, dark or as the desktop.
    Theme,
    /// Ask the service again.
    Reconnect,
    /// Send the consignment.
    Send,
    /// Keep the draft and begin another.
    NextDraft,
    /// Save what is typed at the service, to be completed later.
    SavePending,
    /// The drafts on this bench.
    Drafts,
    /// Leave the consignment as it is.
    StopChanging,
    /// The draft that was thrown away last.
    BringBack,
    /// Change a consignment.
    Change,
    /// Another one like it.
    CloneChosen,
    /// Go to the sender.
    From,
    /// Go to the receiver.
    To,
    /// Go to the goods.
    Goods,
    /// Add a line of goods.
    AddLine,
    /// Take the line of goods away.
    RemoveLine,
    /// The line of goods once more.
    DuplicateLine,
    /// The line of goods before the one above.
    LineUp,
    /// The line of goods after the one below.
    LineDown,
    /// The line is a saved item, or is typed.
    SavedItem,
    /// Undo the newest change: a deletion that was not sent yet, or a change of the goods.
    Undo,
    /// Make it again.
    RedoGoods,
    /// Dangerous goods in the line.
    Dangerous,
    /// What customs are told of the line.
    Customs,
    /// Another one of what the open sub-form lists.
    Another,
    /// Unfold the options.
    Options,
    /// Go to the item references.
    References,
    /// An option, on or off.
    Tailgate,
    /// An option, on or off.
    Crane,
    /// An option, on or off.
    Residential,
    /// An option, on or off.
    AuthorityToLeave,
    /// An option, on or off.
    HandUnload,
    /// A saved location or an address.
    SwapAddress,
    /// An address in another country.
    Abroad,
    /// A second line in an address.
    SecondLine,
    /// Show the presets.
    Presets,
    /// Save what is typed as a preset.
    SavePreset,
    /// Import orders from a file.
    ImportOrders,
    /// Send all drafts that are ready.
    SendAll,
    /// Ask for routes.
    FindRoutes,
    /// Let the service pick the lowest price.
    Cheapest,
    /// Let the service pick the earliest arrival.
    Fastest,
    /// Pick a carrier without a price.
    CarrierAlone,
    /// Go to the filter.
    Filter,
    /// Fetch the list again.
    Refresh,
    /// Group for manifest.
    Group,
    /// Book the groups.
    Book,
    /// Book nothing more after the group that is on its way.
    StopBooking,
    /// Go to the next pickup.
    NextPickup,
    /// Put the consignment back that was taken out of its group last.
    MoveBack,
    /// Show the booked manifests.
    Manifests,
    /// Save the manifest that is shown.
    SaveManifest,
    /// Print the labels of the chosen.
    PrintChosen,
    /// Show the label of the chosen.
    ShowLabel,
    /// Delete the chosen at the service.
    Delete,
    /// Hold the chosen back, or let them go.
    HoldBack,
    /// Copy the cell under the cursor.
    CopyCell,
    /// Copy the chosen rows.
    CopyRows,
    /// What can be done with the chosen rows.
    RowMenu,
    /// Choose columns and their order.
    Columns,
    /// Show the list as it was saved under a name.
    Views,
    /// Save how the list is shown.
    SaveView,
    /// Print the labels.
    Print,
    /// Print the one shown again.
    Reprint,
    /// Print again what was printed last.
    ReprintLast,
    /// Print on one of the service's printers.
    ServicePrinter,
    /// Print no further label.
    StopPrinting,
    /// Go on with the label that failed, then the rest.
    RetryPrinting,
    /// Go on with the rest.
    GoOnPrinting,
    /// Leave the rest.
    LeaveBatch,
    /// Fetch the label again.
    FetchLabel,
    /// Print although the check failed.
    PrintDespite,
    /// Go to the filter of the queue.
    FilterLabels,
    /// List all labels.
    QueueAll,
    /// List what waits.
    QueueWaiting,
    /// List what was not sent.
    QueueFailed,
    /// List what has to be looked at.
    QueueLook,
    /// List what was sent.
    QueueSent,
    /// List what still waits in the queue of a printer.
    QueueInQueue,
    /// A larger label.
    ZoomIn,
    /// A smaller label.
    ZoomOut,
    /// The whole label.
    ZoomFit,
    /// Save the label as PDF.
    SavePdf,
    /// The next page of the label.
    NextPage,
    /// The page before.
    PreviousPage,
    /// Set a printer up.
    AddPrinter,
    /// Look at the printers again.
    RefreshPrinters,
    /// The test label of the printer that labels go to.
    TestLabel,
    /// Set a printer to what it says of itself.
    TakeOver,
    /// Send what did not happen again.
    SendAgain,
    /// Look at the service for it at once.
    CheckNow,
    /// Look for it all over again.
    WaitLonger,
    /// It happened.
    Yes,
    /// It did not happen.
    No,
    /// Give it up.
    GiveUp,
    /// Go to the filter of Operations.
    FilterOperations,
    /// List all, or only what is open.
    AllOperations,
}

/// What there is to know about an action.
#[derive(Debug)]
pub struct Entry {
    /// Which action.
    pub action: Action,
    /// Its name, as a clerk looks for it.
    pub name: &'static str,
    /// Its icon.
    pub icon: Icon,
    /// The key that does it.
    pub shortcut: Option<KeyboardShortcut>,
    /// What it is good for.
    pub tooltip: &'static str,
    /// Where it can be done; anywhere without one.
    pub screen: Option<Screen>,
    /// What it asks for; without one its screen does it.
    pub command: Option<Command>,
}

impl Action {
    /// What there is to know about it.
    pub fn entry(self) -> &'static Entry {
        ACTIONS
            .iter()
            .find(|entry| entry.action == self)
            .unwrap_or(&ACTIONS[0])
    }

    /// Is it about rows of Track's table, which the board does not have?
    const fn is_of_rows(self) -> bool {
        matches!(
            self,
            Self::TrackColumns
                | Self::TrackSaveView
                | Self::TrackCopyCell
                | Self::TrackCopyRows
                | Self::TrackRowMenu
        )
    }

    /// The screen that it goes to.
    pub(super) fn goes_to(self) -> Option<Screen> {
        match &self.entry().command {
            Some(Command::Show(screen)) => Some(*screen),
            _ => None,
        }
    }

    /// Its key as on a cap; empty where it has none.
    pub fn key(self) -> String {
        self.entry().shortcut.map(keys::label).unwrap_or_default()
    }
}

/// The actions that can be done with what is up.
pub(super) fn available(shared: &Shared) -> impl Iterator<Item = &'static Entry> {
    let can_undo = shared.deleting.is_some() || shared.screen == Screen::Consign;
    here(shared).filter(move |entry| match entry.action {
        Action::All => false,
        Action::Undo => can_undo,
        _ => true,
    })
}

/// The actions of the screen that is up, and those of every screen.
fn here(shared: &Shared) -> impl Iterator<Item = &'static Entry> {
    let (screen, pane) = (shared.screen, shared.track.pane);
    ACTIONS.iter().filter(move |entry| {
        let on_board = entry.screen == Some(Screen::Track) && pane == TrackPane::Board;
        entry.screen.is_none_or(|of| of == screen) && !(on_board && entry.action.is_of_rows())
    })
}
