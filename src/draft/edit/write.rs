//! Writes the clerk's changes into the form, field by field where the two requests differ.

use std::collections::HashSet;

use serde_json::Value;

use super::super::{DUTIES, Draft, Field, Problem, countries};
use super::read::DESPATCH;
use shipping::{ConsignmentRequest, Despatch, EditForm, EditItem, LocalTime, Question, UtcTime};

/// The fields of a party that are emptied when a saved location replaces the address.
const ADDRESS_FIELDS: [&str; 13] = [
    "Name",
    "Contact",
    "Phone",
    "Email",
    "AddressLine1",
    "AddressLine2",
    "Location",
    "CountryCode",
    "Country",
    "CompanyLocationId",
    "Abbreviation",
    "City",
    "Province",
];

const COUNTRY_CODE: &str = "CountryCode";

/// Returns the known parts of a country's record, for live services that publish countries as records.
pub(super) fn country_parts(code: &str) -> Vec<(String, Value)> {
    let Some(country) = countries::from_name_or_code(code) else {
        return Vec::new();
    };
    let short = rust_iso3166::from_alpha3(&country.code.to_string()).map(|known| known.alpha2);
    let parts = [
        ("code2", short.map_or(Value::Null, Value::from)),
        ("code3", country.code.to_string().into()),
        ("name", country.name.into()),
        ("displayName", country.name.into()),
    ];
    parts
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// The clerk's changes to a form.
pub(super) struct FormChanges<'a> {
    pub(super) draft: &'a Draft,
    /// The draft that the form gave.
    pub(super) before: &'a Draft,
    /// The request built from the clerk's draft.
    pub(super) ours: &'a ConsignmentRequest,
    /// The request built from the form's draft.
    pub(super) theirs: &'a ConsignmentRequest,
    pub(super) zone: &'a str,
}

/// Reports a JSON error, which cannot happen for the contents of a request or a form.
pub(super) fn unwritable(_error: serde_json::Error) -> Problem {
    Problem::error(Field::Whole, "Can't save this change")
}

impl FormChanges<'_> {
    pub(super) fn apply_to(&self, base: &EditForm) -> Result<EditForm, Problem> {
        let mut form = base.clone();
        let new = EditItem::new(self.ours).map_err(unwritable)?;
        let old = EditItem::new(self.theirs).map_err(unwritable)?;
        let changed = new.differences(&old);
        for (prefix, title) in [("from", "From"), ("to", "To")] {
            let picked = [
                format!("{prefix}CompanyLocationId"),
                format!("{prefix}Abbreviation"),
            ];
            if picked
                .iter()
                .any(|name| changed.contains(name) && new.has(name))
            {
                empty_party(&mut form, prefix, title);
            }
        }
        for name in &changed {
            match name.as_str() {
                "items" | "linkedPendingConsignmentIds" => {}
                name if DESPATCH.contains(&name) => {}
                "questionIds" => self.questions(&mut form).map_err(unwritable)?,
                "customValues" => custom_values(&mut form, &new, &old).map_err(unwritable)?,
                name if name.ends_with(COUNTRY_CODE) => {
                    let record = name.replace(COUNTRY_CODE, "Country");
                    let parts = new.country(name).map(|code| country_parts(&code));
                    form.replace_parts(&record, &parts.unwrap_or_default())
                        .map_err(unwritable)?;
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
        for other in DESPATCH
            .into_iter()
            .filter(|other| form.has(other))
            .collect::<Vec<_>>()
        {
            form.set(other, &Value::Null).map_err(unwritable)?;
        }
        let in_utc = name.ends_with("Utc");
        let set = match self.ours.despatch() {
            None => form.set(name, &Value::Null),
            Some(Despatch::Local(time)) if in_utc => {
                let moment = time.in_zone(self.zone).map_err(|error| {
                    Problem::error(Field::Despatch, format!("The despatch time is {error}"))
                })?;
                form.set(name, &moment)
            }
            Some(Despatch::Local(time)) => form.set(name, &time),
            Some(Despatch::Utc(UtcTime(moment))) if !in_utc => {
                form.set(name, &LocalTime::at(moment, self.zone))
            }
            Some(Despatch::Utc(time)) => form.set(name, &time),
        };
        set.map_err(unwritable)
    }

    /// Updates the questions. Question ids that the bench does not know are kept.
    fn questions(&self, form: &mut EditForm) -> Result<(), serde_json::Error> {
        let known = |one: &Value| serde_json::from_value::<Question>(one.clone()).ok();
        let mut kept: Vec<Value> = form.get("questionIds").unwrap_or_default();
        kept.retain(|one| known(one).is_none_or(|known| self.ours.question_ids.contains(&known)));
        let there: HashSet<_> = kept.iter().filter_map(known).collect();
        for one in self
            .ours
            .question_ids
            .iter()
            .filter(|one| !there.contains(one))
        {
            kept.push(serde_json::to_value(one)?);
        }
        form.set("questionIds", &kept)
    }
}

fn empty_party(form: &mut EditForm, prefix: &str, title: &str) {
    let nothing = EditItem::default();
    let spelt = ADDRESS_FIELDS.iter().map(|name| format!("{prefix}{name}"));
    let abroad = ["City", "Postcode", "Province"];
    let abroad = abroad
        .iter()
        .map(|name| format!("international{title}{name}"));
    for name in spelt.chain(abroad) {
        form.copy(&name, &nothing);
    }
}

/// Updates custom values, matched by name. Unchanged values keep their original form.
fn custom_values(
    form: &mut EditForm,
    new: &EditItem,
    old: &EditItem,
) -> Result<(), serde_json::Error> {
    let list = |of: &EditItem| of.get::<Vec<EditItem>>("customValues").unwrap_or_default();
    let name = |of: &EditItem| of.get::<String>("propertyName").unwrap_or_default();
    let (new, old) = (list(new), list(old));
    let kept: Vec<EditItem> = form.get("customValues").unwrap_or_default();
    let find =
        |among: &[EditItem], wanted: &str| among.iter().find(|one| name(one) == wanted).cloned();
    let mut all = Vec::new();
    for raw in &kept {
        let called = name(raw);
        match (find(&new, &called), find(&old, &called)) {
            // A draft cannot represent this value, so the clerk did not change it.
            (None, None) => all.push(raw.clone()),
            (None, Some(_)) if called == DUTIES => {
                let mut no = raw.clone();
                no.set("value", &false)?;
                all.push(no);
            }
            (None, Some(_)) => {}
            (Some(ours), Some(theirs)) if ours.differences(&theirs).is_empty() => {
                all.push(raw.clone());
            }
            (Some(ours), _) => {
                let mut changed = raw.clone();
                changed.copy("value", &ours);
                all.push(changed);
            }
        }
    }
    for ours in new {
        if find(&kept, &name(&ours)).is_none() {
            all.push(ours);
        }
    }
    form.set("customValues", &all)
}
