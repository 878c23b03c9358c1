//! 3: the service's printers at a service without an operation that lists them.

use app::config::{ChosenService, Settings};
use app::{Environment, Service};
use egui_kittest::kittest::Queryable as _;
use serde_json::json;
use shipping::{Compatibility, PrinterId};

use super::clerk::Place;
use crate::support::clerk::Clerk;

const LOOKUP: &str = "groupConsignmentsForPrinting";
const SEND: &str = "sendLabelsToPrinter";

/// A connection of one's own to the practice service, which speaks as the specification does but for this option.
fn depot(place: &mut Place, lists_printers: bool) -> Service {
    let mut dialect = Compatibility::default();
    dialect.optional.printers = lists_printers;
    let connection = json!({
        "name": "Depot", "kind": "live", "address": place.wire.base_url(), "dialect": dialect,
    });
    let settings = &mut place.home.settings;
    settings.connections = vec![serde_json::from_value(connection).expect("a connection")];
    settings.chosen = Some(ChosenService::Connection("Depot".to_owned()));
    Service {
        name: "Depot".to_owned(),
        environment: Environment::Live,
        compatibility: dialect,
        ..place.service()
    }
}

/// A clerk with one label in the queue, at the menu of the service's printers.
fn at_service_printer(lists_printers: bool) -> (Place, Clerk) {
    let mut place = Place::new();
    let service = depot(&mut place, lists_printers);
    let mut clerk = Clerk::at(&place.home, &service);
    clerk.await_locations(1);
    clerk.type_order();
    clerk.send();
    clerk.keys("<F4>");
    clerk.until("its label is in the queue", |core| {
        (core.shared.labels.queue.len() == 1).then_some(())
    });
    clerk.push("Service printer");
    (place, clerk)
}

#[test]
fn n3_without_the_option_nothing_is_looked_up_and_the_printers_number_is_typed_and_kept() {
    let (place, mut clerk) = at_service_printer(false);
    clerk.window.get_by_label("Printer number").focus();
    clerk.rest();
    clerk.keys("601");
    clerk.push("Print there");
    clerk.until("it was sent", |_| {
        (place.wire.count(SEND) == 1).then_some(())
    });
    assert_eq!(place.wire.bodies(SEND)[0][0]["printerId"], 601);
    assert_eq!(place.wire.count(LOOKUP), 0, "not in the specification");
    let kept = clerk.until("the number is in the settings", |_| {
        let settings = Settings::read(&place.home.places).ok()?;
        settings.service_printer()
    });
    assert_eq!(kept, PrinterId::new(601));
}

#[test]
fn n3_with_the_option_the_service_lists_its_printers() {
    let (place, mut clerk) = at_service_printer(true);
    clerk.until("its printers", |core| {
        core.shared.labels.service_printers.value().map(|_| ())
    });
    clerk.rest();
    assert!(clerk.sees("SYD-LABEL-1"));
    assert_eq!(place.wire.count(LOOKUP), 1);
}
