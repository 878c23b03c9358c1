//! Fetching one consignment: everything it was created with, and its later state ("Fetched consignments
//! add").

use client::Failure;
use shipping::{ConsignmentId, PendingConsignmentId};

use crate::support::contract::{Held, Stage, cases};

cases![
    Reads a_consignment_is_fetched_with_its_history_and_totals,
    Practises a_manifested_one_says_when_and_on_which_manifest,
    Practises a_completed_one_went_from_step_to_step,
    Practises an_unknown_id_is_refused,
    Practises the_consignment_that_a_pending_one_became_is_fetched_by_the_pending_id,
];

const FETCH: &str = "GET /apiv2/consignments/getConsignment";

async fn a_consignment_is_fetched_with_its_history_and_totals(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let id = stage.consignment("made");
    let fetched = stage.client().consignment(id).await;
    let answer = r#"{
        "object": {
            "id": "<id:made>", "consignmentNumber": "MS200001", "carrierConsignmentId|null": "SCX00200001",
            "status": { "id": 2, "name": "Unmanifested", "description": "The carrier has not been booked yet" },
            "statusHistory": [{
                "consignmentId": "<id:made>", "createdByName": "<text>", "createdByUserId": "<integer>",
                "statusIsPartial": false,
                "consignmentTrackingStatus": {
                    "id": 2, "name": "Unmanifested", "description": "The carrier has not been booked yet"
                },
                "statusDateLocal": "2026-11-20T14:05:00", "statusDateUtc|null": "2026-11-20T03:05:00",
                "carrierStatus|null": null, "carrierStatusDescription|null": null, "statusInformation|null": null,
                "itemReference?": null
            }],
            "trackingPageAccessToken": "<text>",
            "consignmentTotal": { "sellPricesCleared": false, "totalSellPrice": 26.08, "...": "..." },
            "consignmentItems?": [{
                "id?": "<id>", "itemType": "Carton", "name": "Hose reels, 20 m", "quantity": 2, "weight": 9,
                "references?": ["SCX200001000001", "SCX200001000002"], "...": "..."
            }],
            "despatchDateLocal": "2026-11-20T14:05:00", "despatchDateUtc": "2026-11-20T03:05:00",
            "etaLocal|null": "2026-11-24T17:00:00", "etaUtc|null": "2026-11-24T06:00:00",
            "carrier": { "id": 11, "name": "Southern Cross", "abbreviation": "SCX", "displayName": "Southern Cross" },
            "carrierService": { "id": 1101, "name": "Road", "abbreviation": "ROAD", "displayName": "Road" },
            "isTest": false, "manifestId|null": null, "bookedDate|null": null, "completedDate|null": null,
            "completedDateUtc|null": null, "attachmentCount": 0, "important": false, "carrierName": "Southern Cross",
            "totalWeight": 18, "totalCubic": 0.096, "totalVolume": 0.096, "heaviestWeight": 9, "totalItemCount": 2,
            "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(&format!("{FETCH}?id=<id:made>"), "", answer);
    let fetched = fetched.expect("a consignment");
    assert_eq!(fetched.id, id);
    assert!(!fetched.history().is_empty() && fetched.status().is_some());
    if stage.practice().is_ok() {
        assert_eq!(fetched.item_references().len(), 2);
    }
    Ok(())
}

async fn a_manifested_one_says_when_and_on_which_manifest(stage: &mut Stage) -> Held {
    stage.book("made").await?;
    let id = stage.consignment("made");
    let fetched = stage.client().consignment(id).await;
    let answer = r#"{
        "object": {
            "id": "<id:made>", "status": { "id": 3, "name": "Manifested", "...": "..." },
            "statusHistory": [
                { "consignmentTrackingStatus": { "id": 2, "...": "..." }, "...": "..." },
                { "consignmentTrackingStatus": { "id": 3, "...": "..." }, "...": "..." }
            ],
            "manifestId": "<id>", "bookedDate": "2026-11-20T14:05:00", "completedDate": null, "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(&format!("{FETCH}?id=<id:made>"), "", answer);
    assert!(fetched.expect("a consignment").is_manifested());
    Ok(())
}

async fn a_completed_one_went_from_step_to_step(stage: &mut Stage) -> Held {
    stage.book("made").await?;
    stage.practice()?.set_clock("2026-11-27T10:00:00Z");
    let fetched = stage.client().consignment(stage.consignment("made")).await;
    let answer = r#"{
        "object": {
            "id": "<id:made>", "status": { "id": 7, "name": "Complete", "description": "The goods have arrived" },
            "statusHistory": [
                { "consignmentTrackingStatus": { "id": 2, "...": "..." }, "carrierStatus": null, "...": "..." },
                { "consignmentTrackingStatus": { "id": 3, "...": "..." }, "carrierStatus": null, "...": "..." },
                {
                    "statusDateLocal": "<moment>", "statusDateUtc": "<moment>", "carrierStatus": "<text>",
                    "carrierStatusDescription": "<text>", "createdByName": "Southern Cross tracking", "...": "..."
                },
                "..."
            ],
            "completedDate": "<moment>", "completedDateUtc": "<moment>", "attachmentCount": 2, "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(&format!("{FETCH}?id=<id:made>"), "", answer);
    let fetched = fetched.expect("a consignment");
    let steps = fetched
        .history()
        .iter()
        .filter_map(|step| step.consignment_tracking_status.as_ref());
    let steps: Vec<i64> = steps
        .map(|status| status.id.get())
        .filter(|id| [2, 3, 5, 7].contains(id))
        .collect();
    assert_eq!(steps, [2, 3, 5, 7]);
    Ok(())
}

async fn an_unknown_id_is_refused(stage: &mut Stage) -> Held {
    let fetched = stage.client().consignment(ConsignmentId::new(4)).await;
    let refusal = r#"{
        "object": null,
        "errors": [{ "validationType": 1, "memberNames": ["id"], "errorMessage": "Consignment 4 was not found" }]
    }"#;
    stage.refused(&format!("{FETCH}?id=4"), "", refusal);
    assert!(matches!(fetched, Err(Failure::Refused(errors)) if errors[0].member_names == ["id"]));
    Ok(())
}

async fn the_consignment_that_a_pending_one_became_is_fetched_by_the_pending_id(
    stage: &mut Stage,
) -> Held {
    stage.convert("pending", "made").await?;
    let id = PendingConsignmentId::new(stage.id("pending"));
    let fetched = stage.client().consignment_of_pending(id).await;
    let by_pending = "GET /apiv2/consignments/getConsignmentByPendingConsignmentId?id=<id:pending>";
    let answer = r#"{ "object": { "id": "<id:made>", "status": { "id": 2, "...": "..." }, "...": "..." }, "errors": null }"#;
    stage.answered(by_pending, "", answer);
    assert_eq!(fetched.expect("a consignment").id.get(), stage.id("made"));
    Ok(())
}
