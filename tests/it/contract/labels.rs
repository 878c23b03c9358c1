//! Labels: their file in two sizes, and the service's own printers ("Label file", "Operation rules" 7, "Limits"; printers
//! from the field notes).

use packbench::client::Failure;
use packbench::shipping::{ConsignmentId, LabelSize};

use crate::support::contract::{Held, Stage, cases};

cases![
    Reads a_label_file_is_a_pdf_in_base64,
    Practises a4_is_asked_for_and_a6_is_the_default,
    Practises an_unknown_consignment_has_no_labels,
];

const FILE: &str = "GET /apiv2/labels/getItemPdfFileInfo";

async fn a_label_file_is_a_pdf_in_base64(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let id = ConsignmentId::new(stage.id("made"));
    let file = stage.client().label_file(id, LabelSize::A6).await;
    let answer = r#"{
        "object": { "fileName": "MS200001-A6.pdf", "contentType": "application/pdf", "content": "<base64>" },
        "errors": null
    }"#;
    stage.answered(
        &format!("{FILE}?consignmentId=<id:made>&printA4=false"),
        "",
        answer,
    );
    let bytes = file.expect("a file").bytes().expect("bytes");
    assert!(bytes.starts_with(b"%PDF-"));
    Ok(())
}

async fn a4_is_asked_for_and_a6_is_the_default(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let id = ConsignmentId::new(stage.id("made"));
    let file = stage.client().label_file(id, LabelSize::A4).await;
    let a4 = r#"{
        "object": { "fileName": "MS200001-A4.pdf", "contentType": "application/pdf", "content": "<base64>" },
        "errors": null
    }"#;
    stage.answered(
        &format!("{FILE}?consignmentId=<id:made>&printA4=true"),
        "",
        a4,
    );
    assert!(file.is_ok());
    stage
        .said(
            &format!("{FILE}?consignmentId=<id:made>"),
            "",
            &a4.replace("A4.pdf", "A6.pdf"),
        )
        .await;
    Ok(())
}

async fn an_unknown_consignment_has_no_labels(stage: &mut Stage) -> Held {
    let file = stage
        .client()
        .label_file(ConsignmentId::new(4), LabelSize::A6)
        .await;
    let refusal = r#"{
        "object": null,
        "errors": [{ "validationType": 1, "memberNames": ["consignmentId"], "errorMessage": "Consignment 4 was not found" }]
    }"#;
    stage.refused(
        &format!("{FILE}?consignmentId=4&printA4=false"),
        "",
        refusal,
    );
    assert!(matches!(file, Err(Failure::Refused(_))));
    Ok(())
}
