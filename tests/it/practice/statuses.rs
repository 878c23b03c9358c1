//! Status updates: who may set which status, from which state, and when.

use serde_json::{Value, json};

use crate::support::practice::{Bench, CREATE, assert_refused, manifested, order};

const UPDATE: &str = "/apiv2/consignments/updateConsignmentStatuses";

async fn booked(bench: &Bench) -> Value {
    let id = bench.posted(CREATE, &order()).await["id"].clone();
    manifested(bench, &id).await;
    id
}

#[tokio::test]
async fn a_status_is_set_with_its_time_and_what_else_is_known() {
    let bench = Bench::start().await;
    let id = booked(&bench).await;
    bench.set_clock("2026-11-24T05:00:00Z");
    let update = json!([{
        "consignmentId": id, "status": 7, "statusDateTimeLocal": "2026-11-24T15:30:00",
        "extraInformation": "Signed by J. Okafor"
    }]);
    let (_, reply) = bench.post(UPDATE, &update).await;
    assert_eq!(reply, json!({ "errors": null, "success": true }));
    let after = bench.consignment(&id).await;
    assert_eq!(after["status"]["name"], json!("Complete"));
    let last = after["statusHistory"].as_array().expect("history").last();
    let last = last.expect("an event");
    assert_eq!(last["statusDateLocal"], json!("2026-11-24T15:30:00"));
    assert_eq!(last["statusDateUtc"], json!("2026-11-24T04:30:00"));
    assert_eq!(last["statusInformation"], json!("Signed by J. Okafor"));
    assert_eq!(last["statusIsPartial"], json!(false));
}

#[tokio::test]
async fn one_piece_alone_does_not_move_the_consignment() {
    let bench = Bench::start().await;
    let id = booked(&bench).await;
    let part = json!([{ "consignmentId": id, "status": 9, "itemReference": "SCX200001000002" }]);
    let (_, reply) = bench.post(UPDATE, &part).await;
    assert_eq!(reply["success"], json!(true), "{reply}");
    let after = bench.consignment(&id).await;
    assert_eq!(after["status"]["id"], json!(3));
    let last = &after["statusHistory"][2];
    assert_eq!(last["consignmentTrackingStatus"]["name"], json!("Damaged"));
    assert_eq!(last["statusIsPartial"], json!(true));
    let wrong = json!([{ "consignmentId": id, "status": 9, "itemReference": "SCX1" }]);
    let expected = ["Item reference SCX1 does not belong to this consignment"];
    assert_refused(&bench, UPDATE, &wrong, &expected).await;
}

#[tokio::test]
async fn neither_a_piece_nor_what_is_with_the_carrier_is_cancelled() {
    let mut bench = Bench::start().await;
    let id = booked(&bench).await;
    let supervisor = bench.service.supervisor_token().to_owned();
    bench.use_token(&supervisor);
    let piece = json!([{ "consignmentId": id, "status": 10, "itemReference": "SCX200001000001" }]);
    assert_refused(
        &bench,
        UPDATE,
        &piece,
        &["A single item cannot be cancelled"],
    )
    .await;
    bench
        .post(UPDATE, &json!([{ "consignmentId": id, "status": 5 }]))
        .await;
    let cancel = json!([{ "consignmentId": id, "status": 10 }]);
    let expected = ["Only a manifested consignment can be cancelled"];
    assert_refused(&bench, UPDATE, &cancel, &expected).await;
}

#[tokio::test]
async fn what_cannot_be_set_is_refused_at_its_field() {
    let bench = Bench::start().await;
    let waiting = bench.posted(CREATE, &order()).await["id"].clone();
    let id = booked(&bench).await;
    for (update, field, message) in [
        (
            json!({ "consignmentId": id, "status": 2 }),
            "status",
            "Consignment cannot go back to Unmanifested",
        ),
        (
            json!({ "consignmentId": id, "status": 3 }),
            "status",
            "Status Manifested cannot be set by an update",
        ),
        (
            json!({ "consignmentId": id, "status": 99 }),
            "status",
            "Status 99 is not known",
        ),
        (
            json!({ "consignmentId": id }),
            "status",
            "status is required",
        ),
        (
            json!({ "consignmentId": waiting, "status": 5 }),
            "status",
            "Consignment is not manifested yet",
        ),
        (
            json!({ "consignmentId": id, "status": 5, "statusDateTimeLocal": "2026-11-20T14:05:01" }),
            "statusDateTimeLocal",
            "Status date cannot be in the future",
        ),
        (
            json!({ "consignmentId": id, "status": 5, "statusDateTimeLocal": "soon" }),
            "statusDateTimeLocal",
            "soon is not a date and time",
        ),
        (
            json!({ "consignmentId": 7, "status": 5 }),
            "consignmentId",
            "Consignment 7 was not found",
        ),
    ] {
        let good = json!({ "consignmentId": id, "status": 5 });
        let (_, reply) = bench.post(UPDATE, &json!([good, update])).await;
        assert_eq!(
            reply,
            json!({
                "errors": [{
                    "validationType": 1, "memberNames": [format!("[1].{field}")], "errorMessage": message
                }],
                "success": false
            })
        );
    }
    assert_eq!(
        bench.consignment(&id).await["status"]["id"],
        json!(3),
        "all of a call or nothing"
    );
}

#[tokio::test]
async fn an_update_names_its_consignments() {
    let bench = Bench::start().await;
    assert_refused(&bench, UPDATE, &json!([]), &["ConsignmentIds are required"]).await;
    let order = json!([{ "status": 5 }]);
    assert_refused(&bench, UPDATE, &order, &["consignmentId is required"]).await;
}
