//! Converts answers from the specification's shapes to the shapes that live services publish: records in
//! place of text, fractions in place of whole numbers, and other names. Converts published records in
//! requests back. The published shapes are known from public material alone.
//!
//! Only the shape of a finished answer changes. Refusals stay as they are.

use jiff::civil::Time;
use serde_json::{Map, Value, json};

use super::answers::fields;
use crate::catalogue::catalogue;

/// Fields of a consignment that a row of the published grid lacks or has under another name.
const NOT_IN_A_GRID: &str = "fromName toName carrier carrierName carrierAbbreviation carrierService \
    consignmentTotal totalItemCount dgsDeclaration consignmentTrackingHistories companyId company \
    despatchDateLocal etaLocal fromContact toContact companyCarrierAccount important attachmentCount";

/// Converts an answer's envelope to the published shapes. `is_grid` is true for the list whose rows come
/// in a grid.
pub(crate) fn to_published_shapes(mut envelope: Value, is_grid: bool) -> Value {
    let Some(object) = envelope.get_mut("object") else {
        return envelope;
    };
    reshape(object);
    if is_grid && let Value::Array(rows) = object.take() {
        let rows: Vec<Value> = rows.into_iter().map(grid_row).collect();
        let total = envelope["totalItems"].take();
        return json!({ "errors": null, "object": { "total": total, "data": rows } });
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
fn reshape(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(reshape),
        Value::Object(record) => {
            record.values_mut().for_each(reshape);
            record_of_a_kind(record);
        }
        _ => {}
    }
}

/// Converts one record. Each kind of record is recognised by fields that no other kind has.
fn record_of_a_kind(record: &mut Map<String, Value>) {
    let has = |name: &str| record.contains_key(name);
    if has("suburb") && has("state") {
        place(record);
    } else if has("unNumber") && has("packingGroup") && has("containerType") {
        good(record);
    } else if has("countryOfManufactureCode") {
        let code = record.remove("countryOfManufactureCode");
        let country = country(&code.unwrap_or_default());
        record.insert("countryOfManufactureId".into(), country["id"].clone());
        record.insert("countryOfManufacture".into(), country);
        to_fractions(record, &["dollarValue"]);
    } else if has("priceDisplay") {
        record.extend(fields(json!({
            "priceDisplay": record["consignmentTotal"]["totalSellPrice"], "priceDisplayType": 1,
            "fromAddress": { "id": 0 }, "fromZone": { "id": 0, "name": "" },
        })));
        to_fractions(record, &["priceDisplay"]);
    } else if has("durationInMinutes") {
        let minutes = record["durationInMinutes"].as_f64();
        let uneven = minutes.map(|whole| whole + 0.25);
        record.insert("durationInMinutes".into(), json!(uneven));
    } else if has("defaultPickupTime") {
        saved_location(record);
    } else if has("itemType") {
        item(record);
    } else if has("trackingPageAccessToken") {
        consignment(record);
    }
}

/// Returns the record of a country, or the code if the country is not known. The id is the position in the list.
fn country(code: &Value) -> Value {
    let mut numbered = (1..).zip(&catalogue().countries);
    let found = numbered.find(|(_, country)| code.as_str() == Some(&country.code));
    let record = found.map(|(id, country)| {
        json!({
            "id": id, "name": country.name, "code2": country.short_code, "code3": country.code, "numeric": id,
            "currencyCode": null, "taxPercentage": country.tax_percent.to_string().parse::<f64>().ok(),
            "displayName": country.name,
        })
    });
    record.unwrap_or_else(|| code.clone())
}

fn place(record: &mut Map<String, Value>) {
    let text = |name: &str| record[name].as_str().unwrap_or_default();
    let code = text("state");
    let mut states = (1..).zip(&catalogue().values.states);
    let state = states.find(|(_, state)| state.code == code);
    let name = state.map_or(code, |(_, state)| &state.name);
    let more = json!({
        "state": { "id": state.map(|(id, _)| id), "code": code, "name": name }, "country": country(&record["country"]),
        "subLocality": null, "description": format!("{} {code} {}", text("suburb"), text("postcode")), "locationType": 1,
    });
    record.extend(fields(more));
}

fn good(record: &mut Map<String, Value>) {
    let values = &catalogue().values;
    let number = |name: &str| record[name].as_i64().unwrap_or_default();
    let more = json!({
        "packingGroupStringValue": values.packing_groups.get(&number("packingGroup")),
        "containerTypeStringValue": values.container_types.get(&number("containerType")),
        "dgClassTypeStringValue": record["dgClassType"].to_string(),
    });
    record.extend(fields(more));
    to_fractions(record, &["aggregateQuantity", "flashpoint"]);
    if let Some(names) = record.remove("TechnicalOrChemicalGroupNames") {
        record.insert("technicalOrChemicalGroupNames".into(), names);
    }
    let code = record.remove("hazchem").unwrap_or_default();
    let id = record.get("dgHazchemId").cloned().unwrap_or_default();
    let hazchem = (!code.is_null()).then(|| json!({ "id": id, "code": code }));
    record.insert("dgHazchem".into(), json!(hazchem));
}

fn item(record: &mut Map<String, Value>) {
    to_fractions(
        record,
        &["height", "weight", "length", "width", "palletSpaces"],
    );
    if let Some(Value::Array(references)) = record.remove("references") {
        let references = references.into_iter();
        let references = references.map(|reference| json!({ "carrierItemReference": reference }));
        let references: Value = references.collect();
        record.insert("itemReferences".into(), references.clone());
        record.insert("references".into(), references);
    }
}

fn saved_location(record: &mut Map<String, Value>) {
    for name in ["defaultPickupTime", "defaultClosingTime"] {
        let span = record[name].as_str().and_then(time_span);
        record.insert(name.into(), span.unwrap_or_default());
    }
    record.extend(fields(json!({
        "addressLinesFriendly": record["addressLine1"], "reference1": null, "reference2": null,
        "internationalCity": null, "internationalPostcode": null, "internationalProvince": null,
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

fn consignment(record: &mut Map<String, Value>) {
    // The specification calls this field `items` in the answer of a create operation; live services do not.
    if let Some(items) = record.remove("items") {
        record.insert("consignmentItems".into(), items);
    }
    let company = record["companyId"].as_i64();
    let company = company.and_then(|id| catalogue().company(id));
    let company = company.map(|company| json!({ "id": company.id, "name": company.name }));
    record.extend(fields(json!({
        "company": company, "subService": null, "carrierAbbreviation": record["carrier"]["abbreviation"],
        "companyCarrierAccount": { "id": record["companyCarrierAccountId"] },
        "fromCountry": record["fromLocation"]["country"], "toCountry": record["toLocation"]["country"],
        "despatchDate": record["despatchDateLocal"], "eta": record["etaLocal"], "desiredDespatchDateUtc": null,
        "pendingConsignmentIds": [], "consolidatedIntoConsignmentId": null, "isReceiverAccount": false,
        "allItemsPrinted": false,
    })));
}

fn grid_row(mut row: Value) -> Value {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let [from, to] = ["from", "to"].map(|side| {
        let (name, place) = (&row[format!("{side}Name")], &row[format!("{side}Location")]);
        format!("{}, {}", text(name), text(&place["description"]))
    });
    let carried = ["carrier", "carrierService"].map(|name| text(&row[name]["displayName"]));
    let own = json!({
        "fromNameAndLocation": from, "toNameAndLocation": to, "carrierAndServiceName": carried.join(" "),
        "total": row["consignmentTotal"]["totalSellPrice"], "createdDate": row["creationDateUtc"],
        "itemCount": row["totalItemCount"], "isDgConsignment": row["dgsDeclaration"],
        "canPrintItemLabelsBeforeManifesting": true,
    });
    for side in ["fromLocation", "toLocation"] {
        if let Some(place) = row[side].as_object_mut() {
            let zone = place["timeZone"].take();
            place.extend(fields(json!({
                "timeZone": { "id": 1, "name": zone, "jsName": zone }, "timeZoneId": 1,
                "stateId": place["state"]["id"], "countryId": place["country"]["id"],
                "countryCode": place["country"]["code2"], "descriptionShort": place["description"],
            })));
        }
    }
    let mut row = fields(row);
    row.retain(|name, _| !NOT_IN_A_GRID.split(' ').any(|lacking| lacking == name));
    row.extend(fields(own));
    Value::Object(row)
}

/// Writes these numbers with a decimal point, even if they are whole.
fn to_fractions(record: &mut Map<String, Value>, names: &[&str]) {
    for name in names {
        if let Some(number) = record.get(*name).and_then(Value::as_f64) {
            record.insert((*name).into(), json!(number));
        }
    }
}
