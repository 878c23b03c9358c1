//! Grouping and booking ("Manifest group", "Manifest result", "Operation rules" 5, and their rows of "Errors").

use client::Failure;
use shipping::{CompanyId, CompanyIdFormat, LocalTime, ManifestGroup};

use crate::contract::orders::FETCH;
use crate::contract::refusal;
use crate::support::contract::{Held, Stage, cases};

cases! {
    Reads:
        chosen_consignments_are_grouped_with_default_pickups, all_of_a_company_is_grouped_by_its_id_as_text;
    Writes:
        a_group_goes_back_adjusted_and_is_booked;
    Practises:
        all_of_a_company_is_grouped_by_a_number_too, no_pickup_is_needed_where_one_is_booked_already,
        a_group_that_cannot_be_booked_says_so_in_its_result, dangerous_goods_are_declared_again,
        without_ids_nothing_is_grouped_or_booked, an_unknown_company_has_no_groups,
        what_is_manifested_is_not_manifested_again,
        a_pickup_that_is_past_or_outside_the_carriers_hours_is_refused;
}

const GROUP: &str = "POST /apiv2/manifests/groupConsignmentsForManifest";
const GROUP_ALL: &str = "POST /apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest";
const MANIFEST: &str = "POST /apiv2/manifests/manifest";

const GROUPS: &str = r#"{
    "object": [{
        "consignmentIds": ["<id>"], "companyId": 1,
        "pickupDateTime": "2026-11-20T15:30:00", "pickupClosingTime": "2026-11-20T17:00:00", "palletSpaces": 0,
        "pickupSpecialInstructions|null": "Dock 3, ring the bell", "pickupAlreadyBooked": false,
        "carrierName": "Southern Cross", "dgsDeclaration?": false
    }],
    "errors": null
}"#;

/// The group of one consignment, as it is posted.
const POSTED: &str = r#"[{
    "consignmentIds": ["<id:made>"], "companyId": 1,
    "pickupDateTime": "PICKUP", "pickupClosingTime": "2026-11-20T17:00:00", "palletSpaces": SPACES,
    "pickupSpecialInstructions": "Dock 3, ring the bell", "pickupAlreadyBooked": BOOKED,
    "carrierName": "Southern Cross", "dgsDeclaration": false
}]"#;

fn posted(pickup: &str, spaces: &str, booked: bool) -> String {
    let posted = POSTED.replace("PICKUP", pickup).replace("SPACES", spaces);
    posted.replace("BOOKED", &booked.to_string())
}

/// Makes a consignment, and groups it.
async fn grouped(
    stage: &mut Stage,
) -> Result<Vec<ManifestGroup>, crate::support::contract::Skipped> {
    stage.make("made").await?;
    let groups = stage.client().group(&[stage.consignment("made")]).await;
    stage.answered(GROUP, r#"["<id:made>"]"#, GROUPS);
    Ok(groups.expect("groups"))
}

async fn chosen_consignments_are_grouped_with_default_pickups(stage: &mut Stage) -> Held {
    let groups = grouped(stage).await?;
    assert_eq!(groups[0].consignment_ids, [stage.consignment("made")]);
    assert!(groups[0].pickup_date_time.is_some() && !groups[0].pickup_already_booked);
    Ok(())
}

async fn all_of_a_company_is_grouped_by_its_id_as_text(stage: &mut Stage) -> Held {
    stage.needs(&["company"])?;
    stage.make("made").await?;
    let company = CompanyId::new(stage.id("company"));
    let groups = stage.client().group_all(company).await;
    stage.answered(GROUP_ALL, r#""<text:company text>""#, GROUPS);
    assert!(groups.is_ok());
    Ok(())
}

async fn all_of_a_company_is_grouped_by_a_number_too(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    stage.speak(|dialect| dialect.company = CompanyIdFormat::Number);
    let groups = stage.client().group_all(CompanyId::new(1)).await;
    stage.answered(GROUP_ALL, "1", GROUPS);
    assert_eq!(groups.expect("groups").len(), 1);
    Ok(())
}

async fn a_group_goes_back_adjusted_and_is_booked(stage: &mut Stage) -> Held {
    stage.make("made").await?;
    stage.needs_no_carrier("made").await?;
    let groups = stage.client().group(&[stage.consignment("made")]).await;
    stage.answered(GROUP, r#"["<id:made>"]"#, GROUPS);
    let mut groups = groups.expect("groups");
    let elsewhere = stage.practice().is_err();
    groups[0].pallet_spaces = Some(2);
    if !elsewhere {
        groups[0].pickup_date_time = LocalTime::read("2026-11-20T16:00:00").ok();
    }
    let results = stage.client().manifest(&groups).await;
    let answer = r#"{
        "object": [{
            "id": "<id:manifest>", "consignmentIds": ["<id:made>"], "companyId": 1, "carrierReference|null": "<text>",
            "bookingSuccessful": true, "errorMessage|null": null
        }],
        "errors": null
    }"#;
    let request = posted("2026-11-20T16:00:00", "2", false);
    if elsewhere {
        stage.answered_to_anything(MANIFEST, answer);
    } else {
        stage.answered(MANIFEST, &request, answer);
    }
    let results = results.expect("results");
    assert!(results[0].booking_successful);
    let fetched = stage.client().consignment(stage.consignment("made")).await;
    let booked = r#"{
        "object": {
            "id": "<id:made>", "status": { "id": 3, "name": "Manifested", "description": "The booking was sent to the carrier" },
            "manifestId": "<id:manifest>", "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(FETCH, "", booked);
    assert!(fetched.expect("a consignment").is_manifested());
    Ok(())
}

async fn no_pickup_is_needed_where_one_is_booked_already(stage: &mut Stage) -> Held {
    let mut groups = grouped(stage).await?;
    groups[0].pickup_already_booked = true;
    // Long past, but irrelevant.
    groups[0].pickup_date_time = LocalTime::read("2026-11-20T06:00:00").ok();
    let results = stage.client().manifest(&groups).await;
    let answer = r#"{
        "object": [{
            "id": "<id>", "consignmentIds": ["<id:made>"], "companyId": 1, "carrierReference": null,
            "bookingSuccessful": true, "errorMessage": null
        }],
        "errors": null
    }"#;
    stage.answered(MANIFEST, &posted("2026-11-20T06:00:00", "0", true), answer);
    assert_eq!(results.expect("results")[0].carrier_reference, None);
    Ok(())
}

async fn a_group_that_cannot_be_booked_says_so_in_its_result(stage: &mut Stage) -> Held {
    let mut groups = grouped(stage).await?;
    groups[0].pallet_spaces = Some(99);
    let results = stage.client().manifest(&groups).await;
    let answer = r#"{
        "object": [{
            "id": 0, "consignmentIds": ["<id:made>"], "companyId": 1, "carrierReference": null,
            "bookingSuccessful": false, "errorMessage": "Southern Cross takes at most 24 pallet spaces in one pickup"
        }],
        "errors": null
    }"#;
    stage.answered(
        MANIFEST,
        &posted("2026-11-20T15:30:00", "99", false),
        answer,
    );
    let results = results.expect("results");
    assert!(!results[0].booking_successful && results[0].error_message.is_some());
    Ok(())
}

async fn dangerous_goods_are_declared_again(stage: &mut Stage) -> Held {
    let order = r#"{
        "fromAbbreviation": "HSYD", "toAbbreviation": "BALFG", "carrierId": 11, "dgsDeclaration": true,
        "items": [{ "companyItemId": 8002 }]
    }"#;
    let complex = "/apiv2/consignments/createConsignmentwithComplexItems";
    stage.make_of("made", complex, order).await?;
    let groups = stage.client().group(&[stage.consignment("made")]).await;
    let declared = GROUPS.replace(r#""dgsDeclaration?": false"#, r#""dgsDeclaration?": true"#);
    stage.answered(GROUP, r#"["<id:made>"]"#, &declared);
    let mut groups = groups.expect("groups");
    assert_eq!(groups[0].dgs_declaration, Some(true));
    groups[0].dgs_declaration = Some(false);
    let results = stage.client().manifest(&groups).await;
    let words = "Dangerous Goods / No Dangerous Goods must be declared";
    stage.refused(
        MANIFEST,
        &posted("2026-11-20T15:30:00", "0", false),
        &refusal("", words),
    );
    assert!(matches!(results, Err(Failure::Refused(_))));
    Ok(())
}

async fn without_ids_nothing_is_grouped_or_booked(stage: &mut Stage) {
    let groups = stage.client().group(&[]).await;
    stage.refused(GROUP, "[]", &refusal("", "ConsignmentIds are required"));
    assert!(groups.is_err());
    let results = stage.client().manifest(&[]).await;
    stage.refused(MANIFEST, "[]", &refusal("", "ConsignmentIds are required"));
    assert!(results.is_err());
    let empty = r#"[{ "consignmentIds": [], "companyId": 1 }]"#;
    stage
        .said_in_vain(MANIFEST, empty, &refusal("", "ConsignmentIds are required"))
        .await;
}

async fn an_unknown_company_has_no_groups(stage: &mut Stage) {
    let groups = stage.client().group_all(CompanyId::new(77)).await;
    stage.refused(GROUP_ALL, r#""77""#, &refusal("", "Invalid Company ID"));
    assert!(
        matches!(groups, Err(Failure::Refused(errors)) if errors[0].error_message == "Invalid Company ID")
    );
}

async fn what_is_manifested_is_not_manifested_again(stage: &mut Stage) -> Held {
    let groups = grouped(stage).await?;
    let request = posted("2026-11-20T15:30:00", "0", false);
    let first = stage.client().manifest(&groups).await;
    let booked = r#"{ "object": [{ "bookingSuccessful": true, "...": "..." }], "errors": null }"#;
    stage.answered(MANIFEST, &request, booked);
    let second = stage.client().manifest(&groups).await;
    stage.refused(
        MANIFEST,
        &request,
        &refusal("", "Consignment already manifested"),
    );
    assert!(first.is_ok() && second.is_err());
    let again = stage.client().group(&[stage.consignment("made")]).await;
    stage.refused(
        GROUP,
        r#"["<id:made>"]"#,
        &refusal("", "Consignment already manifested"),
    );
    assert!(again.is_err());
    Ok(())
}

async fn a_pickup_that_is_past_or_outside_the_carriers_hours_is_refused(stage: &mut Stage) -> Held {
    let groups = grouped(stage).await?;
    for pickup in [
        "2026-11-20T14:00:00",
        "2026-11-20T18:30:00",
        "2026-11-21T10:00:00",
    ] {
        let mut groups = groups.clone();
        groups[0].pickup_date_time = LocalTime::read(pickup).ok();
        let results = stage.client().manifest(&groups).await;
        let request = posted(pickup, "0", false);
        stage.refused(MANIFEST, &request, &refusal("", "Invalid pickup time"));
        assert!(matches!(results, Err(Failure::Refused(_))));
    }
    Ok(())
}
