//! Pictures for a person to look at: groups, every result of a booking, and a running booking, in both
//! themes. Also checks that each of them says what to do next.

use std::sync::Arc;

use app::state::{
    Booking, BookingMember, BookingRun, MemberState, Operation, OperationId, OperationKind,
    OperationState, Remote, RemovedMember, Screen, Shared, ThemeChoice,
};
use egui_kittest::kittest::Queryable as _;
use shipping::{ConsignmentId, LocalTime, ManifestId};

use crate::journeys::kit::picture;
use crate::journeys::screens::{data, open_in};
use crate::support::keyboard::click;

const LOOKS: [(ThemeChoice, [f32; 2], &str); 4] = [
    (ThemeChoice::Light, [1440.0, 900.0], "light"),
    (ThemeChoice::Dark, [1440.0, 900.0], "dark"),
    (ThemeChoice::Light, [1024.0, 700.0], "small-light"),
    (ThemeChoice::Dark, [1024.0, 700.0], "small-dark"),
];

fn dispatch() -> Shared {
    let mut shared = data::shared();
    shared.screen = Screen::Dispatch;
    shared.operations.locked.clear();
    shared
}

/// A booking of these in this state, instead of what there was.
fn ended(shared: &mut Shared, id: i64, state: OperationState, words: &str, ids: &[i64]) {
    let ids: Vec<_> = ids.iter().copied().map(ConsignmentId::new).collect();
    let like = shared.operations.list[0].clone();
    let (carrier, reference) = match state {
        OperationState::Done => ("Tasman Freight", "TF-883120"),
        OperationState::Conflict => ("Bluegum", ""),
        OperationState::Rejected => ("Southern Cross", ""),
        _ => ("Kookaburra Air", ""),
    };
    shared.operations.list.push(Operation {
        id: OperationId(id),
        state,
        kind: OperationKind::Manifest,
        title: carrier.to_owned(),
        reference: reference.to_owned(),
        message: words.to_owned(),
        consignments: ids.clone(),
        ..like
    });
    let mut group = shared
        .dispatch
        .bookings
        .first()
        .expect("a booking")
        .group
        .clone();
    group.consignment_ids = ids;
    group.carrier_name = Some(carrier.to_owned());
    shared.dispatch.bookings.push(Booking {
        operation: OperationId(id),
        group,
    });
}

fn member(shared: &mut Shared, of: i64, id: i64, state: MemberState) {
    let members = &mut shared.dispatch.groups_view.members;
    members
        .entry(OperationId(of))
        .or_default()
        .push(BookingMember {
            id: ConsignmentId::new(id),
            number: format!("MS{id}"),
            state,
        });
}

fn results() -> Shared {
    use OperationState::{Absent, Conflict, Done, Rejected, Unknown};
    let mut shared = dispatch();
    shared.dispatch.groups = Remote::ready(Vec::new());
    let gone = "No longer unmanifested: MS200431. Check the list and try again";
    let part = "Partly booked: 1 of 2. Call the carrier before you book the rest";
    ended(&mut shared, 9_011, Done, "Booked", &[200_420]);
    ended(
        &mut shared,
        9_012,
        Rejected,
        gone,
        &[200_431, 200_427, 200_423],
    );
    ended(&mut shared, 9_013, Conflict, part, &[200_430, 200_426]);
    ended(
        &mut shared,
        9_014,
        Absent,
        "This did not go through. Send it again, or give up",
        &[200_428],
    );
    ended(
        &mut shared,
        9_015,
        Unknown,
        "We don't know yet: the answer was lost",
        &[200_429],
    );
    shared
        .dispatch
        .bookings
        .retain(|booking| booking.operation.0 > 9_000);
    let manifest = MemberState::Manifested(ManifestId::new(88_301));
    member(&mut shared, 9_011, 200_420, manifest.clone());
    member(&mut shared, 9_012, 200_431, manifest.clone());
    member(&mut shared, 9_012, 200_427, MemberState::Waiting);
    member(&mut shared, 9_012, 200_423, MemberState::Waiting);
    member(&mut shared, 9_013, 200_430, manifest);
    member(&mut shared, 9_013, 200_426, MemberState::Waiting);
    shared
}

/// The clerk types, a time has passed, a carrier said no, one was taken out, and the bench is in another zone.
fn cards() -> Shared {
    let mut shared = dispatch();
    let groups = shared.dispatch.groups.value_mut().expect("groups");
    groups[1].pickup_special_instructions = Some("Dock 3, ring the bell".to_owned());
    groups[1].pickup_date_time = Some(LocalTime::read("2026-11-28T16:45:00").expect("a time"));
    groups[1].pickup_closing_time = Some(LocalTime::read("2026-11-28T17:00:00").expect("a time"));
    let without = groups[1].clone();
    let ids: Vec<i64> = without.consignment_ids.iter().map(|id| id.get()).collect();
    let mut before = without;
    before.consignment_ids.push(ConsignmentId::new(200_422));
    shared.dispatch.groups_view.moved_out.push(RemovedMember {
        id: ConsignmentId::new(200_422),
        number: "MS200422".to_owned(),
        group: Arc::new(before),
        held: false,
    });
    let words = "The carrier did not accept the booking";
    ended(&mut shared, 9_012, OperationState::Rejected, words, &ids);
    shared
}

fn under_way() -> Shared {
    let mut shared = dispatch();
    shared.dispatch.groups_view.run = Some(BookingRun {
        total: 4,
        done: 1,
        ..BookingRun::default()
    });
    shared
}

#[test]
fn groups_and_their_ends_are_drawn_in_both_themes_and_in_a_small_window() {
    for (theme, size, word) in LOOKS {
        for name in ["results", "cards", "run"] {
            let shared = match name {
                "results" => results(),
                "cards" => cards(),
                _ => under_way(),
            };
            let mut screen = open_in(shared, size, theme);
            if name == "cards" {
                let toggle = "Show consignments: 3 consignments with Southern Cross";
                click(&mut screen, toggle);
            }
            picture(&mut screen, &format!("groups-{name}-{word}"));
        }
    }
}

#[test]
fn each_end_says_what_to_do_next_with_a_button_that_does_it() {
    let tall = [1440.0, 1600.0];
    let screen = open_in(results(), tall, ThemeChoice::Light);
    for button in [
        "Manifest: booking with Tasman Freight",
        "Print: booking with Tasman Freight",
        "Group the other 2: booking with Southern Cross",
        "Decide…: booking with Bluegum",
        "Manifest: booking with Bluegum",
        "Hold to book again",
        "Check now: booking with Kookaburra Air",
    ] {
        assert!(screen.query_by_label(button).is_some(), "{button}");
    }
    for words in [
        "booked elsewhere, on manifest 88301",
        "2 consignments can still be booked",
        "on manifest 88301",
        "waiting, not booked",
    ] {
        assert!(screen.query_all_by_label(words).next().is_some(), "{words}");
    }
    let shown = open_in(cards(), tall, ThemeChoice::Light);
    // As a notice that is read out, and in its words.
    let refused = "The carrier did not accept the booking";
    assert!(shown.query_all_by_label(refused).next().is_some());
    let run = open_in(under_way(), tall, ThemeChoice::Light);
    run.get_by_label("Stop after this group");
}
