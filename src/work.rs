//! What runs in the background: requests in, outcomes out.
//!
//! Lanes: **dispatch**, serial, makes every call that changes the service; **paper**, serial, prints, so that a dead printer
//! never holds a consignment up; **desk**, serial, keeps drafts, so that a slow service never holds a draft up. All three
//! write through one [`writer`], the journal's only one. **Reads**, at most four at once. The [`keeper`] has the journal
//! checked, backed up and tidied behind them.
//!
//! What always holds: an intent is in the journal before it is sent, and nothing is sent on a journal that is not checked; a panic in a job becomes an outcome; an outcome is
//! sent before a repaint is asked for.
//! What it must not know: the window and its screens.

mod batch;
mod bench;
mod day_sheet;
mod document;
mod errands;
mod error;
mod grouping;
mod jobs;
mod keeper;
mod known;
mod label_file;
mod lanes;
mod manifests;
mod operation;
mod orders;
mod out;
mod paper;
mod presets;
mod printers;
mod probe;
mod pulse;
mod reads;
mod rebuild;
mod remote;
mod request;
mod save;
mod seen;
mod shown;
mod sound;
mod stop;
mod test_label;
mod ticket;
mod track;
mod unmanifested;
mod unread;
mod waiting;
mod writer;

pub use bench::{Milestone, Witness, is_own_key};
pub use day_sheet::{DaySheet, DaySheetOrder, StillWaiting};
pub use errands::{Errands, within};
pub use error::WorkError;
pub(crate) use jobs::is_open;
pub use known::{Known, UnFound};
pub use lanes::{Parts, Repaint, Work};
pub use manifests::{BookingMember, ManifestPage, MemberState};
pub(crate) use operation::made_of;
pub use operation::{Choice, WrittenIntent};
pub use orders::{OpenedOrders, TakenOrders};
pub use out::{ListOut, OutCell, OutForm, OutKnown, OutRows, OutTable};
pub use printers::SeenPrinters;
pub(crate) use probe::speaks_of_permission;
pub use probe::{Ability, Findings, TokenMode, Verdict, probe};
pub use reads::{LabelPage, LabelView, Reads};
pub use remote::{Fetch, Remote};
pub use request::{
    BatchEnd, BatchId, ClerkWord, DocumentOrder, Ending, Fault, LastSeen, Outcome, PaperOf,
    PrintBatch, PrintOrder, Request, Restored,
};
pub use save::{SaveTo, SavedLabels};
pub use test_label::TestOrder;
pub use ticket::Ticket;
pub use track::{
    AgeBand, Arrival, AtService, Board, CarrierTally, DayShare, Door, Exception, ExceptionRow,
    FileError, FileOrder, FileShown, Here, KeptFiles, News, NewsOrder, SavedFiles, Share,
    SyncOrder, Synced, Tally, Thresholds, TrackColumn, TrackList, TrackOrder, TrackQuery,
    TrackScope, Wanted,
};
pub use unmanifested::{ListProgress, Look};
pub use unread::{UnreadLists, UnreadRecords};
pub use waiting::{Rows as WaitingRows, Spot, Waiting, WaitingList};

pub use crate::client::{Failure, pause_text};
pub use crate::journal::{
    AtQueue, BookedLine, BookedManifest, BookedPlace, Doubt, Event, Followed, JobEvent, JobId,
    JobState, JobSubject, Kind, LabelStanding, ListView, ManifestRow, Operation, OperationId,
    OperationState, PrintJob, QueueWord, SyncMark, SyncScope, Tracked, Unprinted, UnprintedId,
    ViewColumn, ViewOf,
};
pub use crate::printing::job::Shrunk;
pub use crate::printing::picture::Picture;
pub use crate::printing::profile::{DocumentKind, Fitting, Language, Media};
