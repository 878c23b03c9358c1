//! The print service is killed in the middle of a batch: handed-over labels are known, the others are
//! reported, and nothing is printed twice automatically.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

use app::state::{
    BatchCommand, BatchStage, Command, LabelsCommand, PrintJob, QueuedJobState, Screen,
};
use jiff::SignedDuration;
use printing::profile::{Destination, Language, PrinterProfile};
use shipping::ConsignmentId;
use storage::{JobState, Journal};

use super::batch::{ended, ids, is_settled, stored};
use crate::support::cupsd::Cupsd;
use crate::support::desk::{Desk, Home};
use crate::support::recorder::Recorder;

const LABELS: usize = 50;

fn count(jobs: &[PrintJob], is: impl Fn(&PrintJob) -> bool) -> usize {
    jobs.iter().filter(|job| is(job)).count()
}

fn printer() -> PrinterProfile {
    PrinterProfile {
        name: "Zebra bench 4".to_owned(),
        destination: Destination::Queue("Zebra".to_owned()),
        language: Language::Zpl,
        ..PrinterProfile::default()
    }
}

/// The bytes of this consignment's only job.
fn bytes_of(journal: &Path, jobs: &[PrintJob], id: ConsignmentId) -> Vec<u8> {
    let of: Vec<_> = jobs.iter().filter(|job| job.is_label_of(id)).collect();
    assert_eq!(of.len(), 1, "each label is one job");
    let journal = Journal::open(journal).expect("a reader");
    let bytes = journal.job_bytes(of[0].id).expect("read");
    bytes.expect("there")
}

fn is_in_queue(job: &PrintJob) -> bool {
    job.state == JobState::Sent && !job.queue_entry.state.is_some_and(QueuedJobState::is_final)
}

/// Looks until the queue has said of each job what became of it, or that it forgot.
fn until_known(desk: &mut Desk, home: &Home) {
    // The queue has told of each by now, or forgot it.
    home.clock.advance(SignedDuration::from_mins(1));
    desk.ask(Command::Show(Screen::Labels));
    // One whose backend outlived the service may stay in the queue: it is shown as that, until it is taken back.
    let patience = Instant::now() + Duration::from_secs(15);
    desk.until("each is known or asked about", |core| {
        let open = count(&core.shared.labels.jobs, is_in_queue);
        (open == 0 || Instant::now() > patience).then_some(())
    });
}

#[test]
fn a_spooler_killed_in_the_middle_of_fifty_labels_loses_and_doubles_none_unsaid() {
    let (mut cups, recorder) = (Cupsd::start(), Recorder::start());
    cups.raw_queue("Zebra", recorder.port());
    let mut home = Home::new();
    home.surroundings.print_server = Some(cups.socket().display().to_string());
    home.settings.printers = vec![printer()];
    home.settings
        .assign_printer(engine::DocumentKind::ItemLabels, "Zebra bench 4");
    let journal = home.places.journal("practice");
    let all = ids(50);
    stored(&journal, &all);
    let (_practice, mut desk) = home.open_practice();
    desk.ask(LabelsCommand::Print(all.clone()));
    desk.until("the middle of the batch", |core| {
        let sent = count(&core.shared.labels.jobs, |job| job.state == JobState::Sent);
        (sent >= LABELS / 3).then_some(())
    });
    cups.kill();
    let batch = ended(&mut desk).expect("the rest was not begun, and says so");
    assert!(matches!(batch.stage, BatchStage::Halted(_)), "{batch:?}");
    let jobs = desk.core.shared.labels.jobs.clone();
    assert_eq!(jobs.len() + batch.rest.len(), LABELS, "each is one of both");
    assert_eq!(batch.rest, all[jobs.len()..], "in order");

    cups.restart();
    until_known(&mut desk, &home);
    let jobs = desk.core.shared.labels.jobs.clone();
    let handed = count(&jobs, |job| {
        job.queue_entry.state == Some(QueuedJobState::HandedOver)
    });
    let asked = count(&jobs, |job| job.state == JobState::Ask);
    let refused = count(&jobs, |job| job.state == JobState::Failed);
    let queued = count(&jobs, is_in_queue);
    assert!(queued <= 1, "no more than the one that was on its way");
    assert_eq!(
        handed + asked + refused + queued,
        jobs.len(),
        "each is one of these, and nothing goes on by itself"
    );
    let came = recorder.jobs(handed);
    let printed = came.iter().collect::<HashSet<_>>().len();
    assert!(
        printed <= handed + asked + queued,
        "{printed} came out, of {handed} handed over and {asked} asked about"
    );

    // The clerk goes on: the rest comes out, and every label at most once.
    desk.ask(LabelsCommand::Batch(BatchCommand::Continue));
    desk.until("the rest is handed over", |core| {
        let is_over = count(&core.shared.labels.jobs, |job| {
            job.state == JobState::Spooling
        }) == 0;
        (core.shared.labels.jobs.len() == LABELS && is_over).then_some(())
    });
    until_known(&mut desk, &home);
    let jobs = desk.core.shared.labels.jobs.clone();
    let came = recorder.jobs(handed + batch.rest.len());
    let mut sent_again = 0;
    for (at, id) in all.iter().enumerate() {
        let bytes = bytes_of(&journal, &jobs, *id);
        let times = came.iter().filter(|came| **came == bytes).count();
        // The one that was on its way when it was killed is sent again by the spooler itself, which did not see its end.
        sent_again += times.saturating_sub(1);
        assert!(sent_again <= 1, "{id} came out {times} times");
        let is_known = |job: &PrintJob| {
            job.is_label_of(*id) && job.queue_entry.state == Some(QueuedJobState::HandedOver)
        };
        if jobs.iter().any(is_known) {
            assert!(times >= 1, "label {at} was handed over whole");
        }
    }
    assert!(is_settled(&journal));
}
