//! Malformed and malicious requests: the service always answers, and only as documented.

use reqwest::header::{ALLOW, CONTENT_TYPE};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::practice::{Bench, CREATE, CREATE_COMPLEX, messages, order, order_with, with};

const RECENT: &str = "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments";

const PENDING: &str = "/apiv2/pendingConsignments/createPendingConsignment";
const BY_CARRIER_ID: &str = "/apiv2/consignments/returnConsignmentsByCarrierConsignmentId";

/// Posts these bytes with the clerk's token.
async fn sent(bench: &Bench, path: &str, kind: Option<&str>, body: Vec<u8>) -> (StatusCode, Value) {
    let mut request = bench.client.post(bench.url(path)).body(body);
    if let Some(kind) = kind {
        request = request.header(CONTENT_TYPE, kind);
    }
    let request = request.header("token", bench.service.token());
    let (status, _, answer) = bench.exchange(request).await;
    (
        status,
        serde_json::from_slice(&answer).expect("an envelope"),
    )
}

fn item(fields: Value) -> Value {
    let mut order = order();
    order["items"][0] = with(order["items"][0].take(), fields);
    order
}

#[tokio::test]
async fn bytes_that_are_no_json_are_unreadable() {
    let bench = Bench::start().await;
    let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
    let bodies = [
        b"".to_vec(),
        b"{".to_vec(),
        b"\xff\xfe{}".to_vec(),
        br#"{"toName": "\ud800"}"#.to_vec(),
        br#"{"companyId": 1e999}"#.to_vec(),
        br#"{"companyId": 1, "companyId": 2}"#.to_vec(),
        b"{}\0".to_vec(),
        deep,
    ];
    for body in bodies {
        let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
        let (status, reply) = sent(&bench, CREATE, Some("application/json"), body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{shown}");
        assert!(
            messages(&reply)[0].starts_with("The request could not be read"),
            "{reply}"
        );
    }
}

#[tokio::test]
async fn a_body_is_json_or_is_not_said_to_be_anything() {
    let bench = Bench::start().await;
    let body = || order().to_string().into_bytes();
    for kind in [
        None,
        Some("application/json"),
        Some("Application/JSON; charset=utf-8"),
    ] {
        assert_eq!(
            sent(&bench, CREATE, kind, body()).await.0,
            StatusCode::OK,
            "{kind:?}"
        );
    }
    for kind in [
        "text/plain",
        "application/xml",
        "multipart/form-data; boundary=x",
        "json",
        "é",
    ] {
        let (status, reply) = sent(&bench, CREATE, Some(kind), body()).await;
        assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{kind}");
        assert_eq!(
            messages(&reply),
            ["The request must be JSON: application/json"]
        );
    }
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_not_read() {
    let bench = Bench::start().await;
    let long = order_with(json!({ "specialInstructions": "x".repeat(3 << 20) }));
    let (status, reply) = sent(
        &bench,
        CREATE,
        Some("application/json"),
        long.to_string().into_bytes(),
    )
    .await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(messages(&reply), ["The request could not be received"]);
}

#[tokio::test]
async fn the_other_methods_are_refused_with_the_one_that_is_allowed() {
    let bench = Bench::start().await;
    let methods = ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECTED"];
    for (path, own) in [(CREATE, "POST"), ("/apiv2/companies/getAll", "GET,HEAD")] {
        let other = if own == "POST" { "GET" } else { "POST" };
        for method in methods.into_iter().chain([other]) {
            let method = Method::from_bytes(method.as_bytes()).expect("a method");
            let request = bench.client.request(method.clone(), bench.url(path));
            let (status, headers, _) = bench.exchange(request).await;
            assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
            assert_eq!(headers[ALLOW], own, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    let bench = Bench::start().await;
    let request = bench.client.head(bench.url("/apiv2/companies/getAll"));
    let (status, headers, answer) = bench
        .exchange(request.header("token", bench.service.token()))
        .await;
    assert_eq!((status, answer.len()), (StatusCode::OK, 0));
    assert_eq!(headers[CONTENT_TYPE], "application/json");
}

#[tokio::test]
async fn a_query_that_says_two_things_or_nonsense_is_unreadable() {
    let bench = Bench::start().await;
    let queries =
        "id=1&id=2 id=1&id= id=one id=1.5 id=%ff id=% id=%00 id=9223372036854775808 id[]=1&id=0x10";
    for query in queries.split(' ') {
        let (status, reply) = bench
            .get(&format!("/apiv2/consignments/getConsignment?{query}"))
            .await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}: {reply}");
    }
    for flag in ["maybe", "null", "2", "true&includeChildCompanies=false"] {
        let path = format!("{RECENT}?fromDateUtc=2026-11-19&includeChildCompanies={flag}");
        assert_eq!(bench.get(&path).await.0, StatusCode::BAD_REQUEST, "{flag}");
    }
    for flag in ["true", "False", "1", "0", ""] {
        let path =
            format!("{RECENT}?fromDateUtc=2026-11-19T00:00:00Z&includeChildCompanies={flag}");
        assert_eq!(bench.get(&path).await.0, StatusCode::OK, "{flag}");
    }
}

#[tokio::test]
async fn an_address_that_is_none_is_unknown() {
    let bench = Bench::start().await;
    let paths = "/ /apiv2/%ff /apiv2/%zz /swagger/%ff /swagger/..%2f..%2fCargo.toml // /apiv2/companies/getAll/";
    for path in paths.split(' ') {
        let (status, reply) = bench.get(path).await;
        assert_eq!(
            (status, &reply["object"]),
            (StatusCode::NOT_FOUND, &Value::Null),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_token_that_is_no_text_is_no_token() {
    let bench = Bench::start().await;
    for token in [b"\xff\xfe".to_vec(), b"x".repeat(8000), b" ".to_vec()] {
        let request = bench.client.get(bench.url("/apiv2/companies/getAll"));
        let (status, _, _) = bench.exchange(request.header("token", token)).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED);
    }
}

#[tokio::test]
async fn amounts_that_nothing_can_be_reckoned_with_are_refused() {
    let bench = Bench::start().await;
    for (field, value) in [
        ("weight", json!(1e15)),
        ("length", json!("99999999999")),
        ("height", json!(5e-324)),
        ("palletSpaces", json!(1e14)),
    ] {
        let refused = bench.refused(CREATE, &item(json!({ field: value }))).await;
        assert_eq!(refused.len(), 1, "{field}: {refused:?}");
    }
    for weight in [
        json!(1e16),
        json!(1e300),
        json!("99999999999999999999999999999999"),
    ] {
        let (status, _) = bench.post(CREATE, &item(json!({ "weight": weight }))).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{weight}");
    }
}

#[tokio::test]
async fn a_consignment_holds_as_many_pieces_as_can_be_labelled() {
    let bench = Bench::start().await;
    let made = bench
        .posted(CREATE, &item(json!({ "quantity": 1000, "weight": 0.1 })))
        .await;
    assert_eq!(made["totalItemCount"], json!(1000));
    let words = ["A consignment holds at most 1000 pieces"];
    assert_eq!(
        bench
            .refused(CREATE, &item(json!({ "quantity": 1001 })))
            .await,
        words
    );
    assert_eq!(
        bench
            .refused(CREATE, &item(json!({ "quantity": i64::MAX })))
            .await,
        words
    );
    let mut two = item(json!({ "quantity": i64::MAX }));
    two["items"] = json!([two["items"][0], two["items"][0]]);
    assert_eq!(bench.refused(CREATE, &two).await, words);
}

#[tokio::test]
async fn a_whole_number_may_be_written_as_a_decimal() {
    let bench = Bench::start().await;
    let order = order_with(json!({ "carrierId": 11.0, "carrierServiceId": "1101" }));
    let made = bench.posted(CREATE, &order).await;
    assert_eq!(made["carrierService"]["id"], json!(1101));
    let group = "/apiv2/manifests/groupConsignmentsForManifest";
    let groups = bench.posted(group, &json!([200_001.0])).await;
    assert_eq!(groups[0]["consignmentIds"], json!([200_001]));
    for id in [json!("200001"), json!("+200001")] {
        let groups = bench.posted(group, &json!([id])).await;
        assert_eq!(groups[0]["consignmentIds"], json!([200_001]), "{id}");
    }
    for id in [json!(true), json!("5.0"), json!([]), json!(1e300)] {
        let (status, _) = bench.post(group, &json!([id])).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{id}");
    }
}

#[tokio::test]
async fn any_text_whatever_is_kept_and_labelled() {
    let bench = Bench::start().await;
    let texts = [
        "\0\u{1}\u{7f}",
        "🦘📦👩‍👩‍👧",
        "שלום עולם",
        "नमस्ते",
        "e\u{301}\u{302}\u{303}",
        "\u{202e}\u{200d}\u{feff}\u{ffff}",
        "\u{10ffff}",
    ];
    for text in texts {
        let long = format!("a{}", text.repeat(30));
        let fields = json!({ "toName": long, "toContact": long, "toAddressLine1": long, "specialInstructions": long, "customerReference": long });
        let made = bench.posted(CREATE, &order_with(fields)).await;
        assert_eq!(made["toName"], json!(long));
        let path = format!(
            "/apiv2/labels/getItemPdfFileInfo?consignmentId={}",
            made["id"]
        );
        assert_eq!(
            bench.fetched(&path).await["contentType"],
            json!("application/pdf"),
            "{text:?}"
        );
    }
}

#[tokio::test]
async fn lists_in_place_of_records_are_no_requests() {
    let bench = Bench::start().await;
    for body in [
        json!([]),
        json!([[]]),
        json!("x"),
        json!(1),
        json!(null),
        json!({ "items": {} }),
        json!({ "items": [[]] }),
        json!({ "items": [{ "consignmentItemDgItems": [[1170, 2]] }] }),
        json!({ "fromLocation": ["Alexandria", "2015"], "items": [] }),
    ] {
        for path in [CREATE, CREATE_COMPLEX, PENDING] {
            let (status, reply) = bench.post(path, &body).await;
            assert_eq!(status, StatusCode::BAD_REQUEST, "{path} {body}: {reply}");
        }
    }
    for path in [
        "/apiv2/manifests/manifest",
        "/apiv2/consignments/updateConsignmentStatuses",
        "/apiv2/labels/sendLabelsToPrinter",
    ] {
        let (status, reply) = bench.post(path, &json!([[[200_001]]])).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path}: {reply}");
    }
}

#[tokio::test]
async fn a_post_without_its_body_asks_for_nothing() {
    let bench = Bench::start().await;
    for path in [BY_CARRIER_ID, CREATE, PENDING] {
        let (status, reply) =
            sent(&bench, &format!("{path}?x=SCX00200001"), None, Vec::new()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path}: {reply}");
    }
}

#[tokio::test]
async fn what_is_sent_twice_counts_twice_against_a_limit() {
    let bench = Bench::start().await;
    let eleven = Value::from(vec!["SO-48213"; 11]);
    let refused = bench.refused(BY_CARRIER_ID, &eleven).await;
    assert_eq!(refused, ["At most 10 values can be asked for at once"]);
}

#[tokio::test]
async fn a_fraction_is_no_id_however_small() {
    let bench = Bench::start().await;
    for id in [json!(0.5), json!(5e-324), json!(1e19), json!(-9.3e18)] {
        let (status, reply) = bench
            .post("/apiv2/consignments/returnConsignments", &json!([id]))
            .await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{id}: {reply}");
    }
}
