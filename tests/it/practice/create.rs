//! Creating consignments: carrier and rate card, company, despatch time, and the answer.

use serde_json::json;

use crate::support::practice::{
    Bench, CREATE, assert_refused, order, order_with, status_names, with,
};

#[tokio::test]
async fn the_same_request_sent_twice_makes_two_consignments() {
    let bench = Bench::start().await;
    let (first, second) = (
        bench.posted(CREATE, &order()).await,
        bench.posted(CREATE, &order()).await,
    );
    assert_eq!(
        (&first["id"], &second["id"]),
        (&json!(200_001), &json!(200_002))
    );
    let token = first["trackingPageAccessToken"].as_str();
    assert!(token.is_some_and(|token| token.len() >= 16));
    assert_ne!(
        first["trackingPageAccessToken"],
        second["trackingPageAccessToken"]
    );
}

#[tokio::test]
async fn a_carrier_or_a_route_selection_is_needed() {
    let bench = Bench::start().await;
    let neither = order_with(json!({ "carrierId": null }));
    let expected = ["Either defaultRouteSelection or carrierId is required"];
    assert_refused(&bench, CREATE, &neither, &expected).await;
    let nearest = order_with(
        json!({ "carrierId": null, "carrierServiceId": null, "defaultRouteSelection": "nearest" }),
    );
    let expected = ["\"nearest\" is neither cheapest nor fastest"];
    assert_refused(&bench, CREATE, &nearest, &expected).await;
}

#[tokio::test]
async fn the_carrier_service_and_rate_card_must_be_the_companys() {
    let bench = Bench::start().await;
    let (_, reply) = bench
        .post(CREATE, &order_with(json!({ "carrierId": 16 })))
        .await;
    assert_eq!(
        reply["errors"],
        json!([{
            "validationType": 1, "memberNames": ["carrierId"], "errorMessage": "Selected carrier is not available for this company"
        }])
    );
    let service = order_with(json!({ "carrierServiceId": 1201 }));
    let expected = ["Selected carrier service is not available for this company"];
    assert_refused(&bench, CREATE, &service, &expected).await;
    let tasman = order_with(json!({ "carrierId": 13, "carrierServiceId": 1301 }));
    let expected = ["Several rate cards are linked to this company: a carrier account is required"];
    assert_refused(&bench, CREATE, &tasman, &expected).await;
    for card in [
        json!({ "carrierAccountId": 3104 }),
        json!({ "companyCarrierAccountId": "5104" }),
    ] {
        let made = bench.posted(CREATE, &with(tasman.clone(), card)).await;
        assert_eq!(
            (&made["carrierAccountId"], &made["companyCarrierAccountId"]),
            (&json!(3104), &json!(5104))
        );
    }
    let other = order_with(json!({ "carrierAccountId": 3104 }));
    let expected = ["Selected carrier account is not available for this company"];
    assert_refused(&bench, CREATE, &other, &expected).await;
}

#[tokio::test]
async fn a_child_company_is_served() {
    let bench = Bench::start().await;
    let child = json!({
        "companyId": 2, "fromAbbreviation": "HAKL", "toAbbreviation": "ALPS", "carrierId": 16,
        "items": [{ "sku": "TP-200" }]
    });
    let made = bench.posted(CREATE, &child).await;
    assert_eq!(made["companyId"], json!(2));
    assert_eq!(
        made["despatchDateLocal"],
        json!("2026-11-20T16:05:00"),
        "Auckland is two hours ahead of Sydney"
    );
}

#[tokio::test]
async fn a_despatch_time_is_a_date_and_time() {
    let bench = Bench::start().await;
    let wrong = order_with(json!({ "dispatchDateTimeUtc": "tomorrow" }));
    assert_refused(&bench, CREATE, &wrong, &["tomorrow is not a date and time"]).await;
}

#[tokio::test]
async fn the_clock_can_be_set_while_it_runs() {
    let bench = Bench::start().await;
    bench.set_clock("2026-11-24T22:30:00Z");
    let made = bench.posted(CREATE, &order()).await;
    assert_eq!(made["despatchDateLocal"], json!("2026-11-25T09:30:00"));
}

#[tokio::test]
async fn a_receiver_pays_by_an_id() {
    let bench = Bench::start().await;
    bench
        .posted(CREATE, &order_with(json!({ "receiverAccountId": 12 })))
        .await;
}

#[tokio::test]
async fn what_the_carrier_cannot_take_has_no_price() {
    let bench = Bench::start().await;
    let heavy = order_with(json!({
        "carrierId": 15, "carrierServiceId": null,
        "items": [{ "itemType": "Carton", "name": "Vice", "quantity": 1, "weight": 38, "length": 55, "width": 35, "height": 40 }]
    }));
    let expected = [
        "No prices were found",
        "Wattle Parcel: takes at most 22 kg a piece",
    ];
    assert_refused(&bench, CREATE, &heavy, &expected).await;
}

#[tokio::test]
async fn a_rate_card_that_manifests_by_itself_books_as_it_creates() {
    let bench = Bench::start().await;
    let returned = order_with(json!({
        "companyId": 2, "carrierId": 15, "carrierServiceId": 1501, "fromAbbreviation": null,
        "fromName": "Returns desk", "fromContact": "Dock office", "fromPhone": "02 5550 0114",
        "fromEmail": "returns@harbour.example", "fromAddressLine1": "14 Wharf Road",
        "fromLocation": { "suburb": "Alexandria", "postcode": "2015" }
    }));
    let made = bench.posted(CREATE, &returned).await;
    assert_eq!(made["status"]["name"], json!("Manifested"));
    assert_eq!(made["manifestId"], json!(88_301));
    let fetched = bench.consignment(&made["id"]).await;
    assert_eq!(fetched["bookedDate"], json!("2026-11-20T14:05:00"));
    assert_eq!(status_names(&fetched), ["Unmanifested", "Manifested"]);
}
