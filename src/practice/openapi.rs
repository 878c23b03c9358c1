//! The `OpenAPI` document of the practice service, put together from the files in `assets/practice/openapi/`.
//!
//! The document is written by hand from the API's documentation and not generated from the code. Tests check
//! every answer of the service against it, so a change to only one of the two is noticed.

use serde_json::{Map, Value, json};

/// The common parts: the title, the tags, the security schemes, and the answers that all operations share.
const WHOLE: &str = include_str!("../../assets/practice/openapi/definition.json");

/// The operations, one file for each area.
const PATHS: [&str; 14] = [
    include_str!("../../assets/practice/openapi/paths/companies.json"),
    include_str!("../../assets/practice/openapi/paths/routes.json"),
    include_str!("../../assets/practice/openapi/paths/consignments.json"),
    include_str!("../../assets/practice/openapi/paths/finding.json"),
    include_str!("../../assets/practice/openapi/paths/changing.json"),
    include_str!("../../assets/practice/openapi/paths/pending.json"),
    include_str!("../../assets/practice/openapi/paths/manifests.json"),
    include_str!("../../assets/practice/openapi/paths/labels.json"),
    include_str!("../../assets/practice/openapi/paths/attachments.json"),
    include_str!("../../assets/practice/openapi/paths/dangerous-goods.json"),
    include_str!("../../assets/practice/openapi/paths/tracking.json"),
    include_str!("../../assets/practice/openapi/paths/live-pricing.json"),
    include_str!("../../assets/practice/openapi/paths/practice.json"),
    include_str!("../../assets/practice/openapi/paths/troubles.json"),
];

/// The records, one file for each area.
const SCHEMAS: [&str; 13] = [
    include_str!("../../assets/practice/openapi/schemas/values.json"),
    include_str!("../../assets/practice/openapi/schemas/companies.json"),
    include_str!("../../assets/practice/openapi/schemas/goods.json"),
    include_str!("../../assets/practice/openapi/schemas/published.json"),
    include_str!("../../assets/practice/openapi/schemas/consignments.json"),
    include_str!("../../assets/practice/openapi/schemas/consignment-records.json"),
    include_str!("../../assets/practice/openapi/schemas/changing.json"),
    include_str!("../../assets/practice/openapi/schemas/routes.json"),
    include_str!("../../assets/practice/openapi/schemas/manifests.json"),
    include_str!("../../assets/practice/openapi/schemas/printing.json"),
    include_str!("../../assets/practice/openapi/schemas/lookup.json"),
    include_str!("../../assets/practice/openapi/schemas/live-pricing.json"),
    include_str!("../../assets/practice/openapi/schemas/troubles.json"),
];

/// Builds the document for a service that listens at `base_url`. Only a mistake in our own files makes
/// this fail.
pub(crate) fn document(base_url: &str) -> Result<Value, serde_json::Error> {
    let mut whole: Value = serde_json::from_str(WHOLE)?;
    whole["servers"] = json!([{ "url": base_url, "description": "This service" }]);
    whole["paths"] = gather(&PATHS)?;
    whole["components"]["schemas"] = gather(&SCHEMAS)?;
    Ok(whole)
}

fn gather(files: &[&str]) -> Result<Value, serde_json::Error> {
    let mut all = Map::new();
    for file in files {
        all.extend(serde_json::from_str::<Map<String, Value>>(file)?);
    }
    Ok(Value::Object(all))
}
