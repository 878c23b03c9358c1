//! Every kind of operation with a normal answer, a lost answer, a lost request and a late duplicate, and what
//! the clerk can do then.

use app::state::{Operation, OperationDecision, OperationState};
use engine::{Payload, Request};
use shipping::ConsignmentId;
use storage::{Journal, NewOperation, OperationKind};

use super::errands::{Errand, create, group, order};
use crate::support::lanes::{Lanes, Site};
use crate::support::text::assert_contains;
use crate::support::wire::{Fault, Wire};

/// A bench with a wire before its practice service.
pub(super) fn wired_bench() -> (Site, Wire, Lanes) {
    let site = Site::open();
    let wire = Wire::before(site.practice.address());
    let lanes = site.bench_at("Bench4", &wire.base_url());
    (site, wire, lanes)
}

/// A bench whose create of this reference met `fault`, once its operation is in this state.
pub(super) fn created_in_vain(
    reference: &str,
    fault: Fault,
    state: OperationState,
) -> (Site, Wire, Lanes, Operation) {
    let (site, wire, mut lanes) = wired_bench();
    wire.fail(&line(OperationKind::Create), fault);
    lanes.ask(create(reference));
    let operation = lanes.until_newest_is(state);
    (site, wire, lanes, operation)
}

/// Somebody creates the same consignment with the key of this operation.
pub(super) fn create_twin(site: &Site, reference: &str, of: &Operation) -> ConsignmentId {
    let mut twin = order(reference);
    twin.customer_reference2 = Some(of.key.clone());
    let client = site.client();
    let made = site.runtime.block_on(client.create(&twin));
    made.expect("a twin").id
}

/// Somebody else changes this field of a consignment.
fn change_elsewhere(site: &Site, id: ConsignmentId, field: &str, value: &str) {
    let client = site.client();
    site.runtime.block_on(async {
        let mut theirs = client.edit_form(id).await.expect("the form");
        theirs.set(field, &value);
        client.edit(&theirs).await.expect("changed");
    });
}

/// Ends another operation of this reference, and holds that nothing more is told of the one that was given up.
pub(super) fn told_no_more(
    wire: &Wire,
    lanes: &mut Lanes,
    (given_up, told): (&Operation, usize),
    next: &str,
) {
    wire.heal();
    lanes.ask(create(next));
    lanes.until("the next is done", |lanes| {
        let newest = lanes.newest()?;
        (newest.id != given_up.id && newest.state == OperationState::Done).then_some(())
    });
    assert_eq!(lanes.steps(given_up.id), told);
}

/// The path as it stands in a request's first line, so that it is no other's beginning.
pub(super) fn line(kind: OperationKind) -> String {
    format!("{} ", Errand::path(kind))
}

/// Sends an operation again, and holds that it happened once, at this attempt.
pub(super) fn send_again(
    site: &Site,
    lanes: &mut Lanes,
    errand: &Errand,
    (operation, attempt): (&Operation, u32),
) {
    let kind = operation.kind;
    lanes.ask(Request::Decide(operation.id, OperationDecision::SendAgain));
    let done = lanes.until_newest_is(OperationState::Done);
    assert_eq!((done.id, done.attempt), (operation.id, attempt), "{kind:?}");
    assert_eq!(errand.happened(&site.truth()), 1, "{kind:?}");
}

fn states(site: &Site, operation: &Operation) -> Vec<OperationState> {
    let journal = Journal::open(&site.journal("Bench4")).expect("a reader");
    let history = journal.history(operation.id).expect("a history");
    history.into_iter().map(|event| event.state).collect()
}

#[test]
fn each_kind_is_done_once_and_its_history_tells_every_step() {
    use OperationState::{Done, Ready, Sending};
    let site = Site::open();
    let mut lanes = site.bench("Bench4");
    for kind in OperationKind::ALL {
        let errand = Errand::prepare(&site, *kind, &format!("done-{kind:?}"));
        lanes.ask(errand.request.clone());
        let done = lanes.until("done", |lanes| {
            let newest = lanes.newest()?;
            assert_ne!(newest.state, OperationState::Rejected, "{}", newest.message);
            (newest.kind == *kind && newest.state == Done).then(|| newest.clone())
        });
        assert_eq!(errand.happened(&site.truth()), 1, "{kind:?}");
        assert_eq!(states(&site, &done), [Ready, Sending, Done], "{kind:?}");
        assert!(!done.message.is_empty(), "{kind:?}");
    }
}

/// Asks for an operation of each kind, one after the other, whose write meets `fault`.
fn each_kind_meets(fault: &Fault, then: impl Fn(&Site, &Wire, &mut Lanes, &Errand, OperationKind)) {
    let (site, wire, mut lanes) = wired_bench();
    for kind in OperationKind::ALL {
        let errand = Errand::prepare(&site, *kind, &format!("{kind:?}"));
        wire.fail(&line(*kind), fault.clone());
        lanes.ask(errand.request.clone());
        then(&site, &wire, &mut lanes, &errand, *kind);
    }
}

#[test]
fn a_lost_answer_is_found_out_or_asked_about_and_nothing_is_done_twice() {
    each_kind_meets(&Fault::LoseAnswer, |site, wire, lanes, errand, kind| {
        let end = if kind.can_be_reconciled() {
            OperationState::Done
        } else {
            OperationState::Ask
        };
        let settled = lanes.until("settled", |lanes| {
            lanes
                .newest()
                .filter(|newest| newest.kind == kind && newest.state == end)
                .cloned()
        });
        wire.heal();
        assert_eq!(errand.happened(&site.truth()), 1, "{kind:?}");
        if end == OperationState::Ask {
            lanes.ask(Request::Decide(
                settled.id,
                OperationDecision::Happened(true),
            ));
            lanes.until_newest_is(OperationState::Done);
        }
        assert_eq!(wire.count(&line(kind)), 1, "{kind:?} was sent once");
    });
}

#[test]
fn a_lost_request_is_absent_and_can_be_sent_again() {
    each_kind_meets(&Fault::LoseRequest, |site, wire, lanes, errand, kind| {
        let open = lanes.until("open", |lanes| {
            let newest = lanes.newest().filter(|newest| newest.kind == kind)?;
            matches!(newest.state, OperationState::Absent | OperationState::Ask)
                .then(|| newest.clone())
        });
        wire.heal();
        assert_eq!(errand.happened(&site.truth()), 0, "{kind:?}");
        if open.state == OperationState::Ask {
            lanes.ask(Request::Decide(open.id, OperationDecision::Happened(false)));
            lanes.until_newest_is(OperationState::Absent);
        }
        send_again(site, lanes, errand, (&open, 2));
    });
}

#[test]
fn what_was_changed_by_somebody_else_is_not_overwritten() {
    let site = Site::open();
    let mut lanes = site.bench("Bench4");
    let ours = Errand::prepare(&site, OperationKind::Edit, "both");
    change_elsewhere(&site, ours.id(), "toContact", "A. Nguyen");
    lanes.ask(ours.request.clone());
    let refused = lanes.until_newest_is(OperationState::Rejected);
    assert!(refused.message.contains("toContact"), "{}", refused.message);
    assert_eq!(ours.happened(&site.truth()), 0);
}

#[test]
fn an_edit_of_which_another_came_of_it_is_a_conflict() {
    let (site, wire, mut lanes) = wired_bench();
    let ours = Errand::prepare(&site, OperationKind::Edit, "between");
    wire.fail(&line(OperationKind::Edit), Fault::LoseRequest);
    lanes.ask(ours.request.clone());
    lanes.until_newest_is(OperationState::Unknown);
    change_elsewhere(&site, ours.id(), "specialInstructions", "Leave at the gate");
    let conflict = lanes.until_newest_is(OperationState::Conflict);
    assert_contains(&conflict.message, "specialInstructions");
}

#[test]
fn what_is_booked_already_is_neither_deleted_nor_booked() {
    let site = Site::open();
    let mut lanes = site.bench("Bench4");
    let delete = Errand::prepare(&site, OperationKind::Delete, "gone");
    let client = site.client();
    site.runtime.block_on(async {
        let theirs = group(&client, delete.id()).await;
        client.manifest(&[theirs]).await.expect("booked");
    });
    lanes.ask(delete.request.clone());
    let refused = lanes.until_newest_is(OperationState::Rejected);
    assert_contains(&refused.message, "No longer unmanifested");
    assert_eq!(delete.happened(&site.truth()), 0);
}

#[test]
fn a_grouping_that_is_older_than_a_minute_is_asked_for_again() {
    let (site, wire, mut lanes) = wired_bench();
    let errand = Errand::prepare(&site, OperationKind::Manifest, "old");
    let Request::Book { groups, grouped } = errand.request.clone() else {
        panic!("a booking");
    };
    let old = grouped - jiff::SignedDuration::from_secs(61);
    let mut other = groups.clone();
    other[0].carrier_name = Some("Somebody else".to_owned());
    lanes.ask(Request::Book {
        groups: other,
        grouped: old,
    });
    let refused = lanes.until_newest_is(OperationState::Rejected);
    assert_contains(&refused.message, "Group again");
    assert_eq!(wire.count("/manifests/manifest "), 0, "nothing was booked");
    lanes.ask(Request::Book {
        groups,
        grouped: old,
    });
    lanes.until_newest_is(OperationState::Done);
    assert_eq!(wire.count("/groupConsignmentsForManifest"), 2);
}

#[test]
fn what_an_open_operation_holds_no_other_may_change() {
    let (site, wire, mut lanes) = wired_bench();
    let booking = Errand::prepare(&site, OperationKind::Manifest, "held");
    wire.fail(&line(OperationKind::Manifest), Fault::LoseRequest);
    lanes.ask(booking.request.clone());
    let open = lanes.until_newest_is(OperationState::Absent);
    lanes.ask(Request::Perform(Payload::Delete(vec![booking.id()])));
    let refused = lanes.until_newest_is(OperationState::Rejected);
    assert_contains(&refused.message, "belong to another operation");
    wire.heal();
    lanes.ask(Request::Decide(open.id, OperationDecision::Discard));
    lanes.until("given up", |lanes| {
        (lanes.operations[&open.id].state == OperationState::Discarded).then_some(())
    });
    lanes.ask(Request::Perform(Payload::Delete(vec![booking.id()])));
    lanes.until_newest_is(OperationState::Done);
    assert!(fetch_fails(&site, booking.id()));
}

pub(super) fn fetch_fails(site: &Site, id: ConsignmentId) -> bool {
    let client = site.client();
    site.runtime.block_on(client.consignment(id)).is_err()
}

#[test]
fn a_token_that_is_refused_pauses_what_would_be_sent_next_until_it_is_taken_again() {
    use crate::support::wire::answer;
    let (_site, wire, mut lanes) = wired_bench();
    wire.fail("/", answer("401 Unauthorized", "application/json", "{}"));
    lanes.ask(create("first"));
    let refused = lanes.until_newest_is(OperationState::Rejected);
    assert!(refused.message.contains("token"), "{}", refused.message);
    lanes.ask(create("second"));
    lanes.until("the second is not sent", |lanes| {
        let newest = lanes.newest()?;
        (newest.id != refused.id && newest.state == OperationState::Discarded).then_some(())
    });
    assert_eq!(
        wire.count(&line(OperationKind::Create)),
        1,
        "the second never left"
    );
    wire.heal();
    lanes.ask(create("third"));
    lanes.until_newest_is(OperationState::Done);
}

#[test]
fn the_clerk_may_wait_longer_for_what_was_not_found() {
    let (site, _wire, mut lanes, absent) =
        created_in_vain("SO-10", Fault::LoseRequest, OperationState::Absent);
    create_twin(&site, "SO-10", &absent);
    lanes.ask(Request::Decide(absent.id, OperationDecision::KeepChecking));
    lanes.until_newest_is(OperationState::Done);
}

#[test]
fn three_bookings_that_are_not_known_stop_all_others() {
    let site = Site::open();
    let group = Errand::prepare(&site, OperationKind::Manifest, "fourth");
    let row = |at: i64| NewOperation {
        kind: OperationKind::Manifest,
        key: String::new(),
        title: "Southern Cross".to_owned(),
        request: format!(r#"{{"consignmentIds":[{at}]}}"#),
        draft: None,
        consignments: vec![ConsignmentId::new(at)],
    };
    let mut journal = Journal::open(&site.journal("Bench4")).expect("a journal");
    let now = site.clock.now();
    for mut operation in journal
        .begin(&[row(1), row(2), row(3)], now)
        .expect("three")
    {
        operation.state = OperationState::Sending;
        let sent = journal.change(&mut operation, OperationState::Ready, now);
        sent.expect("sending");
    }
    drop(journal);
    let wire = Wire::alone(Fault::LoseRequest);
    let mut lanes = site.bench_at("Bench4", &wire.base_url());
    lanes.until("restored", |lanes| lanes.restored.then_some(()));
    lanes.ask(group.request);
    let refused = lanes.until_newest_is(OperationState::Rejected);
    assert_contains(&refused.message, "Three bookings");
    assert_eq!(wire.count("/manifests/manifest "), 0);
}

#[test]
fn what_was_given_up_is_not_told_as_unknown_again_when_the_service_stays_away() {
    let (_site, wire, mut lanes) = wired_bench();
    wire.fail("/", Fault::LoseRequest);
    lanes.ask(create("SO-12"));
    let unknown = lanes.until_newest_is(OperationState::Unknown);
    lanes.ask(Request::Decide(unknown.id, OperationDecision::Discard));
    let given_up = lanes.until_newest_is(OperationState::Discarded);
    let told = lanes.steps(given_up.id);
    // The next operation is told after all that a watch over the first may say.
    told_no_more(&wire, &mut lanes, (&given_up, told), "SO-13");
    assert_eq!(
        lanes.operations[&given_up.id].state,
        OperationState::Discarded
    );
}

#[test]
fn a_history_is_only_ever_added_to() {
    let site = Site::open();
    let mut lanes = site.bench("Bench4");
    lanes.ask(create("SO-11"));
    lanes.until_newest_is(OperationState::Done);
    let file = rusqlite::Connection::open(site.journal("Bench4")).expect("the journal");
    for tampering in ["UPDATE history SET words = 'x'", "DELETE FROM history"] {
        let refused = file.execute(tampering, []).expect_err("history is kept");
        assert!(refused.to_string().contains("only added to"), "{refused}");
    }
}
