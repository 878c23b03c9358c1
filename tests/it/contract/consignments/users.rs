//! Users and accounts: what each may create, in which mode, and what is booked at once ("Authentication",
//! "States and transitions").

use client::Failure;

use crate::contract::orders;
use crate::support::contract::{Held, Stage, cases};

cases![
    Practises an_account_that_books_at_once_makes_it_manifested,
    Practises a_test_mode_token_makes_test_consignments,
    Practises a_view_only_token_makes_nothing,
];

const CREATE: &str = "POST /apiv2/consignments/createConsignment";

/// From one saved place to another.
const SAVED: &str = r#"{
    "fromCompanyLocationId": 7001, "toAbbreviation": "BALFG", "carrierId": 11, "carrierServiceId": 1101,
    "dgsDeclaration": false,
    $HOSE_REELS
}"#;

async fn an_account_that_books_at_once_makes_it_manifested(stage: &mut Stage) -> Held {
    let request = r#"{
        "companyId": 2, "carrierId": 15,
        "fromName": "Harbour NZ returns desk", "fromContact": "A. Ngata", "fromPhone": "02 5550 0115",
        "fromEmail": "returns@harbour.example", "fromAddressLine1": "14 Wharf Road",
        "fromLocation": { "suburb": "Alexandria", "postcode": "2015" },
        $RECEIVER,
        "items": [{
            "itemType": "Carton", "name": "Tent pegs", "quantity": 1,
            "weight": 4, "length": 30, "width": 20, "height": 20
        }]
    }"#;
    let answer = r#"{
        "object": {
            "status": { "id": 3, "name": "Manifested", "description": "The booking was sent to the carrier" },
            "manifestId": "<id>", "...": "..."
        },
        "errors": null
    }"#;
    stage.said(CREATE, request, answer).await;
    Ok(())
}

async fn a_test_mode_token_makes_test_consignments(stage: &mut Stage) -> Held {
    let tester = stage.practice()?.service.test_token().to_owned();
    stage.use_token(&tester);
    let made = stage.client().create(&orders::between_saved_places()).await;
    let answer = r#"{ "object": { "isTest": true, "...": "..." }, "errors": null }"#;
    stage.answered(CREATE, SAVED, answer);
    assert_eq!(made.expect("a consignment").is_test, Some(true));
    Ok(())
}

async fn a_view_only_token_makes_nothing(stage: &mut Stage) -> Held {
    let viewer = stage.practice()?.service.viewer_token().to_owned();
    stage.use_token(&viewer);
    let made = stage.client().create(&orders::between_saved_places()).await;
    let refusal = r#"{
        "object": null,
        "errors": [{
            "validationType": 1, "memberNames": [],
            "errorMessage": "You do not have permission to create consignments"
        }]
    }"#;
    stage.refused(CREATE, SAVED, refusal);
    assert!(matches!(made, Err(Failure::Refused(_))));
    Ok(())
}
