//! The state that every screen can read.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;

use super::{
    ActionItemView, ActionItems, ConsignmentLock, DrillStatus, GroupsView, ImportView,
    ListProgress, ListView, NextCheck, Notice, NoticeId, Operation, OperationId, PracticeSettings,
    PrintJob, Remote, SendAllView, SentDraft, SetupView, TrackView, UnNumberAnswer,
    UnmanifestedList, UnmanifestedRow, UnreadLists, WindowStage,
};
use super::{
    Booking, DocumentRoute, LiveRate, PendingDeletion, Preview, PrinterProblem, PrinterView,
    RouteChange, RouteView, ServicePrinters, TestLabelView,
};
use crate::screens::labels::state::{BatchProgress, LabelQueue, LabelState, ReprintRequest};
use draft::{
    BenchCompany, CheckContext, Draft, DraftId, Preset, Problem, Receiver, SavedItem, Suburb,
};
use shipping::{
    BenchKeyField, Carrier, Company, CompanyId, CompanyLocation, CompanyLocationId, Consignment,
    ConsignmentId, LabelSize, ManifestGroup, PrinterId, TrackingBases, UnLookupEntry, UnNumber,
    australian_time_zone,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Screen {
    /// The consignment form.
    #[default]
    Consign,
    /// Unmanifested consignments, grouping and booking.
    Dispatch,
    /// Labels, printers and print jobs.
    Labels,
    /// Statuses, proofs of delivery and the supervisor's board.
    Track,
    /// Operations and print jobs, and the decisions that they need.
    Operations,
    /// Connections, bench and appearance.
    Settings,
}

/// The environment that consignments are created in. Every screen shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Environment {
    /// The practice service inside the program.
    #[default]
    Practice,
    /// A real service with a test token.
    Test,
    /// A real service for which carriers come.
    Live,
}

impl Environment {
    /// Returns the word that every screen shows for the environment.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Practice => "PRACTICE",
            Self::Test => "TEST",
            Self::Live => "LIVE",
        }
    }

    /// Returns a sentence about consignments in this environment, as far as the service's answers confirm it.
    pub const fn meaning(self, evidence: KindEvidence) -> &'static str {
        match (self, evidence) {
            (Self::Practice, _) => "Nothing is real",
            (Self::Test, KindEvidence::Unconfirmed) => "Marked as TEST, not confirmed",
            (Self::Test, KindEvidence::Confirmed) => "No carrier will collect it",
            (Self::Test, KindEvidence::Contradicted) => {
                "Marked as TEST, but recent consignments are real"
            }
            (Self::Live, KindEvidence::Unconfirmed) => "Marked as LIVE, not confirmed",
            (Self::Live, KindEvidence::Confirmed) => "Carriers will collect",
            (Self::Live, KindEvidence::Contradicted) => {
                "Marked as LIVE, but recent consignments are tests"
            }
        }
    }
}

/// Whether the service's answers agree with the kind of its connection (test or live).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KindEvidence {
    #[default]
    Unconfirmed,
    /// The answers agree.
    Confirmed,
    /// The answers say the opposite.
    Contradicted,
}

/// The chosen colour theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThemeChoice {
    /// The setting of the operating system.
    #[default]
    System,
    Light,
    Dark,
}

/// The health of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Health {
    /// Duration of the last answer, in milliseconds.
    pub latency_ms: Option<u64>,
    /// The HTTP status of the last answer, if it is a fault of the service.
    pub fault: Option<u16>,
    /// Since when the service cannot be reached.
    pub away_since: Option<Timestamp>,
}

/// The state that every screen can read. Only `app` writes it.
#[derive(Default)]
pub struct Shared {
    /// The current time, at least to the minute. Screens use no other clock.
    pub now: Timestamp,
    /// The bench's time zone (IANA).
    pub zone: String,
    /// The place of the bench's time zone for the status line, such as "Sydney".
    pub place: String,
    /// The bench's name, such as "Bench 4".
    pub bench: String,
    /// The packer's name; may be empty.
    pub staff: String,
    /// The stage of the window.
    pub stage: WindowStage,
    /// Everything that the wizard and Settings show.
    pub setup: SetupView,
    pub environment: Environment,
    /// Whether the service's answers have confirmed the environment.
    pub kind_evidence: KindEvidence,
    /// The connection's name; `practice` for the practice service.
    pub connection: String,
    /// Addresses of the service's public tracking pages.
    pub tracking: TrackingBases,
    pub service: String,
    pub health: Health,
    pub theme: ThemeChoice,
    /// The screen that is shown.
    pub screen: Screen,
    /// The companies that the token may use.
    pub companies: Remote<Vec<Company>>,
    /// The company that the bench works for: the one picked, or else the token's own. `None` while
    /// neither is known.
    pub company: Option<CompanyId>,
    /// The token's own company, if known. Consignments without a picked company belong to it.
    pub own_company: Option<CompanyId>,
    pub locations: Remote<Vec<CompanyLocation>>,
    /// Records of the service's lists that could not be parsed.
    pub unreadable: UnreadLists,
    /// The saved location where new consignments start, if one is set for the company.
    pub sender: Option<CompanyLocationId>,
    /// The service's answers about UN numbers. Numbers that were not looked up are missing.
    pub un_numbers: Arc<HashMap<UnNumber, Vec<UnLookupEntry>>>,
    /// The lookup of UN numbers: whether it is running, and why it failed. Its results are in `un_numbers`.
    pub un_lookup: Remote<Vec<UnNumberAnswer>>,
    /// The company's carriers with their accounts; empty while not known.
    pub carriers: Arc<Vec<Carrier>>,
    /// The fetch of the carriers: whether it is running, and why it failed.
    pub carrier_list: Remote<Arc<Vec<Carrier>>>,
    /// Earlier receivers, the most recent first.
    pub receivers: Arc<Vec<Receiver>>,
    /// Known suburbs with their postcodes.
    pub suburbs: Arc<Vec<Suburb>>,
    /// Saved items found in the service's answers, the most recent first.
    pub items: Arc<Vec<SavedItem>>,
    /// Presets, which fill in goods, options and carrier with one key.
    pub presets: Arc<Vec<Preset>>,
    /// The import of orders, if one is open.
    pub import: ImportView,
    /// The drafts that can be sent together, and the progress of sending them.
    pub send_all: SendAllView,
    /// The service's problems with refused drafts, until each is opened.
    pub refusals: HashMap<DraftId, Vec<Problem>>,
    /// Prices for the draft on the Consign screen; idle until the draft has all that a price depends on.
    pub routes: Remote<Vec<RouteView>>,
    /// True if the draft was changed since the prices were requested.
    pub routes_stale: bool,
    /// Changes of the chosen route, until they are acknowledged or another route is chosen.
    pub route_change: Option<RouteChange>,
    /// True if the connection has a middleware for live prices.
    pub live_pricing: bool,
    /// The middleware's prices, fetched together with the routes; idle if the middleware cannot represent
    /// the whole draft.
    pub live_prices: Remote<Vec<LiveRate>>,
    /// Saved drafts except the open one, newest first.
    pub drafts: Vec<Draft>,
    /// When each draft was last saved.
    pub draft_times: HashMap<DraftId, Timestamp>,
    /// Deleted drafts, the last one at the end. Each can be restored.
    pub discarded: Vec<Draft>,
    /// The consignment whose form is being fetched, to be changed or cloned.
    pub opening: Option<ConsignmentId>,
    /// Drafts that may have been sent already, with the message for each. The clerk has to check
    /// them before sending.
    pub possibly_sent: HashMap<DraftId, String>,
    /// Drafts that were sent and have no result yet, oldest first.
    pub sent: Vec<SentDraft>,
    /// The consignment created last, until the next draft is sent.
    pub last_created: Option<Consignment>,
    pub unmanifested: Remote<UnmanifestedList>,
    /// Unmanifested consignments on hold, which are left out when all are grouped.
    pub on_hold: Arc<HashSet<ConsignmentId>>,
    /// Consignments about to be deleted, until the deletion is sent or undone.
    pub deleting: Option<PendingDeletion>,
    /// Saved views of the list. The view without a name is the one last shown.
    pub views: Arc<Vec<ListView>>,
    /// When the unmanifested list was fetched.
    pub unmanifested_at: Option<Timestamp>,
    /// Progress of the unmanifested list that is being fetched.
    pub list_progress: Option<ListProgress>,
    /// The manifest groups from the last grouping, with default pickups. Booked groups are removed.
    pub groups: Remote<Vec<ManifestGroup>>,
    /// Consignments taken out of groups, the progress of bookings, and booked manifests.
    pub groups_view: GroupsView,
    /// Groups sent to be booked in this session, newest first; their state is in `operations`.
    pub bookings: Vec<Booking>,
    /// Consignments that an open operation uses. They cannot be grouped, edited or deleted.
    pub locked: HashMap<ConsignmentId, ConsignmentLock>,
    /// The state of each consignment's label.
    pub label_states: HashMap<ConsignmentId, LabelState>,
    /// The label queue.
    pub labels: LabelQueue,
    /// Labels requested again that may already be printed. They are printed once the clerk gives a reason.
    pub print_again: Option<ReprintRequest>,
    /// Consignments sent with a printer token, so that the service may have printed their labels
    /// by its own rules.
    pub printed_by_token: HashMap<ConsignmentId, String>,
    /// True if the service lists its printers. Otherwise the clerk types a printer's number.
    pub lists_printers: bool,
    /// The number of the service's printer that was typed last.
    pub service_printer: Option<PrinterId>,
    /// The service's printers, as last fetched.
    pub service_printers: Remote<ServicePrinters>,
    /// Problem with the path where label files were to be saved.
    pub save_problem: Option<String>,
    /// The label files being saved, or where they were saved last.
    pub saved_labels: Option<String>,
    pub selected_label: Option<ConsignmentId>,
    /// The label size shown.
    pub label_size: LabelSize,
    pub preview: Remote<Preview>,
    /// True if labels of new consignments are printed automatically.
    pub auto_print: bool,
    /// The batch of labels that is being printed, or has ended with something to report.
    pub batch: Option<BatchProgress>,
    /// Printers that are set up or were found.
    pub printers: Remote<Vec<PrinterView>>,
    /// The printer of each kind of document.
    pub documents: Vec<DocumentRoute>,
    /// The test label that is shown, printed or waiting to be scanned.
    pub test_label: Remote<TestLabelView>,
    /// Problem with the printer settings that were last sent.
    pub printer_problem: Option<PrinterProblem>,
    /// True if there is no file dialog, so that paths are typed.
    pub no_file_dialog: bool,
    /// Print jobs, newest first.
    pub jobs: Vec<PrintJob>,
    /// Everything that Track shows.
    pub track: TrackView,
    /// Operations, newest first.
    pub operations: Vec<Operation>,
    /// Action items: operations and print jobs, with those that need a person first.
    pub action_items: ActionItems,
    /// The action item that is shown.
    pub action_item: ActionItemView,
    /// The next check of each operation whose outcome is unknown.
    pub next_checks: HashMap<OperationId, NextCheck>,
    /// The reference field that holds the bench's key.
    pub key_place: BenchKeyField,
    /// Prices more than this many percent above the cheapest need a confirmation before sending;
    /// `None` to never ask.
    pub price_limit_percent: Option<u32>,
    /// Settings of the practice service.
    pub practice: PracticeSettings,
    /// Practice drills that were started.
    pub drills: Remote<Vec<DrillStatus>>,
    /// Result of the last scan or search, with a count of successful ones so that Dispatch scrolls
    /// to it each time.
    pub found: Option<(u64, ConsignmentId)>,
    /// Text of the last scan or search that found nothing; shown until dismissed.
    pub not_found: Option<String>,
    /// Text being searched for at the service, because nothing on the bench matches.
    pub searching_for: Option<String>,
    /// Why the service could not search for `not_found`; empty if it could.
    pub search_failures: Vec<String>,
    /// The last scanned text that could not be counted, with its line (from 0); shown until dismissed.
    pub not_counted: Option<(String, usize)>,
    /// Notices for the clerk, until dismissed or resolved; newest last.
    pub notices: Vec<(NoticeId, Notice)>,
    /// Notices that were dismissed, and confirmations that disappeared automatically; newest last.
    pub past_notices: Vec<(NoticeId, Notice)>,
}

impl Shared {
    /// Creates the state before anything is known.
    pub fn new(now: Timestamp, environment: Environment) -> Self {
        Self {
            now,
            zone: "UTC".to_owned(),
            environment,
            ..Self::default()
        }
    }

    /// Returns what the check of a draft depends on.
    pub fn check_context(&self) -> CheckContext {
        CheckContext {
            un_numbers: Arc::clone(&self.un_numbers),
            carriers: Arc::clone(&self.carriers),
            company: BenchCompany {
                id: self.company,
                own: self.own_company,
                is_listed: self.companies.value().is_some(),
            },
            ..CheckContext::at(self.now, &self.zone)
        }
    }

    /// Returns the practice drills whose fault can still occur.
    pub fn active_drills(&self) -> impl Iterator<Item = &DrillStatus> {
        let known = self.drills.value().into_iter().flatten();
        known.filter(|rehearsed| rehearsed.is_active)
    }

    /// Returns the open operations, newest first.
    pub fn open_operations(&self) -> impl Iterator<Item = &Operation> {
        self.operations
            .iter()
            .filter(|operation| operation.state.is_open())
    }

    pub fn operation(&self, id: OperationId) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.id == id)
    }

    /// Returns the saved location that a consignment leaves from, found by its name and postcode.
    pub fn saved_place(&self, one: &UnmanifestedRow) -> Option<&CompanyLocation> {
        let mut saved = self.locations.value().into_iter().flatten();
        saved.find(|saved| {
            *saved.name == *one.from && *saved.location.postcode == *one.from_place.postcode
        })
    }

    /// Returns the IANA time zone of a group's pickup place: from the service's consignments, from the
    /// saved location, or from the state. Empty if none of them gives a zone: the bench's own zone
    /// would be a guess.
    pub fn pickup_zone(&self, group: &ManifestGroup) -> &str {
        let list = self.unmanifested.value();
        let ids = group.consignment_ids.iter();
        let known = || ids.clone().filter_map(|id| list?.get(*id));
        let said = known().map(|one| &*one.from_place.zone);
        if let Some(zone) = { said }.find(|zone| !zone.is_empty()) {
            return zone;
        }
        let Some(first) = known().next() else {
            return "";
        };
        let saved = self.saved_place(first);
        let saved = saved.map_or("", |saved| &saved.location.time_zone);
        let spot = &first.from_place;
        if saved.is_empty() {
            australian_time_zone(&spot.state, &spot.postcode, &spot.country).unwrap_or_default()
        } else {
            saved
        }
    }
}
