//! A JSON object of which only some fields are known: the others go back exactly as they came.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use rust_decimal::Decimal;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Number, Value};

/// The fields of an object in their order, each value as the text that it was: no number loses a digit.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct RawObject(IndexMap<String, Box<RawValue>>);

impl RawObject {
    /// The field's value; nothing where it is absent, null or of another shape.
    pub(super) fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let raw = self.0.get(name)?;
        serde_json::from_str::<Option<T>>(raw.get()).ok().flatten()
    }

    /// True where the field is there, null or not.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Sets a field, in its place where it was there.
    pub(super) fn set<T: Serialize>(
        &mut self,
        name: &str,
        value: &T,
    ) -> Result<(), serde_json::Error> {
        self.0.insert(name.to_owned(), to_raw_value(value)?);
        Ok(())
    }

    /// Takes a field over as it stands in `from`. Where that lacks it, it is emptied: false what is true or false, else null.
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

    /// Changes a record that stands in a field: its parts of these names. What else it holds was of the old one, and goes.
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

    /// The names of the fields whose values differ, or that only one of the two has; sorted. Values are compared as values:
    /// 1.0 is 1, and an absent field is null.
    pub(super) fn differences(&self, other: &Self) -> Vec<String> {
        let names: BTreeSet<_> = self.0.keys().chain(other.0.keys()).collect();
        let differs = |name: &&String| {
            let (ours, theirs) = (self.value(name), other.value(name));
            !(covers(&ours, &theirs) && covers(&theirs, &ours))
        };
        names.into_iter().filter(differs).cloned().collect()
    }

    /// True where everything that `other` says in this field stands here too.
    pub(super) fn covers(&self, other: &Self, name: &str) -> bool {
        covers(&self.value(name), &other.value(name))
    }

    fn value(&self, name: &str) -> Value {
        self.get(name).unwrap_or(Value::Null)
    }

    /// Takes a field out.
    pub(super) fn remove(&mut self, name: &str) {
        self.0.shift_remove(name);
    }
}

/// True where `whole` says all that `part` says. What the part leaves out may be anything; what it empties (null, an empty
/// text, an empty list) must be empty.
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

/// The same text in every field, in whatever order.
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
