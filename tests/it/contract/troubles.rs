//! What the practice service alone has: troubles that are set, listed and cleared.

use crate::support::contract::{Held, Stage, cases};

cases![
    Practises a_trouble_is_set_listed_and_cleared,
    Practises a_trouble_on_nothing_is_refused,
];

const LIST: &str = "GET /practice/troubles";
const SET: &str = "POST /practice/setTrouble";
const CLEAR: &str = "POST /practice/clearTroubles";

async fn a_trouble_is_set_listed_and_cleared(stage: &mut Stage) -> Held {
    let request = r#"{
        "name": "The next answer is lost", "operation": "/apiv2/consignments/createConsignment", "skip": 0, "times": 1,
        "fault": { "kind": "failAfter", "reset": true }
    }"#;
    let report = r#"{
        "id": 1, "name": "The next answer is lost", "operation": "/apiv2/consignments/createConsignment",
        "skip": 0, "times": 1, "fault": { "kind": "failAfter", "reset": true }, "seen": 0, "struck": 0, "over": false
    }"#;
    let one = format!(r#"{{ "object": {report}, "errors": null }}"#);
    stage.said(SET, request, &one).await;
    let list = format!(r#"{{ "object": [{report}], "errors": null }}"#);
    stage.said(LIST, "", &list).await;
    let cleared = r#"{ "errors": null, "success": true }"#;
    stage.said(CLEAR, "", cleared).await;
    stage
        .said(LIST, "", r#"{ "object": [], "errors": null }"#)
        .await;
    Ok(())
}

async fn a_trouble_on_nothing_is_refused(stage: &mut Stage) -> Held {
    let request = r#"{ "operation": "/apiv2/nowhere", "fault": { "kind": "garble" } }"#;
    let refusal = r#"{
        "object": null,
        "errors": [{ "validationType": 1, "memberNames": ["operation"], "errorMessage": "/apiv2/nowhere is not an operation" }]
    }"#;
    stage.said_in_vain(SET, request, refusal).await;
    Ok(())
}
