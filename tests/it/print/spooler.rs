//! The print service is killed in the middle of a batch: what was handed over is known, what was not is said, and nothing
//! is printed twice by itself.

use jiff::SignedDuration;
use packbench::journal::JobState;
use packbench::printing::profile::{Destination, PrinterProfile};
use packbench::state::{LabelsCommand, PrintJob, QueueWord};

use crate::support::cupsd::Cupsd;
use crate::support::desk::Home;
use crate::support::recorder::Recorder;

const LABELS: usize = 50;

fn count(jobs: &[PrintJob], is: impl Fn(&PrintJob) -> bool) -> usize {
    jobs.iter().filter(|job| is(job)).count()
}

#[test]
fn a_spooler_killed_in_the_middle_of_fifty_labels_loses_and_doubles_none_unsaid() {
    let (mut cups, recorder) = (Cupsd::start(), Recorder::start());
    cups.raw_queue("Zebra", recorder.port());
    let mut home = Home::new();
    home.surroundings.print_server = Some(cups.socket().display().to_string());
    home.settings.printers = vec![PrinterProfile {
        name: "Zebra bench 4".to_owned(),
        destination: Destination::Queue("Zebra".to_owned()),
        ..PrinterProfile::default()
    }];
    home.settings.label_printer = Some("Zebra bench 4".to_owned());
    let practice = home.practise();
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    desk.type_consignment("SO-48213");
    desk.send();
    let id = desk.until("created", |core| {
        core.shared.last_created.as_ref().map(|one| one.id)
    });
    desk.core
        .push(LabelsCommand::Print(vec![id; LABELS]).into());
    let sent = |job: &PrintJob| job.state == JobState::Sent;
    desk.until("the middle of the batch", |core| {
        (count(&core.shared.jobs, sent) >= LABELS / 3).then_some(())
    });
    cups.kill();
    desk.until("all are through", |core| {
        let done = count(&core.shared.jobs, |job| job.state != JobState::Spooling);
        (done == LABELS).then_some(())
    });
    let jobs = desk.core.shared.jobs.clone();
    let refused = count(&jobs, |job| job.state == JobState::Failed);
    assert!(refused > 0, "the rest was not handed over, and says so");
    assert!(
        recorder.count() <= LABELS - refused,
        "no label that was called unsent was printed"
    );
    cups.restart();
    // The queue has told of each by now, or forgot it.
    home.clock.advance(SignedDuration::from_mins(1));
    desk.core.push(packbench::state::Command::Show(
        packbench::state::Screen::Labels,
    ));
    desk.until("each is known or asked about", |core| {
        let open = count(&core.shared.jobs, |job| {
            job.state == JobState::Sent && !job.at_queue.state.is_some_and(QueueWord::is_final)
        });
        (open == 0).then_some(())
    });
    let jobs = desk.core.shared.jobs.clone();
    let handed = count(&jobs, |job| {
        job.at_queue.state == Some(QueueWord::HandedOver)
    });
    let asked = count(&jobs, |job| job.state == JobState::Ask);
    let refused = count(&jobs, |job| job.state == JobState::Failed);
    assert_eq!(handed + asked + refused, LABELS, "each is one of these");
    let printed = recorder.jobs(handed).len();
    assert!(
        printed <= handed + asked,
        "{printed} came out, of {handed} handed over and {asked} asked about"
    );
    assert_eq!(
        desk.core.shared.jobs.len(),
        LABELS,
        "nothing was printed again by itself"
    );
}
