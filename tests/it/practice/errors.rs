//! Interface, Errors: every condition of the table, with its exact text, members and kind.

use serde_json::{Value, json};

use crate::support::practice::{
    Bench, CREATE, CREATE_COMPLEX, dangerous_order, dangerous_with, manifested, order, with,
};

const MANIFEST: &str = "/apiv2/manifests/manifest";
const GROUP: &str = "/apiv2/manifests/groupConsignmentsForManifest";
const PENDING: &str = "/apiv2/pendingConsignments/createPendingConsignment";
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
async fn a_declaration_is_needed_and_a_route_that_takes_the_goods() {
    let bench = Bench::start().await;
    let undeclared = with(order(), json!({ "dgsDeclaration": null }));
    let must = "Dangerous Goods / No Dangerous Goods must be declared";
    only_error(&bench, CREATE, &undeclared, must, &[]).await;
    let kookaburra = with(
        dangerous_order(),
        json!({ "carrierId": 14, "carrierServiceId": 1402 }),
    );
    let not_a_route = "Route is not Dangerous Goods route yet Dangerous Goods have been declared";
    only_error(&bench, CREATE_COMPLEX, &kookaburra, not_a_route, &[]).await;
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
async fn a_dangerous_good_is_refused_at_its_own_field() {
    let bench = Bench::start().await;
    let good = "items[0].consignmentItemDgItems[0]";
    for (fields, field, message) in [
        (
            json!({ "unNumber": 9999 }),
            "unNumber",
            "UN number 9999 is not valid",
        ),
        (
            json!({ "packingGroup": 1 }),
            "packingGroup",
            "Packing group 1 is not valid for UN 1170",
        ),
        (
            json!({ "dgHazchemId": 322 }),
            "hazchem",
            "Cannot set both hazchem and dgHazchemId",
        ),
        (
            json!({ "hazchem": null }),
            "hazchem",
            "Several Hazchem codes exist for UN 1170: send 2SE or 2YE",
        ),
        (
            json!({ "unNumber": 1017, "packingGroup": 4, "dgClassType": 4, "subDgClassTypes": [9, 11], "hazchem": "2XE" }),
            "subDgClassTypes",
            "UN 1017 has no subsidiary class 6.1",
        ),
    ] {
        let member = format!("{good}.{field}");
        let order = dangerous_with(fields);
        only_error(&bench, CREATE_COMPLEX, &order, message, &[&member]).await;
    }
}

#[tokio::test]
async fn an_international_item_without_contents_is_refused_for_prices_too() {
    let bench = Bench::start().await;
    let bare = with(
        order(),
        json!({
            "isInternational": true, "toLocation": null, "carrierId": 14, "carrierServiceId": 1403,
            "internationalToCity": "Singapore", "toCountryCode": "SGP", "toPhone": "+65 5550 0199",
            "items": [{
                "itemType": "Carton", "name": "Seals", "quantity": 1,
                "standardItem": { "weight": 2.5, "length": 30, "width": 20, "height": 15 }
            }]
        }),
    );
    let message = "International routes require that customs information be provided for all items. Please specify the contents on each item";
    only_error(&bench, CREATE_COMPLEX, &bare, message, &[]).await;
    only_error(&bench, ROUTES, &bare, message, &[]).await;
}

#[tokio::test]
async fn a_manifest_names_what_can_be_manifested_and_when() {
    let bench = Bench::start().await;
    only_error(
        &bench,
        MANIFEST,
        &json!([]),
        "ConsignmentIds are required",
        &[],
    )
    .await;
    only_error(
        &bench,
        GROUP,
        &json!([]),
        "ConsignmentIds are required",
        &[],
    )
    .await;
    let id = bench.posted(CREATE, &order()).await["id"].clone();
    let foreign = json!([{ "consignmentIds": [id], "companyId": 9 }]);
    only_error(&bench, MANIFEST, &foreign, "Invalid Company ID", &[]).await;
    let late = json!([{
        "consignmentIds": [id], "companyId": 1, "pickupDateTime": "2026-11-20T20:00:00",
        "pickupClosingTime": "2026-11-20T21:00:00", "palletSpaces": 0
    }]);
    only_error(&bench, MANIFEST, &late, "Invalid pickup time", &[]).await;
    manifested(&bench, &id).await;
    let again = json!([id]);
    only_error(&bench, GROUP, &again, "Consignment already manifested", &[]).await;
}

#[tokio::test]
async fn a_company_and_its_carriers_are_the_users_own() {
    let bench = Bench::start().await;
    let company = with(order(), json!({ "companyId": 9 }));
    only_error(&bench, CREATE, &company, "Invalid Company ID", &[]).await;
    let carrier = with(order(), json!({ "carrierId": 16 }));
    let not_available = "Selected carrier is not available for this company";
    only_error(&bench, CREATE, &carrier, not_available, &["carrierId"]).await;
    let pending = json!({ "carrierId": 16 });
    only_error(&bench, PENDING, &pending, not_available, &["carrierId"]).await;
}

#[tokio::test]
async fn a_pending_consignment_that_says_something_says_it_right() {
    let bench = Bench::start().await;
    let from = json!({ "fromLocation": { "suburb": "Sydney", "postcode": "3000" } });
    let invalid = "From location suburb and postcode combination is invalid";
    only_error(&bench, PENDING, &from, invalid, &["fromLocation"]).await;
    let to = json!({ "toName": "Ballarat Farm & Garden" });
    only_error(
        &bench,
        PENDING,
        &to,
        "To contact is required",
        &["toContact"],
    )
    .await;
}

#[tokio::test]
async fn what_a_create_holds_comes_back() {
    let bench = Bench::start().await;
    let sent = with(
        order(),
        json!({
            "printerToken": "bench-3", "receiverAccountId": 12,
            "customValues": [
                { "propertyName": "AreDutiesPaidByRecipient", "value": "true" },
                { "propertyName": "dockDoor", "value": 3 }
            ]
        }),
    );
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
