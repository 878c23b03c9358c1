//! The consignment that both sides create.

use shipping::{
    Centimetres, ConsignmentRequest, ItemRequest, Kilograms, LocationRequest, RouteSelection,
};

/// Two cartons from a saved place to Ballarat, with references of their own.
pub(crate) fn order(number: usize, key: &str) -> ConsignmentRequest {
    let text = |text: &str| Some(text.to_owned());
    let number_of = |text: &str| text.parse().expect("a number");
    let mut order = ConsignmentRequest::default();
    order.from.abbreviation = text("HSYD");
    order.to.name = text("Ballarat Farm & Garden");
    order.to.contact = text("J. Okafor");
    order.to.phone = text("03 5550 0199");
    order.to.email = text("stores@bfg.example");
    order.to.address_line1 = text("8 Creswick Road");
    order.to.location = Some(LocationRequest {
        suburb: "Ballarat Central".to_owned(),
        postcode: "3350".to_owned(),
    });
    order.customer_reference = Some(format!("SO-{number}"));
    order.customer_reference2 = text(key);
    order.default_route_selection = Some(RouteSelection::Cheapest);
    order.dgs_declaration = Some(false);
    order.items = vec![ItemRequest {
        item_type: text("Carton"),
        name: text("Hose reels, 20 m"),
        quantity: Some(2),
        weight: Some(Kilograms(number_of("9"))),
        length: Some(Centimetres(number_of("40"))),
        width: Some(Centimetres(number_of("40"))),
        height: Some(Centimetres(number_of("30"))),
        ..ItemRequest::default()
    }];
    order
}
