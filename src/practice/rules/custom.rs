//! Custom values: options of a carrier's own, kept as they were sent.

use serde_json::Value;

use crate::practice::consignment::{CustomValue, DUTIES_BY_RECIPIENT};
use crate::practice::wire::{CustomValueOrder, Order, Refusals};

/// Each has a name of its own; the one that the interface names is true or false.
pub(super) fn values(order: &Order, refusals: &mut Refusals) -> Vec<CustomValue> {
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

/// Pending consignments send text, so that the text of a boolean is one.
fn value(name: &str, custom: &CustomValueOrder) -> Option<Value> {
    match &custom.value {
        Value::Array(_) | Value::Object(_) => None,
        _ if name != DUTIES_BY_RECIPIENT => Some(custom.value.clone()),
        Value::Bool(_) => Some(custom.value.clone()),
        Value::String(text) => text.to_ascii_lowercase().parse().ok().map(Value::Bool),
        _ => None,
    }
}
