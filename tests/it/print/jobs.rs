//! Print jobs in their queues: each is shown in its true state, and none prints hours later unexpectedly.

use app::state::{JobId, LabelState, LabelsCommand, PrintJob, QueuedJobState};
use jiff::SignedDuration;
use printing::profile::{Destination, PrinterProfile};
use storage::JobState;

use crate::support::cupsd::Cupsd;
use crate::support::desk::{Desk, Home};
use crate::support::ipp_printer::IppPrinter;
use crate::support::recorder::Recorder;

/// A bench whose labels go to `destination`, with a consignment whose label may be printed.
struct Bench {
    home: Home,
    desk: Desk,
    label: shipping::ConsignmentId,
    practice: practice::RunningService,
}

fn bench(cups: Option<&Cupsd>, destination: Destination) -> Bench {
    let mut home = Home::new();
    if let Some(cups) = cups {
        home.surroundings.print_server = Some(cups.socket().display().to_string());
    }
    home.settings.printers = vec![PrinterProfile {
        name: "Zebra bench 4".to_owned(),
        destination,
        ..PrinterProfile::default()
    }];
    home.settings
        .assign_printer(engine::DocumentKind::ItemLabels, "Zebra bench 4");
    let (practice, mut desk) = home.open_practice();
    let label = desk.create("SO-48213");
    desk.ask(app::state::Command::Show(app::state::Screen::Labels));
    Bench {
        home,
        desk,
        label,
        practice,
    }
}

impl Bench {
    fn print(&mut self) {
        self.desk.ask(LabelsCommand::Print(vec![self.label]));
    }

    #[track_caller]
    fn until_at_queue(&mut self, word: QueuedJobState) -> PrintJob {
        self.desk.until(&format!("{word:?}"), |core| {
            let job = core.shared.labels.jobs.first()?;
            (job.queue_entry.state == Some(word)).then(|| job.clone())
        })
    }
}

/// A queue whose printer takes nothing: its jobs wait.
fn dead_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn waiting_queue(cups: &Cupsd) -> Destination {
    let uri = format!("socket://127.0.0.1:{}/?contimeout=600", dead_port());
    let more = ["-m", "raw", "-o", "printer-error-policy=retry-current-job"];
    cups.add("Zebra", &uri, &more);
    Destination::Queue("Zebra".to_owned())
}

/// A queue that holds its jobs, the printer behind it, and a bench whose label was sent to that queue.
fn holding_queue() -> (Cupsd, Recorder, Bench) {
    let (cups, recorder) = (Cupsd::start(), Recorder::start());
    cups.raw_queue("Zebra", recorder.port());
    let hold = ["-p", "Zebra", "-o", "job-hold-until-default=indefinite"];
    cups.tool("lpadmin", &hold);
    let mut bench = bench(Some(&cups), Destination::Queue("Zebra".to_owned()));
    bench.print();
    (cups, recorder, bench)
}

#[test]
fn a_held_job_is_shown_as_held_and_comes_out_when_it_is_let_go() {
    let (_cups, recorder, mut bench) = holding_queue();
    let job = bench.until_at_queue(QueuedJobState::Held);
    assert_eq!(job.state, JobState::Sent);
    assert!(job.queue_entry.job.is_some() && job.queue_entry.expires.is_some());
    assert_eq!(recorder.count(), 0);
    bench.desk.ask(LabelsCommand::ReleaseJob(job.id));
    bench.until_at_queue(QueuedJobState::HandedOver);
    assert_eq!(recorder.jobs(1).len(), 1);
}

#[test]
fn a_job_that_waits_too_long_is_taken_back_and_never_comes_out() {
    let (cups, recorder, mut bench) = holding_queue();
    bench.until_at_queue(QueuedJobState::Held);
    bench.home.clock.advance(SignedDuration::from_mins(29));
    bench.desk.turn();
    bench.until_at_queue(QueuedJobState::Held);
    bench.home.clock.advance(SignedDuration::from_mins(2));
    let job = bench.until_at_queue(QueuedJobState::Cancelled);
    assert_eq!(job.state, JobState::Failed);
    assert!(
        job.message
            .starts_with("Cancelled after 31 min in the queue")
            && job.message.ends_with("Not printed"),
        "{}",
        job.message
    );
    let label = &bench.desk.core.shared.labels.states[&bench.label];
    assert!(matches!(label, LabelState::Failed(_)), "{label:?}");
    // Nothing is left to come out: the next job is the only one that arrives.
    cups.tool("lpadmin", &["-p", "Zebra", "-R", "job-hold-until-default"]);
    bench.print();
    bench.until_at_queue(QueuedJobState::HandedOver);
    assert_eq!(recorder.jobs(1).len(), 1);
    assert_eq!(recorder.count(), 1);
}

#[test]
fn a_job_that_outlived_the_bench_is_taken_back_at_the_next_start() {
    let (_cups, _recorder, mut bench) = holding_queue();
    bench.until_at_queue(QueuedJobState::Held);
    let Bench {
        home,
        desk,
        practice,
        ..
    } = bench;
    desk.core.close(home.runtime.handle());
    home.clock.advance(SignedDuration::from_hours(2));
    // Whatever screen comes up first.
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    desk.until("taken back", |core| {
        (core.shared.labels.jobs.first()?.state == JobState::Failed).then_some(())
    });
}

#[test]
fn a_stopped_queue_and_a_job_that_somebody_else_cancels_are_told_with_the_queues_own_words() {
    let cups = Cupsd::start();
    let queue = waiting_queue(&cups);
    let mut bench = bench(Some(&cups), queue);
    bench.print();
    bench.until_at_queue(QueuedJobState::Printing);
    cups.tool("cupsdisable", &["-r", "Out of labels", "Zebra"]);
    let job = bench.until_at_queue(QueuedJobState::Stopped);
    // The backend that was ended by that had the last word; now the clerk's is.
    cups.tool("cupsdisable", &["-r", "Out of labels", "Zebra"]);
    let told = bench.desk.until("why", |core| {
        let job = core.shared.labels.jobs.first()?;
        (job.queue_entry.message == "Out of labels").then_some(job.state)
    });
    assert_eq!(told, JobState::Sent, "handed over, and no more is claimed");
    let number = job.queue_entry.job.unwrap().to_string();
    cups.tool("cancel", &[&format!("Zebra-{number}")]);
    let job = bench.until_at_queue(QueuedJobState::Cancelled);
    assert_eq!(
        job.state,
        JobState::Ask,
        "it was begun, so a person has to look"
    );
    assert!(job.message.contains("Check whether"), "{}", job.message);
}

#[test]
fn a_clerk_takes_a_job_out_of_the_queue() {
    let (_cups, _recorder, mut bench) = holding_queue();
    let job = bench.until_at_queue(QueuedJobState::Held);
    bench.desk.ask(LabelsCommand::CancelJob(job.id));
    let job = bench.until_at_queue(QueuedJobState::Cancelled);
    assert_eq!(job.state, JobState::Failed);
    assert_eq!(job.message, "Cancelled in the queue. Not printed");
    // Again, where there is nothing to cancel: said, not swallowed.
    bench.desk.ask(LabelsCommand::CancelJob(JobId(job.id.0)));
    bench.desk.until("said", |core| {
        let notices = &core.shared.notices.shown;
        let said = |headline: &str| notices.iter().any(|(_, one)| one.headline == headline);
        said("The print queue refused to cancel or release the job").then_some(())
    });
}

#[test]
fn a_job_for_a_dead_printer_is_given_up_and_asks_a_person() {
    let cups = Cupsd::start();
    let uri = format!("socket://127.0.0.1:{}/?contimeout=1", dead_port());
    let more = ["-m", "raw", "-o", "printer-error-policy=abort-job"];
    cups.add("Zebra", &uri, &more);
    let mut bench = bench(Some(&cups), Destination::Queue("Zebra".to_owned()));
    bench.print();
    let job = bench.until_at_queue(QueuedJobState::Aborted);
    assert_eq!(job.state, JobState::Ask);
    assert!(
        job.message.starts_with("The print service aborted it: "),
        "{}",
        job.message
    );
}

#[test]
fn a_printer_of_its_own_tells_of_its_jobs_too() {
    let printer = IppPrinter::start();
    printer.inside().job_state = 4;
    let destination = Destination::Ipp(printer.address());
    let mut bench = bench(None, destination);
    let form = {
        let mut form = bench.desk.until("set up", |core| {
            core.shared
                .labels
                .printers
                .value()?
                .first()
                .map(|one| one.form.clone())
        });
        form.language = app::state::Language::PageImage;
        form
    };
    bench.desk.ask(LabelsCommand::SavePrinter(Box::new(form)));
    bench.print();
    let job = bench.until_at_queue(QueuedJobState::Held);
    bench.desk.ask(LabelsCommand::CancelJob(job.id));
    let job = bench.until_at_queue(QueuedJobState::Cancelled);
    assert_eq!(
        (job.state, job.queue_entry.job),
        (JobState::Failed, Some(1))
    );
    assert_eq!(printer.inside().jobs[0].1, 7, "cancelled at the printer");
    printer.inside().job_state = 9;
    bench.print();
    bench.until_at_queue(QueuedJobState::HandedOver);
}
