//! Layers of settings: a layer contains only the values that differ from the layers below it.
//!
//! Lists of connections, printers and presets are merged entry by entry, by the entries' names. Any other list is
//! replaced as a whole.

use serde_json::{Map, Value, json};

/// Marks an entry that a layer removes from a list of the layer below.
const REMOVED: &str = "removed";
/// Marks an entry that contains only its differences from the entry of the same name in the layer below.
const CHANGES: &str = "changes";

/// Fields that are one choice of several, each with its own values: replaced as a whole, never merged.
pub(super) const CHOICES: [&str; 6] = [
    "destination",
    "chosen",
    "whose",
    "routing",
    "scale",
    "scanner",
];

/// Puts the layer `over` on top of `below`.
pub(super) fn overlay(below: &mut Value, over: Value) {
    match (below, over) {
        (Value::Object(below), Value::Object(over)) => {
            for (field, value) in over {
                if CHOICES.contains(&field.as_str()) {
                    below.insert(field, value);
                } else {
                    overlay(below.entry(field).or_insert(Value::Null), value);
                }
            }
        }
        (Value::Array(below), Value::Array(over)) if is_named(below) && is_named(&over) => {
            for entry in over {
                overlay_entry(below, entry);
            }
        }
        (below, over) => *below = over,
    }
}

fn overlay_entry(list: &mut Vec<Value>, mut entry: Value) {
    let place = list.iter().position(|known| known["name"] == entry["name"]);
    let mut take = |mark| entry.as_object_mut().and_then(|fields| fields.remove(mark));
    let (is_removed, is_changes) = (take(REMOVED).is_some(), take(CHANGES).is_some());
    match place {
        Some(place) if is_removed => drop(list.remove(place)),
        Some(place) => overlay(&mut list[place], entry),
        // The entry that was changed or removed no longer exists below.
        None if is_removed || is_changes => {}
        None => list.push(entry),
    }
}

/// Returns the layer that makes `value` out of `below`; `None` if they are equal.
pub(super) fn difference(below: &Value, value: &Value) -> Option<Value> {
    match (below, value) {
        (Value::Object(below), Value::Object(fields)) => {
            let changed = fields.iter().filter_map(|(field, value)| {
                let known = below.get(field).unwrap_or(&Value::Null);
                let changed = if CHOICES.contains(&field.as_str()) {
                    (known != value).then(|| value.clone())
                } else {
                    difference(known, value)
                };
                Some((field.clone(), changed?))
            });
            let changed: Map<_, _> = changed.collect();
            (!changed.is_empty()).then_some(Value::Object(changed))
        }
        (Value::Array(below), Value::Array(list)) if is_named(below) && is_named(list) => {
            let changed = list.iter().filter_map(|entry| {
                let Some(known) = named(below, &entry["name"]) else {
                    return Some(entry.clone());
                };
                let mut change = difference(known, entry)?;
                change["name"] = entry["name"].clone();
                change[CHANGES] = json!(true);
                Some(change)
            });
            let gone = { below.iter() }.filter(|known| named(list, &known["name"]).is_none());
            let gone = gone.map(|known| json!({ "name": known["name"], REMOVED: true }));
            let entries: Vec<_> = changed.chain(gone).collect();
            (!entries.is_empty()).then_some(Value::Array(entries))
        }
        (below, value) => (below != value).then(|| value.clone()),
    }
}

/// Returns the values of `whole` at the fields that `part` has.
pub(super) fn fields_of(part: &Value, whole: &Value) -> Value {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            let fields = part.iter().filter_map(|(field, value)| {
                let whole = whole.get(field)?;
                if CHOICES.contains(&field.as_str()) {
                    return Some((field.clone(), whole.clone()));
                }
                Some((field.clone(), fields_of(value, whole)))
            });
            Value::Object(fields.collect())
        }
        (Value::Array(part), Value::Array(whole)) if !part.is_empty() && is_named(part) => {
            let entries = part.iter().filter_map(|entry| {
                let same = named(whole, &entry["name"])?;
                Some(fields_of(entry, same))
            });
            Value::Array(entries.collect())
        }
        (_, whole) => whole.clone(),
    }
}

pub(super) fn named<'a>(list: &'a [Value], name: &Value) -> Option<&'a Value> {
    list.iter().find(|entry| entry["name"] == *name)
}

/// Returns true if all entries of a list have names.
pub(super) fn is_named(list: &[Value]) -> bool {
    list.iter().all(|entry| entry["name"].is_string())
}
