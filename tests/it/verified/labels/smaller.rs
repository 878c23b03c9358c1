//! A label is printed much smaller only after the clerk agreed, once for each size.

use app::state::{BatchCommand, BatchProgress, BatchStage, LabelState, LabelsCommand, PrinterForm};
use egui_kittest::kittest::Queryable as _;
use printing::job::ShrinkWarning;
use shipping::ConsignmentId;
use storage::Journal;

use crate::print::batch::{ended, ids, sent, set_up, store_pdf, stored, until_sent};
use crate::support::desk::{Desk, Home};
use crate::support::keyboard::type_keys;
use crate::support::labels::{DOT, code_128, pdf};
use crate::support::recorder::Recorder;

/// 4 × 8 inches, inked from edge to edge.
fn long_label(reference: &str) -> Vec<u8> {
    let mut face = String::from("4 4 280 568 re S\n");
    code_128(&mut face, reference, (30.0, 300.0), 3.0 * DOT, 90.0);
    pdf((288.0, 576.0), &[face])
}

/// Labels of A6 for some, of 4 × 8 inches for the others.
fn bench(small: usize, long: usize) -> (Home, Desk, Recorder, Vec<ConsignmentId>) {
    let (home, printer) = (Home::new(), Recorder::start());
    let count = i64::try_from(small + long).expect("a few");
    let ids = ids(count);
    let path = home.places.journal("practice");
    stored(&path, &ids[..small]);
    let mut journal = Journal::open(&path).expect("a journal");
    for id in &ids[small..] {
        let reference = crate::print::batch::reference(*id);
        let pdf = long_label(&reference);
        store_pdf(&mut journal, *id, pdf, (&[reference.as_str()], &[]));
    }
    drop(journal);
    let (practice, mut desk) = home.open_practice();
    std::mem::forget(practice);
    set_up(&mut desk, printer.port());
    (home, desk, printer, ids)
}

fn question(batch: &BatchProgress) -> &ShrinkWarning {
    match &batch.stage {
        BatchStage::NeedsDecision(shrunk) => shrunk,
        stage => panic!("{stage:?}"),
    }
}

#[test]
fn n10_a_batch_asks_once_for_a_size_before_it_is_printed_much_smaller() {
    let (_home, mut desk, printer, ids) = bench(1, 4);
    let (first, later) = ids.split_at(4);
    desk.ask(LabelsCommand::Print(first.to_vec()));
    let batch = ended(&mut desk).expect("a question");
    let shrunk = question(&batch).clone();
    assert_eq!(shrunk.label_mm, (102, 203));
    assert!((70..76).contains(&shrunk.percent), "{shrunk}");
    assert_eq!((batch.sent, batch.failed.len()), (1, 0));
    assert_eq!(batch.rest, first[1..], "none of that size was printed");
    assert_eq!(
        *desk.core.shared.labels.state(first[1]),
        LabelState::Waiting
    );
    assert_eq!(printer.jobs(1).len(), 1);
    let said = { desk.core.shared.notices.shown.iter() }
        .any(|(_, notice)| notice.headline == shrunk.to_string());
    assert!(said, "{:?}", desk.core.shared.notices.shown);

    desk.ask(LabelsCommand::Batch(BatchCommand::Continue));
    until_sent(&mut desk, 4);
    assert_eq!(sent(&desk.core.shared), first, "in order, each once");
    // The same size on the same printer is not asked about again.
    desk.ask(LabelsCommand::Print(later.to_vec()));
    until_sent(&mut desk, 5);
    assert_eq!(printer.jobs(5).len(), 5);
}

#[test]
fn n10_what_is_asked_for_twice_while_a_batch_asks_is_printed_once() {
    let (_home, mut desk, printer, ids) = bench(0, 2);
    desk.ask(LabelsCommand::Print(ids.clone()));
    let batch = ended(&mut desk).expect("a question");
    question(&batch);
    desk.ask(LabelsCommand::Print(vec![ids[0]]));
    desk.turn();
    let batch = ended(&mut desk).expect("the question again");
    assert_eq!(batch.rest, ids);
    desk.ask(LabelsCommand::Batch(BatchCommand::Continue));
    until_sent(&mut desk, 2);
    assert_eq!(desk.core.shared.labels.jobs.len(), 2);
    assert_eq!(printer.jobs(2).len(), 2);
}

#[test]
fn n10_the_limit_is_the_printers_own() {
    let (_home, mut desk, printer, ids) = bench(0, 2);
    let form = PrinterForm {
        was: Some("Zebra bench 4".to_owned()),
        name: "Zebra bench 4".to_owned(),
        destination: format!("127.0.0.1:{}", printer.port()),
        dots_per_mm: "8".to_owned(),
        min_scale_percent: "60".to_owned(),
        ..PrinterForm::default()
    };
    desk.ask(LabelsCommand::SavePrinter(Box::new(form)));
    desk.ask(LabelsCommand::Print(ids.clone()));
    until_sent(&mut desk, 2);
    assert_eq!(sent(&desk.core.shared), ids);
}

#[test]
fn n10_the_question_is_answered_on_its_card_by_key() {
    let mut shared = crate::journeys::screens::data::shared();
    shared.screen = app::state::Screen::Labels;
    shared.labels.batch = Some(BatchProgress {
        done: 0,
        total: 60,
        sent: 0,
        number: String::new(),
        printer: "Zebra bench 4".to_owned(),
        stage: BatchStage::NeedsDecision(ShrinkWarning {
            printer: "Zebra bench 4".to_owned(),
            label_mm: (102, 203),
            paper_mm: (105, 148),
            percent: 73,
        }),
        failed: Vec::new(),
        rest: (0..60).map(|at| ConsignmentId::new(200_300 + at)).collect(),
    });
    let desk = crate::journeys::screens::Desk::new(shared, app::state::Editing::default());
    let theme = app::state::ThemeChoice::Light;
    let mut harness = crate::journeys::screens::desk([1440.0, 900.0], 1.0, theme, desk);

    assert!(
        harness
            .query_by_label_contains("73 % of its size")
            .is_some()
    );
    type_keys(&mut harness, "<Alt+C>");
    let go_on = LabelsCommand::Batch(BatchCommand::Continue);
    assert_eq!(harness.state().asked, [go_on.into()]);
}
