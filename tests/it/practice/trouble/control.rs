//! The control address: what it accepts, what it shows, and how it refuses invalid faults.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::desk::Home;
use crate::support::practice::{Bench, CREATE, CREATE_COMPLEX, messages};
use crate::support::trouble::{Fault, Troubled as _};

const SET: &str = "/practice/setTrouble";

#[tokio::test]
async fn a_trouble_is_shown_as_it_was_set() {
    let bench = Bench::start().await;
    let trouble = bench
        .trouble()
        .on(CREATE)
        .named("The next Send")
        .skip(2)
        .once();
    let set = trouble.set(Fault::FailAfter { reset: true }).await;
    let expected = json!({
        "id": 1, "name": "The next Send", "operation": CREATE, "skip": 2, "times": 1,
        "fault": { "kind": "failAfter", "reset": true }, "seen": 0, "struck": 0, "over": false
    });
    assert_eq!(set, expected);
    // Over the bench's own client, which holds it against the definition.
    assert_eq!(bench.fetched("/practice/troubles").await, json!([expected]));
}

#[tokio::test]
async fn every_kind_of_fault_is_taken_in_its_shortest_form() {
    let bench = Bench::start().await;
    let faults = [
        json!({ "kind": "failBefore" }),
        json!({ "kind": "failAfter" }),
        json!({ "kind": "delayBefore", "ms": 1 }),
        json!({ "kind": "delayAfter", "ms": 1 }),
        json!({ "kind": "commitLate", "ms": 1 }),
        json!({ "kind": "cut", "at": 0 }),
        json!({ "kind": "garble" }),
        json!({ "kind": "truncatedJson" }),
        json!({ "kind": "wrongContentType" }),
        json!({ "kind": "unauthorised" }),
        json!({ "kind": "forbidden" }),
        json!({ "kind": "tooMany" }),
        json!({ "kind": "internal" }),
        json!({ "kind": "unavailable" }),
        json!({ "kind": "html" }),
        json!({ "kind": "redirect", "status": 301, "location": "/" }),
        json!({ "kind": "huge", "bytes": 1 }),
        json!({ "kind": "deep", "levels": 1 }),
        json!({ "kind": "duplicateIds" }),
        json!({ "kind": "lookupLag", "ms": 1 }),
    ];
    for fault in &faults {
        let set = bench.posted(SET, &json!({ "fault": fault })).await;
        assert_eq!(set["fault"]["kind"], fault["kind"]);
    }
    assert_eq!(bench.trouble().list().await.len(), faults.len());
}

#[tokio::test]
async fn an_order_that_cannot_be_read_is_unreadable_and_says_why() {
    let bench = Bench::start().await;
    for (body, word) in [
        (json!({}), "fault"),
        (json!({ "fault": { "kind": "gremlins" } }), "gremlins"),
        (json!({ "fault": { "kind": "cut" } }), "at"),
        (json!({ "fault": { "kind": "cut", "at": -1 } }), "-1"),
        (
            json!({ "fault": { "kind": "cut", "at": 1, "byte": 2 } }),
            "byte",
        ),
        (
            json!({ "fault": { "kind": "garble" }, "path": CREATE }),
            "path",
        ),
        (
            json!({ "fault": { "kind": "internal", "when": "never" } }),
            "never",
        ),
        (json!([]), "map"),
    ] {
        let (status, reply) = bench.post(SET, &body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
        assert!(messages(&reply)[0].contains(word), "{body}: {reply}");
    }
    assert!(bench.trouble().list().await.is_empty());
}

#[tokio::test]
async fn an_order_that_makes_no_sense_is_refused_at_its_field() {
    let bench = Bench::start().await;
    let garble = json!({ "kind": "garble" });
    let on = |operation: &str, fault: &Value| json!({ "operation": operation, "fault": fault });
    let lag = json!({ "kind": "lookupLag", "ms": 5 });
    for (body, member, words) in [
        (
            on("/apiv2/nowhere", &garble),
            "operation",
            "/apiv2/nowhere is not an operation",
        ),
        (
            on("/apiv2/nowhere*", &garble),
            "operation",
            "/apiv2/nowhere* is not an operation",
        ),
        (
            on(SET, &garble),
            "operation",
            "/practice/setTrouble is a control of the practice service, where faults cannot be set",
        ),
        (
            on("/apiv2/companies/getAll", &lag),
            "operation",
            "/apiv2/companies/getAll changes nothing, so lookups cannot lag behind it",
        ),
        (
            json!({ "times": 0, "fault": garble }),
            "times",
            "times must be 1 or more, or absent",
        ),
        (
            json!({ "name": "x".repeat(101), "fault": garble }),
            "name",
            "name must be at most 100 letters",
        ),
        (
            json!({ "fault": { "kind": "delayAfter", "ms": 0 } }),
            "fault.ms",
            "ms must be from 1 to 600000, not 0",
        ),
        (
            json!({ "fault": { "kind": "redirect", "status": 303, "location": "/" } }),
            "fault.status",
            "status must be 301, 302, 307 or 308",
        ),
        (
            json!({ "fault": { "kind": "redirect", "status": 301, "location": "a\nb" } }),
            "fault.location",
            "location must be an address",
        ),
        (
            json!({ "fault": { "kind": "tooMany", "retryAfter": { "seconds": 100_000 } } }),
            "fault.retryAfter",
            "retryAfter must be from 0 to 86400, not 100000",
        ),
    ] {
        let (status, reply) = bench.post(SET, &body).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        assert_eq!(messages(&reply), [words]);
        assert_eq!(reply["errors"][0]["memberNames"], json!([member]));
    }
    assert!(bench.trouble().list().await.is_empty());
}

#[tokio::test]
async fn a_trouble_is_set_on_all_operations_that_begin_alike_and_ended_alone() {
    let bench = Bench::start().await;
    let creates = "/apiv2/consignments/createConsignment*";
    bench.trouble().on(creates).set(Fault::Forbidden).await;
    bench.trouble().on(CREATE).set(Fault::Garble).await;
    for path in [CREATE, CREATE_COMPLEX] {
        assert_eq!(super::post(&bench, path, &json!({})).await.status(), 403);
    }
    let reply = bench
        .post("/practice/clearTroubles?id=1", &json!(null))
        .await
        .1;
    assert_eq!(reply["success"], json!(true));
    let left = bench.trouble().list().await;
    assert_eq!((left.len(), &left[0]["id"]), (1, &json!(2)));
    let reply = bench
        .post("/practice/clearTroubles?id=1", &json!(null))
        .await
        .1;
    assert_eq!(messages(&reply), ["No fault has this id"]);
}

#[tokio::test]
async fn there_is_an_end_to_the_troubles_that_can_be_set() {
    let bench = Bench::start().await;
    let garble = json!({ "fault": { "kind": "garble" } });
    for _ in 0..100 {
        bench.posted(SET, &garble).await;
    }
    let refused = bench.refused(SET, &garble).await;
    assert_eq!(refused, ["At most 100 faults can be set at once"]);
}

#[tokio::test]
async fn troubles_need_a_token_and_end_with_the_service() {
    let mut bench = Bench::start().await;
    bench.trouble().everywhere().set(Fault::Garble).await;
    bench.use_token("nobody's");
    let (status, _) = bench
        .post(SET, &json!({ "fault": { "kind": "garble" } }))
        .await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let again = Bench::start_in(bench.stop().await).await;
    assert!(again.trouble().list().await.is_empty());
}

#[test]
fn troubles_can_be_set_without_a_runtime() {
    let (_home, practice) = Home::with_practice();
    let trouble = practice.trouble();
    trouble.clone().everywhere().set_now(Fault::Forbidden);
    assert_eq!(
        trouble.list_now()[0]["fault"],
        json!({ "kind": "forbidden" })
    );
    assert_eq!(trouble.struck_now(), 0);
    trouble.clear_now();
    assert!(trouble.list_now().is_empty());
}
