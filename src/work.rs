//! The engine: background work for the window, which sends requests and receives outcomes. There are three
//! serial queues: the service queue makes every call that changes the service, the print queue prints, the
//! drafts queue saves drafts; so a slow service or a broken printer delays nothing else. All write through
//! one [`writer`]; at most four [`reads`] run at once. Invariant: an intent is journaled before it is sent.

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
    OperationState, Payload, PrintJob, QueueWord, StoredRequest, SyncMark, SyncScope, Tracked,
    Unprinted, UnprintedId, ViewColumn, ViewOf,
};
pub use crate::printing::job::Shrunk;
pub use crate::printing::picture::Picture;
pub use crate::printing::profile::{DocumentKind, Fitting, Language, Media};
