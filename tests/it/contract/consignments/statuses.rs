//! Deleting unmanifested consignments, and statuses set by users. Status 10 cancels, and the carrier is not told
//! ("States and transitions", "Operation rules" 9; the answer without an object from the field notes).

use client::Failure;
use shipping::{LocalTime, StatusId, StatusUpdate};

use crate::contract::failure;
use crate::contract::orders::{FETCH, some};
use crate::support::contract::{Held, Stage, cases};

cases! {
    Writes:
        an_unmanifested_consignment_is_removed;
    Practises:
        a_manifested_one_is_refused_and_stays, without_ids_nothing_is_deleted,
        a_supervisor_cancels_a_manifested_consignment, anybody_else_cancels_nothing,
        an_unmanifested_consignment_is_deleted_and_not_cancelled, a_cancelled_consignment_stays_cancelled,
        a_status_of_one_piece_is_partial, a_status_that_nobody_knows_is_refused;
}

const DELETE: &str = "POST /apiv2/consignments/deleteUnmanifestedConsignments";

async fn an_unmanifested_consignment_is_removed(stage: &mut Stage) -> Held {
    let id = stage.make_one().await?;
    let deleted = stage.client().delete(&[id]).await;
    stage.answered(
        DELETE,
        r#"["<id:made>"]"#,
        r#"{ "errors": null, "success?": true }"#,
    );
    assert_eq!(deleted, Ok(()));
    let fetched = stage.client().consignment(id).await;
    let refusal = r#"{
        "object?": null,
        "errors": [{ "validationType": 1, "memberNames": ["id"], "errorMessage": "<text>" }]
    }"#;
    stage.refused(FETCH, "", refusal);
    assert!(matches!(
        fetched,
        Err(Failure::Refused(_) | Failure::Status(_))
    ));
    Ok(())
}

async fn a_manifested_one_is_refused_and_stays(stage: &mut Stage) -> Held {
    stage.book("booked").await?;
    stage.make("made").await?;
    let ids = ["made", "booked"].map(|name| stage.consignment(name));
    let deleted = stage.client().delete(&ids).await;
    let refusal = failure("", "Consignment already manifested");
    stage.refused(DELETE, r#"["<id:made>", "<id:booked>"]"#, &refusal);
    assert!(matches!(deleted, Err(Failure::Refused(_))));
    let left = stage.client().consignments(&ids).await;
    let both = r#"{
        "object": [
            { "id": "<id:made>", "status": { "id": 2, "...": "..." }, "...": "..." },
            { "id": "<id:booked>", "status": { "id": 3, "...": "..." }, "...": "..." }
        ],
        "errors": null
    }"#;
    let by_id = "POST /apiv2/consignments/returnConsignments";
    stage.answered(by_id, r#"{ "ids": ["<id:made>", "<id:booked>"] }"#, both);
    assert_eq!(left.expect("both").len(), 2);
    Ok(())
}

async fn without_ids_nothing_is_deleted(stage: &mut Stage) {
    let deleted = stage.client().delete(&[]).await;
    let refusal = failure("", "ConsignmentIds are required");
    stage.refused(DELETE, "[]", &refusal);
    assert!(matches!(deleted, Err(Failure::Refused(_))));
}

const UPDATE: &str = "POST /apiv2/consignments/updateConsignmentStatuses";
const DONE: &str = r#"{ "errors": null, "success": true }"#;
/// The member that a refused status is reported at.
const STATUS: &str = "[0].status";
const CANCEL: &str = r#"[{ "consignmentId": "<id:made>", "status": 10 }]"#;

fn update(stage: &Stage, status: StatusId) -> StatusUpdate {
    StatusUpdate {
        consignment_id: stage.consignment("made"),
        status,
        status_date_time_local: None,
        item_reference: None,
        extra_information: None,
    }
}

fn call_as_supervisor(stage: &mut Stage) -> Held {
    let token = stage.practice()?.service.supervisor_token().to_owned();
    stage.use_token(&token);
    Ok(())
}

async fn a_supervisor_cancels_a_manifested_consignment(stage: &mut Stage) -> Held {
    stage.book("made").await?;
    call_as_supervisor(stage)?;
    let cancel = StatusUpdate {
        extra_information: some("Ordered twice"),
        ..update(stage, StatusId::CANCELLED)
    };
    let done = stage.client().update_statuses(&[cancel]).await;
    let request =
        r#"[{ "consignmentId": "<id:made>", "status": 10, "extraInformation": "Ordered twice" }]"#;
    stage.answered(UPDATE, request, DONE);
    assert_eq!(done, Ok(()));
    let fetched = stage.client().consignment(stage.consignment("made")).await;
    let answer = r#"{
        "object": {
            "status": { "id": 10, "name": "Cancelled", "description": "The consignment will not be delivered" },
            "statusHistory": [
                { "consignmentTrackingStatus": { "id": 2, "...": "..." }, "...": "..." },
                { "consignmentTrackingStatus": { "id": 3, "...": "..." }, "...": "..." },
                {
                    "consignmentTrackingStatus": { "id": 10, "name": "Cancelled", "...": "..." },
                    "statusInformation": "Ordered twice", "carrierStatus": null, "...": "..."
                }
            ],
            "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(FETCH, "", answer);
    assert_eq!(
        fetched.expect("it").status().map(|status| status.id),
        Some(StatusId::CANCELLED)
    );
    Ok(())
}

/// Asks for this status; the service refuses it at `member`, in these words.
async fn update_in_vain(
    stage: &mut Stage,
    (status, request): (StatusId, &str),
    (member, words): (&str, &str),
) {
    let done = stage
        .client()
        .update_statuses(&[update(stage, status)])
        .await;
    stage.refused(UPDATE, request, &failure(member, words));
    assert!(matches!(done, Err(Failure::Refused(_))));
}

async fn anybody_else_cancels_nothing(stage: &mut Stage) -> Held {
    stage.book("made").await?;
    let words = "You do not have permission to cancel consignments";
    update_in_vain(stage, (StatusId::CANCELLED, CANCEL), ("", words)).await;
    Ok(())
}

async fn an_unmanifested_consignment_is_deleted_and_not_cancelled(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    call_as_supervisor(stage)?;
    let words = "Only a manifested consignment can be cancelled";
    update_in_vain(stage, (StatusId::CANCELLED, CANCEL), (STATUS, words)).await;
    Ok(())
}

async fn a_cancelled_consignment_stays_cancelled(stage: &mut Stage) -> Held {
    stage.book("made").await?;
    call_as_supervisor(stage)?;
    stage.said(UPDATE, CANCEL, DONE).await;
    let request = r#"[{ "consignmentId": "<id:made>", "status": 5 }]"#;
    let words = "Consignment is cancelled";
    update_in_vain(stage, (StatusId::IN_TRANSIT, request), (STATUS, words)).await;
    Ok(())
}

async fn a_status_of_one_piece_is_partial(stage: &mut Stage) -> Held {
    stage.book("made").await?;
    stage.practice()?.set_clock("2026-11-20T03:10:00Z");
    let local = LocalTime::read("2026-11-20T14:08:00").expect("a time");
    let scanned = StatusUpdate {
        status_date_time_local: Some(local),
        item_reference: some("SCX200001000002"),
        ..update(stage, StatusId::IN_TRANSIT)
    };
    let done = stage.client().update_statuses(&[scanned]).await;
    let request = r#"[{
        "consignmentId": "<id:made>", "status": 5, "statusDateTimeLocal": "2026-11-20T14:08:00",
        "itemReference": "SCX200001000002"
    }]"#;
    stage.answered(UPDATE, request, DONE);
    assert_eq!(done, Ok(()));
    let fetched = stage.client().consignment(stage.consignment("made")).await;
    let answer = r#"{
        "object": {
            "statusHistory": [
                "<anything>", "<anything>",
                {
                    "statusIsPartial": true, "consignmentTrackingStatus": { "id": 5, "name": "In Transit", "...": "..." },
                    "statusDateLocal": "2026-11-20T14:08:00", "statusDateUtc": "2026-11-20T03:08:00",
                    "itemReference": "SCX200001000002", "...": "..."
                }
            ],
            "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(FETCH, "", answer);
    assert!(fetched.expect("it").history()[2].status_is_partial);
    Ok(())
}

async fn a_status_that_nobody_knows_is_refused(stage: &mut Stage) -> Held {
    stage.book("made").await?;
    let request = r#"[{ "consignmentId": "<id:made>", "status": 77 }]"#;
    let words = "Status 77 is not known";
    update_in_vain(stage, (StatusId::new(77), request), (STATUS, words)).await;
    Ok(())
}
