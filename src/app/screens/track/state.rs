//! Tracked consignments: commands of Track, and the state that its views show.

use std::sync::Arc;

use jiff::Timestamp;

use crate::state::{
    Board, ConsignmentHistory, ConsignmentRow, DaySheet, DrillDown, FilePage, ListOrder,
    ListProgress, OperationId, Remote, SavedFiles, SyncMark, SyncResult, SyncScope, Thresholds,
    TrackList, TrackQuery, TrackScope,
};
use shipping::{
    Attachment, AttachmentId, CarrierId, CompanyId, Consignment, ConsignmentId, StatusUpdate,
    TrackingDesign,
};

#[derive(Debug, Clone, PartialEq)]
pub enum TrackCommand {
    Show(TrackPane),
    Sync {
        /// True to sync everything; false for the changes only.
        whole: bool,
    },
    Days(u16),
    /// Show one carrier's consignments, or all.
    Carrier(Option<CarrierId>),
    Companies(CompanyFilter),
    /// Track these consignments from now on.
    SetSyncScope(SyncScope),
    /// Set the thresholds from which a consignment counts as an exception.
    SetThresholds(Thresholds),
    /// Show the rows behind a metric in the table, and clear the filter words.
    DrillDown(DrillDown),
    /// Remove the drill-down. The filter words stay.
    ClearDrillDown,
    /// Show the rows that contain these words.
    FilterWords(String),
    Order(ListOrder),
    /// Show a consignment in the table with its page open, whatever the table shows now.
    Reveal(ConsignmentId),
    Open(ConsignmentId),
    Close,
    /// Search at the service for a text that was not found on the bench.
    AskService(String),
    SeenExceptions,
    Page(PageCommand),
    Files(FilesCommand),
    /// Load the rows of these consignments, whose status is about to be set.
    LoadForStatus(Vec<ConsignmentId>),
    /// Set statuses, including Cancelled. The carrier is not notified.
    SetStatuses(Vec<StatusUpdate>),
    /// Enable the actions that were disabled because the service refused them for this token.
    EnableRefused,
    Export(ExportCommand),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CompanyFilter {
    /// The bench's company and all companies below it.
    #[default]
    All,
    /// Only the bench's company.
    Own,
    /// A company below the bench's.
    One(CompanyId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageCommand {
    /// Fetch the consignment again.
    Refresh,
    /// Show the address of the tracking page, with a QR code for phones.
    ShowTracking(TrackingDesign),
    CloseTracking,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FilesCommand {
    ShowFile(AttachmentId),
    /// Show a page of the file (from 0).
    FilePage(usize),
    CloseFile,
    StopSaving,
    /// Dismiss the message about files that were not saved.
    ForgetSaved,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ExportCommand {
    Stop,
    /// Create the day sheet and show it.
    ShowDaySheet,
    /// Print the day sheet on the printer for manifests.
    PrintDaySheet,
    CloseDaySheet,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TrackPane {
    /// Metrics and exceptions.
    #[default]
    Board,
    /// The list of consignments.
    Table,
}

#[derive(Default)]
pub struct TrackView {
    pub pane: TrackPane,
    pub sync_scope: SyncScope,
    /// The tracked consignments that are shown.
    pub scope: TrackScope,
    pub companies: CompanyFilter,
    pub thresholds: Thresholds,
    /// The mark of the last sync: all earlier changes are known. `None` before the first sync has ended.
    pub mark: Option<SyncMark>,
    /// The sync with the service: whether a sync is running, and why the last sync failed.
    pub sync: Remote<SyncResult>,
    pub progress: Option<ListProgress>,
    /// True if the bench was offline for longer than the period of the service's lists, so that changes were missed.
    pub gap: bool,
    pub board: Remote<Arc<Board>>,
    pub query: TrackQuery,
    /// The ids of the table's rows.
    pub list: Remote<TrackList>,
    /// New exceptions that nobody has seen, newest last.
    pub new_exceptions: Vec<ConsignmentId>,
    pub page: PageView,
    pub files: FilesView,
    /// Permissions that the service refused this token.
    pub rights: RefusedRights,
    /// Rows of the consignments whose status is about to be set.
    pub status_rows: Remote<Vec<Arc<ConsignmentRow>>>,
    pub exports: ExportView,
}

#[derive(Default)]
pub struct PageView {
    pub open: Option<ConsignmentId>,
    pub history: Remote<Option<ConsignmentHistory>>,
    pub consignment: Remote<Arc<Consignment>>,
    pub fetched_at: Option<Timestamp>,
    /// The design of the public tracking page, while its address is shown.
    pub tracking: Option<TrackingDesign>,
    pub files: Remote<Vec<Attachment>>,
    pub file: Option<AttachmentId>,
    /// The content of the shown file, or why it cannot be shown.
    pub shown: Remote<FilePage>,
}

/// The saving of consignments' files to a folder.
#[derive(Default)]
pub struct FilesView {
    /// Numbers of finished consignments and of all consignments; `None` while nothing is being saved.
    pub progress: Option<(usize, usize)>,
    /// The folder of the saved files, and the files that were not saved.
    pub saved: Option<SavedFiles>,
}

/// Permissions that the service is known to have refused to the token's user.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RefusedRights {
    /// The service's message if setting statuses is refused.
    pub no_statuses: Option<String>,
    /// The service's message if cancelling is refused.
    pub no_cancel: Option<String>,
    /// Status changes requested in this session, newest first; their state is in `operations`.
    pub changes: Vec<OperationId>,
}

#[derive(Default)]
pub struct ExportView {
    pub saved: usize,
    /// Numbers of written rows and of all rows; `None` while nothing is being exported.
    pub progress: Option<(usize, usize)>,
    /// The day sheet, with a picture of each page as it will be printed.
    pub sheet: Remote<Arc<DaySheet>>,
    pub sheet_open: bool,
    pub printer: Option<String>,
}
