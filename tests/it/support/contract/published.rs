//! Converts the shapes that live services publish back to those of the specification. Written from the field
//! notes, independently of the practice service and the client.

use serde_json::{Map, Value};

/// Fields that the specification lacks, or has under another name. What stands for a plain field is read before.
const ONLY_PUBLISHED: [&str; 33] = [
    "subLocality",
    "company",
    "subService",
    "carrierAbbreviation",
    "companyCarrierAccount",
    "fromCountry",
    "toCountry",
    "despatchDate",
    "desiredDespatchDateUtc",
    "pendingConsignmentIds",
    "consolidatedIntoConsignmentId",
    "isReceiverAccount",
    "allItemsPrinted",
    "itemReferences",
    "packingGroupStringValue",
    "containerTypeStringValue",
    "dgClassTypeStringValue",
    "technicalOrChemicalGroupNames",
    "dgHazchem",
    "countryOfManufactureId",
    "countryOfManufacture",
    "priceDisplayType",
    "fromAddress",
    "fromZone",
    "addressLinesFriendly",
    "internationalCity",
    "internationalPostcode",
    "internationalProvince",
    "stateId",
    "countryId",
    "timeZoneId",
    "countryCode",
    "descriptionShort",
];

/// Takes every published record back.
pub(crate) fn plain(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(plain),
        Value::Object(record) => {
            take_back_records(record);
            take_back_values(record);
            for name in ONLY_PUBLISHED {
                record.remove(name);
            }
            record.values_mut().for_each(plain);
        }
        _ => {}
    }
}

fn take_back_records(record: &mut Map<String, Value>) {
    let state = record.get("state").and_then(|state| state.get("code"));
    if let Some(code) = state.cloned() {
        put(record, "state", code);
        record.remove("description");
        record.remove("locationType");
    }
    for name in ["country", "timeZone"] {
        let of = record.get(name);
        let part = of.and_then(|of| of.get("code3").or_else(|| of.get("name")));
        if let Some(part) = part.cloned() {
            put(record, name, part);
        }
    }
    if let Some(country) = record.get("countryOfManufacture") {
        let code = country.get("code3").unwrap_or(country).clone();
        put(record, "countryOfManufactureCode", code);
    }
    if let Some(names) = record.get("technicalOrChemicalGroupNames").cloned() {
        put(record, "TechnicalOrChemicalGroupNames", names);
        let code = record.get("dgHazchem").and_then(|of| of.get("code"));
        let code = code.cloned().unwrap_or_default();
        put(record, "hazchem", code);
    }
    if let Some(Value::Array(references)) = record.get_mut("references") {
        for reference in references {
            if let Some(text) = reference.get("carrierItemReference").cloned() {
                *reference = text;
            }
        }
    }
}

fn put(record: &mut Map<String, Value>, name: &str, value: Value) {
    record.insert(name.to_owned(), value);
}

fn take_back_values(record: &mut Map<String, Value>) {
    for name in ["defaultPickupTime", "defaultClosingTime"] {
        if let Some(span @ Value::Object(_)) = record.get(name) {
            let part = |name: &str| span[name].as_i64().expect("a part of a time span");
            let text = format!(
                "{:02}:{:02}:{:02}",
                part("hours"),
                part("minutes"),
                part("seconds")
            );
            put(record, name, text.into());
        }
    }
    if let Some(minutes) = record.get("durationInMinutes").and_then(Value::as_f64) {
        put(record, "durationInMinutes", minutes.floor().into());
    }
    if let Some(price) = record.get("priceDisplay").and_then(Value::as_f64) {
        put(record, "priceDisplay", format!("${price:.2}").into());
    }
    if record.contains_key("etaLocal") {
        record.remove("eta");
    }
    // A grid is a page.
    if let Some(grid) = record
        .get("object")
        .filter(|grid| grid.get("data").is_some())
    {
        let (rows, total) = (grid["data"].clone(), grid["total"].clone());
        put(record, "object", rows);
        put(record, "totalItems", total);
        put(record, "startIndex", 1.into());
        put(record, "retrievalSize", 200.into());
    }
    if record.contains_key("addressLinesFriendly") {
        record.remove("reference1");
        record.remove("reference2");
    }
    // As created.
    if record.contains_key("consignmentItems") && !record.contains_key("statusHistory") {
        let items = record.remove("consignmentItems").unwrap_or_default();
        put(record, "items", items);
    }
}
