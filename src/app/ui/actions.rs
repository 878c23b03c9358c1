//! The actions of the program, with name, icon, shortcut, tooltip and command.
//!
//! Shortcuts, key caps, tooltips and the command palette (Ctrl+K) come from this list. An action without a
//! command is handled by the screen that it belongs to, which checks `Context::asked`.

mod shortcuts;
mod table;

use egui::KeyboardShortcut;

use crate::state::{Command, Screen, Shared, TrackPane};
pub(crate) use shortcuts::{consume_shortcut, pressed_actions};
pub use table::ACTIONS;
use widgets::{Icon, key_cap};

/// Something that the clerk can do by a shortcut, by a button or from the command palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    ShowConsign,
    ShowDispatch,
    ShowLabels,
    ShowTrack,
    TrackBoard,
    TrackTable,
    /// Moves the focus to the filter of Track's table.
    TrackFilter,
    /// Opens the choice of columns for Track's table.
    TrackColumns,
    /// Opens the menu of saved views for Track's table.
    TrackViews,
    TrackSaveView,
    /// Copies the cell under the cursor of Track's table.
    TrackCopyCell,
    /// Copies the selected rows of Track's table.
    TrackCopyRows,
    /// Opens the menu for the selected rows of Track's table.
    TrackRowMenu,
    /// Shows a consignment from Track on Dispatch, if it waits for a manifest.
    ShowOnDispatch,
    /// Searches the service for the text of Track's filter.
    TrackSearchService,
    /// Shows the consignment selected on Dispatch on Track.
    ShowOnTrack,
    /// Fetches the consignment shown on Track again.
    RefreshConsignment,
    /// Closes the page of the consignment shown on Track.
    CloseConsignment,
    /// Copies the number of the consignment shown on Track.
    CopyNumber,
    /// Copies the carrier's number of the consignment shown on Track.
    CopyCarrierNumber,
    /// Shows the public tracking page of the consignment shown on Track.
    TrackingPage,
    /// Shows the label of the consignment shown on Track.
    ConsignmentLabel,
    /// Begins a new consignment like the one shown on Track.
    CloneConsignment,
    /// Opens the consignment shown on Track for changes.
    ChangeConsignment,
    /// Sets the status of consignments by hand.
    SetStatus,
    /// Cancels consignments that are manifested.
    CancelManifested,
    /// Chooses how many days Track looks back.
    TrackPeriod,
    /// Chooses one carrier, or all, for Track.
    TrackCarrier,
    /// Chooses one company, or the bench's company with all below it, for Track.
    TrackCompanies,
    /// Starts a sync of Track.
    TrackSync,
    /// Opens the exception thresholds: the hours after which a consignment counts as late, not
    /// collected or not scanned.
    TrackThresholds,
    /// Opens the choice of company and carrier whose consignments are synced.
    TrackScope,
    /// Marks the new exceptions as seen.
    MarkExceptionsSeen,
    /// Exports the list shown on Track.
    ExportList,
    /// Exports the list of unmanifested consignments.
    ExportWaiting,
    ExportOperations,
    /// Opens the day sheet, a summary to print: consignments sent, late or wrong.
    DaySheet,
    /// Shows the proof of delivery of the consignment shown on Track.
    ProofOfDelivery,
    /// Saves all files of the consignment shown on Track.
    SaveFiles,
    ShowOperations,
    ShowSettings,
    SaveSettings,
    /// Tests the connection as it is typed on Settings.
    TryConnection,
    /// Switches to the service shown on Settings.
    UseConnection,
    NewConnection,
    /// Switches to the practice service.
    Practise,
    /// Moves the focus to the scan and search box.
    Search,
    /// Opens the command palette.
    CommandPalette,
    /// Opens the settings of the practice service: user, carrier speed and fault injection.
    PracticeDrill,
    Theme,
    /// Shows all messages, also those that are no longer on the screen.
    Messages,
    Reconnect,
    /// Creates the consignment with the service.
    Send,
    /// Keeps the draft and begins another.
    NextDraft,
    /// Saves the draft with the service as a pending consignment, to be completed later.
    SavePending,
    /// Opens the list of drafts on this bench.
    Drafts,
    /// Discards the changes to an existing consignment.
    DiscardChanges,
    /// Restores the draft that was discarded last.
    RestoreDraft,
    /// Opens the consignment selected on Dispatch for changes.
    Change,
    /// Begins a new consignment like the one selected on Dispatch.
    CloneChosen,
    /// Moves the focus to the sender.
    Sender,
    /// Moves the focus to the receiver.
    Receiver,
    /// Moves the focus to the first line of goods.
    Goods,
    AddLine,
    RemoveLine,
    DuplicateLine,
    LineUp,
    LineDown,
    /// Switches the line between a saved item and typed values.
    SavedItem,
    /// Undoes the newest change: a deletion that was not sent yet, or a change of the goods.
    Undo,
    RedoGoods,
    /// Opens or closes the dangerous goods of the line.
    DangerousGoods,
    /// Opens or closes the customs details of the line.
    Customs,
    /// Adds a row to the open sub-form: dangerous goods or customs contents.
    AddSubRow,
    /// Unfolds the options.
    Options,
    /// Moves the focus to the item references.
    References,
    /// Switches the tailgate option on or off.
    Tailgate,
    /// Switches the crane truck option on or off.
    Crane,
    /// Switches the residential delivery option on or off.
    Residential,
    /// Switches the authority to leave on or off.
    AuthorityToLeave,
    /// Switches the hand unload option on or off.
    HandUnload,
    /// Switches a party between a saved location and a typed address.
    SwapAddress,
    /// Switches to an address in another country.
    International,
    /// Adds a second line to a street address.
    SecondLine,
    Presets,
    SavePreset,
    ImportOrders,
    /// Sends all drafts that are ready.
    SendAll,
    FindRoutes,
    /// Lets the service pick the lowest price.
    Cheapest,
    /// Lets the service pick the earliest arrival.
    Fastest,
    /// Picks a carrier without asking for prices.
    CarrierWithoutPrice,
    /// Moves the focus to the filter of Dispatch.
    Filter,
    /// Fetches the unmanifested consignments again.
    Refresh,
    /// Groups consignments for a manifest.
    Group,
    /// Books the groups.
    Book,
    /// Stops booking after the group that is being booked.
    StopBooking,
    /// Moves the focus to the next group's pickup time.
    NextPickup,
    /// Puts the consignment that was removed from its group last back into it.
    ReturnToGroup,
    /// Shows the booked manifests.
    Manifests,
    SaveManifest,
    /// Prints the labels of the consignments selected on Dispatch.
    PrintChosen,
    /// Shows the label of the consignment selected on Dispatch.
    ShowLabel,
    /// Deletes consignments with the service.
    Delete,
    /// Puts the selected consignments on hold, or releases them.
    ToggleHold,
    /// Copies the cell under the cursor of Dispatch.
    CopyCell,
    /// Copies the selected rows of Dispatch.
    CopyRows,
    /// Opens the menu for the selected rows of Dispatch.
    RowMenu,
    /// Opens the choice of columns for Dispatch.
    Columns,
    /// Opens the menu of saved views for Dispatch.
    Views,
    SaveView,
    /// Prints the ticked labels, or the label shown.
    Print,
    /// Prints the label shown again.
    Reprint,
    /// Prints the last label or batch again.
    ReprintLast,
    /// Prints on one of the service's printers.
    ServicePrinter,
    /// Stops the batch of labels.
    StopPrinting,
    /// Continues the batch with the label that failed.
    RetryPrinting,
    /// Continues the batch with the remaining labels.
    ResumePrinting,
    /// Cancels the remaining labels of the batch.
    CancelRemainingLabels,
    /// Fetches the file of the label shown again.
    FetchLabel,
    /// Prints the label shown although its verification failed.
    PrintAnyway,
    /// Moves the focus to the filter of the label queue.
    FilterLabels,
    /// Lists all labels.
    QueueAll,
    /// Lists the labels that are not printed yet, or changed since.
    QueueWaiting,
    /// Lists the labels that were not sent or failed verification.
    QueueFailed,
    /// Lists the labels of which it is not known whether they were printed.
    QueueToCheck,
    /// Lists the labels that were sent to a printer or left to the service.
    QueueSent,
    /// Lists the labels that still wait in the queue of a printer.
    QueueAtPrinter,
    ZoomIn,
    ZoomOut,
    /// Fits the whole label into the preview.
    ZoomFit,
    SavePdf,
    /// Shows the next page of the label.
    NextPage,
    PreviousPage,
    AddPrinter,
    RefreshPrinters,
    /// Opens the test label for the printer that labels go to.
    TestLabel,
    /// Sets a printer up with the settings that it reports.
    UseDetectedSettings,
    /// Sends an operation that did not happen again.
    SendAgain,
    /// Checks with the service at once whether an operation happened.
    CheckNow,
    /// Starts the reconciliation of an operation from the beginning.
    RestartChecks,
    /// Confirms that an operation happened.
    ConfirmDone,
    /// Confirms that an operation did not happen.
    ConfirmNotDone,
    /// Gives an operation up without knowing its outcome.
    GiveUp,
    /// Moves the focus to the filter of Operations.
    FilterOperations,
    /// Switches between open operations and all operations.
    AllOperations,
    /// Shows the shortcuts of the present screen.
    Shortcuts,
}

/// Description of an action.
#[derive(Debug)]
pub struct ActionEntry {
    pub action: Action,
    /// Name in the command palette and on buttons.
    pub name: &'static str,
    pub icon: Icon,
    pub shortcut: Option<KeyboardShortcut>,
    pub tooltip: &'static str,
    /// The screen on which the action is available; `None` for every screen.
    pub screen: Option<Screen>,
    /// The command that the action runs; `None` if its screen handles the action.
    pub command: Option<Command>,
}

impl Action {
    /// Returns the action's description.
    pub fn entry(self) -> &'static ActionEntry {
        ACTIONS
            .iter()
            .find(|entry| entry.action == self)
            .unwrap_or(&ACTIONS[0])
    }

    /// Returns whether the action needs Track's table, and is not available on Track's board.
    const fn needs_track_table(self) -> bool {
        matches!(
            self,
            Self::TrackColumns
                | Self::TrackSaveView
                | Self::TrackCopyCell
                | Self::TrackCopyRows
                | Self::TrackRowMenu
        )
    }

    /// Returns the screen that the action shows.
    pub(crate) fn target_screen(self) -> Option<Screen> {
        match &self.entry().command {
            Some(Command::Show(screen)) => Some(*screen),
            _ => None,
        }
    }

    /// Returns the label of the action's key cap; empty without a shortcut.
    pub fn key(self) -> String {
        self.entry()
            .shortcut
            .map(key_cap::label)
            .unwrap_or_default()
    }
}

/// Returns the actions for the command palette: those available now, without the palette itself.
pub(crate) fn available(shared: &Shared) -> impl Iterator<Item = &'static ActionEntry> {
    let can_undo = shared.deleting.is_some() || shared.screen == Screen::Consign;
    actions_of_screen(shared).filter(move |entry| match entry.action {
        Action::CommandPalette => false,
        Action::Undo => can_undo,
        _ => true,
    })
}

/// Returns the actions of the present screen and those of every screen.
pub(crate) fn actions_of_screen(shared: &Shared) -> impl Iterator<Item = &'static ActionEntry> {
    let (screen, pane) = (shared.screen, shared.track.pane);
    ACTIONS.iter().filter(move |entry| {
        let on_board = entry.screen == Some(Screen::Track) && pane == TrackPane::Board;
        entry.screen.is_none_or(|of| of == screen)
            && !(on_board && entry.action.needs_track_table())
    })
}
