//! Groups after later changes: on hold, deleted, partly booked, taken out, and grouped again.

use app::Core;
use app::state::{DispatchCommand, GroupsCommand, OperationState};
use shipping::ConsignmentId;

use super::bench::{There, booking_of, by, groups, send_by};
use super::support::{
    bench, bench_with, book_group, book_without_last, booking_ends, group_all, ids_of, listed,
};
use crate::support::desk::{Desk, Home};
use crate::support::wire::{Fault, answer};

const MANIFEST: &str = "/manifests/manifest ";

const GROUP: &str = "/manifests/groupConsignments";

/// Grouped anew, and no longer asked for.
#[track_caller]
fn grouped_as(desk: &mut Desk, ids: &[Vec<ConsignmentId>]) {
    desk.until("grouped anew", |core| {
        (!core.shared.dispatch.groups.is_loading() && ids_of(core) == ids).then_some(())
    });
}

fn headlines(desk: &Desk) -> Vec<String> {
    let notices = desk.core.shared.notices.shown.iter();
    notices.map(|(_, notice)| notice.headline.clone()).collect()
}

#[test]
fn what_is_held_back_after_grouping_leaves_its_group_and_is_not_booked() {
    let (_home, _practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2"]);
    let all = group_all(&mut desk);
    let hold = DispatchCommand::SetOnHold(vec![ids[0]], true);
    desk.ask(hold.clone());
    desk.turn();
    assert_eq!(ids_of(&desk.core), [[ids[1]]]);
    // What was on the screen a moment before is not booked either.
    book_group(&mut desk, &all[0]);
    desk.turn();
    assert_eq!(headlines(&desk), ["On hold"]);
    assert!(desk.core.shared.operations.locked.is_empty());
    desk.ask(GroupsCommand::MoveBack);
    desk.turn();
    assert_eq!(desk.core.shared.dispatch.groups.value(), Some(&all));
    assert!(desk.core.shared.dispatch.on_hold.is_empty());
    // Held back while groups were on their way.
    desk.ask(DispatchCommand::GroupAll);
    desk.ask(hold);
    grouped_as(&mut desk, &[vec![ids[1]]]);
    assert_eq!(wire.count(MANIFEST), 0);
}

#[test]
fn grouping_again_asks_for_what_stands_and_for_nothing_that_left() {
    let home = Home::new();
    let (_practice, _wire, mut desk) = bench(&home);
    let first = send_by(&mut desk, "SO-1", by(11, "Southern Cross"));
    let second = send_by(&mut desk, "SO-2", by(12, "Bluegum"));
    let third = send_by(&mut desk, "SO-3", by(12, "Bluegum"));
    listed(&mut desk);
    let all = vec![first, second, third];
    desk.ask(DispatchCommand::Group(all));
    let grouped = groups(&mut desk);
    desk.ask(GroupsCommand::MoveOut(third, false));
    desk.ask(DispatchCommand::GroupAgain);
    grouped_as(&mut desk, &[vec![first], vec![second]]);
    // Some are booked: the rest is grouped as before.
    book_group(&mut desk, &grouped[0]);
    booking_ends(&mut desk, &[first], OperationState::Done);
    desk.ask(DispatchCommand::GroupAgain);
    desk.turn();
    grouped_as(&mut desk, &[vec![second]]);
    assert!(desk.core.shared.dispatch.groups.problem().is_none());
}

#[test]
fn what_is_deleted_leaves_its_group_and_cannot_be_put_back() {
    let (_home, _practice, _wire, mut desk, ids) = bench_with(&["SO-1", "SO-2", "SO-3"]);
    group_all(&mut desk);
    desk.ask(GroupsCommand::MoveOut(ids[1], false));
    desk.ask(DispatchCommand::Delete(ids[..2].to_vec()));
    desk.pass(std::time::Duration::from_secs(9));
    desk.until("deleted", |core| (ids_of(core) == [[ids[2]]]).then_some(()));
    desk.ask(GroupsCommand::MoveBack);
    desk.turn();
    assert_eq!(ids_of(&desk.core), [[ids[2]]]);
}

#[test]
fn one_that_is_put_back_after_the_rest_was_booked_is_grouped_by_the_service() {
    let (_home, _practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2", "SO-3"]);
    book_without_last(&mut desk, &ids);
    let asked = wire.count(GROUP);
    desk.ask(GroupsCommand::MoveBack);
    grouped_as(&mut desk, &[vec![ids[2]]]);
    assert_eq!(wire.count(GROUP), asked + 1);
    // What was taken out goes with the groups.
    desk.ask(GroupsCommand::MoveOut(ids[2], false));
    desk.ask(DispatchCommand::ClearGroups);
    desk.turn();
    assert!(desk.core.shared.dispatch.groups_view.moved_out.is_empty());
}

#[test]
fn grouping_all_of_no_company_says_what_is_missing() {
    let home = Home::new();
    let (_practice, _wire, mut desk) = bench(&home);
    listed(&mut desk);
    desk.core.shared.session.company = None;
    desk.ask(DispatchCommand::GroupAll);
    desk.turn();
    assert_eq!(headlines(&desk), ["No company is chosen"]);
}

#[test]
fn a_refused_card_goes_once_its_group_was_mended_and_booked_and_the_list_of_manifests_stays() {
    let (_home, _practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2"]);
    listed(&mut desk);
    desk.ask(DispatchCommand::Group(vec![ids[1]]));
    let other = groups(&mut desk);
    book_group(&mut desk, &other[0]);
    booking_ends(&mut desk, &ids[1..], OperationState::Done);
    desk.ask(GroupsCommand::ListManifests);
    let rows = |core: &Core| {
        core.shared
            .dispatch
            .groups_view
            .manifests
            .value()
            .map(|rows| rows.len())
    };
    desk.until("one manifest", |core| (rows(core) == Some(1)).then_some(()));
    let all = group_all(&mut desk);
    let no =
        r#"{"object":[{"id":0,"consignmentIds":[1],"bookingSuccessful":false}],"errors":null}"#;
    wire.fail(MANIFEST, answer("200 OK", "application/json", no));
    book_group(&mut desk, &all[0]);
    booking_ends(&mut desk, &ids[..1], OperationState::Rejected);
    wire.heal();
    book_group(&mut desk, &all[0]);
    desk.until("both manifests", |core| {
        assert!(rows(core).is_some(), "it never says that there is none");
        (rows(core) == Some(2)).then_some(())
    });
    let bookings = desk.core.shared.dispatch.bookings.iter();
    let states: Vec<_> = bookings
        .filter_map(|booking| desk.core.shared.operations.by_id(booking.operation))
        .map(|operation| operation.state)
        .collect();
    assert_eq!(states, [OperationState::Done, OperationState::Done]);
}

/// What becomes of a booking that is answered so, while somebody else books each of its consignments alone or all at once.
fn overtaken(fault: Fault, alone: bool) -> (String, Vec<i64>) {
    let (home, practice, wire, mut desk, ids) = bench_with(&["SO-1", "SO-2"]);
    let all = group_all(&mut desk);
    wire.fail(MANIFEST, fault);
    let service = There::of(&home, &practice);
    let (booked, found) = std::sync::mpsc::sync_channel(2);
    let theirs = ids.clone();
    wire.watch(move |line| {
        if line.contains(MANIFEST) {
            for some in theirs.chunks(if alone { 1 } else { 2 }) {
                booked.send(service.book(some)).expect("somebody listens");
            }
        }
    });
    book_group(&mut desk, &all[0]);
    let words = booking_ends(&mut desk, &ids, OperationState::Conflict).message;
    let operation = booking_of(&desk.core, &ids).expect("it").id;
    desk.ask(GroupsCommand::OpenManifest(operation));
    desk.until("no page of it", |core| {
        core.shared
            .dispatch
            .groups_view
            .manifest
            .problem()
            .map(drop)
    });
    (words, found.try_iter().collect())
}

#[test]
fn a_refused_booking_is_not_taken_for_booked_because_others_booked_the_same() {
    for said in [
        r#"{"object":[{"id":0,"bookingSuccessful":false}],"errors":null}"#,
        r#"{"object":[{"id":990001,"bookingSuccessful":true}],"errors":null}"#,
    ] {
        let (words, manifests) = overtaken(answer("200 OK", "application/json", said), false);
        let expected = format!(
            "Already booked by someone else, on manifest {}. Your pickup was not booked",
            manifests[0]
        );
        assert_eq!(words, expected, "{said}");
    }
}

#[test]
fn a_lost_answer_with_several_manifests_is_nobodys_until_the_carrier_was_asked() {
    let (words, manifests) = overtaken(Fault::LoseRequest, true);
    assert_eq!(manifests.len(), 2);
    let expected = format!(
        "Booked on manifests {}, {}, but Packbench can't tell which one is yours. Ask the carrier",
        manifests[0], manifests[1]
    );
    assert_eq!(words, expected);
}
