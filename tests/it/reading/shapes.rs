//! Strategies for arbitrary JSON of requests and answers, with the interface's names and without our types.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// Stands in every answer where a customer's data could stand.
pub(super) const CANARY: &str = "Jean Okafor";

/// A name with a strategy for its value.
pub(super) type Named = (&'static str, BoxedStrategy<Value>);

pub(super) fn some(
    strategy: impl Strategy<Value = Value> + 'static,
    names: &[&'static str],
) -> Vec<Named> {
    let strategy = strategy.boxed();
    names.iter().map(|name| (*name, strategy.clone())).collect()
}

/// An object in which each field is there or not.
pub(super) fn object(fields: Vec<Named>) -> BoxedStrategy<Value> {
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

pub(super) fn text() -> BoxedStrategy<Value> {
    "\\PC{1,12}".prop_map(Value::from).boxed()
}

pub(super) fn id() -> BoxedStrategy<Value> {
    any::<i64>().prop_map(Value::from).boxed()
}

pub(super) fn count() -> BoxedStrategy<Value> {
    any::<u32>().prop_map(Value::from).boxed()
}

pub(super) fn flag() -> BoxedStrategy<Value> {
    any::<bool>().prop_map(Value::from).boxed()
}

/// A decimal as it is written: no zeros that say nothing at its end.
pub(super) fn decimal() -> BoxedStrategy<Value> {
    (1_i64..10_000_000, 0_u32..4)
        .prop_map(|(digits, places)| {
            let scaled = rust_decimal::Decimal::new(digits, places).normalize();
            serde_json::from_str(&scaled.to_string()).expect("a number")
        })
        .boxed()
}

pub(super) fn moment() -> BoxedStrategy<Value> {
    (2020_i16..2040, 1_i8..=12, 1_i8..=28, 0_i8..24, 0_i8..60)
        .prop_map(|(year, month, day, hour, minute)| {
            json!(format!(
                "{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:00.000Z"
            ))
        })
        .boxed()
}

/// A local time where no `Z` belongs.
pub(super) fn wall() -> BoxedStrategy<Value> {
    moment()
        .prop_map(|moment| json!(moment.as_str().expect("text").trim_end_matches(".000Z")))
        .boxed()
}

pub(super) fn country() -> BoxedStrategy<Value> {
    "[A-Z]{3}".prop_map(Value::from).boxed()
}

pub(super) fn one_of(values: &'static [u8]) -> BoxedStrategy<Value> {
    select(values).prop_map(Value::from).boxed()
}

pub(super) fn list(of: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    vec(of, 1..3).prop_map(Value::from).boxed()
}

pub(super) fn all(parts: Vec<Vec<Named>>) -> BoxedStrategy<Value> {
    object(parts.into_iter().flatten().collect())
}

pub(super) fn contents() -> BoxedStrategy<Value> {
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

pub(super) fn good() -> BoxedStrategy<Value> {
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

pub(super) fn plain_item() -> Vec<Vec<Named>> {
    vec![
        some(id(), &["companyItemId"]),
        some(text(), &["itemType", "name", "sku"]),
        some(count(), &["quantity", "palletSpaces"]),
        some(decimal(), &["weight", "length", "width", "height"]),
    ]
}

pub(super) fn item() -> BoxedStrategy<Value> {
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

pub(super) fn pending_item() -> BoxedStrategy<Value> {
    let mut parts = plain_item();
    parts.extend([
        some(list(good()), &["pendingConsignmentItemDgItems"]),
        some(list(contents()), &["pendingConsignmentItemContents"]),
    ]);
    all(parts)
}

/// What all three kinds of request share.
pub(super) fn shared() -> Vec<Vec<Named>> {
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
pub(super) fn addressed() -> Vec<Vec<Named>> {
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

/// Text of a JSON value that no reader could keep as a binary fraction.
pub(super) fn raw() -> BoxedStrategy<String> {
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
pub(super) fn anything() -> BoxedStrategy<Value> {
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
pub(super) fn spoilt() -> BoxedStrategy<Value> {
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

pub(super) fn walk(value: &Value, at: String, places: &mut Vec<String>) {
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
