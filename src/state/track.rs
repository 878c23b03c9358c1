//! What is followed: what can be asked for on Track, and what its screens show.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::{
    Board, DaySheet, Door, FileShown, Followed, ListOut, ListProgress, OperationId, Remote,
    SavedFiles, SyncMark, SyncScope, Synced, Thresholds, TrackList, TrackOrder, TrackQuery,
    TrackScope, Tracked,
};
use crate::shipping::{
    Attachment, AttachmentId, CarrierId, CompanyId, Consignment, ConsignmentId, NoTrackingPage,
    StatusUpdate, TrackingDesign,
};

/// On Track.
#[derive(Debug, Clone, PartialEq)]
pub enum TrackCommand {
    /// Show the board, or the table.
    Show(TrackPane),
    /// Look at the service: at the differences, or at all that it lists.
    Sync {
        /// All.
        whole: bool,
    },
    /// Look at so many days.
    Days(u16),
    /// Look at one carrier, or at all.
    Carrier(Option<CarrierId>),
    /// Look at these companies.
    Companies(Companies),
    /// Follow these from now on.
    Follow(SyncScope),
    /// From when on something counts as wrong.
    SetThresholds(Thresholds),
    /// Show the rows behind a number, in the table: these, whatever words it held.
    Enter(Door),
    /// Show the rows behind no number in particular; the words stay.
    DropDoor,
    /// Show the rows that hold these words.
    Words(String),
    /// Put the rows in another order.
    Order(TrackOrder),
    /// These rows are in sight or near it, and some of them are not known yet.
    NeedRows(Vec<ConsignmentId>),
    /// Read these, to be copied.
    CopyRows(Vec<ConsignmentId>),
    /// Put this one in sight, its page open, whatever the table shows.
    Reveal(ConsignmentId),
    /// Show this one's page.
    Open(ConsignmentId),
    /// Put the page away.
    Close,
    /// Ask the service for what was found nowhere on the bench.
    AskService(String),
    /// The supervisor has seen the new exceptions.
    SeenExceptions,
    /// On the page of one consignment.
    Page(PageCommand),
    /// On files of consignments.
    Files(FilesCommand),
    /// The status of these is about to be set: have their rows at hand.
    Weigh(Vec<ConsignmentId>),
    /// Set statuses, Cancelled among them. The carrier is not told.
    SetStatuses(Vec<StatusUpdate>),
    /// Offer again what the service refused this token.
    ForgetRefusals,
    /// Out of the bench.
    Out(OutCommand),
}

/// Whose consignments are looked at, of those that are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Companies {
    /// The bench's company's, and those of all below it.
    #[default]
    All,
    /// The bench's company's alone.
    Own,
    /// Those of one below it.
    One(CompanyId),
}

/// On a consignment's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageCommand {
    /// Ask the service for it again.
    Refresh,
    /// Open its tracking page in the browser.
    OpenTracking(TrackingDesign),
    /// Show the address of its tracking page, and the code that a phone reads.
    ShowTracking(TrackingDesign),
    /// Put that away.
    CloseTracking,
}

/// On files of consignments.
#[derive(Debug, Clone, PartialEq)]
pub enum FilesCommand {
    /// Show one of the files of the page that is open.
    ShowFile(AttachmentId),
    /// Show another page of the file that is shown (from 0).
    FilePage(usize),
    /// Put the file away.
    CloseFile,
    /// Save all files of these, in a folder that the clerk picks.
    SaveFiles(Vec<ConsignmentId>),
    /// The same, in a typed folder (when no file dialog is to be had).
    SaveFilesIn(Vec<ConsignmentId>, String),
    /// Ask for no more of those that are being saved.
    StopSaving,
    /// The clerk has seen what was said of files that were saved, or thought better of it.
    ForgetSaved,
}

/// Lists and sheets that leave the bench.
#[derive(Debug, Clone, PartialEq)]
pub enum OutCommand {
    /// Save a list where the clerk says, or at the typed path.
    Export(Box<ListOut>, Option<String>),
    /// Give up what is being exported.
    Stop,
    /// Make the day sheet and show it.
    ShowDaySheet,
    /// Print it on the printer for manifests.
    PrintDaySheet,
    /// Save it where the clerk says, or at the typed path.
    SaveDaySheet(Option<String>),
    /// Put the sheet away.
    CloseDaySheet,
    /// The clerk has seen what became of it.
    Forget,
}

/// What Track shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TrackPane {
    /// Figures and what needs a person.
    #[default]
    Board,
    /// Rows.
    Table,
}

/// What there is to show of what is followed.
#[derive(Default)]
pub struct TrackView {
    /// Board or table.
    pub pane: TrackPane,
    /// Whose is followed.
    pub follows: SyncScope,
    /// Which of these are looked at.
    pub scope: TrackScope,
    /// Whose is looked at.
    pub companies: Companies,
    /// From when on something counts as wrong.
    pub thresholds: Thresholds,
    /// Up to when everything is known; nothing before the first look has ended.
    pub mark: Option<SyncMark>,
    /// The look at the service: whether one is under way, and why the last one failed.
    pub sync: Remote<Synced>,
    /// How far it is.
    pub progress: Option<ListProgress>,
    /// The bench was away for longer than the service's lists go back.
    pub gap: bool,
    /// The figures.
    pub board: Remote<Arc<Board>>,
    /// What the table is asked to show.
    pub query: TrackQuery,
    /// The rows of the table.
    pub list: Remote<TrackList>,
    /// Rows that are known, among them those in sight.
    pub rows: Arc<HashMap<ConsignmentId, Arc<Tracked>>>,
    /// Rows that were asked for to be copied.
    pub to_copy: Option<Arc<RowsToCopy>>,
    /// Exceptions that came up and nobody has seen yet, newest last.
    pub new_exceptions: Vec<ConsignmentId>,
    /// The page that is open.
    pub page: PageView,
    /// Files that are being saved, or were.
    pub files: FilesView,
    /// What the service refused this token, in its words.
    pub rights: RightsView,
    /// Rows whose status is about to be set.
    pub weighed: Remote<Vec<Arc<Tracked>>>,
    /// What is being saved or was saved last, out of the bench.
    pub out: OutView,
}

/// Rows to be copied.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowsToCopy {
    /// What was asked for.
    pub of: Vec<ConsignmentId>,
    /// What is followed of it, in the same order.
    pub rows: Vec<Arc<Tracked>>,
}

/// A consignment's page.
#[derive(Default)]
pub struct PageView {
    /// Whose.
    pub open: Option<ConsignmentId>,
    /// As it is followed, with its history.
    pub followed: Remote<Option<Followed>>,
    /// As the service has it now.
    pub whole: Remote<Arc<Consignment>>,
    /// When the service was last asked for it, and answered.
    pub whole_at: Option<Timestamp>,
    /// Its public tracking page, while that is shown.
    pub tracking: Option<TrackingView>,
    /// Its files.
    pub files: Remote<Vec<Attachment>>,
    /// The file that is shown.
    pub file: Option<AttachmentId>,
    /// It, or why it is not shown.
    pub shown: Remote<FileShown>,
}

/// The public tracking page of a consignment.
#[derive(Debug, Clone, PartialEq)]
pub struct TrackingView {
    /// In which design.
    pub design: TrackingDesign,
    /// Its address, or why there is none.
    pub address: Result<String, NoTrackingPage>,
    /// The code that says the address.
    pub code: Option<CodeSquares>,
}
/// A QR code: squares in rows from the top left, the quiet zone included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeSquares {
    /// Squares across and down.
    pub side: usize,
    /// True for a dark one.
    pub dark: Arc<[bool]>,
}
/// Files on their way to a folder.
#[derive(Default)]
pub struct FilesView {
    /// Whose are being saved, or were saved last.
    pub of: Vec<ConsignmentId>,
    /// They are waiting for a folder to be typed: there is no file dialog.
    pub needs_folder: bool,
    /// What is wrong with the folder.
    pub problem: Option<String>,
    /// So many consignments are done, of how many; nothing while nothing is being saved.
    pub progress: Option<(usize, usize)>,
    /// Where they are, and what was left out.
    pub saved: Option<SavedFiles>,
}

/// What the token's user may not do, as far as the service has said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RightsView {
    /// Set no status, in the service's words.
    pub no_statuses: Option<String>,
    /// Not cancel, in the service's words.
    pub no_cancel: Option<String>,
    /// Status changes that were asked for in this session, newest first; their state is in `operations`.
    pub changes: Vec<OperationId>,
}

/// What leaves the bench.
#[derive(Default)]
pub struct OutView {
    /// A list on its way to a file, or where it is: the path; nothing where the clerk thought better of it.
    pub export: Remote<Option<String>>,
    /// So many rows are written, of how many; nothing while nothing is.
    pub progress: Option<(usize, usize)>,
    /// What is wrong with where it was to be saved.
    pub problem: Option<String>,
    /// The day sheet: a picture of each page, as it will be printed.
    pub sheet: Remote<Arc<DaySheet>>,
    /// It is in front.
    pub sheet_open: bool,
    /// The printer that it would go to.
    pub printer: Option<String>,
}
