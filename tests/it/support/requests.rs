//! The consignment that most tests create, as the client sends it. The benchmarks include this file, too.

use rust_decimal::Decimal;
use shipping::{Centimetres, ConsignmentRequest, ItemRequest, Kilograms, LocationRequest};

/// Two cartons to a full address in Ballarat, with nothing said of sender and carrier.
pub(crate) fn to_ballarat() -> ConsignmentRequest {
    let mut order = ConsignmentRequest::default();
    order.to.name = some("Ballarat Farm & Garden");
    order.to.contact = some("J. Okafor");
    order.to.phone = some("03 5550 0199");
    order.to.email = some("stores@bfg.example");
    order.to.address_line1 = some("8 Creswick Road");
    order.to.location = Some(place("Ballarat Central", "3350"));
    order.customer_reference = some("SO-48213");
    order.dgs_declaration = Some(false);
    order.items = vec![hose_reels()];
    order
}

/// Two cartons.
pub(crate) fn hose_reels() -> ItemRequest {
    ItemRequest {
        item_type: some("Carton"),
        name: some("Hose reels, 20 m"),
        quantity: Some(2),
        weight: Some(Kilograms(number("9"))),
        length: Some(Centimetres(number("40"))),
        width: Some(Centimetres(number("40"))),
        height: Some(Centimetres(number("30"))),
        ..ItemRequest::default()
    }
}

pub(crate) fn place(suburb: &str, postcode: &str) -> LocationRequest {
    LocationRequest {
        suburb: suburb.to_owned(),
        postcode: postcode.to_owned(),
    }
}

/// The text of a field that may be absent.
#[expect(
    clippy::unnecessary_wraps,
    reason = "nearly every field of a request is optional"
)]
pub(crate) fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

pub(crate) fn number(text: &str) -> Decimal {
    text.parse().expect("a number")
}
