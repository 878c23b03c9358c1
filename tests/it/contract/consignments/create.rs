//! Creating a consignment of plain items, its despatch time, and what each user may create ("Consignment create
//! request", "Consignment response object", "Authentication", "States and transitions").

use client::Failure;
use serde_json::Value;
use shipping::{
    CarrierAccountId, CarrierId, CompanyCarrierAccountId, CompanyId, CompanyItemId,
    CompanyLocationId, ConsignmentItem, CustomValue, Despatch, DespatchSpelling, LocalTime,
    PartyRequest, Quantity, Question, RouteSelection,
};

use crate::contract::orders::{self, some};
use crate::contract::refusal;
use crate::support::contract::{Held, Stage, cases};

cases! {
    Writes:
        a_carrier_and_service_are_named_by_their_numbers, the_cheapest_and_the_fastest_are_asked_for_by_name,
        a_local_despatch_time_is_sent_alone;
    Practises:
        every_field_goes_under_its_own_name, a_saved_place_stands_for_a_side_by_id_or_abbreviation,
        a_saved_item_is_its_id_or_its_sku, numbers_are_taken_where_text_is_meant,
        a_carrier_alone_is_its_cheapest_service, the_other_spelling_of_the_despatch_date_is_sent_where_set,
        the_other_spelling_is_silently_ignored, of_two_despatch_times_the_utc_one_counts,
        a_past_despatch_time_becomes_now, an_account_that_books_at_once_makes_it_manifested,
        a_test_mode_token_makes_test_consignments, a_view_only_token_makes_nothing;
}

const CREATE: &str = "POST /apiv2/consignments/createConsignment";
const COMPLEX: &str = "POST /apiv2/consignments/createConsignmentwithComplexItems";

/// The whole of a consignment response object.
const CREATED: &str = r#"{
    "object": {
        "id": "<id:made>", "consignmentNumber": "MS200001", "carrierConsignmentId|null": "SCX00200001",
        "status": { "id": 2, "name": "Unmanifested", "description": "The carrier has not been booked yet" },
        "trackingPageAccessToken": "<text>",
        "consignmentTotal": {
            "sellPricesCleared": false, "totalSellPrice": 26.08, "totalCostPrice": 22.95,
            "totalBaseSellPrice": 20.01, "totalBaseCostPrice": 17.61, "totalTaxSellPrice": 2.37,
            "totalTaxCostPrice": 2.09, "sellFuelLevyPrice": 3.7, "consignmentRouteSellPrice": 23.71,
            "totalSellBeforeTax": 23.71
        },
        "items": [{
            "id?": "<id>", "companyItemId?": null, "itemType": "Carton", "name": "Hose reels, 20 m", "sku?": null,
            "quantity": 2, "weight": 9, "length": 40, "width": 40, "height": 30, "palletSpaces?": null,
            "references": ["SCX200001000001", "SCX200001000002"],
            "consignmentItemDgItems?": [], "consignmentItemContents?": []
        }],
        "despatchDateLocal": "2026-11-20T14:05:00", "despatchDateUtc": "2026-11-20T03:05:00",
        "etaLocal|null": "2026-11-24T17:00:00", "etaUtc|null": "2026-11-24T06:00:00",
        "carrier": { "id": 11, "name": "Southern Cross", "abbreviation": "SCX", "displayName": "Southern Cross" },
        "carrierService": { "id": 1101, "name": "Road", "abbreviation": "ROAD", "displayName": "Road" },
        "isTest": false,
        "companyId?": 1, "manifestId?": null, "creationDateUtc?": "2026-11-20T03:05:00", "carrierName?": "Southern Cross",
        "carrierAccountId?": 3101, "companyCarrierAccountId?": 5101,
        "customerReference?": "SO-48213", "customerReference2?": null, "dgsDeclaration?": false,
        "totalWeight?": 18, "totalCubic?": 0.096, "totalVolume?": 0.096, "heaviestWeight?": 9, "totalItemCount?": 2,
        "palletSpaces?": 0,
        "fromName?": "Harbour Supplies, Sydney DC", "fromContact?": "Dock office", "fromPhone?": "02 5550 0114",
        "fromEmail?": "dock.sydney@harbour.example", "fromAddressLine1?": "14 Wharf Road", "fromAddressLine2?": "",
        "fromLocation?": {
            "id": "<id>", "suburb": "Alexandria", "postcode": "2015", "state": "NSW", "timeZone": "Australia/Sydney",
            "country": "AUS"
        },
        "fromCompanyLocationId?": 7001,
        "toName?": "Ballarat Farm & Garden", "toContact?": "J. Okafor", "toPhone?": "03 5550 0199",
        "toEmail?": "stores@bfg.example", "toAddressLine1?": "8 Creswick Road", "toAddressLine2?": "",
        "toLocation?": {
            "id": "<id>", "suburb": "Ballarat Central", "postcode": "3350", "state": "VIC",
            "timeZone": "Australia/Melbourne", "country": "AUS"
        },
        "toCompanyLocationId?": null
    },
    "errors": null
}"#;

async fn a_carrier_and_service_are_named_by_their_numbers(stage: &mut Stage) -> Held {
    stage.needs(&["sender", "carrier", "service"])?;
    let made = stage.client().create(&orders::order(stage)).await;
    let request = r#"{
        $BY_ROAD, "dgsDeclaration": false,
        $HOSE_REELS
    }"#;
    stage.answered(CREATE, request, CREATED);
    let made = made.expect("a consignment");
    assert_eq!(made.id.get(), stage.id("made"));
    assert!(made.is_unmanifested() && !made.items().is_empty());
    Ok(())
}

async fn every_field_goes_under_its_own_name(stage: &mut Stage) {
    let mut order = orders::order(stage);
    order.company_id = Some(CompanyId::new(1));
    order.from = PartyRequest {
        address_line2: some("Hall B"),
        location: Some(orders::place("Alexandria", "2015")),
        ..orders::party([
            "Harbour Supplies, pop-up",
            "K. Webb",
            "02 5550 0188",
            "popup@harbour.example",
            "3 Quay Street",
        ])
    };
    order.to.address_line2 = some("Rear lane");
    order.special_instructions = some("Ring bell at gate 2");
    order.carrier_account_id = Some(CarrierAccountId::new(3101));
    order.company_carrier_account_id = Some(CompanyCarrierAccountId::new(5101));
    order.customer_reference2 = some("PO 7714");
    order.set_despatch(Some(orders::utc("2026-11-23T00:30:00Z")));
    order.question_ids = vec![Question::Tailgate, Question::AuthorityToLeave];
    order.printer_token = some("BENCH-2");
    order.sending_tracking_email = Some(true);
    order.custom_values = vec![CustomValue {
        property_name: "palletSpaces".to_owned(),
        value: Value::from("1"),
    }];
    order.receiver_account_code = some("RP-118");
    order.staff_member_name = some("R. Patel");
    order.items[0].sku = some("HOSE");
    order.items[0].pallet_spaces = Some(Quantity(1.into()));
    let made = stage.client().create(&order).await;
    let request = r#"{
        "companyId": 1,
        "fromName": "Harbour Supplies, pop-up", "fromContact": "K. Webb", "fromPhone": "02 5550 0188",
        "fromEmail": "popup@harbour.example", "fromAddressLine1": "3 Quay Street", "fromAddressLine2": "Hall B",
        "fromLocation": { "suburb": "Alexandria", "postcode": "2015" },
        "toName": "Ballarat Farm & Garden", "toContact": "J. Okafor", "toPhone": "03 5550 0199",
        "toEmail": "stores@bfg.example", "toAddressLine1": "8 Creswick Road", "toAddressLine2": "Rear lane",
        "toLocation": { "suburb": "Ballarat Central", "postcode": "3350" },
        "specialInstructions": "Ring bell at gate 2", "carrierId": 11, "carrierServiceId": 1101,
        "carrierAccountId": 3101, "companyCarrierAccountId": 5101,
        "customerReference": "SO-48213", "customerReference2": "PO 7714",
        "dispatchDateTimeUtc": "2026-11-23T00:30:00.000Z", "questionIds": ["7", "14"], "printerToken": "BENCH-2",
        "sendingTrackingEmail": true, "customValues": [{ "propertyName": "palletSpaces", "value": "1" }],
        "receiverAccountCode": "RP-118", "staffMemberName": "R. Patel", "dgsDeclaration": false,
        "items": [{
            "itemType": "Carton", "name": "Hose reels, 20 m", "sku": "HOSE", "quantity": 2,
            "weight": 9, "length": 40, "width": 40, "height": 30, "palletSpaces": 1
        }]
    }"#;
    let answer = r#"{
        "object": {
            "id": "<id:made>", "fromName": "Harbour Supplies, pop-up", "toAddressLine2": "Rear lane",
            "customerReference": "SO-48213", "customerReference2": "PO 7714",
            "despatchDateUtc": "2026-11-23T00:30:00", "despatchDateLocal": "2026-11-23T11:30:00", "palletSpaces": 1,
            "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(CREATE, request, answer);
    let made = made.expect("a consignment");
    assert!(!made.despatch_differs_from(orders::utc("2026-11-23T00:30:00Z")));
}

async fn the_cheapest_and_the_fastest_are_asked_for_by_name(stage: &mut Stage) -> Held {
    stage.needs(&["sender"])?;
    for (selection, name, service) in [
        (RouteSelection::Cheapest, "cheapest", "1101"),
        (RouteSelection::Fastest, "fastest", "1402"),
    ] {
        let mut order = orders::to_ballarat();
        order.from.abbreviation = some(&stage.text("sender"));
        order.default_route_selection = Some(selection);
        let made = stage.client().create(&order).await;
        let request = r#"{
            "fromAbbreviation": "<text:sender>",
            $RECEIVER,
            "defaultRouteSelection": "NAME", "customerReference": "SO-48213", "dgsDeclaration": false,
            $HOSE_REELS
        }"#;
        let answer = r#"{
            "object": { "id": "<id>", "carrierService": { "id": SERVICE, "...": "..." }, "...": "..." }, "errors": null
        }"#;
        let (request, answer) = (
            request.replace("NAME", name),
            answer.replace("SERVICE", service),
        );
        stage.answered(CREATE, &request, &answer);
        assert!(made.is_ok());
    }
    Ok(())
}

async fn a_saved_place_stands_for_a_side_by_id_or_abbreviation(stage: &mut Stage) {
    let mut order = orders::between_saved_places();
    let made = stage.client().create(&order).await;
    let request = r#"{
        "fromCompanyLocationId": 7001, "toAbbreviation": "BALFG", "carrierId": 11, "carrierServiceId": 1101,
        "dgsDeclaration": false,
        $HOSE_REELS
    }"#;
    let answer = r#"{
        "object": {
            "fromName": "Harbour Supplies, Sydney DC", "fromCompanyLocationId": 7001,
            "toName": "Ballarat Farm & Garden", "toContact": "J. Okafor", "toCompanyLocationId": 7005, "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(CREATE, request, answer);
    assert!(made.is_ok());
    order.from.company_location_id = None;
    order.from.abbreviation = some("HMEL");
    order.to.abbreviation = None;
    order.to.company_location_id = Some(CompanyLocationId::new(7007));
    let made = stage.client().create(&order).await;
    let request = request
        .replace(
            r#""fromCompanyLocationId": 7001"#,
            r#""fromAbbreviation": "HMEL""#,
        )
        .replace(
            r#""toAbbreviation": "BALFG""#,
            r#""toCompanyLocationId": 7007"#,
        );
    let answer = r#"{
        "object": { "fromName": "Harbour Supplies, Melbourne DC", "toName": "Gawler Hardware", "...": "..." },
        "errors": null
    }"#;
    stage.answered(CREATE, &request, answer);
    assert!(made.is_ok());
}

async fn a_saved_item_is_its_id_or_its_sku(stage: &mut Stage) {
    let mut order = orders::between_saved_places();
    order.items = vec![
        ConsignmentItem {
            company_item_id: Some(CompanyItemId::new(8004)),
            ..ConsignmentItem::default()
        },
        ConsignmentItem {
            sku: some("WG-120"),
            quantity: Some(3),
            ..ConsignmentItem::default()
        },
    ];
    let made = stage.client().create(&order).await;
    let request = r#"{
        "fromCompanyLocationId": 7001, "toAbbreviation": "BALFG", "carrierId": 11, "carrierServiceId": 1101,
        "dgsDeclaration": false, "items": [{ "companyItemId": 8004 }, { "sku": "WG-120", "quantity": 3 }]
    }"#;
    let answer = r#"{
        "object": {
            "items": [
                {
                    "companyItemId": 8004, "itemType": "Carton", "name": "Brass fittings, assorted", "sku": "BF-100",
                    "quantity": 1, "weight": 14.2, "length": 30, "width": 25, "height": 20, "...": "..."
                },
                { "companyItemId": 8005, "name": "Work gloves, 120 pair", "quantity": 3, "weight": 8.4, "...": "..." }
            ],
            "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(COMPLEX, request, answer);
    assert_eq!(made.expect("a consignment").pieces(), 4);
}

async fn numbers_are_taken_where_text_is_meant(stage: &mut Stage) {
    let request = r#"{
        "companyId": "1", "fromCompanyLocationId": "7001", "toAbbreviation": "BALFG", "defaultRouteSelection": 1,
        "questionIds": [14, "13"], "dgsDeclaration": false, "fieldThatNobodyKnows": [1],
        "items": [{
            "itemType": 1, "name": "Hose reels, 20 m", "quantity": "2",
            "weight": "9", "length": 40, "width": 40, "height": 30
        }]
    }"#;
    let answer = r#"{
        "object": { "carrierService": { "id": 1402, "...": "..." }, "items": [{ "itemType": "Carton", "...": "..." }], "...": "..." },
        "errors": null
    }"#;
    stage.said(CREATE, request, answer).await;
}

async fn a_carrier_alone_is_its_cheapest_service(stage: &mut Stage) {
    let mut order = orders::between_saved_places();
    order.carrier_id = Some(CarrierId::new(12));
    order.carrier_service_id = None;
    let made = stage.client().create(&order).await;
    let request = r#"{
        "fromCompanyLocationId": 7001, "toAbbreviation": "BALFG", "carrierId": 12, "dgsDeclaration": false,
        $HOSE_REELS
    }"#;
    let answer = r#"{ "object": { "carrierService": { "id": 1201, "...": "..." }, "...": "..." }, "errors": null }"#;
    stage.answered(CREATE, request, answer);
    assert_eq!(made.expect("a consignment").service_name(), "Road");
}

async fn a_local_despatch_time_is_sent_alone(stage: &mut Stage) -> Held {
    stage.needs(&["sender", "carrier", "service"])?;
    let mut order = orders::order(stage);
    let local = LocalTime::read("2026-11-24T10:00:00").expect("a time");
    order.set_despatch(Some(Despatch::Local(local)));
    let made = stage.client().create(&order).await;
    let request = r#"{
        $BY_ROAD, "dispatchDateTimeLocal": "2026-11-24T10:00:00.000Z", "dgsDeclaration": false,
        $HOSE_REELS
    }"#;
    let answer = r#"{
        "object": {
            "id": "<id>", "despatchDateLocal": "2026-11-24T10:00:00", "despatchDateUtc": "2026-11-23T23:00:00", "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(CREATE, request, answer);
    assert!(made.is_ok());
    Ok(())
}

/// From one saved place to another, with this said of the despatch.
fn leaving(said: &str) -> String {
    let order = r#"{
        "fromCompanyLocationId": 7001, "toAbbreviation": "BALFG", "carrierId": 11, "carrierServiceId": 1101, SAID,
        "dgsDeclaration": false,
        $HOSE_REELS
    }"#;
    order.replace("SAID", said)
}

const AT_ONCE: &str =
    r#"{ "object": { "despatchDateUtc": "2026-11-20T03:05:00", "...": "..." }, "errors": null }"#;

async fn the_other_spelling_of_the_despatch_date_is_sent_where_set(stage: &mut Stage) {
    stage.speak(|dialect| dialect.despatch = DespatchSpelling::Despatch);
    let mut order = orders::between_saved_places();
    let asked = orders::utc("2026-11-23T00:30:00Z");
    order.set_despatch(Some(asked));
    let made = stage.client().create(&order).await;
    let request = leaving(r#""despatchDateTimeUtc": "2026-11-23T00:30:00.000Z""#);
    stage.answered(CREATE, &request, AT_ONCE);
    let made = made.expect("a consignment");
    assert!(
        made.despatch_differs_from(asked),
        "the practice service knows the specification's spelling"
    );
}

async fn the_other_spelling_is_silently_ignored(stage: &mut Stage) {
    let request = leaving(r#""despatchDateTimeLocal": "2026-11-23T10:00:00.000Z""#);
    stage.said(CREATE, &request, AT_ONCE).await;
}

async fn of_two_despatch_times_the_utc_one_counts(stage: &mut Stage) {
    let both = r#""dispatchDateTimeUtc": "2026-11-23T00:30:00.000Z", "dispatchDateTimeLocal": "2026-11-24T10:00:00.000Z""#;
    let answer = r#"{ "object": { "despatchDateUtc": "2026-11-23T00:30:00", "...": "..." }, "errors": null }"#;
    stage.said(CREATE, &leaving(both), answer).await;
}

async fn a_past_despatch_time_becomes_now(stage: &mut Stage) {
    let past = r#""dispatchDateTimeUtc": "2026-11-01T00:00:00.000Z""#;
    stage.said(CREATE, &leaving(past), AT_ONCE).await;
}

/// From one saved place to another.
const SAVED: &str = r#"{
    "fromCompanyLocationId": 7001, "toAbbreviation": "BALFG", "carrierId": 11, "carrierServiceId": 1101,
    "dgsDeclaration": false,
    $HOSE_REELS
}"#;

async fn an_account_that_books_at_once_makes_it_manifested(stage: &mut Stage) {
    let request = r#"{
        "companyId": 2, "carrierId": 15,
        "fromName": "Harbour NZ returns desk", "fromContact": "A. Ngata", "fromPhone": "02 5550 0115",
        "fromEmail": "returns@harbour.example", "fromAddressLine1": "14 Wharf Road",
        "fromLocation": { "suburb": "Alexandria", "postcode": "2015" },
        $RECEIVER,
        "items": [{
            "itemType": "Carton", "name": "Tent pegs", "quantity": 1,
            "weight": 4, "length": 30, "width": 20, "height": 20
        }]
    }"#;
    let answer = r#"{
        "object": {
            "status": { "id": 3, "name": "Manifested", "description": "The booking was sent to the carrier" },
            "manifestId": "<id>", "...": "..."
        },
        "errors": null
    }"#;
    stage.said(CREATE, request, answer).await;
}

async fn a_test_mode_token_makes_test_consignments(stage: &mut Stage) -> Held {
    let tester = stage.practice()?.service.test_token().to_owned();
    stage.use_token(&tester);
    let made = stage.client().create(&orders::between_saved_places()).await;
    let answer = r#"{ "object": { "isTest": true, "...": "..." }, "errors": null }"#;
    stage.answered(CREATE, SAVED, answer);
    assert_eq!(made.expect("a consignment").is_test, Some(true));
    Ok(())
}

async fn a_view_only_token_makes_nothing(stage: &mut Stage) -> Held {
    let viewer = stage.practice()?.service.viewer_token().to_owned();
    stage.use_token(&viewer);
    let made = stage.client().create(&orders::between_saved_places()).await;
    let refusal = refusal("", "You do not have permission to create consignments");
    stage.refused(CREATE, SAVED, &refusal);
    assert!(matches!(made, Err(Failure::Refused(_))));
    Ok(())
}
