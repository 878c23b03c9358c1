//! Print jobs: bytes are stored before they are sent, and an unknown result is asked for.

use std::num::NonZeroU8;

use app::state::{LabelState, LabelsCommand};
use printing::job::{Payload, send};
use printing::page::PageSelection;
use printing::profile::{Destination, Language};
use printing::service::PrintService;
use shipping::ConsignmentId;
use storage::{JobState, JobSubject, Journal, JournalError, NewJob};

use crate::support::cupsd::Cupsd;
use crate::support::desk::{Desk, Home, open_bench};
use crate::support::printers::{new_job, save_printer};
use crate::support::recorder::Recorder;
use crate::support::text::assert_contains;
use crate::support::wire::{Fault, answer};

fn set_up(desk: &mut Desk, destination: &str) {
    save_printer(desk, "Zebra bench 4", destination.to_owned());
}

fn print_to(desk: &mut Desk, destination: &str) -> ConsignmentId {
    let id = desk.create("SO-48213");
    set_up(desk, destination);
    desk.ask(LabelsCommand::Print(vec![id]));
    id
}

#[test]
fn the_bytes_that_were_stored_are_the_bytes_that_were_sent() {
    let (home, practice) = Home::with_practice();
    let printer = Recorder::start();
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    let id = print_to(&mut desk, &format!("127.0.0.1:{}", printer.port()));
    let job = desk.until_job(JobState::Sent);
    assert_eq!(
        (job.subject.consignment(), job.message.as_str()),
        (Some(id), "Sent to printer")
    );
    let received = printer.jobs(1);
    let journal = Journal::open(&home.places.journal("practice")).expect("a reader");
    assert_eq!(
        journal.job_bytes(job.id).expect("bytes"),
        Some(received[0].clone())
    );
}

#[test]
fn a_printer_that_is_off_fails_the_job_and_says_what_to_do() {
    let (_home, _practice, mut desk) = open_bench();
    // The port was free a moment ago: nobody listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("its number")
        .port();
    print_to(&mut desk, &format!("127.0.0.1:{port}"));
    let job = desk.until_job(JobState::Failed);
    assert_contains(&job.message, "Check that the printer is on");
}

#[test]
fn a_label_that_is_not_a_pdf_is_said_at_the_label_and_nothing_is_sent() {
    let (home, practice, wire) = Home::with_wire();
    let printer = Recorder::start();
    let mut desk = home.open(&Home::service(wire.base_url(), practice.token()));
    let body = r#"{"object":{"fileName":"x.pdf","contentType":"application/pdf","content":"bm90IGEgUERG"},"errors":null}"#;
    wire.fail(
        "getItemPdfFileInfo",
        answer("200 OK", "application/json", body),
    );
    let id = print_to(&mut desk, &format!("127.0.0.1:{}", printer.port()));
    let words = desk.until("not printed", |core| {
        match core.shared.labels.states.get(&id) {
            Some(LabelState::Failed(words)) => Some(words.clone()),
            _ => None,
        }
    });
    assert!(words.contains("This label is not a PDF"), "{words}");
    assert!(desk.core.shared.labels.jobs.is_empty());
}

#[test]
fn a_job_that_the_last_run_did_not_see_through_is_a_question() {
    let (home, practice) = Home::with_practice();
    let new = new_job(JobSubject::Label(ConsignmentId::new(200_001)));
    let mut journal = Journal::open(&home.places.journal("practice")).expect("a journal");
    journal.begin_job(&new, home.clock.now()).expect("a job");
    drop(journal);
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    let job = desk.until("restored", |core| core.shared.labels.jobs.first().cloned());
    assert_eq!(job.state, JobState::Ask);
    assert!(job.message.contains("Check the printer"), "{}", job.message);
    desk.ask(LabelsCommand::SetJobPrinted(job.id, true));
    desk.until("answered", |core| {
        (core.shared.labels.jobs[0].state == JobState::Printed).then_some(())
    });
}

#[test]
fn a_job_that_its_queue_has_is_taken_for_sent_and_one_that_it_has_not_is_a_question() {
    let (cups, printer) = (Cupsd::start(), Recorder::start());
    cups.raw_queue("Zebra", printer.port());
    let mut home = Home::new();
    home.surroundings.print_server = Some(cups.socket().display().to_string());
    let practice = home.practise();
    let mut journal = Journal::open(&home.places.journal("practice")).expect("a journal");
    let mut begun = |title: String| {
        let new = NewJob {
            queue: "Zebra".to_owned(),
            title,
            ..new_job(JobSubject::Label(ConsignmentId::new(200_001)))
        };
        let job = journal.begin_job(&new, home.clock.now());
        job.expect("a job").id
    };
    let (handed_over, kept_back) = (
        begun("MS200001 Bench4-AAAAAAAA".to_owned()),
        begun("MS200001 Bench4-BBBBBBBB".to_owned()),
    );
    drop(journal);
    let service = PrintService::new(home.surroundings.program.clone(), cups.server());
    let payload = Payload {
        language: Language::Zpl,
        bytes: b"^XA^XZ"[..].into(),
        copies: NonZeroU8::MIN,
        pages: PageSelection::All,
        page_ends: Vec::new(),
    };
    let queue = Destination::Queue("Zebra".to_owned());
    let spool = tempfile::tempdir().expect("a folder");
    let sent = send(
        &service,
        &payload,
        &queue,
        "MS200001 Bench4-AAAAAAAA",
        spool.path(),
    );
    home.runtime.block_on(sent).expect("handed over");

    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    let state = |desk: &mut Desk, id| {
        desk.until("looked for in its queue", |core| {
            let job = core.shared.labels.jobs.iter().find(|job| job.id == id)?;
            let adopted = core
                .shared
                .labels
                .jobs
                .iter()
                .any(|job| job.state == JobState::Sent);
            adopted.then(|| (job.state, job.message.clone()))
        })
    };
    let (found, words) = state(&mut desk, handed_over);
    assert_eq!(found, JobState::Sent, "{words}");
    assert!(words.contains("found in its queue"), "{words}");
    let (not_found, words) = state(&mut desk, kept_back);
    assert_eq!(not_found, JobState::Ask, "{words}");
    assert_eq!(printer.jobs(1).len(), 1, "nothing was printed by itself");
}

#[test]
fn a_consignment_whose_answer_was_lost_has_its_label_printed_by_itself_once_it_is_found() {
    let (home, practice, wire) = Home::with_wire();
    let printer = Recorder::start();
    let mut desk = home.open(&Home::service(wire.base_url(), practice.token()));
    set_up(&mut desk, &format!("127.0.0.1:{}", printer.port()));
    desk.print_new_labels();
    desk.type_consignment("SO-48213");
    wire.fail("/consignments/createConsignment", Fault::LoseAnswer);
    desk.send();
    let job = desk.until_job(JobState::Sent);
    let made = &desk.core.shared.operations.list[0];
    assert_eq!(
        made.consignments,
        [job.subject.consignment().expect("a label")]
    );
    assert_eq!(job.number, made.reference);
    assert_eq!(printer.jobs(1).len(), 1);
}

#[test]
fn what_the_clerk_said_of_a_job_is_not_overwritten_by_what_is_found_out_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(&folder.path().join("journal.sqlite")).expect("a journal");
    let now = crate::support::desk::NOW.parse().expect("a moment");
    let new = NewJob {
        queue: "zebra".to_owned(),
        ..new_job(JobSubject::Label(ConsignmentId::new(7)))
    };
    let mut job = journal.begin_job(&new, now).expect("begun");
    job.state = JobState::Ask;
    let asked = journal.change_job(&mut job, JobState::Spooling, now);
    asked.expect("asked");
    let mut adopted = job.clone();
    job.state = JobState::Failed;
    let said = journal.change_job(&mut job, JobState::Ask, now);
    said.expect("said");
    adopted.state = JobState::Sent;
    let late = journal.change_job(&mut adopted, JobState::Ask, now);
    assert!(matches!(late, Err(JournalError::Changed)), "{late:?}");
    let kept = journal.job(job.id).expect("read").expect("there");
    assert_eq!(kept.state, JobState::Failed);
    let steps = journal.job_history(job.id).expect("read").len();
    assert_eq!(steps, 3);
}
