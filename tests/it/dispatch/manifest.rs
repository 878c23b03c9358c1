//! The booked manifest as a document: its content, finding it again, saving it, and printing it on the
//! printer for manifests or not at all.

use std::path::Path;
use std::process::Command;

use app::state::{
    GroupsCommand, JobState, JobSubject, OperationId, SaveCommand, SaveRequest, ThemeChoice,
};
use egui_kittest::kittest::Queryable as _;
use printing::document::{self, ColumnKind, DocumentContent, Table};
use shipping::ConsignmentId;

use super::bench::{printer, text, wait, window, with_office};
use super::support::{bench, book, send};
use crate::journeys::kit::picture;
use crate::support::desk::{Desk, Home};
use crate::support::keyboard::type_keys;
use crate::support::readers::pdf_text;
use crate::support::recorder::Recorder;

/// Saves pictures of the pages for a person to look at.
fn pictures(pdf: &[u8], name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pictures");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{name}.pdf"));
    std::fs::write(&file, pdf).expect("a file");
    let drawn = Command::new("pdftoppm")
        .args(["-png", "-r", "60"])
        .arg(&file)
        .arg(folder.join(name))
        .status();
    assert!(drawn.expect("pdftoppm, of poppler-utils").success());
}

/// Sends so many and books them as one group.
fn booked(desk: &mut Desk, references: &[&str]) -> (OperationId, Vec<ConsignmentId>) {
    let ids = send(desk, references);
    let operation = book(desk, &ids);
    (operation, ids)
}

fn saved(desk: &mut Desk, operation: OperationId) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("manifest.pdf");
    let (manifest, typed) = (SaveRequest::Manifest(operation), path.display().to_string());
    desk.ask(SaveCommand::Save(manifest, Some(typed)));
    desk.until("saved", |core| {
        let mut notices = core.shared.notices.shown.iter();
        notices.find(|(_, notice)| notice.headline.starts_with("Manifest saved to "))?;
        Some(())
    });
    pdf_text(&std::fs::read(&path).expect("the page"))
}

/// The carrier's reference for this booking.
fn reference_of(desk: &Desk, operation: OperationId) -> String {
    let operation = desk.core.shared.operations.by_id(operation).expect("it");
    operation.reference.clone()
}

#[test]
fn a_manifest_is_found_after_a_restart_and_saved_while_the_service_is_away() {
    let home = Home::new();
    let (practice, wire, mut desk) = bench(&home);
    let (operation, ids) = booked(&mut desk, &["SO-48213", "SO-48214"]);
    let reference = reference_of(&desk, operation);
    drop(desk);
    let address = wire.base_url();
    let token = practice.token().to_owned();
    home.runtime.block_on(practice.stop());
    drop(wire);
    let mut desk = home.open(&Home::service(address, &token));
    desk.ask(GroupsCommand::ListManifests);
    let row = desk.until("the list", |core| {
        core.shared
            .dispatch
            .groups_view
            .manifests
            .value()?
            .first()
            .cloned()
    });
    assert_eq!((row.operation, row.count), (operation, 2));
    assert_eq!(row.reference, reference);
    let page = saved(&mut desk, operation);
    for said in [
        reference.as_str(),
        &format!("MS{}", ids[0]),
        &format!("MS{}", ids[1]),
        "SO-48213",
        "Ballarat Farm & Garden, Ballarat",
        "Harbour Supplies, Sydney DC",
        "Dock 3, ring the bell twice",
        "Fri 20 Nov 2026 15:30 AEDT",
        "2 consignments",
        "36.0",
        "No dangerous goods are declared",
        "Driver",
        "Clerk",
        "Signature",
        "Page 1 of 1",
    ] {
        assert!(page.contains(said), "{said} is not on the page:\n{page}");
    }
}

fn paper(rows: usize) -> DocumentContent {
    let records: Vec<usize> = (0..rows).collect();
    let table = Table::of(
        &records,
        &[
            ("Consignment", 2.0, ColumnKind::Code, &|at| {
                format!("MS{}", 200_000 + at)
            }),
            ("Receiver", 3.0, ColumnKind::Words, &|at| {
                format!(
                    "Receiver {at} of a name that is far too long for one line, Ballarat Central VIC 3350"
                )
            }),
            ("Pieces", 1.0, ColumnKind::Figures, &|at| {
                (at % 7 + 1).to_string()
            }),
        ],
    );
    DocumentContent {
        title: "Manifest · Southern Cross".to_owned(),
        reference: "SCR-000012".to_owned(),
        stamp: "TEST".to_owned(),
        facts: vec![("Carrier", "Southern Cross".to_owned()); 5],
        tables: vec![Table {
            totals: vec![
                format!("{rows} consignments"),
                String::new(),
                "500".to_owned(),
            ],
            ..table
        }],
        notes: vec!["No dangerous goods are declared.".to_owned()],
        signatures: vec!["Driver".to_owned(), "Clerk".to_owned()],
        foot: "Harbour Supplies".to_owned(),
        ..DocumentContent::default()
    }
}

#[test]
fn a_long_manifest_goes_over_pages_each_with_its_head_and_number() {
    let pdf = document::pdf(&paper(130)).expect("a page").pdf;
    pictures(&pdf, "manifest-long");
    let text = pdf_text(&pdf);
    let pages: Vec<&str> = text
        .split('\u{c}')
        .filter(|page| !page.trim().is_empty())
        .collect();
    assert!(pages.len() >= 4, "{} pages", pages.len());
    for (at, page) in pages.iter().enumerate() {
        let number = format!("Page {} of {}", at + 1, pages.len());
        for said in [
            number.as_str(),
            "SCR-000012",
            "Manifest · Southern Cross",
            "TEST",
        ] {
            assert!(page.contains(said), "{said} is not on page {}", at + 1);
        }
        let has_rows = page.contains("MS200");
        assert_eq!(
            has_rows,
            page.contains("Consignment"),
            "a head stands over rows"
        );
    }
    for at in 0..130 {
        let number = format!("MS{}", 200_000 + at);
        assert_eq!(text.matches(&number).count(), 1, "{number}");
    }
    let last = pages.last().expect("pages");
    assert!(last.contains("Driver") && last.contains("Clerk"), "{last}");
}

#[test]
fn any_text_and_any_number_of_rows_makes_a_page() {
    for rows in [0, 1, 25, 26, 27, 28, 60] {
        let mut paper = paper(rows);
        paper.reference = "\u{378}\u{379} ✓ \u{202e}abc\n\t\0".to_owned();
        paper.notes = vec!["x".repeat(5_000), String::new()];
        let drawn = document::pdf(&paper).expect("a page");
        let missing = drawn.message.expect("two letters are missing");
        assert!(missing.contains("\u{378} \u{379}"), "{missing}");
        let pdf = drawn.pdf;
        let text = pdf_text(&pdf);
        assert_eq!(text.matches("Driver").count(), 1, "{rows} rows");
    }
    let nothing = document::pdf(&DocumentContent::default()).expect("an empty page");
    assert_eq!(nothing.message, None);
    assert!(nothing.pdf.starts_with(b"%PDF"));
}

#[test]
fn letters_that_the_font_lacks_are_named_once_each_and_many_are_counted() {
    let missing = |notes: &[&str]| {
        let notes = notes.iter().map(|note| (*note).to_owned()).collect();
        let content = DocumentContent {
            notes,
            ..DocumentContent::default()
        };
        document::pdf(&content).expect("a page").message
    };
    assert_eq!(missing(&["Zoë's Kröger"]), None);
    assert_eq!(
        missing(&["\u{378}\u{379} \u{378}"]).expect("two letters"),
        "These characters can't be printed: \u{378} \u{379} (each is printed as ?)"
    );
    // Characters that Unicode does not assign, and a joiner, which is invisible.
    let unassigned = (0x2_fe0..=0x2_fef)
        .chain(0x1_c89..=0x1_c8f)
        .chain(0xa_b6c..=0xa_b6f);
    let unassigned: String = unassigned.filter_map(char::from_u32).collect();
    let count = unassigned.chars().count() - 12;
    let told = missing(&["\u{200d}", &unassigned]).expect("many");
    assert!(told.contains(&format!(" and {count} more")), "{told}");
}

#[test]
fn a_manifest_is_printed_where_manifests_go_as_a_job_that_says_so() {
    let mut home = Home::new();
    let (_labels, office) = with_office(&mut home);
    let (_practice, _wire, mut desk) = bench(&home);
    let (operation, ids) = booked(&mut desk, &["SO-48213"]);
    let reference = reference_of(&desk, operation);
    desk.ask(GroupsCommand::PrintManifest(operation));
    let job = desk.until_job(JobState::Sent);
    assert_eq!(job.number, format!("Manifest {reference}"));
    assert_eq!(
        (job.printer.as_str(), job.subject),
        ("Office", JobSubject::Document)
    );
    assert!(desk.core.shared.labels.states.is_empty());
    let page = office.jobs(1).remove(0);
    assert!(page.starts_with(b"%PDF"));
    assert!(pdf_text(&page).contains(&format!("MS{}", ids[0])));
    // Once more is a copy, and the job says so.
    desk.ask(GroupsCommand::PrintManifest(operation));
    let copy = desk.until("the copy", |core| {
        let mut jobs = core.shared.labels.jobs.iter();
        jobs.find(|job| job.reason == "another copy").cloned()
    });
    assert_ne!(copy.id, job.id);
    office.jobs(2);
}

#[test]
fn without_a_printer_for_manifests_nothing_is_printed_on_another_one() {
    let mut home = Home::new();
    let labels = Recorder::start();
    home.settings.printers = vec![printer("Zebra", labels.port(), ["zpl", "a6"])];
    home.settings
        .assign_printer(engine::DocumentKind::ItemLabels, "Zebra");
    let (_practice, _wire, mut desk) = bench(&home);
    let (operation, _) = booked(&mut desk, &["SO-48213"]);
    desk.ask(GroupsCommand::PrintManifest(operation));
    desk.until("said so", |core| {
        let mut notices = core.shared.notices.shown.iter();
        notices.find(|(_, notice)| notice.headline == "No printer is chosen for manifests")?;
        Some(())
    });
    assert!(desk.core.shared.labels.jobs.is_empty());
    assert!(labels.jobs(0).is_empty());
}

#[test]
fn booked_manifests_are_found_by_number_carrier_and_date_with_the_keyboard() {
    let home = Home::new();
    let (_practice, _wire, mut desk) = bench(&home);
    let (_, first) = booked(&mut desk, &["SO-48213", "SO-48214", "SO-48215"]);
    booked(&mut desk, &["SO-50000"]);
    for (size, theme, name) in [
        ([1440.0, 900.0], ThemeChoice::Light, "manifests-light"),
        ([1024.0, 700.0], ThemeChoice::Dark, "manifests-dark-small"),
    ] {
        let mut screen = window(desk, size, theme);
        type_keys(&mut screen, "<F3><Ctrl+M>");
        wait(&mut screen, "one is shown", |core| {
            core.shared.dispatch.groups_view.manifest.value().map(drop)
        });
        type_keys(&mut screen, "<Ctrl+F>");
        text(&mut screen, &format!("{} 20 nov", first[2].get()));
        assert!(screen.query_by_label_contains(", 1 consignment").is_none());
        screen.get_by_label_contains(", 3 consignments");
        type_keys(&mut screen, "<Down>");
        wait(&mut screen, "the first is shown", |core| {
            let page = core.shared.dispatch.groups_view.manifest.value()?;
            (page.manifest.lines.len() == 3).then_some(())
        });
        screen.get_by_label("No printer is set up for manifests");
        picture(&mut screen, name);
        type_keys(&mut screen, "<Ctrl+Shift+E>");
        let dialog = screen.query_all_by_label_contains("Export “Booked manifests”");
        assert!(dialog.count() > 0);
        screen.get_by_label_contains("1 row: Carrier, Reference");
        type_keys(&mut screen, "<Esc*3>");
        wait(&mut screen, "back at the list", |_| Some(()));
        desk = into_desk(screen);
    }
}

/// The program without the window over it.
fn into_desk(screen: super::bench::Screen) -> Desk {
    screen.into_state().desk
}
