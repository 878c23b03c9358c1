//! The program without its window: its state, and the turn that handles outcomes, commands and timers.

use std::collections::VecDeque;
use std::time::Duration;

use jiff::SignedDuration;

use super::event::Event;
use super::launcher::CLOSE_LIMIT;
use super::practice_drill::PracticeDrill;
use super::reference_data::CatalogueUpdate;
use super::search::Search;
use super::service::Service;
use super::service_health::SessionUpdate;
use crate::config::SystemInfo;
use crate::screens::consign::update::ConsignUpdate;
use crate::screens::dispatch::update::DispatchUpdate;
use crate::screens::labels::update::LabelsUpdate;
use crate::screens::settings::update::setup::Setup;
use crate::screens::track::update::TrackUpdate;
use crate::state::{Command, Editing, Notice, Screen, Shared, WindowCommand};
use engine::{Engine, SyncKind};

/// Maximum number of outcomes, and of commands, handled in one turn. More are left for the next turn, which
/// follows at once.
const MOST_A_TURN: usize = 64;

/// The parts that a [`Core`] is built from.
pub(super) struct CoreParts<'a> {
    /// The running engine.
    pub(super) work: Engine,
    /// Settings, connections and tokens.
    pub(super) setup: Setup,
    /// Time zone, keyring and other facts about this computer.
    pub(super) system_info: &'a SystemInfo,
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
    commands: VecDeque<Command>,
    pub(super) session: SessionUpdate,
    pub(super) catalogue: CatalogueUpdate,
    /// The search in progress.
    pub(super) search: Search,
    pub(super) practice: PracticeDrill,
    pub(super) consign: ConsignUpdate,
    pub(super) dispatch: DispatchUpdate,
    pub(super) labels: LabelsUpdate,
    pub(super) track: TrackUpdate,
    /// Operations or print jobs have changed since the action items were sorted.
    pub(super) action_items_changed: bool,
}

impl Core {
    /// Creates the program with an empty draft, and starts the fetches that every screen needs.
    pub(super) fn new(parts: CoreParts<'_>) -> Self {
        let CoreParts {
            work,
            setup,
            system_info,
            service,
        } = parts;
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
            action_items_changed: false,
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
            self.handle(Event::Outcome(outcome), at);
        }
        self.handle_finished_reads(at);
        self.watch_health(at);
        for _ in 0..MOST_A_TURN {
            let Some(command) = self.commands.pop_front() else {
                break;
            };
            tracing::debug!(command = command.name(), "asked for");
            self.handle(Event::Command(command), at);
        }
        self.handle(Event::Timer, at);
        if busy || !self.commands.is_empty() || self.is_counting_drafts() {
            return Some(Duration::ZERO);
        }
        [
            self.session.next_due(),
            self.catalogue.next_due(),
            self.practice.next_due(),
            self.consign.next_due(),
            self.dispatch.next_due(),
            self.labels.next_due(),
            self.track.next_due(),
            self.shared.notices.next_due(),
        ]
        .into_iter()
        .flatten()
        .map(|due| due.saturating_sub(at))
        .chain(self.next_minute())
        .min()
    }

    /// Does the work that is due in this turn.
    pub(super) fn run_timers(&mut self, at: Duration) {
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

    pub(super) fn run(&mut self, command: Command) {
        match command {
            Command::Show(screen) => self.show(screen),
            Command::Window(command) => self.run_window(command),
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

    /// Removes the notice with this headline, because it no longer applies.
    pub(super) fn clear_notice(&mut self, headline: &str) {
        self.shared.notices.remove(headline);
    }

    /// Saves all drafts and waits a few seconds at most for work in progress.
    pub fn close(mut self, runtime: &tokio::runtime::Handle) {
        self.save_all_drafts();
        self.cancel_deletion_on_close();
        let Self {
            work,
            shared,
            labels,
            dispatch,
            ..
        } = self;
        // Fetches in progress keep the engine running, so they are dropped first.
        drop((shared, labels, dispatch));
        runtime.block_on(work.close(CLOSE_LIMIT));
    }
}

/// Returns what the screens show before anything is fetched: the settings and the chosen service.
fn shared_at_start(setup: &Setup, surroundings: &SystemInfo, service: Service) -> Shared {
    let mut shared = Shared::new(setup.clock.now(), service.environment);
    shared.session.zone.clone_from(&surroundings.zone);
    shared.track.scope.zone = surroundings.zone.as_str().into();
    shared.session.place = surroundings.city();
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
