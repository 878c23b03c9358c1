//! Deleting unmanifested consignments.

use serde_json::{Value, json};

use crate::support::practice::{Bench, CREATE, created, messages, order};

const DELETE: &str = "/apiv2/consignments/deleteUnmanifestedConsignments";

#[tokio::test]
async fn a_deleted_consignment_leaves_every_list_and_its_id_is_not_used_again() {
    let (bench, id) = created(CREATE, &order()).await;
    let (_, reply) = bench.post(DELETE, &json!([id])).await;
    assert_eq!(reply, json!({ "errors": null, "success": true }));
    let (_, reply) = bench
        .get(&format!("/apiv2/consignments/getConsignment?id={id}"))
        .await;
    assert_eq!(messages(&reply), ["Consignment 200001 was not found"]);
    let recent = "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments?fromDateUtc=2026-11-20T00:00:00";
    assert_eq!(bench.fetched(recent).await, json!([]));
    let waiting = bench.fetched("/apiv2/consignments/getUnmanifested").await;
    assert_eq!(waiting, json!([]));
    assert_eq!(bench.posted(CREATE, &order()).await["id"], json!(200_002));
}

#[tokio::test]
async fn all_of_them_are_deleted_or_none() {
    let bench = Bench::start().await;
    let first = bench.posted(CREATE, &order()).await["id"].clone();
    let unknown = bench.refused(DELETE, &json!([first, 5])).await;
    assert_eq!(unknown, ["Consignment 5 was not found"]);
    let there = bench.consignment(&first).await;
    assert_ne!(there, Value::Null);
    let (_, twice) = bench.post(DELETE, &json!([first, first])).await;
    assert_eq!(twice["success"], json!(true), "{twice}");
}
