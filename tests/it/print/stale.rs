//! Files that changed since the clerk saw them, or that belong to another consignment: an earlier override
//! prints none of them.

use std::time::Duration;

use app::state::{JobState, JobSubject, LabelState, LabelsCommand};
use shipping::LabelSize;
use storage::Journal;

use super::batch::{ids, set_up, store, store_pages, until_check_fails};
use super::create;
use crate::support::desk::{Desk, Home};
use crate::support::recorder::Recorder;
use crate::support::wire::Fault;

const LABEL: &str = "getItemPdfFileInfo";

fn journal(home: &Home) -> Journal {
    Journal::open(&home.places.journal("practice")).expect("a journal")
}

fn bench(home: &Home, port: u16) -> Desk {
    let (_practice, mut desk) = home.open_practice();
    set_up(&mut desk, port);
    desk
}

#[test]
fn a_file_that_was_under_way_while_its_consignment_changed_is_asked_for_again() {
    let ((home, practice, wire), printer) = (Home::with_wire(), Recorder::start());
    let [id] = create(&home, &practice, ["SO-1"]);
    let mut desk = home.open(&Home::service(wire.base_url(), practice.token()));
    set_up(&mut desk, printer.port());
    let (path, mut is_first) = (home.places.journal("practice"), true);
    wire.watch(move |line| {
        if line.contains(LABEL) && std::mem::take(&mut is_first) {
            // What an edit does that ends while the file is on its way.
            let mut journal = Journal::open(&path).expect("a journal");
            journal.forget_label(id).expect("forgotten");
        }
    });
    desk.ask(LabelsCommand::Print(vec![id]));
    desk.until_job(JobState::Sent);
    assert_eq!(wire.count(LABEL), 2, "the old file is not used");
    assert_eq!(printer.jobs(1).len(), 1);
}

#[test]
fn a_label_that_waits_for_the_running_batch_is_fetched_and_checked_meanwhile() {
    let ((home, practice, wire), printer) = (Home::with_wire(), Recorder::start());
    let [first, second] = create(&home, &practice, ["SO-1", "SO-2"]);
    let mut desk = home.open(&Home::service(wire.base_url(), practice.token()));
    set_up(&mut desk, printer.port());
    let silence = Fault::Silence(Duration::from_mins(1));
    wire.fail(&format!("{LABEL}?consignmentId={first}"), silence);
    desk.ask(LabelsCommand::Print(vec![first]));
    desk.until("the first label is requested", |_| {
        (wire.count(LABEL) == 1).then_some(())
    });
    desk.ask(LabelsCommand::Print(vec![second]));
    desk.until("the second label is stored, and so it was drawn", |_| {
        let stored = journal(&home).label(second, LabelSize::A6);
        stored.expect("read").is_some().then_some(())
    });
    let jobs = &desk.core.shared.labels.jobs;
    assert!(jobs.is_empty(), "the second waits for the first");
}

#[test]
fn a_label_whose_second_page_is_anothers_is_not_printed() {
    let (home, printer) = (Home::new(), Recorder::start());
    let id = ids(1)[0];
    store_pages(
        &mut journal(&home),
        id,
        &["PKB0000000001", "PKB0000000009"],
        (&["PKB0000000001"], &["CARR000777", "MS900001"]),
    );
    let mut desk = bench(&home, printer.port());
    desk.ask(LabelsCommand::Print(vec![id]));
    until_check_fails(&mut desk, id);
    assert!(desk.core.shared.labels.jobs.is_empty());
    assert_eq!(printer.count(), 0, "no byte of it");
}

#[test]
fn the_preview_judges_a_page_as_printing_does() {
    let home = Home::new();
    let ids = ids(2);
    let pages = ["PKB0000000002", "PKB0000000001"];
    let mut file = journal(&home);
    store_pages(&mut file, ids[0], &pages, (&[pages[1], pages[0]], &[]));
    store_pages(&mut file, ids[1], &pages, (&[], &[]));
    drop(file);
    let (_practice, mut desk) = home.open_practice();
    for (id, checked) in [(ids[0], true), (ids[1], false)] {
        desk.ask(LabelsCommand::Select(id));
        let preview = desk.until("drawn", |core| {
            let preview = core.shared.labels.preview.value();
            preview
                .filter(|shown| shown.subject == JobSubject::Label(id))
                .cloned()
        });
        assert_eq!((preview.page, preview.pages), (0, 2));
        assert_eq!(preview.problem, None, "in whatever order the pages come");
        assert_eq!(preview.checked, checked, "said only where it was compared");
    }
}

#[test]
fn a_clerks_word_is_for_the_file_that_they_saw() {
    let (home, printer) = (Home::new(), Recorder::start());
    let id = ids(1)[0];
    store(&mut journal(&home), id, "PKB0000000009", "PKB0000000001");
    let mut desk = bench(&home, printer.port());
    desk.ask(LabelsCommand::Print(vec![id]));
    until_check_fails(&mut desk, id);
    // Another file, as wrong as the first, that nobody has seen.
    store(&mut journal(&home), id, "PKB0000000008", "PKB0000000001");
    let word = || LabelsCommand::PrintWithOverride(id, "For a test".to_owned());
    desk.ask(word());
    desk.until("it is looked at", |core| {
        (*core.shared.labels.state(id) == LabelState::Printing).then_some(())
    });
    until_check_fails(&mut desk, id);
    assert_eq!(
        (desk.core.shared.labels.jobs.len(), printer.count()),
        (0, 0)
    );
    // A good one needs no word, and keeps none.
    store(&mut journal(&home), id, "PKB0000000001", "PKB0000000001");
    desk.ask(word());
    assert_eq!(desk.until_job(JobState::Sent).override_reason, "");
}
