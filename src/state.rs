//! The state that screens read ([`Shared`]) and the commands that they send ([`Command`]).
//!
//! Drawing never changes [`Shared`]. Commands are plain values that can be logged and recorded. Each screen
//! owns its own state, such as [`Editing`] and whatever `ui` keeps.

mod command;
mod drafts;
mod editing;
mod groups;
mod labels;
mod matters;
mod notice;
mod orders;
mod problem_list;
mod sent;
mod setup;
mod shared;
mod track;
mod trouble;
mod views;

pub use command::{
    BatchCommand, Command, Commands, ConsignCommand, DispatchCommand, FrameCommand, LabelsCommand,
    OperationsCommand, SettingsCommand,
};
pub use drafts::DraftState;
pub use editing::{Editing, Saved};
pub use groups::{BookingRun, GroupsCommand, GroupsView, MovedOut};
pub use labels::{
    BatchFault, BatchProgress, BatchStage, LabelPart, LabelQueue, LabelState, PrintAgain,
};
pub use matters::{Lock, Matter, MatterView, Matters, NextLook};
pub use notice::{LeadsTo, Notice, NoticeId, Tone};
pub use orders::{ImportStage, ImportView, OrdersCommand, SendAllView, SendRun};
pub use problem_list::ProblemList;
pub use sent::{SentDraft, SentProgress};
pub use setup::{ConnectionView, ServiceChoice, SetupView, Stage, TokenPlace, Tried};
pub use shared::{Environment, Health, KindEvidence, Screen, Shared, ThemeChoice};
pub use track::{
    CodeSquares, Companies, FilesCommand, FilesView, OutCommand, OutView, PageCommand, PageView,
    RightsView, RowsToCopy, TrackCommand, TrackPane, TrackView, TrackingView,
};
pub use trouble::{CarrierSpeed, Practice, PracticeCommand, PracticeUser, Rehearsed, Situation};
pub use views::{
    Booking, Deleting, DespatchView, DocumentRoute, LiveRate, Overview, Preview, PreviewProblem,
    PricePart, PrinterField, PrinterForm, PrinterHint, PrinterProblem, PrinterState, PrinterView,
    RouteChange, RouteDetails, RouteView, ServicePrinters, TestLabelView,
};

pub use crate::work::{
    Ability, AgeBand, Arrival, AtQueue, Board, BookedLine, BookedManifest, BookedPlace,
    BookingMember, CarrierTally, Choice, DayShare, DaySheet, DocumentKind, Door, Doubt, Event,
    Exception, ExceptionRow, FileError, FileShown, Findings, Fitting, Followed, JobEvent, JobId,
    JobState, JobSubject, Kind, LabelStanding, Language, ListOut, ListProgress, ListView,
    ManifestPage, ManifestRow, Media, MemberState, Operation, OperationId, OperationState, OutCell,
    OutForm, OutRows, OutTable, Picture, PrintJob, QueueWord, Remote, SavedFiles, Share, Shrunk,
    Spot, SyncMark, SyncScope, Synced, Tally, Thresholds, TokenMode, TrackColumn, TrackList,
    TrackOrder, TrackQuery, TrackScope, Tracked, UnFound, UnreadLists, UnreadRecords, Verdict,
    ViewColumn, ViewOf, Waiting, WaitingList,
};
