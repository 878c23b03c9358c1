//! Manifests: grouping with default pickups, booking group by group, and the resulting states of the
//! consignments.

use serde_json::{Value, json};

use crate::support::practice::{
    Bench, CREATE, CREATE_COMPLEX, assert_refused, dangerous_order, order, order_with,
    status_names, with,
};

const GROUP: &str = "/apiv2/manifests/groupConsignmentsForManifest";
const GROUP_ALL: &str = "/apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest";
const MANIFEST: &str = "/apiv2/manifests/manifest";

async fn created(bench: &Bench, path: &str, order: &Value) -> i64 {
    bench.posted(path, order).await["id"]
        .as_i64()
        .expect("an id")
}

/// Creates the plain order with these fields.
async fn created_with(bench: &Bench, fields: Value) -> i64 {
    created(bench, CREATE, &order_with(fields)).await
}

fn by_bluegum() -> Value {
    json!({ "carrierId": 12, "carrierServiceId": 1201 })
}

#[tokio::test]
async fn groups_are_by_carrier_place_and_day_with_default_pickups() {
    let bench = Bench::start().await;
    let pallets = json!([{ "companyItemId": 8003, "quantity": 2 }, { "companyItemId": 8009 }, { "companyItemId": 8001, "quantity": 9 }]);
    let first = created_with(&bench, json!({ "items": pallets })).await;
    let second = created(&bench, CREATE_COMPLEX, &dangerous_order()).await;
    let monday = created_with(
        &bench,
        json!({ "dispatchDateTimeLocal": "2026-11-23T10:00:00.000Z" }),
    )
    .await;
    let bluegum = created_with(&bench, by_bluegum()).await;
    let perth = created_with(
        &bench,
        json!({ "fromAbbreviation": "HPER", "carrierServiceId": 1102 }),
    )
    .await;
    let groups = bench.posted(GROUP_ALL, &json!("1")).await;
    assert_eq!(
        groups[0],
        json!({
            "consignmentIds": [first, second], "companyId": 1, "carrierName": "Southern Cross",
            "pickupDateTime": "2026-11-20T15:30:00", "pickupClosingTime": "2026-11-20T17:00:00", "palletSpaces": 3,
            "pickupSpecialInstructions": "Dock 3, ring the bell", "pickupAlreadyBooked": false, "dgsDeclaration": true
        })
    );
    assert_eq!(groups[1]["consignmentIds"], json!([monday]));
    assert_eq!(groups[1]["pickupDateTime"], json!("2026-11-23T15:30:00"));
    assert_eq!(groups[2]["consignmentIds"], json!([bluegum]));
    assert_eq!(
        groups[2]["pickupClosingTime"],
        json!("2026-11-20T16:30:00"),
        "the carrier stops before the dock does"
    );
    assert_eq!(groups[3]["consignmentIds"], json!([perth]));
    assert_eq!(
        groups[3]["pickupDateTime"],
        json!("2026-11-20T14:00:00"),
        "local to Perth"
    );
    assert_eq!(groups.as_array().map(Vec::len), Some(4));
    assert_eq!(
        bench.posted(GROUP_ALL, &json!(1)).await,
        groups,
        "a number is taken as well as text"
    );
}

#[tokio::test]
async fn chosen_consignments_are_grouped_once_each() {
    let bench = Bench::start().await;
    let first = created(&bench, CREATE, &order()).await;
    created(&bench, CREATE, &order()).await;
    let groups = bench.posted(GROUP, &json!([first, first])).await;
    assert_eq!(groups.as_array().map(Vec::len), Some(1));
    assert_eq!(groups[0]["consignmentIds"], json!([first]));
    assert_eq!(groups[0]["dgsDeclaration"], json!(false));
}

#[tokio::test]
async fn grouping_needs_known_ids_and_a_known_company() {
    let bench = Bench::start().await;
    assert_refused(&bench, GROUP, &json!([4]), &["Consignment 4 was not found"]).await;
    assert_refused(&bench, GROUP_ALL, &json!("8"), &["Invalid Company ID"]).await;
    assert_refused(&bench, GROUP_ALL, &json!(true), &["Invalid Company ID"]).await;
    assert_eq!(bench.posted(GROUP_ALL, &json!(1)).await, json!([]));
}

#[tokio::test]
async fn after_the_usual_time_the_next_quarter_is_proposed_then_the_next_day() {
    let bench = Bench::start().await;
    created(&bench, CREATE, &order()).await;
    bench.set_clock("2026-11-20T04:50:00Z");
    let late = bench.posted(GROUP_ALL, &json!(1)).await;
    assert_eq!(late[0]["pickupDateTime"], json!("2026-11-20T16:15:00"));
    bench.set_clock("2026-11-20T06:40:00Z");
    let too_late = bench.posted(GROUP_ALL, &json!(1)).await;
    assert_eq!(
        too_late[0]["pickupDateTime"],
        json!("2026-11-23T15:30:00"),
        "after Friday comes Monday"
    );
    assert_eq!(
        too_late[0]["pickupClosingTime"],
        json!("2026-11-23T17:00:00")
    );
    assert_eq!(
        bench.posted(MANIFEST, &too_late).await[0]["bookingSuccessful"],
        json!(true)
    );
}

#[tokio::test]
async fn a_booked_group_has_a_reference_and_its_consignments_are_manifested() {
    let bench = Bench::start().await;
    let id = created(&bench, CREATE, &order()).await;
    let groups = bench.posted(GROUP_ALL, &json!(1)).await;
    bench.set_clock("2026-11-20T03:10:00Z");
    assert_eq!(
        bench.posted(MANIFEST, &groups).await,
        json!([{
            "id": 88301, "consignmentIds": [id], "companyId": 1, "carrierReference": "SC-088301",
            "bookingSuccessful": true, "errorMessage": null
        }])
    );
    let booked = bench.consignment(&id).await;
    assert_eq!(
        (&booked["status"]["id"], &booked["manifestId"]),
        (&json!(3), &json!(88301))
    );
    assert_eq!(booked["bookedDate"], json!("2026-11-20T14:10:00"));
    assert_eq!(status_names(&booked), ["Unmanifested", "Manifested"]);
    assert_eq!(
        booked["statusHistory"][1]["statusDateUtc"],
        json!("2026-11-20T03:10:00")
    );
    let recent = "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments?fromDateUtc=2026-11-20T03:06:00";
    assert_eq!(
        bench.get(recent).await.1["object"][0]["consignmentTrackingStatus"]["id"],
        json!(3),
        "a change makes it recent"
    );
    assert_eq!(bench.posted(GROUP_ALL, &json!(1)).await, json!([]));
}

#[tokio::test]
async fn a_known_company_and_a_declaration_are_needed() {
    let bench = Bench::start().await;
    created(&bench, CREATE_COMPLEX, &dangerous_order()).await;
    let group = bench.posted(GROUP_ALL, &json!(1)).await[0].clone();
    let refused = async |fields: Value| {
        bench
            .refused(MANIFEST, &json!([with(group.clone(), fields)]))
            .await
    };
    assert_eq!(
        refused(json!({ "companyId": 12 })).await,
        ["Invalid Company ID"]
    );
    for undeclared in [Value::Null, json!(false)] {
        assert_eq!(
            refused(json!({ "dgsDeclaration": undeclared })).await,
            ["Dangerous Goods / No Dangerous Goods must be declared",]
        );
    }
    assert_eq!(
        bench.posted(MANIFEST, &json!([group])).await[0]["bookingSuccessful"],
        json!(true)
    );
}

#[tokio::test]
async fn the_pickup_is_neither_past_nor_outside_the_carriers_hours() {
    let bench = Bench::start().await;
    created(&bench, CREATE, &order()).await;
    let group = bench.posted(GROUP_ALL, &json!(1)).await[0].clone();
    for (pickup, closing) in [
        ("2026-11-20T14:04:00", "2026-11-20T17:00:00"), // past
        ("2026-11-20T17:45:00", "2026-11-20T18:00:00"), // after the carrier's hours
        ("2026-11-21T10:00:00", "2026-11-21T17:00:00"), // a Saturday
        ("2026-12-25T10:00:00", "2026-12-25T17:00:00"), // a holiday
        ("2026-11-20T16:00:00", "2026-11-20T15:00:00"), // the dock has closed
        ("soon", "2026-11-20T17:00:00"),
    ] {
        let wrong = with(
            group.clone(),
            json!({ "pickupDateTime": pickup, "pickupClosingTime": closing }),
        );
        assert_eq!(
            bench.refused(MANIFEST, &json!([wrong])).await,
            ["Invalid pickup time"],
            "{pickup}"
        );
    }
    let booked = with(
        group,
        json!({ "pickupDateTime": "2026-11-20T09:00:00", "pickupAlreadyBooked": true }),
    );
    let result = bench.posted(MANIFEST, &json!([booked])).await[0].clone();
    assert_eq!(
        (&result["bookingSuccessful"], &result["carrierReference"]),
        (&json!(true), &Value::Null),
        "no pickup is asked for"
    );
}

#[tokio::test]
async fn a_group_that_fails_does_not_hold_back_the_others() {
    let bench = Bench::start().await;
    let good = created(&bench, CREATE, &order()).await;
    let bad = created_with(&bench, by_bluegum()).await;
    let groups = bench.posted(GROUP_ALL, &json!(1)).await;
    let late = with(
        groups[1].clone(),
        json!({ "pickupDateTime": "2026-11-20T13:30:00" }),
    );
    let results = bench.posted(MANIFEST, &json!([groups[0], late])).await;
    assert_eq!(results[0]["bookingSuccessful"], json!(true));
    assert_eq!(
        results[1],
        json!({
            "id": 0, "consignmentIds": [bad], "companyId": 1, "carrierReference": null,
            "bookingSuccessful": false, "errorMessage": "Invalid pickup time"
        })
    );
    assert_eq!(bench.consignment(&good).await["status"]["id"], json!(3));
    assert_eq!(bench.consignment(&bad).await["status"]["id"], json!(2));
}

#[tokio::test]
async fn a_carriers_own_refusal_is_a_result_with_its_reason() {
    let bench = Bench::start().await;
    let id = created(&bench, CREATE, &order()).await;
    let group = bench.posted(GROUP, &json!([id])).await[0].clone();
    let results = bench
        .posted(
            MANIFEST,
            &json!([with(group, json!({ "palletSpaces": 25 }))]),
        )
        .await;
    assert_eq!(results[0]["bookingSuccessful"], json!(false));
    assert_eq!(
        results[0]["errorMessage"],
        json!("Southern Cross takes at most 24 pallet spaces in one pickup")
    );
    assert_eq!(bench.consignment(&id).await["status"]["id"], json!(2));
}

#[tokio::test]
async fn a_group_is_of_one_carrier_and_one_company() {
    let bench = Bench::start().await;
    let first = created(&bench, CREATE, &order()).await;
    let second = created_with(&bench, by_bluegum()).await;
    let group = bench.posted(GROUP, &json!([first])).await[0].clone();
    let refused = async |fields: Value| {
        bench
            .refused(MANIFEST, &json!([with(group.clone(), fields)]))
            .await
    };
    assert_eq!(
        refused(json!({ "consignmentIds": [first, second] })).await,
        ["All consignments of a group must have the same carrier",]
    );
    assert_eq!(
        refused(json!({ "companyId": 2 })).await,
        ["All consignments of a group must belong to the group's company"]
    );
    assert_eq!(
        refused(json!({ "consignmentIds": [first, first] })).await,
        ["A consignment is in the group twice"]
    );
}
