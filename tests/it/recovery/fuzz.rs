//! Six readers fed with damaged answers: none panics, and none takes more memory than it should.
//!
//! Each target runs in its own process, so that its peak memory is measured separately and a panic names its
//! input.

mod corpus;
mod mutate;
mod targets;

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use fastrand::Rng;

/// Says to the child what to do: target, seed, inputs, seconds, corpus.
const ORDER: &str = "PACKBENCH_TEST_FUZZ";

const MOST_KIB: u64 = 512 * 1024;

/// How long a target is fed.
#[derive(Clone, Copy)]
struct Ration {
    inputs: u64,
    limit: Duration,
    seed: u64,
}

/// Of this process, in KiB.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux says");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
    kib.expect("a peak")
}

#[test]
#[ignore = "the child's side of the tests beside it"]
fn feed_a_target_in_a_process_of_its_own() {
    let Ok(order) = env::var(ORDER) else { return };
    let parts: Vec<_> = order.splitn(5, ' ').collect();
    let [name, seed, inputs, seconds, folder] = parts.as_slice() else {
        panic!("not an order: {order}");
    };
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let (inputs, limit) = (number(inputs), Duration::from_secs(number(seconds)));
    let corpus = corpus::read(Path::new(folder), name);
    let mut target = targets::of(name);
    let mut rng = Rng::with_seed(number(seed));
    // What is right must go through, too.
    for input in &corpus {
        target(input);
    }
    let (begun, mut fed) = (Instant::now(), 0);
    while fed < inputs && begun.elapsed() < limit {
        let input = mutate::mutated(&mut rng, &corpus);
        let last = Path::new(folder).join(format!("last-{name}"));
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| target(&input)));
        if outcome.is_err() {
            fs::write(&last, &input).expect("the input is kept");
            let shown = String::from_utf8_lossy(&input[..input.len().min(2000)]).into_owned();
            panic!("input {fed} of {name} is not survived: {shown}");
        }
        fed += 1;
    }
    eprintln!("fuzzed {fed} {}", peak_memory());
}

/// Feeds all six, one after the other.
fn feed_all(ration: Ration) {
    let folder = tempfile::tempdir().expect("a folder");
    corpus::collect(folder.path());
    for name in targets::ALL {
        let order = format!(
            "{name} {} {} {} {}",
            ration.seed,
            ration.inputs,
            ration.limit.as_secs(),
            folder.path().display()
        );
        let begun = Instant::now();
        let child = Command::new(env::current_exe().expect("ourselves"))
            .args(["--exact", "--ignored", "--nocapture"])
            .arg("recovery::fuzz::feed_a_target_in_a_process_of_its_own")
            .env(ORDER, order)
            .output()
            .expect("a child");
        let said = String::from_utf8_lossy(&child.stderr);
        assert!(child.status.success(), "{name}: {said}");
        let numbers = said
            .lines()
            .find_map(|line| line.split_once("fuzzed ").map(|(_, numbers)| numbers));
        let (fed, kib) = numbers
            .and_then(|numbers| numbers.split_once(' '))
            .expect("what was fed, and the peak");
        let kib: u64 = kib.trim().parse().expect("a number");
        eprintln!(
            "{name}: {fed} inputs, peak {kib} KiB, {:?}",
            begun.elapsed()
        );
        assert_ne!(fed, "0", "{name} was not fed");
        assert!(kib < MOST_KIB, "{name} took {kib} KiB");
    }
}

#[test]
fn six_readers_survive_some_thousand_damaged_inputs() {
    feed_all(Ration {
        inputs: 5_000,
        limit: Duration::from_mins(1),
        seed: 20_261_120,
    });
}

#[test]
#[ignore = "long run"]
fn long_run_six_readers_survive_a_million_damaged_inputs() {
    feed_all(Ration {
        inputs: 1_000_000,
        limit: Duration::from_secs(100),
        seed: 4,
    });
}
