//! Typing: what is on disk after a power cut, and keys that arrive faster than frames.

use std::time::{Duration, Instant};

use super::journal::Journal;
use crate::support::display::Display;
use crate::support::program::{Home, Program};
use crate::support::wait::SOON;

/// From the last key to the disk.
const ON_DISK_WITHIN: Duration = Duration::from_secs(1);

const TRIES: usize = 5;

/// The program on a display of its own, and its journal.
fn start() -> (Display, Home, Journal, Program) {
    let (display, home) = (Display::start(), Home::new());
    let journal = Journal::of(&home);
    let program = home.start(&display);
    (display, home, journal, program)
}

#[test]
fn a_draft_is_on_disk_within_a_second_and_there_after_a_kill() {
    let (display, home, journal, first) = start();
    let window = display.focused_window();
    window.press(&["alt+2"]);
    // A busy machine may be late once; a program that is late by design is late each time.
    let typed = (0..TRIES)
        .map(|attempt| format!("Half a name {attempt}"))
        .find(|text| {
            window.press(&["ctrl+a"]);
            window.type_text(text);
            let start = Instant::now();
            journal.wait_for_draft("/to/search", text, SOON);
            start.elapsed() < ON_DISK_WITHIN
        });
    let typed = typed.expect("a draft is on disk within a second of the last key");
    first.kill();

    let _second = home.start(&display);
    let window = display.focused_window();
    window.press(&["alt+1"]);
    // The same draft goes on: what was typed before is still in it.
    window.type_text("and more");
    journal.wait_for_draft("/from/search", "and more", SOON);
    journal.wait_for_draft("/to/search", &typed, SOON);
    assert_eq!(journal.drafts().len(), 1);
    display.save_picture("draft_after_kill");
}

#[test]
fn two_scans_and_typing_in_one_burst_lose_and_misplace_nothing() {
    let (display, _home, journal, program) = start();
    let window = display.focused_window();
    window.press(&["alt+2", "Tab"]);

    // All keys wait at the window before it sees the first of them.
    program.pause();
    window.burst("SCAN-0001\nSCAN-0002\nabc\tdef");
    program.go_on();

    journal.wait_for_draft("/instructions", "def", SOON);
    journal.wait_for_draft("/despatch", "abc", SOON);
    journal.wait_for_draft("/reference1", "SCAN-0001", SOON);
    journal.wait_for_draft("/reference2", "SCAN-0002", SOON);
    display.save_picture("burst");
}

#[test]
fn scanning_sender_and_receiver_in_one_burst_picks_both() {
    let (display, _home, journal, program) = start();
    let window = display.focused_window();
    // Once this is on disk, the saved locations have come: they are asked for at the start.
    window.press(&["alt+2"]);
    window.type_text("BALFG");
    journal.wait_for_draft("/to/search", "BALFG", SOON);
    window.press(&["ctrl+a", "BackSpace", "alt+1"]);

    program.pause();
    window.burst("HSYD\nBALFG\n");
    program.go_on();

    journal.wait_for_draft("/from/saved/abbreviation", "HSYD", SOON);
    journal.wait_for_draft("/to/saved/abbreviation", "BALFG", SOON);
}
