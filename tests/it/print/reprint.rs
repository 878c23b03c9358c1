//! Reprints are confirmed first, with a reason that is stored. Also tests what prints automatically.

use app::state::{LabelState, LabelsCommand, Screen};
use practice::RunningService;

use super::batch::{bench_with_labels, set_up, until_sent};
use crate::support::desk::{Desk, Home, open_bench};
use crate::support::recorder::Recorder;
use crate::support::wire::Wire;

/// A new bench that prints labels by itself, and its printer.
fn self_printing_bench() -> (Home, Recorder, RunningService, Desk) {
    let (home, printer) = (Home::new(), Recorder::start());
    let (practice, mut desk) = home.open_practice();
    set_up(&mut desk, printer.port());
    desk.print_new_labels();
    (home, printer, practice, desk)
}

#[test]
fn what_was_printed_is_printed_again_only_with_a_reason_that_is_kept() {
    let printer = Recorder::start();
    let (_home, _practice, mut desk, ids) = bench_with_labels(3, printer.port());
    desk.ask(LabelsCommand::Print(ids[..1].to_vec()));
    until_sent(&mut desk, 1);

    desk.ask(LabelsCommand::Print(ids.clone()));
    let again = desk.until("it is asked", |core| core.shared.labels.print_again.clone());
    assert_eq!(
        (again.all, again.maybe_printed),
        (ids.clone(), ids[..1].to_vec())
    );
    assert_eq!(desk.core.shared.screen, Screen::Labels);
    assert_eq!(
        desk.core.shared.labels.jobs.len(),
        1,
        "nothing is printed before the answer"
    );

    let reason = "Torn or smudged".to_owned();
    desk.ask(LabelsCommand::Reprint(ids.clone(), reason.clone()));
    until_sent(&mut desk, 4);
    assert!(desk.core.shared.labels.print_again.is_none());
    let shared = &desk.core.shared;
    assert!(
        shared.labels.jobs[..3]
            .iter()
            .all(|job| job.reason == reason)
    );
    assert_eq!(
        shared.labels.last_printed(),
        ids,
        "the whole batch, in order"
    );
    assert_eq!(printer.jobs(4).len(), 4);
}

#[test]
fn several_sends_in_a_row_print_their_labels_in_order_each_once() {
    let (_home, printer, _practice, mut desk) = self_printing_bench();
    let mut made = Vec::new();
    for reference in ["SO-1", "SO-2", "SO-3"] {
        desk.type_consignment(reference);
        desk.core.editing.draft.goods[0].quantity = "1".to_owned();
        desk.send();
        made.push(desk.until_created(reference));
    }
    until_sent(&mut desk, 3);
    let mut jobs: Vec<_> = { desk.core.shared.labels.jobs.iter() }
        .map(|job| (job.id, job.subject.consignment().expect("a label")))
        .collect();
    jobs.sort_unstable();
    assert_eq!(jobs.into_iter().map(|(_, id)| id).collect::<Vec<_>>(), made);
    assert_eq!(printer.jobs(3).len(), 3);
}

#[test]
fn a_label_that_is_shown_and_printed_after_send_is_fetched_once() {
    let (home, printer) = (Home::new(), Recorder::start());
    let practice = home.practise();
    let wire = Wire::before(practice.address());
    let mut desk = home.open(&Home::service(wire.base_url(), practice.token()));
    set_up(&mut desk, printer.port());
    desk.print_new_labels();
    desk.type_consignment("SO-1");
    desk.send();
    until_sent(&mut desk, 1);
    desk.until("it is shown", |core| {
        core.shared.labels.preview.value().map(drop)
    });
    assert_eq!(wire.count("getItemPdfFileInfo"), 1);
}

#[test]
fn labels_that_print_by_themselves_say_once_that_there_is_no_printer() {
    let (_home, _practice, mut desk) = open_bench();
    desk.print_new_labels();
    for reference in ["SO-1", "SO-2"] {
        desk.create(reference);
    }
    let said = |desk: &Desk| {
        let notices = desk.core.shared.notices.shown.iter();
        notices
            .filter(|(_, notice)| notice.headline.contains("no printer is chosen"))
            .count()
    };
    assert_eq!(said(&desk), 1);
}

#[test]
fn what_was_sent_with_a_printer_token_is_not_printed_by_itself() {
    let (home, _printer, practice, mut desk) = self_printing_bench();
    desk.type_consignment("SO-48213");
    desk.core.editing.draft.printer_token = "dock-4".to_owned();
    desk.send();
    let id = desk.until_created("SO-48213");
    let state = LabelState::AtService("token dock-4".to_owned());
    assert_eq!(*desk.core.shared.labels.state(id), state);
    assert!(desk.core.shared.labels.jobs.is_empty());
    desk.ask(LabelsCommand::Print(vec![id]));
    desk.until("it is asked first", |core| {
        core.shared.labels.print_again.clone()
    });
    drop(desk);

    // The next start knows it from the journal.
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    desk.until("known again", |core| {
        (*core.shared.labels.state(id) == state).then_some(())
    });
}
