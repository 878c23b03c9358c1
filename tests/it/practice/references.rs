//! References of items in an edit change only when the form asks for it.

use serde_json::{Value, json};

use super::items::numbers;
use crate::support::practice::{
    Bench, CREATE, CREATE_COMPLEX, EDIT, FOR_EDIT, assert_refused, created, order, order_with, with,
};

async fn form(bench: &Bench, id: &Value) -> Value {
    bench.fetched(&format!("{FOR_EDIT}?id={id}")).await
}

fn delegated() -> Value {
    order_with(json!({
        "items": [{
            "itemType": "Carton", "name": "Reels", "quantity": 2,
            "standardItem": { "weight": 9, "length": 40, "width": 40, "height": 30 },
            "consignmentItemReferences": [{ "carrierItemReference": "HS010001" }, { "carrierItemReference": "HS010002" }]
        }]
    }))
}

#[tokio::test]
async fn references_change_only_when_the_form_says_so() {
    let (bench, id) = created(CREATE_COMPLEX, &delegated()).await;
    let references = |reply: &Value| reply["items"][0]["references"].clone();
    let sent = |names: Value| {
        let names = names.as_array().cloned().unwrap_or_default();
        let records = names
            .iter()
            .map(|name| json!({ "carrierItemReference": name }));
        Value::Array(records.collect())
    };
    let edit = async |names: Value, set: bool| {
        let mut edited = form(&bench, &id).await;
        edited["items"][0]["consignmentItemReferences"] = sent(names);
        edited["setItemReferences"] = json!(set);
        references(&bench.posted(EDIT, &edited).await)
    };
    let first = json!(["HS010001", "HS010002"]);
    assert_eq!(edit(json!(["HS020001", "HS020002"]), false).await, first);
    assert_eq!(edit(json!([]), false).await, first);
    let second = json!(["HS020001", "HS020002"]);
    assert_eq!(edit(second.clone(), true).await, second);
    assert_eq!(
        edit(json!([]), true).await,
        json!(["SCX200001000001", "SCX200001000002"]),
        "removed, the carrier's own take their place"
    );

    let mut short = form(&bench, &id).await;
    short["setItemReferences"] = json!(true);
    short["items"][0]["consignmentItemReferences"] = sent(json!(["HS030001"]));
    let expected = ["One carrier item reference is required for each unit of quantity"];
    assert_refused(&bench, EDIT, &short, &expected).await;
}

#[tokio::test]
async fn pieces_more_or_fewer_keep_the_references_that_there_are() {
    let (bench, id) = created(CREATE_COMPLEX, &delegated()).await;
    let mut edited = form(&bench, &id).await;
    edited["items"][0]["quantity"] = json!(3);
    let after = bench.posted(EDIT, &edited).await;
    assert_eq!(
        after["items"][0]["references"],
        json!(["HS010001", "HS010002", "SCX200001000001"])
    );
    let mut edited = form(&bench, &id).await;
    edited["items"][0]["quantity"] = json!(1);
    let after = bench.posted(EDIT, &edited).await;
    assert_eq!(after["items"][0]["references"], json!(["HS010001"]));
}

#[tokio::test]
async fn another_carrier_brings_its_own_numbers_and_takes_delegated_ones_only_if_it_takes_any() {
    let bench = Bench::start().await;
    let bluegum = json!({
        "carrierId": 12, "carrierServiceId": 1201, "carrierAccountId": null, "companyCarrierAccountId": null
    });
    let id = bench.posted(CREATE, &order()).await["id"].clone();
    let edited = with(form(&bench, &id).await, bluegum.clone());
    let after = bench.posted(EDIT, &edited).await;
    assert_eq!(
        numbers(&after),
        json!(["BLG00200001", ["BLG200001000001", "BLG200001000002"]])
    );
    let id = bench.posted(CREATE_COMPLEX, &delegated()).await["id"].clone();
    let edited = with(form(&bench, &id).await, bluegum);
    let expected = ["Bluegum does not accept carrier item references"];
    assert_refused(&bench, EDIT, &edited, &expected).await;
}
