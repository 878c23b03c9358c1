//! The actions of the program: one table with the name, icon, shortcut, tooltip and command of each action. The
//! command palette (Ctrl+K) lists the actions in this order.
//!
//! An action without a command is handled by its screen, which checks `Context::is_triggered`. The actions that show
//! the screens are defined in the table of screens.

use egui::{Event, Key, KeyboardShortcut, Modifiers, Ui};

use super::frame::practice_drill;
use crate::screens::with_screens;
use crate::state::{
    Command, ConsignCommand, DispatchCommand, HandoverCommand, LabelsCommand, Screen,
    SettingsCommand, Shared, TrackCommand, TrackPane, WindowCommand,
};
use widgets::command_palette::PaletteEntry;
use widgets::{Icon, icons, key_cap};

#[derive(Debug)]
pub struct ActionEntry {
    pub action: Action,
    /// Name in the command palette and on buttons.
    pub name: &'static str,
    pub icon: Icon,
    pub shortcut: Option<KeyboardShortcut>,
    pub tooltip: &'static str,
    /// Whether a widget handles the shortcut instead of [`pressed_actions`]. A button that must be held watches
    /// its own key. The other local keys work only in the goods, a list or a preview, because text fields use
    /// these keys, too.
    pub has_local_shortcut: bool,
    /// The screen on which the action is available; `None` for every screen.
    pub screen: Option<Screen>,
    /// Whether the action needs Track's table, and is not available on Track's board.
    needs_track_table: bool,
    /// The command that the action runs; `None` if its screen handles the action.
    pub command: Option<Command>,
}

impl ActionEntry {
    /// Returns the line of the action in a list of actions; `key` is the label of its shortcut.
    pub(crate) fn line<'a>(&'a self, key: &'a str) -> PaletteEntry<'a> {
        PaletteEntry {
            name: self.name,
            icon: self.icon,
            key,
            tooltip: self.tooltip,
        }
    }
}

impl Action {
    pub fn entry(self) -> &'static ActionEntry {
        &ACTIONS[self as usize]
    }

    /// Returns whether the action has a purpose only for a bench of a workgroup.
    const fn needs_workgroup(self) -> bool {
        matches!(
            self,
            Self::LeaveDraft | Self::TakeNextOrder | Self::AllBenches
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

    /// Returns the tooltip of a button for this action, with the shortcut.
    pub(crate) fn tip(self) -> String {
        format!("{} ({})", self.entry().tooltip, self.key())
    }
}

/// Returns the actions for the command palette: the actions that are available now, except the palette itself.
pub(crate) fn available(shared: &Shared) -> impl Iterator<Item = &'static ActionEntry> {
    let can_undo = shared.dispatch.deleting.is_some() || shared.screen == Screen::Consign;
    actions_of_screen(shared).filter(move |entry| match entry.action {
        Action::CommandPalette => false,
        Action::Undo => can_undo,
        Action::PracticeDrill => practice_drill::is_offered(shared),
        _ => true,
    })
}

/// Returns the actions of the current screen and the actions that are available on every screen.
fn actions_of_screen(shared: &Shared) -> impl Iterator<Item = &'static ActionEntry> {
    let (screen, pane) = (shared.screen, shared.track.pane);
    let has_workgroup = shared.workgroup.is_some();
    ACTIONS.iter().filter(move |entry| {
        entry.screen.is_none_or(|of| of == screen)
            && (has_workgroup || !entry.action.needs_workgroup())
            && !(entry.needs_track_table && pane == TrackPane::Board)
    })
}

/// Returns the actions of the current screen whose shortcuts were pressed in this frame, and consumes the keys.
pub(crate) fn pressed_actions(ui: &Ui, shared: &Shared) -> Vec<Action> {
    actions_of_screen(shared)
        .filter(|entry| !entry.has_local_shortcut)
        .filter(|entry| {
            let Some(shortcut) = entry.shortcut else {
                return false;
            };
            // Some systems report AltGr as Ctrl and Alt. A character typed with AltGr must not
            // count as a shortcut.
            if !shortcut.modifiers.alt && ui.input(|input| input.modifiers.alt) {
                return false;
            }
            let taken = ui.input_mut(|input| input.consume_shortcut(&shortcut));
            if taken && shortcut.modifiers.alt {
                // Alt and a digit may also send the digit as text.
                let is_text = |event: &Event| matches!(event, Event::Text(_));
                ui.input_mut(|input| input.events.retain(|event| !is_text(event)));
            }
            taken
        })
        .map(|entry| entry.action)
        .collect()
}

/// Returns whether this action's shortcut was pressed, and consumes the key. Used for actions with
/// [`ActionEntry::has_local_shortcut`].
pub(crate) fn consume_shortcut(ui: &Ui, action: Action) -> bool {
    let shortcut = action.entry().shortcut;
    shortcut.is_some_and(|shortcut| ui.input_mut(|input| input.consume_shortcut(&shortcut)))
}

/// The shortcut of an action, and whether it is local.
#[derive(Clone, Copy)]
struct Keys(Option<KeyboardShortcut>, bool);

const NO_KEY: Keys = Keys(None, false);

const fn with(modifiers: Modifiers, key: Key) -> Keys {
    Keys(Some(KeyboardShortcut::new(modifiers, key)), false)
}

const fn key(key: Key) -> Keys {
    with(Modifiers::NONE, key)
}

const fn ctrl(key: Key) -> Keys {
    with(Modifiers::COMMAND, key)
}

const fn ctrl_shift(key: Key) -> Keys {
    with(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}

const fn alt(key: Key) -> Keys {
    with(Modifiers::ALT, key)
}

const fn alt_shift(key: Key) -> Keys {
    with(Modifiers::ALT.plus(Modifiers::SHIFT), key)
}

/// Makes a shortcut local: see [`ActionEntry::has_local_shortcut`].
const fn local(keys: Keys) -> Keys {
    Keys(keys.0, true)
}

/// Where an action is available: on which screen, and whether only on Track's table.
struct Place(Option<Screen>, bool);

const EVERYWHERE: Place = Place(None, false);
const CONSIGN: Place = Place(Some(Screen::Consign), false);
const DISPATCH: Place = Place(Some(Screen::Dispatch), false);
const LABELS: Place = Place(Some(Screen::Labels), false);
const TRACK: Place = Place(Some(Screen::Track), false);
const TRACK_TABLE: Place = Place(Some(Screen::Track), true);
const OPERATIONS: Place = Place(Some(Screen::Operations), false);
const ORDERS: Place = Place(Some(Screen::OrderFolder), false);
const SETTINGS: Place = Place(Some(Screen::Settings), false);

/// Defines `Action` and `ACTIONS`: variant, name, icon, shortcut, place, command and tooltip of each action.
macro_rules! actions {
    ($($action:ident $name:literal $icon:ident $keys:expr, $place:expr, $command:expr, $tooltip:literal;)+) => {
        /// Something that the clerk can do by a shortcut, by a button or from the command palette.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "each is described in `ACTIONS`")]
        pub enum Action {
            $($action),+
        }

        /// All actions, in the order of `Action` and in which the command palette lists them.
        pub static ACTIONS: &[ActionEntry] = &[$(ActionEntry {
            action: Action::$action,
            name: $name,
            icon: icons::$icon,
            shortcut: $keys.0,
            has_local_shortcut: $keys.1,
            tooltip: $tooltip,
            screen: $place.0,
            needs_track_table: $place.1,
            command: $command,
        }),+];
    };
}

with_screens! {
    ($([$Screen:ident $screen:ident] $types:tt [$show:ident $name:literal $icon:ident $keys:expr, $tooltip:literal])+) => {
        impl Screen {
            /// Returns the action that shows the screen.
            pub const fn action(self) -> Action {
                match self {
                    $(Self::$Screen => Action::$show),+
                }
            }
        }

        actions! {
            SendAll "Send all ready…" ICON_PLAYLIST_ADD_CHECK ctrl_shift(Key::A), CONSIGN, None,
                "Send every draft that has no problems, one after the other";
            // Listed before Ctrl+Enter and Ctrl+O, which would also match with Shift held.
            SavePending "Save as pending" ICON_CLOUD_UPLOAD ctrl_shift(Key::Enter), CONSIGN, Some(Command::Consign(ConsignCommand::SavePending)),
                "Save it at the service as pending, so that someone can complete it later";
            LeaveDraft "Leave for any bench" ICON_OUTBOX alt(Key::L), CONSIGN, Some(Command::Consign(ConsignCommand::Handover(HandoverCommand::LeaveOpen))),
                "Let any bench of the workgroup take this draft over";
            TakeNextOrder "Take the next order" ICON_MOVE_TO_INBOX alt(Key::T), CONSIGN, Some(Command::Consign(ConsignCommand::Handover(HandoverCommand::TakeNext))),
                "Take over the draft that is ready and has waited longest for any bench";
            RestoreDraft "Restore" ICON_UNDO ctrl_shift(Key::O), CONSIGN, Some(Command::Consign(ConsignCommand::RestoreDraft)),
                "Restore the draft that was removed last";
            Send "Send" ICON_SEND ctrl(Key::Enter), CONSIGN, Some(Command::Consign(ConsignCommand::Send)),
                "Create the consignment at the service";
            NextDraft "Save draft" ICON_SAVE ctrl(Key::N), CONSIGN, Some(Command::Consign(ConsignCommand::NewDraft)),
                "Save this draft and start a new consignment";
            Drafts "Drafts…" ICON_DRAFTS ctrl(Key::O), CONSIGN, None, "Find, open or remove drafts on this bench";
            DiscardChanges "Discard changes" ICON_CANCEL NO_KEY, CONSIGN, None, "Keep the consignment as it was";
            Sender "Sender" ICON_WAREHOUSE alt(Key::Num1), CONSIGN, None, "Go to the sender";
            Receiver "Receiver" ICON_LOCATION_ON alt(Key::Num2), CONSIGN, None, "Go to the receiver";
            Goods "Goods" ICON_PACKAGE_2 alt(Key::Num3), CONSIGN, None, "Go to the first goods line";
            // Listed before Ctrl+L, which would also match with Shift held.
            RemoveLine "Remove line" ICON_DELETE ctrl_shift(Key::L), CONSIGN, None, "Remove the current goods line";
            AddLine "Add line" ICON_ADD ctrl(Key::L), CONSIGN, None, "Add a goods line";
            DuplicateLine "Duplicate line" ICON_CONTENT_COPY ctrl_shift(Key::D), CONSIGN, None, "Copy the current goods line below it";
            LineUp "Move line up" ICON_ARROW_UPWARD local(alt(Key::ArrowUp)), CONSIGN, None, "Move the current goods line up";
            LineDown "Move line down" ICON_ARROW_DOWNWARD local(alt(Key::ArrowDown)), CONSIGN, None, "Move the current goods line down";
            TakeWeight "Take weight" ICON_SCALE alt(Key::K), CONSIGN, None, "Take the weight from the scale for the current goods line";
            SavedItem "Saved item" ICON_BOOKMARK ctrl(Key::B), CONSIGN, None, "Use a saved item by its SKU, or type the values";
            RedoGoods "Redo goods" ICON_REDO local(ctrl(Key::Y)), CONSIGN, None, "Redo the change of the goods that was undone";
            Undo "Undo" ICON_UNDO local(ctrl(Key::Z)), EVERYWHERE, None, "Undo the last change to the goods, or a deletion that has not been sent yet";
            Customs "Customs" ICON_PUBLIC ctrl(Key::I), CONSIGN, None, "Customs details for the current goods line";
            DangerousGoods "Dangerous goods" ICON_STAT_0 ctrl(Key::D), CONSIGN, None, "Dangerous goods in the current goods line";
            AddSubRow "Add DG item or contents" ICON_ADD alt(Key::N), CONSIGN, None, "Add a DG item or a line of contents to the open form";
            Options "Options" ICON_TUNE alt(Key::Num4), CONSIGN, None, "Tailgate, receiver pays, tracking e-mail and more";
            References "Item references" ICON_BARCODE alt(Key::R), CONSIGN, None, "Paste or scan the carrier's number for each piece";
            Tailgate "Tailgate" ICON_TUNE alt(Key::Num5), CONSIGN, None, "Hydraulic tailgate required";
            Crane "Crane truck" ICON_TUNE alt(Key::Num6), CONSIGN, None, "Crane truck required";
            Residential "Residential" ICON_TUNE alt(Key::Num7), CONSIGN, None, "Residential delivery";
            AuthorityToLeave "Authority to leave" ICON_TUNE alt(Key::Num8), CONSIGN, None, "May be left without a signature";
            HandUnload "Hand unload" ICON_TUNE alt(Key::Num9), CONSIGN, None, "Unloaded by hand";
            SwapAddress "Saved location or address" ICON_SWAP_HORIZ alt(Key::A), CONSIGN, None,
                "Switch between a saved location and a typed address; both are kept";
            RepeatOrder "Repeat the last order" ICON_REPLAY alt(Key::O), CONSIGN, None,
                "Use the goods, options and carrier of the last order to this receiver";
            PackByScan "Pack by scan" ICON_BARCODE_SCANNER alt(Key::P), CONSIGN, None,
                "Pack this order by scan, or go to the list of what is packed";
            StopPacking "Stop packing by scan" ICON_STOP_CIRCLE alt(Key::Q), CONSIGN, None,
                "Forget what was counted, and scan goods into the form again";
            SwapSides "Swap sender and receiver" ICON_SWAP_HORIZ alt(Key::X), CONSIGN, None, "Exchange the sender and the receiver";
            International "International" ICON_PUBLIC alt(Key::B), CONSIGN, None, "An address in another country";
            SecondLine "Address line 2" ICON_PLAYLIST_ADD alt(Key::S), CONSIGN, None, "A second line for the street";
            FindRoutes "Find routes" ICON_ALT_ROUTE ctrl(Key::R), CONSIGN, Some(Command::Consign(ConsignCommand::FindRoutes)),
                "Ask the carriers for prices and times at once";
            Cheapest "Cheapest" ICON_SAVINGS alt(Key::C), CONSIGN, None, "Let the service pick the lowest price";
            Fastest "Fastest" ICON_BOLT alt(Key::F), CONSIGN, None, "Let the service pick the earliest arrival";
            CarrierWithoutPrice "Carrier…" ICON_LOCAL_SHIPPING alt(Key::W), CONSIGN, None,
                "Pick a carrier, its account and service without asking for prices";
            Presets "Presets…" ICON_BOOKMARKS ctrl_shift(Key::P), CONSIGN, None, "Fill in goods, options and carrier from a preset";
            SavePreset "Save as preset…" ICON_BOOKMARK_ADD ctrl_shift(Key::S), CONSIGN, None,
                "Save the goods, options and carrier as a preset, with a name and a shortcut";
            ImportOrders "Import orders…" ICON_UPLOAD_FILE ctrl(Key::U), CONSIGN, None, "Create drafts from a CSV file of orders";
            Filter "Filter" ICON_SEARCH ctrl(Key::F), DISPATCH, None, "Show only results that contain every word you type";
            Refresh "Refresh" ICON_REFRESH key(Key::F8), DISPATCH, Some(Command::Dispatch(DispatchCommand::Refresh)),
                "Refresh the unmanifested consignments";
            Group "Group" ICON_STACKS ctrl(Key::G), DISPATCH, None, "Group the ticked consignments for pickup, or all if none are ticked";
            Book "Book groups" ICON_LOCAL_SHIPPING local(ctrl(Key::Enter)), DISPATCH, None, "Hold to book the pickups with the carriers";
            StopBooking "Stop booking" ICON_STOP_CIRCLE alt(Key::X), DISPATCH, None, "Stop after the group that is being booked";
            NextPickup "Next pickup" ICON_SCHEDULE alt(Key::P), DISPATCH, None, "Go to the next group's pickup time, starting with groups that have a problem";
            ReturnToGroup "Return to group" ICON_UNDO alt(Key::Z), DISPATCH, None, "Return the consignment that was removed last to its group";
            Manifests "Booked manifests" ICON_RECEIPT_LONG ctrl(Key::M), DISPATCH, None, "Find, show, print and save booked manifests";
            SaveManifest "Save manifest…" ICON_FILE_SAVE ctrl(Key::S), DISPATCH, None, "Save the booked manifest that is shown as PDF";
            PrintChosen "Print" ICON_PRINT ctrl(Key::P), DISPATCH, None, "Print the labels of the ticked consignments";
            ShowLabel "Show label" ICON_LABEL alt(Key::L), DISPATCH, None, "See the label of this consignment";
            // Listed before Ctrl+E, which would also match with Shift held.
            ExportWaiting "Export…" ICON_DOWNLOAD ctrl_shift(Key::E), DISPATCH, None, "Save the list that is shown as a file for a spreadsheet";
            Change "Change" ICON_EDIT ctrl(Key::E), DISPATCH, None, "Change this consignment, as long as it is not manifested";
            CloneChosen "Clone" ICON_CONTENT_COPY ctrl_shift(Key::N), DISPATCH, None, "Begin a new consignment like this one";
            ReturnChosen "Return" ICON_ASSIGNMENT_RETURN alt_shift(Key::R), DISPATCH, None, "Begin a new consignment that sends the goods back";
            Delete "Delete…" ICON_DELETE local(key(Key::Delete)), DISPATCH, None, "Delete the ticked consignments at the service, or the one under the cursor";
            ToggleHold "Put on hold or release" ICON_PAUSE_CIRCLE ctrl(Key::H), DISPATCH, None, "Leave these out when you group all consignments, until you release them";
            // Listed before Ctrl+C, which would also match with Shift held.
            CopyRows "Copy rows" ICON_CONTENT_COPY ctrl_shift(Key::C), DISPATCH, None, "Copy the ticked rows with column headings, for a spreadsheet";
            CopyCell "Copy cell" ICON_CONTENT_COPY local(ctrl(Key::C)), DISPATCH, None, "Copy the marked column of the row under the cursor, or its number";
            RowMenu "Row menu" ICON_MORE_HORIZ local(with(Modifiers::SHIFT, Key::F10)), DISPATCH, None, "All actions for these rows";
            ShowOnTrack "Show on Track" ICON_TRACK_CHANGES ctrl(Key::T), DISPATCH, None, "This consignment's history, files and tracking page";
            Columns "Columns…" ICON_VIEW_COLUMN alt(Key::C), DISPATCH, None, "Choose columns and their order";
            Views "View" ICON_BOOKMARKS alt(Key::V), DISPATCH, None, "Show a saved view of the list";
            SaveView "Save view…" ICON_BOOKMARK_ADD alt(Key::W), DISPATCH, None, "Save the filter, order, columns and widths as a view";
            ServicePrinter "Service printer…" ICON_CLOUD_UPLOAD alt(Key::S), LABELS, None,
                "Print the ticked labels, or the one shown, on one of the service's own printers";
            ConsignmentDocuments "Documents" ICON_DESCRIPTION alt(Key::D), LABELS, None, "Print or save a packing slip, consignment note, invoice or dangerous goods document";
            Reprint "Reprint label…" ICON_REPLAY ctrl_shift(Key::R), LABELS, None, "Reprint the label shown, with a reason";
            ResumePrinting "Resume printing" ICON_PLAY_ARROW alt(Key::C), LABELS, None, "Print the remaining labels of the batch";
            Print "Print labels" ICON_PRINT ctrl(Key::P), LABELS, None, "Print the ticked labels in the order of the queue, or the one shown";
            ReprintLast "Reprint last…" ICON_HISTORY alt(Key::R), LABELS, None, "Reprint the last label or the last batch, with a reason";
            RetryPrinting "Try printing again" ICON_REPLAY ctrl(Key::Enter), LABELS, None, "Try the failed label again, then print the rest";
            StopPrinting "Stop printing" ICON_STOP_CIRCLE ctrl(Key::Period), LABELS, None, "Stop the batch; labels already sent to the printer still print";
            CancelRemainingLabels "Cancel remaining labels" ICON_CLOSE alt(Key::L), LABELS, None, "Don't print the remaining labels now; they stay in the queue";
            SavePdf "Save PDF…" ICON_FILE_SAVE ctrl(Key::S), LABELS, None, "Save the label files of the ticked consignments, or of the one shown";
            FetchLabel "Get the label again" ICON_SYNC alt(Key::G), LABELS, None, "Download the label shown again";
            PrintAnyway "Print anyway…" ICON_WARNING alt(Key::A), LABELS, None, "Print the label shown although it failed verification, with a reason";
            FilterLabels "Filter" ICON_SEARCH ctrl(Key::F), LABELS, None, "Show only labels that contain every word you type";
            QueueAll "All labels" ICON_LIST alt(Key::Num1), LABELS, None, "List every label";
            QueueWaiting "Waiting labels" ICON_LIST alt(Key::Num2), LABELS, None, "List labels that aren't printed yet or have changed since";
            QueueFailed "Failed labels" ICON_LIST alt(Key::Num3), LABELS, None, "List labels that weren't sent or failed verification";
            QueueToCheck "Labels to check" ICON_LIST alt(Key::Num4), LABELS, None, "List labels that may have printed: check the printer";
            QueueSent "Sent labels" ICON_LIST alt(Key::Num5), LABELS, None, "List labels sent to a printer or to the service";
            QueueAtPrinter "Labels in a printer queue" ICON_LIST alt(Key::Num6), LABELS, None, "List labels still waiting in a printer's queue";
            ZoomIn "Zoom in" ICON_ZOOM_IN local(key(Key::Plus)), LABELS, None, "See the label larger";
            ZoomOut "Zoom out" ICON_ZOOM_OUT local(key(Key::Minus)), LABELS, None, "See the label smaller";
            ZoomFit "Whole label" ICON_FIT_SCREEN local(key(Key::Num0)), LABELS, None, "See all of the label";
            NextPage "Next page" ICON_CHEVRON_RIGHT ctrl(Key::PageDown), LABELS, None, "The label of the next piece";
            PreviousPage "Previous page" ICON_CHEVRON_LEFT ctrl(Key::PageUp), LABELS, None, "The label of the previous piece";
            NextDocument "Next document" ICON_CHEVRON_RIGHT alt(Key::Period), LABELS, None, "Show the next document of this consignment beside its label";
            AddPrinter "Set up a printer…" ICON_ADD alt(Key::P), LABELS, None, "Find a printer, choose it, test it and tick its documents";
            RefreshPrinters "Refresh printers" ICON_REFRESH key(Key::F8), LABELS,
                Some(Command::Labels(LabelsCommand::RefreshPrinters)), "Refresh the list of printers and their status";
            TestLabel "Test label…" ICON_LABEL alt(Key::T), LABELS, None, "Print rulers and a barcode to scan, on the current printer";
            UseDetectedSettings "Use detected settings" ICON_CHECK alt(Key::U), LABELS, None, "Use the settings that the printer reports";
            TrackBoard "Board" ICON_DASHBOARD alt(Key::Num1), TRACK, None, "Key figures, and what needs attention";
            TrackTable "Table" ICON_TABLE_ROWS alt(Key::Num2), TRACK, None, "All consignments of the period";
            TrackFilter "Filter" ICON_SEARCH ctrl(Key::F), TRACK, None, "Show only results that contain every word you type";
            TrackSearchService "Search the service" ICON_CLOUD_SYNC alt(Key::A), TRACK, None, "Search the service for the filter text, in every number and reference";
            // Listed before Ctrl+C, which would also match with Shift held.
            TrackCopyRows "Copy rows" ICON_CONTENT_COPY ctrl_shift(Key::C), TRACK_TABLE, None, "Copy the ticked rows with column headings, for a spreadsheet";
            TrackCopyCell "Copy cell" ICON_CONTENT_COPY local(ctrl(Key::C)), TRACK_TABLE, None, "Copy the marked column of the row under the cursor, or its number";
            TrackRowMenu "Row menu" ICON_MORE_HORIZ local(with(Modifiers::SHIFT, Key::F10)), TRACK_TABLE, None, "All actions for these rows";
            ShowOnDispatch "Show on Dispatch" ICON_LOCAL_SHIPPING alt(Key::D), TRACK, None, "Show an unmanifested consignment on Dispatch, to group or change it";
            TrackColumns "Columns…" ICON_VIEW_COLUMN alt(Key::C), TRACK_TABLE, None, "Choose columns and their order";
            TrackViews "View" ICON_BOOKMARKS alt(Key::V), TRACK, None, "Show a saved view of the table";
            TrackSaveView "Save view…" ICON_BOOKMARK_ADD alt(Key::W), TRACK_TABLE, None, "Save the filter, order, columns and widths as a view";
            // Listed before Alt+R, which would also match with Shift held.
            ReturnConsignment "Return" ICON_ASSIGNMENT_RETURN alt_shift(Key::R), TRACK, None, "Begin a new consignment that sends the goods of the one shown back";
            RefreshConsignment "Refresh consignment" ICON_REFRESH alt(Key::R), TRACK, None, "Refresh the consignment shown";
            CloseConsignment "Close page" ICON_CLOSE local(key(Key::Escape)), TRACK, None, "Close the page of the consignment";
            // Listed before Alt+N, which would also match with Shift held.
            CopyCarrierNumber "Copy carrier con. number" ICON_CONTENT_COPY alt_shift(Key::N), TRACK, None, "Copy the carrier consignment number for the consignment shown";
            CopyNumber "Copy number" ICON_CONTENT_COPY alt(Key::N), TRACK, None, "Copy the number of the consignment that is shown";
            TrackingPage "Tracking page…" ICON_OPEN_IN_NEW alt(Key::P), TRACK, None, "Open the public page, copy its link or show its QR code";
            ConsignmentLabel "Labels" ICON_LABEL alt(Key::L), TRACK, None, "Show its label on Labels, to reprint it";
            CloneConsignment "Clone" ICON_CONTENT_COPY ctrl_shift(Key::N), TRACK, None, "Begin a new consignment like the one that is shown";
            // Listed before Ctrl+E, which would also match with Shift held.
            ExportList "Export…" ICON_DOWNLOAD ctrl_shift(Key::E), TRACK, None, "Save the list that is shown as a file for a spreadsheet";
            ChangeConsignment "Change" ICON_EDIT ctrl(Key::E), TRACK, None, "Change the consignment shown, as long as it is not manifested";
            SetStatus "Set status…" ICON_EDIT_NOTE alt(Key::U), TRACK, None, "Set the status of the ticked consignments, or of the one shown; this doesn't notify the carrier";
            CancelManifested "Cancel…" ICON_BLOCK alt(Key::X), TRACK, None, "Cancel manifested consignments, ticked or shown; this doesn't notify the carrier";
            TrackPeriod "Period" ICON_DATE_RANGE alt(Key::Num3), TRACK, None, "How many days to show; open consignments are always shown";
            TrackCarrier "Carrier" ICON_LOCAL_SHIPPING alt(Key::Num4), TRACK, None, "Show one carrier, or all";
            TrackCompanies "Company" ICON_ACCOUNT_TREE alt(Key::Num5), TRACK, None, "Show one company, or the bench's company and all below it";
            TrackSync "Sync now" ICON_SYNC key(Key::F8), TRACK, Some(Command::Track(TrackCommand::Sync { whole: true })),
                "Fetch all consignments from the service now";
            TrackThresholds "Exception thresholds…" ICON_TUNE alt(Key::T), TRACK, None, "After how many hours something is late, not collected or not scanned";
            TrackScope "Tracking scope…" ICON_APARTMENT alt(Key::F), TRACK, None, "Choose the company and carrier to track";
            MarkExceptionsSeen "Mark exceptions as seen" ICON_CHECK alt(Key::S), TRACK, Some(Command::Track(TrackCommand::SeenExceptions)),
                "Mark all new exceptions as seen";
            DaySheet "Day sheet" ICON_PRINT alt(Key::Y), TRACK, None, "A summary of the day to print: sent, late and exceptions";
            ProofOfDelivery "Proof of delivery" ICON_ATTACH_FILE alt(Key::O), TRACK, None, "Show the proof of delivery of the consignment that is open";
            SaveFiles "Save files…" ICON_FILE_SAVE ctrl(Key::S), TRACK, None, "Save all files of the consignment that is open";
            ExportOperations "Export…" ICON_DOWNLOAD ctrl_shift(Key::E), OPERATIONS, None, "Save the list that is shown as a file for a spreadsheet";
            SendAgain "Send again" ICON_SEND ctrl(Key::Enter), OPERATIONS, None, "Check once more that it didn't go through, then send it again";
            CheckNow "Check now" ICON_REFRESH key(Key::F8), OPERATIONS, None, "Check with the service now";
            RestartChecks "Wait longer" ICON_SCHEDULE alt(Key::W), OPERATIONS, None, "Start the checks over";
            ConfirmDone "It went through" ICON_CHECK alt(Key::Y), OPERATIONS, None, "You checked, and it went through";
            ConfirmNotDone "It didn't go through" ICON_CLOSE alt(Key::N), OPERATIONS, None, "You checked: it didn't go through, or it is none of these";
            GiveUp "Give up" ICON_CANCEL local(alt(Key::G)), OPERATIONS, None, "Hold to give up: only if you know the outcome";
            FilterOperations "Filter" ICON_SEARCH ctrl(Key::F), OPERATIONS, None, "Show only results that contain every word you type";
            AllBenches "All benches" ICON_GROUPS alt(Key::B), OPERATIONS, None, "Show all benches of the workgroup and their operations";
            AllOperations "Open or all" ICON_LIST alt(Key::O), OPERATIONS, None, "Show open operations, or all operations";
            $($show $name $icon $keys, EVERYWHERE, Some(Command::Show(Screen::$Screen)), $tooltip;)+
            SendReadyOrders "Send ready orders" ICON_PLAYLIST_ADD_CHECK ctrl(Key::Enter), ORDERS, None, "Send every order from the folder that has no problems";
            LookIntoFolder "Check now" ICON_REFRESH key(Key::F8), ORDERS, None, "Look into the folder of orders now";
            SaveSettings "Save" ICON_SAVE ctrl(Key::S), SETTINGS, None, "Save these settings";
            TryConnection "Test connection" ICON_CLOUD_SYNC alt(Key::T), SETTINGS, None,
                "Check that the service responds and what the token allows; nothing is changed";
            UseConnection "Switch to this service" ICON_SWAP_HORIZ alt(Key::U), SETTINGS, None, "Switch from the present service to this one";
            AddDocumentRule "Add a rule…" ICON_ADD alt(Key::A), SETTINGS, None, "Say which document is printed, on which printer and when";
            SetUpPrinter "Set up a printer…" ICON_PRINT alt(Key::P), SETTINGS, None, "Find a printer, choose it, test it and tick its documents";
            TestScale "Test the scale" ICON_SCALE alt(Key::S), SETTINGS, None, "Put something on the scale, and see the weight that would be taken";
            RefreshScales "Refresh" ICON_REFRESH key(Key::F8), SETTINGS, None, "Look again for scales, scanners and serial ports";
            NewConnection "Add a connection…" ICON_ADD ctrl(Key::N), SETTINGS, None, "Set up another service";
            Practise "Practise" ICON_SCHOOL NO_KEY, EVERYWHERE, Some(Command::Settings(SettingsCommand::Practise)),
                "Work with the practice service on this computer";
            Search "Scan or search" ICON_BARCODE_SCANNER key(Key::F9), EVERYWHERE, None, "Find any number, reference or name";
            PracticeDrill "Practice drill…" ICON_THUNDERSTORM NO_KEY, EVERYWHERE, None, "Choose the practice user, the carriers' speed and the faults";
            Theme "Light or dark" ICON_CONTRAST NO_KEY, EVERYWHERE, None, "Change the colours";
            Messages "Messages" ICON_HISTORY NO_KEY, EVERYWHERE, None, "All messages, including earlier ones";
            Reconnect "Reconnect" ICON_CLOUD_SYNC key(Key::F7), EVERYWHERE, Some(Command::Window(WindowCommand::Reconnect)),
                "Check the connection now, and refresh companies, saved locations and the list";
            Help "Help" ICON_HELP key(Key::F1), EVERYWHERE, None, "The shortcuts of this screen, the guide, and support";
            Guide "Guide" ICON_MENU_BOOK NO_KEY, EVERYWHERE, None, "Read how everything works";
            SupportBundle "Support bundle…" ICON_FOLDER_ZIP NO_KEY, EVERYWHERE, None, "A file for the people who support you, without tokens and without data of senders and receivers";
            About "About Packbench" ICON_INFO NO_KEY, EVERYWHERE, None, "Version, newer versions and licences";
            Tour "Tour" ICON_TOUR NO_KEY, EVERYWHERE, None, "What each screen is for, in a minute";
            CommandPalette "All actions" ICON_KEYBOARD_COMMAND_KEY ctrl(Key::K), EVERYWHERE, None, "Find an action by name";
        }
    };
}
