//! Measures a start: the journal through its own functions and the engine, the program from outside.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use app::config::{DataFolder, Settings};
use app::{self, Core, ProgramOptions, Service};
use shipping::Clock;
use storage::{Backups, Journal};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::filling::{self, UNMANIFESTED};
use crate::support::display::Display;
use crate::support::program::Home;
use crate::support::report::median;
use crate::support::runtime::runtime;
use crate::support::system::system_info;
use crate::support::wait::{SOON, until};

const GLANCE: Duration = Duration::from_millis(1);

const JOURNAL: &str = "journal-practice.sqlite";

/// How long each round took.
#[derive(Default)]
pub(crate) struct Figures(Vec<f64>);

impl Figures {
    pub(crate) fn add(&mut self, took: Duration) {
        self.0.push(took.as_secs_f64() * 1000.0);
    }

    pub(crate) fn median_ms(&self) -> f64 {
        median(self.0.clone())
    }
}

/// A full journal and an empty one, each in a data folder of its own.
pub(crate) struct Journals {
    runtime: Runtime,
    folder: TempDir,
    service: Service,
}

impl Journals {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["full", "empty"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        filling::fill(&folder.path().join("full").join(JOURNAL));
        let mut empty = Journal::open(&folder.path().join("empty").join(JOURNAL)).expect("opened");
        // What tells that the journal was heard.
        empty
            .save_draft(&filling::a_draft(), filling::moment())
            .expect("saved");
        drop(empty);
        // Nobody listens there: the service is away.
        let service = Service::practice("http://127.0.0.1:9".to_owned(), "any");
        let runtime = runtime(2);
        Self {
            runtime,
            folder,
            service,
        }
    }

    pub(crate) fn path(&self, which: &str) -> PathBuf {
        self.folder.path().join(which).join(JOURNAL)
    }

    pub(crate) fn full_bytes(&self) -> u64 {
        length(&self.path("full"))
    }

    pub(crate) fn empty_bytes(&self) -> u64 {
        length(&self.path("empty"))
    }

    pub(crate) fn start_full(&self) -> Duration {
        self.start("full")
    }

    pub(crate) fn start_empty(&self) -> Duration {
        self.start("empty")
    }

    /// Returns the time from process start until the journal's content is loaded: the open draft.
    fn start(&self, which: &str) -> Duration {
        let begun = Instant::now();
        let mut core = self.open(which);
        Self::turn_until(&mut core, |core| !core.editing.draft.is_blank());
        let took = begun.elapsed();
        core.close(self.runtime.handle());
        took
    }

    /// How many milliseconds until what waited for a manifest is listed, and how many that are.
    pub(crate) fn time_to_list(&self) -> (f64, usize) {
        let begun = Instant::now();
        let mut core = self.open("full");
        Self::turn_until(&mut core, |core| {
            core.shared.dispatch.unmanifested.value().is_some()
        });
        let took = begun.elapsed();
        let listed = core
            .shared
            .dispatch
            .unmanifested
            .value()
            .map_or(0, |list| list.len());
        assert_eq!(i64::try_from(listed).ok(), Some(UNMANIFESTED));
        core.close(self.runtime.handle());
        (took.as_secs_f64() * 1000.0, listed)
    }

    /// Milliseconds of the check of the whole journal.
    pub(crate) fn check(&self) -> f64 {
        let begun = Instant::now();
        Journal::check(&self.path("full")).expect("it is sound");
        begun.elapsed().as_secs_f64() * 1000.0
    }

    /// Milliseconds of a backup of it.
    pub(crate) fn back_up(&self) -> f64 {
        let begun = Instant::now();
        Backups::of(&self.path("full"))
            .make(filling::moment())
            .expect("a backup");
        begun.elapsed().as_secs_f64() * 1000.0
    }

    fn open(&self, which: &str) -> Core {
        let places = DataFolder::open(Some(self.folder.path().join(which))).expect("a data folder");
        let handle = self.runtime.handle().clone();
        let surroundings = system_info(self.folder.path());
        let options = ProgramOptions {
            clock: Clock::fixed(filling::moment()),
            ..ProgramOptions::new(handle, places, Settings::default(), surroundings)
        };
        app::open_core(&options, &self.service).expect("the program starts")
    }

    fn turn_until(core: &mut Core, mut there: impl FnMut(&Core) -> bool) {
        let begun = Instant::now();
        loop {
            core.turn(begun.elapsed());
            if there(core) {
                return;
            }
            assert!(begun.elapsed() < SOON, "the journal was not heard");
            thread::sleep(Duration::from_micros(200));
        }
    }
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).expect("a file").len()
}

/// The program itself on a display of its own, in two homes.
pub(crate) struct Windows {
    display: Display,
    full: Home,
    empty: Home,
}

impl Windows {
    pub(crate) fn new(journals: &Journals) -> Self {
        let home = |which| {
            let home = Home::new();
            fs::copy(journals.path(which), home.data().join(JOURNAL)).expect("a journal");
            home
        };
        Self {
            full: home("full"),
            empty: home("empty"),
            display: Display::start(),
        }
    }

    pub(crate) fn start_full(&self) -> Duration {
        self.start(&self.full)
    }

    pub(crate) fn start_empty(&self) -> Duration {
        self.start(&self.empty)
    }

    fn start(&self, home: &Home) -> Duration {
        let begun = Instant::now();
        let running = home.start(&self.display);
        while !self.display.shows_something() {
            assert!(begun.elapsed() < SOON, "nothing shows: {}", running.said());
            thread::sleep(GLANCE);
        }
        let took = begun.elapsed();
        drop(running);
        until("an empty screen", SOON, || {
            (!self.display.shows_something()).then_some(())
        });
        took
    }
}
