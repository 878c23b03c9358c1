//! International consignments: one end in Australia, three-letter codes, customs contents on every item.

use serde_json::{Value, json};

use crate::support::practice::{Bench, CREATE, CREATE_COMPLEX, assert_refused, order_with, with};

fn export() -> Value {
    order_with(json!({
        "isInternational": true, "toLocation": null, "carrierId": 14, "carrierServiceId": 1403,
        "toName": "Marina Stores", "toPhone": "+65 5550 0199",
        "internationalToCity": "Singapore", "internationalToPostcode": "018956", "internationalToProvince": "Central",
        "toCountryCode": "SGP",
        "items": [{
            "itemType": "Carton", "name": "Seals", "quantity": 1,
            "standardItem": { "weight": 2.5, "length": 30, "width": 20, "height": 15 },
            "consignmentItemContents": [{
                "description": "Rubber seals", "reference1": "SO-48213", "reference2": null, "reference3": null,
                "ciMarksAndNumbers": null, "partNumber": "RS-5", "quantity": 40, "harmonizedCode": "401693",
                "purpose": "sale", "countryOfManufactureCode": "AUS", "dollarValue": 180.5
            }]
        }]
    }))
}

#[tokio::test]
async fn an_export_keeps_its_contents_and_carries_no_tax() {
    let bench = Bench::start().await;
    let made = bench.posted(CREATE_COMPLEX, &export()).await;
    assert_eq!(made["consignmentTotal"]["totalTaxSellPrice"], json!(0));
    let contents = &made["items"][0]["consignmentItemContents"][0];
    assert_eq!(
        (&contents["purpose"], &contents["dollarValue"]),
        (&json!("Sale"), &json!(180.5))
    );
    let fetched = bench.consignment(&made["id"]).await;
    assert_eq!(fetched["isInternational"], json!(true));
    assert_eq!(
        fetched["toLocation"],
        json!({
            "id": 0, "suburb": "Singapore", "postcode": "018956", "state": "Central", "timeZone": "Asia/Singapore", "country": "SGP"
        })
    );
}

#[tokio::test]
async fn without_contents_on_every_item_it_is_refused() {
    let bench = Bench::start().await;
    let mut bare = export();
    bare["items"][0]["consignmentItemContents"] = json!([]);
    let expected = [
        "International routes require that customs information be provided for all items. Please specify the contents on each item",
    ];
    assert_refused(&bench, CREATE_COMPLEX, &bare, &expected).await;
    let mut half = export();
    half["items"][0]["consignmentItemContents"][0] =
        json!({ "description": "Seals", "quantity": 0, "purpose": "loan" });
    let expected = [
        "Contents quantity is required and must be greater than 0",
        "Contents purpose must be a known classification",
        "Country of manufacture must be a three-letter code",
        "Contents dollar value is required",
    ];
    assert_refused(&bench, CREATE_COMPLEX, &half, &expected).await;
}

#[tokio::test]
async fn one_end_is_in_australia_and_codes_have_three_letters() {
    let bench = Bench::start().await;
    let two = with(export(), json!({ "toCountryCode": "SG" }));
    let expected = ["To country code SG is not a three-letter code"];
    assert_refused(&bench, CREATE_COMPLEX, &two, &expected).await;
    let both = with(
        export(),
        json!({
            "fromAbbreviation": null, "fromName": "A", "fromContact": "B", "fromPhone": "64 9 555 0115",
            "fromEmail": "a@b.example", "fromAddressLine1": "1 Quay Street", "internationalFromCity": "Auckland",
            "fromCountryCode": "NZL"
        }),
    );
    let expected = ["Either the from or the to location must be in Australia"];
    assert_refused(&bench, CREATE_COMPLEX, &both, &expected).await;
    let undeclared =
        order_with(json!({ "toLocation": { "suburb": "Penrose", "postcode": "1061" } }));
    let expected = ["isInternational must be true for international consignments"];
    assert_refused(&bench, CREATE, &undeclared, &expected).await;
}

#[tokio::test]
async fn a_phone_number_must_be_valid() {
    let bench = Bench::start().await;
    let wrong = with(export(), json!({ "toPhone": "n/a" }));
    assert_refused(
        &bench,
        CREATE_COMPLEX,
        &wrong,
        &["A valid phone number is required"],
    )
    .await;
}

#[tokio::test]
async fn the_simple_operation_takes_none() {
    let bench = Bench::start().await;
    let messages = bench.refused(CREATE, &export()).await;
    assert_eq!(
        messages[0],
        "International consignments need the operation with complex items"
    );
}

#[tokio::test]
async fn an_import_ends_in_australia() {
    let bench = Bench::start().await;
    let import = with(
        export(),
        json!({
            "fromAbbreviation": null, "fromName": "Aroha Outdoor", "fromContact": "T. Ngata", "fromPhone": "07 555 0126",
            "fromEmail": "stores@aroha.example", "fromAddressLine1": "61 Victoria Street", "internationalFromCity": "Hamilton",
            "internationalFromPostcode": "3204", "fromCountryCode": "NZL", "toCountryCode": null, "internationalToCity": null,
            "toLocation": { "suburb": "Mascot", "postcode": "2020" },
            "carrierId": 13, "carrierServiceId": 1302, "carrierAccountId": 3103
        }),
    );
    let made = bench.posted(CREATE_COMPLEX, &import).await;
    assert_eq!(made["despatchDateLocal"], json!("2026-11-20T16:05:00"));
    assert_eq!(made["carrierService"]["name"], json!("Air"));
}
