//! Looking consignments up by ids, numbers and references (`returnConsignments…`; the bodies from the field
//! notes).

use shipping::{ConsignmentId, IdListFormat, PendingConsignmentId};

use super::only_made;
use crate::support::contract::{Held, Json, Stage, cases};

cases![
    Reads ids_go_in_an_object,
    Practises a_bare_list_of_ids_is_taken_too,
    Practises a_hundred_ids_go_at_a_time,
    Reads carrier_numbers_go_as_a_list_of_text,
    Practises carrier_numbers_are_taken_from_the_query_too,
    Practises ten_numbers_go_at_a_time,
    Writes the_first_reference_finds_them,
    Practises the_second_reference_finds_them,
    Practises pending_ids_find_what_they_became,
];

const BY_ID: &str = "POST /apiv2/consignments/returnConsignments";
const BY_CARRIER_NUMBER: &str = "apiv2/consignments/returnConsignmentsByCarrierConsignmentId";
const BY_REFERENCE1: &str = "POST /apiv2/consignments/returnConsignmentsByReference1";
const BY_REFERENCE2: &str = "POST /apiv2/consignments/returnConsignmentsByReference2";
const BY_PENDING_ID: &str = "POST /apiv2/consignments/returnConsignmentsByPendingConsignmentIds";

async fn ids_go_in_an_object(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let id = stage.consignment("made");
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

async fn a_hundred_ids_go_at_a_time(stage: &mut Stage) -> Held {
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
    let refusal = r#"{
        "object": null,
        "errors": [{ "validationType": 1, "memberNames": [], "errorMessage": "At most 100 ids can be asked for at once" }]
    }"#;
    stage.said_in_vain(BY_ID, &list, refusal).await;
    Ok(())
}

async fn carrier_numbers_go_as_a_list_of_text(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    let made = stage
        .tell("GET", "/apiv2/consignments/getConsignment?id=<id:made>", "")
        .await;
    let number = made
        .get("carrierConsignmentId")
        .and_then(Json::as_text)
        .unwrap_or_default()
        .to_owned();
    stage.bind("number", Json::Text(number.clone()));
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

async fn ten_numbers_go_at_a_time(stage: &mut Stage) -> Held {
    let numbers: Vec<String> = (0..11).map(|number| format!("N{number}")).collect();
    let found = stage.client().consignments_by_reference1(&numbers).await;
    let first = r#"["N0", "N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8", "N9"]"#;
    let none = r#"{ "object": [], "errors": null }"#;
    stage.answered(BY_REFERENCE1, first, none);
    stage.answered(BY_REFERENCE1, r#"["N10"]"#, none);
    assert_eq!(found, Ok(Vec::new()));
    Ok(())
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
    let order = r#"{
        "fromAbbreviation": "HSYD", "toAbbreviation": "BALFG", "defaultRouteSelection": "cheapest",
        "customerReference2": "PO 7714", "dgsDeclaration": false, "items": [{ "companyItemId": 8001 }]
    }"#;
    stage
        .make_of("made", "/apiv2/consignments/createConsignment", order)
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
