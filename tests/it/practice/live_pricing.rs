//! The integration middleware: live pricing with its own headers, shapes and failures.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::practice::{Bench, with};

fn basket() -> Value {
    json!({
        "warehouse": {
            "country": "AU", "postal_code": "2015", "province": "NSW", "city": "Alexandria",
            "address1": "14 Wharf Road", "address2": "", "name": "Sydney DC"
        },
        "shipping_address": {
            "country": "Australia", "postal_code": 3350, "province": "VIC", "city": "Ballarat Central",
            "address": "8 Creswick Road", "address2": "", "name": "J. Okafor"
        },
        "shipping_options": { "authority_to_leave": true, "residential": false, "despatch_datetime_utc": "2026-11-20T04:00:00Z" },
        "items": [{
            "name": "Hose reel", "sku": "HOSE", "quantity": 2, "weight": 9, "price": 49.5, "length": 40, "width": 40,
            "height": 30, "categories": ["Garden"], "product_meta": {}
        }]
    })
}

async fn priced(bench: &Bench, quote: &Value) -> (StatusCode, Value) {
    let headers = [
        ("token", bench.service.token()),
        ("integration_id", bench.service.integration_id()),
    ];
    asked(bench, quote, &headers).await
}

async fn asked(bench: &Bench, quote: &Value, headers: &[(&str, &str)]) -> (StatusCode, Value) {
    let address = format!(
        "{}/live-pricing/practice-shop",
        bench.service.middleware_url()
    );
    bench
        .post_at(&address, &json!({ "quote": quote }), headers)
        .await
}

#[tokio::test]
async fn a_basket_gets_the_rates_that_the_carriers_give() {
    let bench = Bench::start().await;
    let (status, reply) = priced(&bench, &basket()).await;
    assert_eq!(status, StatusCode::OK, "{reply}");
    let rates = reply["rates"].as_array().expect("rates");
    let road = rates
        .iter()
        .find(|rate| rate["service_id"] == json!("1101"))
        .expect("a rate by road");
    let routes = bench
        .posted(
            "/apiv2/routes/returnRoutes",
            &json!({
                "fromLocation": { "suburb": "Alexandria", "postcode": "2015" },
                "toLocation": { "suburb": "Ballarat Central", "postcode": "3350" },
                "despatchDateTimeUtc": "2026-11-20T04:00:00Z", "questionIds": [14], "carrierIds": [11],
                "carrierServiceId": 1101,
                "items": [{ "itemType": "Carton", "name": "Hose reel", "quantity": 2, "weight": 9, "length": 40, "width": 40, "height": 30 }]
            }),
        )
        .await;
    let total = &routes["routes"][0]["consignmentTotal"];
    assert_eq!(
        road,
        &json!({
            "service_name": "Southern Cross Road", "description": "Arrives Tuesday 24 November", "carrier_id": "11",
            "service_id": "1101", "questionIds": ["14"], "total_price_exc_tax": total["totalSellBeforeTax"],
            "total_price": total["totalSellPrice"], "currency": "AUD", "eta": "2026-11-24T06:00:00Z"
        })
    );
    let prices: Vec<f64> = rates
        .iter()
        .map(|rate| rate["total_price"].as_f64().expect("a price"))
        .collect();
    assert!(prices.len() > 3 && prices.is_sorted(), "{prices:?}");
    assert_eq!(
        reply["quoted_items"],
        json!([{
            "name": "Hose reel", "sku": "HOSE", "quantity": 2, "width": 40, "length": 40, "height": 30,
            "itemType": "Carton", "weight": 9,
            "consignmentItemContents": [{ "description": "Hose reel", "reference1": "HOSE", "quantity": 2 }]
        }])
    );
}

#[tokio::test]
async fn an_oversize_product_travels_on_a_skid() {
    let bench = Bench::start().await;
    let mut quote = basket();
    quote["items"][0]["product_meta"] = json!({ "oversize": "yes" });
    let (_, reply) = priced(&bench, &quote).await;
    assert_eq!(reply["quoted_items"][0]["itemType"], json!("Skid"));
}

#[tokio::test]
async fn overseas_the_price_of_an_item_is_its_customs_value() {
    let bench = Bench::start().await;
    let abroad =
        json!({ "country": "US", "postal_code": "98101", "province": "WA", "city": "Seattle" });
    let quote = with(basket(), json!({ "shipping_address": abroad }));
    let (_, reply) = priced(&bench, &quote).await;
    assert_eq!(reply["rates"][0]["service_id"], json!("1403"), "{reply}");
    let mut unpriced = quote;
    unpriced["items"][0]["price"] = Value::Null;
    let (status, reply) = priced(&bench, &unpriced).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        reply,
        json!({ "error": "Contents dollar value is required" })
    );
}

#[tokio::test]
async fn both_headers_are_needed() {
    let bench = Bench::start().await;
    let (token, id) = (bench.service.token(), bench.service.integration_id());
    for (headers, message) in [
        (vec![], "A valid token is required"),
        (vec![("integration_id", id)], "A valid token is required"),
        (
            vec![("token", "wrong"), ("integration_id", id)],
            "A valid token is required",
        ),
        (vec![("token", token)], "A valid integration_id is required"),
        (
            vec![("token", token), ("integration_id", "wrong")],
            "A valid integration_id is required",
        ),
    ] {
        let (status, reply) = asked(&bench, &basket(), &headers).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED);
        assert_eq!(reply, json!({ "error": message }));
    }
}

#[tokio::test]
async fn an_invalid_location_is_an_error_by_itself() {
    let bench = Bench::start().await;
    for (fields, message) in [
        (
            json!({ "warehouse": { "country": "AU", "postal_code": "2000", "city": "Nowhere" } }),
            "From location suburb and postcode combination is invalid",
        ),
        (
            json!({ "shipping_address": { "country": "AU", "postal_code": "9999", "city": "Ballarat Central" } }),
            "To location suburb and postcode combination is invalid",
        ),
        (
            json!({ "shipping_address": { "country": "Atlantis" } }),
            "Invalid to location: Atlantis is not served",
        ),
        (json!({ "items": [] }), "Items are required"),
    ] {
        let (status, reply) = priced(&bench, &with(basket(), fields)).await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(reply, json!({ "error": message }));
    }
    let (status, reply) = priced(&bench, &json!("nothing")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(reply["error"].is_string(), "{reply}");
}

#[tokio::test]
async fn where_no_carrier_goes_the_rates_are_empty_and_flagged() {
    let bench = Bench::start().await;
    let mut quote = basket();
    quote["items"][0]["weight"] = json!(5000);
    let (status, reply) = priced(&bench, &quote).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        (&reply["is_error"], &reply["rates"], &reply["error"]),
        (&json!(true), &json!([]), &Value::Null)
    );
    let message = reply["error_message"].as_str().expect("a message");
    assert!(message.starts_with("No prices were found; "), "{message}");
}

#[tokio::test]
async fn the_integration_stays_the_same_from_start_to_start() {
    let bench = Bench::start().await;
    let id = bench.service.integration_id().to_owned();
    let bench = Bench::start_in(bench.stop().await).await;
    assert_eq!(bench.service.integration_id(), id);
}
