//! Pending consignments: their required fields, and how they become consignments.

use serde_json::{Value, json};

use crate::support::practice::{
    Bench, CREATE, assert_refused, created, messages, order_with, with,
};

const CREATE_PENDING: &str = "/apiv2/pendingConsignments/createPendingConsignment";
const DELETE_PENDING: &str = "/apiv2/pendingConsignments/deletePendingConsignments";
const CONVERT: &str = "/practice/convertPendingConsignment";
const BY_PENDING: &str = "/apiv2/consignments/getConsignmentByPendingConsignmentId";
const BY_PENDING_IDS: &str = "/apiv2/consignments/returnConsignmentsByPendingConsignmentIds";

/// Everything that the interface's pending request can hold.
fn pending() -> Value {
    order_with(json!({
        "dgsDeclaration": null, "despatchDateTimeLocal": "2026-11-23T10:30:00", "sendTrackingEmail": true,
        "questionIds": ["13"], "staffMemberName": "Kiri",
        "customValues": [{ "propertyName": "palletSpaces", "value": "1" }],
        "items": [{
            "itemType": 1, "name": "Methylated spirits, 12 x 1 L", "quantity": 1,
            "weight": 11.5, "length": 36, "width": 28, "height": 32,
            "pendingConsignmentItemDgItems": [{
                "unNumber": 1170, "packingGroup": 2, "containerType": 6, "aggregateQuantity": 12,
                "isAggregateQuantityWeight": false, "numberOfContainers": 12, "isMarinePollutant": false,
                "isTemperatureControlled": false, "isEmptyDgContainer": false, "dgClassType": 1,
                "properShippingName": "ETHANOL SOLUTIONS", "hazchem": "2YE", "flashpoint": 13.0
            }]
        }]
    }))
}

async fn convert(bench: &Bench, id: &Value) -> (Value, Value) {
    let (_, mut reply) = bench
        .post(&format!("{CONVERT}?id={id}"), &Value::Null)
        .await;
    (reply["object"].take(), reply)
}

#[tokio::test]
async fn what_is_said_must_hold_each_at_its_field() {
    let bench = Bench::start().await;
    let refused = async |fields: Value| {
        bench
            .refused(CREATE_PENDING, &with(pending(), fields))
            .await
    };
    for (fields, message) in [
        (json!({ "companyId": 9 }), "Invalid Company ID"),
        (
            json!({ "toEmail": "stores" }),
            "String is not a valid email address",
        ),
        (
            json!({ "toCountryCode": "XX" }),
            "To country code XX is not served",
        ),
        (json!({ "questionIds": [99] }), "Question 99 is not known"),
        (
            json!({ "defaultRouteSelection": "slowest" }),
            "\"slowest\" is neither cheapest nor fastest",
        ),
        (
            json!({ "customValues": [{ "propertyName": "gate", "value": [2] }] }),
            "gate must be text, a number, true or false",
        ),
        (
            json!({ "receiverAccountCode": "A", "receiverAccountId": 1 }),
            "Cannot set both ReceiverAccountCode and ReceiverAccountId",
        ),
        (
            json!({ "fromAbbreviation": "NOPE" }),
            "From abbreviation NOPE is not known",
        ),
        (
            json!({ "items": [{ "itemType": "Hamper" }] }),
            "Item type Hamper is not known",
        ),
    ] {
        assert_eq!(refused(fields).await, [message]);
    }
}

#[tokio::test]
async fn a_user_converts_it_and_it_is_found_by_what_it_was() {
    let (bench, id) = created(CREATE_PENDING, &pending()).await;
    let (_, reply) = bench.get(&format!("{BY_PENDING}?id={id}")).await;
    assert_eq!(
        messages(&reply),
        ["No consignment was made from pending consignment 50001"]
    );
    let (made, reply) = convert(&bench, &id).await;
    assert_eq!(reply["errors"], Value::Null, "{reply}");
    assert_eq!(made["consignmentNumber"], json!("MS200001"));
    assert_eq!(made["despatchDateLocal"], json!("2026-11-23T10:30:00"));
    assert_eq!(
        (&made["dgsDeclaration"], &made["palletSpaces"]),
        (&json!(true), &json!(1))
    );
    assert_eq!(made["items"][0]["itemType"], json!("Carton"));
    assert_eq!(
        made["items"][0]["consignmentItemDgItems"][0]["dgClassType"],
        json!(5)
    );
    let found = bench.fetched(&format!("{BY_PENDING}?id={id}")).await;
    assert_eq!(
        (&found["id"], &found["sendingTrackingEmail"]),
        (&made["id"], &json!(true))
    );
    for body in [json!({ "ids": [id, 1] }), json!([id])] {
        let rows = bench.posted(BY_PENDING_IDS, &body).await;
        assert_eq!(
            (rows.as_array().map(Vec::len), &rows[0]["id"]),
            (Some(1), &made["id"])
        );
    }
    let (_, again) = convert(&bench, &id).await;
    assert_eq!(
        messages(&again),
        ["Pending consignment 50001 was not found"],
        "it is deleted by the conversion"
    );
}

#[tokio::test]
async fn what_is_not_complete_is_refused_in_the_words_of_a_create() {
    let bench = Bench::start().await;
    let part = json!({ "toContact": "J. Okafor", "carrierId": 11, "items": [{ "name": "Reels" }] });
    let id = bench.posted(CREATE_PENDING, &part).await["id"].clone();
    let (_, reply) = convert(&bench, &id).await;
    let said = messages(&reply);
    for message in [
        "From location is required",
        "To name is required",
        "Item type is required",
        "Item quantity is required and must be greater than 0",
        "Item weight is required and must be greater than 0",
    ] {
        assert!(
            said.iter().any(|known| known == message),
            "{message}: {said:?}"
        );
    }
    let (_, reply) = bench.post(DELETE_PENDING, &json!([id])).await;
    assert_eq!(
        reply,
        json!({ "errors": null, "success": true }),
        "still there"
    );
}

#[tokio::test]
async fn two_letters_of_a_country_become_three() {
    let bench = Bench::start().await;
    let abroad = with(
        pending(),
        json!({
            "toLocation": null, "internationalToCity": "Auckland", "internationalToPostcode": "1010",
            "toCountryCode": "NZ", "toPhone": "+64 9 555 0115", "carrierId": 14, "carrierServiceId": 1403,
            "items": [{
                "itemType": "Carton", "name": "Seals", "quantity": 1, "weight": 2.5, "length": 30, "width": 20, "height": 15,
                "pendingConsignmentItemContents": [{
                    "description": "Rubber seals", "quantity": 40, "purpose": "gift",
                    "countryOfManufactureCode": "AUS", "dollarValue": 20
                }]
            }]
        }),
    );
    let id = bench.posted(CREATE_PENDING, &abroad).await["id"].clone();
    let (made, reply) = convert(&bench, &id).await;
    assert_eq!(reply["errors"], Value::Null, "{reply}");
    assert_eq!(made["toLocation"]["country"], json!("NZL"));
    assert_eq!(
        made["items"][0]["consignmentItemContents"][0]["purpose"],
        json!("Gift")
    );
}

#[tokio::test]
async fn a_linked_pending_consignment_goes_when_the_consignment_comes() {
    let (bench, id) = created(CREATE_PENDING, &pending()).await;
    let linked = |ids: Value| order_with(json!({ "linkedPendingConsignmentIds": ids }));
    let expected = ["Pending consignment 7 was not found"];
    assert_refused(&bench, CREATE, &linked(json!([id, 7])), &expected).await;
    let made = bench.posted(CREATE, &linked(json!([id]))).await;
    let found = bench.fetched(&format!("{BY_PENDING}?id={id}")).await;
    assert_eq!(found["id"], made["id"]);
    let expected = ["Pending consignment 50001 was not found"];
    assert_refused(&bench, DELETE_PENDING, &json!([id]), &expected).await;
}

#[tokio::test]
async fn deleting_takes_all_of_them_or_none() {
    let (bench, id) = created(CREATE_PENDING, &pending()).await;
    let expected = ["Pending consignment 9 was not found"];
    assert_refused(&bench, DELETE_PENDING, &json!([id, 9]), &expected).await;
    let expected = ["Pending consignment ids are required"];
    assert_refused(&bench, DELETE_PENDING, &json!([]), &expected).await;
    bench.post(DELETE_PENDING, &json!([id])).await;
    let (_, reply) = convert(&bench, &id).await;
    assert_eq!(
        messages(&reply),
        ["Pending consignment 50001 was not found"]
    );
}
