//! The dangerous goods lookup ("Dangerous goods lookup entry", "Operation rules" 2, "Limits").

use client::Failure;
use shipping::{DgClass, PackingGroup, UnNumber};

use crate::support::contract::{Stage, cases};

cases! {
    Reads:
        a_number_has_an_entry_for_each_of_its_packing_groups, numbers_below_1000_are_padded_with_zeros;
    Practises:
        subsidiary_classes_and_technical_names_are_told, an_entry_fills_a_dangerous_good,
        a_number_that_is_not_padded_is_refused;
}

const LOOKUP: &str = "GET /api/DangerousGoods/GetUnNumberInformation";

fn un(number: u16) -> UnNumber {
    UnNumber::new(number).expect("a UN number")
}

async fn a_number_has_an_entry_for_each_of_its_packing_groups(stage: &mut Stage) {
    let entries = stage.client().un_numbers(&[un(1170)]).await;
    let entry = r#"{
        "unNumber": 1170, "name": "ETHANOL SOLUTIONS", "packingGroupName": "Pack Group GROUP", "packingGroup": GROUP,
        "classes": [{ "class": "3", "classType": 5, "division|null": null, "label": "Class 3 Flammable Liquids", "subRisk": false }],
        "class": { "class": "3", "classType": 5, "division|null": null, "label": "Class 3 Flammable Liquids", "subRisk": false },
        "subClasses": [], "requiresTechnicalName": false, "classesForDisplay": "3", "subClassesForDisplay|null": null
    }"#;
    let (second, third) = (entry.replace("GROUP", "2"), entry.replace("GROUP", "3"));
    let answer =
        format!(r#"{{ "object": [{second}, {third}], "errors": null, "refreshSession": false }}"#);
    stage.answered(&format!("{LOOKUP}?unNumbers=1170"), "", &answer);
    let entries = entries.expect("entries");
    assert!(entries.iter().all(|entry| entry.un_number == un(1170)));
}

async fn numbers_below_1000_are_padded_with_zeros(stage: &mut Stage) {
    let entries = stage.client().un_numbers(&[un(12), un(1203)]).await;
    let answer = r#"{
        "object": [
            {
                "unNumber": 12, "name": "CARTRIDGES, SMALL ARMS", "packingGroupName": "Pack Group N/A", "packingGroup": 4,
                "classes": [{ "class": "1.4S", "classType": 47, "...": "..." }],
                "class": { "class": "1.4S", "classType": 47, "...": "..." }, "...": "..."
            },
            { "unNumber": 1203, "name": "GASOLINE", "packingGroup": 2, "...": "..." }
        ],
        "errors": null, "refreshSession": false
    }"#;
    stage.answered(
        &format!("{LOOKUP}?unNumbers=0012&unNumbers=1203"),
        "",
        answer,
    );
    assert!(entries.is_ok());
}

async fn subsidiary_classes_and_technical_names_are_told(stage: &mut Stage) {
    let entries = stage.client().un_numbers(&[un(1992)]).await;
    let answer = r#"{
        "object": [
            {
                "unNumber": 1992, "name": "FLAMMABLE LIQUIDS, TOXIC, N.O.S.", "packingGroup": 1,
                "classes": [
                    { "class": "3", "classType": 5, "subRisk": false, "...": "..." },
                    { "class": "6.1", "classType": 11, "division": "1", "subRisk": true, "...": "..." }
                ],
                "class": { "class": "3", "classType": 5, "...": "..." },
                "subClasses": [{ "class": "6.1", "classType": 11, "division": "1", "label": "Class 6.1 Toxic Substance", "subRisk": true }],
                "requiresTechnicalName": true, "classesForDisplay": "3", "subClassesForDisplay": "6.1", "...": "..."
            },
            "..."
        ],
        "errors": null, "refreshSession": false
    }"#;
    stage.answered(&format!("{LOOKUP}?unNumbers=1992"), "", answer);
    assert!(entries.expect("entries")[0].requires_technical_name);
}

async fn an_entry_fills_a_dangerous_good(stage: &mut Stage) {
    let entries = stage.client().un_numbers(&[un(1992)]).await;
    stage.answered(
        &format!("{LOOKUP}?unNumbers=1992"),
        "",
        r#"{ "object": [{ "...": "..." }, "..."], "...": "..." }"#,
    );
    let entry = &entries.expect("entries")[1];
    assert_eq!(
        (entry.un_number, entry.packing_group),
        (un(1992), Some(PackingGroup::II))
    );
    assert_eq!(entry.main_class(), Some(DgClass::FlammableLiquid));
    assert_eq!(entry.subsidiary_classes(), [DgClass::Toxic]);
}

async fn a_number_that_is_not_padded_is_refused(stage: &mut Stage) {
    let refusal = r#"{
        "object": null,
        "errors": [{
            "validationType": 1, "memberNames": ["unNumbers"],
            "errorMessage": "UN number 12 must be written with four digits, such as 0012"
        }],
        "refreshSession": false
    }"#;
    stage
        .said_in_vain(&format!("{LOOKUP}?unNumbers=12"), "", refusal)
        .await;
    let nothing = stage.client().un_numbers(&[]).await;
    let required = r#"{
        "object": null,
        "errors": [{ "validationType": 1, "memberNames": ["unNumbers"], "errorMessage": "unNumbers is required" }],
        "refreshSession": false
    }"#;
    stage.refused(LOOKUP, "", required);
    assert!(matches!(nothing, Err(Failure::Refused(_))));
}
