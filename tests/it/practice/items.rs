//! The items of a create: direct, nested, saved and overridden, with delegated references.

use serde_json::{Value, json};

use crate::support::practice::{
    Bench, CREATE, CREATE_COMPLEX, assert_refused, order, order_with, with,
};

/// The number of a consignment and the references of its first item.
pub(super) fn numbers(made: &Value) -> Value {
    json!([made["carrierConsignmentId"], made["items"][0]["references"]])
}

#[tokio::test]
async fn goods_need_a_kind_a_name_a_quantity_and_measures() {
    let bench = Bench::start().await;
    let (_, reply) = bench
        .post(
            CREATE,
            &order_with(json!({ "items": [{ "itemType": "Sack", "quantity": 0, "weight": -1 }] })),
        )
        .await;
    let errors = reply["errors"].as_array().expect("errors");
    let pairs: Vec<(&str, &str)> = errors
        .iter()
        .map(|error| {
            (
                error["memberNames"][0].as_str().unwrap_or_default(),
                error["errorMessage"].as_str().unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(
        pairs,
        [
            ("items[0].itemType", "Item type Sack is not known"),
            ("items[0].name", "Item name is required"),
            (
                "items[0].quantity",
                "Item quantity is required and must be greater than 0"
            ),
            (
                "items[0].weight",
                "Item weight is required and must be greater than 0"
            ),
            (
                "items[0].length",
                "Item length is required and must be greater than 0"
            ),
            (
                "items[0].width",
                "Item width is required and must be greater than 0"
            ),
            (
                "items[0].height",
                "Item height is required and must be greater than 0"
            ),
        ]
    );
    let order = order_with(json!({ "items": [] }));
    assert_refused(&bench, CREATE, &order, &["Items are required"]).await;
}

#[tokio::test]
async fn a_saved_item_stands_for_itself_and_can_be_overridden() {
    let bench = Bench::start().await;
    let items =
        json!([{ "companyItemId": 8001 }, { "sku": "bf-100", "quantity": 3, "weight": 15.5 }]);
    let made = bench
        .posted(CREATE, &order_with(json!({ "items": items })))
        .await;
    assert_eq!(made["items"][0]["name"], json!("Hose reels, 20 m"));
    assert_eq!(
        (&made["items"][0]["quantity"], &made["items"][0]["weight"]),
        (&json!(1), &json!(9))
    );
    assert_eq!(
        (&made["items"][1]["quantity"], &made["items"][1]["weight"]),
        (&json!(3), &json!(15.5))
    );
    assert_eq!(made["items"][1]["length"], json!(30));
    let complex = json!([{ "sku": "BF-100", "standardItem": { "height": 21 } }]);
    let made = bench
        .posted(CREATE_COMPLEX, &order_with(json!({ "items": complex })))
        .await;
    assert_eq!(
        (&made["items"][0]["height"], &made["items"][0]["width"]),
        (&json!(21), &json!(25))
    );
    let unknown = order_with(json!({ "items": [{ "sku": "NONE" }, { "companyItemId": 8017 }] }));
    assert_eq!(
        bench.refused(CREATE, &unknown).await[..2],
        [
            "No saved item has the SKU NONE",
            "Saved item 8017 is not known"
        ]
    );
}

#[tokio::test]
async fn the_complex_operation_reads_nested_measures_alone() {
    let bench = Bench::start().await;
    assert_eq!(
        bench.refused(CREATE_COMPLEX, &order()).await.len(),
        4,
        "weight, length, width, height"
    );
    let nested = json!([{
        "itemType": "Pallet", "name": "Pavers", "quantity": 2, "palletSpaces": 3,
        "standardItem": { "weight": 480.25, "length": 117, "width": 117, "height": 95 }
    }]);
    let made = bench
        .posted(CREATE_COMPLEX, &order_with(json!({ "items": nested })))
        .await;
    assert_eq!(
        (&made["totalWeight"], &made["heaviestWeight"]),
        (&json!(960.5), &json!(480.25))
    );
    assert_eq!(
        (&made["totalItemCount"], &made["palletSpaces"]),
        (&json!(2), &json!(3))
    );
}

/// Creates this order, and returns the numbers that it was given.
async fn given_numbers(bench: &Bench, order: &Value) -> Value {
    numbers(&bench.posted(CREATE_COMPLEX, order).await)
}

#[tokio::test]
async fn delegated_numbers_are_kept_where_the_carrier_takes_them() {
    let bench = Bench::start().await;
    let items = json!([{
        "itemType": "Carton", "name": "Reels", "quantity": 2,
        "standardItem": { "weight": 9, "length": 40, "width": 40, "height": 30 },
        "consignmentItemReferences": [{ "carrierItemReference": "HS0000000001" }, { "carrierItemReference": "HS0000000002" }]
    }]);
    let delegated = order_with(json!({ "carrierConsignmentId": "HARB-0001", "items": items }));
    let both = json!(["HARB-0001", ["HS0000000001", "HS0000000002"]]);
    assert_eq!(given_numbers(&bench, &delegated).await, both);

    let alone = with(delegated.clone(), json!({ "carrierConsignmentId": null }));
    assert_eq!(
        given_numbers(&bench, &alone).await,
        json!(["SCX00200002", ["HS0000000001", "HS0000000002"]]),
        "references without an id"
    );
    let mut id_alone = delegated.clone();
    id_alone["items"][0]["consignmentItemReferences"] = json!([]);
    assert_eq!(
        given_numbers(&bench, &id_alone).await,
        json!(["HARB-0001", ["SCX200003000001", "SCX200003000002"]]),
        "an id without references"
    );

    let mut short = delegated.clone();
    short["items"][0]["quantity"] = json!(3);
    let expected = ["One carrier item reference is required for each unit of quantity"];
    assert_refused(&bench, CREATE_COMPLEX, &short, &expected).await;
    let mut wrong = delegated;
    wrong["items"][0]["consignmentItemReferences"][1]["carrierItemReference"] = json!("x-1");
    let expected = ["x-1 is not in the carrier's format: 4 to 20 letters and digits"];
    assert_refused(&bench, CREATE_COMPLEX, &wrong, &expected).await;
    let mut twice = alone;
    twice["items"][0]["consignmentItemReferences"][1]["carrierItemReference"] =
        json!("HS0000000001");
    assert_refused(
        &bench,
        CREATE_COMPLEX,
        &twice,
        &["HS0000000001 is used twice"],
    )
    .await;
}

#[tokio::test]
async fn a_carrier_that_gives_its_own_numbers_takes_none() {
    let bench = Bench::start().await;
    let items = json!([{
        "itemType": "Carton", "name": "Reels", "quantity": 1,
        "standardItem": { "weight": 9, "length": 40, "width": 40, "height": 30 },
        "consignmentItemReferences": [{ "carrierItemReference": "HS0000000001" }]
    }]);
    let bluegum = order_with(
        json!({ "carrierId": 12, "carrierServiceId": 1201, "carrierConsignmentId": "HARB-0001", "items": items }),
    );
    let (_, reply) = bench.post(CREATE_COMPLEX, &bluegum).await;
    assert_eq!(
        reply["errors"],
        json!([
            {
                "validationType": 1, "memberNames": ["carrierConsignmentId"],
                "errorMessage": "Bluegum does not accept a carrier consignment id"
            },
            {
                "validationType": 1, "memberNames": ["items[0].consignmentItemReferences"],
                "errorMessage": "Bluegum does not accept carrier item references"
            }
        ])
    );
    let kookaburra = with(
        bluegum,
        json!({ "carrierId": 14, "carrierServiceId": 1402, "carrierConsignmentId": null }),
    );
    let made = bench.posted(CREATE_COMPLEX, &kookaburra).await;
    assert_eq!(
        made["items"][0]["references"],
        json!(["HS0000000001"]),
        "references, though no id"
    );
}
