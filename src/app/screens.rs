//! The screens. Each has a folder: `state` holds the data that it shows and its commands, `update` runs the commands
//! and handles results, and `view` draws the screen. The file beside the folder says what the event loop does for the
//! screen.

use std::time::Duration;

use crate::core::Core;

pub(crate) mod consign;
pub mod dispatch;
pub(crate) mod labels;
pub(crate) mod operations;
pub(crate) mod order_folder;
pub(crate) mod settings;
pub(crate) mod track;

/// The table of the screens, in the order of their tabs. A row has
///
/// - the variant of `Screen` and `Command`, and the folder, which is also the name of the screen's members of
///   `Shared`, `Core` and `Screens`;
/// - the types of these members and of the commands: what the screen shows, its commands, its part of the event
///   loop, and its view;
/// - the action that shows the screen, with the name and icon of the tab, the shortcut and the tooltip.
///
/// The argument is an arm of a macro that gets the rows.
macro_rules! with_screens {
    ($($arm:tt)+) => {
        macro_rules! make_from_screens {
            $($arm)+
        }
        make_from_screens! {
            [Consign consign] [ConsignView ConsignCommand ConsignUpdate ConsignState]
            [ShowConsign "Consign" ICON_EDIT_SQUARE key(Key::F2), "Enter a consignment"]
            [Dispatch dispatch] [DispatchView DispatchCommand DispatchUpdate DispatchState]
            [ShowDispatch "Dispatch" ICON_LOCAL_SHIPPING key(Key::F3), "Group and book unmanifested consignments"]
            [Labels labels] [LabelsView LabelsCommand LabelsUpdate LabelsState]
            [ShowLabels "Labels" ICON_PRINT key(Key::F4), "See and print labels"]
            [Track track] [TrackView TrackCommand TrackUpdate TrackScreen]
            [ShowTrack "Track" ICON_TRACK_CHANGES key(Key::F5), "Key figures, statuses and proof of delivery"]
            [Operations operations] [OperationsView OperationsCommand OperationsUpdate OperationsScreen]
            [ShowOperations "Operations" ICON_RULE key(Key::F6),
                "What was sent to the service, its outcome, and what needs your decision"]
            [OrderFolder order_folder] [OrderFolderView OrderFolderCommand OrderFolderUpdate OrderFolderScreen]
            [ShowOrderFolder "Orders" ICON_INBOX key(Key::F11), "Orders from the watched folder: what came, what is waiting and what failed"]
            [Settings settings] [SettingsView SettingsCommand SettingsUpdate SettingsScreen]
            [ShowSettings "Settings" ICON_SETTINGS ctrl(Key::Comma), "Connections, tokens, bench and appearance"]
        }
    };
}
pub(crate) use with_screens;

/// The part of a screen that the event loop runs. Each function gets the whole [`Core`], because a command of one
/// screen may change other screens.
pub(crate) trait ScreenUpdate: Default {
    type Command;

    /// Refreshes the data of the screen when the clerk opens it.
    fn open(core: &mut Core);

    /// Runs a command of the clerk.
    fn run(core: &mut Core, command: Self::Command);

    /// Polls every read of the screen in the background, and handles the reads that have finished.
    fn poll(core: &mut Core);

    /// Runs the tasks that are due. `at` is a monotonic time.
    fn run_timers(core: &mut Core, at: Duration);

    /// Returns when [`Self::run_timers`] must be called next; `None` if nothing is scheduled.
    fn next_due(&self) -> Option<Duration>;
}

/// Polls background reads, which are fields of `Core`. When a read has ended, calls the method that is listed for it.
macro_rules! poll_reads {
    ($core:ident: $($($field:ident).+ => $handler:ident,)+) => {$(
        if $core.$($field).+.poll() {
            $core.$handler();
        }
    )+};
}
pub(crate) use poll_reads;
