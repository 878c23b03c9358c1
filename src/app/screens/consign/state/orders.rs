//! Presets, imported orders and sending all drafts: commands, and what the screens show.

use std::sync::Arc;

use crate::state::Notice;
use draft::orders::{CheckedOrders, Mapping, Sheet};
use draft::{DraftId, Preset, Routing};

/// A command about presets, imported orders, or sending all drafts that are ready.
#[derive(Debug, Clone, PartialEq)]
pub enum OrdersCommand {
    /// Save a preset, replacing the preset of the same name.
    SavePreset {
        preset: Box<Preset>,
        /// The former name, if the preset is being renamed.
        was: Option<String>,
    },
    /// Delete the preset of this name.
    RemovePreset(String),
    /// Pick a file of orders to import.
    Import,
    /// Import the file of orders at a typed path, if there is no file dialog.
    ImportFrom(String),
    /// Check the orders with these columns.
    Check {
        /// The meaning of each column.
        mapping: Mapping,
        /// Routing of the orders whose row does not name a carrier.
        routing: Routing,
    },
    /// Go back from the checked orders to the columns.
    BackToColumns,
    /// Create drafts of the new orders, and of the already known orders with these indices.
    CreateDrafts(Vec<usize>),
    /// Save the rejected rows; the clerk picks the path in a dialog.
    SaveRejected,
    /// Save the rejected rows at a typed path.
    SaveRejectedAt(String),
    /// Close the import.
    PutAway,
    /// Save the template; the clerk picks the path in a dialog.
    SaveTemplate,
    SaveTemplateAt(String),
    /// Send these drafts one after the other.
    SendAll(Vec<DraftId>),
    /// Stop sending after the present draft.
    StopSending,
}

/// The stage of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImportStage {
    /// No import is open.
    #[default]
    Closed,
    /// The clerk types a path, because there is no file dialog.
    Path,
    /// The clerk picks a file, or the file is being read.
    Opening,
    /// The clerk chooses the meaning of the columns.
    Columns,
    Checking,
    /// The checked orders are shown.
    Review,
    /// Drafts are being created.
    Taking,
    Done,
}

/// An import of orders, as its dialog shows it.
#[derive(Debug, Clone, Default)]
pub struct ImportView {
    pub stage: ImportStage,
    /// Number of this import. Another number tells the dialog to drop the state of the last import.
    pub turn: u64,
    pub file: String,
    /// The content of the file.
    pub sheet: Option<Arc<Sheet>>,
    /// The meaning of each column.
    pub mapping: Mapping,
    /// True if the mapping was remembered from an earlier file, false if it was guessed.
    pub remembered: bool,
    /// Sender of the orders that do not name one.
    pub sender: String,
    /// Number of rows checked so far.
    pub done: usize,
    /// The checked orders.
    pub checked: Option<Arc<CheckedOrders>>,
    /// Number of drafts created.
    pub made: usize,
    /// Where the rejected rows were saved, if they were.
    pub rejected_at: Option<String>,
    pub problem: Option<Notice>,
}

/// The drafts that can be sent together, and the run that sends them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SendAllView {
    /// Drafts without a problem, except the open one, in the order of the list; each with a text
    /// for its routing.
    pub ready: Arc<Vec<(DraftId, String)>>,
    /// Number of drafts with a problem.
    pub unready: usize,
    /// Number of drafts that cannot be sent together: they change a consignment, complete a pending one, or
    /// may have been sent.
    pub not_batchable: usize,
    /// The present run, if there is one.
    pub run: Option<SendRun>,
}

/// The progress of sending several drafts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SendRun {
    /// Number of drafts in the run.
    pub total: usize,
    /// Number of consignments created.
    pub sent: usize,
    /// Number refused by the service; they are drafts again.
    pub refused: usize,
    /// Number not sent, because they had a problem, were open in the form, or were deleted.
    pub skipped: usize,
    /// Number whose outcome is not known yet.
    pub unknown: usize,
    /// True if the run ends after the present draft.
    pub stopping: bool,
}

impl SendRun {
    /// Returns the number of drafts that the run has finished with.
    pub const fn done(&self) -> usize {
        self.sent + self.refused + self.skipped + self.unknown
    }
}
