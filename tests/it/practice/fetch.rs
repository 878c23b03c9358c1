//! Fetching one consignment, and the list of recent changes.

use practice::DeliveryScenario;
use serde_json::{Value, json};

use crate::support::practice::{
    Bench, CREATE, CREATE_COMPLEX, FIRST, booked, dangerous_order, messages, order, order_with,
};

const RECENT: &str = "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments";

/// The envelope of the list of changes since midnight, with these parameters.
async fn recent(bench: &Bench, query: &str) -> Value {
    let path = format!("{RECENT}?fromDateUtc=2026-11-20T00:00:00&{query}");
    bench.get(&path).await.1
}

#[tokio::test]
async fn a_fetched_consignment_has_addresses_references_and_totals() {
    let bench = Bench::start().await;
    let sent = order_with(json!({
        "customerReference2": "PO 77", "specialInstructions": "Ring bell at gate 2", "questionIds": ["13"]
    }));
    let id = bench.posted(CREATE, &sent).await["id"].clone();
    let fetched = bench.consignment(&id).await;
    for (field, value) in [
        ("companyId", json!(1)),
        ("customerReference", json!("SO-48213")),
        ("customerReference2", json!("PO 77")),
        ("fromName", json!("Harbour Supplies, Sydney DC")),
        ("fromContact", json!("Dock office")),
        ("toName", json!("Ballarat Farm & Garden")),
        ("toAddressLine1", json!("8 Creswick Road")),
        ("toEmail", json!("stores@bfg.example")),
        ("specialInstructions", json!("Ring bell at gate 2")),
        ("questionIds", json!([13])),
        ("dgsDeclaration", json!(false)),
        ("items", Value::Null),
        ("carrierAccountId", json!(3101)),
        ("companyCarrierAccountId", json!(5101)),
    ] {
        assert_eq!(fetched[field], value, "{field}");
    }
}

#[tokio::test]
async fn a_fetched_consignment_has_its_items_and_how_it_came_to_its_status() {
    let bench = Bench::start().await;
    let sent = order_with(json!({ "staffMemberName": "Kiri" }));
    let id = bench.posted(CREATE, &sent).await["id"].clone();
    let fetched = bench.consignment(&id).await;
    assert_eq!(
        fetched["toLocation"],
        json!({
            "id": 1022, "suburb": "Ballarat Central", "postcode": "3350", "state": "VIC",
            "timeZone": "Australia/Melbourne", "country": "AUS"
        })
    );
    assert_eq!(
        fetched["consignmentItems"][0],
        json!({
            "id": 2_000_010_001_i64, "companyItemId": null, "itemType": "Carton", "name": "Hose reels, 20 m", "sku": "HOSE", "quantity": 2, "weight": 9,
            "length": 40, "width": 40, "height": 30, "palletSpaces": null,
            "references": ["SCX200001000001", "SCX200001000002"],
            "consignmentItemDgItems": [], "consignmentItemContents": []
        })
    );
    assert_eq!(fetched["statusHistory"][0]["createdByName"], json!("Kiri"));
}

#[tokio::test]
async fn a_consignment_is_fetched_by_an_id() {
    let bench = Bench::start().await;
    let path = "/apiv2/consignments/getConsignment";
    let (status, reply) = bench.get(path).await;
    assert_eq!((status.as_u16(), &reply["object"]), (200, &Value::Null));
    assert_eq!(messages(&reply), ["id is required"]);
}

#[tokio::test]
async fn the_list_is_lighter_and_names_status_and_history_its_own_way() {
    let bench = Bench::start().await;
    bench.posted(CREATE_COMPLEX, &dangerous_order()).await;
    let (_, reply) = bench
        .get(&format!("{RECENT}?fromDateUtc=2026-11-20T00:00:00"))
        .await;
    assert_eq!(
        (
            &reply["totalItems"],
            &reply["startIndex"],
            &reply["retrievalSize"]
        ),
        (&json!(1), &json!(1), &json!(40))
    );
    let row = &reply["object"][0];
    assert_eq!(row["consignmentTrackingStatus"]["id"], json!(2));
    assert_eq!(
        row["consignmentTrackingHistories"][0]["consignmentTrackingStatus"]["name"],
        json!("Unmanifested")
    );
    for absent in ["status", "statusHistory", "items", "consignmentItems"] {
        assert_eq!(row[absent], Value::Null, "{absent}");
    }
    for (field, value) in [
        ("toName", json!("Ballarat Farm & Garden")),
        ("customerReference", json!("SO-48213")),
        ("carrierName", json!("Southern Cross")),
        ("despatchDateUtc", json!("2026-11-20T03:05:00")),
        ("dgsDeclaration", json!(true)),
        ("totalItemCount", json!(1)),
        ("totalWeight", json!(11.5)),
    ] {
        assert_eq!(row[field], value, "{field}");
    }
    assert_eq!(
        (&row["toLocation"]["suburb"], &row["carrierService"]["name"]),
        (&json!("Ballarat Central"), &json!("Road"))
    );
}

#[tokio::test]
async fn the_list_is_paged_from_1() {
    let bench = Bench::start().await;
    for _ in 0..43 {
        bench.posted(CREATE, &order()).await;
    }
    let first = recent(&bench, "startIndex=1&retrieveSize=40").await;
    let second = recent(&bench, "startIndex=41&retrieveSize=40").await;
    assert_eq!(
        (
            &first["totalItems"],
            first["object"].as_array().map(Vec::len)
        ),
        (&json!(43), Some(40))
    );
    assert_eq!(
        (
            &second["startIndex"],
            second["object"].as_array().map(Vec::len)
        ),
        (&json!(41), Some(3))
    );
    assert_eq!(second["object"][0]["id"], json!(200_041));
    let reply = recent(&bench, "startIndex=0").await;
    assert_eq!(messages(&reply), ["StartIndex counts from 1"]);
}

#[tokio::test]
async fn the_list_is_filtered() {
    let bench = Bench::start().await;
    bench.posted(CREATE, &order()).await;
    let child = json!({ "companyId": 2, "fromAbbreviation": "HAKL", "toAbbreviation": "ALPS", "carrierId": 16, "items": [{ "sku": "TP-200" }] });
    bench.posted(CREATE, &child).await;
    let total = async |query: &str| recent(&bench, query).await["totalItems"].take();
    assert_eq!(total("").await, json!(1));
    assert_eq!(total("includeChildCompanies=true").await, json!(2));
    assert_eq!(total("companyId=2").await, json!(1));
    assert_eq!(total("carrierId=12").await, json!(0));
    assert_eq!(total("toDateUtc=2026-11-20T03:04:59").await, json!(0));
    assert_eq!(total("toDateUtc=2026-11-20T03:05:00").await, json!(1));
    let reply = recent(&bench, "companyId=5").await;
    assert_eq!(messages(&reply), ["Invalid Company ID"]);
}

#[tokio::test]
async fn a_change_between_two_others_is_found_by_its_own_time() {
    let bench = Bench::start_where(DeliveryScenario::Smooth).await;
    booked(&bench, &order()).await;
    let other = order_with(json!({ "carrierId": 12, "carrierServiceId": 1201 }));
    bench.posted(CREATE, &other).await;
    bench.set_clock("2026-11-27T10:00:00Z");
    let found = async |query: &str| {
        let (_, reply) = bench.get(&format!("{RECENT}?{query}")).await;
        let rows = reply["object"].as_array().expect("rows").clone();
        assert_eq!(reply["totalItems"], json!(rows.len()));
        rows.iter().map(|row| row["id"].clone()).collect::<Vec<_>>()
    };
    // Created on Friday at 03:05, picked up at half past four, delivered on Tuesday at six.
    let friday = "fromDateUtc=2026-11-20T04:00:00&toDateUtc=2026-11-20T05:00:00";
    assert_eq!(found(friday).await, [FIRST]);
    let quiet = "fromDateUtc=2026-11-24T07:00:00";
    assert_eq!(found(quiet).await, <[i64; 0]>::default());
    let before = "fromDateUtc=2026-11-20T00:00:00&toDateUtc=2026-11-20T03:00:00";
    assert_eq!(found(before).await, <[i64; 0]>::default());
    let all = "fromDateUtc=2026-11-20T03:05:00";
    assert_eq!(found(all).await, [FIRST, FIRST + 1]);
    assert_eq!(found(&format!("{all}&carrierId=12")).await, [FIRST + 1]);
}

#[tokio::test]
async fn a_list_that_is_paged_through_shows_what_is_written_meanwhile() {
    let bench = Bench::start().await;
    let total = async || {
        let (_, reply) = bench
            .get(&format!("{RECENT}?fromDateUtc=2026-11-20T00:00:00"))
            .await;
        reply["totalItems"].clone()
    };
    bench.posted(CREATE, &order()).await;
    assert_eq!((total().await, total().await), (json!(1), json!(1)));
    bench.posted(CREATE, &order()).await;
    assert_eq!(total().await, json!(2));
    let delete = "/apiv2/consignments/deleteUnmanifestedConsignments";
    bench.post(delete, &json!([FIRST])).await;
    assert_eq!(total().await, json!(1));
}
