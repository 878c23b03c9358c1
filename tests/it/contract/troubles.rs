//! Faults, which only the practice service has: they are set, listed and cleared.

use client::{Fault, InjectedFault};

use crate::contract::{failure, refusal};
use crate::support::contract::{Stage, cases};

cases! {
    Practises:
        a_trouble_is_set_listed_and_cleared, all_troubles_are_cleared_at_once,
        a_trouble_on_nothing_is_refused, carriers_go_at_another_speed,
        all_that_is_booked_is_delivered_at_once;
}

const LIST: &str = "GET /practice/troubles";
const SET: &str = "POST /practice/setTrouble";
const CLEAR: &str = "POST /practice/clearTroubles";
const CLEARED: &str = r#"{ "errors": null, "success": true }"#;
const SPEED: &str = "POST /practice/setCarrierSpeed";
const DELIVER: &str = "POST /practice/deliverAll";
const NONE: &str = r#"{ "object": [], "errors": null }"#;

async fn a_trouble_is_set_listed_and_cleared(stage: &mut Stage) {
    let trouble = InjectedFault {
        name: "The next answer is lost",
        operation: Some("/apiv2/consignments/createConsignment*"),
        times: Some(1),
        fault: Fault::FailAfter,
    };
    let set = stage.client().set_fault(&trouble).await;
    let request = r#"{
        "name": "The next answer is lost", "operation": "/apiv2/consignments/createConsignment*", "times": 1,
        "fault": { "kind": "failAfter" }
    }"#;
    let report = r#"{
        "id": 1, "name": "The next answer is lost", "operation": "/apiv2/consignments/createConsignment*",
        "skip": 0, "times": 1, "fault": { "kind": "failAfter", "reset": false }, "seen": 0, "struck": 0, "over": false
    }"#;
    let one = format!(r#"{{ "object": {report}, "errors": null }}"#);
    stage.answered(SET, request, &one);
    let listed = stage.client().faults().await;
    let list = format!(r#"{{ "object": [{report}], "errors": null }}"#);
    stage.answered(LIST, "", &list);
    let set = set.expect("it is set");
    assert_eq!(listed.expect("a list"), std::slice::from_ref(&set));
    let cleared = stage.client().clear_faults(Some(set.id)).await;
    stage.answered(&format!("{CLEAR}?id=1"), "", CLEARED);
    assert_eq!(cleared, Ok(()));
    stage.said(LIST, "", NONE).await;
    let refusal = failure("id", "No fault has this id");
    let again = stage.client().clear_faults(Some(set.id)).await;
    stage.refused(&format!("{CLEAR}?id=1"), "", &refusal);
    assert!(again.is_err());
}

async fn all_troubles_are_cleared_at_once(stage: &mut Stage) {
    for request in [r#"{ "fault": { "kind": "garble" } }"#; 2] {
        stage.tell("POST", "/practice/setTrouble", request).await;
    }
    let cleared = stage.client().clear_faults(None).await;
    stage.answered(CLEAR, "", CLEARED);
    assert_eq!(cleared, Ok(()));
    stage.said(LIST, "", NONE).await;
}

async fn a_trouble_on_nothing_is_refused(stage: &mut Stage) {
    let request = r#"{ "operation": "/apiv2/nowhere", "fault": { "kind": "garble" } }"#;
    let refusal = refusal("operation", "/apiv2/nowhere is not an operation");
    stage.said_in_vain(SET, request, &refusal).await;
}

async fn carriers_go_at_another_speed(stage: &mut Stage) {
    let set = stage.client().set_carrier_speed(1440).await;
    stage.answered(&format!("{SPEED}?speed=1440"), "", CLEARED);
    assert_eq!(set, Ok(()));
    let refusal = failure("speed", "The speed is a whole number from 0 to 1000000");
    let too_fast = stage.client().set_carrier_speed(1_000_001).await;
    stage.refused(&format!("{SPEED}?speed=1000001"), "", &refusal);
    assert!(too_fast.is_err());
}

async fn all_that_is_booked_is_delivered_at_once(stage: &mut Stage) {
    let delivered = stage.client().deliver_all().await;
    stage.answered(DELIVER, "", CLEARED);
    assert_eq!(delivered, Ok(()));
}
