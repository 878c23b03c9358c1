//! The program is killed at every fault point of every operation and at random times: no data is lost,
//! nothing is done twice, and nothing is left open.
//!
//! The service and the printer run here. Each run of the bench is a process of its own on the same folder as
//! the one before. The last run is not killed: a simulated clerk finishes the task, and then the result is
//! compared with the service's database.

mod deaths;
mod life;
mod paper;
mod round;

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use engine::FaultPoint;
use storage::OperationKind;

use crate::support::lanes::Site;
use deaths::{About, Case, Death, conversions, named, random};

/// Rounds at once: they mostly wait, for the disk and for each other's processes.
const THREADS: usize = 4;

/// Where the random rounds begin: a failure names its round, and the same round is the same again but for the machine's pace.
const SEED: u64 = 20_261_120;

/// A life that the rounds below start as a process of its own; by itself it does nothing.
#[test]
#[ignore = "one life of the bench, which the rounds below start and kill"]
fn a_life_that_is_killed() {
    life::live();
}

#[test]
fn killed_at_every_named_point_nothing_is_lost_doubled_or_stuck() {
    play(&named(1));
}

#[test]
fn killed_between_a_conversion_and_its_deletion_one_consignment_is_there_and_nothing_pending() {
    play(&conversions());
}

#[test]
fn killed_at_random_nothing_is_lost_doubled_or_stuck() {
    play(&random(SEED, 40));
}

#[test]
#[ignore = "long run: minutes"]
fn long_run_killed_at_every_named_point_1440_times() {
    let cases = named(8);
    assert_eq!(cases.len(), 1440);
    play(&cases);
}

#[test]
#[ignore = "long run: minutes"]
fn long_run_killed_at_random_1000_times() {
    play(&random(SEED + 1, 1000));
}

/// The counter-proof: were intents not written down, these rounds would see it.
#[test]
fn a_bench_that_forgets_its_intents_does_it_twice() {
    let site = Site::open();
    for (number, kind) in [
        OperationKind::Create,
        OperationKind::PendingCreate,
        OperationKind::ServicePrint,
    ]
    .into_iter()
    .enumerate()
    {
        let case = Case {
            about: About::Errand(kind),
            deaths: vec![Death::At(FaultPoint::Answered, 1)],
        };
        let forget = |home: &Path| {
            for file in [
                "journal.db",
                "journal.db-wal",
                "journal.db-shm",
                "journal.commits",
            ] {
                // The last one to close a journal takes some of them along.
                let _ = std::fs::remove_file(home.join(file));
            }
            let _ = std::fs::remove_dir_all(home.join("backups"));
        };
        let ended = round::play(&site, number, &case, &forget);
        let words = ended.expect_err("it is done once more");
        assert!(words.contains("happened 2 times"), "{kind:?}: {words}");
    }
}

/// Runs all rounds and reports the failed ones.
fn play(cases: &[Case]) {
    let site = Site::open();
    let (next, started) = (AtomicUsize::new(0), Instant::now());
    let wrong = Mutex::new(Vec::new());
    let kills = AtomicUsize::new(0);
    let work = || {
        while let Some((number, case)) = {
            let number = next.fetch_add(1, Ordering::Relaxed);
            cases.get(number).map(|case| (number, case))
        } {
            let played = catch_unwind(AssertUnwindSafe(|| {
                round::play(&site, number, case, &|_| ())
            }));
            let ended = played.unwrap_or_else(|panic| Err(words_of(&*panic)));
            match ended {
                Ok(killed) => {
                    kills.fetch_add(killed, Ordering::Relaxed);
                }
                Err(words) => {
                    let mut wrong = wrong.lock().expect("nobody panicked");
                    wrong.push(format!("round {number}, {case:?}: {words}"));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            let thread = std::thread::Builder::new().name("rounds".to_owned());
            thread.spawn_scoped(scope, work).expect("a thread");
        }
    });
    let wrong = wrong.into_inner().expect("nobody panicked");
    let (rounds, kills) = (cases.len(), kills.into_inner());
    let mut report = format!("{rounds} rounds, {kills} kills, {:?}", started.elapsed());
    for words in &wrong {
        let _infallible = write!(report, "\n{words}");
    }
    eprintln!("{report}");
    assert!(wrong.is_empty(), "{} went wrong: {report}", wrong.len());
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "a panic without words".to_owned())
}
