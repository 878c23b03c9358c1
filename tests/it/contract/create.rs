//! Creating consignments: addresses, carrier, despatch time, goods, references.

use serde_json::{Value, json};

use crate::support::practice::{Bench, CREATE, CREATE_COMPLEX, order, with};

#[tokio::test]
async fn a_consignment_is_created_whole_and_numbered_from_200001() {
    let bench = Bench::start().await;
    let made = bench.posted(CREATE, &order()).await;
    assert_eq!(made["id"], json!(200_001));
    assert_eq!(made["consignmentNumber"], json!("MS200001"));
    assert_eq!(made["carrierConsignmentId"], json!("SCX00200001"));
    assert_eq!(made["status"]["id"], json!(2));
    assert_eq!(made["status"]["name"], json!("Unmanifested"));
    assert_eq!(
        made["carrier"],
        json!({
            "id": 11, "name": "Southern Cross", "abbreviation": "SCX", "displayName": "Southern Cross"
        })
    );
    assert_eq!(made["carrierService"]["name"], json!("Road"));
    assert_eq!(made["consignmentTotal"]["totalSellPrice"], json!(26.08));
    assert_eq!(made["despatchDateUtc"], json!("2026-11-20T03:05:00"));
    assert_eq!(made["despatchDateLocal"], json!("2026-11-20T14:05:00"));
    assert_eq!(made["etaLocal"], json!("2026-11-24T17:00:00"));
    assert_eq!(made["etaUtc"], json!("2026-11-24T06:00:00"));
    assert_eq!(made["isTest"], json!(true));
    assert_eq!(
        made["items"][0]["references"],
        json!(["SCX200001000001", "SCX200001000002"])
    );
    assert_eq!(made["items"][0]["weight"], json!(9));
    assert_eq!(made["consignmentItems"], Value::Null);
    let token = made["trackingPageAccessToken"]
        .as_str()
        .expect("a tracking token");
    assert!(token.len() >= 16 && token != made["carrierConsignmentId"]);
}

#[tokio::test]
async fn the_same_request_sent_twice_makes_two_consignments() {
    let bench = Bench::start().await;
    let (first, second) = (
        bench.posted(CREATE, &order()).await,
        bench.posted(CREATE, &order()).await,
    );
    assert_ne!(first["id"], second["id"]);
    assert_ne!(
        first["trackingPageAccessToken"],
        second["trackingPageAccessToken"]
    );
}

#[tokio::test]
async fn each_side_has_its_own_address_mode() {
    let bench = Bench::start().await;
    let saved = with(
        order(),
        json!({ "fromAbbreviation": null, "fromCompanyLocationId": 7002, "toAbbreviation": "tweed" }),
    );
    let id = bench.posted(CREATE, &saved).await["id"].clone();
    let made = bench
        .fetched(&format!("/apiv2/consignments/getConsignment?id={id}"))
        .await;
    assert_eq!(made["fromName"], json!("Harbour Supplies, Melbourne DC"));
    assert_eq!(made["fromCompanyLocationId"], json!(7002));
    assert_eq!(
        made["toName"],
        json!("Tweed Marine"),
        "the saved location stands for a full address"
    );
    let unknown = with(
        order(),
        json!({ "fromAbbreviation": "NOWHERE", "toCompanyLocationId": 7010 }),
    );
    assert_eq!(
        bench.refused(CREATE, &unknown).await,
        [
            "From abbreviation NOWHERE is not known",
            "To company location 7010 is not known",
        ]
    );
}

#[tokio::test]
async fn everything_missing_from_a_full_address_is_named_at_once() {
    let bench = Bench::start().await;
    let bare = with(
        order(),
        json!({
            "toName": null, "toContact": " ", "toPhone": null, "toEmail": null, "toAddressLine1": null,
            "toLocation": { "suburb": "Ballarat", "postcode": "9999" }
        }),
    );
    let (_, reply) = bench.post(CREATE, &bare).await;
    let error = |member: &str, message: &str| json!({ "validationType": 1, "memberNames": [member], "errorMessage": message });
    assert_eq!(
        reply,
        json!({ "object": null, "errors": [
            error("toLocation", "To location suburb and postcode combination is invalid"),
            error("toName", "To name is required"), error("toContact", "To contact is required"),
            error("toPhone", "To phone is required"), error("toEmail", "To email is required"),
            error("toAddressLine1", "To address line 1 is required"),
        ]})
    );
    let nowhere = with(
        order(),
        json!({ "fromAbbreviation": null, "fromLocation": { "suburb": "Sydney", "postcode": "3000" } }),
    );
    assert_eq!(
        bench.refused(CREATE, &nowhere).await[0],
        "From location suburb and postcode combination is invalid"
    );
    assert_eq!(
        bench
            .refused(CREATE, &with(order(), json!({ "toLocation": null })))
            .await,
        ["To location is required"]
    );
}

#[tokio::test]
async fn an_email_address_must_be_one() {
    let bench = Bench::start().await;
    for wrong in [
        "stores",
        "stores@",
        "@bfg.example",
        "a b@bfg.example",
        "stores@example",
    ] {
        let messages = bench
            .refused(CREATE, &with(order(), json!({ "toEmail": wrong })))
            .await;
        assert_eq!(messages, ["String is not a valid email address"], "{wrong}");
    }
}

#[tokio::test]
async fn a_carrier_or_a_route_selection_is_needed() {
    let bench = Bench::start().await;
    let neither = with(order(), json!({ "carrierId": null }));
    assert_eq!(
        bench.refused(CREATE, &neither).await,
        ["Either defaultRouteSelection or carrierId is required"]
    );
    let open = |fields: Value| {
        with(
            with(
                order(),
                json!({ "carrierId": null, "carrierServiceId": null }),
            ),
            fields,
        )
    };
    let cheapest = bench
        .posted(
            CREATE,
            &open(json!({ "defaultRouteSelection": "cheapest" })),
        )
        .await;
    let fastest = bench
        .posted(CREATE, &open(json!({ "defaultRouteSelection": 1 })))
        .await;
    assert_eq!(cheapest["carrierService"]["id"], json!(1101));
    assert_eq!(
        fastest["carrierService"]["id"],
        json!(1401),
        "{}",
        fastest["carrierService"]
    );
    let alone = bench
        .posted(CREATE, &open(json!({ "carrierId": 12 })))
        .await;
    assert_eq!(
        alone["carrierService"]["id"],
        json!(1201),
        "a carrier alone is its cheapest service"
    );
    let wrong = bench
        .refused(CREATE, &open(json!({ "defaultRouteSelection": "nearest" })))
        .await;
    assert_eq!(wrong, ["\"nearest\" is neither cheapest nor fastest"]);
}

#[tokio::test]
async fn the_carrier_service_and_rate_card_must_be_the_companys() {
    let bench = Bench::start().await;
    let (_, reply) = bench
        .post(CREATE, &with(order(), json!({ "carrierId": 16 })))
        .await;
    assert_eq!(
        reply["errors"],
        json!([{
            "validationType": 1, "memberNames": ["carrierId"], "errorMessage": "Selected carrier is not available for this company"
        }])
    );
    let service = with(order(), json!({ "carrierServiceId": 1201 }));
    assert_eq!(
        bench.refused(CREATE, &service).await,
        ["Selected carrier service is not available for this company"]
    );
    let tasman = with(
        order(),
        json!({ "carrierId": 13, "carrierServiceId": 1301 }),
    );
    assert_eq!(
        bench.refused(CREATE, &tasman).await,
        ["Several rate cards are linked to this company: a carrier account is required",]
    );
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
    let other = with(order(), json!({ "carrierAccountId": 3104 }));
    assert_eq!(
        bench.refused(CREATE, &other).await,
        ["Selected carrier account is not available for this company"]
    );
}

#[tokio::test]
async fn an_unknown_company_is_refused_and_a_child_company_is_served() {
    let bench = Bench::start().await;
    assert_eq!(
        bench
            .refused(CREATE, &with(order(), json!({ "companyId": 3 })))
            .await,
        ["Invalid Company ID"]
    );
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
async fn the_company_with_dangerous_goods_declares_every_time() {
    let bench = Bench::start().await;
    let (_, reply) = bench
        .post(CREATE, &with(order(), json!({ "dgsDeclaration": null })))
        .await;
    assert_eq!(
        reply["errors"],
        json!([{
            "validationType": 1, "memberNames": [], "errorMessage": "Dangerous Goods / No Dangerous Goods must be declared"
        }])
    );
}

#[tokio::test]
async fn the_despatch_time_is_utc_first_and_never_past() {
    let bench = Bench::start().await;
    let despatch = async |fields: Value| {
        bench.posted(CREATE, &with(order(), fields)).await["despatchDateUtc"].clone()
    };
    let both = json!({ "dispatchDateTimeUtc": "2026-11-20T05:00:00.000Z", "dispatchDateTimeLocal": "2026-11-20T17:00:00.000Z" });
    assert_eq!(despatch(both).await, json!("2026-11-20T05:00:00"));
    let local = json!({ "dispatchDateTimeLocal": "2026-11-20T16:15:00.000Z" });
    assert_eq!(despatch(local).await, json!("2026-11-20T05:15:00"));
    let past = json!({ "dispatchDateTimeUtc": "2026-11-19T05:00:00.000Z" });
    assert_eq!(despatch(past).await, json!("2026-11-20T03:05:00"));
    let other_spelling = json!({ "despatchDateTimeUtc": "2026-11-20T05:00:00.000Z" });
    assert_eq!(
        despatch(other_spelling).await,
        json!("2026-11-20T03:05:00"),
        "an unknown spelling is ignored"
    );
    let wrong = with(order(), json!({ "dispatchDateTimeUtc": "tomorrow" }));
    assert_eq!(
        bench.refused(CREATE, &wrong).await,
        ["tomorrow is not a date and time"]
    );
}

#[tokio::test]
async fn the_clock_can_be_set_while_it_runs() {
    let bench = Bench::start().await;
    bench.set_clock("2026-11-24T22:30:00Z");
    let made = bench.posted(CREATE, &order()).await;
    assert_eq!(made["despatchDateLocal"], json!("2026-11-25T09:30:00"));
}

#[tokio::test]
async fn goods_need_a_kind_a_name_a_quantity_and_measures() {
    let bench = Bench::start().await;
    let (_, reply) = bench
        .post(
            CREATE,
            &with(
                order(),
                json!({ "items": [{ "itemType": "Sack", "quantity": 0, "weight": -1 }] }),
            ),
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
    assert_eq!(
        bench
            .refused(CREATE, &with(order(), json!({ "items": [] })))
            .await,
        ["Items are required"]
    );
}

#[tokio::test]
async fn a_saved_item_stands_for_itself_and_can_be_overridden() {
    let bench = Bench::start().await;
    let items =
        json!([{ "companyItemId": 8001 }, { "sku": "bf-100", "quantity": 3, "weight": 15.5 }]);
    let made = bench
        .posted(CREATE, &with(order(), json!({ "items": items })))
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
        .posted(CREATE_COMPLEX, &with(order(), json!({ "items": complex })))
        .await;
    assert_eq!(
        (&made["items"][0]["height"], &made["items"][0]["width"]),
        (&json!(21), &json!(25))
    );
    let unknown = with(
        order(),
        json!({ "items": [{ "sku": "NONE" }, { "companyItemId": 8017 }] }),
    );
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
        .posted(CREATE_COMPLEX, &with(order(), json!({ "items": nested })))
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

#[tokio::test]
async fn delegated_numbers_are_kept_where_the_carrier_takes_them() {
    let bench = Bench::start().await;
    let items = json!([{
        "itemType": "Carton", "name": "Reels", "quantity": 2,
        "standardItem": { "weight": 9, "length": 40, "width": 40, "height": 30 },
        "consignmentItemReferences": [{ "carrierItemReference": "HS0000000001" }, { "carrierItemReference": "HS0000000002" }]
    }]);
    let delegated = with(
        order(),
        json!({ "carrierConsignmentId": "HARB-0001", "items": items }),
    );
    let made = bench.posted(CREATE_COMPLEX, &delegated).await;
    assert_eq!(made["carrierConsignmentId"], json!("HARB-0001"));
    assert_eq!(
        made["items"][0]["references"],
        json!(["HS0000000001", "HS0000000002"])
    );

    let bluegum = with(
        delegated.clone(),
        json!({ "carrierId": 12, "carrierServiceId": 1201 }),
    );
    let made = bench.posted(CREATE_COMPLEX, &bluegum).await;
    assert_eq!(
        made["carrierConsignmentId"],
        json!("BLG00200002"),
        "this carrier gives its own"
    );
    assert_eq!(
        made["items"][0]["references"],
        json!(["BLG200002000001", "BLG200002000002"])
    );

    let mut short = delegated.clone();
    short["items"][0]["quantity"] = json!(3);
    assert_eq!(
        bench.refused(CREATE_COMPLEX, &short).await,
        ["One carrier item reference is required for each unit of quantity",]
    );
    let mut wrong = delegated;
    wrong["items"][0]["consignmentItemReferences"][1]["carrierItemReference"] = json!("x-1");
    assert_eq!(
        bench.refused(CREATE_COMPLEX, &wrong).await,
        ["x-1 is not in the carrier's format: 4 to 20 letters and digits",]
    );
}

#[tokio::test]
async fn a_receiver_pays_by_code_or_by_id_not_both() {
    let bench = Bench::start().await;
    let both = with(
        order(),
        json!({ "receiverAccountCode": "BFG-1", "receiverAccountId": 12 }),
    );
    assert_eq!(
        bench.refused(CREATE, &both).await,
        ["Cannot set both ReceiverAccountCode and ReceiverAccountId"]
    );
    bench
        .posted(CREATE, &with(order(), json!({ "receiverAccountId": 12 })))
        .await;
}

#[tokio::test]
async fn what_the_carrier_cannot_take_has_no_price() {
    let bench = Bench::start().await;
    let heavy = with(
        order(),
        json!({
            "carrierId": 15, "carrierServiceId": null,
            "items": [{ "itemType": "Carton", "name": "Vice", "quantity": 1, "weight": 38, "length": 55, "width": 35, "height": 40 }]
        }),
    );
    assert_eq!(
        bench.refused(CREATE, &heavy).await,
        [
            "No prices were found",
            "Wattle Parcel: takes at most 22 kg a piece"
        ]
    );
}
