//! Errors of a create that the contract does not provoke, each with its exact text, members and kind.

use serde_json::{Value, json};

use crate::support::practice::{
    Bench, CREATE, CREATE_COMPLEX, dangerous_order, dangerous_with, order_with, with,
};

const ROUTES: &str = "/apiv2/routes/returnrouteswithcomplexitems";

/// One error and nothing else, in the failure envelope.
async fn only_error(bench: &Bench, path: &str, body: &Value, message: &str, members: &[&str]) {
    let (status, reply) = bench.post(path, body).await;
    assert_eq!(status.as_u16(), 200);
    let error = json!({ "validationType": 1, "memberNames": members, "errorMessage": message });
    assert_eq!(
        reply,
        json!({ "object": null, "errors": [error] }),
        "{path} {body}"
    );
}

#[tokio::test]
async fn what_no_carrier_takes_has_no_dangerous_goods_route() {
    let bench = Bench::start().await;
    let not_a_route = "Route is not Dangerous Goods route yet Dangerous Goods have been declared";
    let asked = with(
        dangerous_order(),
        json!({ "carrierId": null, "carrierServiceId": null, "carrierIds": [14, 15] }),
    );
    only_error(&bench, ROUTES, &asked, not_a_route, &[]).await;
    let explosive = json!({
        "unNumber": 29, "packingGroup": 4, "dgClassType": 17, "hazchem": null, "flashpoint": null
    });
    let anybody = with(
        dangerous_with(explosive),
        json!({ "carrierId": null, "carrierServiceId": null, "defaultRouteSelection": "cheapest" }),
    );
    only_error(&bench, CREATE_COMPLEX, &anybody, not_a_route, &[]).await;
}

#[tokio::test]
async fn a_subsidiary_class_that_the_number_lacks_is_refused_at_its_field() {
    let bench = Bench::start().await;
    let good = "items[0].consignmentItemDgItems[0]";
    let toxic = json!({ "unNumber": 1017, "packingGroup": 4, "dgClassType": 4, "subDgClassTypes": [9, 11], "hazchem": "2XE" });
    let message = "UN 1017 has no subsidiary class 6.1";
    let member = format!("{good}.subDgClassTypes");
    let order = dangerous_with(toxic);
    only_error(&bench, CREATE_COMPLEX, &order, message, &[&member]).await;
}

#[tokio::test]
async fn what_a_create_holds_comes_back() {
    let bench = Bench::start().await;
    let sent = order_with(json!({
        "printerToken": "bench-3", "receiverAccountId": 12,
        "customValues": [
            { "propertyName": "AreDutiesPaidByRecipient", "value": "true" },
            { "propertyName": "dockDoor", "value": 3 }
        ]
    }));
    let id = bench.posted(CREATE, &sent).await["id"].clone();
    let made = bench.consignment(&id).await;
    for (field, value) in [
        ("printerToken", json!("bench-3")),
        ("receiverAccountCode", Value::Null),
        ("receiverAccountId", json!("12")),
        (
            "customValues",
            json!([
                { "propertyName": "AreDutiesPaidByRecipient", "value": true },
                { "propertyName": "dockDoor", "value": 3 }
            ]),
        ),
        ("areDutiesPaidByRecipient", json!(false)),
    ] {
        assert_eq!(made[field], value, "{field}");
    }
    let air = with(
        sent.clone(),
        json!({ "carrierId": 14, "carrierServiceId": 1402 }),
    );
    let id = bench.posted(CREATE, &air).await["id"].clone();
    let made = bench.consignment(&id).await;
    assert_eq!(
        made["areDutiesPaidByRecipient"],
        json!(true),
        "honoured by the one carrier that knows it"
    );
    for (values, field, message) in [
        (
            json!([{ "propertyName": "AreDutiesPaidByRecipient", "value": "perhaps" }]),
            "customValues[0].value",
            "AreDutiesPaidByRecipient must be true or false",
        ),
        (
            json!([{ "value": 1 }]),
            "customValues[0].propertyName",
            "Custom value property name is required",
        ),
        (
            json!([{ "propertyName": "a", "value": 1 }, { "propertyName": "a", "value": 2 }]),
            "customValues[1].propertyName",
            "Custom value a is sent twice",
        ),
    ] {
        let wrong = with(sent.clone(), json!({ "customValues": values }));
        only_error(&bench, CREATE, &wrong, message, &[field]).await;
    }
}
