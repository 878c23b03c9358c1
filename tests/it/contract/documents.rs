//! Labels: the file in two sizes, and the service's own printers ("Label file", "Operation rules" 7); proofs of
//! delivery: the list and the documents ("Attachment", "Operation rules" 6). "Limits"; printers and the formats of
//! documents from the field notes.

use client::Failure;
use shipping::{
    ConsignmentId, DocumentKind, LabelSize, LabelType, PrintLabelsRequest, PrinterId, PrinterStatus,
};

use crate::contract::{failure, refusal};
use crate::support::contract::{Held, Skipped, Stage, cases};

cases! {
    Reads:
        a_label_file_is_a_pdf_in_base64, the_id_goes_in_the_body_and_in_the_query;
    Practises:
        a4_is_asked_for_and_a6_is_the_default, an_unknown_consignment_has_no_labels,
        the_service_says_which_printers_there_are, labels_are_sent_to_one_of_its_printers,
        nothing_is_sent_to_a_printer_that_is_not_there,
        a_printer_token_prints_by_rule_when_the_consignment_is_made, a_completed_consignment_lists_its_files,
        either_place_of_the_id_is_enough, several_documents_come_as_a_zip, one_document_comes_as_itself,
        ten_consignments_go_at_a_time, forty_consignments_are_the_most,
        without_a_proof_there_is_nothing_to_retrieve;
}

const PRINTERS: &str = "POST /apiv2/labels/groupConsignmentsForPrinting";
const SEND: &str = "POST /apiv2/labels/sendLabelsToPrinter";
const FILE: &str = "GET /apiv2/labels/getItemPdfFileInfo";

/// The answer with a label file of this size.
fn label_file(size: &str) -> String {
    let file = r#"{
        "object": { "fileName": "MS200001-SIZE.pdf", "contentType": "application/pdf", "content": "<base64>" },
        "errors": null
    }"#;
    file.replace("SIZE", size)
}

async fn a_label_file_is_a_pdf_in_base64(stage: &mut Stage) -> Held {
    let made = stage.make_one().await?;
    let file = stage.client().label_file(made, LabelSize::A6).await;
    let asked = format!("{FILE}?consignmentId=<id:made>&printA4=false");
    stage.answered(&asked, "", &label_file("A6"));
    let bytes = file.expect("a file").bytes().expect("bytes");
    assert!(bytes.starts_with(b"%PDF-"));
    Ok(())
}

async fn a4_is_asked_for_and_a6_is_the_default(stage: &mut Stage) -> Held {
    let made = stage.make_one().await?;
    let file = stage.client().label_file(made, LabelSize::A4).await;
    let asked = format!("{FILE}?consignmentId=<id:made>&printA4=true");
    stage.answered(&asked, "", &label_file("A4"));
    assert!(file.is_ok());
    let asked = format!("{FILE}?consignmentId=<id:made>");
    stage.said(&asked, "", &label_file("A6")).await;
    Ok(())
}

async fn an_unknown_consignment_has_no_labels(stage: &mut Stage) {
    let file = stage
        .client()
        .label_file(ConsignmentId::new(4), LabelSize::A6)
        .await;
    let refusal = refusal("consignmentId", "Consignment 4 was not found");
    stage.refused(
        &format!("{FILE}?consignmentId=4&printA4=false"),
        "",
        &refusal,
    );
    assert!(matches!(file, Err(Failure::Refused(_))));
}

async fn the_service_says_which_printers_there_are(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let printers = stage.client().printers(&[stage.consignment("made")]).await;
    let answer = r#"{
        "object": {
            "printers": [
                {
                    "id": 601, "name": "SYD-LABEL-1", "description": "Sydney DC, packing bench 1, A6 labels",
                    "companyId": 1, "disabled": false, "status": 1
                },
                "..."
            ],
            "defaultItemPrinter": {
                "id": 601, "name": "SYD-LABEL-1", "description": "Sydney DC, packing bench 1, A6 labels",
                "companyId": 1, "disabled": false, "status": 1
            },
            "defaultA4Printer": {
                "id": 602, "name": "SYD-OFFICE", "description": "Sydney DC, dispatch office, A4",
                "companyId": 1, "disabled": false, "status": 1
            },
            "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(PRINTERS, r#"["<id:made>"]"#, answer);
    let choice = printers.expect("printers");
    let statuses: Vec<PrinterStatus> = choice
        .printers
        .iter()
        .map(shipping::ServicePrinter::status)
        .collect();
    let (online, offline) = (PrinterStatus::Online, PrinterStatus::Offline);
    assert_eq!(
        statuses,
        [
            online,
            online,
            offline,
            PrinterStatus::NoHandshake,
            PrinterStatus::Unknown
        ]
    );
    Ok(())
}

async fn labels_are_sent_to_one_of_its_printers(stage: &mut Stage) -> Held {
    let id = stage.make_one().await?;
    let orders = [
        PrintLabelsRequest::new(
            vec![id],
            LabelType::Item,
            PrinterId::new(601),
            LabelSize::A6,
        ),
        PrintLabelsRequest::new(
            vec![id],
            LabelType::Consignment,
            PrinterId::new(602),
            LabelSize::A4,
        ),
    ];
    let sent = stage.client().send_labels(&orders).await;
    let request = r#"[
        { "consignmentIds": ["<id:made>"], "labelType": 3, "printerId": 601, "printA4": false },
        { "consignmentIds": ["<id:made>"], "labelType": 2, "printerId": 602, "printA4": true }
    ]"#;
    stage.answered(SEND, request, r#"{ "errors": null, "success": true }"#);
    assert_eq!(sent, Ok(()));
    let printed = r#"{
        "object": [
            { "consignmentIds": ["<id:made>"], "labelType": 2, "printerId": 602, "printA4": true, "printingRule": null, "...": "..." },
            { "consignmentIds": ["<id:made>"], "labelType": 3, "printerId": 601, "printA4": false, "printingRule": null, "...": "..." }
        ],
        "errors": null
    }"#;
    stage.said("GET /practice/printJobs", "", printed).await;
    Ok(())
}

async fn nothing_is_sent_to_a_printer_that_is_not_there(stage: &mut Stage) -> Held {
    let id = stage.make_one().await?;
    let order = PrintLabelsRequest::new(
        vec![id],
        LabelType::Item,
        PrinterId::new(699),
        LabelSize::A6,
    );
    let sent = stage.client().send_labels(&[order]).await;
    let request = r#"[{ "consignmentIds": ["<id:made>"], "labelType": 3, "printerId": 699, "printA4": false }]"#;
    let refusal = failure("printerId", "Printer 699 is not known");
    stage.refused(SEND, request, &refusal);
    assert!(matches!(sent, Err(Failure::Refused(_))));
    Ok(())
}

async fn a_printer_token_prints_by_rule_when_the_consignment_is_made(stage: &mut Stage) -> Held {
    stage
        .make_of_saved(r#""defaultRouteSelection": "cheapest", "printerToken": "BENCH-1""#)
        .await?;
    let printed = r#"{
        "object": [{
            "consignmentIds": ["<id:made>"], "labelType": 3, "printerId": 601, "printA4": false,
            "printingRule": "Bench labels", "...": "..."
        }],
        "errors": null
    }"#;
    stage.said("GET /practice/printJobs", "", printed).await;
    Ok(())
}

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
    stage.make_of_saved(r#""carrierId": 12"#).await?;
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

async fn forty_consignments_are_the_most(stage: &mut Stage) {
    let ids: Vec<String> = (1..=41).map(|id| format!("ids={id}")).collect();
    let words = "At most 40 consignment ids can be asked for at once";
    stage
        .said_in_vain(
            &format!("{FILES}?{}", ids.join("&")),
            "",
            &refusal("ids", words),
        )
        .await;
}

async fn without_a_proof_there_is_nothing_to_retrieve(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let documents = stage.client().documents(&[stage.consignment("made")]).await;
    let words = "No attachments were found";
    stage.refused(
        &format!("{FILES}?ids=<id:made>"),
        "",
        &refusal("ids", words),
    );
    assert!(matches!(documents, Err(Failure::Refused(errors)) if errors[0].error_message == words));
    Ok(())
}
