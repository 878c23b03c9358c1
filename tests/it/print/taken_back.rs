//! Unfinished print jobs keep their state whatever else happens: after a restart, beside a failing queue,
//! after a double click, and when a clerk says that a label did not come out.

use app::state::{Command, DocumentKind, LabelState, LabelsCommand, QueuedJobState, Screen};
use engine::{apply_queue_state, find_cancellable_job, find_job};
use jiff::{SignedDuration, Timestamp};
use printing::profile::{Destination, Language, PrinterProfile};
use printing::queue::JobInfo;
use shipping::ConsignmentId;
use storage::{JobState, JobSubject, Journal, NewJob, PrintJob, QueueEntry};

use crate::support::desk::{Desk, Home, notice};
use crate::support::ipp_printer::IppPrinter;
use crate::support::printers::new_job;

fn printer(name: &str, printer: &IppPrinter) -> PrinterProfile {
    PrinterProfile {
        name: name.to_owned(),
        destination: Destination::Ipp(printer.address()),
        language: Language::PageImage,
        ..PrinterProfile::default()
    }
}

/// A bench with these printers, of which the first prints labels, and a consignment.
fn bench(printers: Vec<PrinterProfile>) -> (Home, practice::RunningService, Desk, ConsignmentId) {
    let mut home = Home::new();
    if let Some(first) = printers.first() {
        let labels = DocumentKind::ItemLabels;
        home.settings.assign_printer(labels, &first.name);
    }
    home.settings.printers = printers;
    let (practice, mut desk) = home.open_practice();
    let label = desk.create("SO-48213");
    desk.ask(Command::Show(Screen::Labels));
    (home, practice, desk, label)
}

fn held() -> IppPrinter {
    let printer = IppPrinter::start();
    printer.inside().job_state = 4;
    printer
}

#[track_caller]
fn until_held(desk: &mut Desk, count: usize) -> Vec<PrintJob> {
    desk.until("held", |core| {
        let held = core.shared.labels.jobs.iter();
        let held = held.filter(|job| job.queue_entry.state == Some(QueuedJobState::Held));
        (held.count() == count).then(|| core.shared.labels.jobs.clone())
    })
}

/// Prints this label again, at the other printer.
fn reprint_at_dock(desk: &mut Desk, label: ConsignmentId) {
    desk.ask(LabelsCommand::ChooseLabelPrinter("Dock".to_owned()));
    desk.ask(LabelsCommand::Reprint(vec![label], "lost".to_owned()));
}

#[test]
fn a_label_printed_before_hundreds_of_others_is_no_label_that_waits_after_a_restart() {
    let (home, practice, desk, label) = bench(Vec::new());
    desk.core.close(home.runtime.handle());
    let mut journal = Journal::open(&home.places.journal("practice")).unwrap();
    let mut print = |id: i64| {
        let new = NewJob {
            queue: "ipp://127.0.0.1:9/ipp/print".to_owned(),
            title: "MS1 Bench 4".to_owned(),
            ..new_job(JobSubject::Label(ConsignmentId::new(id)))
        };
        let mut job = journal.begin_job(&new, home.clock.now()).unwrap();
        job.state = JobState::Sent;
        job.queue_entry = QueueEntry {
            job: Some(1),
            state: Some(if id == 77 {
                QueuedJobState::Held
            } else {
                QueuedJobState::HandedOver
            }),
            ..QueueEntry::default()
        };
        let spooling = JobState::Spooling;
        journal
            .change_job(&mut job, spooling, home.clock.now())
            .unwrap();
        job.id
    };
    let ours = print(label.get());
    let waits = print(77);
    for id in 0..250 {
        print(900_000 + id);
    }
    drop(journal);
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    let jobs = desk.until("restored", |core| {
        let jobs = &core.shared.labels.jobs;
        (!jobs.is_empty()).then(|| jobs.clone())
    });
    let state = desk.core.shared.labels.state(label).clone();
    assert!(matches!(state, LabelState::Sent(_)), "{state:?}");
    let held = desk
        .core
        .shared
        .labels
        .state(ConsignmentId::new(77))
        .clone();
    assert!(matches!(held, LabelState::InQueue(_)), "{held:?}");
    assert!(jobs.iter().any(|job| job.id == waits), "it is looked at");
    assert!(
        jobs.iter().all(|job| job.id != ours),
        "only the newest are listed"
    );
    assert!(jobs.is_sorted_by(|one, next| one.id > next.id));
}

#[test]
fn three_jobs_cancelled_at_once_are_all_cancelled() {
    let zebra = held();
    let (_home, _practice, mut desk, label) = bench(vec![printer("Zebra", &zebra)]);
    desk.ask(LabelsCommand::Print(vec![label]));
    for count in 1..3 {
        until_held(&mut desk, count);
        desk.ask(LabelsCommand::Reprint(vec![label], "lost".to_owned()));
    }
    for job in until_held(&mut desk, 3) {
        desk.ask(LabelsCommand::CancelJob(job.id));
    }
    desk.until("all three are cancelled", |core| {
        let mut jobs = core.shared.labels.jobs.iter();
        jobs.all(|job| job.queue_entry.state == Some(QueuedJobState::Cancelled))
            .then_some(())
    });
    assert!(zebra.inside().jobs.iter().all(|job| job.1 == 7));
}

#[test]
fn all_jobs_of_a_printer_are_cancelled_and_no_other_ones() {
    let (zebra, dock) = (held(), held());
    let printers = vec![printer("Zebra", &zebra), printer("Dock", &dock)];
    let (_home, _practice, mut desk, label) = bench(printers);
    desk.ask(LabelsCommand::Print(vec![label]));
    until_held(&mut desk, 1);
    desk.ask(LabelsCommand::Reprint(vec![label], "torn".to_owned()));
    until_held(&mut desk, 2);
    reprint_at_dock(&mut desk, label);
    until_held(&mut desk, 3);
    desk.ask(LabelsCommand::CancelAllJobs("Zebra".to_owned()));
    until_held(&mut desk, 1);
    let states = |printer: &IppPrinter| -> Vec<i32> {
        printer.inside().jobs.iter().map(|job| job.1).collect()
    };
    assert_eq!((states(&zebra), states(&dock)), (vec![7, 7], vec![4]));
}

#[test]
fn a_label_that_did_not_come_out_is_taken_out_of_the_queue_that_has_it_still() {
    let zebra = held();
    let (_home, _practice, mut desk, label) = bench(vec![printer("Zebra", &zebra)]);
    desk.ask(LabelsCommand::Print(vec![label]));
    let job = until_held(&mut desk, 1).remove(0);
    desk.ask(LabelsCommand::SetJobPrinted(job.id, false));
    let words = desk.until("answered", |core| {
        let job = core.shared.labels.jobs.first()?;
        (job.state == JobState::Failed).then(|| job.message.clone())
    });
    assert!(words.ends_with("removed from the queue"), "{words}");
    assert_eq!(zebra.inside().jobs[0].1, 7, "it comes out no more");
}

#[test]
fn a_label_whose_queue_does_not_answer_is_not_called_unprinted() {
    let zebra = held();
    let (_home, _practice, mut desk, label) = bench(vec![printer("Zebra", &zebra)]);
    desk.ask(LabelsCommand::Print(vec![label]));
    let job = until_held(&mut desk, 1).remove(0);
    drop(zebra);
    desk.ask(LabelsCommand::SetJobPrinted(job.id, false));
    desk.until("said so", |core| notice(&core.shared, "still in its queue"));
    assert_eq!(
        desk.core.shared.labels.jobs[0].state,
        JobState::Sent,
        "it is watched on"
    );
}

#[test]
fn a_job_that_was_begun_while_it_was_cancelled_asks_a_person() {
    let zebra = held();
    zebra.inside().begins_when_cancelled = true;
    let (home, _practice, mut desk, label) = bench(vec![printer("Zebra", &zebra)]);
    desk.ask(LabelsCommand::Print(vec![label]));
    until_held(&mut desk, 1);
    home.clock.advance(SignedDuration::from_mins(31));
    let job = desk.until("taken back", |core| {
        let job = core.shared.labels.jobs.first()?;
        (job.queue_entry.state == Some(QueuedJobState::Cancelled)).then(|| job.clone())
    });
    assert_eq!(job.state, JobState::Ask, "{}", job.message);
}

#[test]
fn a_printer_that_fails_keeps_no_other_ones_jobs_from_being_taken_back() {
    let (broken, dock) = (held(), held());
    broken.inside().garbles_cancel = true;
    let printers = vec![printer("Broken", &broken), printer("Dock", &dock)];
    let (home, _practice, mut desk, label) = bench(printers);
    desk.ask(LabelsCommand::Print(vec![label]));
    until_held(&mut desk, 1);
    reprint_at_dock(&mut desk, label);
    until_held(&mut desk, 2);
    home.clock.advance(SignedDuration::from_mins(31));
    desk.until("the other one is taken back", |core| {
        let mut jobs = core.shared.labels.jobs.iter();
        let its = jobs.find(|job| job.printer == "Dock")?;
        (its.queue_entry.state == Some(QueuedJobState::Cancelled)).then_some(())
    });
    assert_eq!(dock.inside().jobs[0].1, 7);
}

/// The first job of a new journal, sent to the queue with the number 7.
fn sent_job(folder: &std::path::Path, now: Timestamp) -> PrintJob {
    let mut journal = Journal::open(&folder.join("journal.sqlite")).unwrap();
    let new = NewJob {
        queue: "Zebra".to_owned(),
        ..new_job(JobSubject::Label(ConsignmentId::new(1)))
    };
    let mut job = journal.begin_job(&new, now).unwrap();
    job.state = JobState::Sent;
    job.queue_entry.job = Some(7);
    job
}

#[test]
fn a_job_without_a_title_is_ours_only_where_none_has_one_and_is_cancelled_only_if_it_is_of_its_time()
 {
    let folder = tempfile::tempdir().unwrap();
    let now: Timestamp = crate::support::desk::NOW.parse().unwrap();
    let job = sent_job(folder.path(), now);
    let listed = |id: u32, title: &str, after: i64| JobInfo {
        id,
        title: title.to_owned(),
        state: printing::queue::JobState::Waiting,
        message: String::new(),
        has_started: false,
        created_at: Some(now.as_second() + after),
        owner: String::new(),
    };
    let hidden = [listed(7, "", 3)];
    assert!(find_job(&job, &hidden).is_some() && find_cancellable_job(&job, &hidden).is_some());
    let older = [listed(7, "", -90_000)];
    assert!(find_job(&job, &older).is_some() && find_cancellable_job(&job, &older).is_none());
    let among_titled = [listed(6, "MS9 Bench 4-AAAAAAAA", 0), listed(7, "", 3)];
    assert!(find_job(&job, &among_titled).is_none());
    let named = [listed(7, &job.title, -90_000)];
    assert!(
        find_cancellable_job(&job, &named).is_some(),
        "its title is its own"
    );
}

#[test]
fn what_a_queue_without_a_memory_lists_no_more_was_handed_over() {
    let folder = tempfile::tempdir().unwrap();
    let job = sent_job(folder.path(), crate::support::desk::NOW.parse().unwrap());
    let mut gone = job.clone();
    apply_queue_state(&mut gone, None, true);
    assert_eq!(gone.state, JobState::Sent);
    assert_eq!(gone.queue_entry.state, Some(QueuedJobState::HandedOver));
    let mut unknown = job;
    apply_queue_state(&mut unknown, None, false);
    assert_eq!(unknown.state, JobState::Ask);
}
