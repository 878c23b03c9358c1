//! Tests of the texts that a screen reader gets from the real window.

use std::collections::HashMap;

use crate::support::display::Display;
use crate::support::program::{Home, Program};
use crate::support::screen_reader::{Role, ScreenReader, Session, Thing};
use crate::support::wait::{SOON, until};

/// The program on a display of its own, with a session bus for the screen reader.
fn start() -> (Display, Session, Home, Program) {
    let display = Display::start();
    let session = Session::start();
    let home = Home::new();
    let mut command = home.command(&[]);
    command.env("DBUS_SESSION_BUS_ADDRESS", session.bus());
    let program = home.launch(command, &display);
    (display, session, home, program)
}

/// All that is shown, once something of this name is.
#[track_caller]
fn once_there(reader: &ScreenReader, name: &str) -> Vec<Thing> {
    until(&format!("a thing called {name}"), SOON, || {
        let all = reader.everything();
        all.iter().any(|thing| thing.name == name).then_some(all)
    })
}

/// Each input has a name of its own, and no name is a picture.
#[track_caller]
fn all_are_called_something(things: &[Thing], screen: &str) {
    let mut inputs = HashMap::<(u32, &str), usize>::new();
    for thing in things {
        let is_private = |letter: char| ('\u{e000}'..='\u{f8ff}').contains(&letter);
        assert!(
            !thing.name.contains(is_private),
            "{screen}: an icon is read out: {thing:?}"
        );
        if thing.role.is_input() {
            assert_ne!(thing.name.trim(), "", "{screen}: {thing:?}");
            *inputs
                .entry((thing.role.number(), &thing.name))
                .or_default() += 1;
        }
    }
    let twice: Vec<_> = inputs.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "{screen}: called the same: {twice:?}");
    assert!(inputs.len() > 20, "{screen}: only {}", inputs.len());
}

#[test]
fn every_input_of_the_editor_is_called_by_a_name_of_its_own() {
    let (display, session, _home, _program) = start();
    let window = display.focused_window();
    let reader = session.listen();
    all_are_called_something(&once_there(&reader, "Reference"), "as it opens");
    window.press(&["alt+4"]);
    all_are_called_something(&once_there(&reader, "Tailgate"), "options");
    window.press(&["alt+3", "ctrl+d"]);
    all_are_called_something(&once_there(&reader, "Marine pollutant"), "dangerous goods");
}

#[test]
fn what_is_wrong_is_announced_and_the_first_of_it_has_the_keyboard() {
    let (display, session, _home, _program) = start();
    let window = display.focused_window();
    let reader = session.listen();
    once_there(&reader, "Reference");
    window.press(&["alt+3"]);
    until("the goods have the keyboard", SOON, || {
        let focused = reader.focused()?;
        focused.name.starts_with("Line 1").then_some(())
    });
    let _before = reader.announced();
    window.press(&["ctrl+Return"]);
    let first = until("the first problem has the keyboard", SOON, || {
        let focused = reader.focused()?;
        (!focused.name.starts_with("Line 1")).then_some(focused)
    });
    assert_eq!(first.role, Role::ENTRY, "{first:?}");
    assert!(first.name.starts_with("From"), "{first:?}");
    assert_ne!(first.description, "", "it says what is wrong: {first:?}");
    let mut heard = Vec::new();
    until("what is wrong is announced", SOON, || {
        heard.extend(reader.announced());
        let told = |words: &String| first.description.contains(words.as_str());
        heard.iter().any(told).then_some(())
    });
}
