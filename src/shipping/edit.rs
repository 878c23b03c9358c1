//! The editable form of an unmanifested consignment ("Operation rules", 4): fetched, changed, and posted back whole.
//!
//! What always holds: a field that nobody changed goes back as it came, known to us or not.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::goods::ItemReference;
use super::ids::ConsignmentId;
use super::lenient;
use super::raw_object::RawObject;

/// The form's own name for its items; live services use the other one too.
const ITEMS: [&str; 2] = ["items", "consignmentItems"];

const REFERENCES: &str = "consignmentItemReferences";

/// Tells the service to take the references as they are given; it keeps no such field.
const SET_REFERENCES: &str = "setItemReferences";

/// The editable form.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EditForm(RawObject);

/// One item of the form.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EditItem(RawObject);

/// The name of a country, in either shape.
#[derive(Deserialize)]
struct Country(#[serde(deserialize_with = "lenient::country_or_nothing")] Option<String>);

impl EditForm {
    /// Whose form it is.
    pub fn id(&self) -> Option<ConsignmentId> {
        self.0.get("id")
    }

    /// A field of the form; nothing where it is absent, null or of another shape.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.0.get(name)
    }

    /// Changes a field of the form.
    pub fn set<T: Serialize>(&mut self, name: &str, value: &T) -> Result<(), serde_json::Error> {
        self.0.set(name, value)
    }

    /// A field that is text or, as live services publish it, a record that names a country.
    pub fn country(&self, name: &str) -> Option<String> {
        self.0.get(name).and_then(|Country(country)| country)
    }

    /// As [`EditItem::replace_parts`].
    pub fn replace_parts(
        &mut self,
        name: &str,
        parts: &[(String, Value)],
    ) -> Result<(), serde_json::Error> {
        self.0.replace_parts(name, parts)
    }

    /// True where the field is there, null or not.
    pub fn has(&self, name: &str) -> bool {
        self.0.has(name)
    }

    /// Changes a field to what `from` says of it; what that does not say is emptied.
    pub fn copy(&mut self, name: &str, from: &EditItem) {
        self.0.copy(name, &from.0);
    }

    /// Takes a field out of the form.
    pub fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Its items, under either name.
    pub fn items(&self) -> Vec<EditItem> {
        self.0.get(self.items_name()).unwrap_or_default()
    }

    /// Puts its items back, under the name that they came with. References are set for good only when every item's are
    /// complete, so the form says by itself whether they changed: items are told apart by their ids, and one without
    /// references, new or gone, changes none.
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

    /// The names of the fields that differ from `other`'s, sorted; the order to set references is no field of the consignment.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut names = self.0.differences(&other.0);
        names.retain(|name| name != SET_REFERENCES);
        names
    }

    /// True where all that `other` says in these fields stands here too. What it leaves out or empty, the service may have
    /// filled: ids of new items, versions.
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
    /// A new item, to be put among the others.
    pub fn new<T: Serialize>(item: &T) -> Result<Self, serde_json::Error> {
        serde_json::from_str(&serde_json::to_string(item)?)
    }

    /// A field of the item; nothing where it is absent, null or of another shape.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.0.get(name)
    }

    /// The whole item as one record; nothing where it is another.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        let text = serde_json::to_string(self).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// A field that is text or, as live services publish it, a record that names a country.
    pub fn country(&self, name: &str) -> Option<String> {
        self.0.get(name).and_then(|Country(country)| country)
    }

    /// Changes a record that stands in a field, as live services publish them: its parts of these names. What else it holds
    /// was of the old one, and goes. Nothing is changed where the field holds no record.
    pub fn replace_parts(
        &mut self,
        name: &str,
        parts: &[(String, Value)],
    ) -> Result<(), serde_json::Error> {
        self.0.replace_parts(name, parts)
    }

    /// Changes a field of the item.
    pub fn set<T: Serialize>(&mut self, name: &str, value: &T) -> Result<(), serde_json::Error> {
        self.0.set(name, value)
    }

    /// True where the field is there, null or not.
    pub fn has(&self, name: &str) -> bool {
        self.0.has(name)
    }

    /// Changes a field to what `from` says of it; what that does not say is emptied.
    pub fn copy(&mut self, name: &str, from: &Self) {
        self.0.copy(name, &from.0);
    }

    /// The names of the fields that differ from `other`'s, sorted.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        self.0.differences(&other.0)
    }

    /// What the service calls it; nothing for a new one.
    pub fn id(&self) -> Option<i64> {
        #[derive(Deserialize)]
        struct Id(#[serde(deserialize_with = "lenient::integer")] i64);
        self.0.get("id").map(|Id(id)| id)
    }

    /// Its delegated references.
    pub fn references(&self) -> Vec<ItemReference> {
        self.0.get(REFERENCES).unwrap_or_default()
    }

    /// Gives it other references, in all; none removes them.
    pub fn set_references(
        &mut self,
        references: &[ItemReference],
    ) -> Result<(), serde_json::Error> {
        self.0.set(REFERENCES, &references)
    }
}
