//! Starting without a display, and while another instance runs.

use std::fs;
use std::process::Output;
use std::time::{Duration, Instant, SystemTime};

use crate::support::display::Display;
use crate::support::program::Home;
use crate::support::wait::{SOON, until};

#[test]
fn without_a_display_it_says_so_in_one_line_and_ends_with_2() {
    let home = Home::new();
    let output = home.command(&[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_one_line(&output, "display");
    assert!(
        !home.data().join("journal-practice.sqlite").exists(),
        "nothing is begun that cannot be shown"
    );
}

#[test]
fn a_display_that_does_not_answer_is_the_same_as_none() {
    let home = Home::new();
    let output = home.command(&[]).env("DISPLAY", ":47111").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_one_line(&output, "window");
}

#[test]
fn a_second_start_is_brought_to_notice_and_writes_nothing() {
    let display = Display::start();
    let home = Home::new();
    let mut first = home.start(&display);
    let window = display.window("Packbench");
    let port = fs::read(home.data().join("lock.port")).unwrap();
    let before = (journal_at_rest(&home), display.picture());

    let second = home
        .command(&[])
        .env("DISPLAY", display.name())
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(3), "{second:?}");
    assert_one_line(&second, "already open");
    first.must_run();
    assert_eq!(
        fs::read(home.data().join("lock.port")).unwrap(),
        port,
        "the port is still the first one's"
    );
    assert_eq!(journal_changed(&home), before.0, "no second writer");
    until("the first one shows a notice", SOON, || {
        (display.picture() != before.1).then_some(())
    });
    display.save_picture("second_start");
    assert_eq!(
        display.titles().len(),
        1,
        "one window: {:?}",
        display.titles()
    );
    assert_eq!(window.size(), [1440, 900]);
}

#[test]
fn after_a_kill_the_next_start_is_not_refused() {
    let display = Display::start();
    let home = Home::new();
    let first = home.start(&display);
    display.window("Packbench");
    first.kill();
    let mut second = home.start(&display);
    display.window("Packbench");
    second.must_run();
}

fn assert_one_line(output: &Output, holding: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.lines().count(), 1, "one line: {said}");
    assert!(said.contains(holding), "{said}");
    assert!(output.stdout.is_empty(), "{output:?}");
}

/// The same, once the first one has kept what it fetched: nothing was written for a second.
fn journal_at_rest(home: &Home) -> Vec<Option<SystemTime>> {
    let mut last = (journal_changed(home), Instant::now());
    until("a journal at rest", SOON, || {
        let now = journal_changed(home);
        if now != last.0 {
            last = (now, Instant::now());
        }
        (last.1.elapsed() > Duration::from_secs(1)).then(|| last.0.clone())
    })
}

/// When the journal and its log were last written.
fn journal_changed(home: &Home) -> Vec<Option<SystemTime>> {
    let changed = |name: &str| {
        fs::metadata(home.data().join(name))
            .and_then(|file| file.modified())
            .ok()
    };
    vec![
        changed("journal-practice.sqlite"),
        changed("journal-practice.sqlite-wal"),
    ]
}
