//! Batches of labels on a recording printer: in order, stopped, with a printer that goes away, and with a cut
//! connection.

use std::path::Path;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::state::{BatchCommand, BatchStage, LabelState, LabelsCommand, Shared};
use engine::{BatchId, FaultPoint, PrintBatch, Request};
use practice::RunningService;
use printing::job::sha256;
use shipping::{ConsignmentId, LabelSize};
use storage::{JobState, Journal, LabelGeneration, StoredLabel};

use crate::support::desk::{Desk, Home};
use crate::support::lanes::{Lanes, Place, QUICK, Site, client};
use crate::support::printers::{label_order, save_printer};
use crate::support::recorder::Recorder;

/// The consignments of a batch; the bench has their labels, and the service is not asked.
pub(crate) fn ids(count: i64) -> Vec<ConsignmentId> {
    (1..=count)
        .map(|at| ConsignmentId::new(900_000 + at))
        .collect()
}

pub(crate) fn reference(id: ConsignmentId) -> String {
    format!("PKB{id}0001")
}

/// Puts good labels of these into the journal.
pub(crate) fn stored(journal: &Path, ids: &[ConsignmentId]) {
    let mut journal = Journal::open(journal).expect("a journal");
    for id in ids {
        store(&mut journal, *id, &reference(*id), &reference(*id));
    }
}

/// A label that carries one reference where another is expected.
pub(crate) fn store(journal: &mut Journal, id: ConsignmentId, carries: &str, expected: &str) {
    store_pages(journal, id, &[carries], (&[expected], &[]));
}

/// A label of several pages, a reference each, of a consignment with these references and numbers.
pub(crate) fn store_pages(
    journal: &mut Journal,
    id: ConsignmentId,
    carry: &[&str],
    (expected, numbers): (&[&str], &[&str]),
) {
    store_pdf(
        journal,
        id,
        crate::support::labels::a6(carry),
        (expected, numbers),
    );
}

/// Stores a label file of a consignment with these references and numbers.
pub(crate) fn store_pdf(
    journal: &mut Journal,
    id: ConsignmentId,
    pdf: Vec<u8>,
    (expected, numbers): (&[&str], &[&str]),
) {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let label = StoredLabel {
        numbers: texts(numbers),
        sha256: sha256(&pdf),
        pdf,
        expected: texts(expected),
    };
    let now = crate::support::desk::NOW.parse().expect("a moment");
    let kept = journal.store_label(id, LabelSize::A6, &label, LabelGeneration::default(), now);
    kept.expect("stored");
}

pub(crate) fn set_up(desk: &mut Desk, port: u16) {
    save_printer(desk, "Zebra bench 4", format!("127.0.0.1:{port}"));
}

/// A bench that has good labels of so many consignments, with its printer at this port.
pub(crate) fn bench_with_labels(
    count: i64,
    port: u16,
) -> (Home, RunningService, Desk, Vec<ConsignmentId>) {
    let home = Home::new();
    let ids = ids(count);
    stored(&home.places.journal("practice"), &ids);
    let (practice, mut desk) = home.open_practice();
    set_up(&mut desk, port);
    (home, practice, desk, ids)
}

/// Waits until so many labels are handed over and no batch is shown any more.
pub(crate) fn until_sent(desk: &mut Desk, count: usize) {
    desk.until(&format!("{count} labels are out"), |core| {
        (core.shared.labels.batch.is_none() && sent(&core.shared).len() == count).then_some(())
    });
}

/// Waits until this label fails its check, and returns why.
pub(crate) fn until_check_fails(desk: &mut Desk, id: ConsignmentId) -> String {
    desk.until("it fails the check", |core| {
        match core.shared.labels.state(id) {
            LabelState::FailedVerification(words) => Some(words.clone()),
            _ => None,
        }
    })
}

/// The batch's card, once it is no longer on its way.
pub(crate) fn ended(desk: &mut Desk) -> Option<app::state::BatchProgress> {
    desk.until("the batch ended", |core| {
        let batch = &core.shared.labels.batch;
        let is_running = batch
            .as_ref()
            .is_some_and(app::state::BatchProgress::is_running);
        let has_begun = !core.shared.labels.jobs.is_empty() || batch.is_some();
        (has_begun && !is_running).then(|| batch.clone())
    })
}

/// Prints these labels, and stops the batch once the first is on its way. Returns the batch's card.
pub(crate) fn stopped(desk: &mut Desk, ids: &[ConsignmentId]) -> app::state::BatchProgress {
    desk.ask(LabelsCommand::Print(ids.to_vec()));
    desk.until("the first is on its way", |core| {
        (!core.shared.labels.jobs.is_empty()).then_some(())
    });
    desk.ask(LabelsCommand::Batch(BatchCommand::Stop));
    let batch = ended(desk).expect("what it leaves");
    assert_eq!(batch.stage, BatchStage::Stopped);
    batch
}

/// Whose jobs were handed over, in the order in which they were made.
pub(crate) fn sent(shared: &Shared) -> Vec<ConsignmentId> {
    let mut jobs: Vec<_> = { shared.labels.jobs.iter() }
        .filter(|job| job.state == JobState::Sent)
        .collect();
    jobs.sort_by_key(|job| job.id);
    jobs.into_iter()
        .filter_map(|job| job.subject.consignment())
        .collect()
}

/// The bytes of all jobs that were handed over, in order, as the journal has them.
fn bytes_of(journal: &Path, shared: &Shared) -> Vec<Vec<u8>> {
    let journal = Journal::open(journal).expect("a reader");
    let mut jobs: Vec<_> = { shared.labels.jobs.iter() }
        .filter(|job| job.state == JobState::Sent)
        .collect();
    jobs.sort_by_key(|job| job.id);
    let bytes = jobs.into_iter().map(|job| journal.job_bytes(job.id));
    bytes
        .map(|bytes| bytes.expect("read").expect("there"))
        .collect()
}

pub(crate) fn is_settled(journal: &Path) -> bool {
    let journal = Journal::open(journal).expect("a reader");
    journal.unprinted().expect("read").is_empty()
}

#[test]
fn labels_come_out_in_the_order_asked_for_even_where_one_fails_its_check() {
    let (home, printer) = (Home::new(), Recorder::start());
    let journal = home.places.journal("practice");
    let mut ids = ids(6);
    stored(&journal, &ids);
    store(
        &mut Journal::open(&journal).expect("a journal"),
        ids[2],
        "PKB0000000009",
        &reference(ids[2]),
    );
    // Not the order of their numbers: that of the list that they were ticked in.
    ids.swap(0, 4);
    let (_practice, mut desk) = home.open_practice();
    set_up(&mut desk, printer.port());
    desk.ask(LabelsCommand::Print(ids.clone()));
    let batch = ended(&mut desk).expect("one has something to say");
    assert_eq!(
        (batch.stage, batch.sent, batch.total),
        (BatchStage::Ended, 5, 6)
    );
    assert_eq!(batch.failed.len(), 1);
    assert_eq!(batch.failed[0].consignment, ids[2]);
    assert!(matches!(
        desk.core.shared.labels.state(ids[2]),
        LabelState::FailedVerification(words) if words.contains("barcode")
    ));
    let good: Vec<_> = ids.iter().copied().filter(|id| *id != ids[2]).collect();
    assert_eq!(sent(&desk.core.shared), good);
    assert_eq!(printer.jobs(5), bytes_of(&journal, &desk.core.shared));
    assert_eq!(desk.core.shared.labels.last_printed(), good);
    assert!(is_settled(&journal));
}

#[test]
fn a_stop_comes_before_the_next_label_and_says_what_it_leaves() {
    let printer = Recorder::start();
    let (home, _practice, mut desk, ids) = bench_with_labels(30, printer.port());
    let journal = home.places.journal("practice");
    let batch = stopped(&mut desk, &ids);
    assert!(!batch.rest.is_empty());
    assert_eq!(batch.sent + batch.rest.len(), ids.len());
    assert_eq!(batch.rest, ids[batch.sent..]);
    for id in &batch.rest {
        assert_eq!(*desk.core.shared.labels.state(*id), LabelState::Waiting);
    }
    assert_eq!(printer.jobs(batch.sent).len(), batch.sent);
    assert!(is_settled(&journal), "nothing is offered again by itself");

    // What it leaves can be had all the same, and nothing of the rest twice.
    desk.ask(LabelsCommand::Batch(BatchCommand::Continue));
    desk.until("all are out", |core| {
        core.shared.labels.batch.is_none().then_some(())
    });
    assert_eq!(sent(&desk.core.shared), ids);
    assert_eq!(printer.jobs(30).len(), 30);
}

#[test]
fn a_printer_that_goes_away_stops_the_batch_with_one_question() {
    let printer = Recorder::until_off(2);
    let (home, _practice, mut desk, ids) = bench_with_labels(7, printer.port());
    let journal = home.places.journal("practice");
    desk.ask(LabelsCommand::Print(ids.clone()));
    let batch = ended(&mut desk).expect("a question");
    let BatchStage::Halted(words) = &batch.stage else {
        panic!("{batch:?}");
    };
    assert!(words.contains("No printer answers"), "{words}");
    assert_eq!((batch.sent, batch.failed.len()), (2, 1));
    assert_eq!(batch.failed[0].consignment, ids[2]);
    assert_eq!(batch.rest, ids[3..], "no failure for each of the others");
    assert!(!is_settled(&journal), "the question outlives the program");

    let again = Recorder::on_again(printer.port());
    desk.ask(LabelsCommand::Batch(BatchCommand::Retry));
    desk.until("all are out", |core| {
        core.shared.labels.batch.is_none().then_some(())
    });
    assert_eq!(sent(&desk.core.shared), ids, "in order, each once");
    assert_eq!((printer.jobs(2).len(), again.jobs(5).len()), (2, 5));
    assert!(is_settled(&journal));
}

#[test]
fn labels_that_are_on_their_way_are_not_printed_twice() {
    let printer = Recorder::start();
    let (_home, _practice, mut desk, ids) = bench_with_labels(3, printer.port());
    // Ctrl+P, pressed twice.
    desk.ask(LabelsCommand::Print(ids.clone()));
    desk.ask(LabelsCommand::Print(ids.clone()));
    until_sent(&mut desk, 3);
    assert_eq!(printer.jobs(3).len(), 3);
    assert_eq!(desk.core.shared.labels.jobs.len(), 3);
}

/// A bench that stops dead at the third label's job: what is on its disk then is what a power cut leaves.
fn cut_off_at_the_third(ids: &[ConsignmentId], port: u16) -> (Site, std::path::PathBuf) {
    let site = Site::open();
    let live = site.journal("Bench4");
    stored(&live, ids);
    let (reached, third) = mpsc::sync_channel(1);
    let (release, released) = mpsc::sync_channel::<()>(1);
    let (released, count) = (Mutex::new(released), Mutex::new(0));
    let witness = move |milestone| {
        if milestone != FaultPoint::JobWritten {
            return;
        }
        let is_third = {
            let mut count = count.lock().expect("nobody panicked");
            *count += 1;
            *count == 3
        };
        if is_third {
            let _gone = reached.send(());
            let _gone = released.lock().expect("nobody panicked").recv();
        }
    };
    let place = Place {
        home: site.home("Bench4"),
        name: "Bench4".to_owned(),
        clock: site.clock.clone(),
        settle_after: Vec::new(),
        workgroup: None,
    };
    let service = client(&site.practice.base_url(), &site.token(), QUICK);
    let lanes = Lanes::open(&site.runtime, place, service, Arc::new(witness));
    let order = |id: &ConsignmentId| label_order(*id, port);
    lanes.ask(Request::PrintBatch(Box::new(PrintBatch {
        id: BatchId(1),
        orders: ids.iter().map(order).collect(),
        rules: Vec::new(),
        replaces: Vec::new(),
    })));
    third
        .recv_timeout(Duration::from_mins(1))
        .expect("the third label");
    let copy = site.home("after").join("journal.db");
    for ending in ["", "-wal"] {
        let name = |path: &Path| format!("{}{ending}", path.display());
        std::fs::copy(name(&live), name(&copy)).expect("a copy");
    }
    // The first life is over: what it would still do is another story.
    drop(lanes);
    drop(release);
    (site, copy)
}

#[test]
fn after_the_program_was_cut_off_the_rest_is_offered_and_nothing_is_doubled() {
    let ids = ids(6);
    let before = Recorder::start();
    let (site, copy) = cut_off_at_the_third(&ids, before.port());
    let home = Home::new();
    let journal = home.places.journal("practice");
    for ending in ["", "-wal"] {
        let name = |path: &Path| format!("{}{ending}", path.display());
        std::fs::copy(name(&copy), name(&journal)).expect("a copy");
    }
    drop(site);
    let practice = home.practise();
    let printer = Recorder::start();
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    let batch = desk.until("what was left is said", |core| {
        core.shared.labels.batch.clone()
    });
    assert_eq!(
        (batch.stage, batch.rest),
        (BatchStage::LeftOver, ids[3..].to_vec())
    );
    let shared = &desk.core.shared;
    assert_eq!(sent(shared), ids[..2]);
    assert!(matches!(
        shared.labels.state(ids[2]),
        LabelState::Uncertain(_)
    ));
    set_up(&mut desk, printer.port());
    desk.turn();
    assert_eq!(
        desk.core.shared.labels.jobs.len(),
        3,
        "nothing goes on by itself"
    );
    desk.ask(LabelsCommand::Batch(BatchCommand::Continue));
    desk.until("the rest is out", |core| {
        (sent(&core.shared).len() == 5).then_some(())
    });
    assert_eq!(printer.jobs(3).len(), 3);
    assert!(is_settled(&journal));
}

#[test]
fn what_a_cut_off_batch_left_can_be_left() {
    let home = Home::new();
    let journal = home.places.journal("practice");
    let wanted: Vec<_> = { ids(2).into_iter() }
        .map(|consignment| storage::LabelRequest {
            consignment,
            number: format!("MS{consignment}"),
            printer: "Zebra bench 4".to_owned(),
            size: LabelSize::A6,
            reason: String::new(),
        })
        .collect();
    let mut file = Journal::open(&journal).expect("a journal");
    file.begin_batch(&wanted, &[], home.clock.now())
        .expect("written");
    drop(file);
    let (_practice, mut desk) = home.open_practice();
    desk.until("said", |core| core.shared.labels.batch.clone());
    desk.ask(LabelsCommand::Batch(BatchCommand::PutAway));
    desk.until("put away", |core| {
        (core.shared.labels.batch.is_none() && is_settled(&journal)).then_some(())
    });
}
