//! Labels: the file in two sizes, and the service's own printers ("Label file", "Operation rules" 7,
//! "Limits"; printers from the field notes).

use client::Failure;
use shipping::{ConsignmentId, LabelSize, LabelType, PrintLabelsRequest, PrinterId, PrinterStatus};

use crate::support::contract::{Held, Stage, cases};

cases![
    Reads a_label_file_is_a_pdf_in_base64,
    Practises a4_is_asked_for_and_a6_is_the_default,
    Practises an_unknown_consignment_has_no_labels,
    Practises the_service_says_which_printers_there_are,
    Practises labels_are_sent_to_one_of_its_printers,
    Practises nothing_is_sent_to_a_printer_that_is_not_there,
    Practises a_printer_token_prints_by_rule_when_the_consignment_is_made,
];

const PRINTERS: &str = "POST /apiv2/labels/groupConsignmentsForPrinting";
const SEND: &str = "POST /apiv2/labels/sendLabelsToPrinter";
const FILE: &str = "GET /apiv2/labels/getItemPdfFileInfo";

async fn a_label_file_is_a_pdf_in_base64(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let id = stage.consignment("made");
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
    let id = stage.consignment("made");
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
    stage.make("made").await?;
    let id = stage.consignment("made");
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
    stage.make("made").await?;
    let id = stage.consignment("made");
    let order = PrintLabelsRequest::new(
        vec![id],
        LabelType::Item,
        PrinterId::new(699),
        LabelSize::A6,
    );
    let sent = stage.client().send_labels(&[order]).await;
    let request = r#"[{ "consignmentIds": ["<id:made>"], "labelType": 3, "printerId": 699, "printA4": false }]"#;
    let refusal = r#"{
        "errors": [{ "validationType": 1, "memberNames": ["printerId"], "errorMessage": "Printer 699 is not known" }],
        "success": false
    }"#;
    stage.refused(SEND, request, refusal);
    assert!(matches!(sent, Err(Failure::Refused(_))));
    Ok(())
}

async fn a_printer_token_prints_by_rule_when_the_consignment_is_made(stage: &mut Stage) -> Held {
    let order = r#"{
        "fromAbbreviation": "HSYD", "toAbbreviation": "BALFG", "defaultRouteSelection": "cheapest",
        "printerToken": "BENCH-1", "dgsDeclaration": false, "items": [{ "companyItemId": 8001 }]
    }"#;
    stage
        .make_of("made", "/apiv2/consignments/createConsignment", order)
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
