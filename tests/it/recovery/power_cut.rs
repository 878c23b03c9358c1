//! Simulated power cuts: everything that was confirmed is there again, and nothing is wrong.
//!
//! A child process runs a script with a journal while `strace` records every change of its files. Then the
//! files are rebuilt as a disk may have them after a power cut at any moment: with all synced data, and with
//! any part of the rest. With `synchronous=NORMAL` the same cuts lose confirmed data, which proves that the
//! test can detect a loss.

#[path = "power_cut/disk.rs"]
mod disk;
#[path = "power_cut/life.rs"]
mod life;
#[path = "power_cut/trace.rs"]
mod trace;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use shipping::Clock;
use storage::{Journal, OperationState};

use disk::Disk;
use life::{JOURNAL, Life};
use trace::Event;

/// Every life is this test, run again below `strace`; by itself it does nothing.
#[test]
fn a_life_to_be_cut() {
    if let Some(life) = Life::asked_for() {
        life.live();
    }
}

/// What a life did to its files, and what it was told to be confirmed.
fn recorded(life: Life, length: usize) -> Vec<Event> {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("trace");
    let home = folder.path().join("home");
    fs::create_dir(&home).expect("a folder");
    let status = Command::new("strace")
        .args(["-f", "-xx", "-s", "1000000", "--seccomp-bpf", "-e"])
        .arg(format!("trace={}", trace::CALLS))
        .arg("-o")
        .arg(&log)
        .arg(std::env::current_exe().expect("this test's own program"))
        .args(["--exact", "recovery::power_cut::a_life_to_be_cut"])
        .args(["--nocapture", "--test-threads", "1"])
        .envs(life.environment(&home, length))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("strace: sh assets/setup-debian.sh --tests");
    assert!(status.success(), "the life itself failed");
    trace::read(&fs::read_to_string(&log).expect("a log"), &home)
}

/// How many of these cuts lost something that was confirmed.
fn lost(events: &[Event], cuts: usize, seed: u64) -> usize {
    let mut random = fastrand::Rng::with_seed(seed);
    let folder = tempfile::tempdir().expect("a folder");
    (0..cuts)
        .filter(|cut| {
            // Evenly over the life, so that no part of it is missed.
            let at = events.len() * cut / cuts + random.usize(..=(events.len() / cuts));
            let at = at.min(events.len());
            let disk = Disk::after_cut(&events[..at], &mut random);
            let home = folder.path().join(cut.to_string());
            disk.write(&home);
            let held = is_held(&home, &events[..at], &events[at..]);
            fs::remove_dir_all(&home).expect("a folder of ours");
            !held
        })
        .count()
}

/// True where the journal opens to what was last confirmed, or to what was on its way to be.
fn is_held(home: &Path, before: &[Event], after: &[Event]) -> bool {
    let confirmed = before.iter().rev().find_map(Event::confirmed);
    let next = after.iter().find_map(Event::confirmed);
    let path = home.join(JOURNAL);
    let now = Clock::fixed("2026-11-20T03:05:00Z".parse().expect("a moment")).now();
    let opening = match Journal::open_or_restore(&path, now) {
        Ok(opening) => opening,
        Err(error) => panic!("it does not open: {error}"),
    };
    assert_eq!(opening.rescue, None, "a cut is no damage");
    let mut journal = opening.journal;
    Journal::check(&path).expect("it is sound");
    let found = life::state_of(&journal);
    let held = confirmed
        .is_none_or(|confirmed| found == confirmed || next.is_some_and(|next| found == next));
    if held {
        journal.recover(now).expect("made honest");
        let operations = journal.operations(1000).expect("operations");
        let on_its_way = |state| matches!(state, OperationState::Sending | OperationState::Ready);
        assert!(operations.iter().all(|one| !on_its_way(one.state)));
    }
    held
}

fn nothing_is_lost(length: usize, cuts: usize) {
    let events = recorded(Life::Journal, length);
    let confirmed = events.iter().filter_map(Event::confirmed).count();
    assert!(confirmed > length, "{confirmed} things were confirmed");
    assert_eq!(lost(&events, cuts, 4), 0, "of {cuts} cuts");
}

#[test]
fn a_power_cut_loses_nothing_that_was_confirmed() {
    nothing_is_lost(12, 150);
}

#[test]
#[ignore = "long run"]
fn long_run_a_power_cut_loses_nothing_that_was_confirmed() {
    nothing_is_lost(60, 600);
}

#[test]
fn with_synchronous_normal_the_same_cuts_must_lose_what_was_confirmed() {
    let normal = recorded(Life::Raw("NORMAL"), 40);
    let lost_by_normal = lost(&normal, 60, 4);
    assert!(
        lost_by_normal > 10,
        "{lost_by_normal} of 60 cuts lost something"
    );
    // The same life with the pragma that the journal has: it is the pragma alone.
    let full = recorded(Life::Raw("FULL"), 40);
    assert_eq!(lost(&full, 60, 4), 0);
}
