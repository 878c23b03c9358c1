//! The engine: background work for the window, which sends requests and receives outcomes. There are four serial
//! queues: the service queue makes every call that changes the service, the print queue prints labels, the documents
//! queue prints other documents, the drafts queue saves drafts; so a slow service or a broken printer delays nothing
//! else. All queues write through one [`writer`];
//! at most four [`reads`] run at once. Invariant: an intent is in the journal before its request is sent.

mod closings;
mod compared_values;
mod consignment_documents;
mod context;
mod day_sheet;
mod document_rules;
mod error;
mod export;
mod label_file;
mod maintenance;
mod manifests;
mod operation;
mod order_folder;
mod orders;
mod paper;
mod print;
mod print_documents;
mod print_jobs;
mod probe;
mod queues;
mod reads;
mod remote;
mod request;
mod restoration;
mod save;
mod sharing;
mod suggestions;
mod track;
mod writer;

use context::{CLOCKS_DIFFER, EngineContext, LISTED_BACK, blocking, lock};

pub use closings::{CarrierClosing, SetClosing};
pub use compared_values::{COMPARED_VALUES, ComparedValue, compared_names};
pub use consignment_documents::{
    ConsignmentDocument, ConsignmentDocumentOrder, consignment_document_pdf, read_logo,
};
pub use context::{FaultHook, FaultPoint, is_own_key};
pub use day_sheet::{DaySheet, DaySheetRequest};
pub use document_rules::{
    ConsignmentFacts, DocumentKind, DocumentRule, DocumentTexts, PrintMoment,
};
pub use error::EngineError;
pub use export::{ExportCell, ExportContext, ExportFormat, ExportRows, ExportTable, ListExport};
pub use manifests::{BookingMember, ManifestPage, MemberState};
pub use operation::{CHECKS_AT_ONCE, OperationDecision, StatusEvidence, converted_consignment};
pub use order_folder::{
    FolderRound, OrderFolder, Outbox, ResultFormat, WaitingFile, WrittenResults, without_time,
};
pub use orders::{ImportedOrders, OpenedOrders};
pub use paper::named;
pub use print::PREPARED_AT_ONCE;
pub use print_jobs::{apply_queue_state, find_cancellable_job, find_job, may_still_print};
pub use probe::mentions_permission;
pub use probe::{Permission, PermissionAnswer, ProbeResult, TokenMode, probe};
pub use queues::{Engine, EngineParts, Repaint};
pub use reads::{LabelPageRequest, LabelView, PrinterStates, Reads, UnreadLists, UnreadRecords};
pub use remote::{Fetch, JobControl, Remote, TaskRunner, within};
pub use request::{
    BatchEnd, BatchEndReason, BatchId, DocumentOrder, DocumentSet, DocumentSource, LastSeenList,
    Outcome, PrintBatch, PrintOrder, Request, RestoredState, VerificationFault,
    VerificationOverride,
};
pub use save::{SaveTarget, SavedLabels};
pub use sharing::{
    ClaimRelease, RELEASED, SharedValues, WorkgroupOverview, WorkgroupView, describe_claim,
};
pub use suggestions::{SuggestionStore, Suggestions, UnNumberAnswer, brings_dangerous_goods};
pub use track::{
    AgeBand, Arrival, ArrivalCounts, Board, CarrierPerformance, DayPerformance, DrillDown,
    ExceptionRow, FileCache, FileError, FilePage, FilePageRequest, ListProgress, LocalMatches,
    Metric, NewExceptions, NewExceptionsRequest, SavedFiles, SearchTerm, ServiceMatches, SyncKind,
    SyncRequest, SyncResult, Thresholds, TrackList, TrackQuery, TrackScope,
};

pub use client::{Failure, pause_text};
pub use printing::job::ShrinkWarning;
pub use printing::picture::Picture;
pub use printing::profile::{FitMode, Language, Media};
pub use shipping::Exception;
pub use storage::{
    BookedLine, BookedManifest, ConsignmentEdit, ConsignmentHistory, ConsignmentRow, FieldValue,
    FolderFile, HistoryEntry, JobHistoryEntry, JobId, JobState, JobSubject, LabelMark, ListField,
    ListOrder, ListView, ManifestRow, NewestLabelJob, Operation, OperationId, OperationKind,
    OperationState, Payload, PickupPlace, PossiblySentDraft, PrintJob, QueueEntry, QueuedJobState,
    StoredRequest, SyncMark, SyncScope, UnprintedLabel, UnprintedLabelId, ViewColumn, ViewedList,
    WindowMarks,
};
