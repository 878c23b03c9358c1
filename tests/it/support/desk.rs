//! The whole program without its window, with a practice service and its own clock.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use app::config::{BenchSettings, DataFolder, Settings, SystemInfo, TrackingScopes};
use app::sounds::ScanSound;
use app::state::{
    Command, ConsignCommand, ConsignmentRow, DispatchCommand, JobState, ListCommand, Notice,
    Operation, OperationKind, OperationState, PrintJob, SettingsCommand, Shared,
};
use app::{self, Core, ProgramOptions, Service};
use client::{AvailabilityPolicy, Timeouts};
use draft::{Draft, PickupContext, PickupDraft, Routing};
use jiff::Timestamp;
use practice::{self, AnswerShapes, RunningService};
use shipping::{Clock, ConsignmentId, ManifestGroup};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::lanes::QUICK;
use super::requests::type_ballarat;
use super::runtime::runtime;
use super::system::system_info;
use super::wait::{SOON, until};
use super::wire::{Fault, Wire};

/// Friday 20 November 2026, 14:05 in Sydney.
pub(crate) const NOW: &str = "2026-11-20T03:05:00Z";

/// When a lost answer is reconciled, in milliseconds; short for a test.
pub(crate) const SETTLE: [u64; 3] = [50, 150, 300];

/// The longest time that passes for the program from one turn to the next.
const LONGEST_TURN: Duration = Duration::from_millis(100);

/// A bench's home: what it keeps stays from one start to the next.
pub(crate) struct Home {
    pub(crate) runtime: Runtime,
    pub(crate) places: DataFolder,
    pub(crate) settings: Settings,
    pub(crate) surroundings: SystemInfo,
    pub(crate) clock: Clock,
    /// The sounds that were asked for and not heard yet.
    sounds: Arc<Mutex<Vec<ScanSound>>>,
    folder: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self {
            runtime: runtime(2),
            places: DataFolder::open(Some(folder.path().join("bench"))).expect("a data folder"),
            settings: Settings {
                bench: BenchSettings {
                    name: "Bench 4".to_owned(),
                    ..BenchSettings::default()
                },
                follow: TrackingScopes {
                    by_itself: false,
                    ..TrackingScopes::default()
                },
                ..Settings::default()
            },
            surroundings: system_info(folder.path()),
            clock: Clock::fixed(NOW.parse::<Timestamp>().expect("a moment")),
            sounds: Arc::default(),
            folder,
        }
    }

    /// A new home and its practice service.
    pub(crate) fn with_practice() -> (Self, RunningService) {
        let home = Self::new();
        let practice = home.practise();
        (home, practice)
    }

    /// A new home, its practice service, and a wire before that service.
    pub(crate) fn with_wire() -> (Self, RunningService, Wire) {
        let (home, practice) = Self::with_practice();
        let wire = Wire::before(practice.address());
        (home, practice, wire)
    }

    /// The database of the practice service.
    pub(crate) fn practice_file(&self) -> std::path::PathBuf {
        self.folder.path().join("practice/practice.sqlite")
    }

    /// The practice service, its clock with the bench's.
    pub(crate) fn practise(&self) -> RunningService {
        self.practise_in("practice")
    }

    /// The practice service, answering in these shapes.
    pub(crate) fn practise_shaped(&self, shapes: AnswerShapes) -> RunningService {
        self.practise_with("practice", |settings| settings.shapes = shapes)
    }

    /// The practice service with carriers that move in real time, and chance that falls so.
    pub(crate) fn practise_moving(&self, seed: u64) -> RunningService {
        self.practise_at("practice", 1, seed)
    }

    /// Another practice service, which knows nothing of the first.
    pub(crate) fn practise_anew(&self) -> RunningService {
        self.practise_in("practice anew")
    }

    fn practise_in(&self, folder: &str) -> RunningService {
        self.practise_at(folder, 0, 0)
    }

    fn practise_at(&self, folder: &str, speed: u32, seed: u64) -> RunningService {
        self.practise_with(folder, |settings| {
            settings.speed = speed;
            settings.seed = seed;
        })
    }

    fn practise_with(
        &self,
        folder: &str,
        change: impl FnOnce(&mut practice::Settings),
    ) -> RunningService {
        let mut settings = practice::Settings {
            clock: Clock::fixed(NOW.parse().expect("a moment")),
            speed: 0,
            ..practice::Settings::at(self.folder.path().join(folder))
        };
        change(&mut settings);
        self.runtime
            .block_on(practice::start(settings))
            .expect("the practice service starts")
    }

    /// A service at `address`, with limits that a test can wait for.
    pub(crate) fn service(address: String, token: &str) -> Service {
        Service {
            limits: Timeouts {
                write: Duration::from_secs(5),
                create: Duration::from_secs(5),
                ..QUICK
            },
            patience: AvailabilityPolicy {
                cooldown: Duration::from_millis(300),
                ..AvailabilityPolicy::default()
            },
            reconcile_after: SETTLE.map(Duration::from_millis).to_vec(),
            ..Service::practice(address, token)
        }
    }

    /// A practice service, and the program on this home working with it.
    pub(crate) fn open_practice(&self) -> (RunningService, Desk) {
        let practice = self.practise();
        let desk = self.open(&Self::service(practice.base_url(), practice.token()));
        (practice, desk)
    }

    /// A practice service, a wire before it that can fail, and the program on this home behind that wire.
    pub(crate) fn open_behind_wire(&self) -> (RunningService, Wire, Desk) {
        let practice = self.practise();
        let wire = Wire::before(practice.address());
        let desk = self.open(&Self::service(wire.base_url(), practice.token()));
        (practice, wire, desk)
    }

    /// Closes the program, and opens it again on this home.
    pub(crate) fn restart(&self, desk: Desk, service: &Service) -> Desk {
        desk.core.close(self.runtime.handle());
        self.open(service)
    }

    /// The sounds that were asked for since the last call.
    pub(crate) fn heard(&self) -> Vec<ScanSound> {
        std::mem::take(
            &mut self
                .sounds
                .lock()
                .expect("no panic while a sound is asked for"),
        )
    }

    /// The options with which the program starts on this home.
    pub(crate) fn options(&self, settings: Settings) -> ProgramOptions {
        let sounds = Arc::clone(&self.sounds);
        ProgramOptions {
            clock: self.clock.clone(),
            sounds: Arc::new(move |sound| sounds.lock().expect("no panic in a test").push(sound)),
            ..ProgramOptions::new(
                self.runtime.handle().clone(),
                self.places.clone(),
                settings,
                self.surroundings.clone(),
            )
        }
    }

    /// The program on this home, working with `service`.
    pub(crate) fn open(&self, service: &Service) -> Desk {
        let options = self.options(self.settings.clone());
        let core = app::open_core(&options, service).expect("the program starts");
        Desk {
            core,
            time: Duration::ZERO,
            last_turn: Instant::now(),
        }
    }
}

/// A new home, its practice service, and the program working with that service.
pub(crate) fn open_bench() -> (Home, RunningService, Desk) {
    let home = Home::new();
    let (practice, desk) = home.open_practice();
    (home, practice, desk)
}

/// A new home, its practice service, and the program, with the service that opens the program again.
pub(crate) fn open_reopenable_bench() -> (Home, RunningService, Service, Desk) {
    let (home, practice) = Home::with_practice();
    let service = Home::service(practice.base_url(), practice.token());
    let desk = home.open(&service);
    (home, practice, service, desk)
}

/// A new home, its practice service, a wire before that service, and the program behind the wire, with the service
/// that opens the program again.
pub(crate) fn open_reopenable_wired_bench() -> (Home, RunningService, Wire, Service, Desk) {
    let (home, practice, wire) = Home::with_wire();
    let service = Home::service(wire.base_url(), practice.token());
    let desk = home.open(&service);
    (home, practice, wire, service, desk)
}

/// A new home, its practice service, a wire before that service, and the program behind the wire.
pub(crate) fn open_wired_bench() -> (Home, RunningService, Wire, Desk) {
    let home = Home::new();
    let (practice, wire, desk) = home.open_behind_wire();
    (home, practice, wire, desk)
}

/// A new bench behind a wire, with a consignment on its way that meets `fault`.
pub(crate) fn open_failing_bench(fault: Fault) -> (Home, RunningService, Wire, Desk) {
    let (home, practice, wire, mut desk) = open_wired_bench();
    wire.fail("/consignments/createConsignment", fault);
    desk.type_consignment("SO-48213");
    desk.send();
    (home, practice, wire, desk)
}

/// Returns the newest operation of this kind if it is in this state.
pub(crate) fn operation(
    core: &Core,
    kind: OperationKind,
    state: OperationState,
) -> Option<Operation> {
    let mut operations = core.shared.operations.list.iter();
    operations
        .find(|operation| operation.kind == kind)
        .filter(|operation| operation.state == state)
        .cloned()
}

/// Returns the first notice whose headline contains `words`.
pub(crate) fn notice(shared: &Shared, words: &str) -> Option<Notice> {
    let mut notices = shared.notices.shown.iter().map(|(_, notice)| notice);
    notices
        .find(|notice| notice.headline.contains(words))
        .cloned()
}

/// The program, turned by the test.
pub(crate) struct Desk {
    pub(crate) core: Core,
    /// The program's time at the last turn.
    time: Duration,
    last_turn: Instant,
}

impl Desk {
    /// Has so much time pass for whatever is due by itself.
    pub(crate) fn pass(&mut self, time: Duration) {
        self.turn();
        self.time += time;
        self.turn();
    }

    /// Turns the program until `probe` answers; says what it waited for where it does not.
    #[track_caller]
    pub(crate) fn until<T>(&mut self, what: &str, mut probe: impl FnMut(&Core) -> Option<T>) -> T {
        until(what, SOON, || {
            self.turn();
            probe(&self.core)
        })
    }

    /// One turn. Where the machine was held up, less time passes for the program, so that nothing is due by itself early.
    pub(crate) fn turn(&mut self) {
        let now = Instant::now();
        self.time += (now - self.last_turn).min(LONGEST_TURN);
        self.last_turn = now;
        self.core.turn(self.time);
    }

    /// Types a consignment that can be sent: a saved sender, a full address, one line of goods.
    pub(crate) fn type_consignment(&mut self, reference: &str) {
        self.until("the saved locations", |core| {
            core.shared
                .catalogue
                .locations
                .value()
                .and(core.shared.session.company)
                .map(|_| ())
        });
        let sender = self
            .core
            .shared
            .catalogue
            .locations
            .value()
            .expect("just fetched")[0]
            .clone();
        let draft = &mut self.core.editing.draft;
        draft.from.set_location(&sender);
        fill(draft, reference);
    }

    /// Sends what is typed.
    pub(crate) fn send(&mut self) {
        self.ask(ConsignCommand::Send);
    }

    /// Begins a new draft, and waits until the form is blank.
    #[track_caller]
    pub(crate) fn begin_draft(&mut self) {
        self.ask(ConsignCommand::NewDraft);
        self.until("a blank form", |core| {
            core.editing.draft.is_blank().then_some(())
        });
    }

    /// Reads a consignment's row anew, as the list does.
    #[track_caller]
    pub(crate) fn row(&mut self, id: ConsignmentId) -> ConsignmentRow {
        Arc::make_mut(&mut self.core.shared.rows).remove(&id);
        self.ask(ListCommand::NeedRows(vec![id]));
        self.until("the row", |core| core.shared.row(id).cloned())
    }

    /// Gives the program a command; the next turn runs it.
    pub(crate) fn ask(&mut self, command: impl Into<Command>) {
        self.core.push(command.into());
    }

    /// Lets labels of new consignments print by themselves.
    pub(crate) fn print_new_labels(&mut self) {
        let bench = BenchSettings {
            auto_print: true,
            ..self.core.shared.bench.clone()
        };
        self.ask(SettingsCommand::SetBench(bench));
    }

    /// Waits until the newest operation of this kind is in this state.
    #[track_caller]
    pub(crate) fn until_operation(
        &mut self,
        kind: OperationKind,
        state: OperationState,
    ) -> Operation {
        let what = format!("{kind:?} is {state:?}");
        self.until(&what, |core| operation(core, kind, state))
    }

    /// Waits until a print job is in this state, and returns the newest such job.
    #[track_caller]
    pub(crate) fn until_job(&mut self, state: JobState) -> PrintJob {
        self.until(&format!("a job is {state:?}"), |core| {
            let mut jobs = core.shared.labels.jobs.iter();
            jobs.find(|job| job.state == state).cloned()
        })
    }

    /// Groups this consignment and returns its group with the default pickup.
    #[track_caller]
    pub(crate) fn group(&mut self, id: ConsignmentId) -> ManifestGroup {
        self.ask(DispatchCommand::Group(vec![id]));
        let group = self.until("grouped", |core| {
            let groups = core.shared.dispatch.groups.value()?;
            groups.first().cloned()
        });
        PickupDraft::from(group)
            .review(&PickupContext::at(self.core.shared.now, "Australia/Sydney"))
            .group
            .expect("the default pickup is right")
    }

    /// Types a consignment with this reference, sends it, and waits until it is created.
    #[track_caller]
    pub(crate) fn create(&mut self, reference: &str) -> ConsignmentId {
        self.type_consignment(reference);
        self.send();
        self.until_created(reference)
    }

    /// Waits until the consignment with this reference is the one that was created last.
    #[track_caller]
    pub(crate) fn until_created(&mut self, reference: &str) -> ConsignmentId {
        self.until(&format!("{reference} is created"), |core| {
            let made = core.shared.consign.last_created.as_ref()?;
            (made.customer_reference.as_deref() == Some(reference)).then_some(made.id)
        })
    }
}

/// Everything that a consignment needs besides its sender.
pub(crate) fn fill(draft: &mut Draft, reference: &str) {
    let text = |text: &str| text.to_owned();
    type_ballarat(&mut draft.to);
    draft.reference1 = text(reference);
    let line = &mut draft.goods[0];
    line.name = text("Hose reels, 20 m");
    line.quantity = text("2");
    line.weight = text("9");
    line.length = text("40");
    line.width = text("40");
    line.height = text("30");
    draft.routing = Routing::Cheapest;
}
