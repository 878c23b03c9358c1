//! The window while an answer takes a minute: each key press is drawn, typed text arrives, and nothing is
//! lost.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::job::type_a_consignment;
use super::journal::Journal;
use crate::support::display::{Display, Window};
use crate::support::program::Home;
use crate::support::wait::{SOON, until};

/// Generous for a busy machine, and far less than the minute for which the answer is awaited.
const FRAME_WITHIN: Duration = Duration::from_secs(5);

/// How many frames the program has drawn.
fn frames(log: &Path) -> u64 {
    let told = fs::read_to_string(log).unwrap_or_default();
    told.trim().parse().unwrap_or_default()
}

/// Calls the second situation of the list up, by keyboard: the next Send goes through too late.
fn have_the_answer_late(display: &Display, window: &Window<'_>) {
    window.press(&["ctrl+k"]);
    window.type_text("drill\n");
    display.settle();
    // Past the buttons above the situations, and the first situation.
    window.press(&["Tab"; 9]);
    window.press(&["space"]);
    display.settle();
    display.save_picture("trouble");
    window.press(&["Escape"]);
}

#[test]
fn while_an_answer_is_awaited_each_key_brings_a_frame_and_lands() {
    let display = Display::start();
    let home = Home::new();
    let journal = Journal::of(&home);
    let log = home.data().join("frames");
    let mut command = home.command(&[]);
    command.env("PACKBENCH_FRAME_LOG", &log);
    let mut program = home.launch(command, &display);
    let window = display.focused_window();
    type_a_consignment(&window, &journal);
    have_the_answer_late(&display, &window);

    window.press(&["ctrl+Return"]);
    journal.wait_for_operation("Create", "Sending", SOON);
    window.press(&["ctrl+n", "alt+2"]);
    let typed = "The next one";
    for letter in typed.chars() {
        let drawn = frames(&log);
        let begun = Instant::now();
        window.burst(&letter.to_string());
        until("a frame after the key", SOON, || {
            (frames(&log) > drawn).then_some(())
        });
        let waited = begun.elapsed();
        assert!(waited < FRAME_WITHIN, "{letter} waited {waited:?}");
    }
    journal.wait_for_draft("/to/search", typed, SOON);
    let operations = journal.operations();
    assert!(
        operations.iter().all(|seen| seen.state == "Sending"),
        "the answer was awaited all the while: {operations:?}"
    );
    display.save_picture("trouble_met");
    program.must_run();
}
