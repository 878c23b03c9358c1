//! The state of Consign: the open draft, drafts that were sent, problems, prices and imports.

pub(crate) mod editing;
pub(crate) mod routes;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use jiff::Timestamp;

use crate::state::{Notice, Operation, OperationState, Remote, RouteView, Shared};
use draft::orders::{CheckedOrders, Mapping};
use draft::{Draft, DraftId, Preset, Problem, Routing};
use engine::OpenedOrders;
use shipping::{Consignment, ConsignmentId, Rate};

/// A command on Consign. Typing needs no command: changes are noticed in [`crate::state::Editing`] and
/// saved automatically.
#[derive(Debug, Clone, PartialEq)]
pub enum ConsignCommand {
    /// Fetch prices at once. Without this command, they are fetched once the draft has been
    /// left alone a while.
    FindRoutes,
    /// Repeat the failed lookups of UN numbers and carriers.
    LookUpAgain,
    /// Validate, record and send the draft. If it has problems, show all of them instead.
    Send,
    /// Keep this draft and start a new draft.
    NewDraft,
    OpenDraft(DraftId),
    /// Delete a draft, also at the service if it is saved there. If the draft is open, start a new draft.
    DiscardDraft(DraftId),
    /// Restore the draft that was deleted last.
    RestoreDraft,
    /// Save the open draft at the service as a pending consignment, to be completed later.
    SavePending,
    /// Fetch a consignment's form to change it.
    Edit(ConsignmentId),
    /// Fetch a consignment and start a new draft like it.
    Clone(ConsignmentId),
    RefreshLocations,
    /// Show, until it is dismissed, that the scanned text is not a known SKU.
    UnknownScan(String),
    /// Show, until it is dismissed, that the scanned item is in this line (from 0), whose quantity
    /// cannot be increased.
    UncountedScan(String, usize),
}

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
    /// Import the file of orders at a typed path; without one, the clerk picks a file.
    Import(Option<String>),
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
    /// Save the rejected rows at a typed path; without one, the clerk picks the path.
    SaveRejected(Option<String>),
    /// Close the import.
    PutAway,
    /// Save the template at a typed path; without one, the clerk picks the path.
    SaveTemplate(Option<String>),
    /// Send these drafts one after the other.
    SendAll(Vec<DraftId>),
    /// Stop sending after the present draft.
    StopSending,
}

/// Everything that Consign shows, except the open draft ([`crate::state::Editing`]).
#[derive(Default)]
pub struct ConsignView {
    /// The import of orders, if one is open.
    pub import: ImportView,
    /// For each draft that was checked since it was listed: whether the check found no error.
    pub checked: HashMap<DraftId, bool>,
    /// The run that sends several drafts, if there is one.
    pub run: Option<SendRun>,
    /// The service's problems with refused drafts, until each is opened.
    pub refusals: HashMap<DraftId, Vec<Problem>>,
    /// Prices for the draft on the Consign screen; idle until the draft has all that a price depends on.
    pub routes: Remote<Vec<RouteView>>,
    /// True if the draft was changed since the prices were requested.
    pub routes_stale: bool,
    /// The middleware's prices, fetched together with the routes; idle if the middleware cannot represent
    /// the whole draft.
    pub live_prices: Remote<Vec<Rate>>,
    /// Saved drafts except the open one, newest first.
    pub drafts: Vec<Draft>,
    /// When each draft was last saved.
    pub draft_times: HashMap<DraftId, Timestamp>,
    /// Deleted drafts, the most recently deleted last. Each can be restored.
    pub discarded: Vec<Draft>,
    /// The consignment whose form is being fetched, to be changed or cloned.
    pub opening: Option<ConsignmentId>,
    /// Drafts that may have been sent already, with the message for each. The clerk has to check
    /// them before sending.
    pub possibly_sent: HashMap<DraftId, String>,
    /// Drafts that were sent and have no result yet, oldest first. The form already shows the next draft.
    pub sent: Vec<Draft>,
    /// The consignment created last, until the next draft is sent.
    pub last_created: Option<Consignment>,
    /// The last scanned text that could not be counted, with its line (from 0); shown until dismissed.
    pub not_counted: Option<(String, usize)>,
}

/// The listed drafts by whether they can be sent together.
pub struct DraftBatch<'a> {
    /// Drafts without a problem, in the order of the list.
    pub ready: Vec<&'a Draft>,
    /// Number of drafts with a problem.
    pub unready: usize,
    /// Number of drafts that cannot be sent together.
    pub excluded: usize,
}

impl ConsignView {
    pub fn listed(&self, id: &DraftId) -> Option<&Draft> {
        self.drafts.iter().find(|draft| draft.id == *id)
    }

    pub fn unlist(&mut self, id: &DraftId) -> Option<Draft> {
        let at = self.drafts.iter().position(|draft| draft.id == *id)?;
        Some(self.drafts.remove(at))
    }

    /// Returns true if this draft was sent and its result is not known yet.
    pub fn is_sent(&self, id: &DraftId) -> bool {
        self.sent.iter().any(|draft| draft.id == *id)
    }

    /// Returns the listed drafts that are not checked yet.
    pub fn unchecked(&self) -> impl Iterator<Item = &Draft> {
        let drafts = self.drafts.iter();
        drafts.filter(|draft| !self.checked.contains_key(&draft.id))
    }

    /// Returns true if a run never sends this draft: it changes a consignment, completes a pending one, or may
    /// have been sent already.
    pub fn is_excluded_from_runs(&self, draft: &Draft) -> bool {
        draft.edits.is_some()
            || draft.pending.is_some()
            || self.possibly_sent.contains_key(&draft.id)
    }

    /// Returns which of the listed drafts can be sent together. Drafts that are not checked yet are left out.
    pub fn batch(&self) -> DraftBatch<'_> {
        let mut batch = DraftBatch {
            ready: Vec::new(),
            unready: 0,
            excluded: 0,
        };
        for draft in &self.drafts {
            match self.checked.get(&draft.id) {
                _ if self.is_excluded_from_runs(draft) => batch.excluded += 1,
                Some(true) => batch.ready.push(draft),
                Some(false) => batch.unready += 1,
                None => {}
            }
        }
        batch
    }
}

/// The state of a draft. If several apply, the first of them counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftState<'a> {
    /// Possibly sent already; with the message.
    InDoubt(&'a str),
    /// Refused by the service and not changed since; with the service's message.
    Refused(&'a str),
    /// A change of a consignment; with its number.
    Changing(&'a str),
    /// Also saved at the service; with the number there.
    Pending(&'a str),
    /// Saved on this bench only.
    Draft,
}

/// The progress of sending a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentProgress {
    /// Recorded, and waiting for others in the queue.
    Waiting,
    Sending,
    /// The answer was lost; the operation is being reconciled.
    Checking,
}

impl Shared {
    pub fn draft_state<'a>(&'a self, draft: &'a Draft) -> DraftState<'a> {
        if let Some(words) = self.consign.possibly_sent.get(&draft.id) {
            return DraftState::InDoubt(words);
        }
        let saved = self.consign.draft_times.get(&draft.id);
        if let Some(last) = self.last_operation(&draft.id)
            && last.state == OperationState::Rejected
            && saved.is_none_or(|saved| *saved <= last.changed)
        {
            return DraftState::Refused(&last.message);
        }
        match (&draft.edits, &draft.pending) {
            (Some(edited), _) => DraftState::Changing(&edited.number),
            (None, Some(pending)) => DraftState::Pending(&pending.number),
            (None, None) => DraftState::Draft,
        }
    }

    pub fn sent_progress(&self, draft: &DraftId) -> SentProgress {
        match self.last_operation(draft).map(|operation| operation.state) {
            Some(OperationState::Sending) => SentProgress::Sending,
            Some(OperationState::Unknown) => SentProgress::Checking,
            _ => SentProgress::Waiting,
        }
    }

    fn last_operation(&self, draft: &DraftId) -> Option<&Operation> {
        let mut newest_first = self.operations.list.iter();
        newest_first.find(|operation| operation.draft.as_ref() == Some(draft))
    }
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

/// An import of orders.
#[derive(Default)]
pub struct ImportView {
    pub stage: ImportStage,
    /// The file, with the meaning of each column.
    pub opened: Option<OpenedOrders>,
    /// Sender of the orders that do not name one.
    pub sender: String,
    /// Number of rows checked so far.
    pub progress: Arc<AtomicUsize>,
    /// The checked orders.
    pub checked: Option<CheckedOrders>,
    /// Number of drafts created.
    pub made: usize,
    /// Where the rejected rows were saved, if they were.
    pub rejected_at: Option<String>,
    pub problem: Option<Notice>,
}

/// A run that sends several drafts, one after another.
#[derive(Default)]
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
    pub(super) queue: VecDeque<DraftId>,
    /// The draft that was submitted and has no result yet.
    pub(super) current: Option<DraftId>,
    /// The next draft, while its price is compared with the cheapest.
    pub(super) pricing: Option<(DraftId, Remote<Vec<RouteView>>)>,
    pub(super) unknown_in_a_row: usize,
    /// The reason for ending the run early.
    pub(super) stopped: Option<String>,
    /// The first drafts that were not sent, each with its reason.
    pub(super) reasons: Vec<String>,
}

impl SendRun {
    pub const fn done(&self) -> usize {
        self.sent + self.refused + self.skipped + self.unknown
    }
}
