//! The window, driven by keyboard.

use std::path::Path;
use std::process::Command;

use app::config::{ChosenService, DataFolder, Settings};
use printing::profile::{Destination, Language};
use rusqlite::{Connection, OpenFlags};
use storage::Journal as Store;

use crate::support::cupsd::Cupsd;
use crate::support::display::Display;
use crate::support::recorder::Recorder;
use crate::support::wait::{SOON, until};
use crate::support::wine::Windows;
use crate::window::job::{A_WHILE, do_the_main_job, print_labels_to, type_a_consignment};
use crate::window::journal::Journal;

#[test]
#[ignore = "needs the program for Windows"]
fn the_main_job_is_done_by_keyboard_and_the_spooler_gets_its_bytes() {
    let (windows, display) = (Windows::new(), Display::start());
    let (cups, printer) = (Cupsd::start(), Recorder::start());
    cups.raw_queue("Zebra", printer.port());
    let data = windows.usual_data();
    let places = print_labels_to(data.clone(), Destination::Queue("Zebra".to_owned()));
    let mut command = windows.command(&[]);
    command
        .env("CUPS_SERVER", cups.socket())
        .env("PACKBENCH_RENDERER", "glow");
    let mut program = windows.launch(command, &display);
    let journal = Journal::in_folder(&data);
    let label = do_the_main_job(&display, &mut program, &journal, &printer, "windows_");

    let mut second = windows.command(&[]);
    let second = second
        .env("DISPLAY", display.name())
        .output()
        .expect("it runs");
    assert_eq!(second.status.code(), Some(3), "{second:?}");
    program.must_run();
    program.kill();

    let store = Store::open(&places.journal("practice")).expect("the journal");
    let jobs = store.jobs(1).expect("its jobs");
    let bytes = store.job_bytes(jobs[0].id).expect("read").expect("kept");
    assert!(label == bytes, "the spooler changed the bytes");
}

/// The consignments that the practice service of this data folder has.
fn consignments(data: &Path) -> usize {
    let path = data.join("practice/practice.sqlite");
    let service = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
    let count = service.and_then(|service| {
        service.query_row("SELECT count(*) FROM consignment", [], |row| {
            row.get::<_, i64>(0)
        })
    });
    let count = count.expect("the practice service's file");
    usize::try_from(count).expect("a count")
}

#[test]
#[ignore = "needs the program for Windows"]
fn killed_while_it_sends_it_loses_and_doubles_nothing() {
    const ROUNDS: usize = 3;
    let (windows, display) = (Windows::new(), Display::start());
    let data = windows.usual_data();
    let settings = Settings {
        chosen: Some(ChosenService::Practice),
        ..Settings::default()
    };
    let places = DataFolder::open(Some(data.clone())).expect("a folder");
    settings.write(&places).expect("settings");
    let journal = Journal::in_folder(&data);
    let start = || {
        let mut command = windows.command(&[]);
        command.env("PACKBENCH_RENDERER", "glow");
        windows.launch(command, &display)
    };
    for round in 0..ROUNDS {
        let program = start();
        let window = display.window("Packbench");
        // Wine gives a window the keyboard only once it has drawn.
        display.settle();
        window.focus();
        type_a_consignment(&window, &journal);
        let before = consignments(&data);
        window.press(&["ctrl+Return"]);
        // At first as soon as it is written down, then as soon as the service has it.
        until("the moment to kill it", SOON, || {
            let is_sent = round == 0 || consignments(&data) > before;
            (journal.operations().len() > round && is_sent).then_some(())
        });
        program.kill();
    }
    let mut program = start();
    display.focused_window();
    until("what the service has is known", A_WHILE, || {
        let all = journal.operations();
        let done = all.iter().filter(|one| one.state == "Done").count();
        (done >= ROUNDS - 1 && done == consignments(&data)).then_some(())
    });
    program.must_run();
    program.kill();
    assert_eq!(journal.operations().len(), ROUNDS, "each is there once");
}

/// Starts the program without a wish for a renderer, and waits until its window is drawn.
fn is_drawn(windows: &Windows, display: &Display, picture: &str) {
    let mut program = windows.launch(windows.command(&[]), display);
    display.window("Packbench");
    until("something is drawn", SOON, || {
        display.shows_something().then_some(())
    });
    program.must_run();
    display.settle();
    display.save_picture(picture);
    program.kill();
}

#[test]
#[ignore = "needs the program for Windows"]
fn without_a_wanted_renderer_the_window_opens_with_the_first_that_works() {
    let (windows, display) = (Windows::new(), Display::start());
    is_drawn(&windows, &display, "windows_usual_renderer");
}

#[test]
#[ignore = "needs the program for Windows"]
fn without_opengl_the_window_is_drawn_with_the_next_renderer() {
    let windows = Windows::new();
    let display = Display::start_with(&["-extension", "GLX"]);
    is_drawn(&windows, &display, "windows_without_opengl");
    let logs = std::fs::read_dir(windows.usual_data().join("logs")).expect("a log");
    let logs: String = logs
        .map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("a log"))
        .collect();
    assert!(logs.contains("renderer=glow"), "OpenGL was off: {logs}");
}

#[test]
#[ignore = "needs the program for Windows"]
fn a_page_image_goes_through_the_driver_and_its_barcode_still_scans() {
    let (windows, display) = (Windows::new(), Display::start());
    let (cups, printer) = (Cupsd::start(), Recorder::start());
    cups.raw_queue("Office", printer.port());
    let data = windows.usual_data();
    let places = print_labels_to(data.clone(), Destination::Queue("Office".to_owned()));
    let mut settings = Settings::read(&places).expect("settings");
    settings.printers[0].language = Language::PageImage;
    settings.printers[0].head_width_dots = None;
    settings.write(&places).expect("settings");
    let mut command = windows.command(&[]);
    command
        .env("CUPS_SERVER", cups.socket())
        .env("PACKBENCH_RENDERER", "glow");
    let program = windows.launch(command, &display);
    let window = display.window("Packbench");
    display.settle();
    window.focus();
    let journal = Journal::in_folder(&data);
    type_a_consignment(&window, &journal);
    window.press(&["ctrl+Return"]);
    let page = printer.jobs(1).remove(0);
    program.kill();
    assert!(page.starts_with(b"%!PS"), "Wine's driver makes PostScript");

    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (
        folder.path().join("page.ps"),
        folder.path().join("page.png"),
    );
    std::fs::write(&from, page).expect("written");
    let drawn = Command::new("gs")
        .args([
            "-q",
            "-dNOPAUSE",
            "-dBATCH",
            "-dSAFER",
            "-sDEVICE=pnggray",
            "-r203.2",
        ])
        .arg(format!("-sOutputFile={}", to.display()))
        .arg(&from)
        .output()
        .expect("ghostscript is missing: sh assets/setup-debian.sh --tests");
    assert!(drawn.status.success(), "{drawn:?}");
    let page = image::open(&to).expect("a page").to_luma8();
    let (width, height) = page.dimensions();
    let read = rxing::helpers::detect_multiple_in_luma(page.into_raw(), width, height);
    let read = read.expect("barcodes");
    let texts: Vec<_> = read.iter().map(rxing::RXingResult::getText).collect();
    assert!(
        texts.iter().any(|text| text.starts_with("SCX")),
        "{texts:?}"
    );
}

#[test]
#[ignore = "needs the program for Windows"]
fn a_file_is_saved_where_the_file_dialog_says() {
    let (windows, display) = (Windows::new(), Display::start());
    let mut command = windows.command(&[]);
    command.env("PACKBENCH_RENDERER", "glow");
    let settings = Settings {
        chosen: Some(ChosenService::Practice),
        ..Settings::default()
    };
    let places = DataFolder::open(Some(windows.usual_data())).expect("a folder");
    settings.write(&places).expect("settings");
    let program = windows.launch(command, &display);
    let window = display.window("Packbench");
    display.settle();
    window.focus();
    let journal = Journal::in_folder(&windows.usual_data());
    type_a_consignment(&window, &journal);
    window.press(&["ctrl+Return"]);
    journal.wait_for_operation("Create", "Done", A_WHILE);
    window.press(&["F4"]);
    display.settle();
    window.press(&["ctrl+s"]);
    let dialog = display.window("Save label");
    dialog.focus();
    // Until the dialog is drawn, it takes no keys.
    until("the file", A_WHILE, || {
        if display.titles().contains(&"Save label".to_owned()) {
            dialog.press(&["Home", "shift+End"]);
            dialog.type_text("C:\\label.pdf\n");
        }
        let saved = std::fs::read(windows.drive().join("label.pdf")).ok()?;
        saved.starts_with(b"%PDF").then_some(())
    });
    program.kill();
}
