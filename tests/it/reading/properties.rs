//! Whatever is put into a record: requests come out as they went in, and any answer gives a value or says where it does not
//! fit, without quoting it.
//!
//! `PROPTEST_CASES=100000 cargo test --test it reading::properties` looks for longer.

use packbench::shipping::{
    Attachment, Carrier, Company, CompanyLocation, Consignment, ConsignmentRequest, EditForm,
    LabelFile, LabelOrder, LivePrices, ManifestGroup, ManifestResult, PendingConsignment,
    PendingConsignmentRequest, PriceRequest, PrinterChoice, RouteRequest, Routes, StatusUpdate,
    UnEntry, read_bare, read_envelope, read_page,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// Stands in every answer where a customer's data could stand.
const CANARY: &str = "Jean Okafor";

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A name with a strategy for its value.
type Named = (&'static str, BoxedStrategy<Value>);

fn some(strategy: impl Strategy<Value = Value> + 'static, names: &[&'static str]) -> Vec<Named> {
    let strategy = strategy.boxed();
    names.iter().map(|name| (*name, strategy.clone())).collect()
}

/// An object in which each field is there or not.
fn object(fields: Vec<Named>) -> BoxedStrategy<Value> {
    let fields: Vec<_> = fields
        .into_iter()
        .map(|(name, value)| prop::option::of(value).prop_map(move |value| (name, value)))
        .collect();
    let present = |fields: Vec<(&'static str, Option<Value>)>| {
        let fields = fields
            .into_iter()
            .filter_map(|(name, value)| value.map(|value| (name.to_owned(), value)));
        Value::Object(fields.collect::<Map<_, _>>())
    };
    fields.prop_map(present).boxed()
}

fn text() -> BoxedStrategy<Value> {
    "\\PC{1,12}".prop_map(Value::from).boxed()
}

fn id() -> BoxedStrategy<Value> {
    any::<i64>().prop_map(Value::from).boxed()
}

fn count() -> BoxedStrategy<Value> {
    any::<u32>().prop_map(Value::from).boxed()
}

fn flag() -> BoxedStrategy<Value> {
    any::<bool>().prop_map(Value::from).boxed()
}

/// A decimal as it is written: no zeros that say nothing at its end.
fn decimal() -> BoxedStrategy<Value> {
    (1_i64..10_000_000, 0_u32..4)
        .prop_map(|(digits, places)| {
            let scaled = rust_decimal::Decimal::new(digits, places).normalize();
            serde_json::from_str(&scaled.to_string()).expect("a number")
        })
        .boxed()
}

fn moment() -> BoxedStrategy<Value> {
    (2020_i16..2040, 1_i8..=12, 1_i8..=28, 0_i8..24, 0_i8..60)
        .prop_map(|(year, month, day, hour, minute)| {
            json!(format!(
                "{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:00.000Z"
            ))
        })
        .boxed()
}

fn country() -> BoxedStrategy<Value> {
    "[A-Z]{3}".prop_map(Value::from).boxed()
}

fn one_of(values: &'static [u8]) -> BoxedStrategy<Value> {
    select(values).prop_map(Value::from).boxed()
}

fn list(of: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    vec(of, 1..3).prop_map(Value::from).boxed()
}

fn all(parts: Vec<Vec<Named>>) -> BoxedStrategy<Value> {
    object(parts.into_iter().flatten().collect())
}

fn contents() -> BoxedStrategy<Value> {
    all(vec![
        some(
            text(),
            &[
                "description",
                "reference1",
                "reference2",
                "reference3",
                "ciMarksAndNumbers",
                "partNumber",
                "harmonizedCode",
                "purpose",
            ],
        ),
        some(count(), &["quantity"]),
        some(country(), &["countryOfManufactureCode"]),
        some(decimal(), &["dollarValue"]),
    ])
}

fn good() -> BoxedStrategy<Value> {
    all(vec![
        some(id(), &["companyDgItemId"]),
        some((1_u16..3600).prop_map(Value::from), &["unNumber"]),
        some(
            text(),
            &[
                "properShippingName",
                "hazchem",
                "TechnicalOrChemicalGroupNames",
            ],
        ),
        some(one_of(&[1, 2, 3, 4]), &["packingGroup"]),
        some(one_of(&[1, 2, 6, 11]), &["containerType"]),
        some(decimal(), &["aggregateQuantity", "flashpoint"]),
        some(
            flag(),
            &[
                "isAggregateQuantityWeight",
                "isMarinePollutant",
                "isTemperatureControlled",
                "isEmptyDgContainer",
            ],
        ),
        some(count(), &["numberOfContainers"]),
        some(one_of(&[2, 5, 14, 49]), &["dgClassType"]),
        some(list(one_of(&[2, 5, 14, 49])), &["subDgClassTypes"]),
        some((311_u16..342).prop_map(Value::from), &["dgHazchemId"]),
    ])
}

fn plain_item() -> Vec<Vec<Named>> {
    vec![
        some(id(), &["companyItemId"]),
        some(text(), &["itemType", "name", "sku"]),
        some(count(), &["quantity", "palletSpaces"]),
        some(decimal(), &["weight", "length", "width", "height"]),
    ]
}

fn item() -> BoxedStrategy<Value> {
    let nested = all(vec![some(
        decimal(),
        &["weight", "length", "width", "height"],
    )]);
    let reference = text().prop_map(|text| json!({ "carrierItemReference": text }));
    let mut parts = plain_item();
    parts.extend([
        some(nested, &["standardItem"]),
        some(list(good()), &["consignmentItemDgItems"]),
        some(list(contents()), &["consignmentItemContents"]),
        some(list(reference.boxed()), &["consignmentItemReferences"]),
    ]);
    all(parts)
}

fn pending_item() -> BoxedStrategy<Value> {
    let mut parts = plain_item();
    parts.extend([
        some(list(good()), &["pendingConsignmentItemDgItems"]),
        some(list(contents()), &["pendingConsignmentItemContents"]),
    ]);
    all(parts)
}

/// What all three kinds of request share.
fn shared() -> Vec<Vec<Named>> {
    let place =
        (text(), text()).prop_map(|(suburb, code)| json!({ "suburb": suburb, "postcode": code }));
    vec![
        some(
            id(),
            &[
                "companyId",
                "fromCompanyLocationId",
                "toCompanyLocationId",
                "carrierServiceId",
                "carrierAccountId",
                "companyCarrierAccountId",
            ],
        ),
        some(
            text(),
            &[
                "fromAbbreviation",
                "toAbbreviation",
                "internationalFromCity",
                "internationalFromPostcode",
                "internationalFromProvince",
                "internationalToCity",
                "internationalToPostcode",
                "internationalToProvince",
                "customerReference",
                "customerReference2",
            ],
        ),
        some(country(), &["fromCountryCode", "toCountryCode"]),
        some(place, &["fromLocation", "toLocation"]),
        some(
            list(
                select(&["7", "8", "13", "14", "36"][..])
                    .prop_map(Value::from)
                    .boxed(),
            ),
            &["questionIds"],
        ),
        some(flag(), &["isInternational"]),
    ]
}

/// What both kinds of consignment share beyond that.
fn addressed() -> Vec<Vec<Named>> {
    let custom = (text(), prop_oneof![text(), flag(), count()])
        .prop_map(|(name, value)| json!({ "propertyName": name, "value": value }));
    let mut parts = shared();
    parts.extend([
        some(
            text(),
            &[
                "fromName",
                "fromContact",
                "fromPhone",
                "fromEmail",
                "fromAddressLine1",
                "fromAddressLine2",
                "toName",
                "toContact",
                "toPhone",
                "toEmail",
                "toAddressLine1",
                "toAddressLine2",
                "specialInstructions",
                "staffMemberName",
            ],
        ),
        some(id(), &["carrierId"]),
        some(list(custom.boxed()), &["customValues"]),
        some(
            select(&["cheapest", "fastest"][..]).prop_map(Value::from),
            &["defaultRouteSelection"],
        ),
    ]);
    parts
}

/// Reads it, writes it, reads and writes it again: nothing is lost, added or spelt otherwise.
fn survives<T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(
    given: &Value,
) -> Result<(), TestCaseError> {
    let read: T = serde_json::from_str(&given.to_string())
        .map_err(|error| TestCaseError::fail(format!("{error}: {given}")))?;
    let written = serde_json::to_string(&read).expect("it can be written");
    let value: Value = serde_json::from_str(&written).expect("JSON");
    prop_assert_eq!(&value, given);
    let again: T = serde_json::from_str(&written).expect("what we wrote");
    prop_assert_eq!(&again, &read);
    prop_assert_eq!(serde_json::to_string(&again).expect("written"), written);
    Ok(())
}

/// With the fields that are never left out.
fn with(mut value: Value, name: &str, given: Value) -> Value {
    value[name] = given;
    value
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_consignment_request_survives(
        fields in all([addressed(), vec![
            some(text(), &["printerToken", "receiverAccountCode", "carrierConsignmentId"]),
            some(id(), &["receiverAccountId"]),
            some(flag(), &["sendingTrackingEmail", "dgsDeclaration"]),
            some(moment(), &["dispatchDateTimeUtc"]),
            some(list(id()), &["linkedPendingConsignmentIds"]),
        ]].concat()),
        items in list(item()),
    ) {
        survives::<ConsignmentRequest>(&with(fields, "items", items))?;
    }

    #[test]
    fn a_pending_request_survives(
        fields in all([addressed(), vec![
            some(flag(), &["sendTrackingEmail"]),
            some(moment(), &["despatchDateTimeLocal"]),
        ]].concat()),
        items in list(pending_item()),
    ) {
        survives::<PendingConsignmentRequest>(&with(fields, "items", items))?;
    }

    #[test]
    fn a_routes_request_survives(
        fields in all([shared(), vec![
            some(text(), &["requestId"]),
            some(list(id()), &["carrierIds"]),
            some(flag(), &["dgsDeclaration"]),
            some(moment(), &["despatchDateTimeUtc"]),
        ]].concat()),
        items in list(item()),
    ) {
        survives::<RouteRequest>(&with(fields, "items", items))?;
    }

    #[test]
    fn a_manifest_group_survives_with_what_else_was_said_of_it(
        fields in all(vec![
            some(id(), &["companyId"]),
            some((0_i64..100).prop_map(Value::from), &["palletSpaces"]),
            some(moment(), &["pickupDateTime", "pickupClosingTime"]),
            some(text(), &["pickupSpecialInstructions", "carrierName", "fromLocationName"]),
            some(flag(), &["dgsDeclaration"]),
            some(anything(), &["serviceOwn"]),
        ]),
        ids in list(id()),
        booked in flag(),
    ) {
        let group = with(with(fields, "consignmentIds", ids), "pickupAlreadyBooked", booked);
        survives::<ManifestGroup>(&group)?;
    }

    #[test]
    fn the_smaller_requests_survive(
        update in all(vec![
            some(moment(), &["statusDateTimeLocal"]),
            some(text(), &["itemReference", "extraInformation"]),
        ]),
        consignment in id(),
        labels in (list(id()), id(), flag(), one_of(&[1, 2, 3, 4, 5, 7, 8])),
        basket in vec(all(vec![
            some(text(), &["name", "sku"]),
            some(decimal(), &["weight", "price", "length", "width", "height"]),
        ]), 1..3),
    ) {
        survives::<StatusUpdate>(&with(with(update, "consignmentId", consignment), "status", json!(10)))?;
        let (ids, printer, a4, kind) = labels;
        survives::<LabelOrder>(&json!({
            "consignmentIds": ids, "labelType": kind, "printerId": printer, "printA4": a4
        }))?;
        let basket: Vec<Value> = basket.into_iter().map(|item| with(item, "quantity", json!(2))).collect();
        survives::<PriceRequest>(&json!({
            "quote": { "warehouse": {}, "shipping_address": {}, "shipping_options": {}, "items": basket }
        }))?;
    }

    #[test]
    fn the_editable_form_goes_back_with_every_field_that_nobody_changed(
        names in vec("[a-zA-Z]{1,10}", 0..8),
        values in vec(raw(), 8),
    ) {
        let fields: std::collections::BTreeMap<_, _> = names.into_iter().zip(values).collect();
        let given = fields.iter().map(|(name, value)| format!("\"{name}\":{value}"));
        let given = format!("{{{}}}", given.collect::<Vec<_>>().join(","));
        let mut form: EditForm = serde_json::from_str(&given).expect("an object");
        prop_assert_eq!(serde_json::to_string(&form).expect("written"), given, "to the last digit");
        form.set("zzzzzzzzzzz", &1).expect("it can be written");
        form.remove("zzzzzzzzzzz");
        let untouched: EditForm = serde_json::from_str(&serde_json::to_string(&form).expect("written"))
            .expect("what we wrote");
        prop_assert_eq!(untouched, form);
    }

    #[test]
    fn any_answer_gives_a_value_or_says_where_it_does_not_fit(answer in spoilt(), cut in any::<prop::sample::Index>()) {
        let text = answer.to_string();
        read_everything(text.as_bytes())?;
        read_everything(&text.as_bytes()[..cut.index(text.len() + 1)])?;
    }
}

/// Text of a JSON value that no reader could keep as a binary fraction.
fn raw() -> BoxedStrategy<String> {
    prop_oneof![
        Just("null".to_owned()),
        Just("12345678901234567890.10".to_owned()),
        Just("1e400".to_owned()),
        "[1-9][0-9]{0,30}\\.[0-9]{1,30}",
        "[a-z ]{0,9}".prop_map(|text| format!("\"{text}\"")),
        Just(r#"[{"id":1.50,"other":[true,null]}]"#.to_owned()),
    ]
    .boxed()
}

/// Any JSON, with the canary in its texts.
fn anything() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        Just(json!(CANARY)),
        "\\PC{0,6}".prop_map(|text| json!(format!("{CANARY}{text}"))),
        Just(json!("")),
        Just(json!("2026-11-20T03:05:00")),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-zA-Z]{1,8}", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
    .boxed()
}

/// A right answer with some of its parts replaced by anything.
fn spoilt() -> BoxedStrategy<Value> {
    let right: Value = serde_json::from_str(include_str!("answers.json")).expect("JSON");
    let right: Vec<Value> = right.as_array().expect("answers").clone();
    (
        select(right),
        vec((any::<prop::sample::Index>(), anything()), 0..4),
    )
        .prop_map(|(mut answer, changes)| {
            for (place, value) in changes {
                let mut places = Vec::new();
                walk(&answer, String::new(), &mut places);
                if let Some(part) = answer.pointer_mut(&places[place.index(places.len())]) {
                    *part = value;
                }
            }
            answer
        })
        .boxed()
}

fn walk(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(item, format!("{at}/{index}"), places);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                walk(
                    field,
                    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")),
                    places,
                );
            }
        }
        _ => {}
    }
    places.push(at);
}

fn read_everything(body: &[u8]) -> Result<(), TestCaseError> {
    reads::<bool>(body)?;
    reads::<Consignment>(body)?;
    reads::<Vec<Consignment>>(body)?;
    reads::<Vec<Company>>(body)?;
    reads::<Vec<CompanyLocation>>(body)?;
    reads::<Vec<Carrier>>(body)?;
    reads::<Routes>(body)?;
    reads::<Vec<ManifestGroup>>(body)?;
    reads::<Vec<ManifestResult>>(body)?;
    reads::<LabelFile>(body)?;
    reads::<Vec<Attachment>>(body)?;
    reads::<Vec<UnEntry>>(body)?;
    reads::<EditForm>(body)?;
    reads::<PendingConsignment>(body)?;
    reads::<PrinterChoice>(body)?;
    says_nothing(read_page::<Consignment>(body))?;
    says_nothing(read_bare::<LivePrices>(body))
}

fn reads<T: DeserializeOwned>(body: &[u8]) -> Result<(), TestCaseError> {
    says_nothing(read_envelope::<T>(body))
}

/// A value, or a place; never what stood there.
fn says_nothing<T>(read: Result<T, packbench::shipping::Misfit>) -> Result<(), TestCaseError> {
    if let Err(misfit) = read {
        let said = misfit.to_string();
        prop_assert!(!misfit.path.is_empty(), "{}", said);
        for word in CANARY.split(' ') {
            prop_assert!(!said.contains(word), "{}", said);
        }
    }
    Ok(())
}

#[test]
fn an_answer_as_deep_as_it_likes_is_refused_and_not_fallen_into() {
    for (open, close) in [("[", "]"), (r#"{"object":"#, "}")] {
        let deep = open.repeat(200_000) + "1" + &close.repeat(200_000);
        assert!(
            read_envelope::<Consignment>(deep.as_bytes()).is_err(),
            "{open}"
        );
        // A form keeps what it does not know: it may take it, and must not fall.
        let _kept = read_envelope::<EditForm>(deep.as_bytes());
    }
}
