//! Interface, Authentication: every request carries a token.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::practice::{Bench, CREATE, messages, order};

#[tokio::test]
async fn a_ping_with_the_token_answers_true_and_no_errors() {
    let bench = Bench::start().await;
    let reply = bench.post("/apiv2/authenticate/ping", &Value::Null).await;
    assert_eq!(
        reply,
        (StatusCode::OK, json!({ "object": true, "errors": null }))
    );
}

#[tokio::test]
async fn a_missing_or_unknown_token_is_refused_with_401_everywhere() {
    let mut bench = Bench::start().await;
    for token in ["", "00ff"] {
        bench.use_token(token);
        let (status, reply) = bench.post("/apiv2/authenticate/ping", &Value::Null).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED);
        assert_eq!(reply["object"], Value::Null);
        assert_eq!(
            bench.get("/apiv2/companies/getAll").await.0,
            StatusCode::UNAUTHORIZED
        );
        assert_eq!(
            bench.post(CREATE, &order()).await.0,
            StatusCode::UNAUTHORIZED
        );
    }
}

#[tokio::test]
async fn a_view_only_token_looks_but_does_not_create() {
    let mut bench = Bench::start().await;
    let viewer = bench.service.viewer_token().to_owned();
    bench.use_token(&viewer);
    assert_eq!(bench.get("/apiv2/companies/getAll").await.0, StatusCode::OK);
    let messages = bench.refused(CREATE, &order()).await;
    assert_eq!(
        messages,
        ["You do not have permission to create consignments"]
    );
}

#[tokio::test]
async fn the_token_and_the_consignments_survive_a_restart() {
    let bench = Bench::start().await;
    let token = bench.service.token().to_owned();
    let id = bench.posted(CREATE, &order()).await["id"].clone();
    let port = bench.service.address().port();
    let folder = bench.stop().await;
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());

    let bench = Bench::start_in(folder).await;
    assert_eq!(bench.service.token(), token);
    let again = bench.consignment(&id).await;
    assert_eq!(again["consignmentNumber"], json!("MS200001"));
    assert_eq!(bench.posted(CREATE, &order()).await["id"], json!(200_002));
}

#[tokio::test]
async fn an_unreadable_request_and_an_unknown_path_are_not_successes() {
    let bench = Bench::start().await;
    let (status, reply) = bench.post(CREATE, &json!({ "companyId": "one" })).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(messages(&reply)[0].starts_with("The request could not be read"));
    assert_eq!(bench.get("/apiv2/nothing").await.0, StatusCode::NOT_FOUND);
    assert_eq!(bench.get(CREATE).await.0, StatusCode::METHOD_NOT_ALLOWED);
}
