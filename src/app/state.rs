//! The state that screens read ([`Shared`]) and the commands that they send ([`Command`]).
//!
//! Drawing never changes [`Shared`]. Commands are plain values that can be logged and recorded. Each screen
//! owns its own state, such as [`Editing`] and whatever `ui` keeps.

mod action_items;
mod command;
mod draft_state;
mod editing;
mod groups;
mod labels;
mod notice;
mod orders;
mod practice_drill;
mod problem_list;
mod sent;
mod setup;
mod shared;
mod track;
mod views;

pub use action_items::{ActionItem, ActionItemView, ActionItems, ConsignmentLock, NextCheck};
pub use command::{
    BatchCommand, Command, Commands, ConsignCommand, DispatchCommand, LabelsCommand,
    OperationsCommand, SettingsCommand, WindowCommand,
};
pub use draft_state::DraftState;
pub use editing::{Editing, SaveState};
pub use groups::{BookingRun, GroupsCommand, GroupsView, RemovedMember};
pub use labels::{
    BatchFault, BatchProgress, BatchStage, LabelPart, LabelQueue, LabelState, ReprintRequest,
};
pub use notice::{Notice, NoticeId, NoticeTarget, Tone};
pub use orders::{ImportStage, ImportView, OrdersCommand, SendAllView, SendRun};
pub use practice_drill::{
    CarrierSpeed, Drill, DrillStatus, PracticeCommand, PracticeSettings, PracticeUser,
};
pub use problem_list::ProblemList;
pub use sent::{SentDraft, SentProgress};
pub use setup::{
    ConnectionTest, ConnectionView, ServiceChoice, SetupView, TokenPlace, WindowStage,
};
pub use shared::{Environment, Health, KindEvidence, Screen, Shared, ThemeChoice};
pub use track::{
    CodeSquares, CompanyFilter, ExportCommand, ExportView, FilesCommand, FilesView, PageCommand,
    PageView, RefusedRights, RowsToCopy, TrackCommand, TrackPane, TrackView, TrackingView,
};
pub use views::{
    Booking, DespatchView, DocumentRoute, LiveRate, PendingDeletion, Preview, PreviewProblem,
    PricePart, PrinterField, PrinterForm, PrinterHint, PrinterProblem, PrinterState, PrinterView,
    ReducedPage, RouteChange, RouteDetails, RouteView, ServicePrinters, TestLabelView,
};

pub use engine::{
    AgeBand, Arrival, ArrivalCounts, Board, BookedLine, BookedManifest, BookingMember,
    CarrierPerformance, ConsignmentHistory, ConsignmentRow, DayPerformance, DaySheet, DocumentKind,
    DrillDown, Exception, ExceptionRow, ExportCell, ExportFormat, ExportRows, ExportTable,
    FileError, FilePage, FitMode, HistoryEntry, JobHistoryEntry, JobId, JobState, JobSubject,
    Language, ListExport, ListProgress, ListView, ManifestPage, ManifestRow, Media, MemberState,
    Metric, NewestLabelJob, Operation, OperationDecision, OperationId, OperationKind,
    OperationState, Permission, PermissionAnswer, PickupPlace, Picture, PossiblySentDraft,
    PrintJob, ProbeResult, QueueEntry, QueuedJobState, Remote, RowPlace, SavedFiles, ShrinkWarning,
    SyncMark, SyncResult, SyncScope, Thresholds, TokenMode, TrackColumn, TrackList, TrackOrder,
    TrackQuery, TrackScope, UnNumberAnswer, UnmanifestedList, UnmanifestedRow, UnreadLists,
    UnreadRecords, ViewColumn, ViewedList,
};
