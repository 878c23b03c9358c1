//! How an operation is found again: by the bench's key, but not by references that a clerk typed, which prove
//! nothing.

use app::state::{OperationDecision, OperationState};
use draft::Draft;
use engine::{Payload, Request};
use shipping::Clock;
use storage::{Journal, NewOperation, OperationKind};

use super::errands::{create, fetched, order};
use super::kinds::{create_twin, created_in_vain, fetch_fails, line, told_no_more, wired_bench};
use crate::support::lanes::Site;
use crate::support::text::assert_contains;
use crate::support::wire::{Fault, Wire};

/// Asks for one with references that the clerk typed.
fn with_references(reference: &str, second: &str) -> Request {
    let Request::Send(draft, Payload::Create(mut request)) = create(reference) else {
        panic!("a create");
    };
    request.customer_reference2 = Some(second.to_owned());
    Request::Send(draft, Payload::Create(request))
}

#[test]
fn a_reference_of_the_clerks_own_is_told_apart_by_receiver_pieces_and_weight() {
    let (site, wire, mut lanes) = wired_bench();
    let client = site.client();
    let mut theirs = order("SO-7");
    theirs.customer_reference2 = Some("PO-1".to_owned());
    theirs.to.name = Some("Somebody else".to_owned());
    site.runtime
        .block_on(client.create(&theirs))
        .expect("made elsewhere");
    let mut ours = order("SO-7");
    ours.customer_reference2 = Some("PO-1".to_owned());
    let Request::Send(draft, _) = create("SO-7") else {
        panic!("a create");
    };
    wire.fail(&line(OperationKind::Create), Fault::LoseAnswer);
    lanes.ask(Request::Send(draft, Payload::Create(Box::new(ours))));
    let conflict = lanes.until_newest_is(OperationState::Conflict);
    let [found] = conflict.consignments.as_slice() else {
        panic!("one could be it: {}", conflict.message);
    };
    assert_eq!(
        fetched(&site, *found).to_name.as_deref(),
        Some("Ballarat Farm & Garden")
    );
    lanes.ask(Request::Decide(
        conflict.id,
        OperationDecision::Adopt(*found),
    ));
    let done = lanes.until_newest_is(OperationState::Done);
    assert_eq!(done.consignments, [*found]);
}

#[test]
fn of_two_with_the_same_key_the_clerk_deletes_one_and_keeps_the_other() {
    let site = Site::open();
    let mut lanes = site.bench("Bench4");
    lanes.ask(create("SO-9"));
    let done = lanes.until_newest_is(OperationState::Done);
    let twin = create_twin(&site, "SO-9", &done);
    lanes.ask(Request::Decide(done.id, OperationDecision::CheckNow));
    let conflict = lanes.until_newest_is(OperationState::Conflict);
    assert_contains(&conflict.message, "more than once");
    lanes.ask(Request::Decide(
        conflict.id,
        OperationDecision::DeleteDuplicate(twin),
    ));
    lanes.until("one is left", |lanes| {
        (lanes.operations[&done.id].state == OperationState::Done).then_some(())
    });
    assert!(fetch_fails(&site, twin));
    assert_eq!(lanes.operations[&done.id].consignments, done.consignments);
}

#[test]
fn a_typed_reference_that_looks_like_a_key_is_not_taken_for_one() {
    let (site, wire, mut lanes) = wired_bench();
    lanes.ask(with_references("INV-7", "INV-00012345"));
    let first = lanes.until_newest_is(OperationState::Done);
    wire.fail(&line(OperationKind::Create), Fault::LoseRequest);
    lanes.ask(with_references("INV-7", "INV-00012345"));
    let second = lanes.until_newest_is(OperationState::Conflict);
    assert_eq!(
        second.consignments, first.consignments,
        "alike, and asked about"
    );
    wire.heal();
    lanes.ask(Request::Decide(second.id, OperationDecision::RejectAll));
    lanes.until_newest_is(OperationState::Absent);
    lanes.ask(Request::Decide(second.id, OperationDecision::SendAgain));
    let done = lanes.until_newest_is(OperationState::Done);
    assert_ne!(done.consignments, first.consignments);
    let client = site.client();
    let keys = ["INV-00012345".to_owned()];
    let there = site
        .runtime
        .block_on(client.consignments_by_reference2(&keys))
        .expect("both");
    assert_eq!(there.len(), 2, "two were wanted");
    lanes.ask(Request::Decide(first.id, OperationDecision::CheckNow));
    lanes.ask(create("next"));
    lanes.until("the next is done", |lanes| {
        (lanes.created.len() == 3).then_some(())
    });
    assert_eq!(lanes.operations[&first.id].state, OperationState::Done);
}

#[test]
fn a_draft_is_the_clerks_again_when_what_was_found_is_only_alike() {
    let (site, wire, mut lanes) = wired_bench();
    lanes.ask(with_references("INV-8", "PO-1"));
    lanes.until_newest_is(OperationState::Done);
    wire.fail(&line(OperationKind::Create), Fault::LoseRequest);
    lanes.ask(with_references("INV-8", "PO-1"));
    let conflict = lanes.until_newest_is(OperationState::Conflict);
    lanes.ask(Request::Decide(conflict.id, OperationDecision::Discard));
    lanes.until_newest_is(OperationState::Discarded);
    let journal = Journal::open(&site.journal("Bench4")).expect("a reader");
    let draft = conflict.draft.expect("it came from a draft");
    assert!(journal.draft(&draft).expect("readable").is_some());
}

#[test]
fn a_bench_whose_clock_is_hours_ahead_finds_what_it_sent() {
    let site = Site::open();
    let wire = Wire::before(site.practice.address());
    let ahead = site.clock.now() + jiff::SignedDuration::from_hours(5);
    let mut lanes = site.bench_with_clock("Bench4", &wire.base_url(), Clock::fixed(ahead));
    wire.fail(&line(OperationKind::Create), Fault::LoseAnswer);
    lanes.ask(create("SO-14"));
    let done = lanes.until_newest_is(OperationState::Done);
    assert!(done.message.contains("It went through"), "{}", done.message);
}

#[test]
fn what_was_given_up_and_turns_up_after_all_needs_a_person() {
    let (site, _wire, mut lanes, absent) =
        created_in_vain("SO-15", Fault::LoseRequest, OperationState::Absent);
    lanes.ask(Request::Decide(absent.id, OperationDecision::Discard));
    lanes.until_newest_is(OperationState::Discarded);
    create_twin(&site, "SO-15", &absent);
    lanes.fetch_list();
    let conflict = lanes.until_newest_is(OperationState::Conflict);
    assert_contains(&conflict.message, "after all");
}

#[test]
fn twins_that_the_clerk_knows_of_are_no_news_when_they_are_seen_again() {
    let (site, wire, mut lanes, done) =
        created_in_vain("SO-17", Fault::LoseAnswer, OperationState::Done);
    create_twin(&site, "SO-17", &done);
    lanes.fetch_list();
    let conflict = lanes.until_newest_is(OperationState::Conflict);
    lanes.ask(Request::Decide(conflict.id, OperationDecision::Discard));
    let given_up = lanes.until_newest_is(OperationState::Discarded);
    let (told, asked) = (lanes.steps(given_up.id), wire.count("ByReference2"));
    lanes.fetch_list();
    lanes.until("looked for again", |_| {
        (wire.count("ByReference2") > asked).then_some(())
    });
    // What that look may say is said before the next operation ends.
    told_no_more(&wire, &mut lanes, (&given_up, told), "SO-18");
}

#[test]
fn an_intent_that_was_never_sent_ends_when_its_draft_is_sent_anew() {
    let site = Site::open();
    let mut journal = Journal::open(&site.journal("Bench4")).expect("a journal");
    let now = site.clock.now();
    let draft = Draft::default();
    let row = NewOperation {
        kind: OperationKind::Create,
        key: "Bench4-AAAAAAAA".to_owned(),
        title: "SO-16".to_owned(),
        request: r#"{"items":[]}"#.to_owned(),
        draft: Some(draft.id.clone()),
        consignments: Vec::new(),
    };
    let first = journal.begin_from_draft(&draft, &row, now).expect("once");
    let second = journal.begin_from_draft(&draft, &row, now).expect("anew");
    let state = |id| {
        let operation = journal.operation(id).expect("readable");
        operation.expect("there").state
    };
    assert_eq!(state(first.id), OperationState::Discarded);
    assert_eq!(state(second.id), OperationState::Ready);
}
