//! A JSON object of which only some fields are known: the others go back exactly as they came.

use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

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

    /// Takes a field out.
    pub(super) fn remove(&mut self, name: &str) {
        self.0.shift_remove(name);
    }
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
