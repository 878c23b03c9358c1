//! Converts answers from the specification's shapes to the shapes that live services publish: records in
//! place of text, fractions in place of whole numbers, and other names. Converts published records in
//! requests back. The published shapes are known from public material alone.
//!
//! Only the shape of a finished answer changes. Refusals stay as they are.

use jiff::civil::Time;
use serde_json::{Map, Value, json};

use super::consignment_response::fields;
use crate::catalogue::Catalogue;

/// The states and territories of Australia, by code and name.
#[rustfmt::skip]
const STATES: [(&str, &str); 8] = [
    ("NSW", "New South Wales"), ("VIC", "Victoria"), ("QLD", "Queensland"),
    ("SA", "South Australia"), ("WA", "Western Australia"), ("TAS", "Tasmania"),
    ("ACT", "Australian Capital Territory"), ("NT", "Northern Territory"),
];

const PACKING_GROUPS: [&str; 4] = [
    "Pack Group 1",
    "Pack Group 2",
    "Pack Group 3",
    "Pack Group N/A",
];

#[rustfmt::skip]
const CONTAINERS: [&str; 11] = [
    "Drum", "Carton", "IBC", "Pail", "Demountable Tank", "Bottle", "Pressure Drum", "Tube", "MEGC",
    "Aerosol", "Bag",
];

/// Fields of a consignment that a row of the published grid lacks or has under another name.
#[rustfmt::skip]
const NOT_IN_A_GRID: [&str; 19] = [
    "fromName", "toName", "carrier", "carrierName", "carrierAbbreviation", "carrierService",
    "consignmentTotal", "totalItemCount", "dgsDeclaration", "consignmentTrackingHistories",
    "companyId", "company", "despatchDateLocal", "etaLocal", "fromContact", "toContact",
    "companyCarrierAccount", "important", "attachmentCount",
];

/// Converts an answer's envelope to the published shapes. `is_grid` is true for the list whose rows come
/// in a grid.
pub(crate) fn to_published_shapes(
    catalogue: &Catalogue,
    mut envelope: Value,
    is_grid: bool,
) -> Value {
    let Some(object) = envelope.get_mut("object") else {
        return envelope;
    };
    reshape(catalogue, object);
    if is_grid && let Value::Array(rows) = object.take() {
        let rows: Vec<Value> = rows.into_iter().map(grid_row).collect();
        let total = envelope["totalItems"].take();
        if let Some(envelope) = envelope.as_object_mut() {
            for name in ["totalItems", "startIndex", "retrievalSize"] {
                envelope.remove(name);
            }
        }
        envelope["object"] = json!({ "total": total, "data": rows });
    }
    envelope
}

/// Converts published records in a request, such as an edited form, to the specification's shapes. Fields
/// that already have the specification's name are kept.
pub(crate) fn to_specification_shapes(request: &mut Value) {
    match request {
        Value::Array(list) => list.iter_mut().for_each(to_specification_shapes),
        Value::Object(record) => {
            record.values_mut().for_each(to_specification_shapes);
            if record.contains_key("unNumber") {
                let names = record.remove("technicalOrChemicalGroupNames");
                fill(record, "TechnicalOrChemicalGroupNames", names);
                let hazchem = record.remove("dgHazchem").unwrap_or_default();
                if record.get("dgHazchemId").is_none_or(Value::is_null) {
                    fill(record, "hazchem", hazchem.get("code").cloned());
                }
            }
            let country = record.remove("countryOfManufacture").unwrap_or_default();
            let code = country.get("code3").cloned();
            fill(record, "countryOfManufactureCode", code);
        }
        _ => {}
    }
}

fn fill(record: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    if let Some(value) = value
        && record.get(name).is_none_or(Value::is_null)
    {
        record.insert(name.into(), value);
    }
}

/// Converts every record in `value`, at any depth.
fn reshape(catalogue: &Catalogue, value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|one| reshape(catalogue, one)),
        Value::Object(record) => {
            for field in record.values_mut() {
                reshape(catalogue, field);
            }
            record_of_a_kind(catalogue, record);
        }
        _ => {}
    }
}

/// Converts one record. Each kind of record is recognised by fields that no other kind has.
fn record_of_a_kind(catalogue: &Catalogue, record: &mut Map<String, Value>) {
    let has = |name: &str| record.contains_key(name);
    if has("suburb") && has("state") {
        place(catalogue, record);
    } else if has("unNumber") && has("packingGroup") && has("containerType") {
        good(record);
    } else if has("countryOfManufactureCode") {
        contents(catalogue, record);
    } else if has("priceDisplay") {
        route(record);
    } else if has("durationInMinutes") {
        let minutes = record["durationInMinutes"].as_f64();
        record.insert(
            "durationInMinutes".into(),
            json!(minutes.map(|whole| whole + 0.25)),
        );
    } else if has("defaultPickupTime") {
        saved_location(record);
    } else if has("itemType") {
        item(record);
    } else if has("trackingPageAccessToken") {
        consignment(catalogue, record);
    }
}

fn country(catalogue: &Catalogue, code: &Value) -> Value {
    let countries = &catalogue.geography.countries;
    let found = code.as_str().and_then(|code| {
        let at = countries.iter().position(|country| country.code == code)?;
        Some((at + 1, &countries[at]))
    });
    found.map_or_else(
        || code.clone(),
        |(id, country)| {
            json!({
                "id": id, "name": country.name, "code2": country.short_code, "code3": country.code, "numeric": id,
                "currencyCode": null, "taxPercentage": country.tax_percent.to_string().parse::<f64>().ok(),
                "displayName": country.name,
            })
        },
    )
}

fn place(catalogue: &Catalogue, record: &mut Map<String, Value>) {
    let code = record["state"].as_str().unwrap_or_default().to_owned();
    let at = STATES.iter().position(|(known, _)| *known == code);
    let name = at.map_or(code.as_str(), |at| STATES[at].1);
    let state = json!({ "id": at.map(|at| at + 1), "code": code, "name": name });
    let country = country(catalogue, &record["country"]);
    let described = ["suburb", "postcode"].map(|name| record[name].as_str().unwrap_or_default());
    let described = format!("{} {code} {}", described[0], described[1]);
    record.extend(fields(json!({
        "state": state, "country": country, "subLocality": null, "description": described, "locationType": 1,
    })));
}

fn good(record: &mut Map<String, Value>) {
    let named = |value: &Value, names: &[&str]| {
        let at = value.as_u64().and_then(|at| usize::try_from(at).ok());
        json!(at.and_then(|at| names.get(at.checked_sub(1)?)))
    };
    let class = record["dgClassType"].to_string();
    let group = named(&record["packingGroup"], &PACKING_GROUPS);
    let container = named(&record["containerType"], &CONTAINERS);
    record.extend(fields(json!({
        "packingGroupStringValue": group, "containerTypeStringValue": container, "dgClassTypeStringValue": class,
    })));
    for name in ["aggregateQuantity", "flashpoint"] {
        fraction(record, name);
    }
    if let Some(names) = record.remove("TechnicalOrChemicalGroupNames") {
        record.insert("technicalOrChemicalGroupNames".into(), names);
    }
    let code = record.remove("hazchem").unwrap_or_default();
    let id = record.get("dgHazchemId").cloned().unwrap_or_default();
    let hazchem = (!code.is_null()).then(|| json!({ "id": id, "code": code }));
    record.insert("dgHazchem".into(), json!(hazchem));
}

fn contents(catalogue: &Catalogue, record: &mut Map<String, Value>) {
    let code = record
        .remove("countryOfManufactureCode")
        .unwrap_or_default();
    let country = country(catalogue, &code);
    record.insert("countryOfManufactureId".into(), country["id"].clone());
    record.insert("countryOfManufacture".into(), country);
    fraction(record, "dollarValue");
}

fn item(record: &mut Map<String, Value>) {
    for name in ["height", "weight", "length", "width", "palletSpaces"] {
        fraction(record, name);
    }
    if let Some(Value::Array(references)) = record.remove("references") {
        let references: Vec<Value> = { references.into_iter() }
            .map(|reference| json!({ "carrierItemReference": reference }))
            .collect();
        record.insert("itemReferences".into(), references.clone().into());
        record.insert("references".into(), references.into());
    }
}

fn route(record: &mut Map<String, Value>) {
    let price = record["consignmentTotal"]["totalSellPrice"].clone();
    record.extend(fields(json!({
        "priceDisplay": price, "priceDisplayType": 1, "fromAddress": { "id": 0 }, "fromZone": { "id": 0, "name": "" },
    })));
    fraction(record, "priceDisplay");
}

fn saved_location(record: &mut Map<String, Value>) {
    for name in ["defaultPickupTime", "defaultClosingTime"] {
        let span = record[name].as_str().and_then(time_span);
        record.insert(name.into(), span.unwrap_or_default());
    }
    let line = record["addressLine1"].clone();
    record.extend(fields(json!({
        "addressLinesFriendly": line, "reference1": null, "reference2": null, "internationalCity": null,
        "internationalPostcode": null, "internationalProvince": null,
    })));
}

/// Converts a time such as `15:30:00` to the record of a time span.
fn time_span(text: &str) -> Option<Value> {
    let time: Time = text.parse().ok()?;
    let (hours, minutes, seconds) = (time.hour(), time.minute(), time.second());
    let total = i32::from(hours) * 3600 + i32::from(minutes) * 60 + i32::from(seconds);
    let exact = f64::from(total);
    Some(json!({
        "ticks": i64::from(total) * 10_000_000, "days": 0, "hours": hours, "minutes": minutes, "seconds": seconds, "milliseconds": 0,
        "totalDays": exact / 86_400.0, "totalHours": exact / 3600.0, "totalMinutes": exact / 60.0, "totalSeconds": exact,
        "totalMilliseconds": exact * 1000.0,
    }))
}

fn consignment(catalogue: &Catalogue, record: &mut Map<String, Value>) {
    // The answer of a create operation has the items under the specification's name.
    if let Some(items) = record.remove("items") {
        record.insert("consignmentItems".into(), items);
    }
    let company = record["companyId"]
        .as_i64()
        .and_then(|id| catalogue.company(id));
    let company = company.map(|company| json!({ "id": company.id, "name": company.name }));
    let of = |record: &Map<String, Value>, side: &str| record[side]["country"].clone();
    let more = json!({
        "company": company, "subService": null, "carrierAbbreviation": record["carrier"]["abbreviation"],
        "companyCarrierAccount": { "id": record["companyCarrierAccountId"] },
        "fromCountry": of(record, "fromLocation"), "toCountry": of(record, "toLocation"),
        "despatchDate": record["despatchDateLocal"], "eta": record["etaLocal"], "desiredDespatchDateUtc": null,
        "pendingConsignmentIds": [], "consolidatedIntoConsignmentId": null, "isReceiverAccount": false,
        "allItemsPrinted": false,
    });
    record.extend(fields(more));
}

fn grid_row(row: Value) -> Value {
    let at = |side: &str| {
        let place = &row[format!("{side}Location")];
        let name = row[format!("{side}Name")].as_str().unwrap_or_default();
        format!(
            "{name}, {}",
            place["description"].as_str().unwrap_or_default()
        )
    };
    let carried = ["carrier", "carrierService"]
        .map(|name| row[name]["displayName"].as_str().unwrap_or_default());
    let own = json!({
        "fromNameAndLocation": at("from"), "toNameAndLocation": at("to"), "carrierAndServiceName": carried.join(" "),
        "total": row["consignmentTotal"]["totalSellPrice"], "createdDate": row["creationDateUtc"],
        "itemCount": row["totalItemCount"], "isDgConsignment": row["dgsDeclaration"],
        "canPrintItemLabelsBeforeManifesting": true,
    });
    let mut fields_of_row = fields(row);
    for name in NOT_IN_A_GRID {
        fields_of_row.remove(name);
    }
    for side in ["fromLocation", "toLocation"] {
        if let Some(Value::Object(place)) = fields_of_row.get_mut(side) {
            let zone = place["timeZone"].take();
            let more = json!({
                "timeZone": { "id": 1, "name": zone, "jsName": zone }, "timeZoneId": 1,
                "stateId": place["state"]["id"], "countryId": place["country"]["id"],
                "countryCode": place["country"]["code2"], "descriptionShort": place["description"],
            });
            place.extend(fields(more));
        }
    }
    fields_of_row.extend(fields(own));
    Value::Object(fields_of_row)
}

/// Writes a number with a decimal point, even if it is whole.
fn fraction(record: &mut Map<String, Value>, name: &str) {
    if let Some(number) = record.get(name).and_then(Value::as_f64) {
        record.insert(name.into(), json!(number));
    }
}
