//! Writes the clerk's changes into the form: only fields in which the requests from the clerk's draft and the form's
//! draft differ. Changed items keep their other fields, new items are added, and missing items are removed.

use std::collections::HashSet;

use serde_json::Value;

use super::super::field::{AddressField, RecordField as _};
use super::super::{DUTIES, Draft, Field, GoodsField, Problem, countries};
use super::read::DESPATCH;
use shipping::{ConsignmentItem, ConsignmentRequest, Despatch, EditForm, EditItem, Question};

const COUNTRY_CODE: &str = "CountryCode";

/// Returns the known parts of a country's record, for live services that publish countries as records.
fn country_parts(code: &str) -> Vec<(&'static str, Value)> {
    let Some(country) = countries::from_name_or_code(code) else {
        return Vec::new();
    };
    let short = rust_iso3166::from_alpha3(&country.code.to_string()).map(|known| known.alpha2);
    vec![
        ("code2", short.map_or(Value::Null, Value::from)),
        ("code3", country.code.to_string().into()),
        ("name", country.name.into()),
        ("displayName", country.name.into()),
    ]
}

/// The clerk's changes to a form.
pub(super) struct FormChanges<'a> {
    pub(super) draft: &'a Draft,
    /// The draft built from the form.
    pub(super) before: &'a Draft,
    /// The request built from the clerk's draft.
    pub(super) ours: &'a ConsignmentRequest,
    /// The request built from the form's draft.
    pub(super) theirs: &'a ConsignmentRequest,
    pub(super) zone: &'a str,
}

/// Converts a JSON error, which cannot happen for the contents of a request or a form, to a problem.
fn unwritable(_error: serde_json::Error) -> Problem {
    Problem::error(Field::Whole, "Can't save this change")
}

impl FormChanges<'_> {
    pub(super) fn apply_to(&self, base: &EditForm) -> Result<EditForm, Problem> {
        let mut form = base.clone();
        let new = EditItem::new(self.ours).map_err(unwritable)?;
        let old = EditItem::new(self.theirs).map_err(unwritable)?;
        let changed = new.differences(&old);
        for (prefix, title) in [("from", "From"), ("to", "To")] {
            let is_new = |name: &String| changed.contains(name) && new.has(name);
            let mut picked = { AddressField::Saved.row().wire_names.iter() }
                .map(|name| format!("{prefix}{name}"));
            if picked.any(|name| is_new(&name)) {
                empty_party(&mut form, prefix, title);
            }
        }
        for name in &changed {
            match name.as_str() {
                "items" | "linkedPendingConsignmentIds" => {}
                name if DESPATCH.contains(&name) => {}
                "questionIds" => self.questions(&mut form),
                "customValues" => custom_values(&mut form, &new, &old),
                name if name.ends_with(COUNTRY_CODE) => {
                    let record = name.replace(COUNTRY_CODE, "Country");
                    let parts = new.country(name).map(|code| country_parts(&code));
                    form.replace_parts(&record, &parts.unwrap_or_default());
                    form.copy(name, &new);
                }
                name => form.copy(name, &new),
            }
        }
        if self.draft.despatch.trim() != self.before.despatch.trim() {
            self.despatch(&mut form)?;
        }
        self.items(&mut form)?;
        Ok(form)
    }

    /// Writes the despatch time under the name that the form uses, and empties the other names.
    fn despatch(&self, form: &mut EditForm) -> Result<(), Problem> {
        let said = |name: &&str| form.get::<Value>(name).is_some();
        let name = { DESPATCH.iter().copied() }
            .find(said)
            .or_else(|| DESPATCH.into_iter().find(|name| form.has(name)))
            .unwrap_or(DESPATCH[0]);
        for other in DESPATCH {
            if form.has(other) {
                form.set(other, &Value::Null);
            }
        }
        let in_utc = name.ends_with("Utc");
        match self.ours.despatch() {
            None => form.set(name, &Value::Null),
            Some(Despatch::Local(time)) if in_utc => {
                // The check of the draft has already refused a time that names no moment.
                let moment = time.in_zone(self.zone).map_err(|_no_moment| {
                    Problem::error(Field::Despatch, "Choose another despatch time")
                })?;
                form.set(name, &moment);
            }
            Some(Despatch::Local(time)) => form.set(name, &time),
            // A draft's request has local times only.
            Some(Despatch::Utc(time)) => form.set(name, &time),
        }
        Ok(())
    }

    /// Updates the questions. Question ids that the bench does not know are kept.
    fn questions(&self, form: &mut EditForm) {
        let known = |one: &Value| serde_json::from_value::<Question>(one.clone()).ok();
        let mut kept: Vec<Value> = form.get("questionIds").unwrap_or_default();
        kept.retain(|one| known(one).is_none_or(|known| self.ours.question_ids.contains(&known)));
        let there: HashSet<_> = kept.iter().filter_map(known).collect();
        for one in &self.ours.question_ids {
            if !there.contains(one) {
                kept.push(one.id().into());
            }
        }
        form.set("questionIds", &kept);
    }
}

/// Empties the address of a party that a saved location replaces.
fn empty_party(form: &mut EditForm, prefix: &str, title: &str) {
    let nothing = EditItem::default();
    form.copy(&format!("{prefix}Country"), &nothing);
    for name in AddressField::ALL.iter().flat_map(|at| at.row().wire_names) {
        form.copy(&format!("{prefix}{name}"), &nothing);
        form.copy(&format!("international{title}{name}"), &nothing);
    }
}

/// Updates custom values, matched by name. Unchanged values keep their original form.
fn custom_values(form: &mut EditForm, new: &EditItem, old: &EditItem) {
    let list = |of: &EditItem| of.get::<Vec<EditItem>>("customValues").unwrap_or_default();
    let name = |of: &EditItem| of.get::<String>("propertyName").unwrap_or_default();
    let (new, old) = (list(new), list(old));
    let kept: Vec<EditItem> = form.get("customValues").unwrap_or_default();
    let find =
        |among: &[EditItem], wanted: &str| among.iter().find(|one| name(one) == wanted).cloned();
    let mut all = Vec::new();
    for raw in &kept {
        let called = name(raw);
        let mut value = raw.clone();
        match (find(&new, &called), find(&old, &called)) {
            (None, Some(_)) if called == DUTIES => value.set("value", &false),
            (None, Some(_)) => continue,
            (Some(ours), theirs)
                if theirs
                    .as_ref()
                    .is_none_or(|theirs| !ours.differences(theirs).is_empty()) =>
            {
                value.copy("value", &ours);
            }
            // The value is unchanged, or a draft cannot represent it.
            _ => {}
        }
        all.push(value);
    }
    for ours in new {
        if find(&kept, &name(&ours)).is_none() {
            all.push(ours);
        }
    }
    form.set("customValues", &all);
}

const GOODS: &str = "consignmentItemDgItems";
const CONTENTS: &str = "consignmentItemContents";
const REFERENCES: &str = "consignmentItemReferences";
const SIZE: &str = "standardItem";
const TECHNICAL_NAMES: &str = "TechnicalOrChemicalGroupNames";

/// The name of the field at live services.
const PUBLISHED_TECHNICAL_NAMES: &str = "technicalOrChemicalGroupNames";

impl FormChanges<'_> {
    fn items(&self, form: &mut EditForm) -> Result<(), Problem> {
        let edited = self.draft.edits.as_ref();
        let seen = edited.map(|edited| edited.form.items()).unwrap_or_default();
        let there = form.items();
        let mut taken = HashSet::new();
        let mut items = Vec::new();
        for (index, line) in self.draft.goods.iter().enumerate() {
            let ours = request(&self.ours.items, index)?;
            // If a line was duplicated on the screen, the copy becomes a new item.
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
        form.set_items(&items);
        Ok(())
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
fn request(items: &[ConsignmentItem], index: usize) -> Result<ConsignmentItem, Problem> {
    let item = items.get(index).cloned().map(ConsignmentItem::nested);
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
    ours: &ConsignmentItem,
    theirs: &ConsignmentItem,
) -> Result<Option<EditItem>, serde_json::Error> {
    let (new, old) = (EditItem::new(ours)?, EditItem::new(theirs)?);
    for name in new.differences(&old) {
        match name.as_str() {
            SIZE => size(&mut own, &new, &old),
            REFERENCES => own.set_references(&ours.consignment_item_references),
            name @ (GOODS | CONTENTS) => {
                let Some(list) = list(&own, name, &new, &old) else {
                    return Ok(None);
                };
                own.set(name, &list);
            }
            name => own.copy(name, &new),
        }
    }
    Ok(Some(own))
}

/// Updates weight and dimensions where the item has them: on itself or nested.
fn size(own: &mut EditItem, new: &EditItem, old: &EditItem) {
    let of = |item: &EditItem| item.get::<EditItem>(SIZE).unwrap_or_default();
    let (new, old) = (of(new), of(old));
    let mut nested: Option<EditItem> = own.get(SIZE);
    let differ = new.differences(&old);
    if nested.is_none() && differ.iter().all(|name| own.has(name)) {
        for name in &differ {
            own.copy(name, &new);
        }
        return;
    }
    let inner = nested.get_or_insert_default();
    for name in &differ {
        inner.copy(name, &new);
    }
    own.set(SIZE, &nested);
}

/// Updates a list of objects. Each new entry is matched with the old entry of equal content, otherwise with
/// the entry at the same position.
fn list(own: &EditItem, name: &str, new: &EditItem, old: &EditItem) -> Option<Vec<EditItem>> {
    let of = |item: &EditItem| item.get::<Vec<EditItem>>(name).unwrap_or_default();
    let (kept, new, old) = (of(own), of(new), of(old));
    if kept.len() != old.len() {
        return None;
    }
    let mut free = vec![true; old.len()];
    let mut places: Vec<Option<usize>> = vec![None; new.len()];
    for (place, ours) in places.iter_mut().zip(&new) {
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
            all.push(ours);
            continue;
        };
        let mut changed = kept[at].clone();
        for field in ours.differences(&old[at]) {
            change(&mut changed, &field, &ours);
        }
        all.push(changed);
    }
    Some(all)
}

/// Updates a field of a dangerous good or of contents, in the shape that the form uses.
fn change(own: &mut EditItem, field: &str, ours: &EditItem) {
    match field {
        TECHNICAL_NAMES => {
            let text = ours.get::<Value>(field);
            if own.has(PUBLISHED_TECHNICAL_NAMES) {
                let list = match text.clone() {
                    Some(Value::Array(list)) => list,
                    one => one.into_iter().collect(),
                };
                own.set(PUBLISHED_TECHNICAL_NAMES, &list);
            }
            if own.has(field) || !own.has(PUBLISHED_TECHNICAL_NAMES) {
                own.copy(field, ours);
            }
        }
        // The code and its id mean the same, and the service refuses a request with both. A draft has only the code.
        "hazchem" => {
            let code = ours.get::<Value>(field).unwrap_or_default();
            let names = ["hazchem", "hazchemCode", "code", "name"];
            own.replace_parts("dgHazchem", &names.map(|name| (name, code.clone())));
            own.copy("dgHazchemId", &EditItem::default());
            own.copy(field, ours);
        }
        "countryOfManufactureCode" => {
            let parts = ours.country(field).map(|code| country_parts(&code));
            own.replace_parts("countryOfManufacture", &parts.unwrap_or_default());
            own.copy("countryOfManufactureId", &EditItem::default());
            own.copy(field, ours);
        }
        _ => own.copy(field, ours),
    }
    // Live services publish the name of a numbered value in a separate field, which is now out of date.
    own.copy(&format!("{field}StringValue"), &EditItem::default());
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
