//! What every screen may read.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;

use super::labels::{BatchProgress, LabelQueue, LabelState, PrintAgain};
use super::views::{
    Booking, Deleting, DocumentRoute, LiveRate, Preview, PrinterProblem, PrinterView, RouteChange,
    RouteView, ServicePrinters, TestLabelView,
};
use super::{
    GroupsView, ImportView, ListProgress, ListView, Lock, MatterView, Matters, NextLook, Notice,
    NoticeId, Operation, OperationId, Practice, PrintJob, Rehearsed, Remote, SendAllView,
    SentDraft, SetupView, Stage, TrackView, UnFound, UnreadLists, Waiting, WaitingList,
};
use crate::draft::{
    BenchCompany, CheckContext, Draft, DraftId, Preset, Problem, Receiver, SavedItem, Suburb,
};
use crate::shipping::{
    Carrier, Company, CompanyId, CompanyLocation, CompanyLocationId, Consignment, ConsignmentId,
    KeyPlace, LabelSize, ManifestGroup, PrinterId, TrackingBases, UnEntry, UnNumber, home_zone,
};

/// A screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Screen {
    /// The consignment editor.
    #[default]
    Consign,
    /// What is unmanifested; grouping and booking.
    Dispatch,
    /// Labels, printers, jobs.
    Labels,
    /// What became of what was sent: statuses, proofs of delivery, the supervisor's board.
    Track,
    /// What was sent, what became of it, and what a person has to decide.
    Operations,
    /// Connections, bench, look.
    Settings,
}

/// Where consignments go: never in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Environment {
    /// The practice service inside the program.
    #[default]
    Practice,
    /// A real service, test token.
    Test,
    /// A real service: carriers come.
    Live,
}

impl Environment {
    /// The word that stands for it everywhere.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Practice => "PRACTICE",
            Self::Test => "TEST",
            Self::Live => "LIVE",
        }
    }

    /// What becomes of a consignment there, as far as the service's answers have shown it.
    pub const fn meaning(self, evidence: KindEvidence) -> &'static str {
        match (self, evidence) {
            (Self::Practice, _) => "Nothing is real",
            (Self::Test, KindEvidence::Unconfirmed) => "Marked as TEST, not confirmed",
            (Self::Test, KindEvidence::Confirmed) => "No carrier comes",
            (Self::Test, KindEvidence::Contradicted) => {
                "Marked as TEST, but recent consignments are real"
            }
            (Self::Live, KindEvidence::Unconfirmed) => "Marked as LIVE, not confirmed",
            (Self::Live, KindEvidence::Confirmed) => "Carriers come",
            (Self::Live, KindEvidence::Contradicted) => {
                "Marked as LIVE, but recent consignments are tests"
            }
        }
    }
}

/// Whether the service's answers agree with the kind that its connection is marked as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KindEvidence {
    /// No answer has shown it yet, or the answers differ.
    #[default]
    Unconfirmed,
    /// They agree.
    Confirmed,
    /// They say the opposite.
    Contradicted,
}

/// Which colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThemeChoice {
    /// As the system says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// How the service is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Health {
    /// How long its last answer took.
    pub latency_ms: Option<u64>,
    /// The HTTP status of its last answer, where that is a fault of the service.
    pub fault: Option<u16>,
    /// Since when it cannot be reached.
    pub away_since: Option<Timestamp>,
}

/// What every screen may read; only `app` writes it.
#[derive(Default)]
pub struct Shared {
    /// Now, to the minute at least; the only clock that screens have.
    pub now: Timestamp,
    /// The bench's zone (IANA).
    pub zone: String,
    /// "Sydney": the bench's zone for the status line.
    pub place: String,
    /// "Bench 4".
    pub bench: String,
    /// Who packs; may be empty.
    pub staff: String,
    /// Whether the screens are up.
    pub stage: Stage,
    /// The connections, and what the wizard and Settings show.
    pub setup: SetupView,
    /// Practice, test or live.
    pub environment: Environment,
    /// Whether the service's answers have confirmed that.
    pub kind_evidence: KindEvidence,
    /// The connection's name; `practice` for the practice service.
    pub connection: String,
    /// Where the service's tracking pages are.
    pub tracking: TrackingBases,
    /// The service's address, for tooltips.
    pub service: String,
    /// How it is.
    pub health: Health,
    /// Light or dark.
    pub theme: ThemeChoice,
    /// Which screen is up.
    pub screen: Screen,
    /// The companies that the token may work for.
    pub companies: Remote<Vec<Company>>,
    /// The one that the bench works for: picked, or else the token's own. Nothing while neither is known.
    pub company: Option<CompanyId>,
    /// The token's own company, where that is known: a consignment for which none is picked belongs to it.
    pub own_company: Option<CompanyId>,
    /// Saved locations of the company that the bench works for.
    pub locations: Remote<Vec<CompanyLocation>>,
    /// What of the service's lists can't be read.
    pub unread: UnreadLists,
    /// The saved location that new consignments begin at, where one is set for the company.
    pub sender: Option<CompanyLocationId>,
    /// What the service said of UN numbers; what it was not asked about is missing.
    pub un_numbers: Arc<HashMap<UnNumber, Vec<UnEntry>>>,
    /// The lookup of UN numbers: whether it is under way, and why it failed. What it brought is in `un_numbers`.
    pub un_lookup: Remote<Vec<UnFound>>,
    /// The carriers of the company with their accounts; empty while that is not known.
    pub carriers: Arc<Vec<Carrier>>,
    /// The fetch of these carriers: whether it is under way, and why it failed.
    pub carrier_list: Remote<Arc<Vec<Carrier>>>,
    /// Receivers that were sent to before, the last one first.
    pub receivers: Arc<Vec<Receiver>>,
    /// Suburbs with their postcodes, of all that the service and the bench know.
    pub suburbs: Arc<Vec<Suburb>>,
    /// Saved items that answers told of, the last one first.
    pub items: Arc<Vec<SavedItem>>,
    /// What fills goods, options and carrier at one key.
    pub presets: Arc<Vec<Preset>>,
    /// The import of orders, while there is one.
    pub import: ImportView,
    /// What can be sent together, and how far that is.
    pub send_all: SendAllView,
    /// What the service said of drafts that it refused, until they are opened.
    pub refusals: HashMap<DraftId, Vec<Problem>>,
    /// Prices for the draft on the Consign screen; idle while it lacks what a price depends on.
    pub routes: Remote<Vec<RouteView>>,
    /// True where the draft was changed since these prices were asked for.
    pub routes_stale: bool,
    /// What changed of the chosen route, until it is acknowledged or another one is chosen.
    pub route_change: Option<RouteChange>,
    /// True where the connection has a middleware for live prices.
    pub live_pricing: bool,
    /// Its prices for the draft, asked for with the routes; idle where it cannot be told all of the draft.
    pub live_prices: Remote<Vec<LiveRate>>,
    /// Drafts on disk besides the open one, newest first.
    pub drafts: Vec<Draft>,
    /// When each draft was last on disk.
    pub draft_times: HashMap<DraftId, Timestamp>,
    /// Drafts that were forgotten, the last one last: each can be brought back.
    pub discarded: Vec<Draft>,
    /// A consignment whose form is being fetched, to be changed or cloned.
    pub opening: Option<ConsignmentId>,
    /// Drafts that may have been sent already, with what to say of each: not to be sent without a look.
    pub doubts: HashMap<DraftId, String>,
    /// Orders that have left the form and have no result yet, the first one sent first.
    pub sent: Vec<SentDraft>,
    /// The consignment that was created last, until the next draft is sent.
    pub last_created: Option<Consignment>,
    /// What is unmanifested.
    pub unmanifested: Remote<WaitingList>,
    /// What of it is held back: not to be grouped with all until it is let go.
    pub held_back: Arc<HashSet<ConsignmentId>>,
    /// What is about to be deleted, until it is sent or brought back.
    pub deleting: Option<Deleting>,
    /// How the list can be shown, by name; the one without a name is how it was left.
    pub views: Arc<Vec<ListView>>,
    /// When that list was fetched.
    pub unmanifested_at: Option<Timestamp>,
    /// How far the list is read that is on its way.
    pub list_progress: Option<ListProgress>,
    /// Groups with default pickups, as last asked for; booked ones leave.
    pub groups: Remote<Vec<ManifestGroup>>,
    /// What there is to know of groups besides: what was taken out, how far a booking is, booked manifests.
    pub pickups: GroupsView,
    /// Groups sent to their carriers in this session, newest first; their state is in `operations`.
    pub bookings: Vec<Booking>,
    /// Consignments that an open operation holds: not to be grouped, edited or deleted meanwhile.
    pub locked: HashMap<ConsignmentId, Lock>,
    /// Where each consignment's label stands.
    pub label_states: HashMap<ConsignmentId, LabelState>,
    /// The label queue: what needs a hand first.
    pub labels: LabelQueue,
    /// Labels that are asked for again although they may be on paper: printed once the clerk says why.
    pub print_again: Option<PrintAgain>,
    /// Consignments that were sent with a printer token: the service may have printed them by its own rules.
    pub printed_by_token: HashMap<ConsignmentId, String>,
    /// True where the service lists its own printers; where it doesn't, a printer's number is typed.
    pub lists_printers: bool,
    /// The number of the service's printer that was typed last.
    pub service_printer: Option<PrinterId>,
    /// The service's own printers, as last asked for.
    pub service_printers: Remote<ServicePrinters>,
    /// What is wrong with where label files were to be saved.
    pub save_problem: Option<String>,
    /// Label files that are being saved, or where they were saved last.
    pub saved_labels: Option<String>,
    /// The label that is shown.
    pub selected_label: Option<ConsignmentId>,
    /// A6 or A4.
    pub label_size: LabelSize,
    /// The page that is shown.
    pub preview: Remote<Preview>,
    /// The label of each new consignment is printed by itself.
    pub auto_print: bool,
    /// Labels on their way to the printer, or what their batch has left.
    pub batch: Option<BatchProgress>,
    /// Printers set up and found.
    pub printers: Remote<Vec<PrinterView>>,
    /// Which printer each kind of document goes to.
    pub documents: Vec<DocumentRoute>,
    /// The test label that is looked at, printed or waited for.
    pub test_label: Remote<TestLabelView>,
    /// What is wrong with the printer form that was last sent.
    pub printer_problem: Option<PrinterProblem>,
    /// True where no file dialog is to be had: offer a typed path.
    pub no_file_dialog: bool,
    /// Print jobs, newest first.
    pub jobs: Vec<PrintJob>,
    /// What is followed.
    pub track: TrackView,
    /// Operations, newest first.
    pub operations: Vec<Operation>,
    /// Operations and print jobs in the order in which they need a person.
    pub matters: Matters,
    /// The one that is shown.
    pub matter: MatterView,
    /// When each operation that is not known yet is looked for again.
    pub next_looks: HashMap<OperationId, NextLook>,
    /// The reference of a consignment that holds the bench's key.
    pub key_place: KeyPlace,
    /// A price so many percent above the cheapest is asked about before it is sent; nothing where none is.
    pub dear_percent: Option<u32>,
    /// How the practice service is used.
    pub practice: Practice,
    /// Troubles that were called up, in practice.
    pub troubles: Remote<Vec<Rehearsed>>,
    /// What the last scan or search found, and how many found something before: Dispatch puts it in sight, each time anew.
    pub found: Option<(u64, ConsignmentId)>,
    /// What the last scan or search did not find; stays until it is acknowledged.
    pub not_found: Option<String>,
    /// What the service is asked for, because nothing on the bench is called so.
    pub asking: Option<String>,
    /// Why the service could not say whether it knows what was not found; empty where it said so.
    pub not_asked: Vec<String>,
    /// What was scanned last and could not be counted, with its line (from 0); stays until it is acknowledged.
    pub not_counted: Option<(String, usize)>,
    /// What the clerk should know, until dismissed or mended; the newest last.
    pub notices: Vec<(NoticeId, Notice)>,
    /// Notices that were dismissed, and confirmations that left by themselves; the newest last.
    pub past_notices: Vec<(NoticeId, Notice)>,
}

impl Shared {
    /// Nothing known yet.
    pub fn new(now: Timestamp, environment: Environment) -> Self {
        Self {
            now,
            zone: "UTC".to_owned(),
            environment,
            ..Self::default()
        }
    }

    /// What a draft's check needs to know.
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

    /// Troubles that may strike still.
    pub fn troubles_on(&self) -> impl Iterator<Item = &Rehearsed> {
        let known = self.troubles.value().into_iter().flatten();
        known.filter(|rehearsed| rehearsed.on)
    }

    /// Operations whose end is open, newest first.
    pub fn open_operations(&self) -> impl Iterator<Item = &Operation> {
        self.operations
            .iter()
            .filter(|operation| operation.state.is_open())
    }

    /// The operation with this id.
    pub fn operation(&self, id: OperationId) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.id == id)
    }

    /// The saved location that it leaves from: known by its name and postcode.
    pub fn saved_place(&self, one: &Waiting) -> Option<&CompanyLocation> {
        let mut saved = self.locations.value().into_iter().flatten();
        saved.find(|saved| {
            *saved.name == *one.from && *saved.location.postcode == *one.from_spot.postcode
        })
    }

    /// The zone (IANA) of a group's pickup place: as the service says with its consignments or its saved location, else that of
    /// its state. Empty where nobody knows: its clocks are its own, not the bench's.
    pub fn pickup_zone(&self, group: &ManifestGroup) -> &str {
        let list = self.unmanifested.value();
        let ids = group.consignment_ids.iter();
        let known = || ids.clone().filter_map(|id| list?.get(*id));
        let said = known().map(|one| &*one.from_spot.zone);
        if let Some(zone) = { said }.find(|zone| !zone.is_empty()) {
            return zone;
        }
        let Some(first) = known().next() else {
            return "";
        };
        let saved = self.saved_place(first);
        let saved = saved.map_or("", |saved| &saved.location.time_zone);
        let spot = &first.from_spot;
        if saved.is_empty() {
            home_zone(&spot.state, &spot.postcode, &spot.country).unwrap_or_default()
        } else {
            saved
        }
    }
}
