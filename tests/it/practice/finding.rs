//! Looking consignments up by ids, numbers and references.

use serde_json::{Value, json};

use crate::support::practice::{Bench, CREATE, CREATE_COMPLEX, messages, order, order_with};

const BY_IDS: &str = "/apiv2/consignments/returnConsignments";
const BY_CARRIER_ID: &str = "/apiv2/consignments/returnConsignmentsByCarrierConsignmentId";
const BY_REFERENCE_1: &str = "/apiv2/consignments/returnConsignmentsByReference1";
const BY_REFERENCE_2: &str = "/apiv2/consignments/returnConsignmentsByReference2";
const UNMANIFESTED: &str = "/apiv2/consignments/getUnmanifested";

fn ids(rows: &Value) -> Vec<Value> {
    let rows = rows.as_array().expect("a list").iter();
    rows.map(|row| row["id"].clone()).collect()
}

#[tokio::test]
async fn ids_come_as_an_object_or_as_a_bare_array() {
    let bench = Bench::start().await;
    for _ in 0..3 {
        bench.posted(CREATE, &order()).await;
    }
    let object = bench
        .posted(BY_IDS, &json!({ "ids": [200_003, 200_001, 7, 200_003] }))
        .await;
    assert_eq!(ids(&object), [json!(200_003), json!(200_001)]);
    assert_eq!(
        object[0]["consignmentItems"][0]["name"],
        json!("Hose reels, 20 m")
    );
    let bare = bench.posted(BY_IDS, &json!(["200002"])).await;
    assert_eq!(ids(&bare), [json!(200_002)]);
    let (status, _) = bench.post(BY_IDS, &json!({ "ids": "all" })).await;
    assert_eq!(status.as_u16(), 400);
}

#[tokio::test]
async fn the_carriers_number_is_posted_or_fetched() {
    let bench = Bench::start().await;
    let own =
        order_with(json!({ "carrierConsignmentId": "HARB-0001", "items": [{ "sku": "HR-20" }] }));
    let id = bench.posted(CREATE_COMPLEX, &own).await["id"].clone();
    bench.posted(CREATE, &order()).await;
    let posted = bench
        .posted(BY_CARRIER_ID, &json!(["HARB-0001", "SCX00200002", "none"]))
        .await;
    assert_eq!(ids(&posted), [id.clone(), json!(200_002)]);
    let fetched = bench
        .fetched(&format!("{BY_CARRIER_ID}?carrierConsignmentId=HARB-0001"))
        .await;
    assert_eq!(ids(&fetched), [id]);
}

#[tokio::test]
async fn references_find_all_that_carry_them() {
    let bench = Bench::start().await;
    let second = order_with(json!({ "customerReference2": "PO 77" }));
    bench.posted(CREATE, &order()).await;
    bench.posted(CREATE, &second).await;
    let first = bench.posted(BY_REFERENCE_1, &json!(["SO-48213"])).await;
    assert_eq!(ids(&first), [json!(200_001), json!(200_002)]);
    let other = bench.posted(BY_REFERENCE_2, &json!(["PO 77", "PO"])).await;
    assert_eq!(ids(&other), [json!(200_002)]);
}

#[tokio::test]
async fn what_waits_for_a_manifest_is_listed_by_pages() {
    let bench = Bench::start().await;
    for _ in 0..3 {
        bench.posted(CREATE, &order()).await;
    }
    let (_, reply) = bench
        .get(&format!("{UNMANIFESTED}?startIndex=2&retrieveSize=2"))
        .await;
    assert_eq!(ids(&reply["object"]), [json!(200_002), json!(200_003)]);
    assert_eq!(
        (&reply["totalItems"], &reply["startIndex"]),
        (&json!(3), &json!(2))
    );
    let (_, reply) = bench
        .get(&format!("{UNMANIFESTED}?startIndex=0&retrieveSize=201"))
        .await;
    assert_eq!(
        messages(&reply),
        [
            "StartIndex counts from 1",
            "RetrieveSize must be from 1 to 200"
        ]
    );
}
