//! Presets, orders from a file and sending all: what is asked for, and what the screens see of it.

use std::sync::Arc;

use super::Notice;
use crate::draft::orders::{Checked, Mapping, Sheet};
use crate::draft::{DraftId, Preset, Routing};

/// Presets, orders from a file, and sending all that is ready.
#[derive(Debug, Clone, PartialEq)]
pub enum OrdersCommand {
    /// Keep a preset, instead of the one of its name.
    SavePreset {
        /// The preset.
        preset: Box<Preset>,
        /// The name that it had before, where it is changed.
        was: Option<String>,
    },
    /// Forget the preset of this name.
    RemovePreset(String),
    /// Choose a file of orders.
    Import,
    /// Open the file of orders at a typed path (when no file dialog is to be had).
    ImportFrom(String),
    /// Check the orders with these columns; those that say nothing of a carrier get this one.
    Check {
        /// What each column is.
        mapping: Mapping,
        /// Cheapest, fastest, or not chosen yet.
        routing: Routing,
    },
    /// Go back from what was found to the columns.
    BackToColumns,
    /// Make drafts of the orders, of those known already only these (by index).
    Take(Vec<usize>),
    /// Save the rows that came back where the clerk says.
    SaveRejected,
    /// Save the rows that came back at a typed path.
    SaveRejectedAt(String),
    /// Put the import away.
    PutAway,
    /// Save the template where the clerk says.
    SaveTemplate,
    /// Save the template at a typed path.
    SaveTemplateAt(String),
    /// Send these drafts, one after the other.
    SendAll(Vec<DraftId>),
    /// Send no more of them.
    StopSending,
}

/// How far an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImportStage {
    /// There is none.
    #[default]
    Closed,
    /// No file is chosen yet, and there is no file dialog.
    Path,
    /// The clerk chooses a file, or it is being read.
    Opening,
    /// The clerk says what its columns are.
    Columns,
    /// The orders are being checked.
    Checking,
    /// What was found is shown.
    Review,
    /// Drafts are being made.
    Taking,
    /// Done.
    Done,
}

/// An import of orders, as its dialog shows it.
#[derive(Debug, Clone, Default)]
pub struct ImportView {
    /// How far it is.
    pub stage: ImportStage,
    /// Counts the files: another one begins with nothing of the one before.
    pub turn: u64,
    /// The file's name.
    pub file: String,
    /// What is in it.
    pub sheet: Option<Arc<Sheet>>,
    /// What its columns are.
    pub mapping: Mapping,
    /// That was remembered, not guessed.
    pub remembered: bool,
    /// The sender of orders that name none.
    pub sender: String,
    /// Rows checked so far.
    pub done: usize,
    /// What the orders came to.
    pub checked: Option<Arc<Checked>>,
    /// Drafts that were made.
    pub made: usize,
    /// Where the rows are that came back, as far as they are anywhere.
    pub rejected_at: Option<String>,
    /// What went wrong last.
    pub problem: Option<Notice>,
}

/// Drafts that can be sent together, and the run that sends them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SendAllView {
    /// Drafts beside the open one that nothing is wrong with, in the order of the list, each with how its carrier is chosen.
    pub ready: Arc<Vec<(DraftId, String)>>,
    /// Drafts with something to fix.
    pub unready: usize,
    /// Drafts that go their own way: they change a consignment, complete a pending one, or may have been sent already.
    pub apart: usize,
    /// The run, while there is one.
    pub run: Option<SendRun>,
}

/// How far a run is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SendRun {
    /// Drafts in it.
    pub total: usize,
    /// Created.
    pub sent: usize,
    /// Refused by the service: drafts again.
    pub refused: usize,
    /// Not sent: something is to be fixed, or they are open or gone.
    pub skipped: usize,
    /// Whose end is not known yet.
    pub unknown: usize,
    /// It ends after the one that is being sent.
    pub stopping: bool,
}

impl SendRun {
    /// Drafts that it is done with.
    pub const fn done(&self) -> usize {
        self.sent + self.refused + self.skipped + self.unknown
    }
}
