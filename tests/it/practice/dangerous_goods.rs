//! Dangerous goods: UN numbers, packing groups, packaging types, Hazchem codes, flash points, and which
//! carriers accept them.

use serde_json::{Value, json};

use crate::support::practice::{
    Bench, CREATE, CREATE_COMPLEX, assert_refused, dangerous_order, dangerous_with, order_with,
    with,
};

async fn refused(bench: &Bench, fields: Value) -> Vec<String> {
    bench.refused(CREATE_COMPLEX, &dangerous_with(fields)).await
}

#[tokio::test]
async fn dangerous_goods_are_kept_as_sent_with_name_class_and_hazchem_id() {
    let bench = Bench::start().await;
    let made = bench.posted(CREATE_COMPLEX, &dangerous_order()).await;
    assert_eq!(made["dgsDeclaration"], json!(true));
    assert_eq!(
        made["items"][0]["consignmentItemDgItems"],
        json!([{
            "companyDgItemId": null, "unNumber": 1170, "properShippingName": "ETHANOL SOLUTIONS", "packingGroup": 2,
            "containerType": 6, "aggregateQuantity": 12, "isAggregateQuantityWeight": false, "numberOfContainers": 12,
            "isMarinePollutant": false, "isTemperatureControlled": false, "isEmptyDgContainer": false, "dgClassType": 5,
            "subDgClassTypes": [], "TechnicalOrChemicalGroupNames": [], "hazchem": "2YE", "dgHazchemId": 322, "flashpoint": 13
        }])
    );
}

#[tokio::test]
async fn the_declaration_equals_what_the_items_hold() {
    let bench = Bench::start().await;
    let denied = with(dangerous_order(), json!({ "dgsDeclaration": false }));
    let expected = ["No Dangerous Goods have been declared yet an item holds some"];
    assert_refused(&bench, CREATE_COMPLEX, &denied, &expected).await;
    let mut empty = dangerous_order();
    empty["items"][0]["consignmentItemDgItems"] = json!([]);
    let expected = ["Dangerous Goods have been declared yet no item holds any"];
    assert_refused(&bench, CREATE_COMPLEX, &empty, &expected).await;
    let simple = order_with(json!({ "dgsDeclaration": true }));
    let expected = ["Dangerous goods need the operation with complex items"];
    assert_refused(&bench, CREATE, &simple, &expected).await;
    let saved = order_with(json!({ "items": [{ "sku": "MS-12" }] }));
    let expected = ["Dangerous goods need the operation with complex items"];
    assert_refused(&bench, CREATE, &saved, &expected).await;
}

#[tokio::test]
async fn a_company_without_dangerous_goods_sends_none() {
    let bench = Bench::start().await;
    let mut other = with(
        dangerous_order(),
        json!({
            "companyId": 2, "fromAbbreviation": "HAKL", "toAbbreviation": "AROHA", "carrierId": 16, "carrierServiceId": 1601
        }),
    );
    other["items"][0]["name"] = json!("Spirits");
    let expected = ["Dangerous goods are not enabled for this company"];
    assert_refused(&bench, CREATE_COMPLEX, &other, &expected).await;
}

#[tokio::test]
async fn un_number_and_packing_group_must_be_valid_together() {
    let bench = Bench::start().await;
    assert_eq!(
        refused(&bench, json!({ "unNumber": 9999 })).await,
        ["UN number 9999 is not valid"]
    );
    assert_eq!(
        refused(&bench, json!({ "unNumber": null })).await,
        ["UN number is required"]
    );
    assert_eq!(
        refused(&bench, json!({ "packingGroup": 1 })).await,
        ["Packing group 1 is not valid for UN 1170"]
    );
    assert_eq!(
        refused(&bench, json!({ "packingGroup": 5 })).await,
        ["Packing group is required and must be from 1 to 4"]
    );
    let short = json!({ "unNumber": 12, "packingGroup": 1, "dgClassType": 47 });
    assert_eq!(
        refused(&bench, short).await,
        ["Packing group 1 is not valid for UN 0012"]
    );
}

#[tokio::test]
async fn enums_outside_their_range_are_refused_at_their_field() {
    let bench = Bench::start().await;
    for (fields, message) in [
        (
            json!({ "containerType": 12 }),
            "Container type is required and must be from 1 to 11",
        ),
        (
            json!({ "containerType": 0 }),
            "Container type is required and must be from 1 to 11",
        ),
        (
            json!({ "dgClassType": 1 }),
            "Dangerous goods class must be from 2 to 49",
        ),
        (
            json!({ "dgClassType": 50 }),
            "Dangerous goods class must be from 2 to 49",
        ),
        (
            json!({ "subDgClassTypes": [50] }),
            "Dangerous goods class must be from 2 to 49",
        ),
        (json!({ "dgClassType": 14 }), "UN 1170 is of class 3"),
        (
            json!({ "aggregateQuantity": 0 }),
            "Aggregate quantity is required and must be greater than 0",
        ),
        (
            json!({ "numberOfContainers": null }),
            "Number of containers is required and must be greater than 0",
        ),
        (
            json!({ "isAggregateQuantityWeight": null }),
            "isAggregateQuantityWeight is required",
        ),
        (
            json!({ "isMarinePollutant": null }),
            "isMarinePollutant is required",
        ),
        (
            json!({ "isTemperatureControlled": null }),
            "isTemperatureControlled is required",
        ),
    ] {
        assert_eq!(refused(&bench, fields.clone()).await, [message], "{fields}");
    }
    let (_, reply) = bench
        .post(
            CREATE_COMPLEX,
            &dangerous_with(json!({ "containerType": 12 })),
        )
        .await;
    assert_eq!(
        reply["errors"][0]["memberNames"],
        json!(["items[0].consignmentItemDgItems[0].containerType"])
    );
}

#[tokio::test]
async fn one_hazchem_code_is_sent_in_one_way() {
    let bench = Bench::start().await;
    let hazchem = async |fields: Value| {
        bench.posted(CREATE_COMPLEX, &dangerous_with(fields)).await["items"][0]["consignmentItemDgItems"][0]["hazchem"].clone()
    };
    assert_eq!(
        refused(&bench, json!({ "dgHazchemId": 322 })).await,
        ["Cannot set both hazchem and dgHazchemId"]
    );
    assert_eq!(
        refused(&bench, json!({ "hazchem": null })).await,
        ["Several Hazchem codes exist for UN 1170: send 2SE or 2YE",]
    );
    assert_eq!(
        refused(&bench, json!({ "hazchem": "9Z" })).await,
        ["Hazchem code 9Z does not exist"]
    );
    assert_eq!(
        refused(&bench, json!({ "hazchem": null, "dgHazchemId": 342 })).await,
        ["Hazchem id 342 does not exist"]
    );
    assert_eq!(
        hazchem(json!({ "hazchem": null, "dgHazchemId": 336 })).await,
        json!("•2Y")
    );
    let acetone = json!({ "unNumber": 1090, "hazchem": null });
    assert_eq!(
        hazchem(acetone).await,
        json!("2YE"),
        "the only code is set by itself"
    );
}

#[tokio::test]
async fn class_3_needs_a_flash_point() {
    let bench = Bench::start().await;
    assert_eq!(
        refused(&bench, json!({ "flashpoint": null })).await,
        ["A flash point is required for class 3"]
    );
    let acid = json!({ "unNumber": 1789, "dgClassType": 14, "flashpoint": null, "hazchem": null });
    bench.posted(CREATE_COMPLEX, &dangerous_with(acid)).await;
}

#[tokio::test]
async fn a_technical_name_is_needed_where_the_entry_says_so() {
    let bench = Bench::start().await;
    let unnamed = json!({ "unNumber": 1993, "hazchem": "3YE" });
    assert_eq!(
        refused(&bench, unnamed).await,
        ["UN 1993 needs a technical or chemical group name"]
    );
    for names in [json!("heptane"), json!(["heptane"])] {
        let named =
            json!({ "unNumber": 1993, "hazchem": "3YE", "TechnicalOrChemicalGroupNames": names });
        let made = bench.posted(CREATE_COMPLEX, &dangerous_with(named)).await;
        let kept = &made["items"][0]["consignmentItemDgItems"][0]["TechnicalOrChemicalGroupNames"];
        assert_eq!(kept, &json!(["heptane"]));
    }
}

#[tokio::test]
async fn new_zealand_domestic_needs_hazchem_and_flash_point() {
    let bench = Bench::start().await;
    let domestic = |fields: Value| {
        with(
            dangerous_with(fields),
            json!({
                "fromAbbreviation": null, "fromName": "Depot", "fromContact": "Dispatch", "fromPhone": "09 555 0115",
                "fromEmail": "depot@harbour.example", "fromAddressLine1": "1 Quay Street",
                "fromLocation": { "suburb": "Auckland Central", "postcode": "1010" },
                "toLocation": { "suburb": "Petone", "postcode": "5012" },
                "carrierId": 13, "carrierServiceId": 1301, "carrierAccountId": 3103
            }),
        )
    };
    let aerosols = json!({
        "unNumber": 1950, "packingGroup": 4, "dgClassType": 2, "containerType": 10, "hazchem": null, "flashpoint": null
    });
    let order = domestic(aerosols.clone());
    let expected = [
        "A Hazchem code is required for New Zealand domestic shipments",
        "A flash point is required for New Zealand domestic shipments",
    ];
    assert_refused(&bench, CREATE_COMPLEX, &order, &expected).await;
    bench
        .posted(CREATE_COMPLEX, &dangerous_with(aerosols))
        .await;
    bench.posted(CREATE_COMPLEX, &domestic(json!({}))).await;
}

#[tokio::test]
async fn a_carrier_that_takes_none_is_no_dangerous_goods_route() {
    let bench = Bench::start().await;
    for (carrier, service) in [(14, 1402), (15, 1501)] {
        let chosen = with(
            dangerous_order(),
            json!({ "carrierId": carrier, "carrierServiceId": service }),
        );
        let (_, reply) = bench.post(CREATE_COMPLEX, &chosen).await;
        assert_eq!(
            reply["errors"],
            json!([{
                "validationType": 1, "memberNames": [],
                "errorMessage": "Route is not Dangerous Goods route yet Dangerous Goods have been declared"
            }])
        );
    }
    let gas = dangerous_with(json!({
        "unNumber": 1978, "packingGroup": 4, "dgClassType": 2, "hazchem": null, "flashpoint": null
    }));
    let bluegum = with(
        gas.clone(),
        json!({ "carrierId": 12, "carrierServiceId": 1201 }),
    );
    let expected = ["Route is not Dangerous Goods route yet Dangerous Goods have been declared"];
    assert_refused(&bench, CREATE_COMPLEX, &bluegum, &expected).await;
    bench.posted(CREATE_COMPLEX, &gas).await;
}

#[tokio::test]
async fn a_stored_good_serves_several_items_with_amounts_of_their_own() {
    let bench = Bench::start().await;
    let item = |amount: Value| {
        json!({
            "itemType": "Carton", "name": "Spirits", "quantity": 1,
            "standardItem": { "weight": 11.5, "length": 36, "width": 28, "height": 32 },
            "consignmentItemDgItems": [{ "companyDgItemId": 9001, "aggregateQuantity": amount }]
        })
    };
    let stored = with(
        dangerous_order(),
        json!({ "items": [item(json!(5)), item(Value::Null)] }),
    );
    let made = bench.posted(CREATE_COMPLEX, &stored).await;
    let good = |index: usize| made["items"][index]["consignmentItemDgItems"][0].clone();
    assert_eq!(
        (&good(0)["unNumber"], &good(0)["aggregateQuantity"]),
        (&json!(1170), &json!(5))
    );
    assert_eq!(
        (&good(1)["hazchem"], &good(1)["aggregateQuantity"]),
        (&json!("2YE"), &json!(12))
    );
    let mut unknown = stored;
    unknown["items"][0]["consignmentItemDgItems"][0]["companyDgItemId"] = json!(1);
    let expected = ["Stored dangerous goods 1 are not known"];
    assert_refused(&bench, CREATE_COMPLEX, &unknown, &expected).await;
}

#[tokio::test]
async fn a_saved_item_brings_its_dangerous_goods() {
    let bench = Bench::start().await;
    let order = with(dangerous_order(), json!({ "items": [{ "sku": "BT-105" }] }));
    let made = bench.posted(CREATE_COMPLEX, &order).await;
    assert_eq!(
        made["items"][0]["consignmentItemDgItems"][0]["unNumber"],
        json!(2794)
    );
}
