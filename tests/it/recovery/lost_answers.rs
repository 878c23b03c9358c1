//! A write with a lost answer is reconciled: it is found or not found, and never sent twice.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::state::{
    DispatchCommand, OperationDecision, OperationKind, OperationState, OperationsCommand,
};
use engine::CHECKS_AT_ONCE;
use shipping::ConsignmentId;
use storage::{Journal, NewOperation};

use crate::support::desk::{Desk, Home, SETTLE, fill, open_failing_bench, open_wired_bench};
use crate::support::requests::to_ballarat;
use crate::support::text::assert_contains;
use crate::support::wire::{Fault, answer};

const CREATE: &str = "/consignments/createConsignment";
const MANIFEST: &str = "/manifests/manifest ";

fn new_create() -> NewOperation {
    NewOperation {
        kind: OperationKind::Create,
        key: "Bench4-AAAAAAAA".to_owned(),
        title: "SO-1".to_owned(),
        request: r#"{"items":[]}"#.to_owned(),
        draft: None,
        consignments: Vec::new(),
    }
}

fn book(desk: &mut Desk, id: ConsignmentId) {
    let group = desk.group(id);
    desk.ask(DispatchCommand::Book(vec![group]));
}

#[test]
fn the_intent_is_on_disk_before_the_request_leaves() {
    let (home, _practice, wire, mut desk) = open_wired_bench();
    let journal = home.places.journal("practice");
    let states = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&states);
    wire.watch(move |line| {
        if line.contains(CREATE) {
            let on_disk = Journal::open(&journal)
                .expect("a second reader")
                .operations(10)
                .expect("operations");
            seen.lock()
                .expect("nobody panicked")
                .extend(on_disk.iter().map(|operation| operation.state));
        }
    });
    desk.create("SO-48213");
    assert_eq!(
        *states.lock().expect("nobody panicked"),
        [OperationState::Sending]
    );
}

#[test]
fn a_lost_reply_is_reported_as_unknown_and_then_found_by_its_key() {
    let (home, _practice, wire, mut desk) = open_failing_bench(Fault::LoseAnswer);
    // The list stays unreachable for a while, so that the unknown state can be seen.
    let unknown = desk.until_operation(OperationKind::Create, OperationState::Unknown);
    assert_contains(&unknown.message, "Please don't enter it again");
    assert!(unknown.key.starts_with("Bench4-"), "{}", unknown.key);
    let done = desk.until_operation(OperationKind::Create, OperationState::Done);
    assert_eq!(done.message, "It went through: MS200001");
    assert_eq!(wire.count(CREATE), 1, "it was sent once");
    assert!(
        desk.core.editing.draft.is_blank(),
        "the form is ready for the next"
    );
    desk.until("its draft is gone", |_| {
        Journal::open(&home.places.journal("practice"))
            .expect("a reader")
            .drafts()
            .expect("drafts")
            .is_empty()
            .then_some(())
    });
}

#[test]
fn a_create_that_its_key_finds_needs_no_list_of_recent_updates() {
    let (_home, _practice, wire, mut desk) = open_wired_bench();
    wire.fail(CREATE, Fault::LoseAnswer);
    wire.fail("getRecently", answer("403 Forbidden", "text/plain", "no"));
    desk.type_consignment("SO-48213");
    desk.send();
    let done = desk.until_operation(OperationKind::Create, OperationState::Done);
    assert_eq!(done.message, "It went through: MS200001");
    assert_eq!(wire.count(CREATE), 1, "it was sent once");
}

#[test]
fn only_some_of_many_lost_answers_are_looked_up_at_the_same_time() {
    let (home, practice, wire) = Home::with_wire();
    let now = home.clock.now();
    let mut journal = Journal::open(&home.places.journal("practice")).expect("a journal");
    let lost = (0..CHECKS_AT_ONCE + 4).map(|number| NewOperation {
        key: format!("Bench4-{number:08}"),
        request: serde_json::to_string(&to_ballarat()).expect("a request"),
        ..new_create()
    });
    let begun = journal.begin(&lost.collect::<Vec<_>>(), now);
    for mut operation in begun.expect("begun") {
        operation.state = OperationState::Sending;
        let sent = journal.change(&mut operation, OperationState::Ready, now);
        sent.expect("sending");
    }
    drop(journal);
    wire.fail("ByReference2", Fault::Silence(Duration::from_mins(1)));
    let mut desk = home.open(&Home::service(wire.base_url(), practice.token()));
    desk.until("the first lookups", |_| {
        (wire.count("ByReference2") >= CHECKS_AT_ONCE).then_some(())
    });
    desk.create("SO-48213");
    assert_eq!(wire.count("ByReference2"), CHECKS_AT_ONCE);
}

#[test]
fn a_request_that_did_not_arrive_is_absent_after_every_check_and_is_sent_again_with_the_same_key() {
    let (_home, _practice, wire, mut desk) = open_failing_bench(Fault::LoseRequest);
    let absent = desk.until_operation(OperationKind::Create, OperationState::Absent);
    assert_eq!(absent.checks, 3, "every check was made");
    wire.heal();
    desk.ask(OperationsCommand::Decide(
        absent.id,
        OperationDecision::SendAgain,
    ));
    let done = desk.until_operation(OperationKind::Create, OperationState::Done);
    assert_eq!((done.key, done.attempt), (absent.key, 2));
    assert_eq!(done.reference, "MS200001");
}

#[test]
fn a_check_that_fails_does_not_count() {
    let (_home, _practice, wire, mut desk) = open_wired_bench();
    desk.type_consignment("SO-48213");
    wire.fail("/consignments/", Fault::LoseRequest);
    desk.send();
    desk.until_operation(OperationKind::Create, OperationState::Unknown);
    let asked = wire.count("ByReference2");
    desk.until("two more looks in vain", |_| {
        (wire.count("ByReference2") >= asked + 6).then_some(())
    });
    let mut operations = desk.core.shared.operations.list.iter();
    let operation = operations
        .find(|operation| operation.kind == OperationKind::Create)
        .expect("it is there");
    assert_eq!(
        (operation.state, operation.checks),
        (OperationState::Unknown, 0)
    );
}

#[test]
fn after_a_start_an_operation_on_its_way_is_unknown_and_is_looked_for() {
    let (home, practice, wire, mut desk) =
        open_failing_bench(Fault::Silence(Duration::from_secs(1)));
    let token = practice.token().to_owned();
    desk.until("sending", |_| (wire.count(CREATE) == 1).then_some(()));
    drop(desk);
    wire.heal();
    let mut desk = home.open(&Home::service(wire.base_url(), &token));
    let absent = desk.until_operation(OperationKind::Create, OperationState::Absent);
    assert_contains(&absent.message, "did not go through");
    assert_eq!(wire.count(CREATE), 1, "nothing was sent by itself");
}

#[test]
fn a_booking_with_a_lost_reply_locks_its_consignments_and_is_confirmed_by_reading_them() {
    let (_home, _practice, wire, mut desk) = open_wired_bench();
    let id = desk.create("SO-48213");
    wire.fail(MANIFEST, Fault::LoseAnswer);
    book(&mut desk, id);
    let unknown = desk.until_operation(OperationKind::Manifest, OperationState::Unknown);
    assert_contains(&unknown.message, "Don't book it any other way");
    assert!(desk.core.shared.operations.locked.contains_key(&id));
    desk.until_operation(OperationKind::Manifest, OperationState::Done);
    assert!(!desk.core.shared.operations.locked.contains_key(&id));
    assert_eq!(wire.count(MANIFEST), 1, "it was sent once");
}

#[test]
fn a_group_that_was_booked_elsewhere_is_not_booked_again() {
    let (home, practice, wire, mut desk) = open_wired_bench();
    let id = desk.create("SO-48213");
    let group = desk.group(id);
    // Another bench is quicker.
    let elsewhere = reqwest::Client::builder()
        .no_proxy()
        .build()
        .expect("a client");
    let body = serde_json::to_string(&[&group]).expect("a group");
    let request = elsewhere
        .post(format!("{}/apiv2/manifests/manifest", practice.base_url()))
        .header("token", practice.token())
        .header("content-type", "application/json")
        .body(body);
    let answer = home
        .runtime
        .block_on(async { request.send().await?.text().await })
        .expect("an answer");
    assert!(answer.contains("\"bookingSuccessful\":true"), "{answer}");
    desk.ask(DispatchCommand::Book(vec![group]));
    let refused = desk.until_operation(OperationKind::Manifest, OperationState::Rejected);
    assert_contains(&refused.message, "No longer unmanifested: MS200001");
    assert_eq!(wire.count(MANIFEST), 0, "this bench sent nothing");
}

#[test]
fn looking_early_does_not_use_up_the_checks() {
    let (_home, _practice, wire, mut desk) = open_wired_bench();
    wire.fail(CREATE, Fault::LoseRequest);
    desk.type_consignment("SO-48213");
    // The schedule counts from when the answer was given up, which is after this.
    let begun = std::time::Instant::now();
    desk.send();
    let unknown = desk.until_operation(OperationKind::Create, OperationState::Unknown);
    for _ in 0..10 {
        desk.ask(OperationsCommand::Decide(
            unknown.id,
            OperationDecision::CheckNow,
        ));
    }
    let absent = desk.until_operation(OperationKind::Create, OperationState::Absent);
    let waited = begun.elapsed();
    let schedule = Duration::from_millis(SETTLE[SETTLE.len() - 1]);
    assert!(
        waited >= schedule,
        "absent after {waited:?}, before the schedule's {schedule:?}"
    );
    assert_eq!(absent.checks, 3);
}

#[test]
fn a_reference_that_the_clerk_typed_is_no_proof() {
    let (_home, _practice, wire, mut desk) = open_wired_bench();
    desk.type_consignment("SO-1");
    desk.core.editing.draft.reference2 = "URGENT".to_owned();
    desk.send();
    desk.until_created("SO-1");
    // Another with the same references never arrives.
    wire.fail(CREATE, Fault::LoseRequest);
    fill(&mut desk.core.editing.draft, "SO-1");
    desk.core.editing.draft.reference2 = "URGENT".to_owned();
    desk.send();
    let doubtful = desk.until_operation(OperationKind::Create, OperationState::Conflict);
    assert_contains(&doubtful.message, "MS200001 has the same references");
}

#[test]
fn an_intent_that_was_not_sent_before_the_end_is_the_clerks_to_decide() {
    let (home, practice) = Home::with_practice();
    let mut journal = Journal::open(&home.places.journal("practice")).expect("a journal");
    journal
        .begin(&[new_create()], home.clock.now())
        .expect("an intent");
    drop(journal);
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    let absent = desk.until_operation(OperationKind::Create, OperationState::Absent);
    assert_contains(&absent.message, "Packbench was closed first");
    desk.ask(OperationsCommand::Decide(
        absent.id,
        OperationDecision::Discard,
    ));
    desk.until_operation(OperationKind::Create, OperationState::Discarded);
}

#[test]
fn what_was_given_up_is_a_draft_again() {
    let (_home, _practice, _wire, mut desk) = open_failing_bench(Fault::LoseRequest);
    let absent = desk.until_operation(OperationKind::Create, OperationState::Absent);
    assert!(desk.core.shared.consign.drafts.is_empty());
    desk.ask(OperationsCommand::Decide(
        absent.id,
        OperationDecision::Discard,
    ));
    let back = desk.until("the draft", |core| {
        core.shared.consign.drafts.first().cloned()
    });
    assert_eq!(back.reference1, "SO-48213");
}

#[test]
fn closing_with_nothing_under_way_does_not_wait() {
    let (home, _practice, _wire, mut desk) = open_wired_bench();
    desk.create("SO-48213");
    let begun = std::time::Instant::now();
    desk.core.close(home.runtime.handle());
    assert!(
        begun.elapsed() < Duration::from_secs(4),
        "it waited {:?} for nothing",
        begun.elapsed()
    );
}

#[test]
fn a_grouping_that_failed_is_asked_for_again_as_it_was() {
    let (_home, _practice, wire, mut desk) = open_wired_bench();
    let first = desk.create("SO-48213");
    desk.create("SO-48214");
    wire.fail(
        "/manifests/",
        answer("500 Internal Server Error", "text/plain", "oops"),
    );
    desk.ask(DispatchCommand::Group(vec![first]));
    desk.until("failed", |core| {
        core.shared.dispatch.groups.problem().map(|_| ())
    });
    wire.heal();
    desk.ask(DispatchCommand::GroupAgain);
    let groups = desk.until("grouped", |core| {
        core.shared.dispatch.groups.value().cloned()
    });
    let ids: Vec<_> = groups
        .into_iter()
        .flat_map(|group| group.consignment_ids)
        .collect();
    assert_eq!(ids, [first]);
}
