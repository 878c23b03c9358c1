//! Deleting unmanifested consignments ("States and transitions"; the answer without an object from the field
//! notes).

use client::Failure;

use crate::contract::orders::FETCH;
use crate::support::contract::{Held, Stage, cases};

cases![
    Writes an_unmanifested_consignment_is_removed,
    Practises a_manifested_one_is_refused_and_stays,
    Practises without_ids_nothing_is_deleted,
];

const DELETE: &str = "POST /apiv2/consignments/deleteUnmanifestedConsignments";

async fn an_unmanifested_consignment_is_removed(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let id = stage.consignment("made");
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
    let refusal = r#"{
        "errors": [{ "validationType": 1, "memberNames": [], "errorMessage": "Consignment already manifested" }],
        "success": false
    }"#;
    stage.refused(DELETE, r#"["<id:made>", "<id:booked>"]"#, refusal);
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

async fn without_ids_nothing_is_deleted(stage: &mut Stage) -> Held {
    let deleted = stage.client().delete(&[]).await;
    let refusal = r#"{
        "errors": [{ "validationType": 1, "memberNames": [], "errorMessage": "ConsignmentIds are required" }],
        "success": false
    }"#;
    stage.refused(DELETE, "[]", refusal);
    assert!(matches!(deleted, Err(Failure::Refused(_))));
    Ok(())
}
