//! Pending consignments: drafts at the service ("Pending consignment create request", and its three rows of "Errors").

use client::Failure;
use serde_json::Value;
use shipping::{
    CompanyItemId, ConsignmentItem, ConsignmentRequest, CustomValue, DgItem, ItemContents,
    PendingConsignmentId, PendingConsignmentRequest, Question,
};

use super::orders::{self, number, some};
use crate::contract::{failure, refusal};
use crate::support::contract::{Stage, cases};

cases! {
    Writes:
        a_pending_consignment_may_lack_nearly_everything;
    Practises:
        every_field_goes_under_its_pending_name, the_samples_of_the_interface_are_taken,
        one_is_deleted_at_any_time, converting_one_deletes_it, linked_ones_are_converted_by_a_create,
        a_bad_from_location_is_told_at_its_field, a_missing_contact_is_told_at_its_field,
        a_carrier_of_others_is_told_at_its_field;
}

const CREATE: &str = "POST /apiv2/pendingConsignments/createPendingConsignment";
const DELETE: &str = "POST /apiv2/pendingConsignments/deletePendingConsignments";
const MADE: &str = r#"{ "object": { "id": "<id:pending>", "consignmentNumber": "<text:pending number>" }, "errors": null }"#;

async fn a_pending_consignment_may_lack_nearly_everything(stage: &mut Stage) {
    let mut order = ConsignmentRequest::default();
    order.to.name = some("Ballarat Farm & Garden");
    order.to.contact = some("J. Okafor");
    order.items = vec![ConsignmentItem {
        name: some("Hose reels"),
        ..ConsignmentItem::default()
    }];
    let request = PendingConsignmentRequest::from_consignment(order);
    let made = stage.client().create_pending(&request).await;
    let request = r#"{
        "toName": "Ballarat Farm & Garden", "toContact": "J. Okafor", "items": [{ "name": "Hose reels" }]
    }"#;
    stage.answered(CREATE, request, MADE);
    let made = made.expect("a pending consignment");
    assert_eq!(made.id.get(), stage.id("pending"));
    assert_eq!(
        made.consignment_number,
        format!("PC{}", stage.id("pending"))
    );
    let deleted = stage.client().delete_pending(&[made.id]).await;
    stage.answered(
        DELETE,
        r#"["<id:pending>"]"#,
        r#"{ "errors": null, "success?": true }"#,
    );
    assert_eq!(deleted, Ok(()));
}

async fn every_field_goes_under_its_pending_name(stage: &mut Stage) {
    let mut order = orders::between_saved_places();
    order.set_despatch(Some(orders::utc("2026-11-23T00:30:00Z")));
    order.customer_reference = some("SO-48213");
    order.question_ids = vec![Question::Residential];
    order.custom_values = vec![CustomValue {
        property_name: "palletSpaces".to_owned(),
        value: Value::from("2"),
    }];
    order.staff_member_name = some("R. Patel");
    order.sending_tracking_email = Some(true);
    let mut request = PendingConsignmentRequest::from_consignment(order);
    request.0.items = vec![
        ConsignmentItem {
            item_type: some("Carton"),
            name: some("Methylated spirits"),
            quantity: Some(1),
            pending_consignment_item_dg_items: vec![DgItem {
                proper_shipping_name: some("ETHANOL SOLUTIONS"),
                ..orders::spirits()
            }],
            pending_consignment_item_contents: vec![ItemContents {
                description: some("Spirits"),
                dollar_value: Some(shipping::Dollars(number("48.5"))),
                ..ItemContents::default()
            }],
            ..ConsignmentItem::default()
        },
        ConsignmentItem {
            company_item_id: Some(CompanyItemId::new(8001)),
            ..ConsignmentItem::default()
        },
    ];
    let made = stage.client().create_pending(&request).await;
    let request = r#"{
        "fromCompanyLocationId": 7001, "toAbbreviation": "BALFG", "carrierId": 11, "carrierServiceId": 1101,
        "customerReference": "SO-48213", "questionIds": ["13"],
        "customValues": [{ "propertyName": "palletSpaces", "value": "2" }], "staffMemberName": "R. Patel",
        "despatchDateTimeUtc": "2026-11-23T00:30:00.000Z", "sendTrackingEmail": true,
        "items": [
            {
                "itemType": "Carton", "name": "Methylated spirits", "quantity": 1,
                "pendingConsignmentItemDgItems": [{
                    "unNumber": 1170, "properShippingName": "ETHANOL SOLUTIONS", "packingGroup": 2, "containerType": 6,
                    "aggregateQuantity": 12, "isAggregateQuantityWeight": false, "numberOfContainers": 12,
                    "isMarinePollutant": false, "isTemperatureControlled": false, "isEmptyDgContainer": false,
                    "dgClassType": 5, "hazchem": "2YE", "flashpoint": 13.5
                }],
                "pendingConsignmentItemContents": [{ "description": "Spirits", "dollarValue": 48.5 }]
            },
            { "companyItemId": 8001 }
        ]
    }"#;
    stage.answered(CREATE, request, MADE);
    assert!(made.is_ok());
}

async fn the_samples_of_the_interface_are_taken(stage: &mut Stage) {
    let request = r#"{
        "toName": "Rose City Tools", "toContact": "D. Lee", "toCountryCode": "US", "isInternational": true,
        "despatchDateTimeLocal": "2026-11-23T10:00:00",
        "items": [{
            "itemType": 3, "name": "Pallet of tools", "quantity": 1,
            "pendingConsignmentItemDgItems": [{ "unNumber": 1170, "dgClassType": 1 }]
        }]
    }"#;
    stage.said(CREATE, request, MADE).await;
}

async fn one_is_deleted_at_any_time(stage: &mut Stage) {
    stage.said(CREATE, "{}", MADE).await;
    let id = PendingConsignmentId::new(stage.id("pending"));
    let deleted = stage.client().delete_pending(&[id]).await;
    stage.answered(
        DELETE,
        r#"["<id:pending>"]"#,
        r#"{ "errors": null, "success": true }"#,
    );
    assert_eq!(deleted, Ok(()));
    let again = stage.client().delete_pending(&[id]).await;
    let refusal = failure("", "<text>");
    stage.refused(DELETE, r#"["<id:pending>"]"#, &refusal);
    assert!(matches!(again, Err(Failure::Refused(_))));
}

async fn converting_one_deletes_it(stage: &mut Stage) {
    let draft = r#"{
        "fromAbbreviation": "HSYD", "toAbbreviation": "BALFG", "carrierId": 11,
        "items": [{ "companyItemId": 8001 }]
    }"#;
    stage.said(CREATE, draft, MADE).await;
    let convert = "POST /practice/convertPendingConsignment?id=<id:pending>";
    let made = r#"{ "object": { "id": "<id:made>", "status": { "id": 2, "...": "..." }, "...": "..." }, "errors": null }"#;
    stage.said(convert, "", made).await;
    let id = PendingConsignmentId::new(stage.id("pending"));
    let fetched = stage.client().consignment_of_pending(id).await;
    let unmanifested = r#"{
        "object": { "id": "<id:made>", "consignmentNumber": "<text>", "status": { "id": 2, "...": "..." }, "...": "..." },
        "errors": null
    }"#;
    let by_pending = "GET /apiv2/consignments/getConsignmentByPendingConsignmentId?id=<id:pending>";
    stage.answered(by_pending, "", unmanifested);
    assert!(fetched.expect("a consignment").is_unmanifested());
    let gone = failure("", "<text>");
    stage
        .said_in_vain(DELETE, r#"["<id:pending>"]"#, &gone)
        .await;
}

async fn linked_ones_are_converted_by_a_create(stage: &mut Stage) {
    stage.said(CREATE, "{}", MADE).await;
    let pending = PendingConsignmentId::new(stage.id("pending"));
    let mut order = orders::between_saved_places();
    order.linked_pending_consignment_ids = vec![pending];
    let create = "POST /apiv2/consignments/createConsignment";
    let request = r#"{
        "fromCompanyLocationId": 7001, "toAbbreviation": "BALFG", "carrierId": 11, "carrierServiceId": 1101,
        "dgsDeclaration": false LINKED,
        $HOSE_REELS
    }"#;
    let plain = stage.client().create(&order).await;
    let answer = r#"{ "object": { "id": "<id>", "...": "..." }, "errors": null }"#;
    stage.answered(create, &request.replace("LINKED", ""), answer);
    assert!(
        plain.is_ok(),
        "the specification lacks the field: it is sent only where that is set"
    );
    stage.speak(|dialect| dialect.optional.linked_pending = true);
    let made = stage.client().create(&order).await;
    let linked = r#", "linkedPendingConsignmentIds": ["<id:pending>"]"#;
    let answer = r#"{ "object": { "id": "<id:made>", "...": "..." }, "errors": null }"#;
    stage.answered(create, &request.replace("LINKED", linked), answer);
    assert!(made.is_ok());
    let fetched = stage.client().consignment_of_pending(pending).await;
    let by_pending = "GET /apiv2/consignments/getConsignmentByPendingConsignmentId?id=<id:pending>";
    stage.answered(by_pending, "", answer);
    assert!(fetched.is_ok());
}

/// One error of type 1 at its field, as the interface shows it.
async fn is_told(stage: &mut Stage, request: &str, member: &str, words: &str) {
    let refusal = refusal(member, words);
    stage.said_in_vain(CREATE, request, &refusal).await;
}

async fn a_bad_from_location_is_told_at_its_field(stage: &mut Stage) {
    let mut order = ConsignmentRequest::default();
    order.from.location = Some(orders::place("Alexandria", "3350"));
    let made = stage
        .client()
        .create_pending(&PendingConsignmentRequest::from_consignment(order))
        .await;
    let request =
        r#"{ "fromLocation": { "suburb": "Alexandria", "postcode": "3350" }, "items": [] }"#;
    let words = "From location suburb and postcode combination is invalid";
    stage.refused(CREATE, request, &refusal("fromLocation", words));
    let Err(Failure::Refused(errors)) = made else {
        panic!("it was refused, not {made:?}");
    };
    assert_eq!(
        (
            errors[0].validation_type.as_str(),
            errors[0].error_message.as_str()
        ),
        ("1", words)
    );
    assert_eq!(errors[0].member_names, ["fromLocation"]);
}

async fn a_missing_contact_is_told_at_its_field(stage: &mut Stage) {
    let request = r#"{
        "toName": "Ballarat Farm & Garden", "toAddressLine1": "8 Creswick Road",
        "toLocation": { "suburb": "Ballarat Central", "postcode": "3350" }
    }"#;
    is_told(stage, request, "toContact", "To contact is required").await;
}

async fn a_carrier_of_others_is_told_at_its_field(stage: &mut Stage) {
    let words = "Selected carrier is not available for this company";
    is_told(stage, r#"{ "carrierId": 16 }"#, "carrierId", words).await;
}
