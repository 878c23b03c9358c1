//! Checks custom values: options of a carrier, which are stored as sent.

use serde_json::Value;

use crate::consignment::{CustomValue, DUTIES_BY_RECIPIENT};
use crate::wire::{ConsignmentRequest, CustomValueOrder, Refusals};

/// Reads the custom values. Names must be unique, and `AreDutiesPaidByRecipient` must be true or false.
pub(super) fn values(order: &ConsignmentRequest, refusals: &mut Refusals) -> Vec<CustomValue> {
    let sent = order.custom_values.as_deref().unwrap_or_default();
    let mut kept: Vec<CustomValue> = Vec::with_capacity(sent.len());
    for (index, custom) in sent.iter().enumerate() {
        let Some(name) = custom.property_name.clone() else {
            let field = format!("customValues[{index}].propertyName");
            refusals.add(field, "Custom value property name is required");
            continue;
        };
        if kept.iter().any(|other| other.property_name == name) {
            let field = format!("customValues[{index}].propertyName");
            refusals.add(field, format!("Custom value {name} is sent twice"));
            continue;
        }
        match value(&name, custom) {
            Some(value) => kept.push(CustomValue {
                property_name: name,
                value,
            }),
            None => refusals.add(
                format!("customValues[{index}].value"),
                format!("{name} must be {}", expected(&name)),
            ),
        }
    }
    kept
}

fn expected(name: &str) -> &'static str {
    if name == DUTIES_BY_RECIPIENT {
        "true or false"
    } else {
        "text, a number, true or false"
    }
}

/// Returns the value to store, or `None` if it is invalid. Pending consignments send values as text, so the
/// text of a boolean counts as a boolean.
fn value(name: &str, custom: &CustomValueOrder) -> Option<Value> {
    match &custom.value {
        Value::Array(_) | Value::Object(_) => None,
        _ if name != DUTIES_BY_RECIPIENT => Some(custom.value.clone()),
        Value::Bool(_) => Some(custom.value.clone()),
        Value::String(text) => text.to_ascii_lowercase().parse().ok().map(Value::Bool),
        _ => None,
    }
}
