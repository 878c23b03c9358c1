//! The program without its window: its state, and the turn that handles events.
//!
//! A turn handles outcomes of the engine, finished reads, commands of the clerk and timers, in this order, so
//! that a command sees every outcome that was there before it.

use std::collections::VecDeque;
use std::time::Duration;

use jiff::SignedDuration;

use crate::config::SystemInfo;
use crate::launcher::CLOSE_LIMIT;
use crate::practice_drill::PracticeDrill;
use crate::reference_data::CatalogueUpdate;
use crate::row_cache::RowCache;
use crate::saving::SaveJobs;
use crate::screens::consign::update::ConsignUpdate;
use crate::screens::dispatch::update::DispatchUpdate;
use crate::screens::labels::update::LabelsUpdate;
use crate::screens::settings::update::setup::Setup;
use crate::screens::track::update::TrackUpdate;
use crate::search::Search;
use crate::service::Service;
use crate::session::SessionUpdate;
use crate::state::{Command, Editing, Notice, Screen, Shared, WindowCommand};
use engine::{Engine, SyncKind};

/// Maximum number of outcomes, and of commands, handled in one turn. More are left for the next turn, which
/// follows at once.
const MOST_A_TURN: usize = 64;

/// Polls reads in the background, each a field of `Core`, and calls the method that handles its end.
macro_rules! poll_reads {
    ($core:ident: $($($field:ident).+ => $handler:ident,)+) => {$(
        if $core.$($field).+.poll() {
            $core.$handler();
        }
    )+};
}

pub struct Core {
    pub shared: Shared,
    /// The draft in the form on Consign.
    pub editing: Editing,
    pub(super) work: Engine,
    pub(super) setup: Setup,
    commands: VecDeque<Command>,
    pub(super) session: SessionUpdate,
    pub(super) catalogue: CatalogueUpdate,
    pub(super) search: Search,
    pub(super) practice: PracticeDrill,
    pub(super) consign: ConsignUpdate,
    pub(super) dispatch: DispatchUpdate,
    pub(super) labels: LabelsUpdate,
    pub(super) track: TrackUpdate,
    pub(super) rows: RowCache,
    pub(super) saves: SaveJobs,
    /// Operations or print jobs have changed since the action items were sorted.
    pub(super) action_items_changed: bool,
}

impl Core {
    /// Creates the program with an empty draft, and starts the fetches that every screen needs.
    pub(super) fn new(
        work: Engine,
        setup: Setup,
        system_info: &SystemInfo,
        service: Service,
    ) -> Self {
        let practice = PracticeDrill::new(&service);
        let mut core = Self {
            shared: shared_at_start(&setup, system_info, service),
            editing: Editing::default(),
            work,
            setup,
            commands: VecDeque::new(),
            session: SessionUpdate::default(),
            catalogue: CatalogueUpdate::default(),
            search: Search::default(),
            practice,
            consign: ConsignUpdate::default(),
            dispatch: DispatchUpdate::default(),
            labels: LabelsUpdate::default(),
            track: TrackUpdate::default(),
            rows: RowCache::default(),
            saves: SaveJobs::default(),
            action_items_changed: false,
        };
        core.editing.draft.company = core.shared.session.company;
        core.editing.notice_change();
        core.editing.mark_kept();
        core.fetch_companies();
        core.refresh_printers();
        core.refresh_unmanifested();
        core.begin_board();
        core.start_tracking();
        core
    }

    pub fn push(&mut self, command: Command) {
        self.commands.push_back(command);
    }

    /// Runs one turn: handles outcomes, finished reads, commands and timers, a limited number of each. `at`
    /// is a monotonic time. Returns how long the next turn may wait, or `None` if nothing is scheduled.
    pub fn turn(&mut self, at: Duration) -> Option<Duration> {
        self.shared.now = self.setup.clock.now();
        let mut busy = true;
        for _ in 0..MOST_A_TURN {
            let Some(outcome) = self.work.next_outcome() else {
                busy = false;
                break;
            };
            self.apply_outcome(outcome);
        }
        self.handle_finished_reads();
        self.poll_setup();
        self.watch_health(at);
        for _ in 0..MOST_A_TURN {
            let Some(command) = self.commands.pop_front() else {
                break;
            };
            tracing::debug!(command = command.name(), "asked for");
            self.run(command);
        }
        self.run_timers(at);
        if busy || !self.commands.is_empty() || self.is_counting_drafts() {
            return Some(Duration::ZERO);
        }
        [
            self.session.retry_due,
            self.catalogue.ask_due,
            self.practice.due,
            self.consign.next_due(),
            self.dispatch.next_due(),
            self.labels.polling.due,
            self.track.next_due(),
            self.shared.notices.next_due(),
        ]
        .into_iter()
        .flatten()
        .map(|due| due.saturating_sub(at))
        .chain(self.next_minute())
        .min()
    }

    /// Polls all reads, and handles finished reads in this order.
    fn handle_finished_reads(&mut self) {
        // The screens show the results of these reads as they are.
        let _ended = [
            self.shared.consign.live_prices.poll(),
            self.shared.dispatch.groups_view.manifest.poll(),
            self.shared.operations.action_item.history.poll(),
            self.shared.operations.action_item.job_history.poll(),
            self.shared.operations.action_item.found.poll(),
            self.shared.labels.preview.poll(),
            self.shared.labels.service_printers.poll(),
            self.shared.labels.printers.poll(),
            self.shared.labels.test_label.poll(),
            self.shared.track.board.poll(),
            self.shared.track.list.poll(),
            self.shared.dispatch.found.poll(),
            self.shared.labels.found.poll(),
            self.shared.track.page.history.poll(),
            self.shared.track.page.files.poll(),
            self.shared.track.page.shown.poll(),
            self.shared.track.status_rows.poll(),
            self.shared.track.exports.sheet.poll(),
            self.shared.practice.drills.poll(),
        ];
        poll_reads! { self:
            shared.catalogue.companies => settle_company,
            shared.catalogue.locations => locations_came,
            shared.catalogue.carrier_list => carriers_came,
            shared.catalogue.un_lookup => un_numbers_came,
            shared.consign.routes => routes_came,
        }
        if self.poll_list() {
            self.list_came();
        }
        poll_reads! { self:
            search.here => here_came,
            search.asked => service_answered,
            shared.dispatch.groups => groups_came,
            shared.dispatch.groups_view.manifests => manifests_came,
            consign.form => form_came,
            consign.conversions => conversions_came,
            labels.polling.jobs => jobs_polled,
            labels.polling.acting => acted,
            consign.import.opening => orders_opened,
            consign.import.checking => orders_checked,
            consign.import.taking => orders_taken,
            consign.import.saving => rejected_saved,
            consign.import.template => template_saved,
            track.stored_mark => stored_mark_came,
            shared.track.sync => sync_came,
            track.news.asked => news_came,
        }
        if self.rows.poll_rows() {
            self.rows_came();
        }
        if self.rows.poll_copied() {
            self.copied_rows_came();
        }
        poll_reads! { self:
            shared.track.page.consignment => page_came,
            track.page.reading_back => statuses_read_back,
            saves.labels.result => labels_saved,
            saves.files.result => files_saved,
            saves.list.result => list_saved,
            saves.day_sheet.result => day_sheet_saved,
            saves.manifest.result => manifest_saved,
        }
    }

    fn run_timers(&mut self, at: Duration) {
        if self.action_items_changed {
            self.sort_action_items();
        }
        self.shared.catalogue.unreadable = self.work.reads().unread();
        self.arrange_labels();
        self.send_next();
        self.run_practice_drill(at);
        self.watch_choice();
        self.follow_company();
        self.watch_un_numbers(at);
        self.watch_typing(at);
        self.save_and_fetch_prices(at);
        self.watch_deletion(at);
        self.watch_printers(at);
        self.watch_list(at);
        self.watch_track(at);
        self.shared.notices.dismiss_expired(at);
    }

    /// Returns the time until the next full minute, because the clock in the status line shows minutes.
    fn next_minute(&self) -> Option<Duration> {
        let into = self.shared.now.as_millisecond().rem_euclid(60_000);
        let left = SignedDuration::from_millis(60_000 - into);
        Duration::try_from(left).ok()
    }

    fn run(&mut self, command: Command) {
        match command {
            Command::Show(screen) => self.show(screen),
            Command::Window(command) => self.run_window(command),
            Command::List(command) => self.run_list(command),
            Command::Save(command) => self.run_save(command),
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

    fn run_window(&mut self, command: WindowCommand) {
        match command {
            WindowCommand::Find(text) => self.find(text.trim()),
            WindowCommand::AcknowledgeFind => {
                self.shared.search.not_found = None;
                self.shared.search.failures.clear();
                self.shared.consign.not_counted = None;
            }
            WindowCommand::PickCompany(company) => self.pick_company(company),
            WindowCommand::PickTheme(theme) => {
                self.shared.theme = theme;
                self.setup.settings.theme = theme;
                self.setup.write();
            }
            WindowCommand::Dismiss(id) => self.shared.notices.dismiss(id),
            WindowCommand::Reconnect => self.reconnect(),
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

    /// Returns true if a path has to be typed, because there is no file dialog. The screens ask for it then.
    pub(super) fn lacks_path(&mut self, is_typed: bool) -> bool {
        let lacks = !is_typed && !self.shared.setup.file_dialog;
        self.shared.no_file_dialog |= lacks;
        lacks
    }

    /// Shows a notice until it is dismissed, or for a few seconds if it is a confirmation.
    pub(super) fn notify(&mut self, notice: Notice) {
        self.shared.notices.add(notice, self.shared.now);
    }

    pub(super) fn clear_notice(&mut self, headline: &str) {
        self.shared.notices.remove(headline);
    }

    /// Saves all drafts and waits a few seconds at most for work in progress.
    pub fn close(mut self, runtime: &tokio::runtime::Handle) {
        self.save_all_drafts();
        self.cancel_deletion_on_close();
        // Fetches in progress keep the engine running, so they are dropped first.
        drop((self.shared, self.labels, self.dispatch, self.track));
        drop((self.consign, self.search, self.rows, self.saves));
        runtime.block_on(self.work.close(CLOSE_LIMIT));
    }
}

/// Returns what the screens show before anything is fetched: the settings and the chosen service.
fn shared_at_start(setup: &Setup, system_info: &SystemInfo, service: Service) -> Shared {
    let mut shared = Shared::new(setup.clock.now(), service.environment);
    shared.session.zone.clone_from(&system_info.zone);
    shared.track.scope.zone = system_info.zone.as_str().into();
    shared.session.place = system_info.city();
    shared.session.service = service.address;
    shared.session.connection = service.name;
    shared.session.live_pricing = service.middleware.is_some();
    shared.session.lists_printers = service.compatibility.optional.printers;
    shared.session.key_place = service.compatibility.key;
    shared.labels.service_printer = setup.settings.service_printer();
    shared.session.tracking = service.tracking;
    shared.session.company = setup.settings.company();
    shared.labels.auto_print = setup.settings.auto_print;
    shared.theme = setup.settings.theme;
    shared.practice.settings = setup.practice;
    show_settings(setup, &mut shared);
    shared
}

/// Shows the settings that can be changed while a service is open.
pub(super) fn show_settings(setup: &Setup, shared: &mut Shared) {
    let session = &mut shared.session;
    session.bench.clone_from(&setup.settings.bench);
    session.staff.clone_from(&setup.settings.staff);
    session.price_limit_percent = setup.settings.dear_percent;
    setup.show(&mut shared.setup);
}
