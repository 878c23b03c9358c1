//! The requests of the cases, as our own types. Their literals are in the cases.

use serde_json::Value;
use shipping::{
    CarrierId, CarrierServiceId, Celsius, Centimetres, CompanyLocationId, ConsignmentItem,
    ConsignmentRequest, ContainerType, CountryCode, CustomValue, Despatch, DgClass, DgItem,
    Dollars, InternationalPlace, ItemContents, ItemReference, Kilograms, PackingGroup,
    PartyRequest, Quantity, RouteSelection, StandardItem, UnNumber, UtcTime,
};

use crate::support::contract::Stage;
pub(super) use crate::support::requests::{hose_reels, number, place, some, to_ballarat};

/// The call that fetches the consignment bound to `made`.
pub(super) const FETCH: &str = "GET /apiv2/consignments/getConsignment?id=<id:made>";

/// Two cartons from a saved place to a full address in Ballarat, by a named service.
pub(super) fn order(stage: &Stage) -> ConsignmentRequest {
    let mut order = to_ballarat();
    order.from.abbreviation = some(&stage.text("sender"));
    order.carrier_id = Some(CarrierId::new(stage.id("carrier")));
    order.carrier_service_id = Some(CarrierServiceId::new(stage.id("service")));
    order
}

/// From one saved place to another, by a named service.
pub(super) fn between_saved_places() -> ConsignmentRequest {
    let mut order = ConsignmentRequest::default();
    order.from.company_location_id = Some(CompanyLocationId::new(7001));
    order.to.abbreviation = some("BALFG");
    order.carrier_id = Some(CarrierId::new(11));
    order.carrier_service_id = Some(CarrierServiceId::new(1101));
    order.dgs_declaration = Some(false);
    order.items = vec![hose_reels()];
    order
}

/// One carton of methylated spirits.
pub(super) fn dangerous(stage: &Stage) -> ConsignmentRequest {
    let mut order = order(stage);
    order.dgs_declaration = Some(true);
    order.items = vec![ConsignmentItem {
        consignment_item_dg_items: vec![spirits()],
        ..nested("Methylated spirits, 12 x 1 L", ["11.5", "36", "28", "32"])
    }];
    order
}

/// A carton of tools to Portland, with what customs are told.
pub(super) fn abroad(stage: &Stage) -> ConsignmentRequest {
    let mut order = ConsignmentRequest::default();
    order.from.abbreviation = some(&stage.text("sender"));
    order.is_international = Some(true);
    order.international_to = international_place(["Portland", "97201", "OR"]);
    order.to = PartyRequest {
        country_code: CountryCode::new("USA").ok(),
        ..party([
            "Rose City Tools",
            "D. Lee",
            "+1 503 555 0100",
            "orders@rosecity.example",
            "100 SW Main Street",
        ])
    };
    order.default_route_selection = Some(RouteSelection::Cheapest);
    order.dgs_declaration = Some(false);
    order.items = vec![ConsignmentItem {
        consignment_item_contents: vec![ItemContents {
            description: some("Hand tools"),
            reference1: some("INV-7781"),
            quantity: Some(24),
            harmonized_code: some("820559"),
            purpose: some("Sale"),
            country_of_manufacture_code: Some("AUS".to_owned()),
            dollar_value: Some(Dollars(number("310.25"))),
            ..ItemContents::default()
        }],
        ..nested("Hand tools", ["8.2", "40", "30", "25"])
    }];
    order
}

/// A carton of drill bits from Singapore, with all that customs can be told.
pub(super) fn import() -> ConsignmentRequest {
    let mut order = between_saved_places();
    order.carrier_id = None;
    order.carrier_service_id = None;
    order.default_route_selection = Some(RouteSelection::Fastest);
    order.is_international = Some(true);
    order.international_from = international_place(["Singapore", "049315", "Central"]);
    order.from = PartyRequest {
        country_code: CountryCode::new("SGP").ok(),
        ..party([
            "Straits Tools",
            "W. Tan",
            "+65 6555 0100",
            "export@straits.example",
            "1 Raffles Place",
        ])
    };
    order.custom_values = vec![CustomValue {
        property_name: "AreDutiesPaidByRecipient".to_owned(),
        value: Value::Bool(true),
    }];
    order.items = vec![ConsignmentItem {
        consignment_item_contents: vec![ItemContents {
            description: some("Drill bits"),
            reference1: some("INV-1"),
            reference2: some("PO-2"),
            reference3: some("JOB-3"),
            ci_marks_and_numbers: some("1/1"),
            part_number: some("DB-10"),
            quantity: Some(200),
            harmonized_code: some("820750"),
            purpose: some("Gift"),
            country_of_manufacture_code: Some("SGP".to_owned()),
            dollar_value: Some(Dollars(number("99.95"))),
            ..ItemContents::default()
        }],
        ..nested("Drill bits", ["4.5", "30", "20", "15"])
    }];
    order
}

/// Two cartons with barcodes of the shipper's own.
pub(super) fn delegated(stage: &Stage) -> ConsignmentRequest {
    let mut order = order(stage);
    order.carrier_consignment_id = some("HARB0000481");
    let barcode = |text: &str| ItemReference {
        carrier_item_reference: text.to_owned(),
    };
    order.items = vec![ConsignmentItem {
        quantity: Some(2),
        consignment_item_references: vec![barcode("HARB00004811"), barcode("HARB00004812")],
        ..nested("Hose reels, 20 m", ["9", "40", "40", "30"])
    }];
    order
}

/// A party that is not saved: name, contact, phone, e-mail and street.
pub(super) fn party(texts: [&str; 5]) -> PartyRequest {
    let [name, contact, phone, email, address_line1] = texts.map(some);
    PartyRequest {
        name,
        contact,
        phone,
        email,
        address_line1,
        ..PartyRequest::default()
    }
}

/// A place abroad: city, postcode and province.
fn international_place(texts: [&str; 3]) -> InternationalPlace {
    let [city, postcode, province] = texts.map(some);
    InternationalPlace {
        city,
        postcode,
        province,
    }
}

/// One carton for the complex operation: kilograms, length, width, height.
pub(super) fn nested(name: &str, [weight, length, width, height]: [&str; 4]) -> ConsignmentItem {
    ConsignmentItem {
        item_type: some("Carton"),
        name: some(name),
        quantity: Some(1),
        standard_item: Some(StandardItem {
            weight: Some(Kilograms(number(weight))),
            length: Some(Centimetres(number(length))),
            width: Some(Centimetres(number(width))),
            height: Some(Centimetres(number(height))),
        }),
        ..ConsignmentItem::default()
    }
}

pub(super) fn spirits() -> DgItem {
    DgItem {
        un_number: UnNumber::new(1170),
        packing_group: Some(PackingGroup::II),
        container_type: Some(ContainerType::Bottle),
        aggregate_quantity: Some(Quantity(number("12"))),
        is_aggregate_quantity_weight: Some(false),
        number_of_containers: Some(12),
        is_marine_pollutant: Some(false),
        is_temperature_controlled: Some(false),
        is_empty_dg_container: Some(false),
        dg_class_type: Some(DgClass::FlammableLiquid),
        hazchem: some("2YE"),
        flashpoint: Some(Celsius(number("13.5"))),
        ..DgItem::default()
    }
}

pub(super) fn utc(text: &str) -> Despatch {
    Despatch::Utc(UtcTime(text.parse().expect("a moment")))
}
