//! The state that every screen can read.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::{
    ConsignmentRow, HelpView, LabelState, Notice, Notices, PathQuestion, PracticeView, Remote,
    ScaleView, ScannerView, UnNumberAnswer, UnreadLists, WindowMarks, WindowStage, WorkgroupView,
};
use crate::config::BenchSettings;
use crate::screens::with_screens;
use client::Health;
use draft::{BenchCompany, CheckContext, Preset, Receiver, SavedItem, ServiceKind, Suburb};
use shipping::{
    BenchKeyField, Carrier, Company, CompanyId, CompanyLocation, CompanyLocationId, ConsignmentId,
    ManifestGroup, TrackingBases, UnLookupEntry, UnNumber, australian_time_zone,
};
use storage::SharedKind;

/// The environment that consignments are created in. Every screen shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Environment {
    /// The practice service inside the program.
    #[default]
    Practice,
    /// A real service with a test token.
    Test,
    /// A real service, whose consignments are collected by carriers.
    Live,
}

impl Environment {
    /// Returns the environment of a connection of this kind.
    pub const fn of_kind(kind: ServiceKind) -> Self {
        match kind {
            ServiceKind::Test => Self::Test,
            ServiceKind::Live => Self::Live,
        }
    }

    /// Returns the word that every screen shows for the environment.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Practice => "PRACTICE",
            Self::Test => "TEST",
            Self::Live => "LIVE",
        }
    }

    /// Returns a sentence about consignments in this environment, worded according to the evidence.
    pub const fn meaning(self, evidence: KindEvidence) -> &'static str {
        match (self, evidence) {
            (Self::Practice, _) => "Nothing here is real",
            (Self::Test, KindEvidence::Unconfirmed) => "Marked as TEST, not confirmed",
            (Self::Test, KindEvidence::Confirmed) => "No carrier will collect",
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
    Confirmed,
    Contradicted,
}

/// The open service, the company that the bench works for, and the bench itself.
#[derive(Default)]
pub struct Session {
    /// The bench's time zone (IANA).
    pub zone: String,
    /// The place of the bench's time zone for the status line, such as "Sydney".
    pub place: String,
    pub environment: Environment,
    /// Whether the service's answers have confirmed the environment.
    pub kind_evidence: KindEvidence,
    /// The connection's name; `practice` for the practice service.
    pub connection: String,
    /// Addresses of the service's public tracking pages.
    pub tracking: TrackingBases,
    pub service: String,
    pub health: Health,
    /// The company that the bench works for: the one picked, or else the token's own. `None` while
    /// neither is known.
    pub company: Option<CompanyId>,
    /// The token's own company, if known. Consignments without a picked company belong to it.
    pub own_company: Option<CompanyId>,
    /// True if the connection has a middleware for live prices.
    pub live_pricing: bool,
    /// True if the service lists its printers. Otherwise the clerk types a printer's number.
    pub lists_printers: bool,
    /// The reference field that holds the bench's key.
    pub key_place: BenchKeyField,
}

/// Lists that forms choose from: companies, saved locations, carriers, UN numbers, receivers, saved items.
#[derive(Default)]
pub struct Catalogue {
    /// The companies that the token may use.
    pub companies: Remote<Vec<Company>>,
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
    /// Known suburbs with their postcodes, sorted by name: all of Australia, and those that the service has named.
    pub suburbs: Arc<Vec<Suburb>>,
    /// Saved items found in the service's answers, the most recent first.
    pub items: Arc<Vec<SavedItem>>,
    /// Presets, which fill in goods, options and carrier with one key.
    pub presets: Arc<Vec<Preset>>,
    /// Number of presets that are the clerk's own. They come first; the others are the administrator's.
    pub own_presets: usize,
}

/// The result of the last scan or search.
#[derive(Default)]
pub struct SearchView {
    /// Result of the last scan or search, and the number of successful searches: Dispatch scrolls to the
    /// result each time that number changes.
    pub found: Option<(u64, ConsignmentId)>,
    /// Text of the last scan or search that found nothing; shown until dismissed.
    pub not_found: Option<String>,
    /// Text being searched for at the service, because nothing on the bench matches.
    pub searching_for: Option<String>,
    /// Why the service could not search for `not_found`; empty if it could.
    pub failures: Vec<String>,
}

with_screens! {
    ($([$Screen:ident $screen:ident] [$View:ident $($types:ident)+] $tab:tt)+) => {
        /// The screens, in the order of their tabs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Screen {
            $($Screen),+
        }

        impl Screen {
            pub const ALL: [Self; [$(stringify!($Screen)),+].len()] = [$(Self::$Screen),+];
        }

        /// The state that every screen can read. Only `app` writes it.
        #[derive(Default)]
        pub struct Shared {
            /// The current time, at least to the minute. Screens use no other clock.
            pub now: Timestamp,
            pub stage: WindowStage,
            pub screen: Screen,
            /// The settings that apply to every service.
            pub bench: BenchSettings,
            /// The request for which the clerk must type a path, while the dialog for the path is open.
            pub path_question: Option<PathQuestion>,
            pub session: Session,
            pub catalogue: Catalogue,
            pub search: SearchView,
            pub notices: Notices,
            pub help: HelpView,
            pub practice: PracticeView,
            pub scale: ScaleView,
            pub scanner: ScannerView,
            /// The workgroup; `None` for a bench that works alone.
            pub workgroup: Option<WorkgroupView>,
            /// The name of the bench that has changed a shared value last, if that is another bench.
            pub changed_by: HashMap<(SharedKind, String), String>,
            /// Loaded rows of consignments, among them those in view.
            pub rows: Arc<HashMap<ConsignmentId, Arc<ConsignmentRow>>>,
            /// Rows loaded to be copied.
            pub to_copy: Option<Arc<RowsToCopy>>,
            $(pub $screen: crate::screens::$screen::state::$View,)+
        }
    };
}

impl Shared {
    /// Returns "changed by Bench 3" if another bench of the workgroup has changed this value last.
    pub fn changed_by(&self, kind: SharedKind, name: &str) -> Option<String> {
        let bench = self.changed_by.get(&(kind, name.to_owned()))?;
        Some(format!("changed by {bench}"))
    }
}

/// The program starts with the first screen.
impl Default for Screen {
    fn default() -> Self {
        Self::ALL[0]
    }
}

/// Rows loaded to be copied.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowsToCopy {
    /// The requested consignments.
    pub of: Vec<ConsignmentId>,
    /// The rows of the requested consignments, in the order of `of`. Consignments that are not tracked have no row.
    pub rows: Vec<Arc<ConsignmentRow>>,
}

impl Catalogue {
    /// Returns the companies; empty while they are not known.
    pub fn known_companies(&self) -> &[Company] {
        self.companies.value().map_or(&[], Vec::as_slice)
    }

    /// Returns the saved locations; empty while they are not known.
    pub fn known_locations(&self) -> &[CompanyLocation] {
        self.locations.value().map_or(&[], Vec::as_slice)
    }
}

impl Shared {
    /// Creates the state before any data is loaded.
    pub fn new(now: Timestamp, environment: Environment) -> Self {
        Self {
            now,
            session: Session {
                zone: "UTC".to_owned(),
                environment,
                ..Session::default()
            },
            ..Self::default()
        }
    }

    /// Shows a notice until it is dismissed, or for a few seconds if it is a confirmation.
    pub fn notify(&mut self, notice: Notice) {
        self.notices.add(notice, self.now);
    }

    /// Returns the data that the check of a draft depends on.
    pub fn check_context(&self) -> CheckContext {
        CheckContext {
            un_numbers: Arc::clone(&self.catalogue.un_numbers),
            carriers: Arc::clone(&self.catalogue.carriers),
            suburbs: Arc::clone(&self.catalogue.suburbs),
            company: BenchCompany {
                id: self.session.company,
                own: self.session.own_company,
                is_listed: self.catalogue.companies.value().is_some(),
            },
            ..CheckContext::at(self.now, &self.session.zone)
        }
    }

    /// Returns the row of a consignment if it is loaded.
    pub fn row(&self, id: ConsignmentId) -> Option<&ConsignmentRow> {
        self.rows.get(&id).map(AsRef::as_ref)
    }

    /// Returns a consignment's number, or `MS` and its id if its row is not loaded.
    pub fn number(&self, id: ConsignmentId) -> String {
        self.row(id)
            .map_or_else(|| format!("MS{id}"), |row| row.number.clone())
    }

    /// Returns the values of rows that the store does not have: label states and holds. Queries and exports use them.
    pub fn marks(&self) -> WindowMarks {
        let states = self.labels.states.iter();
        let marked = states.filter(|(_, state)| **state != LabelState::Waiting);
        WindowMarks {
            usual_label: LabelState::Waiting.mark(),
            labels: marked.map(|(id, state)| (*id, state.mark())).collect(),
            on_hold: Arc::clone(&self.dispatch.on_hold),
        }
    }

    /// Returns the saved location that a consignment leaves from, found by its name and postcode.
    pub fn saved_place(&self, one: &ConsignmentRow) -> Option<&CompanyLocation> {
        let mut saved = self.catalogue.known_locations().iter();
        saved.find(|saved| {
            saved.name == one.from && saved.location.postcode == one.from_place.postcode
        })
    }

    /// Returns the IANA time zone of a group's pickup place: from the service's consignments, from the saved
    /// location, or from the state. Returns an empty string if all of these are unknown, because the bench's own zone
    /// would be a guess.
    pub fn pickup_zone(&self, group: &ManifestGroup) -> &str {
        let ids = group.consignment_ids.iter();
        let known = || ids.clone().filter_map(|id| self.row(*id));
        let said = known().map(|one| one.from_place.time_zone.as_str());
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
