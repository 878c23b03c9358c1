//! Creating consignments that need the complex operation: dangerous goods, customs contents, the shipper's
//! own numbers ("Dangerous goods item", "International consignment fields", "Operation rules" 2 and 3).

use shipping::{
    CompanyDgItemId, ConsignmentItem, ContainerType, DgClass, DgItem, PackingGroup, Quantity,
    UnNumber,
};

use crate::contract::orders::{self, number};
use crate::support::contract::{Held, Stage, cases};

cases! {
    Writes:
        dangerous_goods_go_nested_with_enum_numbers, international_goods_carry_their_contents,
        delegated_numbers_come_back_as_sent;
    Practises:
        every_field_of_a_dangerous_good_goes_under_its_own_name,
        a_stored_good_is_its_id_with_an_amount_at_the_most,
        a_hazchem_code_may_be_named_by_its_id_and_is_set_where_only_one_exists,
        an_import_is_spelt_by_its_city_and_every_content_field_is_sent,
        a_carrier_that_takes_no_numbers_gives_its_own;
}

const COMPLEX: &str = "POST /apiv2/consignments/createConsignmentwithComplexItems";

async fn dangerous_goods_go_nested_with_enum_numbers(stage: &mut Stage) -> Held {
    stage.needs(&["sender", "carrier", "service"])?;
    let made = stage.client().create(&orders::dangerous(stage)).await;
    stage.may_refuse(&made)?;
    let request = r#"{
        $BY_ROAD, "dgsDeclaration": true,
        $SPIRITS
    }"#;
    let answer = r#"{
        "object": {
            "id": "<id:made>", "status": { "id": 2, "...": "..." }, "dgsDeclaration?": true,
            "items": [{
                "quantity": 1, "weight": 11.5, "length": 36, "width": 28, "height": 32,
                "references": ["SCX200001000001"], "consignmentItemContents?": [],
                "consignmentItemDgItems?": [{
                    "companyDgItemId": null, "unNumber": 1170, "properShippingName": "ETHANOL SOLUTIONS",
                    "packingGroup": 2, "containerType": 6, "aggregateQuantity": 12,
                    "isAggregateQuantityWeight": false, "numberOfContainers": 12, "isMarinePollutant": false,
                    "isTemperatureControlled": false, "isEmptyDgContainer": false, "dgClassType": 5,
                    "subDgClassTypes": [], "TechnicalOrChemicalGroupNames": [], "hazchem": "2YE", "dgHazchemId": 322,
                    "flashpoint": 13.5
                }],
                "...": "..."
            }],
            "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(COMPLEX, request, answer);
    let made = made.expect("a consignment");
    if stage.practice().is_ok() {
        let good = &made.items()[0].consignment_item_dg_items[0];
        assert_eq!(good.un_number, UnNumber::new(1170));
        assert_eq!(good.packing_group, Some(PackingGroup::II));
    }
    Ok(())
}

/// From one saved place to another, with these goods in one carton.
fn carton_of(goods: Vec<DgItem>) -> shipping::ConsignmentRequest {
    let mut order = orders::between_saved_places();
    order.dgs_declaration = Some(true);
    order.items = vec![ConsignmentItem {
        consignment_item_dg_items: goods,
        ..orders::nested("Mixed carton", ["20", "40", "30", "30"])
    }];
    order
}

const CARTON_OF: &str = r#"{
    "fromCompanyLocationId": 7001, "toAbbreviation": "BALFG", "carrierId": 11, "carrierServiceId": 1101,
    "dgsDeclaration": true,
    "items": [{
        "itemType": "Carton", "name": "Mixed carton", "quantity": 1,
        "standardItem": { "weight": 20, "length": 40, "width": 30, "height": 30 },
        "consignmentItemDgItems": GOODS
    }]
}"#;

/// Holds the creation of a carton of these dangerous goods to its literal, and its answer to the goods in `held`.
fn carton_answered(stage: &mut Stage, goods: &str, held: &str) {
    let answer = r#"{
        "object": { "items": [{ "consignmentItemDgItems": HELD, "...": "..." }], "...": "..." },
        "errors": null
    }"#;
    let answer = answer.replace("HELD", held);
    stage.answered(COMPLEX, &CARTON_OF.replace("GOODS", goods), &answer);
}

async fn every_field_of_a_dangerous_good_goes_under_its_own_name(stage: &mut Stage) {
    let order = carton_of(vec![DgItem {
        un_number: UnNumber::new(1992),
        packing_group: Some(PackingGroup::III),
        container_type: Some(ContainerType::Pail),
        aggregate_quantity: Some(Quantity(number("16.25"))),
        is_aggregate_quantity_weight: Some(true),
        number_of_containers: Some(4),
        is_marine_pollutant: Some(true),
        is_temperature_controlled: Some(true),
        is_empty_dg_container: Some(true),
        dg_class_type: Some(DgClass::FlammableLiquid),
        sub_dg_class_types: vec![DgClass::Toxic],
        technical_or_chemical_group_names: vec!["toluene".to_owned(), "methanol".to_owned()],
        dg_hazchem_id: Some(327),
        flashpoint: Some(shipping::Celsius(number("-4"))),
        ..DgItem::default()
    }]);
    let made = stage.client().create(&order).await;
    let goods = r#"[{
        "unNumber": 1992, "packingGroup": 3, "containerType": 4, "aggregateQuantity": 16.25,
        "isAggregateQuantityWeight": true, "numberOfContainers": 4, "isMarinePollutant": true,
        "isTemperatureControlled": true, "isEmptyDgContainer": true, "dgClassType": 5, "subDgClassTypes": [11],
        "TechnicalOrChemicalGroupNames": ["toluene", "methanol"], "dgHazchemId": 327, "flashpoint": -4
    }]"#;
    let held = r#"[{
        "unNumber": 1992, "packingGroup": 3, "aggregateQuantity": 16.25, "subDgClassTypes": [11],
        "TechnicalOrChemicalGroupNames": ["toluene", "methanol"], "hazchem": "3YE", "dgHazchemId": 327,
        "flashpoint": -4, "isEmptyDgContainer": true, "...": "..."
    }]"#;
    carton_answered(stage, goods, held);
    assert!(made.is_ok(), "{made:?}");
}

async fn a_stored_good_is_its_id_with_an_amount_at_the_most(stage: &mut Stage) {
    let order = carton_of(vec![
        DgItem {
            company_dg_item_id: Some(CompanyDgItemId::new(9001)),
            aggregate_quantity: Some(Quantity(number("6"))),
            ..DgItem::default()
        },
        DgItem {
            company_dg_item_id: Some(CompanyDgItemId::new(9002)),
            ..DgItem::default()
        },
    ]);
    let made = stage.client().create(&order).await;
    let goods =
        r#"[{ "companyDgItemId": 9001, "aggregateQuantity": 6 }, { "companyDgItemId": 9002 }]"#;
    let held = r#"[
        { "companyDgItemId": 9001, "unNumber": 1170, "aggregateQuantity": 6, "...": "..." },
        { "companyDgItemId": 9002, "unNumber": 1263, "aggregateQuantity": 16, "...": "..." }
    ]"#;
    carton_answered(stage, goods, held);
    assert!(made.is_ok(), "{made:?}");
}

async fn a_hazchem_code_may_be_named_by_its_id_and_is_set_where_only_one_exists(stage: &mut Stage) {
    let good = r#"[{
        "unNumber": NUMBER, "packingGroup": GROUP, "containerType": 6, "aggregateQuantity": 5,
        "isAggregateQuantityWeight": false, "numberOfContainers": 5, "isMarinePollutant": false,
        "isTemperatureControlled": false MORE
    }]"#;
    for (un, group, more, code) in [
        (
            "1170",
            "2",
            r#", "dgHazchemId": 317, "flashpoint": 13"#,
            "2SE",
        ),
        ("1202", "3", r#", "flashpoint": 60"#, "3Y"),
        (
            "1263",
            "3",
            r#", "TechnicalOrChemicalGroupNames": "xylene", "hazchem": "3YE", "flashpoint": 38"#,
            "3YE",
        ),
    ] {
        let good = good
            .replace("NUMBER", un)
            .replace("GROUP", group)
            .replace("MORE", more);
        let answer = r#"{
            "object": { "items": [{ "consignmentItemDgItems": [{ "hazchem": "CODE", "...": "..." }], "...": "..." }], "...": "..." },
            "errors": null
        }"#;
        let request = CARTON_OF.replace("GOODS", &good);
        stage
            .said(COMPLEX, &request, &answer.replace("CODE", code))
            .await;
    }
}

async fn international_goods_carry_their_contents(stage: &mut Stage) -> Held {
    stage.needs(&["sender"])?;
    let made = stage.client().create(&orders::abroad(stage)).await;
    stage.may_refuse(&made)?;
    let request = r#"{
        "fromAbbreviation": "<text:sender>", $ABROAD,
        "defaultRouteSelection": "cheapest", "dgsDeclaration": false,
        "items": [{
            "itemType": "Carton", "name": "Hand tools", "quantity": 1,
            "standardItem": { "weight": 8.2, "length": 40, "width": 30, "height": 25 },
            "consignmentItemContents": [{
                "description": "Hand tools", "reference1": "INV-7781", "quantity": 24, "harmonizedCode": "820559",
                "purpose": "Sale", "countryOfManufactureCode": "AUS", "dollarValue": 310.25
            }]
        }]
    }"#;
    let answer = r#"{
        "object": {
            "id": "<id:made>",
            "items": [{
                "consignmentItemContents?": [{
                    "description": "Hand tools", "reference1": "INV-7781", "reference2?": null, "reference3?": null,
                    "ciMarksAndNumbers|null": null, "partNumber|null": null, "quantity": 24,
                    "harmonizedCode": "820559", "purpose": "Sale", "countryOfManufactureCode": "AUS",
                    "dollarValue": 310.25
                }],
                "...": "..."
            }],
            "carrierService": { "id": 1403, "...": "..." },
            "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(COMPLEX, request, answer);
    assert!(made.is_ok());
    Ok(())
}

async fn an_import_is_spelt_by_its_city_and_every_content_field_is_sent(stage: &mut Stage) {
    let made = stage.client().create(&orders::import()).await;
    let request = r#"{
        "internationalFromCity": "Singapore", "internationalFromPostcode": "049315",
        "internationalFromProvince": "Central", "fromCountryCode": "SGP", "fromName": "Straits Tools",
        "fromContact": "W. Tan", "fromPhone": "+65 6555 0100", "fromEmail": "export@straits.example",
        "fromAddressLine1": "1 Raffles Place", "toAbbreviation": "BALFG", "isInternational": true,
        "defaultRouteSelection": "fastest", "dgsDeclaration": false,
        "customValues": [{ "propertyName": "AreDutiesPaidByRecipient", "value": true }],
        "items": [{
            "itemType": "Carton", "name": "Drill bits", "quantity": 1,
            "standardItem": { "weight": 4.5, "length": 30, "width": 20, "height": 15 },
            "consignmentItemContents": [{
                "description": "Drill bits", "reference1": "INV-1", "reference2": "PO-2", "reference3": "JOB-3",
                "ciMarksAndNumbers": "1/1", "partNumber": "DB-10", "quantity": 200, "harmonizedCode": "820750",
                "purpose": "Gift", "countryOfManufactureCode": "SGP", "dollarValue": 99.95
            }]
        }]
    }"#;
    let answer = r#"{
        "object": {
            "items": [{
                "consignmentItemContents": [{
                    "reference2": "PO-2", "reference3": "JOB-3", "ciMarksAndNumbers": "1/1", "partNumber": "DB-10",
                    "dollarValue": 99.95, "...": "..."
                }],
                "...": "..."
            }],
            "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(COMPLEX, request, answer);
    assert!(made.is_ok(), "{made:?}");
}

/// Two cartons with barcodes of the shipper's own.
const DELEGATED: &str = r#"{
    "fromAbbreviation": "<text:sender>", $RECEIVER,
    "carrierId": "<id:carrier>", "carrierServiceId": "<id:service>", "customerReference": "SO-48213", "dgsDeclaration": false, "carrierConsignmentId": "HARB0000481",
    "items": [{
        "itemType": "Carton", "name": "Hose reels, 20 m", "quantity": 2,
        "standardItem": { "weight": 9, "length": 40, "width": 40, "height": 30 },
        "consignmentItemReferences": [
            { "carrierItemReference": "HARB00004811" }, { "carrierItemReference": "HARB00004812" }
        ]
    }]
}"#;

async fn delegated_numbers_come_back_as_sent(stage: &mut Stage) -> Held {
    stage.needs(&["sender", "carrier", "service"])?;
    let made = stage.client().create(&orders::delegated(stage)).await;
    stage.may_refuse(&made)?;
    let answer = r#"{
        "object": {
            "id": "<id:made>", "carrierConsignmentId|null": "HARB0000481",
            "items": [{ "references": ["HARB00004811", "HARB00004812"], "...": "..." }], "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(COMPLEX, DELEGATED, answer);
    let made = made.expect("a consignment");
    if stage.practice().is_ok() {
        assert_eq!(made.item_references(), ["HARB00004811", "HARB00004812"]);
    }
    Ok(())
}

async fn a_carrier_that_takes_no_numbers_gives_its_own(stage: &mut Stage) {
    let bluegum = DELEGATED
        .replace("\"<id:carrier>\"", "12")
        .replace("\"<id:service>\"", "1201");
    let refusal = r#"{
        "object": null,
        "errors": [{ "validationType": 1, "memberNames": ["carrierConsignmentId"], "errorMessage": "<text>" }, "..."]
    }"#;
    stage.said_in_vain(COMPLEX, &bluegum, refusal).await;
}
