//! Dangerous goods that become known after grouping, and time zones of places for which the service gives
//! none.

use app::state::{DispatchCommand, Environment, OperationState, Shared, ThemeChoice};
use draft::{PickupContext, PickupField};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use engine::ConsignmentHistory;
use serde_json::json;
use shipping::{Consignment, australian_time_zone};

use super::bench::{booking_of, hold, wait, window};
use super::pickups::{at, draft, group, now};
use super::support::{bench_with, listed};
use crate::support::keyboard::{click, type_keys};
use crate::support::lists::{list_rows, rows_of};
use crate::support::wire::answer;

const MANIFEST: &str = "/manifests/manifest ";

const READ_BACK: &str = "/consignments/returnConsignments";

fn read(fields: &serde_json::Value) -> Consignment {
    let mut one = json!({"id": 1, "status": {"id": 2, "name": "Unmanifested"}});
    let (one_fields, fields) = (one.as_object_mut(), fields.as_object());
    let (one_fields, fields) = (one_fields.expect("fields"), fields.expect("fields"));
    one_fields.extend(fields.clone());
    serde_json::from_value(one).expect("a consignment")
}

#[test]
fn an_item_with_dangerous_goods_marks_its_consignment_whatever_is_declared() {
    let item = json!({"name": "Paint", "consignmentItemDgItems": [{"unNumber": 1263}]});
    let plain = json!({"name": "Rope"});
    for (fields, holds) in [
        (json!({"items": [plain, item]}), Some(true)),
        (
            json!({"consignmentItems": [item], "dgsDeclaration": false}),
            Some(true),
        ),
        (json!({"dgsDeclaration": true}), Some(true)),
        (json!({"items": [plain]}), Some(false)),
        (json!({}), None),
    ] {
        let one = read(&fields);
        assert_eq!(one.dangerous_goods(), holds, "{fields}");
    }
    // A list that says nothing of it takes no mark away; one that says otherwise does.
    let marked = ConsignmentHistory::of(&read(&json!({"items": [item]})), None).row;
    assert_eq!(marked.dangerous, Some(true));
    let lighter = ConsignmentHistory::of(&read(&json!({})), Some(&marked)).row;
    assert_eq!(lighter.dangerous, Some(true));
    let mended = ConsignmentHistory::of(&read(&json!({"items": [plain]})), Some(&lighter)).row;
    assert_eq!(mended.dangerous, Some(false));
}

#[test]
fn dangerous_goods_that_are_found_before_booking_stop_it_and_ask_for_their_declaration() {
    let (_home, _practice, wire, mut desk, ids) = bench_with(&["SO-1"]);
    listed(&mut desk);
    desk.ask(DispatchCommand::GroupAll);
    let mut screen = window(desk, [1440.0, 900.0], ThemeChoice::Light);
    type_keys(&mut screen, "<F3>");
    wait(&mut screen, "grouped", |core| {
        (core.shared.dispatch.groups.value()?.len() == 1).then_some(())
    });
    let declare = "I declare the dangerous goods in this group";
    assert!(screen.query_by_label(declare).is_none());
    // Somebody else put paint into it since.
    let found = json!({"errors": null, "object": [{
        "id": ids[0].get(), "consignmentNumber": format!("MS{}", ids[0]),
        "status": {"id": 2, "name": "Unmanifested"},
        "consignmentItems": [{"name": "Paint", "consignmentItemDgItems": [{"unNumber": 1263}]}],
    }]});
    wire.fail(
        READ_BACK,
        answer("200 OK", "application/json", &found.to_string()),
    );
    hold(&mut screen, Modifiers::COMMAND, Key::Enter);
    let refused = wait(&mut screen, "refused", |core| {
        booking_of(core, &ids).filter(|one| one.state == OperationState::Rejected)
    });
    let number = format!("MS{}", ids[0]);
    assert!(refused.message.contains(&number), "{}", refused.message);
    assert_eq!(wire.count(MANIFEST), 0, "the carrier heard of nothing");
    screen.get_by_label(declare);
    screen.get_by_label("Declare the dangerous goods in this group");
    click(&mut screen, declare);
    hold(&mut screen, Modifiers::COMMAND, Key::Enter);
    wait(&mut screen, "sent as declared", |core| {
        let booking = core.shared.dispatch.bookings.first()?;
        (booking.group.dgs_declaration == Some(true)).then_some(())
    });
}

#[test]
fn what_the_bench_has_not_read_is_not_booked_as_harmless() {
    let mut draft = draft();
    draft.unread_consignments = 2;
    let review = draft.review(&PickupContext::at(now(), "Australia/Sydney"));
    let problems = review.group.expect_err("nobody knows what they hold");
    assert_eq!(problems[0].0, PickupField::Declaration);
}

#[test]
fn a_place_without_clocks_of_its_own_never_takes_the_benchs() {
    let shared = |state: &str| {
        let place = json!({"suburb": "Somewhere", "state": state, "postcode": "6000"});
        let one = read(&json!({"fromName": "Depot", "fromLocation": place}));
        let mut shared = Shared::new(now(), Environment::Practice);
        shared.session.zone = "Australia/Sydney".to_owned();
        list_rows(&mut shared, rows_of(&[one]));
        shared
    };
    assert_eq!(shared("WA").pickup_zone(&group(&[1])), "Australia/Perth");
    assert_eq!(shared("Otago").pickup_zone(&group(&[1])), "");
    assert_eq!(
        australian_time_zone("NSW", "2880", "AU"),
        Some("Australia/Broken_Hill")
    );
    assert_eq!(australian_time_zone("WA", "98101", "US"), None);
    // What has passed at the bench may be hours ahead there.
    let mut early = draft();
    "14:00".clone_into(&mut early.pickup);
    let review = early.review(&PickupContext {
        bench_zone: "Australia/Sydney",
        ..PickupContext::at(now(), "")
    });
    assert_eq!(review.pickup, at("2026-11-20T14:00:00"));
    assert!(review.group.is_ok(), "{:?}", review.group);
}
