//! A JSON object of which only some fields are known. The other fields are sent back exactly as they came.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use rust_decimal::Decimal;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Number, Value};

/// The fields of an object in their order. Each value keeps its original text, so that no number loses
/// a digit.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct RawObject(IndexMap<String, Box<RawValue>>);

impl RawObject {
    /// Returns the field's value; `None` if it is absent, null or of another type.
    pub(super) fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let raw = self.0.get(name)?;
        serde_json::from_str::<Option<T>>(raw.get()).ok().flatten()
    }

    /// Returns whether the field is present, even as null.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Sets a field; an existing field keeps its position.
    pub(super) fn set<T: Serialize>(
        &mut self,
        name: &str,
        value: &T,
    ) -> Result<(), serde_json::Error> {
        self.0.insert(name.to_owned(), to_raw_value(value)?);
        Ok(())
    }

    /// Copies a field from `from`. If `from` does not have it, empties the field: a boolean becomes false,
    /// any other value null.
    pub(super) fn copy(&mut self, name: &str, from: &Self) {
        if let Some(raw) = from.0.get(name) {
            self.0.insert(name.to_owned(), raw.clone());
        } else if let Some(own) = self.0.get_mut(name) {
            let empty = match own.get() {
                "true" | "false" => "false",
                _ => "null",
            };
            if let Ok(empty) = RawValue::from_string(empty.to_owned()) {
                *own = empty;
            }
        }
    }

    /// Replaces a record inside a field with the given parts, in the record's own order. Its other parts
    /// belonged to the old value and are dropped.
    pub(super) fn replace_parts(
        &mut self,
        name: &str,
        parts: &[(String, Value)],
    ) -> Result<(), serde_json::Error> {
        let Some(old) = self.get::<Self>(name) else {
            return Ok(());
        };
        let mut new = Self::default();
        for part in old.0.keys() {
            if let Some((_, value)) = parts.iter().find(|(known, _)| known == part) {
                new.set(part, value)?;
            }
        }
        self.set(name, &new)
    }

    /// Returns the sorted names of the fields that differ or that only one side has. Values are compared, not
    /// texts: 1.0 equals 1, and an absent field equals null.
    pub(super) fn differences(&self, other: &Self) -> Vec<String> {
        let names: BTreeSet<_> = self.0.keys().chain(other.0.keys()).collect();
        let differs = |name: &&String| {
            let (ours, theirs) = (self.value(name), other.value(name));
            !(covers(&ours, &theirs) && covers(&theirs, &ours))
        };
        names.into_iter().filter(differs).cloned().collect()
    }

    /// Returns whether this field contains everything that `other`'s has; see [`covers`].
    pub(super) fn covers(&self, other: &Self, name: &str) -> bool {
        covers(&self.value(name), &other.value(name))
    }

    fn value(&self, name: &str) -> Value {
        self.get(name).unwrap_or(Value::Null)
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.0.shift_remove(name);
    }
}

/// Returns whether `whole` contains everything in `part`. Parts that are absent from `part` may have any
/// value; parts that are empty (null, empty text, empty list) must be empty.
fn covers(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => part
            .iter()
            .all(|(name, part)| covers(whole.get(name).unwrap_or(&Value::Null), part)),
        (Value::Array(whole), Value::Array(part)) => {
            whole.len() == part.len()
                && whole
                    .iter()
                    .zip(part)
                    .all(|(whole, part)| covers(whole, part))
        }
        (Value::Number(whole), Value::Number(part)) => {
            whole == part || exact(whole).is_some_and(|whole| Some(whole) == exact(part))
        }
        _ => whole == part || (is_empty(whole) && is_empty(part)),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => false,
    }
}

fn exact(number: &Number) -> Option<Decimal> {
    let text = number.to_string();
    text.parse()
        .or_else(|_| Decimal::from_scientific(&text))
        .ok()
}

/// Compares the text of every field, in any order.
impl PartialEq for RawObject {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().all(|(name, raw)| {
                other
                    .0
                    .get(name)
                    .is_some_and(|theirs| theirs.get() == raw.get())
            })
    }
}

impl Eq for RawObject {}
