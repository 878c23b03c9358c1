//! Defect 13: the editable form as live services publish it is shown completely, and changes are sent back in
//! the same shape.

use draft::{CheckContext, Draft};
use serde_json::{Value, json};
use shipping::EditForm;

use super::both_shapes::fixture;

const ZONE: &str = "Australia/Sydney";

/// The editable form in the published shapes.
fn published_form() -> Value {
    let [_, mut form] = fixture("consignment");
    let item = &mut form["consignmentItems"][0];
    item["id"] = json!(1);
    item["palletSpaces"] = json!(2);
    item["colour"] = json!({ "deep": [1.50, 2] });
    form["fromAddressLine1"] = json!("14 Wharf Road");
    form["dgsDeclaration"] = json!(true);
    form["carrierId"] = json!(11);
    form["carrierServiceId"] = json!(1101);
    form["isInternational"] = json!(false);
    for side in ["from", "to"] {
        for (name, text) in [
            ("Name", "Harbour Supplies"),
            ("Contact", "Kiri"),
            ("Phone", "0255501100"),
            ("Email", "kiri@example.com"),
            ("AddressLine1", "14 Wharf Road"),
        ] {
            form[format!("{side}{name}")] = json!(text);
        }
    }
    form
}

fn draft_of(form: &Value) -> (CheckContext, Draft) {
    let context = CheckContext::at("2026-11-20T03:05:00Z".parse().expect("a moment"), ZONE);
    let form: EditForm = serde_json::from_str(&form.to_string()).expect("a form");
    let draft = Draft::from_form(&form, ZONE).expect("it says whose it is");
    (context, draft)
}

fn written(context: &CheckContext, draft: &Draft) -> Value {
    let form = draft.into_form(context);
    let form = form.unwrap_or_else(|problems| panic!("{problems:?}"));
    serde_json::to_value(&form).expect("a value")
}

#[test]
fn n13_a_published_form_is_shown_whole_and_goes_back_as_it_came() {
    let form = published_form();
    let (context, draft) = draft_of(&form);
    assert_eq!(draft.from.place, "Alexandria NSW 2015");
    assert_eq!(draft.to.place, "Ballarat Central VIC 3350");
    let line = &draft.goods[0];
    let good = &line.dangerous[0];
    assert_eq!(
        [&*good.technical_name, &good.hazchem, &good.un_number],
        ["toluene", "3YE", "1263"]
    );
    assert!(good.packing_group.is_some() && good.container.is_some() && good.class.is_some());
    assert_eq!(line.contents[0].country, "NZL");
    assert_eq!(written(&context, &draft), form);
}

#[test]
fn n13_what_is_changed_goes_back_in_the_shape_that_it_came_in() {
    let (context, mut draft) = draft_of(&published_form());
    let line = &mut draft.goods[0];
    "xylene".clone_into(&mut line.dangerous[0].technical_name);
    "2YE".clone_into(&mut line.dangerous[0].hazchem);
    line.dangerous[0].packing_group = Some(shipping::PackingGroup::III);
    draft.declare(true);
    let form = written(&context, &draft);
    let item = &form["consignmentItems"][0];
    assert_eq!(
        item["colour"],
        json!({ "deep": [1.50, 2] }),
        "unknown, and kept"
    );
    let good = &item["consignmentItemDgItems"][0];
    assert_eq!(good["technicalOrChemicalGroupNames"], json!(["xylene"]));
    assert!(good.get("TechnicalOrChemicalGroupNames").is_none());
    assert_eq!(good["packingGroup"], json!(3));
    assert!(good["packingGroupStringValue"].is_null(), "{good}");
    assert_eq!(good["dgHazchem"], json!({ "code": "2YE" }));
    assert_eq!(good["hazchem"], json!("2YE"));
}

#[test]
fn n13_a_country_of_manufacture_is_changed_in_the_record_that_it_came_in() {
    let mut form = published_form();
    for (name, value) in [
        ("isInternational", json!(true)),
        ("toLocation", json!(null)),
        ("internationalToCity", json!("Singapore")),
        ("internationalToPostcode", json!("018956")),
        ("internationalToProvince", json!("Central")),
        ("toPhone", json!("+65 5550 0199")),
        ("carrierId", json!(14)),
        ("carrierServiceId", json!(1403)),
        (
            "toCountry",
            json!({ "id": 190, "code2": "SG", "code3": "SGP", "name": "Singapore" }),
        ),
    ] {
        form[name] = value;
    }
    form["consignmentItems"][0]["consignmentItemDgItems"] = json!([]);
    form["consignmentItems"][0]["consignmentItemContents"][0]["purpose"] = json!("Sale");
    let (context, mut draft) = draft_of(&form);
    assert_eq!(draft.to.country, "SGP");
    "Fiji".clone_into(&mut draft.goods[0].contents[0].country);
    draft.declare(false);
    let form = written(&context, &draft);
    let item = &form["consignmentItems"][0];
    let inside = &item["consignmentItemContents"][0];
    assert_eq!(
        inside["countryOfManufacture"],
        json!({ "code2": "FJ", "code3": "FJI", "name": "Fiji" })
    );
    assert_eq!(inside["countryOfManufactureCode"], json!("FJI"));
    assert!(inside["countryOfManufactureId"].is_null());
}
