//! Interface, Authentication: every request carries a token.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::practice::{Bench, CREATE, order};

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
