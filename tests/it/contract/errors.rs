//! The rows of "Errors" that no other area provokes, and those of the field notes, each with its exact text.

use client::Failure;
use shipping::CarrierId;

use super::orders;
use crate::contract::refusal;
use crate::support::contract::{Stage, cases};

cases! {
    Practises:
        a_declaration_must_be_made, dangerous_goods_by_a_carrier_that_takes_none_are_refused,
        an_unknown_un_number_or_packing_group_is_refused, hazchem_comes_once_and_only_where_it_must,
        international_goods_need_contents, an_unknown_company_is_refused, a_carrier_of_others_is_refused,
        both_receiver_accounts_are_refused, several_errors_come_together, what_cannot_be_read_is_no_refusal,
        an_operation_that_nobody_serves_is_none;
}

const CREATE: &str = "POST /apiv2/consignments/createConsignment";
const COMPLEX: &str = "POST /apiv2/consignments/createConsignmentwithComplexItems";

/// Two cartons between saved places, with this said beside.
fn order(more: &str) -> String {
    let order = r#"{
        "fromCompanyLocationId": 7001, "toAbbreviation": "BALFG" MORE,
        $HOSE_REELS
    }"#;
    order.replace("MORE", more)
}

/// One carton with this dangerous good, by this carrier.
fn dangerous(carrier: &str, good: &str) -> String {
    let order = r#"{
        "fromCompanyLocationId": 7001, "toAbbreviation": "BALFG", "carrierId": CARRIER, "dgsDeclaration": true,
        "items": [{
            "itemType": "Carton", "name": "Spirits", "quantity": 1,
            "standardItem": { "weight": 11.5, "length": 36, "width": 28, "height": 32 },
            "consignmentItemDgItems": [{
                GOOD, "containerType": 6, "aggregateQuantity": 12, "isAggregateQuantityWeight": false,
                "numberOfContainers": 12, "isMarinePollutant": false, "isTemperatureControlled": false, "flashpoint": 13
            }]
        }]
    }"#;
    order.replace("CARRIER", carrier).replace("GOOD", good)
}

async fn a_declaration_must_be_made(stage: &mut Stage) {
    let mut order = orders::order(stage);
    order.dgs_declaration = None;
    let made = stage.client().create(&order).await;
    let request = r#"{
        "fromAbbreviation": "HSYD",
        $RECEIVER,
        "carrierId": 11, "carrierServiceId": 1101, "customerReference": "SO-48213",
        $HOSE_REELS
    }"#;
    let words = "Dangerous Goods / No Dangerous Goods must be declared";
    stage.refused(CREATE, request, &refusal("", words));
    assert!(matches!(made, Err(Failure::Refused(errors)) if errors[0].error_message == words));
}

async fn dangerous_goods_by_a_carrier_that_takes_none_are_refused(stage: &mut Stage) {
    let words = "Route is not Dangerous Goods route yet Dangerous Goods have been declared";
    let spirits = r#""unNumber": 1170, "packingGroup": 2, "hazchem": "2YE""#;
    stage
        .said_in_vain(COMPLEX, &dangerous("15", spirits), &refusal("", words))
        .await;
}

async fn an_unknown_un_number_or_packing_group_is_refused(stage: &mut Stage) {
    for (good, field) in [
        (r#""unNumber": 3599, "packingGroup": 2"#, "unNumber"),
        (
            r#""unNumber": 1170, "packingGroup": 1, "hazchem": "2YE""#,
            "packingGroup",
        ),
        (
            r#""unNumber": 1170, "packingGroup": 9, "hazchem": "2YE""#,
            "packingGroup",
        ),
    ] {
        let field = format!("items[0].consignmentItemDgItems[0].{field}");
        let refusal = refusal(&field, "<text>");
        stage
            .said_in_vain(COMPLEX, &dangerous("11", good), &refusal)
            .await;
    }
}

async fn hazchem_comes_once_and_only_where_it_must(stage: &mut Stage) {
    let field = "items[0].consignmentItemDgItems[0].hazchem";
    let both = r#""unNumber": 1170, "packingGroup": 2, "hazchem": "2YE", "dgHazchemId": 322"#;
    let words = "Cannot set both hazchem and dgHazchemId";
    stage
        .said_in_vain(COMPLEX, &dangerous("11", both), &refusal(field, words))
        .await;
    let neither = r#""unNumber": 1170, "packingGroup": 2"#;
    let words = "Several Hazchem codes exist for UN 1170: send 2SE or 2YE";
    stage
        .said_in_vain(COMPLEX, &dangerous("11", neither), &refusal(field, words))
        .await;
}

async fn international_goods_need_contents(stage: &mut Stage) {
    let mut order = orders::abroad(stage);
    order.items[0].consignment_item_contents.clear();
    let made = stage.client().create(&order).await;
    let request = r#"{
        "fromAbbreviation": "HSYD", $ABROAD,
        "defaultRouteSelection": "cheapest", "dgsDeclaration": false,
        "items": [{
            "itemType": "Carton", "name": "Hand tools", "quantity": 1,
            "standardItem": { "weight": 8.2, "length": 40, "width": 30, "height": 25 }
        }]
    }"#;
    let words = "International routes require that customs information be provided for all items. Please specify the contents on each item";
    stage.refused(COMPLEX, request, &refusal("", words));
    assert!(made.is_err());
}

async fn an_unknown_company_is_refused(stage: &mut Stage) {
    let request = order(r#", "companyId": 77, "carrierId": 11, "dgsDeclaration": false"#);
    stage
        .said_in_vain(CREATE, &request, &refusal("", "Invalid Company ID"))
        .await;
}

async fn a_carrier_of_others_is_refused(stage: &mut Stage) {
    let mut order_of = orders::between_saved_places();
    order_of.carrier_id = Some(CarrierId::new(16));
    order_of.carrier_service_id = None;
    let made = stage.client().create(&order_of).await;
    let request = order(r#", "carrierId": 16, "dgsDeclaration": false"#);
    let words = "Selected carrier is not available for this company";
    stage.refused(CREATE, &request, &refusal("carrierId", words));
    assert!(
        matches!(made, Err(Failure::Refused(errors)) if errors[0].member_names == ["carrierId"])
    );
}

async fn both_receiver_accounts_are_refused(stage: &mut Stage) {
    let more = r#", "carrierId": 11, "dgsDeclaration": false, "receiverAccountCode": "RP-118", "receiverAccountId": 118"#;
    let words = "Cannot set both ReceiverAccountCode and ReceiverAccountId";
    stage
        .said_in_vain(CREATE, &order(more), &refusal("", words))
        .await;
}

async fn several_errors_come_together(stage: &mut Stage) {
    let request = r#"{
        "fromAbbreviation": "HSYD", "toName": "Ballarat Farm & Garden", "toEmail": "stores",
        "toContact": "J. Okafor", "toPhone": "03 5550 0199", "toAddressLine1": "8 Creswick Road",
        "toLocation": { "suburb": "Ballarat Central", "postcode": "2000" }, "carrierId": 11, "dgsDeclaration": false,
        "items": [{ "itemType": "Carton", "name": "Hoses", "quantity": 0, "weight": 9, "length": 40, "width": 40, "height": 30 }]
    }"#;
    let refusal = r#"{
        "object": null,
        "errors": [
            {
                "validationType": 1, "memberNames": ["toLocation"],
                "errorMessage": "To location suburb and postcode combination is invalid"
            },
            { "validationType": 1, "memberNames": ["toEmail"], "errorMessage": "String is not a valid email address" },
            {
                "validationType": 1, "memberNames": ["items[0].quantity"],
                "errorMessage": "Item quantity is required and must be greater than 0"
            }
        ]
    }"#;
    stage.said_in_vain(CREATE, request, refusal).await;
}

async fn what_cannot_be_read_is_no_refusal(stage: &mut Stage) {
    stage.say(CREATE, r#"["an order is an object"]"#).await;
    let answer = refusal("", "<text>");
    stage.answered_with(400, CREATE, r#"["an order is an object"]"#, &answer);
}

async fn an_operation_that_nobody_serves_is_none(stage: &mut Stage) {
    let nowhere = "/apiv2/routes/nowhere";
    stage.speak(|dialect| nowhere.clone_into(&mut dialect.paths.un_numbers));
    let entries = stage.client().un_numbers(&[]).await;
    stage.answered_with(404, &format!("GET {nowhere}"), "", &refusal("", "<text>"));
    assert_eq!(entries, Err(Failure::Status(404)));
}
