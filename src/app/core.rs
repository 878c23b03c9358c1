//! The program without its window: its state, and the turn that handles events.
//!
//! A turn handles outcomes of the engine, finished reads, commands of the clerk and timers, in this order, so that a
//! command sees every outcome that arrived before it.

use std::collections::VecDeque;
use std::time::Duration;

use jiff::SignedDuration;

use crate::catalogue::CatalogueUpdate;
use crate::config::SystemInfo;
use crate::help::HelpUpdate;
use crate::launcher::CLOSE_LIMIT;
use crate::practice_drill::PracticeDrill;
use crate::privacy::remember_command;
use crate::row_cache::RowCache;
use crate::saving::SaveJobs;
use crate::scale::ScaleUpdate;
use crate::scanner::ScannerUpdate;
use crate::screens::settings::update::setup::Setup;
use crate::screens::{self, ScreenUpdate, poll_reads, with_screens};
use crate::search::Search;
use crate::service::Service;
use crate::session::SessionUpdate;
use crate::state::{Command, Editing, Notice, Screen, Shared, WindowCommand};
use engine::Engine;

/// Maximum number of outcomes, and of commands, handled in one turn. The rest is left for the next turn, which
/// follows at once.
const MOST_A_TURN: usize = 64;

with_screens! {
    ($([$Screen:ident $screen:ident] [$View:ident $Command:ident $Update:ident $State:ident] $tab:tt)+) => {
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
            pub(super) rows: RowCache,
            pub(super) saves: SaveJobs,
            pub(super) help: HelpUpdate,
            pub(super) scale: ScaleUpdate,
            pub(super) scanner: ScannerUpdate,
            $(pub(super) $screen: screens::$screen::update::$Update,)+
        }

        impl Core {
            fn without_draft(
                work: Engine,
                setup: Setup,
                shared: Shared,
                practice: PracticeDrill,
                help: HelpUpdate,
            ) -> Self {
                Self {
                    shared,
                    editing: Editing::default(),
                    work,
                    setup,
                    commands: VecDeque::new(),
                    session: SessionUpdate::default(),
                    catalogue: CatalogueUpdate::default(),
                    search: Search::default(),
                    practice,
                    rows: RowCache::default(),
                    saves: SaveJobs::default(),
                    help,
                    scale: ScaleUpdate::default(),
                    scanner: ScannerUpdate::default(),
                    $($screen: Default::default(),)+
                }
            }

            /// Switches to a screen and refreshes it.
            pub(super) fn show(&mut self, screen: Screen) {
                self.shared.screen = screen;
                match screen {
                    $(Screen::$Screen => screens::$screen::update::$Update::open(self),)+
                }
            }

            fn run(&mut self, command: Command) {
                match command {
                    Command::Show(screen) => self.show(screen),
                    Command::Window(command) => self.run_window(command),
                    Command::List(command) => self.run_list(command),
                    Command::Save(command) => self.run_save(command),
                    Command::Practice(command) => self.run_practice(command),
                    $(Command::$Screen(command) => screens::$screen::update::$Update::run(self, command),)+
                }
            }

            fn poll_screens(&mut self) {
                $(screens::$screen::update::$Update::poll(self);)+
            }

            fn run_timers_of_screens(&mut self, at: Duration) {
                $(screens::$screen::update::$Update::run_timers(self, at);)+
            }

            fn next_due_of_screens(&self) -> Option<Duration> {
                [$(self.$screen.next_due()),+].into_iter().flatten().min()
            }
        }
    };
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
        let help = HelpUpdate::new(system_info, &service);
        let shared = shared_at_start(&setup, system_info, service);
        let mut core = Self::without_draft(work, setup, shared, practice, help);
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
        self.watch_health(at);
        self.read_scale();
        self.read_scanner();
        for _ in 0..MOST_A_TURN {
            let Some(command) = self.commands.pop_front() else {
                break;
            };
            let name = command.name();
            tracing::debug!(command = name, "asked for");
            remember_command(name);
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
            Some(self.help.due),
            self.next_due_of_screens(),
            self.shared.notices.next_due(),
        ]
        .into_iter()
        .flatten()
        .map(|due| due.saturating_sub(at))
        .chain(self.next_minute())
        .chain(self.next_stale_reading())
        .min()
    }

    /// Polls all reads, and handles finished reads in this order.
    fn handle_finished_reads(&mut self) {
        poll_reads! { self:
            shared.catalogue.companies => settle_company,
            shared.catalogue.locations => locations_came,
            shared.catalogue.carrier_list => carriers_came,
            shared.catalogue.un_lookup => un_numbers_came,
        }
        self.poll_screens();
        poll_reads! { self:
            search.here => here_came,
            search.asked => service_answered,
        }
        if self.rows.poll_rows() {
            self.rows_came();
        }
        if self.rows.poll_copied() {
            self.copied_rows_came();
        }
        poll_reads! { self:
            saves.labels.result => labels_saved,
            saves.files.result => files_saved,
            saves.list.result => list_saved,
            saves.day_sheet.result => day_sheet_saved,
            saves.manifest.result => manifest_saved,
            saves.document.result => document_saved,
            saves.support_bundle.result => support_bundle_saved,
            saves.opened => folder_opened,
            shared.help.newest => newest_came,
        }
        self.shared.help.bundle.poll();
        self.shared.practice.drills.poll();
    }

    fn run_timers(&mut self, at: Duration) {
        self.watch_scale();
        self.watch_scanner();
        self.shared.catalogue.unreadable = self.work.reads().unread();
        self.run_practice_drill(at);
        self.follow_company();
        self.watch_un_numbers(at);
        self.check_for_update(at);
        // Updates the label queue before the screens, because queries of Dispatch's list depend on the queue.
        self.arrange_labels();
        self.run_timers_of_screens(at);
        self.shared.notices.dismiss_expired(at);
    }

    /// Returns the time until the next full minute, because the clock in the status line shows minutes.
    fn next_minute(&self) -> Option<Duration> {
        let into = self.shared.now.as_millisecond().rem_euclid(60_000);
        let left = SignedDuration::from_millis(60_000 - into);
        Duration::try_from(left).ok()
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
            WindowCommand::Dismiss(id) => self.shared.notices.dismiss(id),
            WindowCommand::Reconnect => self.reconnect(),
            WindowCommand::CollectBundle => self.collect_bundle(),
            WindowCommand::CheckForUpdate => self.ask_for_newest(),
            WindowCommand::OpenFolder(folder) => {
                let fetch = self.work.reads().open_folder(folder);
                self.saves.opened.start(fetch);
            }
            WindowCommand::UseFiles(paths) => self.use_files(paths),
        }
    }

    /// Returns true if the screens must ask for a path: the clerk has typed none, and there is no file dialog.
    pub(super) const fn lacks_path(&self, is_typed: bool) -> bool {
        !is_typed && !self.shared.settings.file_dialog
    }

    /// Shows a notice until it is dismissed, or for a few seconds if it is a confirmation.
    pub(super) fn notify(&mut self, notice: Notice) {
        self.shared.notify(notice);
    }

    pub(super) fn clear_notice(&mut self, headline: &str) {
        self.shared.notices.remove(headline);
    }

    /// Saves all drafts and the settings, and waits a few seconds at most for work in progress.
    pub fn close(mut self, runtime: &tokio::runtime::Handle) {
        self.save_all_drafts();
        self.cancel_deletion_on_close();
        self.setup.finish_writing();
        let work = self.into_engine();
        runtime.block_on(work.close(CLOSE_LIMIT));
    }

    /// Drops everything except the engine. Fetches in progress keep the engine running, so dropping must end them
    /// before the engine is closed.
    fn into_engine(self) -> Engine {
        self.work
    }
}

/// Returns the state that the screens show before any data is fetched: the settings and the chosen service.
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
    shared.practice.settings = setup.practice;
    shared.help.version = system_info.version;
    shared.help.is_first_start = setup.settings.is_first_start;
    shared
        .help
        .update_address
        .clone_from(&setup.settings.updates.address);
    setup.show(&mut shared);
    shared
}
