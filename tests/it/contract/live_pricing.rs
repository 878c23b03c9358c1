//! Live pricing of the integration middleware, with its own address, headers and names ("Integration
//! middleware").

use client::Failure;
use serde_json::json;
use shipping::{
    Centimetres, Despatch, Dollars, Kilograms, LivePricingRequest, Quote, QuoteAddress, QuoteItem,
    ShippingOptions,
};

use super::orders::{number, some, utc};
use crate::support::contract::{Held, Stage, cases};

cases! {
    Practises:
        a_basket_is_priced_under_the_middlewares_own_names, what_is_not_said_is_absent, a_failure_is_one_text,
        no_rates_are_a_failure_too, both_headers_are_needed;
}

const PRICES: &str = "POST /middleware/live-pricing/contract";

fn basket() -> LivePricingRequest {
    let Despatch::Utc(despatch) = utc("2026-11-20T04:00:00Z") else {
        panic!("a moment, just above");
    };
    LivePricingRequest {
        quote: Quote {
            warehouse: QuoteAddress {
                country: some("AU"),
                postal_code: some("2015"),
                province: some("NSW"),
                city: some("Alexandria"),
                address1: some("14 Wharf Road"),
                address2: some("Dock 3"),
                name: some("Sydney DC"),
                ..QuoteAddress::default()
            },
            shipping_address: QuoteAddress {
                country: some("AU"),
                postal_code: some("3350"),
                province: some("VIC"),
                city: some("Ballarat Central"),
                address: some("8 Creswick Road"),
                address2: some("Rear lane"),
                name: some("J. Okafor"),
                ..QuoteAddress::default()
            },
            shipping_options: ShippingOptions {
                authority_to_leave: Some(true),
                residential: Some(false),
                despatch_datetime_utc: Some(despatch),
            },
            items: vec![QuoteItem {
                name: some("Hose reel"),
                sku: some("HOSE"),
                quantity: 2,
                weight: Some(Kilograms(number("9"))),
                price: Some(Dollars(number("49.5"))),
                length: Some(Centimetres(number("40"))),
                width: Some(Centimetres(number("40"))),
                height: Some(Centimetres(number("30"))),
                categories: vec!["Garden".to_owned(), "Watering".to_owned()],
                product_meta: json!({ "oversize": true })
                    .as_object()
                    .cloned()
                    .unwrap_or_default(),
            }],
        },
    }
}

const BASKET: &str = r#"{
    "quote": {
        "warehouse": {
            "country": "AU", "postal_code": "2015", "province": "NSW", "city": "Alexandria",
            "address1": "14 Wharf Road", "address2": "Dock 3", "name": "Sydney DC"
        },
        "shipping_address": {
            "country": "AU", "postal_code": "3350", "province": "VIC", "city": "Ballarat Central",
            "address": "8 Creswick Road", "address2": "Rear lane", "name": "J. Okafor"
        },
        "shipping_options": {
            "authority_to_leave": true, "residential": false, "despatch_datetime_utc": "2026-11-20T04:00:00.000Z"
        },
        "items": [{
            "name": "Hose reel", "sku": "HOSE", "quantity": 2, "weight": 9, "price": 49.5,
            "length": 40, "width": 40, "height": 30, "categories": ["Garden", "Watering"],
            "product_meta": { "oversize": true }
        }]
    }
}"#;

async fn a_basket_is_priced_under_the_middlewares_own_names(stage: &mut Stage) -> Held {
    let integration = stage.practice()?.service.integration_id().to_owned();
    let prices = stage.client().live_prices(&basket()).await;
    let answer = r#"{
        "rates": [
            {
                "service_name": "Southern Cross Road", "description": "Arrives Tuesday 24 November",
                "carrier_id": "11", "service_id": "1101", "questionIds": ["14"],
                "total_price_exc_tax": 23.71, "total_price": 26.08, "currency": "AUD", "eta": "2026-11-24T06:00:00Z"
            },
            "..."
        ],
        "quoted_items": [{
            "name": "Hose reel", "sku": "HOSE", "quantity": 2, "width": 40, "length": 40, "height": 30,
            "itemType": "Skid", "weight": 9,
            "consignmentItemContents": [{ "description": "Hose reel", "reference1": "HOSE", "quantity": 2 }]
        }]
    }"#;
    stage.answered(PRICES, BASKET, answer);
    assert_eq!(stage.header("integration_id"), Some(integration.as_str()));
    let prices = prices.expect("prices");
    assert_eq!(
        prices.rates[0].total_price.map(|price| price.0),
        Some(number("26.08"))
    );
    assert_eq!(prices.quoted_items[0].item_type, "Skid");
    Ok(())
}

async fn what_is_not_said_is_absent(stage: &mut Stage) {
    let mut request = LivePricingRequest::default();
    request.quote.warehouse.postal_code = some("2015");
    request.quote.warehouse.city = some("Alexandria");
    request.quote.shipping_address.postal_code = some("3350");
    request.quote.shipping_address.city = some("Ballarat Central");
    request.quote.items = vec![QuoteItem {
        sku: some("HR-20"),
        quantity: 1,
        ..QuoteItem::default()
    }];
    let prices = stage.client().live_prices(&request).await;
    let request = r#"{
        "quote": {
            "warehouse": { "postal_code": "2015", "city": "Alexandria" },
            "shipping_address": { "postal_code": "3350", "city": "Ballarat Central" },
            "shipping_options": {},
            "items": [{ "sku": "HR-20", "quantity": 1 }]
        }
    }"#;
    let answer = r#"{
        "rates": [{ "...": "..." }, "..."],
        "quoted_items": [{ "name": "Hose reels, 20 m", "sku": "HR-20", "weight": 9, "...": "..." }]
    }"#;
    stage.answered(PRICES, request, answer);
    assert!(prices.is_ok());
}

async fn a_failure_is_one_text(stage: &mut Stage) {
    let mut request = basket();
    request.quote.shipping_address.city = some("Nowhere");
    let prices = stage.client().live_prices(&request).await;
    let sent = BASKET.replace("Ballarat Central", "Nowhere");
    let words = "To location suburb and postcode combination is invalid";
    stage.answered(PRICES, &sent, &format!(r#"{{ "error": "{words}" }}"#));
    assert!(matches!(prices, Err(Failure::Refused(errors)) if errors[0].error_message == words));
}

async fn no_rates_are_a_failure_too(stage: &mut Stage) {
    let mut request = basket();
    request.quote.items[0].weight = Some(Kilograms(number("9000")));
    let prices = stage.client().live_prices(&request).await;
    let sent = BASKET.replace("\"weight\": 9,", "\"weight\": 9000,");
    let answer =
        r#"{ "is_error": true, "error_message": "<text>", "rates": [], "quoted_items": [] }"#;
    stage.answered(PRICES, &sent, answer);
    assert!(matches!(prices, Err(Failure::Refused(_))));
}

async fn both_headers_are_needed(stage: &mut Stage) {
    stage.use_integration("another-integration");
    let prices = stage.client().live_prices(&basket()).await;
    let refusal = r#"{ "error": "A valid integration_id is required" }"#;
    stage.answered_with(401, PRICES, BASKET, refusal);
    assert_eq!(prices, Err(Failure::Unauthorised));
}
