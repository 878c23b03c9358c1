//! The state that screens read ([`Shared`]) and the commands that they send ([`Command`]).
//!
//! Drawing never changes [`Shared`]. Commands are plain values that can be logged and recorded. Each screen also has
//! state of its own, such as [`Editing`] and the state of its view.

mod notice;
mod shared;

use std::fmt::{self, Write as _};
use std::path::PathBuf;

use crate::screens::with_screens;
use shipping::{CompanyId, ConsignmentId};

pub use crate::config::{BenchSettings, ChosenService, OrderFolderSettings, ThemeChoice};
pub use crate::help::HelpView;
pub use crate::practice_drill::{
    CarrierSpeed, Drill, DrillStatus, PracticeCommand, PracticeSettings, PracticeUser, PracticeView,
};
pub use crate::saving::{PathQuestion, SaveCommand, SaveRequest};
pub use crate::scale::{ScaleState, ScaleTest, ScaleView, TakeRefusal};
pub use crate::scanner::{ScannerState, ScannerView};
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
    ViewedList, WindowMarks, WorkgroupView,
};

/// Implements the conversion of a command of a part of the program to a [`Command`].
macro_rules! commands_of_parts {
    ($($command:ident: $variant:ident $(($inner:path))?;)+) => {$(
        impl From<$command> for Command {
            fn from(command: $command) -> Self {
                Self::$variant($($inner)?(command))
            }
        }
    )+};
}

with_screens! {
    ($([$Screen:ident $screen:ident] [$View:ident $Command:ident $($types:ident)+] $tab:tt)+) => {
        $(pub use crate::screens::$screen::state::*;)+

        /// A command from the clerk.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Command {
            Show(Screen),
            Window(WindowCommand),
            /// A command of a list of consignments, on any screen.
            List(ListCommand),
            Save(SaveCommand),
            Practice(PracticeCommand),
            $($Screen($Command)),+
        }

        commands_of_parts! {
            $($Command: $Screen;)+
        }
    };
}

commands_of_parts! {
    WindowCommand: Window;
    ListCommand: List;
    SaveCommand: Save;
    PracticeCommand: Practice;
    OrdersCommand: Consign (ConsignCommand::Orders);
    GroupsCommand: Dispatch (DispatchCommand::Groups);
    FilesCommand: Track (TrackCommand::Files);
    PageCommand: Track (TrackCommand::Page);
    ExportCommand: Track (TrackCommand::Export);
}

impl Command {
    /// Returns the names of the variants without their data, for logs, which must not hold personal data. Every
    /// variant holds another enum, so the first two names are names of variants.
    pub fn name(&self) -> String {
        let mut names = FirstNames::default();
        // The error only says that both names are complete.
        let _complete = write!(names, "{self:?}");
        names.0
    }
}

/// Collects the first two names of a value's `Debug` text, and then stops the formatting.
#[derive(Default)]
struct FirstNames(String);

impl fmt::Write for FirstNames {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            match c {
                c if c.is_ascii_alphabetic() => self.0.push(c),
                _ if self.0.contains("::") => return Err(fmt::Error),
                _ if self.0.is_empty() => {}
                _ => self.0.push_str("::"),
            }
        }
        Ok(())
    }
}

/// A command outside the screens.
#[derive(Debug, Clone, PartialEq)]
pub enum WindowCommand {
    /// Find a scanned or typed text, and open the result.
    Find(String),
    /// Dismiss the message that nothing was found.
    AcknowledgeFind,
    PickCompany(CompanyId),
    Dismiss(NoticeId),
    /// Fetch companies, locations and the unmanifested list again, at once.
    Reconnect,
    /// Collect the support bundle, to be shown and saved.
    CollectBundle,
    /// Check for a newer version now.
    CheckForUpdate,
    /// Open a folder in the file manager.
    OpenFolder(PathBuf),
    /// Use the file that was dropped on the window: orders to import, or a label to print.
    UseFiles(Vec<PathBuf>),
}

/// A command of a list of consignments.
#[derive(Debug, Clone, PartialEq)]
pub enum ListCommand {
    /// Load these rows, which are visible or nearly so, if they are not loaded yet.
    NeedRows(Vec<ConsignmentId>),
    /// Load these rows so that they can be copied.
    CopyRows(Vec<ConsignmentId>),
}
