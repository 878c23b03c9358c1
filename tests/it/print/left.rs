//! The remaining labels of a batch are neither lost nor printed twice, and a label that may have been printed
//! stays marked so, whatever a later print does.

use app::state::{BatchCommand, BatchProgress, BatchStage, LabelState, LabelsCommand};
use shipping::ConsignmentId;

use super::batch::{bench_with_labels, ended, is_settled, sent, stopped};
use crate::support::desk::{Desk, Home};
use crate::support::recorder::Recorder;

fn bench(count: i64, port: u16) -> (Home, Desk, Vec<ConsignmentId>) {
    let (home, _practice, desk, ids) = bench_with_labels(count, port);
    (home, desk, ids)
}

fn until_idle(desk: &mut Desk, count: usize) {
    desk.until("they are out, and nothing is on its way", |core| {
        let batch = &core.shared.labels.batch;
        let is_running = batch.as_ref().is_some_and(BatchProgress::is_running);
        (sent(&core.shared).len() == count && !is_running).then_some(())
    });
}

#[test]
fn what_a_stopped_batch_leaves_is_still_offered_after_a_reprint() {
    let printer = Recorder::start();
    let (_home, mut desk, ids) = bench(30, printer.port());
    let stopped = stopped(&mut desk, &ids);
    desk.ask(LabelsCommand::Reprint(vec![ids[0]], "Lost".to_owned()));
    until_idle(&mut desk, stopped.sent + 1);
    let card = desk.core.shared.labels.batch.clone().expect("the card");
    assert_eq!((card.stage, card.rest), (BatchStage::Stopped, stopped.rest));
}

#[test]
fn labels_asked_for_during_a_batch_wait_again_where_the_printer_is_removed() {
    let printer = Recorder::start();
    let (_home, mut desk, ids) = bench(4, printer.port());
    let (first, next) = ids.split_at(2);
    desk.ask(LabelsCommand::Print(first.to_vec()));
    desk.ask(LabelsCommand::Print(next.to_vec()));
    desk.ask(LabelsCommand::RemovePrinter("Zebra bench 4".to_owned()));
    let batch = ended(&mut desk).expect("what was not begun");
    assert_eq!(
        (batch.stage, batch.rest),
        (BatchStage::Stopped, next.to_vec())
    );
    for id in next {
        assert_eq!(*desk.core.shared.labels.state(*id), LabelState::Waiting);
    }
    assert_eq!(sent(&desk.core.shared), first);
}

#[test]
fn what_was_printed_while_a_batch_waited_is_not_printed_by_going_on() {
    let off = Recorder::until_off(1);
    let (home, mut desk, ids) = bench(4, off.port());
    desk.ask(LabelsCommand::Print(ids.clone()));
    let batch = ended(&mut desk).expect("a question");
    assert!(matches!(batch.stage, BatchStage::Halted(_)));
    assert_eq!(batch.rest, ids[2..]);
    let again = Recorder::on_again(off.port());
    desk.ask(LabelsCommand::Print(vec![ids[3]]));
    until_idle(&mut desk, 2);
    let card = desk.core.shared.labels.batch.clone().expect("the card");
    assert_eq!(card.rest, [ids[2]], "what came out meanwhile waits no more");
    desk.ask(LabelsCommand::Batch(BatchCommand::Retry));
    until_idle(&mut desk, 4);
    assert_eq!(
        sent(&desk.core.shared),
        [ids[0], ids[3], ids[1], ids[2]],
        "each once"
    );
    assert_eq!(again.jobs(3).len(), 3);
    assert!(is_settled(&home.places.journal("practice")));
}

#[test]
fn a_reprint_that_failed_does_not_hide_that_a_label_is_out() {
    let off = Recorder::until_off(1);
    let (_home, mut desk, ids) = bench(1, off.port());
    desk.ask(LabelsCommand::Print(ids.clone()));
    until_idle(&mut desk, 1);
    desk.ask(LabelsCommand::Reprint(vec![ids[0]], "Lost".to_owned()));
    desk.until("it is not handed over", |core| {
        matches!(core.shared.labels.state(ids[0]), LabelState::Failed(_)).then_some(())
    });
    // As the button of that job asks for it: without another reason.
    for again in [
        LabelsCommand::Print(ids.clone()),
        LabelsCommand::Reprint(vec![ids[0]], String::new()),
    ] {
        desk.ask(again);
        let asked = desk.until("it is asked", |core| core.shared.labels.print_again.clone());
        assert_eq!(asked.maybe_printed, ids);
        desk.ask(LabelsCommand::CancelReprint);
        desk.until("nothing", |core| {
            core.shared.labels.print_again.is_none().then_some(())
        });
    }
    assert_eq!(desk.core.shared.labels.jobs.len(), 2);
}
