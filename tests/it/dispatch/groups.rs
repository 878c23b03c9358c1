//! Groups through the whole program: taken out and put back, booked one by one, stopped, and every result of
//! a booking.

use app::state::{
    DispatchCommand, GroupsCommand, MemberState, OperationDecision, OperationState,
    OperationsCommand,
};
use shipping::ManifestGroup;

use super::bench::{There, by, held, send_by};
use super::support::{
    as_it_is, bench, bench_with, book_group, book_without_last, booking_ends, group_all, ids_of,
    listed,
};
use crate::support::desk::{Desk, Home};
use crate::support::text::assert_contains;
use crate::support::wire::{Fault, Wire, answer};

const MANIFEST: &str = "/manifests/manifest ";

/// Books the first group; the carrier answers that its booking was `successful`, and the service books nothing.
fn book_in_vain(wire: &Wire, desk: &mut Desk, successful: bool) -> ManifestGroup {
    let group = group_all(desk).remove(0);
    let reply = format!(
        r#"{{"object":[{{"id":0,"consignmentIds":[1],"bookingSuccessful":{successful}}}],"errors":null}}"#
    );
    wire.fail(MANIFEST, answer("200 OK", "application/json", &reply));
    book_group(desk, &group);
    group
}

#[test]
fn one_is_taken_out_of_its_group_and_put_back_where_it_was() {
    let (_home, _practice, _wire, mut desk, ids) = bench_with(&["SO-1", "SO-2", "SO-3"]);
    let before = group_all(&mut desk);
    assert_eq!(before[0].consignment_ids, ids);
    desk.ask(GroupsCommand::MoveOut(ids[1], false));
    desk.turn();
    assert_eq!(ids_of(&desk.core), [[ids[0], ids[2]]]);
    assert!(desk.core.shared.dispatch.on_hold.is_empty());
    assert_eq!(listed(&mut desk).len(), 3, "it is in the list still");
    desk.ask(GroupsCommand::MoveOut(ids[0], true));
    desk.until("on hold", |core| {
        core.shared.dispatch.on_hold.contains(&ids[0]).then_some(())
    });
    desk.ask(GroupsCommand::MoveOut(ids[2], false));
    desk.turn();
    assert_eq!(ids_of(&desk.core), [[]; 0], "an empty group is none");
    for _ in 0..3 {
        desk.ask(GroupsCommand::MoveBack);
    }
    desk.until("all are back", |core| {
        (ids_of(core) == [ids.clone()]).then_some(())
    });
    desk.until("let go", |core| {
        core.shared.dispatch.on_hold.is_empty().then_some(())
    });
    assert_eq!(desk.core.shared.dispatch.groups.value(), Some(&before));
}

#[test]
fn a_group_without_the_one_that_was_taken_out_is_booked_without_it() {
    let (home, practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2"]);
    book_without_last(&mut desk, &ids);
    assert_eq!(wire.count(MANIFEST), 1);
    let statuses: Vec<_> = held(&home, &practice, &ids)
        .iter()
        .map(|one| one["status"]["id"].as_i64())
        .collect();
    assert_eq!(statuses, [Some(3), Some(2)]);
    assert_eq!(listed(&mut desk), ids[1..]);
}

#[test]
fn bookings_stop_after_the_one_that_is_on_its_way() {
    let home = Home::new();
    let (_practice, wire, mut desk) = bench(&home);
    for (carrier, name) in [
        (11, "Southern Cross"),
        (12, "Bluegum"),
        (15, "Wattle Parcel"),
    ] {
        send_by(&mut desk, name, by(carrier, name));
    }
    let all = group_all(&mut desk);
    assert_eq!(all.len(), 3);
    let sent: Vec<_> = all.iter().map(|group| as_it_is(&desk, group)).collect();
    desk.ask(DispatchCommand::Book(sent.clone()));
    desk.ask(GroupsCommand::StopBooking);
    desk.until("the booking is over", |core| {
        core.shared.dispatch.groups_view.run.is_none().then_some(())
    });
    let gone = wire.count(MANIFEST);
    assert!(gone <= 1, "{gone} were sent after the clerk stopped");
    let left = desk
        .core
        .shared
        .dispatch
        .groups
        .value()
        .expect("groups")
        .clone();
    assert_eq!(left.len(), 3 - gone, "what was not sent stays as it was");
    assert!(desk.core.shared.operations.locked.is_empty());
    // A stop is over once it has stopped.
    desk.ask(DispatchCommand::Book(sent[gone..].to_vec()));
    desk.until("all are booked", |core| {
        let groups = core.shared.dispatch.groups.value()?;
        (groups.is_empty() && core.shared.dispatch.groups_view.run.is_none()).then_some(())
    });
    assert_eq!(wire.count(MANIFEST), 3);
}

#[test]
fn what_others_booked_leaves_the_group_and_the_rest_can_be_booked() {
    let (home, practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2", "SO-3"]);
    let all = group_all(&mut desk);
    let manifest = There::of(&home, &practice).book(&ids[..1]);
    book_group(&mut desk, &all[0]);
    let refused = booking_ends(&mut desk, &ids, OperationState::Rejected);
    assert_contains(&refused.message, "No longer unmanifested");
    assert_eq!(wire.count(MANIFEST), 0, "the carrier heard of nothing");
    let members = desk.core.shared.dispatch.groups_view.members[&refused.id].clone();
    let states: Vec<_> = members.into_iter().map(|member| member.state).collect();
    let elsewhere = MemberState::Manifested(shipping::ManifestId::new(manifest));
    assert_eq!(
        states,
        [elsewhere, MemberState::Waiting, MemberState::Waiting]
    );
    assert_eq!(ids_of(&desk.core), [ids[1..].to_vec()]);
    desk.ask(GroupsCommand::RegroupRest(refused.id));
    let rest = desk.until("grouped anew", |core| {
        let groups = &core.shared.dispatch.groups;
        (core.shared.dispatch.bookings.is_empty() && !groups.is_loading())
            .then(|| groups.value().cloned())?
    });
    assert_eq!(rest[0].consignment_ids, ids[1..]);
    book_group(&mut desk, &rest[0]);
    let done = booking_ends(&mut desk, &ids[1..], OperationState::Done);
    assert!(!done.reference.is_empty());
}

#[test]
fn an_answer_that_nothing_was_done_is_looked_into_and_can_be_sent_again() {
    let (_home, _practice, wire, mut desk, ids) = bench_with(&["SO-1"]);
    book_in_vain(&wire, &mut desk, true);
    let absent = booking_ends(&mut desk, &ids, OperationState::Absent);
    assert_contains(&absent.message, "This did not go through");
    wire.heal();
    let again = OperationsCommand::Decide(absent.id, OperationDecision::SendAgain);
    desk.ask(again);
    let done = booking_ends(&mut desk, &ids, OperationState::Done);
    assert_eq!((done.id, done.attempt), (absent.id, 2));
}

#[test]
fn a_carrier_that_says_no_without_a_word_leaves_the_group_to_be_changed() {
    let (_home, _practice, wire, mut desk, ids) = bench_with(&["SO-1"]);
    let group = book_in_vain(&wire, &mut desk, false);
    let refused = booking_ends(&mut desk, &ids, OperationState::Rejected);
    assert_eq!(refused.message, "The carrier did not accept the booking");
    assert_eq!(ids_of(&desk.core), std::slice::from_ref(&ids));
    assert!(desk.core.shared.operations.locked.is_empty());
    wire.heal();
    book_group(&mut desk, &group);
    booking_ends(&mut desk, &ids, OperationState::Done);
}

#[test]
fn a_booking_that_came_about_in_part_says_which_of_them_are_on_it() {
    let (home, practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2"]);
    let all = group_all(&mut desk);
    // The request is lost, and meanwhile one of the two comes onto a manifest.
    wire.fail(MANIFEST, Fault::LoseRequest);
    let service = There::of(&home, &practice);
    let first = ids[0];
    wire.watch(move |line| {
        if line.contains(MANIFEST) {
            service.book(&[first]);
        }
    });
    book_group(&mut desk, &all[0]);
    let part = booking_ends(&mut desk, &ids, OperationState::Conflict);
    assert!(
        part.message.starts_with("Partly booked: 1 of 2"),
        "{}",
        part.message
    );
    let members = &desk.core.shared.dispatch.groups_view.members[&part.id];
    assert_eq!(members[1].state, MemberState::Waiting);
    assert!(matches!(members[0].state, MemberState::Manifested(_)));
    assert!(
        desk.core.shared.operations.locked.contains_key(&ids[1]),
        "held until it is decided"
    );
    // Given up once the carrier was asked: then the other one is free.
    wire.heal();
    let give_up = OperationsCommand::Decide(part.id, OperationDecision::Discard);
    desk.ask(give_up);
    booking_ends(&mut desk, &ids, OperationState::Discarded);
    desk.ask(GroupsCommand::RegroupRest(part.id));
    let rest = desk.until("grouped anew", |core| {
        let groups = core.shared.dispatch.groups.value()?;
        (groups.len() == 1 && !core.shared.dispatch.groups.is_loading()).then(|| groups.clone())
    });
    assert_eq!(rest[0].consignment_ids, ids[1..]);
    // What is on a manifest has its page.
    desk.ask(GroupsCommand::OpenManifest(part.id));
    let page = desk.until("its page", |core| {
        core.shared.dispatch.groups_view.manifest.value().cloned()
    });
    let manifest = &page.manifest;
    assert_eq!((manifest.lines.len(), manifest.missing), (1, 1));
}
