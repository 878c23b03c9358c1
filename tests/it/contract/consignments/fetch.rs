//! Fetching a consignment, with everything it was created with and its later state ("Fetched consignments add"),
//! and looking several up by ids, numbers and references (`returnConsignments…`; the bodies from the field notes).

use client::Failure;
use shipping::{ConsignmentId, IdListFormat, PendingConsignmentId};

use super::only_made;
use crate::contract::refusal;
use crate::support::contract::{Held, Stage, cases};

cases! {
    Reads:
        a_consignment_is_fetched_with_its_history_and_totals, ids_go_in_an_object,
        carrier_numbers_go_as_a_list_of_text;
    Writes:
        the_first_reference_finds_them;
    Practises:
        a_manifested_one_says_when_and_on_which_manifest, a_completed_one_went_from_step_to_step,
        an_unknown_id_is_refused, the_consignment_that_a_pending_one_became_is_fetched_by_the_pending_id,
        a_bare_list_of_ids_is_taken_too, a_hundred_ids_go_at_a_time,
        carrier_numbers_are_taken_from_the_query_too, ten_numbers_go_at_a_time,
        the_second_reference_finds_them, pending_ids_find_what_they_became;
}

const FETCH: &str = "GET /apiv2/consignments/getConsignment";

async fn a_consignment_is_fetched_with_its_history_and_totals(stage: &mut Stage) -> Held {
    let id = stage.make_one().await?;
    let fetched = stage.client().consignment(id).await;
    let answer = r#"{
        "object": {
            "id": "<id:made>", "consignmentNumber": "MS200001", "carrierConsignmentId|null": "SCX00200001",
            "status": { "id": 2, "name": "Unmanifested", "description": "The carrier has not been booked yet" },
            "statusHistory": [$CREATED],
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

async fn an_unknown_id_is_refused(stage: &mut Stage) {
    let fetched = stage.client().consignment(ConsignmentId::new(4)).await;
    let refusal = refusal("id", "Consignment 4 was not found");
    stage.refused(&format!("{FETCH}?id=4"), "", &refusal);
    assert!(matches!(fetched, Err(Failure::Refused(errors)) if errors[0].member_names == ["id"]));
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

const BY_ID: &str = "POST /apiv2/consignments/returnConsignments";
const BY_CARRIER_NUMBER: &str = "apiv2/consignments/returnConsignmentsByCarrierConsignmentId";
const BY_REFERENCE1: &str = "POST /apiv2/consignments/returnConsignmentsByReference1";
const BY_REFERENCE2: &str = "POST /apiv2/consignments/returnConsignmentsByReference2";
const BY_PENDING_ID: &str = "POST /apiv2/consignments/returnConsignmentsByPendingConsignmentIds";

async fn ids_go_in_an_object(stage: &mut Stage) -> Held {
    let id = stage.make_one().await?;
    let found = stage.client().consignments(&[id]).await;
    stage.answered(BY_ID, r#"{ "ids": ["<id:made>"] }"#, &only_made(""));
    assert_eq!(found.expect("consignments").len(), 1);
    let found = stage.client().consignments_partial(&[id]).await;
    stage.answered(BY_ID, r#"{ "ids": ["<id:made>"] }"#, &only_made(""));
    assert_eq!(found.expect("consignments").rows.len(), 1);
    Ok(())
}

async fn a_bare_list_of_ids_is_taken_too(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    stage.speak(|dialect| dialect.ids = IdListFormat::Bare);
    let id = stage.consignment("made");
    let found = stage
        .client()
        .consignments(&[id, ConsignmentId::new(4)])
        .await;
    stage.answered(BY_ID, r#"["<id:made>", 4]"#, &only_made(""));
    assert_eq!(
        found.expect("consignments").len(),
        1,
        "what is not there is left out"
    );
    Ok(())
}

async fn a_hundred_ids_go_at_a_time(stage: &mut Stage) {
    let ids: Vec<ConsignmentId> = (1..=101).map(ConsignmentId::new).collect();
    let found = stage.client().consignments(&ids).await;
    let list: Vec<String> = (1..=100).map(|id| id.to_string()).collect();
    let none = r#"{ "object": [], "errors": null }"#;
    stage.answered(
        BY_ID,
        &format!(r#"{{ "ids": [{}] }}"#, list.join(",")),
        none,
    );
    stage.answered(BY_ID, r#"{ "ids": [101] }"#, none);
    assert_eq!(found, Ok(Vec::new()));
    let list = format!("[{}, 101]", list.join(","));
    let refusal = refusal("", "At most 100 ids can be asked for at once");
    stage.said_in_vain(BY_ID, &list, &refusal).await;
}

async fn carrier_numbers_go_as_a_list_of_text(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let number = stage
        .bind_text_of_made("number", "carrierConsignmentId")
        .await;
    let found = stage
        .client()
        .consignments_by_carrier_number(&[number])
        .await;
    stage.answered(
        &format!("POST /{BY_CARRIER_NUMBER}"),
        r#"["<text:number>"]"#,
        &only_made(""),
    );
    assert_eq!(found.expect("consignments").len(), 1);
    Ok(())
}

async fn carrier_numbers_are_taken_from_the_query_too(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let fetch = format!("GET /{BY_CARRIER_NUMBER}?carrierConsignmentId=SCX00200001");
    stage.said(&fetch, "", &only_made("")).await;
    Ok(())
}

async fn ten_numbers_go_at_a_time(stage: &mut Stage) {
    let numbers: Vec<String> = (0..11).map(|number| format!("N{number}")).collect();
    let found = stage.client().consignments_by_reference1(&numbers).await;
    let first = r#"["N0", "N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8", "N9"]"#;
    let none = r#"{ "object": [], "errors": null }"#;
    stage.answered(BY_REFERENCE1, first, none);
    stage.answered(BY_REFERENCE1, r#"["N10"]"#, none);
    assert_eq!(found, Ok(Vec::new()));
}

async fn the_first_reference_finds_them(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let found = stage
        .client()
        .consignments_by_reference1(&["SO-48213".to_owned()])
        .await;
    let answer = r#"{ "object": [{ "id": "<id>", "customerReference?": "SO-48213", "...": "..." }], "errors": null }"#;
    stage.answered(BY_REFERENCE1, r#"["SO-48213"]"#, answer);
    assert!(found.is_ok_and(|found| found.iter().any(|one| one.id.get() == stage.id("made"))));
    Ok(())
}

async fn the_second_reference_finds_them(stage: &mut Stage) -> Held {
    stage
        .make_of_saved(r#""defaultRouteSelection": "cheapest", "customerReference2": "PO 7714""#)
        .await?;
    let found = stage
        .client()
        .consignments_by_reference2(&["PO 7714".to_owned()])
        .await;
    stage.answered(BY_REFERENCE2, r#"["PO 7714"]"#, &only_made(""));
    assert_eq!(
        found.expect("consignments")[0]
            .customer_reference2
            .as_deref(),
        Some("PO 7714")
    );
    Ok(())
}

async fn pending_ids_find_what_they_became(stage: &mut Stage) -> Held {
    stage.convert("pending", "made").await?;
    let id = PendingConsignmentId::new(stage.id("pending"));
    let found = stage.client().consignments_of_pending(&[id]).await;
    stage.answered(
        BY_PENDING_ID,
        r#"{ "ids": ["<id:pending>"] }"#,
        &only_made(""),
    );
    assert_eq!(found.expect("consignments").len(), 1);
    stage
        .said(BY_PENDING_ID, r#"["<id:pending>"]"#, &only_made(""))
        .await;
    Ok(())
}
