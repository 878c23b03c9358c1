//! The values by which a sent consignment is compared with a consignment at the service, if no key of the bench tells
//! whether both are the same. To compare another value, only a row of [`COMPARED_VALUES`] is needed.

use rust_decimal::Decimal;

use shipping::{Consignment, ConsignmentItem, ConsignmentRequest, Kilograms};

/// A value that a sent consignment and a consignment at the service have in common if they are the same.
pub struct ComparedValue {
    /// The label in a table.
    pub label: &'static str,
    /// The name in a sentence. Values that belong together have the same name.
    name: &'static str,
    sent: fn(&ConsignmentRequest) -> Option<String>,
    found: fn(&Consignment) -> Option<String>,
}

/// The compared values, in the order in which the clerk sees them. A sent consignment without any reference
/// is searched for only in the list of recent updates, so values that this list lacks are not compared for
/// such a consignment.
pub const COMPARED_VALUES: &[ComparedValue] = &[
    ComparedValue {
        label: "Receiver",
        name: "receiver",
        sent: |sent| sent.to.name.clone(),
        found: |found| found.to_name.clone(),
    },
    ComparedValue {
        label: "Suburb",
        name: "receiver",
        sent: |sent| Some(sent.to.location.as_ref()?.suburb.clone()),
        found: |found| Some(found.to_location.as_ref()?.suburb.clone()),
    },
    ComparedValue {
        label: "Reference",
        name: "reference",
        sent: |sent| sent.customer_reference.clone(),
        found: |found| found.customer_reference.clone(),
    },
    ComparedValue {
        label: "Pieces",
        name: "pieces",
        sent: |sent| {
            let quantity = |item: &ConsignmentItem| item.quantity.map(i64::from);
            let all = sent.items.iter().map(quantity).sum::<Option<i64>>();
            let all = all.filter(|_| !sent.items.is_empty());
            all.map(|all| all.to_string())
        },
        // A row of a list may have only some of the items, so the items are not added up.
        found: |found| found.total_item_count.map(|count| count.to_string()),
    },
    ComparedValue {
        label: "kg",
        name: "weight",
        sent: |sent| {
            let weight = |item: &ConsignmentItem| {
                let nested = item.standard_item.and_then(|item| item.weight);
                let quantity = item.quantity?;
                Some(item.weight.or(nested)?.0 * Decimal::from(quantity))
            };
            let all = sent.items.iter().map(weight).sum::<Option<Decimal>>();
            let all = all.filter(|_| !sent.items.is_empty());
            all.map(Kilograms).map(exact)
        },
        found: |found| found.total_weight.map(exact),
    },
];

impl ComparedValue {
    /// Returns the value of a sent consignment; `None` if the consignment has no such value, or if only the service
    /// knows the value, for example the weight of a saved item.
    pub fn of_sent(&self, sent: &ConsignmentRequest) -> Option<String> {
        trimmed((self.sent)(sent))
    }

    /// Returns the value of a consignment at the service; `None` if the answer lacks the value.
    pub fn of_found(&self, found: &Consignment) -> Option<String> {
        trimmed((self.found)(found))
    }

    /// Returns whether both have the same value; `None` if either consignment lacks the value. Case doesn't matter.
    pub(super) fn is_same(&self, sent: &ConsignmentRequest, found: &Consignment) -> Option<bool> {
        let (sent, found) = (self.of_sent(sent)?, self.of_found(found)?);
        Some(sent.eq_ignore_ascii_case(&found))
    }
}

fn trimmed(text: Option<String>) -> Option<String> {
    let text = text?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Formats a weight with at least one decimal place and without other trailing zeros, so that equal weights have
/// equal texts.
fn exact(weight: Kilograms) -> String {
    let weight = weight.0.normalize();
    let places = usize::try_from(weight.scale()).map_or(1, |scale| scale.max(1));
    format!("{weight:.places$}")
}

/// Names everything that is compared: `receiver, pieces, weight and time`.
pub fn compared_names() -> String {
    names(
        COMPARED_VALUES
            .iter()
            .map(|value| value.name)
            .chain(["time"]),
    )
}

/// Names the compared values that this request has: `receiver, pieces and weight`.
pub(super) fn names_of_sent(sent: &ConsignmentRequest) -> String {
    let known = COMPARED_VALUES.iter();
    names(
        known
            .filter(|value| value.of_sent(sent).is_some())
            .map(|value| value.name),
    )
}

fn names(all: impl Iterator<Item = &'static str>) -> String {
    let mut names: Vec<_> = all.collect();
    names.dedup();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
