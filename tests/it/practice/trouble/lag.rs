//! Delayed lookups: for a time they show the previous state.

use serde_json::{Value, json};

use super::{order_of, until};
use crate::support::practice::{Bench, CREATE, EDIT, FIRST, FOR_EDIT, manifested};
use crate::support::trouble::{Fault, Troubled as _};

/// Longer than a test may take.
const LONG_MS: u64 = 600_000;
const RECENT: &str =
    "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments?fromDateUtc=2026-11-19T00:00:00Z";

/// Whether each lookup finds the first consignment, by its reference SO-1.
async fn found(bench: &Bench) -> Vec<bool> {
    let by_id = format!("/apiv2/consignments/getConsignment?id={FIRST}");
    let for_edit = format!("{FOR_EDIT}?id={FIRST}");
    let mut found = Vec::new();
    for path in [&by_id, &for_edit] {
        let (_, reply) = bench.get(path).await;
        found.push(reply["object"].is_object());
    }
    let mut lists = vec![
        bench.fetched(RECENT).await,
        bench.fetched(super::UNMANIFESTED).await,
    ];
    for (path, value) in [
        ("returnConsignments", json!([FIRST])),
        ("returnConsignmentsByReference1", json!(["SO-1"])),
        ("returnConsignmentsByReference2", json!(["KEY-1"])),
        (
            "returnConsignmentsByCarrierConsignmentId",
            json!(["SCX00200001"]),
        ),
    ] {
        let path = format!("/apiv2/consignments/{path}");
        lists.push(bench.posted(&path, &value).await);
    }
    found.extend(lists.iter().map(|list| list != &json!([])));
    found
}

fn order() -> Value {
    crate::support::practice::with(order_of("SO-1"), json!({ "customerReference2": "KEY-1" }))
}

#[tokio::test]
async fn what_was_made_is_in_no_lookup_until_the_lag_is_over() {
    let bench = Bench::start().await;
    let lag = Fault::LookupLag { ms: LONG_MS };
    bench.trouble().on(CREATE).once().set(lag).await;
    let made = bench.posted(CREATE, &order()).await;
    assert_eq!(made["id"], json!(FIRST), "it is done, and said to be");
    assert_eq!(found(&bench).await, [false; 8]);
    bench.trouble().clear().await;
    assert_eq!(found(&bench).await, [true; 8]);
}

#[tokio::test]
async fn a_lag_ends_by_itself() {
    let bench = Bench::start().await;
    let lag = Fault::LookupLag { ms: 300 };
    bench.trouble().on(CREATE).set(lag).await;
    bench.posted(CREATE, &order()).await;
    until("it is seen", async || {
        found(&bench).await.iter().all(|seen| *seen).then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_was_changed_is_seen_as_it_was() {
    let bench = Bench::start().await;
    bench.posted(CREATE, &order()).await;
    let lag = Fault::LookupLag { ms: LONG_MS };
    bench.trouble().everywhere().set(lag).await;
    let for_edit = format!("{FOR_EDIT}?id={FIRST}");
    let mut form = bench.fetched(&for_edit).await;
    form["customerReference"] = json!("SO-2");
    bench.posted(EDIT, &form).await;
    assert_eq!(
        bench.fetched(&for_edit).await["customerReference"],
        json!("SO-1")
    );
    // Grouping and booking see the truth.
    manifested(&bench, &json!(FIRST)).await;
    let by_id = format!("/apiv2/consignments/getConsignment?id={FIRST}");
    let seen = bench.fetched(&by_id).await;
    assert_eq!(
        (&seen["status"]["id"], &seen["manifestId"]),
        (&json!(2), &Value::Null)
    );
    bench.trouble().clear().await;
    let seen = bench.fetched(&by_id).await;
    assert_eq!(
        (&seen["status"]["id"], &seen["customerReference"]),
        (&json!(3), &json!("SO-2"))
    );
}

#[tokio::test]
async fn a_lag_counts_the_calls_that_change_something_and_leaves_room_for_another_fault() {
    let bench = Bench::start().await;
    let lag = Fault::LookupLag { ms: LONG_MS };
    bench.trouble().everywhere().skip(1).once().set(lag).await;
    let reset = false;
    bench
        .trouble()
        .on(CREATE)
        .skip(1)
        .once()
        .set(Fault::FailAfter { reset })
        .await;
    bench.posted(CREATE, &order()).await;
    assert_eq!(found(&bench).await, [true; 8]);
    let came = super::post(&bench, CREATE, &order_of("SO-2")).await;
    assert!(came.bytes.is_empty());
    assert_eq!(super::made(&bench).await, 1, "the second is not seen yet");
    let reports = bench.trouble().list().await;
    let seen: Vec<&Value> = reports.iter().map(|report| &report["seen"]).collect();
    assert_eq!(seen, [2, 2]);
}

#[tokio::test]
async fn with_more_changes_than_can_be_kept_apart_none_is_seen_too_early() {
    let bench = Bench::start().await;
    let lag = Fault::LookupLag { ms: LONG_MS };
    bench.trouble().on(CREATE).set(lag).await;
    for count in 0..40 {
        bench
            .posted(CREATE, &order_of(&format!("SO-{count}")))
            .await;
    }
    assert_eq!(super::made(&bench).await, 0);
    bench.trouble().clear().await;
    assert_eq!(super::made(&bench).await, 40);
}
