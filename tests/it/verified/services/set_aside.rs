//! Defect 14: an unreadable record is set aside, counted and shown, and the others are used.

use app::state::{ConsignCommand, OperationKind, OperationState, TrackCommand};
use client::{Client, Connection};
use egui_kittest::kittest::Queryable as _;
use practice::RunningService;
use serde_json::{Value, json};
use shipping::{ConsignmentId, ConsignmentRequest};
use storage::{CachedList, TrackStore};

use super::calls::{at_failing_service, practise};
use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::practice::order;
use crate::support::wire::{Fault, Wire};

/// What stands where something else is expected; it must be shown nowhere.
const SECRET: &str = "Jean Okafor";

/// So many consignments, made by somebody else.
fn made(home: &Home, practice: &RunningService, count: usize) -> Vec<ConsignmentId> {
    let connection = Connection::new(&practice.base_url(), practice.token().to_owned().into());
    let client = Client::new(&connection.expect("an address")).expect("a client");
    let request: ConsignmentRequest =
        serde_json::from_str(&order().to_string()).expect("a request");
    let make = |_| {
        let made = home.runtime.block_on(client.create(&request));
        made.expect("made").id
    };
    (0..count).map(make).collect()
}

/// The second consignment of the service, wherever it is listed, is of another shape.
fn spoil(answer: &mut Value) {
    for record in answer["object"].as_array_mut().into_iter().flatten() {
        if record["id"] == json!(200_002) {
            record["toLocation"] = json!(SECRET);
        }
    }
}

fn spoil_route(answer: &mut Value) {
    answer["object"]["routes"][1]["carrier"] = json!(SECRET);
}

fn spoil_lists(wire: &Wire) {
    wire.fail("getRecently", Fault::Change(spoil));
    wire.fail("returnConsignments", Fault::Change(spoil));
    wire.fail("getConsignment?", Fault::Change(spoil_one));
}

fn spoil_one(answer: &mut Value) {
    if answer["object"]["id"] == json!(200_002) {
        answer["object"]["toLocation"] = json!(SECRET);
    }
}

fn shows(front: &mut Front, words: &str) {
    front.rest();
    let window = front.widgets();
    assert!(
        window.query_all_by_label_contains(words).count() > 0,
        "nothing says {words}"
    );
    assert_eq!(window.query_all_by_label_contains(SECRET).count(), 0);
}

/// A home, and a service with so many consignments, one of which can't be read in a list.
fn with_spoiled_lists(count: usize) -> (Home, RunningService, Wire) {
    let (home, practice, wire) = Home::with_wire();
    made(&home, &practice, count);
    spoil_lists(&wire);
    (home, practice, wire)
}

#[test]
fn n14_dispatch_and_track_show_the_rest_and_say_what_cannot_be_read() {
    let (home, practice, wire) = with_spoiled_lists(3);
    let mut front = Front::start_at(&home, wire.base_url(), practice.token());
    practise(&mut front);
    front.keys("<F3>");
    front.until("the others are listed", |shared| {
        let list = shared.dispatch.unmanifested.value()?;
        (list.len() == 2 && !shared.dispatch.unmanifested.is_loading()).then_some(())
    });
    shows(&mut front, "1 of 3 consignments can't be read");
    let unread = &front.shared().catalogue.unreadable.unmanifested;
    assert_eq!(
        unread.records[0].to_string(),
        "MS200002: toLocation, where a record was expected"
    );
    front.keys("<F5>");
    front.ask(TrackCommand::Sync { whole: true });
    front.until("the others are followed", |shared| {
        let board = shared.track.board.value()?;
        let done = shared.track.mark.is_some() && !shared.track.sync.is_loading();
        (done && board.total == 2).then_some(())
    });
    shows(&mut front, "1 of 3 consignments can't be read");
    shows(&mut front, "Unmanifested: 2");
    // None that is read is with its carrier, and the other may be.
    shows(&mut front, "In transit: –");
}

#[test]
fn n14_what_was_known_and_can_no_longer_be_read_is_not_gone() {
    let home = Home::new();
    let practice = home.practise();
    made(&home, &practice, 3);
    let wire = Wire::before(practice.address());
    let mut front = Front::start_at(&home, wire.base_url(), practice.token());
    practise(&mut front);
    front.keys("<F3>");
    front.until("all are listed", |shared| {
        (shared.dispatch.unmanifested.value()?.len() == 3).then_some(())
    });
    front.ask(TrackCommand::Sync { whole: true });
    front.until("all are followed", |shared| {
        let done = shared.track.mark.is_some() && !shared.track.sync.is_loading();
        let board = shared.track.board.value();
        (done && board.is_none_or(|board| board.total == 3)).then_some(())
    });
    spoil_lists(&wire);
    front.keys("<F8>");
    front.until("one can't be read", |shared| {
        (shared.catalogue.unreadable.unmanifested.records.len() == 1).then_some(())
    });
    let list = front
        .shared()
        .dispatch
        .unmanifested
        .value()
        .expect("a list");
    assert_eq!(list.len(), 3, "it still waits");
    shows(&mut front, "1 of 3 consignments can't be read");
    front.keys("<F5>");
    front.ask(TrackCommand::Sync { whole: true });
    front.until("one can't be read", |shared| {
        let board = shared.track.board.value()?;
        let unread = shared.catalogue.unreadable.tracked.records.len() == 1;
        (unread && !shared.track.sync.is_loading()).then_some(board.total)
    });
    let synced = front.shared().track.sync.value().expect("a look");
    assert!(synced.gone.is_empty(), "{:?}", synced.gone);
    // Once it can be read again, nothing is left to say.
    wire.heal();
    front.keys("<F3><F8>");
    front.until("all can be read", |shared| {
        shared
            .catalogue
            .unreadable
            .unmanifested
            .records
            .is_empty()
            .then_some(())
    });
}

#[test]
fn n14_saved_locations_and_routes_are_offered_without_the_one_that_cannot_be_read() {
    let home = Home::new();
    let practice = home.practise();
    let wire = Wire::before(practice.address());
    wire.fail("companyLocations", Fault::Change(spoil_last));
    wire.fail("/routes/", Fault::Change(spoil_route));
    let mut front = Front::start_at(&home, wire.base_url(), practice.token());
    practise(&mut front);
    let places = front.until("the other locations", |shared| {
        let places = shared.catalogue.locations.value()?.len();
        (places > 0).then_some(places)
    });
    let all = places + 1;
    shows(
        &mut front,
        &format!("1 of {all} saved locations can't be read"),
    );
    front.keys("<Alt+1>HSYD<Enter><Alt+2>BALFG<Enter><Alt+3>");
    for text in ["Kit", "DRIP-40", "2", "7.5", "60", "40", "30"] {
        front.text(text);
        front.keys("<Tab>");
    }
    let routes = front.until("the other routes", |shared| {
        let routes = shared.consign.routes.value()?.len();
        (routes > 0).then_some(routes)
    });
    let all = routes + 1;
    shows(&mut front, &format!("1 of {all} routes can't be read"));
}

#[test]
fn n14_a_saved_location_that_was_known_stays_when_it_can_no_longer_be_read() {
    let home = Home::new();
    let practice = home.practise();
    let wire = Wire::before(practice.address());
    let mut front = Front::start_at(&home, wire.base_url(), practice.token());
    practise(&mut front);
    let known = front.until("the locations", |shared| {
        let places = shared.catalogue.locations.value()?.len();
        (places > 0).then_some(places)
    });
    let journal = home.places.journal("practice");
    front.until("they are kept", |shared| {
        let store = TrackStore::open(&TrackStore::beside(&journal)).ok()?;
        let list = CachedList::Locations(shared.session.company);
        let kept = store.reader().ok()?.list(list).ok()??;
        let kept: Vec<Value> = serde_json::from_str(&kept).ok()?;
        (kept.len() == known).then_some(())
    });
    wire.fail("companyLocations", Fault::Change(spoil_last));
    front.ask(ConsignCommand::RefreshLocations);
    front.until("one can't be read", |shared| {
        let is_unread = shared.catalogue.unreadable.locations.records.len() == 1;
        (is_unread && !shared.catalogue.locations.is_loading()).then_some(())
    });
    let places = front
        .shared()
        .catalogue
        .locations
        .value()
        .expect("locations");
    assert_eq!(places.len(), known, "it is still there");
}

#[test]
fn n14_a_lost_answer_is_found_although_another_consignment_cannot_be_read() {
    let (home, practice, wire) = with_spoiled_lists(2);
    let mut desk = home.open(&Home::service(wire.base_url(), practice.token()));
    desk.type_consignment("SO-48213");
    wire.fail("/consignments/createConsignment", Fault::LoseAnswer);
    desk.send();
    desk.until("it is found", |core| {
        let made = core.shared.operations.list.iter();
        let made = made.filter(|operation| operation.kind == OperationKind::Create);
        made.filter(|operation| operation.state == OperationState::Done)
            .map(drop)
            .next()
    });
    assert_eq!(wire.count("/consignments/createConsignment"), 1);
}

/// A saved location that the journey does not need.
fn spoil_last(answer: &mut Value) {
    if let Some(last) = answer["object"]
        .as_array_mut()
        .and_then(|list| list.last_mut())
    {
        last["location"] = json!(SECRET);
    }
}

#[test]
fn n14_a_figure_that_is_not_known_is_a_dash_and_not_0() {
    let (_home, _wire, mut front) = at_failing_service();
    front.keys("<F3>");
    front.until("the list failed", |shared| {
        shared.dispatch.unmanifested.problem().map(|_| ())
    });
    front.rest();
    let window = front.widgets();
    assert!(window.query_by_label("–").is_some());
    assert!(window.query_by_label("0").is_none());
    front.keys("<F5>");
    front.ask(TrackCommand::Sync { whole: true });
    front.until("the figures are counted, and nothing came", |shared| {
        shared.track.board.value()?;
        shared.track.sync.problem().map(|_| ())
    });
    shows(&mut front, "Unmanifested: –");
    shows(&mut front, "In transit: –");
}
