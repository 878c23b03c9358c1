//! The ping and the rights of a token ("Authentication"); companies, their saved locations, and the carriers that
//! they may use ("Endpoints"; shapes of the first two from the field notes, "Carrier listing" from the interface).

use client::Failure;
use shipping::CompanyId;

use crate::contract::refusal;
use crate::support::contract::{Held, Stage, cases};

cases! {
    Reads:
        a_good_token_is_told_so, a_service_is_reached_by_one_ping,
        a_token_that_is_not_known_is_refused_with_401, a_call_without_a_token_is_refused_with_401,
        companies_are_listed, saved_locations_are_listed, carriers_have_accounts_and_these_have_services;
    Practises:
        a_view_only_token_proves_itself_too, companies_at_or_below_another_are_listed,
        saved_locations_are_at_a_longer_address_too, saved_locations_of_another_company_are_listed,
        an_unknown_company_has_no_listing;
}

const PING: &str = "POST /apiv2/authenticate/ping";
const PONG: &str = r#"{ "object": true, "errors": null }"#;

async fn a_good_token_is_told_so(stage: &mut Stage) {
    let pong = stage.client().ping().await;
    stage.answered(PING, "", PONG);
    assert_eq!(pong, Ok(true));
}

async fn a_service_is_reached_by_one_ping(stage: &mut Stage) {
    let took = stage.client().test_connection().await;
    stage.answered(PING, "", PONG);
    assert!(took.is_ok());
}

async fn a_token_that_is_not_known_is_refused_with_401(stage: &mut Stage) {
    stage.use_token("no-such-token");
    let pong = stage.client().ping().await;
    let refusal = refusal("", "A valid token is required");
    stage.answered_with(401, PING, "", &refusal);
    assert_eq!(pong, Err(Failure::Unauthorised));
}

async fn a_call_without_a_token_is_refused_with_401(stage: &mut Stage) {
    assert_eq!(stage.visit(PING).await.status, 401);
}

async fn a_view_only_token_proves_itself_too(stage: &mut Stage) -> Held {
    let viewer = stage.practice()?.service.viewer_token().to_owned();
    stage.use_token(&viewer);
    let pong = stage.client().ping().await;
    stage.answered(PING, "", PONG);
    assert_eq!(pong, Ok(true));
    Ok(())
}

const COMPANIES: &str = "GET /apiv2/companies/getAll";
const LOCATIONS: &str = "GET /apiv2/companyLocations";
const CARRIERS: &str = "GET /apiv2/companies/getAvailableCarriersAccountsAndServices";

const HARBOUR: &str = r#"{
    "object": [
        { "id": 1, "name": "Harbour Supplies", "accountCode?": "HARBOUR", "displayName?": "Harbour Supplies", "parentCompanyId?": null },
        {
            "id": 2, "name": "Harbour Supplies New Zealand", "accountCode?": "HARBOURNZ",
            "displayName?": "Harbour Supplies New Zealand", "parentCompanyId?": 1
        }
    ],
    "errors": null
}"#;

const PLACES: &str = r#"{
    "object": [
        {
            "id": 7001, "locationType?": 3, "name": "Harbour Supplies, Sydney DC", "abbreviation?": "HSYD",
            "contact?": "Dock office", "phone?": "02 5550 0114", "email?": "dock.sydney@harbour.example",
            "addressLine1?": "14 Wharf Road", "addressLine2?": "", "companyId?": 1,
            "location?": {
                "id?": "<id>", "suburb": "Alexandria", "postcode": "2015", "state?": "NSW",
                "timeZone?": "Australia/Sydney", "country?": "AUS"
            },
            "specialInstructions?": "", "defaultPickupTime?": "15:30:00", "defaultClosingTime?": "17:00:00",
            "defaultPickupInstructions?": "Dock 3, ring the bell", "isInternational?": false
        },
        "..."
    ],
    "errors": null
}"#;

async fn companies_are_listed(stage: &mut Stage) {
    let listed = stage.client().companies(None).await;
    stage.answered(COMPANIES, "", HARBOUR);
    let listed = listed.expect("companies");
    assert!(
        listed
            .iter()
            .any(|company| company.id.get() == stage.id("company"))
    );
}

async fn companies_at_or_below_another_are_listed(stage: &mut Stage) {
    let listed = stage.client().companies(Some(CompanyId::new(2))).await;
    let below = r#"{ "object": [{ "id": 2, "name": "Harbour Supplies New Zealand", "...": "..." }], "errors": null }"#;
    stage.answered(&format!("{COMPANIES}?atOrBelowCompanyId=2"), "", below);
    assert_eq!(listed.expect("companies").len(), 1);
    let unknown = format!("{COMPANIES}?atOrBelowCompanyId=9");
    stage
        .said_in_vain(&unknown, "", &refusal("", "Invalid Company ID"))
        .await;
}

async fn saved_locations_are_listed(stage: &mut Stage) -> Held {
    let listed = stage.client().company_locations(None).await;
    stage.answered(LOCATIONS, "", PLACES);
    stage.needs(&["sender"])?;
    let sender = stage.text("sender");
    let listed = listed.expect("saved locations").rows;
    let found = listed.iter().find(|place| place.abbreviation == sender);
    assert_eq!(
        found.map(|place| place.id.get()),
        Some(stage.id("sender id"))
    );
    Ok(())
}

async fn saved_locations_are_at_a_longer_address_too(stage: &mut Stage) {
    let longer = "/apiv2/companyLocations/getAll";
    stage.speak(|dialect| longer.clone_into(&mut dialect.paths.company_locations));
    let company = CompanyId::new(stage.id("company"));
    let listed = stage.client().company_locations(Some(company)).await;
    stage.answered(&format!("GET {longer}?companyId=<id:company>"), "", PLACES);
    assert_eq!(listed.expect("saved locations").len(), 9);
}

async fn saved_locations_of_another_company_are_listed(stage: &mut Stage) {
    let listed = stage
        .client()
        .company_locations(Some(CompanyId::new(2)))
        .await;
    let places = r#"{
        "object": [
            {
                "id": 7010, "abbreviation": "HAKL", "companyId": 2,
                "location": { "timeZone": "Pacific/Auckland", "...": "..." }, "...": "..."
            },
            { "id": 7011, "abbreviation": "AROHA", "locationType": 2, "...": "..." },
            { "id": 7012, "abbreviation": "ALPS", "...": "..." }
        ],
        "errors": null
    }"#;
    stage.answered(&format!("{LOCATIONS}?companyId=2"), "", places);
    assert!(!listed.expect("saved locations").rows[1].is_pickup());
}

async fn carriers_have_accounts_and_these_have_services(stage: &mut Stage) -> Held {
    stage.needs(&["company"])?;
    let company = CompanyId::new(stage.id("company"));
    let listed = stage.client().carriers(company).await;
    let carriers = r#"{
        "object": [
            {
                "id": 11, "name": "Southern Cross", "abbreviation": "SCX", "displayName": "Southern Cross",
                "carrierAccounts": [{
                    "id": 3101, "name": "Harbour Supplies road", "accountCode": "HS-1101", "carrierId": 11,
                    "displayName": "Harbour Supplies road", "companyCarrierAccountId": 5101,
                    "companyCarrierAccountCompanyId": 1, "companyCarrierAccountDisabled": false,
                    "carrierServices": [
                        { "id": 1101, "name": "Road", "abbreviation": "ROAD", "displayName": "Road" },
                        { "id": 1102, "name": "Express", "abbreviation": "EXP", "displayName": "Express" }
                    ]
                }]
            },
            "..."
        ],
        "errors": null
    }"#;
    stage.answered(&format!("{CARRIERS}?companyId=<id:company>"), "", carriers);
    let listed = listed.expect("carriers");
    if stage.practice().is_ok() {
        let cards = listed.iter().find(|carrier| carrier.id.get() == 13);
        assert_eq!(cards.map(|carrier| carrier.carrier_accounts.len()), Some(2));
    }
    Ok(())
}

async fn an_unknown_company_has_no_listing(stage: &mut Stage) {
    let listed = stage.client().carriers(CompanyId::new(77)).await;
    let refusal = refusal("", "Invalid Company ID");
    stage.refused(&format!("{CARRIERS}?companyId=77"), "", &refusal);
    assert!(listed.is_err());
}
