//! H. A data folder that can't be used is reported in a window, with what to do.

use std::fs;

use crate::support::display::Display;
use crate::support::program::Home;
use crate::support::wait::{SOON, until};

#[test]
fn h_a_data_folder_that_cannot_be_used_is_said_in_a_window() {
    let display = Display::start();
    let home = Home::new();
    // The superuser may write to every folder, but nobody makes a folder below a file.
    let file = home.data().join("a file");
    fs::write(&file, "not a folder").unwrap();
    let mut command = home.command(&[]);
    command.env("PACKBENCH_DATA", file.join("data"));
    let mut program = home.launch(command, &display);
    display.window("Packbench can't start");
    until("something is drawn", SOON, || {
        let picture = display.picture();
        let drawn = picture.pixels().any(|pixel| pixel.0 != [0, 0, 0]);
        drawn.then_some(())
    });
    display.settle();
    display.save_picture("unusable_data_folder");
    program.must_run();
    assert!(
        program.said().contains("the data folder"),
        "{}",
        program.said()
    );
}

#[test]
fn h_settings_that_cannot_be_read_are_said_in_a_window() {
    let display = Display::start();
    let home = Home::new();
    let settings = home.data().join("settings.json");
    fs::remove_file(&settings).unwrap();
    fs::create_dir(&settings).unwrap();
    let mut program = home.start(&display);
    display.window("Packbench can't start");
    program.must_run();
}
