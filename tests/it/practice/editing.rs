//! Saving the editable form: rules and price are applied again, references change only on request, and
//! nothing is dropped silently.

use serde_json::{Value, json};

use crate::support::practice::{
    Bench, CREATE, CREATE_COMPLEX, EDIT, FOR_EDIT, assert_refused, created, full_order,
    international_order, manifested, messages, order, order_with, with,
};

async fn form(bench: &Bench, id: &Value) -> Value {
    bench.fetched(&format!("{FOR_EDIT}?id={id}")).await
}

#[tokio::test]
async fn a_form_that_comes_back_unchanged_changes_nothing_but_the_update_time() {
    let bench = Bench::start().await;
    for (path, sent) in [
        (CREATE, order()),
        (
            CREATE,
            order_with(json!({ "items": [{ "sku": "HR-20", "quantity": 3 }] })),
        ),
        (CREATE_COMPLEX, full_order()),
        (CREATE_COMPLEX, international_order()),
    ] {
        bench.set_clock("2026-11-20T03:05:00Z");
        let id = bench.posted(path, &sent).await["id"].clone();
        let (before, form_before) = (bench.consignment(&id).await, form(&bench, &id).await);
        // Later than what was asked for as the despatch.
        bench.set_clock("2026-11-24T03:05:00Z");
        let made = bench.posted(EDIT, &form_before).await;
        let after = bench.consignment(&id).await;
        assert_eq!(after["updateDateUtc"], json!("2026-11-24T03:05:00"));
        assert_eq!(
            with(after, json!({ "updateDateUtc": before["updateDateUtc"] })),
            before
        );
        assert_eq!(form(&bench, &id).await, form_before);
        assert_eq!(
            (&made["id"], &made["items"]),
            (&id, &before["consignmentItems"])
        );
    }
}

#[tokio::test]
async fn the_form_holds_what_a_create_request_holds_and_more() {
    let (bench, id) = created(CREATE_COMPLEX, &full_order()).await;
    let form = form(&bench, &id).await;
    for (field, value) in [
        ("id", id),
        ("companyId", json!(1)),
        ("carrierId", json!(11)),
        ("carrierServiceId", json!(1101)),
        ("carrierAccountId", json!(3101)),
        ("carrierConsignmentId", json!("HARB-0001")),
        ("fromCompanyLocationId", json!(7001)),
        ("fromName", json!("Harbour Supplies, Sydney DC")),
        ("toAddressLine2", json!("Shed 4")),
        ("customerReference2", json!("PO 77")),
        ("dispatchDateTimeUtc", json!("2026-11-23T02:00:00")),
        ("questionIds", json!([13])),
        ("printerToken", json!("bench-3")),
        ("sendingTrackingEmail", json!(true)),
        ("receiverAccountCode", json!("BFG-1")),
        ("staffMemberName", json!("Kiri")),
        ("dgsDeclaration", json!(true)),
        ("setItemReferences", json!(false)),
        ("costCentreCode", json!("HARBOUR")),
        (
            "deliveryWindow",
            json!({ "opensLocal": "08:00:00", "closesLocal": "17:00:00" }),
        ),
        (
            "customValues",
            json!([{ "propertyName": "palletSpaces", "value": "2" }]),
        ),
    ] {
        assert_eq!(form[field], value, "{field}");
    }
    let item = &form["items"][0];
    assert_eq!(item["id"], json!(2_000_010_001_i64));
    assert_eq!(item["isStackable"], json!(true));
    assert_eq!(item["standardItem"]["weight"], json!(11.5));
    assert_eq!(item["consignmentItemDgItems"][0]["hazchem"], json!("2YE"));
    assert_eq!(
        item["consignmentItemReferences"],
        json!([{ "carrierItemReference": "SCX200001000001" }])
    );
}

/// What can be left out without a trace: the user's company is the default, and each of the accounts says the other.
const IMPLIED: [&str; 3] = ["companyId", "carrierAccountId", "companyCarrierAccountId"];

#[tokio::test]
async fn a_field_that_is_left_out_is_refused_or_no_longer_so() {
    let bench = Bench::start().await;
    let sent = with(full_order(), json!({ "carrierServiceId": 1102 }));
    let id = bench.posted(CREATE_COMPLEX, &sent).await["id"].clone();
    let whole = form(&bench, &id).await;
    let fields = whole.as_object().expect("a form");
    let said = |value: &Value| {
        !value.is_null() && *value != json!(false) && *value != json!([]) && *value != json!("")
    };
    for (field, _) in fields
        .iter()
        .filter(|(field, value)| said(value) && !IMPLIED.contains(&field.as_str()))
    {
        let id = bench.posted(CREATE_COMPLEX, &sent).await["id"].clone();
        let whole = form(&bench, &id).await;
        let mut part = whole.clone();
        part.as_object_mut().expect("a form").remove(field);
        let (_, reply) = bench.post(EDIT, &part).await;
        let refused = reply["errors"] != Value::Null;
        let after = form(&bench, &id).await;
        assert!(
            refused || after[field] != whole[field],
            "{field} was dropped unseen: {after}"
        );
        assert!(!refused || after == whole, "{field}: refused, and changed");
    }
}

#[tokio::test]
async fn what_the_form_alone_holds_of_an_item_can_be_lost_too() {
    let (bench, id) = created(CREATE, &order()).await;
    let mut part = form(&bench, &id).await;
    let item = part["items"][0].as_object_mut().expect("an item");
    item.remove("isStackable");
    item.remove("id");
    bench.posted(EDIT, &part).await;
    let after = form(&bench, &id).await;
    assert_eq!(after["items"][0]["isStackable"], Value::Null);
    assert_eq!(
        after["items"][0]["id"],
        json!(2_000_010_002_i64),
        "without its id it is a new item, and ids are not used again"
    );
}

#[tokio::test]
async fn items_are_added_changed_and_removed_and_the_price_follows() {
    let bench = Bench::start().await;
    let made = bench.posted(CREATE, &order()).await;
    let id = made["id"].clone();
    let mut edited = form(&bench, &id).await;
    edited["items"][0]["quantity"] = json!(1);
    edited["items"][0]["standardItem"]["weight"] = json!(14.5);
    let new = json!({
        "itemType": "Pallet", "name": "Pavers", "quantity": 2,
        "standardItem": { "weight": 300, "length": 117, "width": 117, "height": 95 }
    });
    edited["items"].as_array_mut().expect("items").push(new);
    edited["customerReference"] = json!("SO-48214");
    let after = bench.posted(EDIT, &edited).await;
    assert_eq!(after["totalWeight"], json!(614.5));
    assert_eq!(after["customerReference"], json!("SO-48214"));
    assert_eq!(after["status"]["id"], json!(2));
    assert_eq!(
        after["trackingPageAccessToken"],
        made["trackingPageAccessToken"]
    );
    assert_eq!(
        (
            &after["items"][0]["references"],
            &after["items"][1]["references"]
        ),
        (
            &json!(["SCX200001000001"]),
            &json!(["SCX200001000003", "SCX200001000004"])
        ),
        "the second label of before is not used for something else"
    );
    let price = |reply: &Value| {
        reply["consignmentTotal"]["totalSellPrice"]
            .as_f64()
            .expect("a price")
    };
    assert!(price(&after) > price(&made), "{after}");

    let mut edited = form(&bench, &id).await;
    edited["items"].as_array_mut().expect("items").remove(0);
    let after = bench.posted(EDIT, &edited).await;
    assert_eq!(
        (&after["totalItemCount"], &after["items"][0]["name"]),
        (&json!(2), &json!("Pavers"))
    );
    let listed = bench
        .posted(
            "/apiv2/consignments/returnConsignmentsByReference1",
            &json!(["SO-48214"]),
        )
        .await;
    assert_eq!(listed[0]["id"], id, "found by what it is now");
}

#[tokio::test]
async fn all_rules_apply_again() {
    let (bench, id) = created(CREATE, &order()).await;
    let whole = form(&bench, &id).await;
    let refused = async |fields: Value| bench.refused(EDIT, &with(whole.clone(), fields)).await;
    assert_eq!(
        refused(json!({ "dgsDeclaration": null })).await,
        ["Dangerous Goods / No Dangerous Goods must be declared"]
    );
    assert_eq!(
        refused(json!({ "items": [] })).await,
        ["Items are required"]
    );
    assert_eq!(
        refused(json!({ "carrierId": 16 })).await,
        ["Selected carrier is not available for this company"]
    );
    assert_eq!(
        refused(json!({ "fromAddressLine1": "15 Wharf Road" })).await,
        [
            "From company location 7001 has a different address: send only the location or only the address"
        ]
    );
    assert_eq!(
        refused(json!({ "companyId": 9 })).await,
        ["Invalid Company ID"]
    );
    assert_eq!(refused(json!({ "id": null })).await, ["id is required"]);
    assert_eq!(
        refused(json!({ "rowVersion": null })).await,
        ["rowVersion is required"]
    );
    let mut foreign = whole.clone();
    foreign["items"][0]["id"] = json!(5);
    assert_refused(
        &bench,
        EDIT,
        &foreign,
        &["Item 5 does not belong to this consignment"],
    )
    .await;
    let mut twice = whole.clone();
    let copy = twice["items"][0].clone();
    twice["items"].as_array_mut().expect("items").push(copy);
    assert_refused(&bench, EDIT, &twice, &["The same item is sent twice"]).await;
    assert_eq!(form(&bench, &id).await, whole, "nothing of it was kept");
}

#[tokio::test]
async fn a_saved_location_is_left_by_taking_its_id_away() {
    let (bench, id) = created(CREATE, &order()).await;
    let whole = form(&bench, &id).await;
    let moved = json!({ "fromCompanyLocationId": null, "fromAddressLine1": "15 Wharf Road" });
    let after = bench.posted(EDIT, &with(whole, moved)).await;
    assert_eq!(
        (&after["fromAddressLine1"], &after["fromCompanyLocationId"]),
        (&json!("15 Wharf Road"), &Value::Null)
    );
}

#[tokio::test]
async fn the_version_is_the_one_that_was_fetched() {
    let (bench, id) = created(CREATE, &order()).await;
    let (first, second) = (form(&bench, &id).await, form(&bench, &id).await);
    bench
        .posted(
            EDIT,
            &with(first, json!({ "specialInstructions": "Gate 2" })),
        )
        .await;
    let late = with(second, json!({ "specialInstructions": "Gate 3" }));
    let expected = ["Consignment was changed since it was fetched for editing"];
    assert_refused(&bench, EDIT, &late, &expected).await;
}

#[tokio::test]
async fn what_is_manifested_is_edited_no_more() {
    let (bench, id) = created(CREATE, &order()).await;
    let whole = form(&bench, &id).await;
    manifested(&bench, &id).await;
    let (_, reply) = bench.get(&format!("{FOR_EDIT}?id={id}")).await;
    assert_eq!(messages(&reply), ["Consignment already manifested"]);
    assert_refused(&bench, EDIT, &whole, &["Consignment already manifested"]).await;
    let (_, reply) = bench.get(&format!("{FOR_EDIT}?id=7")).await;
    assert_eq!(messages(&reply), ["Consignment 7 was not found"]);
}
