//! The editable form of an unmanifested consignment: fetched, changed, and posted back whole.
//!
//! Invariant: a field that nobody changed goes back exactly as it came, even a field that the bench does not
//! know.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::goods::ItemReference;
use super::ids::ConsignmentId;
use super::lenient;
use super::raw_object::RawObject;

/// The form's field for items; live services also use the second name.
const ITEMS: [&str; 2] = ["items", "consignmentItems"];

const REFERENCES: &str = "consignmentItemReferences";

/// Tells the service to accept the references as given; the service does not store this field.
const SET_REFERENCES: &str = "setItemReferences";

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EditForm(RawObject);

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EditItem(RawObject);

/// A country name, as text or as a record.
#[derive(Deserialize)]
struct Country(#[serde(deserialize_with = "lenient::country_or_nothing")] Option<String>);

impl EditForm {
    pub fn id(&self) -> Option<ConsignmentId> {
        self.0.get("id")
    }

    /// Returns a field of the form; `None` if it is absent, null or of another type.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.0.get(name)
    }

    pub fn set<T: Serialize>(&mut self, name: &str, value: &T) -> Result<(), serde_json::Error> {
        self.0.set(name, value)
    }

    /// Returns a country that is either text or, as live services publish it, a record.
    pub fn country(&self, name: &str) -> Option<String> {
        self.0.get(name).and_then(|Country(country)| country)
    }

    /// See [`EditItem::replace_parts`].
    pub fn replace_parts(
        &mut self,
        name: &str,
        parts: &[(String, Value)],
    ) -> Result<(), serde_json::Error> {
        self.0.replace_parts(name, parts)
    }

    /// Returns whether the field is present, even as null.
    pub fn has(&self, name: &str) -> bool {
        self.0.has(name)
    }

    /// Copies a field from `from`; empties the field if `from` does not have it.
    pub fn copy(&mut self, name: &str, from: &EditItem) {
        self.0.copy(name, &from.0);
    }

    pub fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Returns the items, from either field name.
    pub fn items(&self) -> Vec<EditItem> {
        self.0.get(self.items_name()).unwrap_or_default()
    }

    /// Stores the items under the field name that they came with, and sets `setItemReferences` if any
    /// references changed. The service replaces references only with that flag, and then needs every
    /// item's references in full. Items are compared by id; an added or removed item without references
    /// changes none.
    pub fn set_items(&mut self, items: &[EditItem]) -> Result<(), serde_json::Error> {
        let before = self.items();
        let references = |items: &[EditItem]| {
            let all = items.iter().map(|item| (item.id(), item.references()));
            let mut all: Vec<_> = all.filter(|(_, own)| !own.is_empty()).collect();
            all.sort_by_key(|(id, _)| *id);
            all
        };
        let changed = references(&before) != references(items);
        self.0.set(self.items_name(), &items)?;
        if changed {
            self.0.set(SET_REFERENCES, &true)?;
        }
        Ok(())
    }

    /// Returns the sorted names of the fields that differ from `other`'s, except `setItemReferences`, which
    /// is not a field of the consignment.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut names = self.0.differences(&other.0);
        names.retain(|name| name != SET_REFERENCES);
        names
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

impl EditItem {
    /// Builds a new item to add to the form.
    pub fn new<T: Serialize>(item: &T) -> Result<Self, serde_json::Error> {
        serde_json::from_str(&serde_json::to_string(item)?)
    }

    /// Returns a field of the item; `None` if it is absent, null or of another type.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.0.get(name)
    }

    /// Reads the whole item as one record; `None` if it does not fit.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        let text = serde_json::to_string(self).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Returns a country that is either text or, as live services publish it, a record.
    pub fn country(&self, name: &str) -> Option<String> {
        self.0.get(name).and_then(|Country(country)| country)
    }

    /// Replaces a record inside a field, as live services publish them, with the given parts. Its other parts
    /// belonged to the old value and are dropped. Does nothing if the field holds no record.
    pub fn replace_parts(
        &mut self,
        name: &str,
        parts: &[(String, Value)],
    ) -> Result<(), serde_json::Error> {
        self.0.replace_parts(name, parts)
    }

    pub fn set<T: Serialize>(&mut self, name: &str, value: &T) -> Result<(), serde_json::Error> {
        self.0.set(name, value)
    }

    /// Returns whether the field is present, even as null.
    pub fn has(&self, name: &str) -> bool {
        self.0.has(name)
    }

    /// Copies a field from `from`; empties the field if `from` does not have it.
    pub fn copy(&mut self, name: &str, from: &Self) {
        self.0.copy(name, &from.0);
    }

    /// Returns the sorted names of the fields that differ from `other`'s.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        self.0.differences(&other.0)
    }

    /// Returns the service's id of the item; `None` for a new item.
    pub fn id(&self) -> Option<i64> {
        #[derive(Deserialize)]
        struct Id(#[serde(deserialize_with = "lenient::integer")] i64);
        self.0.get("id").map(|Id(id)| id)
    }

    /// Returns the delegated references of the item.
    pub fn references(&self) -> Vec<ItemReference> {
        self.0.get(REFERENCES).unwrap_or_default()
    }

    /// Replaces all references of the item; an empty list removes them.
    pub fn set_references(
        &mut self,
        references: &[ItemReference],
    ) -> Result<(), serde_json::Error> {
        self.0.set(REFERENCES, &references)
    }
}
