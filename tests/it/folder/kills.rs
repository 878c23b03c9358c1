//! A folder that is fed while the bench is killed again and again: each order is taken and sent once, each file ends in
//! `done` or `failed`, and each result is written once.
//!
//! The service and the program that writes the files are here. Each run of the bench is a process of its own on the same
//! data folder. Some runs have a full disk: `strace` makes the kernel refuse their writes to the journal.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use app::config::{BenchSettings, DataFolder, OrderFolderSettings, Settings, TrackingScopes};
use app::state::{OperationDecision, OperationState, OperationsCommand};
use app::{Core, ProgramOptions, open_core};
use serde::{Deserialize, Serialize};
use serde_json::json;
use shipping::Clock;

use super::{csv_order, names, results};
use crate::support::desk::{Home, NOW};
use crate::support::lanes::Truth;
use crate::support::program::signal_group;
use crate::support::requests::to_ballarat;
use crate::support::runtime::runtime;
use crate::support::system::system_info;

/// Names the file in which a bench finds where it works.
const ORDERS: &str = "PACKBENCH_TEST_FOLDER";

/// A failure is repeated with the same files and almost the same kills.
const SEED: u64 = 20_261_128;

/// How long the last bench may take for each file.
const A_FILE: Duration = Duration::from_millis(500);

#[derive(Debug, Serialize, Deserialize)]
struct Place {
    address: String,
    token: String,
    home: PathBuf,
    folder: PathBuf,
    outbox: PathBuf,
}

/// How much happens.
struct Scale {
    files: usize,
    kills: usize,
}

/// A bench that the tests below start and kill; by itself it does nothing.
#[test]
#[ignore = "one run of the bench, which the tests below start and kill"]
fn a_bench_that_is_killed() {
    if let Some(place) = std::env::var_os(ORDERS) {
        let place = serde_json::from_reader(File::open(place).expect("a place"));
        live(&place.expect("a place that fits"));
    }
}

/// Takes orders, sends them and writes their results, until the process is killed.
fn live(place: &Place) {
    let runtime = runtime(2);
    let mut settings = Settings {
        bench: BenchSettings {
            name: "Bench 4".to_owned(),
            ..BenchSettings::default()
        },
        installation: "QK7BND".to_owned(),
        follow: TrackingScopes {
            by_itself: false,
            ..TrackingScopes::default()
        },
        ..Settings::default()
    };
    let folder = OrderFolderSettings {
        folder: place.folder.clone(),
        outbox: Some(place.outbox.clone()),
        sends: true,
        ..OrderFolderSettings::default()
    };
    settings.order_folders.insert(String::new(), folder);
    let options = ProgramOptions {
        clock: Clock::fixed(NOW.parse().expect("a moment")),
        ..ProgramOptions::new(
            runtime.handle().clone(),
            data_folder(place),
            settings,
            system_info(&place.home),
        )
    };
    let service = Home::service(place.address.clone(), &place.token);
    // The process before this one may not be gone yet.
    let started = Instant::now();
    let mut core = loop {
        match open_core(&options, &service) {
            Ok(core) => break core,
            Err(error) if started.elapsed() > Duration::from_secs(20) => panic!("{error}"),
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    };
    let started = Instant::now();
    loop {
        let wait = core.turn(started.elapsed()).unwrap_or(Duration::MAX);
        send_again(&mut core);
        thread::sleep(wait.min(Duration::from_millis(5)));
    }
}

/// Decides as a clerk does: what the service does not have is sent again, which checks once more that it does not have it.
fn send_again(core: &mut Core) {
    let open = core.shared.operations.open();
    let absent = open.filter(|operation| operation.state == OperationState::Absent);
    let absent: Vec<_> = absent.map(|operation| operation.id).collect();
    for id in absent {
        core.push(OperationsCommand::Decide(id, OperationDecision::SendAgain).into());
    }
}

fn data_folder(place: &Place) -> DataFolder {
    let machine = place.home.join("no-machine-settings.json");
    DataFolder::at(place.home.clone(), machine).expect("a data folder")
}

/// A bench that is killed when it is dropped, with all that it has started.
struct Bench(Child);

impl Drop for Bench {
    fn drop(&mut self) {
        signal_group(&self.0, "KILL");
        self.0.wait().expect("its end");
    }
}

/// Starts a process of this test that works at a place.
fn start(orders: &Path, on_full_disk: bool) -> Bench {
    let own = std::env::current_exe().expect("this test's own program");
    let mut command = if on_full_disk {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-q", "-o", "/dev/null", "-e", "trace=pwrite64"]);
        strace
            .args(["-e", "inject=pwrite64:error=ENOSPC:when=30+"])
            .arg(own);
        strace
    } else {
        Command::new(own)
    };
    let child = command
        .args([
            "--exact",
            "folder::kills::a_bench_that_is_killed",
            "--ignored",
            "--nocapture",
        ])
        .env(ORDERS, orders)
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the bench starts");
    Bench(child)
}

/// The files and orders that the writer put into the folder.
#[derive(Default)]
struct Written {
    files: usize,
    /// The files whose orders have to be taken, without those that only repeat an order.
    good_files: usize,
    /// The references of the orders that have to be taken.
    good: BTreeSet<String>,
}

/// Writes files as other programs do: whole, in two halves, under another name first, with a mark, while it holds a lock,
/// and some of them twice.
fn feed(folder: &Path, count: usize) -> Written {
    let mut rng = fastrand::Rng::with_seed(SEED);
    let mut written = Written::default();
    let mut last = String::new();
    for number in 0..count {
        let reference = format!("SO-{number}");
        let (name, text) = match rng.u32(..20) {
            0..11 => {
                written.good.insert(reference.clone());
                (
                    format!("{reference}.csv"),
                    with_service(&csv_order(&reference)),
                )
            }
            11..14 => {
                written.good.insert(reference.clone());
                (
                    format!("{reference}.json"),
                    json_order(&reference).to_string(),
                )
            }
            14..16 => {
                let references = ["a", "b", "c"].map(|part| format!("{reference}-{part}"));
                let list: Vec<_> = references.iter().map(|one| json_order(one)).collect();
                written.good.extend(references);
                (format!("{reference}-list.json"), json!(list).to_string())
            }
            16..18 if !last.is_empty() => (format!("{reference}-again.csv"), last.clone()),
            _ => (
                format!("{reference}-bad.csv"),
                with_service(&csv_order(&reference)).replace(",3350,", ",,"),
            ),
        };
        if name == format!("{reference}.csv") {
            last.clone_from(&text);
        }
        let is_good = !name.contains("-bad") && !name.contains("-again");
        written.good_files += usize::from(is_good);
        // Some programs write each file under the same name, and wait until the last one is gone.
        let daily = folder.join("daily.csv");
        if is_good && name == format!("{reference}.csv") && rng.u32(..10) == 0 && !daily.exists() {
            put(folder, "daily.csv", &text, &mut rng);
        } else {
            put(folder, &name, &text, &mut rng);
        }
        written.files += 1;
    }
    written
}

fn with_service(text: &str) -> String {
    let text = text.replacen("Reference,", "Service,From,Reference,", 1);
    text.replace("\nSO-", "\ncheapest,HSYD,SO-")
}

fn json_order(reference: &str) -> serde_json::Value {
    let mut order = serde_json::to_value(to_ballarat()).expect("an order");
    order["customerReference"] = json!(reference);
    order["fromAbbreviation"] = json!("HSYD");
    order["defaultRouteSelection"] = json!("cheapest");
    order
}

fn put(folder: &Path, name: &str, text: &str, rng: &mut fastrand::Rng) {
    let path = folder.join(name);
    match rng.u32(..20) {
        0 => {
            let (begin, end) = text.split_at(text.len() / 2);
            fs::write(&path, begin).expect("half a file");
            thread::sleep(Duration::from_millis(rng.u64(..800)));
            // The bench has not taken it: it changed less than two seconds ago.
            fs::write(&path, format!("{begin}{end}")).expect("a file");
        }
        1..5 => {
            let other = folder.join(format!("{name}.tmp"));
            fs::write(&other, text).expect("a file");
            fs::rename(other, path).expect("its name");
        }
        5 => {
            fs::write(&path, text).expect("a file");
            let Ok(locked) = File::open(&path) else {
                return;
            };
            locked.lock().expect("a lock");
            thread::sleep(Duration::from_millis(rng.u64(..300)));
        }
        6..14 => {
            fs::write(&path, text).expect("a file");
            fs::write(folder.join(format!("{name}.ready")), "").expect("a mark");
        }
        _ => fs::write(&path, text).expect("a file"),
    }
}

/// Returns how many files are still in the folder or in progress.
fn left(folder: &Path) -> usize {
    let in_progress = fs::read_dir(folder.join("in-progress"))
        .into_iter()
        .flatten();
    let in_progress: usize = in_progress
        .map(|bench| names(&bench.expect("a folder").path()).len())
        .sum();
    names(folder).len() + in_progress
}

fn play(scale: &Scale) {
    let (home, practice) = Home::with_practice();
    let ground = tempfile::tempdir().expect("a folder");
    let place = Place {
        address: practice.base_url(),
        token: practice.token().to_owned(),
        home: ground.path().join("bench"),
        folder: ground.path().join("orders"),
        outbox: ground.path().join("results"),
    };
    fs::create_dir_all(&place.folder).expect("a folder");
    data_folder(&place);
    let orders = ground.path().join("place.json");
    fs::write(&orders, serde_json::to_vec(&place).expect("a place")).expect("a file");
    let is_fed = AtomicBool::new(false);
    let written = thread::scope(|scope| {
        let feeder = scope.spawn(|| {
            let written = feed(&place.folder, scale.files);
            is_fed.store(true, Ordering::SeqCst);
            written
        });
        let mut rng = fastrand::Rng::with_seed(SEED);
        for kill in 0..scale.kills {
            let on_full_disk = kill % 10 == 3;
            let bench = start(&orders, on_full_disk);
            thread::sleep(Duration::from_millis(rng.u64(400..4_500)));
            drop(bench);
        }
        feeder.join().expect("the files")
    });
    assert!(is_fed.load(Ordering::SeqCst));
    let mut last = start(&orders, false);
    let limit = A_FILE * u32::try_from(scale.files).expect("a number") + Duration::from_mins(1);
    let (started, expected) = (Instant::now(), written.good.len());
    while left(&place.folder) > 0 || results(&place.outbox).len() < expected {
        assert!(
            started.elapsed() < limit,
            "{} files and {} of {expected} results after {:?}",
            left(&place.folder),
            results(&place.outbox).len(),
            started.elapsed(),
        );
        assert_eq!(
            last.0.try_wait().expect("a child of ours"),
            None,
            "the bench goes on"
        );
        thread::sleep(Duration::from_millis(200));
    }
    // Would anything be done twice, it would be now.
    thread::sleep(Duration::from_secs(3));
    drop(last);
    compare(&home, &place, &written);
}

fn compare(home: &Home, place: &Place, written: &Written) {
    let truth = Truth::read(&home.practice_file());
    let sql = "SELECT count(*) FROM consignment WHERE json_extract(document, '$.job.customer_reference') = ?1";
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for line in results(&place.outbox) {
        let reference = line["orderReference"].as_str().expect("text").to_owned();
        *lines.entry(reference).or_default() += 1;
    }
    for reference in &written.good {
        assert_eq!(
            truth.count(sql, reference),
            1,
            "consignments of {reference}"
        );
        assert_eq!(lines.remove(reference), Some(1), "results of {reference}");
    }
    assert_eq!(lines, BTreeMap::new(), "no result without an order");
    let is_order_file =
        |name: &&String| !name.ends_with(".reasons.txt") && !name.contains("-rejected");
    let done = names(&place.folder.join("done"));
    let failed = names(&place.folder.join("failed"));
    let temporary = done
        .iter()
        .chain(&failed)
        .find(|name| name.starts_with('.'));
    assert_eq!(temporary, None, "no temporary file is left");
    let count = done.iter().chain(&failed).filter(is_order_file).count();
    assert_eq!(count, written.files, "each file is in done or in failed");
    assert!(done.iter().all(|name| !name.contains("-bad")), "{done:?}");
    // Of an order that came in two files, only one is taken.
    assert_eq!(
        done.len(),
        written.good_files,
        "each order is taken from one file"
    );
    assert_eq!(left(&place.folder), 0);
}

#[test]
fn killed_at_random_each_order_is_taken_once_and_each_result_is_written_once() {
    play(&Scale {
        files: 150,
        kills: 12,
    });
}

#[test]
#[ignore = "long run: about 20 minutes"]
fn long_run_10_000_files_and_200_kills() {
    play(&Scale {
        files: 10_000,
        kills: 200,
    });
}
