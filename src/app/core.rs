//! The program without its window: what is known, what is typed, and the turn that moves both on.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use jiff::Timestamp;

use super::astray::SeenModes;
use super::company::Working;
use super::entry::CLOSE_LIMIT;
use super::find::Finding;
use super::jobs::Watching;
use super::known::Knowledge;
use super::labels::Paper;
use super::listing::Listing;
use super::orders::Import;
use super::send_all::SendingAll;
use super::service::Service;
use super::setup::Setup;
use super::track::{Paging, Tracking};
use super::trouble::Rehearsal;
use crate::config::Surroundings;
use crate::draft::DraftId;
use crate::shipping::{Clock, ConsignmentId, RouteRequest};
use crate::state::{Command, Editing, Notice, NoticeId, OperationId, Screen, Shared, ThemeChoice};
use crate::work::{Look, Remote, Work};

/// Outcomes and commands handled in one turn; the rest waits for the next, which follows at once.
const MOST_A_TURN: usize = 64;

/// What the program is made of.
pub(super) struct Parts {
    /// The lanes, running.
    pub(super) work: Work,
    /// Settings, connections and tokens.
    pub(super) setup: Setup,
    /// What the bench stands in.
    pub(super) surroundings: Surroundings,
    /// What time it is.
    pub(super) clock: Clock,
    /// The service that is open.
    pub(super) service: Service,
}

/// The program without its window.
pub struct Core {
    /// What the screens read.
    pub shared: Shared,
    /// What is typed on Consign.
    pub editing: Editing,
    pub(super) work: Work,
    pub(super) setup: Setup,
    pub(super) surroundings: Surroundings,
    pub(super) clock: Clock,
    pub(super) commands: VecDeque<Command>,
    /// What the shown prices were asked for.
    pub(super) routes_for: Option<RouteRequest>,
    /// When the groups on Dispatch came.
    pub(super) grouped_at: Timestamp,
    /// Which were asked to be grouped last; nothing for all.
    pub(super) grouped: Option<Vec<ConsignmentId>>,
    /// Creates that were begun since this start, until they are done.
    pub(super) begun: HashSet<OperationId>,
    /// What is under way with labels.
    pub(super) paper: Paper,
    /// Operations or print jobs changed since they were sorted.
    pub(super) matters_changed: bool,
    /// Where a manifest is being saved.
    pub(super) saving_manifest: Remote<Option<std::path::PathBuf>>,
    /// Another service is wanted, or this one anew.
    pub(super) leaving: bool,
    /// Consignments that the service made against what its connection says of it.
    pub(super) astray: Vec<String>,
    /// Drafts that are not on disk as they are here: the disk refused them, or they were just put on the screen.
    pub(super) unsaved: HashSet<DraftId>,
    pub(super) seen_modes: SeenModes,
    /// The disk refused a draft: try again.
    pub(super) retry_save: bool,
    pub(super) rehearsal: Rehearsal,
    pub(super) known: Knowledge,
    pub(super) working: Working,
    /// The import of orders.
    pub(super) import: Import,
    /// Drafts being sent one after the other.
    pub(super) sending_all: SendingAll,
    /// Print jobs and printers that are looked at.
    pub(super) watching: Watching,
    pub(super) save_due: Option<Duration>,
    pub(super) routes_due: Option<Duration>,
    /// When what is to be deleted is sent.
    pub(super) deleting_due: Option<Duration>,
    pub(super) next_notice: u64,
    pub(super) leaving_notices: super::frame::Leaving,
    /// How often the service had come back when it was last looked at.
    pub(super) returns: u32,
    /// How the list of what waits stands.
    pub(super) listing: Listing,
    /// How following goes.
    pub(super) tracking: Tracking,
    /// How the page that is open stands.
    pub(super) paging: Paging,
    /// A search that is under way.
    pub(super) finding: Finding,
    /// The form of a consignment that is to be changed or cloned.
    pub(super) form: Remote<super::edit::Fetched>,
    /// What became of pending consignments at the service.
    pub(super) conversions: Remote<Vec<super::pending::Made>>,
    /// When what failed is fetched again.
    pub(super) heal_due: Option<Duration>,
    /// When that was done last.
    pub(super) healed: Option<Duration>,
}

impl Core {
    /// Starts with nothing known; the first turn asks for what every screen needs.
    pub(super) fn new(parts: Parts) -> Self {
        let Parts {
            work,
            setup,
            surroundings,
            clock,
            service,
        } = parts;
        let rehearsal = Rehearsal::of(&service);
        let shared = shared_at_start(&setup, &surroundings, clock.now(), service);
        let mut core = Self {
            shared,
            editing: Editing::default(),
            work,
            setup,
            surroundings,
            clock,
            commands: VecDeque::new(),
            routes_for: None,
            grouped_at: Timestamp::UNIX_EPOCH,
            grouped: None,
            begun: HashSet::new(),
            paper: Paper::default(),
            matters_changed: false,
            saving_manifest: Remote::default(),
            leaving: false,
            astray: Vec::new(),
            unsaved: HashSet::new(),
            seen_modes: SeenModes::default(),
            retry_save: false,
            rehearsal,
            known: Knowledge::default(),
            working: Working::default(),
            import: Import::default(),
            sending_all: SendingAll::default(),
            watching: Watching::default(),
            save_due: None,
            routes_due: None,
            deleting_due: None,
            next_notice: 0,
            leaving_notices: Vec::new(),
            returns: 0,
            listing: Listing::default(),
            tracking: Tracking::default(),
            paging: Paging::default(),
            finding: Finding::default(),
            form: Remote::default(),
            conversions: Remote::default(),
            heal_due: None,
            healed: None,
        };
        core.start();
        core
    }

    /// Puts an empty draft on the screen and asks for what every screen needs.
    fn start(&mut self) {
        self.editing.draft.company = self.shared.company;
        self.editing.notice_change();
        self.editing.mark_kept();
        self.fetch_companies();
        self.refresh_printers();
        self.refresh_unmanifested();
        self.begin_board();
        self.begin_following();
    }

    /// Asks for something; it is done in the next turn.
    pub fn push(&mut self, command: Command) {
        self.commands.push_back(command);
    }

    /// One turn: outcomes, replies, commands, timers, each bounded. `at` is a clock that only goes forward. Answers how
    /// long the next turn may wait, where anything is due by itself.
    pub fn turn(&mut self, at: Duration) -> Option<Duration> {
        self.shared.now = self.clock.now();
        let mut busy = true;
        for _ in 0..MOST_A_TURN {
            let Some(outcome) = self.work.next_outcome() else {
                busy = false;
                break;
            };
            self.take(outcome);
        }
        self.poll_remotes();
        self.watch_health(at);
        for _ in 0..MOST_A_TURN {
            let Some(command) = self.commands.pop_front() else {
                break;
            };
            tracing::debug!(command = command.name(), "asked for");
            self.run(command);
        }
        if self.matters_changed {
            self.arrange_matters();
        }
        self.arrange_labels();
        self.send_next();
        self.rehearse(at);
        self.watch_choice();
        self.follow_company();
        self.watch_un_numbers(at);
        self.watch_typing(at);
        self.fire_timers(at);
        self.watch_printers(at);
        self.watch_list(at);
        self.watch_track(at);
        self.watch_notices(at);
        if busy || !self.commands.is_empty() || self.is_counting_drafts() {
            return Some(Duration::ZERO);
        }
        [
            self.save_due,
            self.routes_due,
            self.deleting_due,
            self.heal_due,
            self.listing.due,
            self.tracking.due(),
            self.news_due(),
            self.paging.due(),
            self.rehearsal.due(),
            self.known.due(),
            self.look_due(),
            self.next_leaving(),
        ]
        .into_iter()
        .flatten()
        .map(|due| due.saturating_sub(at))
        .chain(self.next_minute())
        .min()
    }

    /// True where something typed is not on disk yet.
    pub(super) fn is_unsaved(&self) -> bool {
        self.save_due.is_some()
    }

    fn run(&mut self, command: Command) {
        match command {
            Command::Show(screen) => self.show(screen),
            Command::Frame(command) => self.run_frame(command),
            Command::Consign(command) => self.run_consign(command),
            Command::Orders(command) => self.run_orders(command),
            Command::Dispatch(command) => self.run_dispatch(command),
            Command::Groups(command) => self.run_groups(command),
            Command::Labels(command) => self.run_labels(command),
            Command::Track(command) => self.run_track(command),
            Command::Operations(command) => self.run_operations(command),
            Command::Settings(command) => self.run_settings(command),
            Command::Trouble(command) => self.run_trouble(command),
        }
    }

    pub(super) fn show(&mut self, screen: Screen) {
        self.shared.screen = screen;
        match screen {
            Screen::Consign => {}
            Screen::Dispatch => self.look(Look::Difference),
            Screen::Labels => self.open_labels_screen(),
            Screen::Track => self.open_track_screen(),
            Screen::Operations => self.open_operations_screen(),
            Screen::Settings => self.setup.look_for_tokens(),
        }
    }

    fn poll_remotes(&mut self) {
        if self.shared.companies.poll() {
            self.settle_company();
        }
        if self.shared.locations.poll() {
            self.locations_came();
        }
        self.shared.unread = self.work.reads().unread();
        self.poll_known();
        self.shared.live_prices.poll();
        if self.shared.routes.poll() {
            self.routes_came();
        }
        self.poll_list();
        self.poll_finding();
        self.poll_groups();
        if self.form.poll() {
            self.form_came();
        }
        if self.conversions.poll() {
            self.conversions_came();
        }
        self.poll_matter();
        self.poll_paper();
        self.shared.printers.poll();
        self.shared.test_label.poll();
        self.poll_setup();
        self.poll_import();
        self.poll_track();
    }

    /// Shows a notice until it is dismissed.
    pub(super) fn notify(&mut self, mut notice: Notice) {
        notice.at = Some(self.shared.now);
        // The same again replaces the old one: a fault that repeats is one fault.
        self.shared
            .notices
            .retain(|(_, shown)| shown.headline != notice.headline);
        self.next_notice += 1;
        self.shared
            .notices
            .push((NoticeId(self.next_notice), notice));
    }

    /// What a notice said is so no more.
    pub(super) fn mended(&mut self, headline: &str) {
        self.shared
            .notices
            .retain(|(_, shown)| shown.headline != headline);
    }

    /// Saves what is typed and waits for what is under way, a few seconds at the most.
    pub fn close(mut self, runtime: &tokio::runtime::Handle) {
        self.save_all_drafts();
        self.leave_undeleted();
        let Self {
            work,
            shared,
            paper,
            saving_manifest,
            ..
        } = self;
        // Fetches that wait hold on to the lanes.
        drop((shared, paper, saving_manifest));
        runtime.block_on(work.closed(CLOSE_LIMIT));
    }
}

/// What the screens show before anything was asked for: the settings and the service that was chosen.
fn shared_at_start(
    setup: &Setup,
    surroundings: &Surroundings,
    now: Timestamp,
    service: Service,
) -> Shared {
    let mut shared = Shared::new(now, service.environment);
    shared.zone.clone_from(&surroundings.zone);
    shared.track.scope.zone = surroundings.zone.as_str().into();
    shared.place = surroundings.place();
    shared.bench.clone_from(&setup.settings.bench);
    shared.staff.clone_from(&setup.settings.staff);
    shared.service = service.address;
    shared.connection = service.name;
    shared.live_pricing = service.middleware.is_some();
    shared.lists_printers = service.dialect.optional.printers;
    shared.key_place = service.dialect.key;
    shared.service_printer = setup.settings.service_printer();
    shared.tracking = service.tracking;
    shared.company = setup.settings.company();
    shared.auto_print = setup.settings.auto_print;
    shared.theme = frame_theme(setup.settings.theme);
    shared.practice = setup.practice;
    shared.dear_percent = setup.settings.dear_percent;
    setup.show(&mut shared.setup);
    shared
}

pub(super) fn frame_theme(theme: crate::config::Theme) -> ThemeChoice {
    match theme {
        crate::config::Theme::System => ThemeChoice::System,
        crate::config::Theme::Light => ThemeChoice::Light,
        crate::config::Theme::Dark => ThemeChoice::Dark,
    }
}
