//! The consignment that most tests create, as the client sends it, and what a clerk types in its place. The
//! benchmarks include this file, too.

use draft::{AddressMode, DgLine, Party};
use rust_decimal::Decimal;
use shipping::{
    Centimetres, ConsignmentItem, ConsignmentRequest, ContainerType, DgClass, Kilograms,
    LocationRequest, PackingGroup,
};

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

/// Types the address in Ballarat; the other fields of the party stay as they are.
pub(crate) fn type_ballarat(party: &mut Party) {
    party.mode = AddressMode::Full;
    let Party {
        name,
        contact,
        phone,
        email,
        line1,
        place,
        ..
    } = party;
    let texts = [
        "Ballarat Farm & Garden",
        "J. Okafor",
        "03 5550 0199",
        "stores@bfg.example",
        "8 Creswick Road",
        "Ballarat Central VIC 3350",
    ];
    for (field, text) in [name, contact, phone, email, line1, place]
        .into_iter()
        .zip(texts)
    {
        text.clone_into(field);
    }
}

/// Ethanol that passes in Australia, as a clerk types it.
pub(crate) fn spirits() -> DgLine {
    DgLine {
        un_number: "1170".to_owned(),
        packing_group: Some(PackingGroup::II),
        class: Some(DgClass::FlammableLiquid),
        container: Some(ContainerType::Bottle),
        containers: "12".to_owned(),
        amount: "12".to_owned(),
        litres: true,
        flash_point: "13".to_owned(),
        hazchem: "2YE".to_owned(),
        ..DgLine::default()
    }
}

/// Two cartons.
pub(crate) fn hose_reels() -> ConsignmentItem {
    ConsignmentItem {
        item_type: some("Carton"),
        name: some("Hose reels, 20 m"),
        quantity: Some(2),
        weight: Some(Kilograms(number("9"))),
        length: Some(Centimetres(number("40"))),
        width: Some(Centimetres(number("40"))),
        height: Some(Centimetres(number("30"))),
        ..ConsignmentItem::default()
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
