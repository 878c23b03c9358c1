//! Authentication: the ping, and the rights of a token ("Authentication").

use client::Failure;

use crate::support::contract::{Held, Stage, cases};

cases![
    Reads a_good_token_is_told_so,
    Reads a_service_is_reached_by_one_ping,
    Reads a_token_that_is_not_known_is_refused_with_401,
    Reads a_call_without_a_token_is_refused_with_401,
    Practises a_view_only_token_proves_itself_too,
];

const PING: &str = "POST /apiv2/authenticate/ping";
const PONG: &str = r#"{ "object": true, "errors": null }"#;

async fn a_good_token_is_told_so(stage: &mut Stage) -> Held {
    let pong = stage.client().ping().await;
    stage.answered(PING, "", PONG);
    assert_eq!(pong, Ok(true));
    Ok(())
}

async fn a_service_is_reached_by_one_ping(stage: &mut Stage) -> Held {
    let took = stage.client().test_connection().await;
    stage.answered(PING, "", PONG);
    assert!(took.is_ok());
    Ok(())
}

async fn a_token_that_is_not_known_is_refused_with_401(stage: &mut Stage) -> Held {
    stage.use_token("no-such-token");
    let pong = stage.client().ping().await;
    let refusal = r#"{
        "object": null,
        "errors": [{ "validationType": 1, "memberNames": [], "errorMessage": "A valid token is required" }]
    }"#;
    stage.answered_with(401, PING, "", refusal);
    assert_eq!(pong, Err(Failure::Unauthorised));
    Ok(())
}

async fn a_call_without_a_token_is_refused_with_401(stage: &mut Stage) -> Held {
    assert_eq!(stage.visit(PING).await.status, 401);
    Ok(())
}

async fn a_view_only_token_proves_itself_too(stage: &mut Stage) -> Held {
    let viewer = stage.practice()?.service.viewer_token().to_owned();
    stage.use_token(&viewer);
    let pong = stage.client().ping().await;
    stage.answered(PING, "", PONG);
    assert_eq!(pong, Ok(true));
    Ok(())
}
