//! Companies, their saved locations, and the carriers for which they have rate cards.

use serde_json::json;

use crate::support::practice::{Bench, messages};

#[tokio::test]
async fn the_companies_at_or_below_one_are_listed() {
    let bench = Bench::start().await;
    let all = bench.fetched("/apiv2/companies/getAll").await;
    assert_eq!(
        all[0],
        json!({
            "id": 1, "name": "Harbour Supplies", "accountCode": "HARBOUR", "displayName": "Harbour Supplies",
            "parentCompanyId": null
        })
    );
    assert_eq!(all[1]["parentCompanyId"], json!(1));
    let below = bench
        .fetched("/apiv2/companies/getAll?atOrBelowCompanyId=2")
        .await;
    assert_eq!(below.as_array().map(Vec::len), Some(1));
    let (_, reply) = bench
        .get("/apiv2/companies/getAll?atOrBelowCompanyId=9")
        .await;
    assert_eq!(messages(&reply), ["Invalid Company ID"]);
}

#[tokio::test]
async fn saved_locations_come_with_suburb_and_time_zone_under_both_paths() {
    let bench = Bench::start().await;
    let own = bench.fetched("/apiv2/companyLocations").await;
    assert_eq!(
        own[0],
        json!({
            "id": 7001, "locationType": 3, "name": "Harbour Supplies, Sydney DC", "abbreviation": "HSYD",
            "contact": "Dock office", "phone": "02 5550 0114", "email": "dock.sydney@harbour.example",
            "addressLine1": "14 Wharf Road", "addressLine2": "", "companyId": 1,
            "location": {
                "id": 1002, "suburb": "Alexandria", "postcode": "2015", "state": "NSW",
                "timeZone": "Australia/Sydney", "country": "AUS"
            },
            "specialInstructions": "", "defaultPickupTime": "15:30:00", "defaultClosingTime": "17:00:00",
            "defaultPickupInstructions": "Dock 3, ring the bell", "isInternational": false
        })
    );
    assert_eq!(own.as_array().map(Vec::len), Some(9));
    let other = bench
        .fetched("/apiv2/companyLocations/getAll?companyId=2")
        .await;
    assert_eq!(other.as_array().map(Vec::len), Some(3));
    assert_eq!(other[0]["location"]["timeZone"], json!("Pacific/Auckland"));
}

#[tokio::test]
async fn the_carrier_listing_has_accounts_and_services() {
    let bench = Bench::start().await;
    let path = "/apiv2/companies/getAvailableCarriersAccountsAndServices";
    let carriers = bench.fetched(&format!("{path}?companyId=1")).await;
    assert_eq!(
        carriers[0],
        json!({
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
        })
    );
    assert_eq!(
        carriers[2]["carrierAccounts"].as_array().map(Vec::len),
        Some(2)
    );
    let (_, reply) = bench.get(&format!("{path}?companyId=77")).await;
    assert_eq!(messages(&reply), ["Invalid Company ID"]);
}
