//! The editable form of an unmanifested consignment: fetched, changed, and posted back whole.
//!
//! Invariant: an unchanged field is sent back exactly as it was received, even if the bench does not know the field.

use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};

use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Number, Value};

use super::consignment::Consignment;
use super::goods::ItemReference;
use super::lenient;
use super::values::{ConsignmentId, Quantity, decimal};

/// The form's field for items; live services also use the second name.
const ITEMS: [&str; 2] = ["items", "consignmentItems"];

const REFERENCES: &str = "consignmentItemReferences";

/// The flag that makes the service accept the references as given; the service does not store this field.
const SET_REFERENCES: &str = "setItemReferences";

/// The form, which is one JSON object.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EditForm(EditItem);

impl Deref for EditForm {
    type Target = EditItem;
    fn deref(&self) -> &EditItem {
        &self.0
    }
}

impl DerefMut for EditForm {
    fn deref_mut(&mut self) -> &mut EditItem {
        &mut self.0
    }
}

impl EditForm {
    /// Builds a form from a consignment that the service returned, in which some fields have other names.
    pub fn from_consignment(consignment: &Consignment) -> Result<Self, serde_json::Error> {
        let mut form = Self(EditItem::new(consignment)?);
        form.set(ITEMS[0], &consignment.items());
        Ok(form)
    }

    pub fn id(&self) -> Option<ConsignmentId> {
        self.0.get("id")
    }

    /// Returns the items, from either field name.
    pub fn items(&self) -> Vec<EditItem> {
        self.0.get(self.items_name()).unwrap_or_default()
    }

    /// Stores the items under the field name that they came with, and sets `setItemReferences` if any references
    /// changed. The service replaces references only with that flag, and then needs every item's references in full.
    /// Items are compared by id; adding or removing an item without references changes no references.
    pub fn set_items(&mut self, items: &[EditItem]) {
        let before = self.items();
        let references = |items: &[EditItem]| {
            let all = items.iter().map(|item| (item.id(), item.references()));
            let mut all: Vec<_> = all.filter(|(_, own)| !own.is_empty()).collect();
            all.sort_by_key(|(id, _)| *id);
            all
        };
        let changed = references(&before) != references(items);
        let name = self.items_name();
        self.set(name, &items);
        if changed {
            self.set(SET_REFERENCES, &true);
        }
    }

    /// Returns whether this form contains everything that `other` has in the given fields. Parts that `other`
    /// leaves out are ignored, because the service fills some in (ids of new items, versions); parts that
    /// `other` empties must be empty here.
    pub fn has_all_of(&self, other: &Self, fields: &[String]) -> bool {
        fields.iter().all(|name| self.0.covers(&other.0, name))
    }

    fn items_name(&self) -> &'static str {
        let [usual, other] = ITEMS;
        if self.0.has(other) && !self.0.has(usual) {
            other
        } else {
            usual
        }
    }
}

/// An object of the form, such as an item: its fields in their order, of which only some are known. Each value keeps
/// its original text, so that no number loses a digit.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EditItem(IndexMap<String, Box<RawValue>>);

impl EditItem {
    /// Builds a new item to add to the form.
    pub fn new<T: Serialize>(item: &T) -> Result<Self, serde_json::Error> {
        serde_json::from_str(&serde_json::to_string(item)?)
    }

    /// Reads the whole item as one record; `None` if the item does not fit the record.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        let text = serde_json::to_string(self).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Returns the service's id of the item; `None` for a new item.
    pub fn id(&self) -> Option<i64> {
        #[derive(Deserialize)]
        struct Id(#[serde(deserialize_with = "lenient::integer")] i64);
        self.get("id").map(|Id(id)| id)
    }

    pub fn references(&self) -> Vec<ItemReference> {
        self.get(REFERENCES).unwrap_or_default()
    }

    /// Replaces all references of the item; an empty list removes them.
    pub fn set_references(&mut self, references: &[ItemReference]) {
        self.set(REFERENCES, &references);
    }

    /// Returns the field's value; `None` if it is absent, null or of another type.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let raw = self.0.get(name)?;
        serde_json::from_str::<Option<T>>(raw.get()).ok().flatten()
    }

    /// Returns a text, or a number as text; empty text for any other value.
    pub fn text(&self, name: &str) -> String {
        match self.get(name) {
            Some(Value::String(text)) => text,
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        }
    }

    /// Returns a decimal as text, without loss of digits.
    pub fn amount(&self, name: &str) -> String {
        let amount = self.get(name).map(|Quantity(amount)| amount.normalize());
        amount.map(|amount| amount.to_string()).unwrap_or_default()
    }

    pub fn flag(&self, name: &str) -> bool {
        self.get(name).unwrap_or(false)
    }

    pub fn objects(&self, name: &str) -> Vec<EditItem> {
        self.get(name).unwrap_or_default()
    }

    /// Returns a country that is either text or, as live services publish it, a record.
    pub fn country(&self, name: &str) -> Option<String> {
        #[derive(Deserialize)]
        struct Country(#[serde(deserialize_with = "lenient::country_or_nothing")] Option<String>);
        self.get(name).and_then(|Country(country)| country)
    }

    /// Returns whether the field is present, even as null.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Sets a field to a value that JSON can express; an existing field keeps its position.
    pub fn set<T: Serialize>(&mut self, name: &str, value: &T) {
        if let Ok(raw) = to_raw_value(value) {
            self.0.insert(name.to_owned(), raw);
        }
    }

    /// Copies a field from `from`. If `from` does not have it, empties the field: a boolean becomes false,
    /// any other value null.
    pub fn copy(&mut self, name: &str, from: &Self) {
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

    /// Replaces the content of a record in a field, as live services publish some values, with the given parts, in
    /// the record's order. Other parts belonged to the old value and are dropped. A field without a record stays.
    pub fn replace_parts(&mut self, name: &str, parts: &[(&str, Value)]) {
        let Some(old) = self.get::<Self>(name) else {
            return;
        };
        let mut new = Self::default();
        for part in old.0.keys() {
            if let Some((_, value)) = parts.iter().find(|(known, _)| known == part) {
                new.set(part, value);
            }
        }
        self.set(name, &new);
    }

    /// Returns the sorted names of the fields that differ or exist on only one side, except `setItemReferences`,
    /// which is not a field of the consignment. Values are compared, not texts: 1.0 equals 1, and absent equals null.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let names: BTreeSet<_> = self.0.keys().chain(other.0.keys()).collect();
        let differs = |name: &&String| {
            let (ours, theirs) = (self.value(name), other.value(name));
            !(covers(&ours, &theirs) && covers(&theirs, &ours))
        };
        let names = names.into_iter().filter(|name| *name != SET_REFERENCES);
        names.filter(differs).cloned().collect()
    }

    /// Returns whether this field contains everything in the same field of `other`; see [`covers`].
    pub fn covers(&self, other: &Self, name: &str) -> bool {
        covers(&self.value(name), &other.value(name))
    }

    fn value(&self, name: &str) -> Value {
        self.get(name).unwrap_or(Value::Null)
    }

    pub fn remove(&mut self, name: &str) {
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
            let exact = |number: &Number| decimal(&number.to_string());
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

/// Compares the text of every field, in any order.
impl PartialEq for EditItem {
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

impl Eq for EditItem {}
