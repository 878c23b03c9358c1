//! The state that screens read ([`Shared`]) and the commands that they send ([`Command`]).
//!
//! Drawing never changes [`Shared`]. Commands are plain values that can be logged and recorded. Each screen
//! owns its own state, such as [`Editing`] and whatever its view keeps.

mod command;
mod notice;
mod shared;

pub use crate::config::{ChosenService, ThemeChoice};
pub use crate::practice_drill::{
    CarrierSpeed, Drill, DrillStatus, PracticeCommand, PracticeSettings, PracticeUser, PracticeView,
};
pub use crate::saving::{PathQuestion, SaveCommand, SaveRequest};
pub use crate::screens::consign::state::{
    ConsignCommand, ConsignView, DraftState, Editing, ImportStage, ImportView, OrdersCommand,
    PricePart, ProblemList, RouteChange, RouteDetails, RouteView, SaveState, SendRun, SentProgress,
    carrier_of_rate,
};
pub use crate::screens::dispatch::state::{
    Booking, DispatchCommand, DispatchView, PendingDeletion,
};
pub use crate::screens::dispatch::state::{BookingRun, GroupsCommand, GroupsView, RemovedMember};
pub use crate::screens::labels::state::{
    BatchCommand, BatchFault, BatchProgress, BatchStage, DocumentRoute, LabelPart, LabelQueue,
    LabelState, LabelsCommand, LabelsView, Preview, PreviewProblem, PrinterField, PrinterForm,
    PrinterHint, PrinterProblem, PrinterState, PrinterView, ReducedPage, ReprintRequest,
    TestLabelView,
};
pub use crate::screens::operations::state::OperationsCommand;
pub use crate::screens::operations::state::{
    ActionItem, ActionItemView, ActionItems, ConsignmentLock, NextCheck, OperationsView,
};
pub use crate::screens::settings::state::SettingsCommand;
pub use crate::screens::settings::state::{
    ConnectionTest, ConnectionView, SetupView, TokenPlace, WindowStage,
};
pub use crate::screens::track::state::{
    CompanyFilter, ExportCommand, ExportView, FilesCommand, FilesView, PageCommand, PageView,
    RefusedRights, TrackCommand, TrackPane, TrackView,
};
pub use command::{Command, ListCommand, WindowCommand};
pub use notice::{Notice, NoticeId, NoticeTarget, Notices, Tone};
pub use shared::{
    Catalogue, Environment, KindEvidence, RowsToCopy, Screen, SearchView, Session, Shared,
};

pub use engine::{
    AgeBand, Arrival, ArrivalCounts, Board, BookedLine, BookedManifest, BookingMember,
    CarrierPerformance, ConsignmentHistory, ConsignmentRow, DayPerformance, DaySheet, DocumentKind,
    DrillDown, Exception, ExceptionRow, ExportCell, ExportFormat, ExportRows, ExportTable,
    FieldValue, FileError, FilePage, FitMode, HistoryEntry, JobHistoryEntry, JobId, JobState,
    JobSubject, LabelMark, Language, ListExport, ListField, ListOrder, ListProgress, ListView,
    ManifestPage, ManifestRow, Media, MemberState, Metric, NewestLabelJob, Operation,
    OperationDecision, OperationId, OperationKind, OperationState, Permission, PermissionAnswer,
    PickupPlace, Picture, PossiblySentDraft, PrintJob, ProbeResult, QueueEntry, QueuedJobState,
    Remote, SavedFiles, ShrinkWarning, SyncMark, SyncResult, SyncScope, Thresholds, TokenMode,
    TrackList, TrackQuery, TrackScope, UnNumberAnswer, UnreadLists, UnreadRecords, ViewColumn,
    ViewedList, WindowMarks,
};
