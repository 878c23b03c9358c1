//! Retention times: nothing that is open is ever removed.

use draft::Draft;
use jiff::{SignedDuration, Timestamp};
use shipping::{ConsignmentId, LabelSize};
use storage::{
    JobState, JobSubject, Journal, LabelGeneration, NewOperation, OperationKind, OperationState,
    RemovedRows, StoredLabel,
};

use crate::support::desk::NOW;
use crate::support::printers::new_job;

fn now() -> Timestamp {
    NOW.parse().expect("a moment")
}

fn days_ago(days: i64) -> Timestamp {
    now() - SignedDuration::from_hours(24 * days)
}

/// A journal that nobody else has, and its folder.
fn journal() -> (tempfile::TempDir, Journal) {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(&folder.path().join("journal.sqlite")).expect("a journal");
    (folder, journal)
}

/// An operation that came to this state so many days ago.
fn operation(journal: &mut Journal, state: OperationState, days: i64, consignment: i64) {
    let new = NewOperation {
        kind: OperationKind::Create,
        key: format!("Bench4-{days:08}"),
        title: "SO-1".to_owned(),
        request: "{}".to_owned(),
        draft: None,
        consignments: vec![ConsignmentId::new(consignment)],
    };
    let mut begun = journal.begin(&[new], days_ago(days)).expect("begun");
    let mut operation = begun.pop().expect("one");
    operation.state = OperationState::Sending;
    journal
        .change(&mut operation, OperationState::Ready, days_ago(days))
        .expect("sending");
    if state != OperationState::Sending {
        operation.state = state;
        journal
            .change(&mut operation, OperationState::Sending, days_ago(days))
            .expect("changed");
    }
}

fn tidied(journal: &mut Journal) -> RemovedRows {
    tidied_while(journal, ConsignmentId::new(0))
}

/// Removes what is due while this consignment waits for a manifest.
fn tidied_while(journal: &mut Journal, waiting: ConsignmentId) -> RemovedRows {
    let mut all = RemovedRows::default();
    loop {
        let turn = journal.remove_expired(now(), |id| id == waiting);
        let turn = turn.expect("tidied");
        if !turn.may_have_more() {
            return all;
        }
        all.operations += turn.operations;
        all.jobs += turn.jobs;
        all.bytes += turn.bytes;
        all.labels += turn.labels;
    }
}

#[test]
fn operations_that_ended_go_after_ninety_days_with_their_history_and_open_ones_never() {
    let (folder, mut journal) = journal();
    for state in [
        OperationState::Done,
        OperationState::Rejected,
        OperationState::Discarded,
    ] {
        operation(&mut journal, state, 91, 1);
        operation(&mut journal, state, 89, 1);
    }
    for state in [
        OperationState::Sending,
        OperationState::Unknown,
        OperationState::Absent,
    ] {
        operation(&mut journal, state, 400, 1);
    }
    assert_eq!(tidied(&mut journal).operations, 3);
    let left = journal.operations(100).expect("operations");
    assert_eq!(left.len(), 6);
    let raw = rusqlite::Connection::open(folder.path().join("journal.sqlite")).expect("a reader");
    let orphans: i64 = raw
        .query_row(
            "SELECT count(*) FROM history WHERE operation NOT IN (SELECT id FROM operations)",
            [],
            |row| row.get(0),
        )
        .expect("counted");
    assert_eq!(orphans, 0);
}

#[test]
fn a_turn_is_bounded_and_turns_come_to_an_end() {
    let (_folder, mut journal) = journal();
    for _ in 0..250 {
        operation(&mut journal, OperationState::Done, 100, 1);
    }
    assert_eq!(
        journal
            .remove_expired(now(), |_| false)
            .expect("a turn")
            .operations,
        100
    );
    assert_eq!(tidied(&mut journal).operations, 150);
    assert!(journal.operations(1000).expect("read").is_empty());
}

#[test]
fn print_jobs_lose_their_bytes_after_thirty_days_and_go_after_ninety_but_questions_stay() {
    let (_folder, mut journal) = journal();
    let mut job = |days: i64, state: JobState| {
        let new = new_job(JobSubject::Label(ConsignmentId::new(days)));
        let mut job = journal.begin_job(&new, days_ago(days)).expect("begun");
        job.state = state;
        journal
            .change_job(&mut job, JobState::Spooling, days_ago(days))
            .expect("kept");
        job.id
    };
    let (young, old) = (job(29, JobState::Sent), job(31, JobState::Sent));
    let (gone, asked) = (job(91, JobState::Printed), job(400, JobState::Ask));
    let all = tidied(&mut journal);
    assert_eq!((all.jobs, all.bytes), (1, 1));
    let bytes = |id| {
        journal
            .job_bytes(id)
            .expect("read")
            .map(|bytes| bytes.len())
    };
    assert_eq!(bytes(young), Some(6));
    assert_eq!(bytes(old), Some(0));
    assert_eq!(bytes(gone), None);
    assert_eq!(bytes(asked), Some(6));
}

#[test]
fn labels_go_after_ninety_days_but_not_while_their_consignment_waits_or_is_held() {
    let (_folder, mut journal) = journal();
    let label = StoredLabel {
        numbers: Vec::new(),
        pdf: b"%PDF".to_vec(),
        sha256: String::new(),
        expected: Vec::new(),
    };
    for id in [1, 2, 3, 11] {
        let id = ConsignmentId::new(id);
        journal
            .store_label(
                id,
                LabelSize::A6,
                &label,
                LabelGeneration::default(),
                days_ago(91),
            )
            .expect("stored");
    }
    operation(&mut journal, OperationState::Unknown, 400, 3);
    let waiting = ConsignmentId::new(2);
    assert_eq!(tidied_while(&mut journal, waiting).labels, 2);
    let there = |id| {
        let label = journal.label(ConsignmentId::new(id), LabelSize::A6);
        label.expect("read").is_some()
    };
    assert_eq!([1, 2, 3, 11].map(there), [false, true, true, false]);
}

#[test]
fn drafts_are_never_removed() {
    let (_folder, mut journal) = journal();
    let typed = Draft::default();
    journal.save_draft(&typed, days_ago(4000)).expect("saved");
    assert_eq!(tidied(&mut journal), RemovedRows::default());
    assert_eq!(journal.drafts().expect("drafts"), [typed]);
}
