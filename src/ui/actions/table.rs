//! The table of all actions, in the order in which the command palette (Ctrl+K) lists them.

use egui::{Key, KeyboardShortcut, Modifiers};

use super::super::kit::icons;
use super::{Action, ActionEntry};
use crate::state::{
    Command, ConsignCommand, DispatchCommand, LabelsCommand, Screen, SettingsCommand, TrackCommand,
    WindowCommand,
};

const fn key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn ctrl_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}

const fn alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT, key)
}

const fn alt_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT.plus(Modifiers::SHIFT), key)
}

const CONSIGN: Option<Screen> = Some(Screen::Consign);
const DISPATCH: Option<Screen> = Some(Screen::Dispatch);
const LABELS: Option<Screen> = Some(Screen::Labels);
const TRACK: Option<Screen> = Some(Screen::Track);
const OPERATIONS: Option<Screen> = Some(Screen::Operations);
const SETTINGS: Option<Screen> = Some(Screen::Settings);

/// Defines `ACTIONS`: variant, name, icon, shortcut, screen, command and tooltip of each action.
macro_rules! actions {
    ($($action:ident $name:literal $icon:ident $shortcut:expr, $screen:expr, $command:expr, $tooltip:literal;)+) => {
        /// All actions, in the order in which the command palette lists them.
        pub static ACTIONS: &[ActionEntry] = &[$(ActionEntry {
            action: Action::$action,
            name: $name,
            icon: icons::$icon,
            shortcut: $shortcut,
            tooltip: $tooltip,
            screen: $screen,
            command: $command,
        }),+];
    };
}

actions! {
    SendAll "Send all ready…" ICON_PLAYLIST_ADD_CHECK Some(ctrl_shift(Key::A)), CONSIGN, None,
        "Send every draft that nothing is wrong with, one after the other";
    // Listed before Ctrl+Enter and Ctrl+O, which would also match with Shift held.
    SavePending "Save as pending" ICON_CLOUD_UPLOAD Some(ctrl_shift(Key::Enter)), CONSIGN, Some(Command::Consign(ConsignCommand::SavePending)),
        "Save what is typed at the service, to be completed later by whoever has the rest";
    RestoreDraft "Bring back" ICON_UNDO Some(ctrl_shift(Key::O)), CONSIGN, Some(Command::Consign(ConsignCommand::RestoreDraft)),
        "Open the draft again that was thrown away last";
    Send "Send" ICON_SEND Some(ctrl(Key::Enter)), CONSIGN, Some(Command::Consign(ConsignCommand::Send)),
        "Create the consignment with the service";
    NextDraft "Keep as draft" ICON_SAVE Some(ctrl(Key::N)), CONSIGN, Some(Command::Consign(ConsignCommand::NewDraft)),
        "Keep what is typed and begin another consignment";
    Drafts "Drafts…" ICON_DRAFTS Some(ctrl(Key::O)), CONSIGN, None, "Find, open or throw away what is kept on this bench";
    DiscardChanges "Stop changing" ICON_CANCEL None, CONSIGN, None, "Leave the consignment as it is at the service";
    Sender "Sender" ICON_WAREHOUSE Some(alt(Key::Num1)), CONSIGN, None, "Go to where it leaves from";
    Receiver "Receiver" ICON_LOCATION_ON Some(alt(Key::Num2)), CONSIGN, None, "Go to where it goes";
    Goods "Goods" ICON_PACKAGE_2 Some(alt(Key::Num3)), CONSIGN, None, "Go to the first line of goods";
    // Listed before Ctrl+L, which would also match with Shift held.
    RemoveLine "Take line away" ICON_DELETE Some(ctrl_shift(Key::L)), CONSIGN, None, "Take the line of goods away that you are in";
    AddLine "Line" ICON_ADD Some(ctrl(Key::L)), CONSIGN, None, "Add a line of goods";
    DuplicateLine "Duplicate line" ICON_CONTENT_COPY Some(ctrl_shift(Key::D)), CONSIGN, None, "The line of goods that you are in once more, below it";
    LineUp "Move line up" ICON_ARROW_UPWARD Some(alt(Key::ArrowUp)), CONSIGN, None, "The line of goods that you are in changes places with the one above";
    LineDown "Move line down" ICON_ARROW_DOWNWARD Some(alt(Key::ArrowDown)), CONSIGN, None, "The line of goods that you are in changes places with the one below";
    SavedItem "Saved item" ICON_BOOKMARK Some(ctrl(Key::B)), CONSIGN, None, "The line is a saved item of the service by its SKU, or its values are typed";
    RedoGoods "Redo goods" ICON_REDO Some(ctrl(Key::Y)), CONSIGN, None, "Make the change of the goods again that was taken back";
    Undo "Undo" ICON_UNDO Some(ctrl(Key::Z)), None, None, "Undo the newest change: a deletion that was not sent yet, or a change of the goods";
    Customs "Customs" ICON_PUBLIC Some(ctrl(Key::I)), CONSIGN, None, "What customs are told of the line that you are in";
    DangerousGoods "Dangerous goods" ICON_STAT_0 Some(ctrl(Key::D)), CONSIGN, None, "Dangerous goods in the line that you are in";
    AddSubRow "Another good or contents" ICON_ADD Some(alt(Key::N)), CONSIGN, None, "One more dangerous good, or one more kind of contents, in the sub-form that is open";
    Options "Options" ICON_TUNE Some(alt(Key::Num4)), CONSIGN, None, "Tailgate, receiver pays, tracking e-mail and more";
    References "Item references" ICON_BARCODE Some(alt(Key::R)), CONSIGN, None, "The carrier's own number of each piece, pasted or scanned";
    Tailgate "Tailgate" ICON_TUNE Some(alt(Key::Num5)), CONSIGN, None, "A hydraulic tailgate is required, or not";
    Crane "Crane truck" ICON_TUNE Some(alt(Key::Num6)), CONSIGN, None, "A crane truck is required, or not";
    Residential "Residential" ICON_TUNE Some(alt(Key::Num7)), CONSIGN, None, "It goes to where people live, or not";
    AuthorityToLeave "Authority to leave" ICON_TUNE Some(alt(Key::Num8)), CONSIGN, None, "It may be left without a signature, or not";
    HandUnload "Hand unload" ICON_TUNE Some(alt(Key::Num9)), CONSIGN, None, "It is unloaded by hand, or not";
    SwapAddress "Saved location or address" ICON_SWAP_HORIZ Some(alt(Key::A)), CONSIGN, None,
        "Type an address instead of picking a saved location, or the other way round; nothing is lost";
    International "Abroad" ICON_PUBLIC Some(alt(Key::B)), CONSIGN, None, "An address in another country";
    SecondLine "Second address line" ICON_PLAYLIST_ADD Some(alt(Key::S)), CONSIGN, None, "A second line for the street";
    FindRoutes "Find routes" ICON_ALT_ROUTE Some(ctrl(Key::R)), CONSIGN, Some(Command::Consign(ConsignCommand::FindRoutes)),
        "Ask the carriers for prices and times at once";
    Cheapest "Cheapest" ICON_SAVINGS Some(alt(Key::C)), CONSIGN, None, "Let the service pick the lowest price";
    Fastest "Fastest" ICON_BOLT Some(alt(Key::F)), CONSIGN, None, "Let the service pick the earliest arrival";
    CarrierWithoutPrice "Carrier…" ICON_LOCAL_SHIPPING Some(alt(Key::W)), CONSIGN, None,
        "Pick a carrier, its account and service without asking for prices";
    Presets "Presets…" ICON_BOOKMARKS Some(ctrl_shift(Key::P)), CONSIGN, None, "Fill in goods, options and carrier as you keep them";
    SavePreset "Save as preset…" ICON_BOOKMARK_ADD Some(ctrl_shift(Key::S)), CONSIGN, None,
        "Keep the goods, options and carrier that are typed, under a name and a key";
    ImportOrders "Import orders…" ICON_UPLOAD_FILE Some(ctrl(Key::U)), CONSIGN, None, "Make drafts of a CSV file of orders";
    Filter "Filter" ICON_SEARCH Some(ctrl(Key::F)), DISPATCH, None, "Show only what holds every word typed";
    Refresh "Fetch again" ICON_REFRESH Some(key(Key::F8)), DISPATCH, Some(Command::Dispatch(DispatchCommand::Refresh)),
        "Fetch the unmanifested consignments again";
    Group "Group" ICON_STACKS Some(ctrl(Key::G)), DISPATCH, None, "Group the ticked consignments for pickup, or all of them";
    Book "Book groups" ICON_LOCAL_SHIPPING Some(ctrl(Key::Enter)), DISPATCH, None, "Hold to book the pickups with the carriers";
    StopBooking "Stop booking" ICON_STOP_CIRCLE Some(alt(Key::X)), DISPATCH, None, "Book nothing more after the group that is being booked";
    NextPickup "Next pickup" ICON_SCHEDULE Some(alt(Key::P)), DISPATCH, None, "Go to the next group's pickup time; first to those that something is wrong with";
    ReturnToGroup "Back into its group" ICON_UNDO Some(alt(Key::Z)), DISPATCH, None, "Put the consignment back that was taken out of its group last";
    Manifests "Booked manifests" ICON_RECEIPT_LONG Some(ctrl(Key::M)), DISPATCH, None, "Find, show, print and save what was booked";
    SaveManifest "Save manifest…" ICON_FILE_SAVE Some(alt(Key::S)), DISPATCH, None, "Save the booked manifest that is shown as PDF";
    PrintChosen "Print" ICON_PRINT Some(ctrl(Key::P)), DISPATCH, None, "Print the labels of the ticked consignments";
    ShowLabel "Show label" ICON_LABEL Some(ctrl(Key::O)), DISPATCH, None, "See the label of this consignment";
    // Listed before Ctrl+E, which would also match with Shift held.
    ExportWaiting "Export…" ICON_DOWNLOAD Some(ctrl_shift(Key::E)), DISPATCH, None, "Save the list that is shown as a file for a spreadsheet";
    Change "Change" ICON_EDIT Some(ctrl(Key::E)), DISPATCH, None, "Change this consignment, as long as it is not manifested";
    CloneChosen "Clone" ICON_CONTENT_COPY Some(ctrl(Key::D)), DISPATCH, None, "Begin a new consignment like this one";
    Delete "Delete…" ICON_DELETE Some(key(Key::Delete)), DISPATCH, None, "Delete the ticked consignments at the service, or the one under the cursor";
    ToggleHold "Hold back or let go" ICON_PAUSE_CIRCLE Some(ctrl(Key::H)), DISPATCH, None, "Keep these out of the groups of all until they are let go";
    // Listed before Ctrl+C, which would also match with Shift held.
    CopyRows "Copy rows" ICON_CONTENT_COPY Some(ctrl_shift(Key::C)), DISPATCH, None, "Copy the ticked rows as they are listed, with heads, for a spreadsheet";
    CopyCell "Copy cell" ICON_CONTENT_COPY Some(ctrl(Key::C)), DISPATCH, None, "Copy the marked column of the row under the cursor, or its number";
    RowMenu "Row menu" ICON_MORE_HORIZ Some(KeyboardShortcut::new(Modifiers::SHIFT, Key::F10)), DISPATCH, None, "All that can be done with these rows";
    ShowOnTrack "Show on Track" ICON_TRACK_CHANGES Some(ctrl(Key::T)), DISPATCH, None, "What became of this consignment: its history, files and tracking page";
    Columns "Columns…" ICON_VIEW_COLUMN Some(alt(Key::C)), DISPATCH, None, "Choose columns and their order";
    Views "View" ICON_BOOKMARKS Some(alt(Key::V)), DISPATCH, None, "Show the list as it was saved under a name";
    SaveView "Save view…" ICON_BOOKMARK_ADD Some(ctrl(Key::S)), DISPATCH, None, "Keep filter, order, columns and widths under a name";
    // Listed before Ctrl+P, Ctrl+R and Ctrl+Enter, which would also match with Shift held.
    ServicePrinter "Service printer…" ICON_CLOUD_UPLOAD Some(ctrl_shift(Key::P)), LABELS, None,
        "Print the ticked labels, or the one shown, on one of the service's own printers";
    Reprint "Reprint this one…" ICON_REPLAY Some(ctrl_shift(Key::R)), LABELS, None, "Print the label shown again, with a reason";
    ResumePrinting "Go on printing" ICON_PLAY_ARROW Some(ctrl_shift(Key::Enter)), LABELS, None, "Print what a batch has left";
    Print "Print labels" ICON_PRINT Some(ctrl(Key::P)), LABELS, None, "Print the ticked labels in the order of the queue, or the one shown";
    ReprintLast "Reprint the last…" ICON_HISTORY Some(ctrl(Key::R)), LABELS, None, "Print again what was printed last, one label or the whole batch, with a reason";
    RetryPrinting "Try printing again" ICON_REPLAY Some(ctrl(Key::Enter)), LABELS, None, "Go on with the label that was not taken, then the rest";
    StopPrinting "Stop printing" ICON_STOP_CIRCLE Some(ctrl(Key::Period)), LABELS, None, "Print no further label of the batch; what was handed over stays so";
    CancelRemainingLabels "Leave what is left" ICON_CLOSE Some(ctrl(Key::L)), LABELS, None, "Don't print what a batch has left: it waits in the queue";
    SavePdf "Save PDF…" ICON_FILE_SAVE Some(ctrl(Key::S)), LABELS, None, "Save the label files of the ticked consignments, or of the one shown";
    FetchLabel "Get the label again" ICON_SYNC Some(ctrl(Key::G)), LABELS, None, "Ask the service for the file of the label shown once more";
    PrintAnyway "Print it all the same…" ICON_WARNING Some(ctrl(Key::D)), LABELS, None, "Print the label shown although it fails the check, with a reason";
    FilterLabels "Filter" ICON_SEARCH Some(ctrl(Key::F)), LABELS, None, "Show only labels that hold every word typed";
    QueueAll "All labels" ICON_LIST Some(alt(Key::Num1)), LABELS, None, "List every label";
    QueueWaiting "Waiting labels" ICON_LIST Some(alt(Key::Num2)), LABELS, None, "List what is not printed yet, or changed since";
    QueueFailed "Failed labels" ICON_LIST Some(alt(Key::Num3)), LABELS, None, "List what was not sent, or fails the check";
    QueueToCheck "Labels to look at" ICON_LIST Some(alt(Key::Num4)), LABELS, None, "List what may have come out: look at the printer";
    QueueSent "Sent labels" ICON_LIST Some(alt(Key::Num5)), LABELS, None, "List what was sent to a printer, or left to the service";
    QueueAtPrinter "Labels in a queue" ICON_LIST Some(alt(Key::Num6)), LABELS, None, "List what still waits in the queue of a printer";
    ZoomIn "Zoom in" ICON_ZOOM_IN Some(key(Key::Plus)), LABELS, None, "See the label larger";
    ZoomOut "Zoom out" ICON_ZOOM_OUT Some(key(Key::Minus)), LABELS, None, "See the label smaller";
    ZoomFit "Whole label" ICON_FIT_SCREEN Some(key(Key::Num0)), LABELS, None, "See all of the label";
    NextPage "Next page" ICON_CHEVRON_RIGHT Some(ctrl(Key::PageDown)), LABELS, None, "The label of the next piece";
    PreviousPage "Previous page" ICON_CHEVRON_LEFT Some(ctrl(Key::PageUp)), LABELS, None, "The label of the piece before";
    AddPrinter "Set up a printer…" ICON_ADD None, LABELS, None, "A queue of this machine, a label printer's address or a file";
    RefreshPrinters "Look at the printers again" ICON_REFRESH Some(key(Key::F8)), LABELS,
        Some(Command::Labels(LabelsCommand::RefreshPrinters)), "See which printers there are and how they are";
    TestLabel "Test label…" ICON_LABEL Some(alt(Key::T)), LABELS, None, "Rulers, and a code to scan back, on the printer that labels go to";
    UseDetectedSettings "Take it over" ICON_CHECK Some(alt(Key::U)), LABELS, None, "Set the printer to what it says of itself";
    TrackBoard "Board" ICON_DASHBOARD Some(alt(Key::Num1)), TRACK, None, "Figures, and what needs a person";
    TrackTable "Table" ICON_TABLE_ROWS Some(alt(Key::Num2)), TRACK, None, "Everything seen in the period, row by row";
    TrackFilter "Filter" ICON_SEARCH Some(ctrl(Key::F)), TRACK, None, "Show only what holds every word typed";
    TrackSearchService "Ask the service" ICON_CLOUD_SYNC Some(alt(Key::A)), TRACK, None, "Ask the service for what the filter holds, by every number and reference";
    // Listed before Ctrl+C, which would also match with Shift held.
    TrackCopyRows "Copy rows" ICON_CONTENT_COPY Some(ctrl_shift(Key::C)), TRACK, None, "Copy the ticked rows as they are listed, with heads, for a spreadsheet";
    TrackCopyCell "Copy cell" ICON_CONTENT_COPY Some(ctrl(Key::C)), TRACK, None, "Copy the marked column of the row under the cursor, or its number";
    TrackRowMenu "Row menu" ICON_MORE_HORIZ Some(KeyboardShortcut::new(Modifiers::SHIFT, Key::F10)), TRACK, None, "All that can be done with these rows";
    ShowOnDispatch "Show on Dispatch" ICON_LOCAL_SHIPPING Some(alt(Key::D)), TRACK, None, "Show what waits for its manifest where it is grouped and changed";
    TrackColumns "Columns…" ICON_VIEW_COLUMN Some(alt(Key::C)), TRACK, None, "Choose columns and their order";
    TrackViews "View" ICON_BOOKMARKS Some(alt(Key::V)), TRACK, None, "Show the table as it was saved under a name";
    TrackSaveView "Save view…" ICON_BOOKMARK_ADD Some(alt(Key::W)), TRACK, None, "Keep filter, order, columns and widths under a name";
    RefreshConsignment "Ask about it again" ICON_REFRESH Some(alt(Key::R)), TRACK, None, "Ask the service for the consignment that is shown";
    CloseConsignment "Close page" ICON_CLOSE Some(key(Key::Escape)), TRACK, None, "Put the page of the consignment away";
    // Listed before Alt+N, which would also match with Shift held.
    CopyCarrierNumber "Copy carrier's number" ICON_CONTENT_COPY Some(alt_shift(Key::N)), TRACK, None, "Copy the number that the carrier knows the shown consignment by";
    CopyNumber "Copy number" ICON_CONTENT_COPY Some(alt(Key::N)), TRACK, None, "Copy the number of the consignment that is shown";
    TrackingPage "Tracking page…" ICON_OPEN_IN_NEW Some(ctrl(Key::T)), TRACK, None, "Open the public page, copy its address, or show its code to a phone";
    ConsignmentLabel "Labels" ICON_LABEL Some(ctrl(Key::L)), TRACK, None, "See its label on Labels, and print it again";
    CloneConsignment "Clone" ICON_CONTENT_COPY Some(ctrl(Key::N)), TRACK, None, "Begin a new consignment like the one that is shown";
    ChangeConsignment "Change" ICON_EDIT Some(alt(Key::E)), TRACK, None, "Change the one that is shown, as long as it is not manifested";
    SetStatus "Set status…" ICON_EDIT_NOTE Some(ctrl(Key::U)), TRACK, None, "Set the status of the ticked consignments, or of the one shown; the carrier is not told";
    CancelManifested "Cancel…" ICON_BLOCK Some(alt(Key::X)), TRACK, None, "Cancel what is manifested: ticked, or shown; the carrier is not told";
    TrackPeriod "Period" ICON_DATE_RANGE Some(alt(Key::Num3)), TRACK, None, "How many days Track looks back; what is open is shown however old it is";
    TrackCarrier "Carrier" ICON_LOCAL_SHIPPING Some(alt(Key::Num4)), TRACK, None, "Look at one carrier, or at all";
    TrackCompanies "Company" ICON_ACCOUNT_TREE Some(alt(Key::Num5)), TRACK, None, "Look at one company, or at the bench's and all below it";
    TrackSync "Look again" ICON_SYNC Some(key(Key::F8)), TRACK, Some(Command::Track(TrackCommand::Sync { whole: true })),
        "Ask the service at once for all that it lists";
    TrackThresholds "What counts as wrong…" ICON_TUNE Some(alt(Key::T)), TRACK, None, "After how many hours something is late, not collected or not scanned";
    TrackScope "Whose are followed…" ICON_APARTMENT Some(alt(Key::F)), TRACK, None, "Of which company and carrier the service is asked for consignments";
    MarkExceptionsSeen "New exceptions are seen" ICON_CHECK Some(alt(Key::S)), TRACK, Some(Command::Track(TrackCommand::SeenExceptions)),
        "Take the mark away from what is new: you have seen it";
    DaySheet "Day sheet" ICON_PRINT Some(ctrl(Key::D)), TRACK, None, "The day on paper: what was sent, what is late or wrong";
    ExportList "Export…" ICON_DOWNLOAD Some(ctrl(Key::E)), TRACK, None, "Save the list that is shown as a file for a spreadsheet";
    ProofOfDelivery "Proof" ICON_ATTACH_FILE Some(ctrl(Key::O)), TRACK, None, "Show the proof of delivery of the consignment that is open";
    SaveFiles "Save files…" ICON_FILE_SAVE Some(ctrl(Key::S)), TRACK, None, "Save all files of the consignment that is open";
    ExportOperations "Export…" ICON_DOWNLOAD Some(ctrl(Key::E)), OPERATIONS, None, "Save the list that is shown as a file for a spreadsheet";
    SendAgain "Send again" ICON_SEND Some(ctrl(Key::Enter)), OPERATIONS, None, "Send what did not happen again, looked for once more first";
    CheckNow "Check now" ICON_REFRESH Some(key(Key::F8)), OPERATIONS, None, "Look at the service for it at once";
    RestartChecks "Wait longer" ICON_SCHEDULE Some(ctrl(Key::L)), OPERATIONS, None, "Look for it all over again";
    ConfirmDone "It happened" ICON_CHECK Some(ctrl(Key::Y)), OPERATIONS, None, "You looked, and it is done";
    ConfirmNotDone "It did not happen" ICON_CLOSE Some(ctrl(Key::N)), OPERATIONS, None, "You looked, and it is not, or it is none of these";
    GiveUp "Give up" ICON_CANCEL Some(ctrl(Key::D)), OPERATIONS, None, "Hold to give it up: only when you know what became of it";
    FilterOperations "Filter" ICON_SEARCH Some(ctrl(Key::F)), OPERATIONS, None, "Show only what holds every word typed";
    AllOperations "Open or all" ICON_LIST Some(ctrl(Key::O)), OPERATIONS, None, "Only what is open, or all that was sent";
    ShowConsign "Consign" ICON_EDIT_SQUARE Some(key(Key::F2)), None, Some(Command::Show(Screen::Consign)), "Type a consignment";
    ShowDispatch "Dispatch" ICON_LOCAL_SHIPPING Some(key(Key::F3)), None, Some(Command::Show(Screen::Dispatch)),
        "Group and book what is unmanifested";
    ShowLabels "Labels" ICON_PRINT Some(key(Key::F4)), None, Some(Command::Show(Screen::Labels)), "See and print labels";
    ShowTrack "Track" ICON_TRACK_CHANGES Some(key(Key::F5)), None, Some(Command::Show(Screen::Track)), "What became of what was sent: figures, statuses, proofs of delivery";
    ShowOperations "Operations" ICON_RULE Some(key(Key::F6)), None, Some(Command::Show(Screen::Operations)),
        "What was sent, what became of it, and what you have to decide";
    ShowSettings "Settings" ICON_SETTINGS Some(ctrl(Key::Comma)), None, Some(Command::Show(Screen::Settings)),
        "Services, tokens, this bench, colours";
    SaveSettings "Save" ICON_SAVE Some(ctrl(Key::S)), SETTINGS, None, "Save what is typed";
    TryConnection "Test connection" ICON_CLOUD_SYNC Some(ctrl(Key::T)), SETTINGS, None,
        "See whether the service answers and what its token may do; nothing is changed there";
    UseConnection "Work with it" ICON_SWAP_HORIZ Some(ctrl(Key::U)), SETTINGS, None, "Leave the service that is open for this one";
    NewConnection "Add a connection…" ICON_ADD Some(ctrl(Key::N)), SETTINGS, None, "Set up another service";
    Practise "Practise" ICON_SCHOOL None, None, Some(Command::Settings(SettingsCommand::Practise)),
        "Work with the practice service on this machine";
    Search "Scan or search" ICON_BARCODE_SCANNER Some(key(Key::F9)), None, None, "Find any number, reference or name";
    PracticeDrill "Practice and trouble…" ICON_THUNDERSTORM None, None, None, "Choose as whom you practise, how fast carriers go, and what goes wrong";
    Theme "Light or dark" ICON_CONTRAST None, None, None, "Change the colours";
    Messages "Messages" ICON_HISTORY None, None, None, "All messages, and those that have left";
    Reconnect "Ask the service again" ICON_CLOUD_SYNC Some(key(Key::F7)), None, Some(Command::Window(WindowCommand::Reconnect)),
        "Ask at once whether it answers; fetch companies, saved locations and the list again";
    CommandPalette "All actions" ICON_KEYBOARD_COMMAND_KEY Some(ctrl(Key::K)), None, None, "Find an action by name";
}
