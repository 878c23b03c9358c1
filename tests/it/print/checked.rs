//! A label that fails verification is printed only after the clerk overrides the error, and the override is
//! stored.

use app::state::{LabelState, LabelsCommand};
use storage::{JobState, JobSubject, Journal, JournalError, NewJob};

use super::batch::{ids, set_up, store, until_check_fails};
use crate::support::desk::Home;
use crate::support::printers::new_job;
use crate::support::recorder::Recorder;

fn failing(home: &Home) -> shipping::ConsignmentId {
    let id = ids(1)[0];
    let journal = home.places.journal("practice");
    let mut journal = Journal::open(&journal).expect("a journal");
    store(&mut journal, id, "PKB0000000009", "PKB0000000001");
    id
}

#[test]
fn a_label_that_fails_the_check_is_printed_only_on_the_clerks_word() {
    let (home, printer) = (Home::new(), Recorder::start());
    let id = failing(&home);
    let (_practice, mut desk) = home.open_practice();
    set_up(&mut desk, printer.port());
    desk.ask(LabelsCommand::Print(vec![id]));
    let words = until_check_fails(&mut desk, id);
    assert!(words.contains("not for this consignment"), "{words}");
    assert!(
        desk.core.shared.labels.jobs.is_empty(),
        "nothing was written to be sent"
    );

    // A word without a reason is none.
    desk.ask(LabelsCommand::PrintWithOverride(id, "  ".to_owned()));
    desk.turn();
    assert!(matches!(
        desk.core.shared.labels.state(id),
        LabelState::FailedVerification(_)
    ));

    let reason = "The carrier takes it so".to_owned();
    desk.ask(LabelsCommand::PrintWithOverride(id, reason.clone()));
    let job = desk.until_job(JobState::Sent);
    assert_eq!(job.override_reason, reason);
    assert_eq!(printer.jobs(1).len(), 1);

    // The word was for that time: the next one is checked again.
    desk.ask(LabelsCommand::Reprint(vec![id], "torn".to_owned()));
    until_check_fails(&mut desk, id);
    assert_eq!(desk.core.shared.labels.jobs.len(), 1);
}

#[test]
fn the_preview_of_such_a_label_shows_it_with_why() {
    let home = Home::new();
    let id = failing(&home);
    let (_practice, mut desk) = home.open_practice();
    desk.ask(LabelsCommand::Select(id));
    let preview = desk.until("drawn", |core| core.shared.labels.preview.value().cloned());
    let problem = preview.problem.expect("it fails the check");
    assert!(
        problem.headline.contains("not for this consignment"),
        "{problem:?}"
    );
    assert!(!preview.checked && preview.bitmap.width() > 0);
}

#[test]
fn the_old_file_of_a_changed_consignment_becomes_no_job() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(&folder.path().join("journal.sqlite")).expect("a journal");
    let now = crate::support::desk::NOW.parse().expect("a moment");
    let id = ids(1)[0];
    store(&mut journal, id, "PKB0000000001", "PKB0000000001");
    let new = NewJob {
        generation: Some(journal.label_generation(id).expect("read")),
        ..new_job(JobSubject::Label(id))
    };
    journal.begin_job(&new, now).expect("it is the current one");
    // Drawn, and then the consignment was changed: its file is another one.
    journal.forget_label(id).expect("forgotten");
    let late = journal.begin_job(&new, now);
    assert!(matches!(late, Err(JournalError::Changed)), "{late:?}");
    assert_eq!(journal.jobs(10).expect("jobs").len(), 1);
}
