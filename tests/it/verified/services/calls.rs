//! Defect 15, the part about services: the parameters of calls, and the messages about a service that answers
//! with errors.

use client::{Client, Connection};
use egui_kittest::kittest::Queryable as _;
use shipping::ConsignmentId;

use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::wire::{Wire, answer};

#[tokio::test]
async fn n15_calls_ask_for_json_and_files_may_be_of_any_type() {
    let wire = Wire::alone(answer(
        "200 OK",
        "application/json",
        r#"{"object": [], "errors": null}"#,
    ));
    let connection = Connection::new(&wire.base_url(), "token".into()).expect("an address");
    let client = Client::new(&connection).expect("a client");
    let ids = [ConsignmentId::new(7)];
    client.companies(None).await.expect("companies");
    client.consignments(&ids).await.expect("consignments");
    client.delete(&ids).await.expect("deleted");
    let _documents = client.documents(&ids).await;
    for path in ["getAll", "returnConsignments", "deleteUnmanifested"] {
        let heads = wire.heads(path);
        assert!(
            heads[0].contains("\r\naccept: application/json\r\n"),
            "{heads:?}"
        );
    }
    assert!(wire.heads("getAttachmentsBy")[0].contains("\r\naccept: */*\r\n"));
}

#[test]
fn n15_the_status_bar_tells_of_a_service_whose_every_answer_is_a_fault() {
    let (_home, _wire, mut front) = at_failing_service();
    front.until("a fault is known", |shared| shared.session.health.fault);
    front.rest();
    let window = front.widgets();
    assert!(window.query_by_label("service error (HTTP 500)").is_some());
}

#[test]
fn n15_the_reason_is_given_where_saved_locations_could_not_be_fetched() {
    let home = Home::new();
    let practice = home.practise();
    let wire = Wire::before(practice.address());
    wire.fail(
        "companyLocations",
        answer("500 Internal Server Error", "text/plain", "sorry"),
    );
    let mut front = Front::start_at(&home, wire.base_url(), practice.token());
    practise(&mut front);
    front.until("the locations failed", |shared| {
        shared.catalogue.locations.problem().map(|_| ())
    });
    front.rest();
    let words = "Couldn't load the saved locations: The service has a problem (HTTP 500)";
    let window = front.widgets();
    assert!(window.query_all_by_label_contains(words).count() > 0);
}

/// The window at a service whose every answer is a fault.
pub(super) fn at_failing_service() -> (Home, Wire, Front) {
    let home = Home::new();
    let wire = Wire::alone(answer("500 Internal Server Error", "text/plain", "sorry"));
    let mut front = Front::start_at(&home, wire.base_url(), "token");
    practise(&mut front);
    (home, wire, front)
}

/// Chooses the practice service, which the first start offers.
pub(super) fn practise(front: &mut Front) {
    front.keys("<Enter>");
    front.until_open("practice");
}
