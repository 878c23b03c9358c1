//! Reads orders from JSON: an object or a list of objects, with the field names of a request for a consignment.

use serde_json::Value;
use serde_json::value::RawValue;

use super::{
    CheckedOrders, ExistingOrders, MOST_BYTES, MOST_ORDERS, Order, OrderTerms, RejectedRow,
    SheetError, column_for_field, digest_of, is_chosen_later,
};
use crate::edit::read;
use crate::preset::StatedOptions;
use crate::{ConsignmentFlag, Draft, ItemSource, Party, Routing};
use shipping::{CompanyLocation, ConsignmentRequest, EditForm, Question};

/// Fields of a request that a draft does not have.
const OF_OTHER_REQUESTS: [&str; 3] = ["carrierIds", "requestId", "linkedPendingConsignmentIds"];

/// The orders of a JSON file, not interpreted yet.
#[derive(Debug, Clone)]
pub struct JsonOrders(Vec<Box<RawValue>>);

impl JsonOrders {
    /// Reads a file of at most [`MOST_BYTES`].
    pub fn read(bytes: &[u8]) -> Result<Self, SheetError> {
        if bytes.len() as u64 > MOST_BYTES {
            return Err(SheetError::TooLarge);
        }
        let text = std::str::from_utf8(bytes).map_err(|_other_encoding| SheetError::NotText)?;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            return Err(SheetError::Empty);
        }
        let not_json = |error: serde_json::Error| SheetError::NotJson { line: error.line() };
        let orders: Vec<Box<RawValue>> = if text.starts_with('[') {
            serde_json::from_str(text).map_err(not_json)?
        } else {
            vec![serde_json::from_str(text).map_err(not_json)?]
        };
        match orders.len() {
            0 => Err(SheetError::Empty),
            count if count > MOST_ORDERS => Err(SheetError::TooManyOrders(count)),
            _ if orders.iter().all(|order| order.get().starts_with('{')) => Ok(Self(orders)),
            _ => Err(SheetError::NotObjects),
        }
    }

    /// Checks every order. An order with a reference that an earlier order of the file has is rejected.
    pub fn check(&self, terms: &OrderTerms, known: &ExistingOrders) -> CheckedOrders {
        let mut checked = CheckedOrders::default();
        for (row, order) in self.0.iter().enumerate() {
            let (draft, mut faults) = draft_of(order, terms);
            let is_same = |other: &Order| {
                let reference = draft.reference1.trim();
                !reference.is_empty()
                    && other
                        .draft
                        .reference1
                        .trim()
                        .eq_ignore_ascii_case(reference)
            };
            if checked.orders.iter().any(is_same) {
                faults.push("An earlier order of this file has the same reference".to_owned());
            }
            if faults.is_empty() {
                let digest = digest_of(order.get());
                checked.orders.push(Order {
                    duplicate: known.find_duplicate(&draft.reference1, &digest),
                    draft,
                    rows: vec![row],
                    digest,
                });
            } else {
                checked.rejected_orders += 1;
                let reason = faults.join("; ");
                checked.rejected.push(RejectedRow { row, reason });
            }
        }
        checked
    }

    /// Writes the rejected orders as a list, unchanged, so that they can be corrected.
    pub fn rejected_file(&self, rejected: &[RejectedRow]) -> Vec<u8> {
        let orders: Vec<_> = rejected.iter().map(|one| &self.0[one.row]).collect();
        serde_json::to_vec_pretty(&orders).unwrap_or_default()
    }
}

/// Reads an order into a draft. Also returns what is wrong with it.
fn draft_of(order: &RawValue, terms: &OrderTerms) -> (Draft, Vec<String>) {
    let form: EditForm = match serde_json::from_str(order.get()) {
        Ok(form) => form,
        Err(error) => return (Draft::default(), vec![format!("Can't be read: {error}")]),
    };
    let mut draft = read::draft(&form, &terms.check.bench_zone);
    draft.is_order = true;
    draft.company = draft.company.or(terms.company);
    if draft.from == read::draft(&EditForm::default(), "").from {
        draft.from = terms.from.clone();
    }
    for party in [&mut draft.from, &mut draft.to] {
        resolve(party, &terms.locations);
    }
    for line in &mut draft.goods {
        line.of_item = None;
        if line.source == ItemSource::Sku {
            line.attach_remembered_item(&terms.items);
        }
    }
    // A file can't declare dangerous goods; the clerk does that later.
    draft.declare(false);
    terms.complete(&mut draft, &stated_options(&form));
    name_carrier(&mut draft, terms);
    let mut faults = unusable_fields(order);
    if faults.is_empty() {
        faults = draft_faults(&draft, terms);
    }
    (draft, faults)
}

/// Replaces a saved location, of which the order has only the id or the abbreviation, by the one that the bench knows.
fn resolve(party: &mut Party, locations: &[CompanyLocation]) {
    let id = party.saved.as_ref().map(|saved| saved.id);
    match locations.iter().find(|known| Some(known.id) == id) {
        Some(known) => party.set_location(known),
        None => party.resolve_abbreviation(locations),
    }
}

fn name_carrier(draft: &mut Draft, terms: &OrderTerms) {
    let (Routing::Chosen(chosen) | Routing::Carrier(chosen)) = &draft.routing else {
        return;
    };
    let is_it = |carrier: &&shipping::Carrier| carrier.id == chosen.carrier_id;
    let Some(carrier) = terms.check.carriers.iter().find(is_it) else {
        return;
    };
    let services = carrier.carrier_accounts.iter();
    let mut services = services.flat_map(|account| &account.carrier_services);
    let service = services.find(|service| Some(service.id) == chosen.service_id);
    let service = service.map_or_else(String::new, |service| service.label().to_owned());
    draft.name_carrier(carrier.label(), &service);
}

/// Returns the options for which the order says yes or no. A list of questions says no to all others.
fn stated_options(form: &EditForm) -> StatedOptions {
    let questions = if form.has("questionIds") {
        Question::ALL
    } else {
        &[]
    };
    let flags = ConsignmentFlag::ALL.iter().copied();
    StatedOptions {
        questions: questions.iter().copied().collect(),
        flags: flags
            .filter(|flag| form.has(flag.row().wire_names[0]))
            .collect(),
    }
}

/// Names the fields that would be ignored, because no request has their name, or because an order can't have them.
fn unusable_fields(order: &RawValue) -> Vec<String> {
    let request: ConsignmentRequest = match serde_json::from_str(order.get()) {
        Ok(request) => request,
        Err(error) => return vec![format!("Can't be read: {error}")],
    };
    let given: Value = serde_json::from_str(order.get()).unwrap_or_default();
    let read = serde_json::to_value(&request).unwrap_or_default();
    let mut lost = Vec::new();
    collect_lost(&given, &read, "", &mut lost);
    let mut faults: Vec<_> = lost
        .into_iter()
        .map(|name| format!("The field “{name}” is unknown or can't be read"))
        .collect();
    let is_given = |name: &&&str| !is_empty(&given[**name]);
    let other = OF_OTHER_REQUESTS.iter().filter(is_given);
    faults.extend(other.map(|name| format!("The field “{name}” can't be used in an order")));
    faults
}

/// Collects the paths of the values that `read` does not have. Empty values are left out.
fn collect_lost(given: &Value, read: &Value, path: &str, lost: &mut Vec<String>) {
    match (given, read) {
        (Value::Object(given), Value::Object(read)) => {
            for (name, value) in given.iter().filter(|(_, value)| !is_empty(value)) {
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                match read.get(name) {
                    Some(read) => collect_lost(value, read, &path, lost),
                    None => lost.push(path),
                }
            }
        }
        (Value::Array(given), Value::Array(read)) => {
            for (at, (given, read)) in given.iter().zip(read).enumerate() {
                collect_lost(given, read, &format!("{path}[{}]", at + 1), lost);
            }
        }
        _ => {}
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => false,
    }
}

fn draft_faults(draft: &Draft, terms: &OrderTerms) -> Vec<String> {
    let check = draft.check(&terms.check);
    let errors = check
        .errors()
        .filter(|problem| !is_chosen_later(draft, problem));
    let faults = errors.map(|problem| {
        let line = problem
            .field
            .line()
            .map(|line| format!("Item {}: ", line + 1));
        let name = column_for_field(problem.field).map(|column| format!("{}: ", column.name()));
        let (line, name) = (line.unwrap_or_default(), name.unwrap_or_default());
        format!("{line}{name}{}", problem.message)
    });
    faults.collect()
}
