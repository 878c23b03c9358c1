//! The engine without a window, on a practice service: requests in, outcomes out, and what really happened at
//! the service.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use app::state::{JobId, Operation, OperationId, OperationState};
use client::{Client, Connection, Timeouts};
use draft::{Draft, DraftId};
use engine::{
    BatchEndReason, Engine, EngineParts, FaultHook, Outcome, Reads, Remote, Request, SyncKind,
    WorkgroupView,
};
use practice::{self, RunningService};
use printing::renderer::Renderer;
use printing::service::{PrintService, ServerAddress};
use shipping::{Clock, Consignment, ConsignmentId};
use storage::{Journal, PrintJob};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use workgroup::{WaitingDraft, Workgroup};

use super::desk::{NOW, SETTLE};
use super::runtime::runtime;
use super::wait::{SOON, until};

/// Calls that a test can wait for.
pub(crate) const QUICK: Timeouts = Timeouts {
    connect: Duration::from_secs(2),
    read: Duration::from_secs(2),
    write: Duration::from_secs(2),
    create: Duration::from_secs(2),
    file: Duration::from_secs(5),
};

/// A practice service, and folders for benches to work in.
pub(crate) struct Site {
    pub(crate) runtime: Runtime,
    pub(crate) practice: RunningService,
    pub(crate) clock: Clock,
    folder: TempDir,
}

impl Site {
    pub(crate) fn open() -> Self {
        Self::open_at(Clock::fixed(NOW.parse().expect("a moment")))
    }

    /// Opens a site whose practice service has this clock.
    pub(crate) fn open_at(clock: Clock) -> Self {
        let runtime = runtime(2);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let settings = practice::Settings {
            clock: clock.clone(),
            speed: 0,
            ..practice::Settings::at(folder.path().join("practice"))
        };
        let practice = runtime
            .block_on(practice::start(settings))
            .expect("the practice service starts");
        Self {
            runtime,
            practice,
            clock,
            folder,
        }
    }

    /// A folder of this bench's own.
    pub(crate) fn home(&self, bench: &str) -> PathBuf {
        let home = self.folder.path().join(bench);
        std::fs::create_dir_all(home.join("spool")).expect("a folder");
        home
    }

    /// Where this bench's journal is.
    pub(crate) fn journal(&self, bench: &str) -> PathBuf {
        self.home(bench).join("journal.db")
    }

    /// Who may everything.
    pub(crate) fn token(&self) -> String {
        self.practice.supervisor_token().to_owned()
    }

    /// A caller that nothing stands before.
    pub(crate) fn client(&self) -> Client {
        client(&self.practice.base_url(), &self.token(), QUICK)
    }

    /// What the practice service has on its disk.
    pub(crate) fn truth(&self) -> Truth {
        Truth::read(&self.truth_file())
    }

    pub(crate) fn truth_file(&self) -> PathBuf {
        self.folder.path().join("practice/practice.sqlite")
    }

    /// Opens a bench's engine that calls the service directly.
    pub(crate) fn bench(&self, name: &str) -> Lanes {
        self.bench_at(name, &self.practice.base_url())
    }

    /// Opens a bench's engine that calls the service at `address`.
    pub(crate) fn bench_at(&self, name: &str, address: &str) -> Lanes {
        self.bench_with_clock(name, address, self.clock.clone())
    }

    /// Opens a bench's engine with its own clock.
    pub(crate) fn bench_with_clock(&self, name: &str, address: &str, clock: Clock) -> Lanes {
        let client = client(address, &self.token(), QUICK);
        let place = Place {
            home: self.home(name),
            name: name.to_owned(),
            clock,
            settle_after: SETTLE.map(Duration::from_millis).to_vec(),
            workgroup: None,
        };
        Lanes::open(&self.runtime, place, client, Arc::new(|_| ()))
    }
}

pub(crate) fn client(address: &str, token: &str, limits: Timeouts) -> Client {
    let mut connection = Connection::new(address, token.to_owned().into()).expect("an address");
    connection.timeouts = limits;
    Client::new(&connection).expect("a client")
}

/// What happened at the service, as its disk has it: no fault of the wire can bend that.
pub(crate) struct Truth(rusqlite::Connection);

impl Truth {
    pub(crate) fn read(file: &std::path::Path) -> Self {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        Self(rusqlite::Connection::open_with_flags(file, flags).expect("the service's database"))
    }

    /// The one number that `sql` asks for.
    pub(crate) fn count(&self, sql: &str, about: impl rusqlite::ToSql) -> u32 {
        self.0
            .query_row(sql, [about], |row| row.get(0))
            .expect("a number")
    }
}

/// Where a bench works.
pub(crate) struct Place {
    pub(crate) home: PathBuf,
    pub(crate) name: String,
    pub(crate) clock: Clock,
    pub(crate) settle_after: Vec<Duration>,
    pub(crate) workgroup: Option<Workgroup>,
}

/// A bench's engine, and the outcomes that it has reported.
pub(crate) struct Lanes {
    work: Engine,
    steps: BTreeMap<OperationId, usize>,
    pub(crate) operations: BTreeMap<OperationId, Operation>,
    pub(crate) jobs: BTreeMap<JobId, PrintJob>,
    pub(crate) created: Vec<Consignment>,
    pub(crate) told: Vec<String>,
    pub(crate) restored: bool,
    /// As the journal had them at the start, and those that came back since.
    pub(crate) drafts: Vec<Draft>,
    /// The drafts that any bench can take over, as they were told last.
    pub(crate) waiting: Vec<WaitingDraft>,
    pub(crate) saved: Vec<DraftId>,
    /// As they were told last.
    pub(crate) seen: BTreeMap<ConsignmentId, Consignment>,
    pub(crate) gone: BTreeSet<ConsignmentId>,
    /// The workgroup as it was told last.
    pub(crate) workgroup: Option<WorkgroupView>,
}

impl Lanes {
    pub(crate) fn open(
        runtime: &Runtime,
        place: Place,
        client: Client,
        witness: FaultHook,
    ) -> Self {
        let program = PathBuf::from(env!("CARGO_BIN_EXE_packbench"));
        let nowhere = place.home.join("no-print-service");
        let parts = EngineParts {
            runtime: runtime.handle().clone(),
            client,
            journal: Journal::open_or_restore(&place.home.join("journal.db"), place.clock.now())
                .expect("a journal")
                .journal,
            renderer: Renderer::new(program.clone()),
            print_service: PrintService::new(
                program,
                ServerAddress::parse(&nowhere.display().to_string()).expect("an address"),
            ),
            spool: place.home.join("spool"),
            clock: place.clock,
            bench: place.name,
            settle_after: place.settle_after,
            workgroup: place.workgroup,
            repaint: Arc::new(|| ()),
            fault_hook: witness,
        };
        Self {
            work: Engine::start(parts).expect("the lanes"),
            steps: BTreeMap::new(),
            operations: BTreeMap::new(),
            jobs: BTreeMap::new(),
            created: Vec::new(),
            told: Vec::new(),
            restored: false,
            drafts: Vec::new(),
            saved: Vec::new(),
            seen: BTreeMap::new(),
            gone: BTreeSet::new(),
            waiting: Vec::new(),
            workgroup: None,
        }
    }

    pub(crate) const fn reads(&self) -> &Reads {
        self.work.reads()
    }

    pub(crate) fn ask(&self, request: Request) {
        self.work.submit(request);
    }

    /// Receives outcomes from the engine until `probe` returns a value.
    #[track_caller]
    pub(crate) fn until<T>(&mut self, what: &str, mut probe: impl FnMut(&Self) -> Option<T>) -> T {
        let started = std::time::Instant::now();
        loop {
            self.hear();
            if let Some(answer) = probe(self) {
                return answer;
            }
            assert!(
                started.elapsed() < SOON,
                "after {SOON:?} still not: {what}; the newest is {:#?}, told: {:?}",
                self.newest(),
                self.told
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Receives all outcomes that the engine has reported so far.
    pub(crate) fn hear(&mut self) {
        while let Some(outcome) = self.work.next_outcome() {
            match outcome {
                Outcome::Operation(operation) => {
                    *self.steps.entry(operation.id).or_default() += 1;
                    self.operations.insert(operation.id, *operation);
                }
                Outcome::Restored(restored) => {
                    self.restored = true;
                    self.drafts = restored.drafts;
                    for operation in restored.operations {
                        self.operations.insert(operation.id, operation);
                    }
                    self.jobs
                        .extend(restored.jobs.into_iter().map(|job| (job.id, job)));
                }
                Outcome::Job(job) => {
                    self.jobs.insert(job.id, *job);
                }
                Outcome::DraftSaved { id, .. } => self.saved.push(id),
                Outcome::ConsignmentsRead(seen) => {
                    self.seen.extend(seen.into_iter().map(|one| (one.id, one)));
                }
                Outcome::Gone(ids) => self.gone.extend(ids),
                Outcome::Created { consignment, .. } => self.created.push(*consignment),
                Outcome::Batch(end) => {
                    if let BatchEndReason::NotWritten(error) = end.ending {
                        self.told.push(format!("not printed: {error}"));
                    }
                }
                Outcome::DraftBack(draft) => self.drafts.push(*draft),
                Outcome::WaitingDrafts(waiting) => self.waiting = waiting,
                Outcome::Workgroup(workgroup) => self.workgroup = Some(*workgroup),
                Outcome::Failed { what, error, .. } => self.told.push(format!("{what}: {error}")),
                Outcome::NotCreated { error, .. } => {
                    self.told.push(format!("not created: {error}"));
                }
                Outcome::NotWritten(error) => self.told.push(format!("not written: {error}")),
                _ => {}
            }
        }
    }

    /// How many steps of an operation were told.
    pub(crate) fn steps(&self, id: OperationId) -> usize {
        self.steps.get(&id).copied().unwrap_or(0)
    }

    /// Has the list of what is unmanifested fetched, as Dispatch does.
    pub(crate) fn fetch_list(&self) {
        let mut list = Remote::default();
        list.start(
            self.work
                .reads()
                .sync_unmanifested(None, SyncKind::Full, None),
        );
        until("the list came", SOON, || list.poll().then_some(()));
    }

    /// The newest operation.
    pub(crate) fn newest(&self) -> Option<&Operation> {
        self.operations.values().next_back()
    }

    /// Waits until the newest operation stands so, and gives it.
    #[track_caller]
    pub(crate) fn until_newest_is(&mut self, state: OperationState) -> Operation {
        self.until(&format!("the newest operation is {state:?}"), |lanes| {
            lanes
                .newest()
                .filter(|operation| operation.state == state)
                .cloned()
        })
    }

    /// Shuts the engine down in order.
    pub(crate) fn close(self, runtime: &Runtime) {
        runtime.block_on(self.work.close(SOON));
    }
}
