//! Proofs of delivery: the list and the documents ("Attachment", "Operation rules" 6, "Limits"; the
//! documents' formats from the field notes).

use client::Failure;
use shipping::{ConsignmentId, DocumentKind};

use crate::support::contract::{Held, Skipped, Stage, cases};

cases![
    Reads the_id_goes_in_the_body_and_in_the_query,
    Practises a_completed_consignment_lists_its_files,
    Practises either_place_of_the_id_is_enough,
    Practises several_documents_come_as_a_zip,
    Practises one_document_comes_as_itself,
    Practises ten_consignments_go_at_a_time,
    Practises forty_consignments_are_the_most,
    Practises without_a_proof_there_is_nothing_to_retrieve,
];

const LIST: &str = "POST /apiv2/consignments/getAttachments";
const FILES: &str = "GET /apiv2/attachments/getAttachmentsByConsignmentIds";
const OF_MADE: &str = r#"{ "consignmentId": "<id:made>" }"#;

/// A consignment with its proof of delivery.
async fn delivered(stage: &mut Stage) -> Result<ConsignmentId, Skipped> {
    stage.book("made").await?;
    stage.practice()?.set_clock("2026-11-27T10:00:00Z");
    Ok(stage.consignment("made"))
}

async fn the_id_goes_in_the_body_and_in_the_query(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let listed = stage.client().attachments(stage.consignment("made")).await;
    let none = r#"{ "object": [], "errors": null }"#;
    stage.answered(&format!("{LIST}?consignmentId=<id:made>"), OF_MADE, none);
    assert!(listed.is_ok());
    Ok(())
}

const LISTED: &str = r#"{
    "object": [
        { "id": 2000011, "fileName": "MS200001-POD.pdf", "dateAdded": "<moment:completed>" },
        { "id": 2000012, "fileName": "MS200001-photo.jpg", "dateAdded": "<moment:completed>" }
    ],
    "errors": null
}"#;

async fn a_completed_consignment_lists_its_files(stage: &mut Stage) -> Held {
    let id = delivered(stage).await?;
    let listed = stage.client().attachments(id).await;
    stage.answered(&format!("{LIST}?consignmentId=<id:made>"), OF_MADE, LISTED);
    let listed = listed.expect("attachments");
    assert_eq!(listed[0].file_name, "MS200001-POD.pdf");
    assert!(listed[0].date_added.is_some());
    Ok(())
}

async fn either_place_of_the_id_is_enough(stage: &mut Stage) -> Held {
    delivered(stage).await?;
    stage.said(LIST, OF_MADE, LISTED).await;
    stage
        .said(&format!("{LIST}?consignmentId=<id:made>"), "", LISTED)
        .await;
    Ok(())
}

async fn several_documents_come_as_a_zip(stage: &mut Stage) -> Held {
    let id = delivered(stage).await?;
    let documents = stage.client().documents(&[id]).await;
    let came = stage.requested(&format!("{FILES}?ids=<id:made>"), "");
    assert_eq!((came.status, came.content_type()), (200, "application/zip"));
    assert!(came.answer.starts_with(b"PK\x03\x04"));
    let documents = documents.expect("documents");
    let kinds: Vec<DocumentKind> = documents.iter().map(|document| document.kind).collect();
    assert_eq!(kinds, [DocumentKind::Pdf, DocumentKind::Jpeg]);
    assert_eq!(documents[1].name.as_deref(), Some("MS200001-photo.jpg"));
    Ok(())
}

async fn one_document_comes_as_itself(stage: &mut Stage) -> Held {
    // By a carrier that takes no picture.
    let order = r#"{
        "fromAbbreviation": "HSYD", "toAbbreviation": "BALFG", "carrierId": 12, "dgsDeclaration": false,
        "items": [{ "companyItemId": 8001 }]
    }"#;
    stage
        .make_of("made", "/apiv2/consignments/createConsignment", order)
        .await?;
    stage.manifest("made").await;
    stage.practice()?.set_clock("2026-11-27T10:00:00Z");
    let documents = stage.client().documents(&[stage.consignment("made")]).await;
    let came = stage.requested(&format!("{FILES}?ids=<id:made>"), "");
    assert_eq!((came.status, came.content_type()), (200, "application/pdf"));
    assert!(came.answer.starts_with(b"%PDF-"));
    let documents = documents.expect("a document");
    assert_eq!((documents.len(), documents[0].kind), (1, DocumentKind::Pdf));
    assert_eq!(documents[0].bytes, came.answer);
    Ok(())
}

fn refusal(words: &str) -> String {
    let refusal = r#"{
        "object": null,
        "errors": [{ "validationType": 1, "memberNames": ["ids"], "errorMessage": "WORDS" }]
    }"#;
    refusal.replace("WORDS", words)
}

async fn ten_consignments_go_at_a_time(stage: &mut Stage) -> Held {
    let id = delivered(stage).await?;
    // Ten times the same id, since only the number of ids per call is tested.
    let documents = stage.client().documents(&[id; 11]).await;
    let ten = ["ids=<id:made>"; 10].join("&");
    stage.requested(&format!("{FILES}?{ten}"), "");
    stage.requested(&format!("{FILES}?ids=<id:made>"), "");
    assert_eq!(documents.expect("documents").len(), 4);
    Ok(())
}

async fn forty_consignments_are_the_most(stage: &mut Stage) -> Held {
    let ids: Vec<String> = (1..=41).map(|id| format!("ids={id}")).collect();
    let words = "At most 40 consignment ids can be asked for at once";
    stage
        .said_in_vain(&format!("{FILES}?{}", ids.join("&")), "", &refusal(words))
        .await;
    Ok(())
}

async fn without_a_proof_there_is_nothing_to_retrieve(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let documents = stage.client().documents(&[stage.consignment("made")]).await;
    let words = "No attachments were found";
    stage.refused(&format!("{FILES}?ids=<id:made>"), "", &refusal(words));
    assert!(matches!(documents, Err(Failure::Refused(errors)) if errors[0].error_message == words));
    Ok(())
}
