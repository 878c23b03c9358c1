//! Requests from valid drafts contain exactly what was typed and picked.

use draft::{
    AddressField, AddressMode, CustomValueLine, DgLine, Draft, Field, GoodsLine, ItemSource,
    PickedLocation, ReceiverAccountKind,
};
use serde_json::{Value, json};
use shipping::{CompanyLocationId, DgClass};

use super::{check, context, dangerous, export, good, saved_item, set};

fn sent(change: impl FnOnce(&mut Draft)) -> Value {
    let check = check(change);
    let Some(request) = check.request() else {
        panic!("it passes: {:#?}", check.problems);
    };
    serde_json::to_value(request).expect("JSON")
}

#[test]
fn a_plain_draft_is_sent_without_a_word_too_many() {
    let request = sent(|draft| {
        draft.from.mode = AddressMode::Saved;
        set(&mut draft.from.abbreviation, " HSYD ");
        set(&mut draft.goods[0].weight, "9,5");
    });
    let expected = json!({
        "fromAbbreviation": "HSYD",
        "toName": "Ballarat Farm & Garden", "toContact": "J. Okafor", "toPhone": "03 5550 0199",
        "toEmail": "stores@bfg.example", "toAddressLine1": "8 Creswick Road",
        "toLocation": {"suburb": "Ballarat Central", "postcode": "3350"},
        "defaultRouteSelection": "cheapest", "customerReference": "SO-1", "dgsDeclaration": false,
        "items": [{
            "itemType": "Carton", "name": "Hose reels, 20 m", "quantity": 2,
            "weight": 9.5, "length": 40, "width": 40, "height": 30,
        }],
    });
    assert_eq!(request, expected);
}

#[test]
fn a_saved_item_is_sent_by_its_name_with_what_overrides_it_nested() {
    let request = sent(|draft| {
        draft.goods = vec![
            saved_item("HR-20"),
            GoodsLine {
                source: ItemSource::Id,
                item_id: " 8004 ".to_owned(),
                quantity: "3".to_owned(),
                height: "21".to_owned(),
                ..saved_item("")
            },
        ];
    });
    let expected = json!([
        {"sku": "HR-20"},
        {"companyItemId": 8004, "quantity": 3, "standardItem": {"height": 21}},
    ]);
    assert_eq!(request["items"], expected);
}

#[test]
fn an_export_names_its_country_in_three_letters_and_its_contents() {
    let request = sent(|draft| {
        export(draft);
        set(&mut draft.to.province, "Rewa");
        draft.duties_by_recipient = true;
        let inside = &mut draft.goods[0].contents[0];
        set(&mut inside.harmonised_code, " 8424.90 10");
        set(&mut inside.purpose, "gift");
        set(&mut inside.country, "nz");
    });
    assert_eq!(request["isInternational"], true);
    assert_eq!(request["toCountryCode"], "FJI");
    assert_eq!(request["internationalToCity"], "Suva");
    assert_eq!(request["internationalToProvince"], "Rewa");
    assert!(request.get("toLocation").is_none() && request.get("fromCountryCode").is_none());
    assert_eq!(request["fromLocation"]["postcode"], "3350");
    let custom = json!([{"propertyName": "AreDutiesPaidByRecipient", "value": true}]);
    assert_eq!(request["customValues"], custom);
    let contents = json!([{
        "description": "Hose reels", "quantity": 1, "harmonizedCode": "8424.9010", "purpose": "Gift",
        "countryOfManufactureCode": "NZL", "dollarValue": 89.5,
    }]);
    assert_eq!(request["items"][0]["consignmentItemContents"], contents);
    assert_eq!(request["items"][0]["standardItem"]["weight"], 9);
}

#[test]
fn contents_and_duties_of_a_domestic_consignment_are_not_sent() {
    let request = sent(|draft| {
        export(draft);
        draft.to.country.clear();
        draft.duties_by_recipient = true;
        set(
            &mut draft.goods[0].contents[0].quantity,
            "what is not sent is not checked",
        );
    });
    assert!(request.get("isInternational").is_none());
    assert!(request.get("customValues").is_none());
    assert!(request["items"][0].get("consignmentItemContents").is_none());
}

#[test]
fn a_saved_location_abroad_makes_it_international_and_needs_no_other_field() {
    let request = sent(|draft| {
        export(draft);
        draft.to.mode = AddressMode::Saved;
        draft.to.saved = Some(PickedLocation {
            id: CompanyLocationId::new(7010),
            name: "Auckland".to_owned(),
            abbreviation: "HAKL".to_owned(),
            street: String::new(),
            place: String::new(),
            contact: String::new(),
            time_zone: String::new(),
            country: "New Zealand".to_owned(),
            company: None,
        });
    });
    assert_eq!(request["isInternational"], true);
    assert_eq!(request["toCompanyLocationId"], 7010);
    assert!(request.get("toCountryCode").is_none() && request.get("toName").is_none());
}

#[test]
fn dangerous_goods_go_nested_with_the_lookups_own_class_and_risks() {
    let request = sent(|draft| {
        dangerous(draft, |good| {
            set(&mut good.un_number, "un 2031");
            good.class = None;
            good.flash_point.clear();
            set(&mut good.technical_name, "fuming; red");
        });
    });
    let good = &request["items"][0]["consignmentItemDgItems"][0];
    let expected = json!({
        "unNumber": 2031, "packingGroup": 2, "containerType": 6, "aggregateQuantity": 12,
        "isAggregateQuantityWeight": false, "numberOfContainers": 12, "isMarinePollutant": false,
        "isTemperatureControlled": false, "isEmptyDgContainer": false, "dgClassType": u8::from(DgClass::Corrosive),
        "subDgClassTypes": [9], "TechnicalOrChemicalGroupNames": ["fuming", "red"], "hazchem": "2YE",
    });
    assert_eq!(*good, expected);
    assert_eq!(request["dgsDeclaration"], true);
}

#[test]
fn a_stored_good_is_its_id_and_its_amount() {
    let request = sent(|draft| {
        dangerous(draft, |good| {
            *good = DgLine {
                stored: "9001".to_owned(),
                amount: "2,5".to_owned(),
                un_number: "not looked at".to_owned(),
                ..DgLine::default()
            };
        });
    });
    let goods = json!([{"companyDgItemId": 9001, "aggregateQuantity": 2.5}]);
    assert_eq!(request["items"][0]["consignmentItemDgItems"], goods);
}

#[test]
fn options_are_sent_as_what_they_are() {
    let request = sent(|draft| {
        draft.receiver_account_by = ReceiverAccountKind::Id;
        set(&mut draft.receiver_account, " 77 ");
        set(&mut draft.staff, "R. Okeke");
        set(&mut draft.printer_token, "dock 3");
        set(&mut draft.carrier_number, "MYID-1");
        set(&mut draft.goods[0].references, "SCX00001;\nSCX00002");
        set(&mut draft.despatch, "2026-11-23 10:00");
        draft.custom_values = [
            ("a", "TRUE"),
            ("b", "2.5"),
            ("c", "007"),
            ("d", "1,5"),
            ("", ""),
        ]
        .map(|(name, value)| CustomValueLine {
            name: name.to_owned(),
            value: value.to_owned(),
        })
        .to_vec();
    });
    assert_eq!(request["receiverAccountId"], 77);
    assert!(request.get("receiverAccountCode").is_none());
    assert_eq!(request["staffMemberName"], "R. Okeke");
    assert_eq!(request["printerToken"], "dock 3");
    assert_eq!(request["carrierConsignmentId"], "MYID-1");
    assert_eq!(request["dispatchDateTimeLocal"], "2026-11-23T10:00:00.000Z");
    assert!(
        request.get("dispatchDateTimeUtc").is_none(),
        "only one is sent"
    );
    let references =
        json!([{"carrierItemReference": "SCX00001"}, {"carrierItemReference": "SCX00002"}]);
    assert_eq!(request["items"][0]["consignmentItemReferences"], references);
    let values: Vec<_> = request["customValues"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["value"])
        .collect();
    assert_eq!(
        values,
        [&json!(true), &json!(2.5), &json!("007"), &json!("1,5")]
    );
}

#[test]
fn a_pending_consignment_holds_what_is_typed_and_needs_nothing_else() {
    let empty = Draft::default()
        .pending_request(&context())
        .expect("nothing is missing");
    assert_eq!(
        serde_json::to_value(empty).expect("JSON"),
        json!({"items": []})
    );
    let mut draft = Draft::default();
    draft.to.mode = AddressMode::Full;
    set(&mut draft.to.name, "Ballarat Farm & Garden");
    set(&mut draft.to.contact, "J. Okafor");
    set(&mut draft.goods[0].name, "Spirits");
    draft.goods[0].dangerous.push(DgLine {
        un_number: "1170".to_owned(),
        shipping_name: "ETHANOL".to_owned(),
        ..DgLine::default()
    });
    draft.custom_values.push(CustomValueLine {
        name: "palletSpaces".to_owned(),
        value: "2".to_owned(),
    });
    let pending = draft.pending_request(&context()).expect("it can be read");
    let pending = serde_json::to_value(pending).expect("JSON");
    assert_eq!(pending["toContact"], "J. Okafor");
    assert_eq!(
        pending["customValues"][0]["value"], "2",
        "text, unlike on create"
    );
    let item = &pending["items"][0];
    assert_eq!(item["name"], "Spirits");
    assert!(item.get("weight").is_none(), "{item}");
    assert_eq!(
        item["pendingConsignmentItemDgItems"][0]["properShippingName"],
        "ETHANOL"
    );
}

#[test]
fn a_pending_consignment_holds_nothing_that_cannot_be_read() {
    let problems = |change: fn(&mut Draft)| {
        let mut draft = good();
        change(&mut draft);
        let problems = draft
            .pending_request(&context())
            .expect_err("it can't be read");
        problems
            .into_iter()
            .map(|problem| problem.field)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        problems(|d| set(&mut d.to.contact, "")),
        [Field::To(AddressField::Contact)]
    );
    assert_eq!(
        problems(|d| set(&mut d.to.place, "Ballarat")),
        [Field::To(AddressField::Place)]
    );
    assert_eq!(
        problems(|d| set(&mut d.despatch, "soon")),
        [Field::Despatch]
    );
    let weight = Field::Goods(0, draft::GoodsField::Weight);
    assert_eq!(problems(|d| set(&mut d.goods[0].weight, "heavy")), [weight]);
}
