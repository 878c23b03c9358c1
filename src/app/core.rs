//! The program without its window: its state, and the turn that handles outcomes, commands and timers.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use jiff::Timestamp;

use super::company::CompanyState;
use super::environment_mismatch::SeenModes;
use super::launcher::CLOSE_LIMIT;
use super::practice_drill::PracticeDrill;
use super::reference_data::ReferenceData;
use super::search::Search;
use super::service::Service;
use crate::config::SystemInfo;
use crate::screens::consign::update::order_import::Import;
use crate::screens::consign::update::send_all::SendingAll;
use crate::screens::dispatch::update::list_sync::ListSyncState;
use crate::screens::labels::update::LabelWork;
use crate::screens::labels::update::job_polling::JobPolling;
use crate::screens::settings::update::setup::Setup;
use crate::screens::track::update::{PageState, TrackState};
use crate::state::{Command, Editing, Notice, NoticeId, OperationId, Screen, Shared, ThemeChoice};
use draft::DraftId;
use engine::{Engine, Remote, SyncKind};
use shipping::{Clock, ConsignmentId, RouteRequest};

/// Maximum number of outcomes, and of commands, handled in one turn. More are left for the next turn, which
/// follows at once.
const MOST_A_TURN: usize = 64;

/// The parts that a [`Core`] is built from.
pub(super) struct CoreParts {
    /// The running engine.
    pub(super) work: Engine,
    /// Settings, connections and tokens.
    pub(super) setup: Setup,
    /// Time zone, keyring and other facts about this computer.
    pub(super) system_info: SystemInfo,
    pub(super) clock: Clock,
    /// The open service.
    pub(super) service: Service,
}

/// The program without its window.
pub struct Core {
    /// State that the screens read.
    pub shared: Shared,
    /// The draft in the form on Consign.
    pub editing: Editing,
    pub(super) work: Engine,
    pub(super) setup: Setup,
    pub(super) system_info: SystemInfo,
    pub(super) clock: Clock,
    pub(super) commands: VecDeque<Command>,
    /// The request that the shown prices answer.
    pub(super) routes_for: Option<RouteRequest>,
    /// When the groups on Dispatch arrived.
    pub(super) grouped_at: Timestamp,
    /// The consignments that were last asked to be grouped; `None` for all.
    pub(super) grouped: Option<Vec<ConsignmentId>>,
    /// Creates that were begun since the program started and are not done yet.
    pub(super) begun: HashSet<OperationId>,
    /// Label work in progress.
    pub(super) label_work: LabelWork,
    /// Operations or print jobs have changed since the action items were sorted.
    pub(super) action_items_changed: bool,
    /// The manifest being saved: its path, or `None` if the clerk closed the file dialog.
    pub(super) saving_manifest: Remote<Option<std::path::PathBuf>>,
    /// Another service, or this service again, is to be opened.
    pub(super) leave_requested: bool,
    /// Numbers of consignments whose mode contradicts how the connection is marked.
    pub(super) mismatched_numbers: Vec<String>,
    /// Drafts whose current text is not on disk: saving failed, or they are new.
    pub(super) unsaved: HashSet<DraftId>,
    pub(super) seen_modes: SeenModes,
    /// Saving a draft failed and has to be retried.
    pub(super) retry_save: bool,
    pub(super) drill: PracticeDrill,
    pub(super) reference_data: ReferenceData,
    pub(super) company_state: CompanyState,
    /// The import of orders.
    pub(super) import: Import,
    /// Drafts being sent one after the other.
    pub(super) sending_all: SendingAll,
    /// State of polling print jobs and printers.
    pub(super) job_polling: JobPolling,
    pub(super) save_due: Option<Duration>,
    pub(super) routes_due: Option<Duration>,
    /// When the pending deletion is sent.
    pub(super) deleting_due: Option<Duration>,
    pub(super) next_notice: u64,
    pub(super) leaving_notices: super::frame::ExpiringNotices,
    /// Number of times that the service had come back, as of the last turn.
    pub(super) returns: u32,
    /// Sync state of the list of unmanifested consignments.
    pub(super) list_sync: ListSyncState,
    /// Sync state of the tracked consignments.
    pub(super) tracking: TrackState,
    /// State of the open consignment page.
    pub(super) paging: PageState,
    /// The search in progress.
    pub(super) search: Search,
    /// The form of a consignment that is to be changed or cloned.
    pub(super) form: Remote<crate::screens::consign::update::edit::FetchedForm>,
    /// Consignments that somebody made from pending consignments at the service.
    pub(super) conversions: Remote<Vec<crate::screens::consign::update::pending::ConvertedPending>>,
    /// When failed fetches are retried.
    pub(super) retry_due: Option<Duration>,
    /// When failed fetches were last retried.
    pub(super) last_retry: Option<Duration>,
}

impl Core {
    /// Creates the program with an empty draft, and starts the fetches that every screen needs.
    pub(super) fn new(parts: CoreParts) -> Self {
        let CoreParts {
            work,
            setup,
            system_info: surroundings,
            clock,
            service,
        } = parts;
        let rehearsal = PracticeDrill::new(&service);
        let shared = shared_at_start(&setup, &surroundings, clock.now(), service);
        let mut core = Self {
            shared,
            editing: Editing::default(),
            work,
            setup,
            system_info: surroundings,
            clock,
            commands: VecDeque::new(),
            routes_for: None,
            grouped_at: Timestamp::UNIX_EPOCH,
            grouped: None,
            begun: HashSet::new(),
            label_work: LabelWork::default(),
            action_items_changed: false,
            saving_manifest: Remote::default(),
            leave_requested: false,
            mismatched_numbers: Vec::new(),
            unsaved: HashSet::new(),
            seen_modes: SeenModes::default(),
            retry_save: false,
            drill: rehearsal,
            reference_data: ReferenceData::default(),
            company_state: CompanyState::default(),
            import: Import::default(),
            sending_all: SendingAll::default(),
            job_polling: JobPolling::default(),
            save_due: None,
            routes_due: None,
            deleting_due: None,
            next_notice: 0,
            leaving_notices: Vec::new(),
            returns: 0,
            list_sync: ListSyncState::default(),
            tracking: TrackState::default(),
            paging: PageState::default(),
            search: Search::default(),
            form: Remote::default(),
            conversions: Remote::default(),
            retry_due: None,
            last_retry: None,
        };
        core.start();
        core
    }

    /// Puts an empty draft on the screen and fetches what every screen needs.
    fn start(&mut self) {
        self.editing.draft.company = self.shared.session.company;
        self.editing.notice_change();
        self.editing.mark_kept();
        self.fetch_companies();
        self.refresh_printers();
        self.refresh_unmanifested();
        self.begin_board();
        self.start_tracking();
    }

    /// Queues a command for the next turn.
    pub fn push(&mut self, command: Command) {
        self.commands.push_back(command);
    }

    /// Runs one turn: outcomes, replies, commands and timers, a limited number of each. `at` is a monotonic
    /// time. Returns how long the next turn may wait, if anything is due by itself.
    pub fn turn(&mut self, at: Duration) -> Option<Duration> {
        self.shared.now = self.clock.now();
        let mut busy = true;
        for _ in 0..MOST_A_TURN {
            let Some(outcome) = self.work.next_outcome() else {
                busy = false;
                break;
            };
            self.apply_outcome(outcome);
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
        if self.action_items_changed {
            self.sort_action_items();
        }
        self.arrange_labels();
        self.send_next();
        self.run_practice_drill(at);
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
            self.retry_due,
            self.list_sync.due,
            self.tracking.due(),
            self.news_due(),
            self.paging.due(),
            self.drill.due(),
            self.reference_data.due(),
            self.look_due(),
            self.next_leaving(),
        ]
        .into_iter()
        .flatten()
        .map(|due| due.saturating_sub(at))
        .chain(self.next_minute())
        .min()
    }

    /// Returns whether typed text still has to be saved.
    pub(super) fn is_unsaved(&self) -> bool {
        self.save_due.is_some()
    }

    fn run(&mut self, command: Command) {
        match command {
            Command::Show(screen) => self.show(screen),
            Command::Window(command) => self.run_frame(command),
            Command::Consign(command) => self.run_consign(command),
            Command::Orders(command) => self.run_orders(command),
            Command::Dispatch(command) => self.run_dispatch(command),
            Command::Groups(command) => self.run_groups(command),
            Command::Labels(command) => self.run_labels(command),
            Command::Track(command) => self.run_track(command),
            Command::Operations(command) => self.run_operations(command),
            Command::Settings(command) => self.run_settings(command),
            Command::Practice(command) => self.run_practice(command),
        }
    }

    pub(super) fn show(&mut self, screen: Screen) {
        self.shared.screen = screen;
        match screen {
            Screen::Consign => {}
            Screen::Dispatch => self.sync_list(SyncKind::Changes),
            Screen::Labels => self.open_labels_screen(),
            Screen::Track => self.open_track_screen(),
            Screen::Operations => self.open_operations_screen(),
            Screen::Settings => self.setup.find_token_places(),
        }
    }

    fn poll_remotes(&mut self) {
        if self.shared.catalogue.companies.poll() {
            self.settle_company();
        }
        if self.shared.catalogue.locations.poll() {
            self.locations_came();
        }
        self.shared.catalogue.unreadable = self.work.reads().unread();
        self.poll_known();
        self.shared.consign.live_prices.poll();
        if self.shared.consign.routes.poll() {
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
        self.poll_action_item();
        self.poll_paper();
        self.shared.labels.printers.poll();
        self.shared.labels.test_label.poll();
        self.poll_setup();
        self.poll_import();
        self.poll_track();
    }

    /// Shows a notice until it is dismissed, or for a few seconds if it is a confirmation.
    pub(super) fn notify(&mut self, mut notice: Notice) {
        notice.at = Some(self.shared.now);
        // A notice replaces an older one with the same headline, so a repeated fault is shown once.
        self.shared
            .notices
            .shown
            .retain(|(_, shown)| shown.headline != notice.headline);
        self.next_notice += 1;
        self.shared
            .notices
            .shown
            .push((NoticeId(self.next_notice), notice));
    }

    /// Removes the notice with this headline, because it no longer applies.
    pub(super) fn clear_notice(&mut self, headline: &str) {
        self.shared
            .notices
            .shown
            .retain(|(_, shown)| shown.headline != headline);
    }

    /// Saves all drafts and waits a few seconds at most for work in progress.
    pub fn close(mut self, runtime: &tokio::runtime::Handle) {
        self.save_all_drafts();
        self.cancel_deletion_on_close();
        let Self {
            work,
            shared,
            label_work: paper,
            saving_manifest,
            ..
        } = self;
        // Fetches in progress keep the engine running, so they are dropped first.
        drop((shared, paper, saving_manifest));
        runtime.block_on(work.close(CLOSE_LIMIT));
    }
}

/// Returns what the screens show before anything is fetched: the settings and the chosen service.
fn shared_at_start(
    setup: &Setup,
    surroundings: &SystemInfo,
    now: Timestamp,
    service: Service,
) -> Shared {
    let mut shared = Shared::new(now, service.environment);
    shared.session.zone.clone_from(&surroundings.zone);
    shared.track.scope.zone = surroundings.zone.as_str().into();
    shared.session.place = surroundings.city();
    shared.session.bench.clone_from(&setup.settings.bench);
    shared.session.staff.clone_from(&setup.settings.staff);
    shared.session.service = service.address;
    shared.session.connection = service.name;
    shared.session.live_pricing = service.middleware.is_some();
    shared.session.lists_printers = service.compatibility.optional.printers;
    shared.session.key_place = service.compatibility.key;
    shared.labels.service_printer = setup.settings.service_printer();
    shared.session.tracking = service.tracking;
    shared.session.company = setup.settings.company();
    shared.labels.auto_print = setup.settings.auto_print;
    shared.theme = frame_theme(setup.settings.theme);
    shared.practice.settings = setup.practice;
    shared.session.price_limit_percent = setup.settings.dear_percent;
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
