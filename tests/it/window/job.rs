//! The main job by keyboard: type a consignment, choose a route, send, see the label, print it, group and
//! book.

use std::path::PathBuf;
use std::time::Duration;

use app::config::{BenchSettings, ChosenService, DataFolder, Settings};
use printing::profile::{Destination, PrinterProfile};

use super::journal::Journal;
use crate::support::display::{Display, Window};
use crate::support::printers::{at_port, label_printer};
use crate::support::program::{Home, Program};
use crate::support::recorder::Recorder;
use crate::support::wait::{SOON, until};

/// Creating, printing and booking go through several calls and a label.
pub(crate) const A_WHILE: Duration = Duration::from_mins(1);

#[test]
fn the_main_job_is_done_by_keyboard_alone() {
    let display = Display::start();
    let home = Home::new();
    let printer = Recorder::start();
    print_labels_to(home.data(), at_port(printer.port()));
    let journal = Journal::of(&home);
    let mut program = home.start(&display);
    do_the_main_job(&display, &mut program, &journal, &printer, "");
    // With a label drawn, a child of it is waiting for the next one.
    program.kill();
}

/// Does the main job in the only window of `display`, and returns the bytes that reached the printer. The names of the
/// pictures begin with `system`.
pub(crate) fn do_the_main_job(
    display: &Display,
    program: &mut Program,
    journal: &Journal,
    printer: &Recorder,
    system: &str,
) -> Vec<u8> {
    let picture = |name: &str| display.save_picture(&format!("{system}{name}"));
    let window = display.focused_window();
    type_a_consignment(&window, journal);
    picture("consign");

    window.press(&["ctrl+Return"]);
    let created = journal.wait_for_operation("Create", "Done", A_WHILE);
    assert!(
        !created.reference.is_empty(),
        "the service's number is kept: {created:?}"
    );
    picture("consign_sent");
    program.must_run();

    let label = printer.jobs(1).remove(0);
    assert!(
        label.starts_with(b"^XA"),
        "{} bytes that are not a label in the printer's language",
        label.len()
    );
    window.press(&["F4"]);
    until("the job is handed over", A_WHILE, || {
        journal
            .print_jobs()
            .first()
            .is_some_and(|(name, state)| name == "Bench" && state == "Sent")
            .then_some(())
    });
    display.settle();
    picture("labels");

    window.press(&["F3"]);
    display.settle();
    picture("dispatch");
    window.press(&["ctrl+g"]);
    display.settle();
    picture("dispatch_grouped");
    hold_to_book(&window, journal);
    let booked = journal.wait_for_operation("Manifest", "Done", A_WHILE);
    display.settle();
    picture("dispatch_booked");
    program.must_run();
    assert_eq!(
        journal.operations().len(),
        2,
        "one consignment, one booking: {booked:?}"
    );
    label
}

/// Holds the key that books the groups, until it is under way.
fn hold_to_book(window: &Window<'_>, journal: &Journal) {
    window.hold("ctrl");
    window.hold("Return");
    until("the booking is under way", A_WHILE, || {
        journal
            .operations()
            .into_iter()
            .find(|seen| seen.kind == "Manifest")
    });
    window.release("Return");
    window.release("ctrl");
}

/// Types a consignment from one saved location to another and chooses its first route.
pub(crate) fn type_a_consignment(window: &Window<'_>, journal: &Journal) {
    window.press(&["alt+2"]);
    window.type_text("BALFG");
    // Once this is on disk, the saved locations have come: they are asked for at the start.
    journal.wait_for_draft("/to/search", "BALFG", SOON);
    window.press(&["Return"]);
    journal.wait_for_draft("/to/saved/abbreviation", "BALFG", SOON);
    window.press(&["alt+1"]);
    window.type_text("HSYD");
    window.press(&["Return"]);
    journal.wait_for_draft("/from/saved/abbreviation", "HSYD", SOON);
    window.press(&["alt+3"]);
    window.type_text("Drip irrigation kit\tDRIP-40\t");
    window.press(&["ctrl+a"]);
    window.type_text("2\t7.5\t60\t40\t30");
    for (field, typed) in [
        ("name", "Drip irrigation kit"),
        ("sku", "DRIP-40"),
        ("quantity", "2"),
        ("weight", "7.5"),
        ("height", "30"),
    ] {
        journal.wait_for_draft(&format!("/goods/0/{field}"), typed, SOON);
    }
    until("a route is chosen", SOON, || {
        window.press(&["ctrl+1"]);
        let draft = journal.drafts().into_iter().next()?;
        draft.pointer("/routing/Chosen/carrier").map(drop)
    });
}

/// Makes `data` the folder of a bench whose labels go to this printer by themselves.
pub(crate) fn print_labels_to(data: PathBuf, printer: Destination) -> DataFolder {
    let profile = PrinterProfile {
        head_width_dots: Some(832),
        ..label_printer("Bench", printer)
    };
    let settings = Settings {
        printers: vec![profile],
        documents: vec![engine::DocumentRule::of(
            engine::DocumentKind::ItemLabels,
            "Bench",
        )],
        bench: BenchSettings {
            auto_print: true,
            ..BenchSettings::default()
        },
        chosen: Some(ChosenService::Practice),
        ..Settings::default()
    };
    let places = DataFolder::open(Some(data)).expect("a folder of our own");
    settings
        .write(&places)
        .expect("settings that can be written");
    places
}
