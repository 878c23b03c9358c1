//! Writes lines of goods into the form's items: changed items keep their other fields, new ones are added,
//! missing ones removed.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::Value;

use super::super::{Field, GoodsField, Problem};
use super::write::{FormChanges, country_parts, unwritable};
use shipping::{EditForm, EditItem, ItemRequest};

const GOODS: &str = "consignmentItemDgItems";
const CONTENTS: &str = "consignmentItemContents";
const REFERENCES: &str = "consignmentItemReferences";
const SIZE: &str = "standardItem";
const TECHNICAL_NAMES: &str = "TechnicalOrChemicalGroupNames";

/// The name of the field at live services.
const PUBLISHED_TECHNICAL_NAMES: &str = "technicalOrChemicalGroupNames";

impl FormChanges<'_> {
    pub(super) fn items(&self, form: &mut EditForm) -> Result<(), Problem> {
        let edited = self.draft.edits.as_ref();
        let seen = edited.map(|edited| edited.form.items()).unwrap_or_default();
        let there = form.items();
        let mut taken = HashSet::new();
        let mut items = Vec::new();
        for (index, line) in self.draft.goods.iter().enumerate() {
            let ours = request(&self.ours.items, index)?;
            // If a line was duplicated on the screen, the second one becomes a new item.
            let at = line.of_item.filter(|at| taken.insert(*at));
            let own = at.and_then(|at| Some((at, find(&there, &seen, at)?)));
            items.push(match own {
                Some((at, own)) => {
                    let theirs = request(&self.theirs.items, at)?;
                    changed(own.clone(), &ours, &theirs)
                        .map_err(unwritable)?
                        .ok_or_else(|| not_editable(index))?
                }
                None => EditItem::new(&ours).map_err(unwritable)?,
            });
        }
        if items == there {
            return Ok(());
        }
        form.set_items(&items).map_err(unwritable)
    }
}

/// Finds the current item by its id, because its position may have changed. Without ids, uses the position.
fn find<'a>(there: &'a [EditItem], seen: &[EditItem], at: usize) -> Option<&'a EditItem> {
    match seen.get(at)?.id() {
        Some(id) => there.iter().find(|one| one.id() == Some(id)),
        None => there.get(at),
    }
}

/// Returns the item's request with nested weight and dimensions, so that two requests can be compared.
fn request(items: &[ItemRequest], index: usize) -> Result<ItemRequest, Problem> {
    let item = items.get(index).cloned().map(ItemRequest::nested);
    item.ok_or_else(|| not_editable(index))
}

fn not_editable(line: usize) -> Problem {
    let words = "This line has details that can't be edited here. Edit it at the service";
    Problem::error(Field::Goods(line, GoodsField::Name), words)
}

/// Applies the differences to the item. Returns `None` if the item contains data that a draft
/// cannot represent.
fn changed(
    mut own: EditItem,
    ours: &ItemRequest,
    theirs: &ItemRequest,
) -> Result<Option<EditItem>, serde_json::Error> {
    let (new, old) = (EditItem::new(ours)?, EditItem::new(theirs)?);
    for name in new.differences(&old) {
        match name.as_str() {
            SIZE => size(&mut own, &new, &old)?,
            REFERENCES => own.set_references(&ours.consignment_item_references)?,
            GOODS => {
                let (new, old) = (
                    objects(&ours.consignment_item_dg_items)?,
                    objects(&theirs.consignment_item_dg_items)?,
                );
                let Some(list) = list(&own, GOODS, &new, &old) else {
                    return Ok(None);
                };
                own.set(GOODS, &list)?;
            }
            CONTENTS => {
                let (new, old) = (
                    objects(&ours.consignment_item_contents)?,
                    objects(&theirs.consignment_item_contents)?,
                );
                let Some(list) = list(&own, CONTENTS, &new, &old) else {
                    return Ok(None);
                };
                own.set(CONTENTS, &list)?;
            }
            name => own.copy(name, &new),
        }
    }
    Ok(Some(own))
}

fn objects<T: Serialize>(of: &[T]) -> Result<Vec<EditItem>, serde_json::Error> {
    of.iter().map(EditItem::new).collect()
}

/// Updates weight and dimensions where the item has them: on itself or nested.
fn size(own: &mut EditItem, new: &EditItem, old: &EditItem) -> Result<(), serde_json::Error> {
    let of = |item: &EditItem| item.get::<EditItem>(SIZE).unwrap_or_default();
    let (new, old) = (of(new), of(old));
    let mut nested: Option<EditItem> = own.get(SIZE);
    let differ = new.differences(&old);
    if nested.is_none() && differ.iter().all(|name| own.has(name)) {
        for name in &differ {
            own.copy(name, &new);
        }
        return Ok(());
    }
    let inner = nested.get_or_insert_default();
    for name in &differ {
        inner.copy(name, &new);
    }
    own.set(SIZE, &nested)
}

/// Updates a list of objects. Each new entry is matched with the old entry of equal content, otherwise with
/// the entry at the same position.
fn list(own: &EditItem, name: &str, new: &[EditItem], old: &[EditItem]) -> Option<Vec<EditItem>> {
    let kept: Vec<EditItem> = own.get(name).unwrap_or_default();
    if kept.len() != old.len() {
        return None;
    }
    let mut free = vec![true; old.len()];
    let mut places: Vec<Option<usize>> = vec![None; new.len()];
    for (place, ours) in places.iter_mut().zip(new) {
        *place = (0..old.len()).find(|at| free[*at] && ours.differences(&old[*at]).is_empty());
        if let Some(at) = *place {
            free[at] = false;
        }
    }
    for (at, place) in places.iter_mut().enumerate() {
        let is_same = |at: usize| new.len() == old.len() || is_alike(&new[at], &old[at]);
        if place.is_none() && free.get(at) == Some(&true) && is_same(at) {
            *place = Some(at);
            free[at] = false;
        }
    }
    let mut all = Vec::new();
    for (place, ours) in places.into_iter().zip(new) {
        let Some(at) = place else {
            all.push(ours.clone());
            continue;
        };
        let mut changed = kept[at].clone();
        for field in ours.differences(&old[at]) {
            change(&mut changed, &field, ours).ok()?;
        }
        all.push(changed);
    }
    Some(all)
}

/// Updates a field of a dangerous good or of contents, in the shape that the form uses.
fn change(own: &mut EditItem, field: &str, ours: &EditItem) -> Result<(), serde_json::Error> {
    match field {
        TECHNICAL_NAMES => {
            let text = ours.get::<Value>(field);
            if own.has(PUBLISHED_TECHNICAL_NAMES) {
                let list = match text.clone() {
                    Some(Value::Array(list)) => list,
                    one => one.into_iter().collect(),
                };
                own.set(PUBLISHED_TECHNICAL_NAMES, &list)?;
            }
            if own.has(field) || !own.has(PUBLISHED_TECHNICAL_NAMES) {
                own.copy(field, ours);
            }
        }
        // The code and its id mean the same, and the service refuses both together.
        "hazchem" => {
            let code = ours.get::<Value>(field).unwrap_or_default();
            let names = ["hazchem", "hazchemCode", "code", "name"];
            let parts = names.map(|name| (name.to_owned(), code.clone()));
            own.replace_parts("dgHazchem", &parts)?;
            own.copy("dgHazchemId", &EditItem::default());
            own.copy(field, ours);
        }
        "dgHazchemId" => {
            let id = ours.get::<Value>(field).unwrap_or_default();
            own.replace_parts("dgHazchem", &[("id".to_owned(), id)])?;
            own.copy("hazchem", &EditItem::default());
            own.copy(field, ours);
        }
        "countryOfManufactureCode" => {
            let parts = ours.country(field).map(|code| country_parts(&code));
            own.replace_parts("countryOfManufacture", &parts.unwrap_or_default())?;
            own.copy("countryOfManufactureId", &EditItem::default());
            own.copy(field, ours);
        }
        _ => own.copy(field, ours),
    }
    // Live services publish the name of a numbered value in a separate field, which is now out of date.
    own.copy(&format!("{field}StringValue"), &EditItem::default());
    Ok(())
}

/// Returns whether both are probably the same entry with small changes.
fn is_alike(ours: &EditItem, theirs: &EditItem) -> bool {
    ["unNumber", "companyDgItemId", "description"]
        .iter()
        .any(|name| {
            let said: Option<Value> = ours.get(name);
            said.is_some() && said == theirs.get(name)
        })
}
