//! Follows a token through the real program: it is in memory and in the keyring, but in no file and no log at
//! any log level.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use practice::RunningService;

use crate::support::desk;
use crate::support::display::{Display, Window};
use crate::support::keyring::Keyring;
use crate::support::program::{Home, Program};
use crate::support::wait::{SOON, until};

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .expect("a folder of ours")
        .map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// Fails where the token is to be found in what the program wrote or said.
fn must_not_be_found(token: &str, home: &Home, program: &Program) {
    let files = files(&home.data());
    assert!(files.len() > 3, "{files:?}");
    for path in files {
        let bytes = fs::read(&path).expect("a file of ours");
        let holds = bytes
            .windows(token.len())
            .any(|window| window == token.as_bytes());
        assert!(!holds, "the token is in {}", path.display());
    }
    let said = program.said();
    assert!(said.contains("TRACE"), "everything is logged:\n{said}");
    assert!(!said.contains(token), "the token was logged");
}

/// Packbench that logs everything, with this session bus.
fn command(home: &Home, bus: Option<&str>) -> Command {
    let mut command = home.command(&[]);
    command.env("RUST_LOG", "trace");
    if let Some(bus) = bus {
        command.env("DBUS_SESSION_BUS_ADDRESS", bus);
    }
    command
}

/// Through the wizard: the connection called Depot, TEST.
fn connect(display: &Display, window: &Window<'_>, address: &str, token: &str) {
    window.focus();
    display.settle();
    window.press(&["Tab", "Return"]);
    display.settle();
    window.type_text("Depot\t");
    window.press(&["space", "Tab", "Tab"]);
    window.type_text(&format!("{address}\t{token}"));
    display.settle();
    display.save_picture("wizard-typed");
    window.press(&["Return"]);
}

/// Waits until the service was looked at, then starts working with it.
fn start_working(home: &Home, display: &Display, window: &Window<'_>) {
    display.settle();
    display.save_picture("wizard-found");
    window.press(&["Return"]);
    until("the settings hold the connection", SOON, || {
        let file = fs::read_to_string(home.data().join("settings.json")).ok()?;
        file.contains("\"Depot\"").then_some(())
    });
    until("its journal is open", SOON, || {
        home.data()
            .join("journal-depot.sqlite")
            .exists()
            .then_some(())
    });
    display.window("TEST - Depot - Packbench");
    display.settle();
    display.save_picture("wizard-done");
}

/// Connects to the service at the first start, finds its token nowhere, and kills the program.
fn first_life(home: &Home, display: &Display, bus: Option<&str>, practice: &RunningService) {
    let mut program = home.launch(command(home, bus), display);
    let window = display.window("Packbench");
    connect(display, &window, &practice.base_url(), practice.token());
    start_working(home, display, &window);
    program.must_run();
    must_not_be_found(practice.token(), home, &program);
    program.kill();
}

#[test]
fn without_a_keyring_the_token_is_in_no_file_and_no_log() {
    let service = desk::Home::new();
    let practice = service.practise();
    let display = Display::start();
    let home = Home::fresh();
    first_life(&home, &display, None, &practice);

    // At the next start it is asked for, and typed again.
    let mut again = home.launch(command(&home, None), &display);
    let window = display.focused_window();
    display.settle();
    display.save_picture("token-asked");
    assert_eq!(display.titles(), ["Packbench"], "no service is open yet");
    window.type_text(&format!("{}\n", practice.token()));
    display.window("TEST - Depot - Packbench");
    again.must_run();
    must_not_be_found(practice.token(), &home, &again);
}

#[test]
fn with_a_keyring_the_token_is_there_alone_and_is_not_asked_for_again() {
    let keyring = Keyring::start();
    let service = desk::Home::new();
    let practice = service.practise();
    let display = Display::start();
    let home = Home::fresh();
    first_life(&home, &display, Some(keyring.bus()), &practice);

    let doctor = home
        .command(&["doctor"])
        .env("DBUS_SESSION_BUS_ADDRESS", keyring.bus())
        .output()
        .expect("the doctor runs");
    let said = String::from_utf8_lossy(&doctor.stdout);
    assert!(said.contains("accepts the token"), "{said}");

    let mut again = home.launch(command(&home, Some(keyring.bus())), &display);
    display.window("TEST - Depot - Packbench");
    again.must_run();
    must_not_be_found(practice.token(), &home, &again);
}
