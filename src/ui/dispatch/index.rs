//! Which rows the list shows, and in which order: worked out when something changed, not in every frame.

use std::cmp::Ordering;

use jiff::Timestamp;

use super::super::kit::table::Sort;
use crate::shipping::{Consignment, ConsignmentId};
use crate::state::Shared;

/// Tells one state of the list from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Version {
    at: Option<Timestamp>,
    address: usize,
    count: usize,
    last: Option<ConsignmentId>,
}

/// Indices into the unmanifested consignments, filtered and in order.
#[derive(Debug, Default)]
pub(super) struct Index {
    version: Option<Version>,
    filter: String,
    sort: Option<Sort>,
    rows: Vec<u32>,
    /// What each consignment is found by, in lower case, by its index.
    texts: Vec<String>,
}

impl Index {
    /// The rows to show.
    pub(super) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Looks again, where the list, the filter or the order is another one.
    pub(super) fn refresh(&mut self, shared: &Shared, filter: &str, sort: Option<Sort>) {
        let list: &[Consignment] = shared.unmanifested.value().map_or(&[], Vec::as_slice);
        let version = Version {
            at: shared.unmanifested_at,
            address: list.as_ptr().addr(),
            count: list.len(),
            last: list.last().map(|one| one.id),
        };
        let is_new = self.version != Some(version);
        if is_new {
            self.texts = list.iter().map(text).collect();
            self.version = Some(version);
        }
        if is_new || self.filter != filter {
            filter.clone_into(&mut self.filter);
            let words: Vec<String> = filter
                .to_lowercase()
                .split_whitespace()
                .map(str::to_owned)
                .collect();
            let fits = |text: &String| words.iter().all(|word| text.contains(word.as_str()));
            self.rows = (0u32..)
                .zip(&self.texts)
                .filter(|(_, text)| fits(text))
                .map(|(at, _)| at)
                .collect();
            self.sort = None;
        }
        if self.sort != sort || is_new {
            self.sort = sort;
            self.order(list);
        }
    }

    fn order(&mut self, list: &[Consignment]) {
        let Some(sort) = self.sort else {
            self.rows.sort_unstable();
            return;
        };
        let one = |row: &u32| &list[*row as usize];
        self.rows.sort_by(|a, b| {
            let order = compare(one(a), one(b), sort.column);
            if sort.descending {
                order.reverse()
            } else {
                order
            }
        });
    }
}

fn text(one: &Consignment) -> String {
    let to = one.to_location.as_ref();
    [
        one.consignment_number.as_str(),
        one.customer_reference.as_deref().unwrap_or_default(),
        one.customer_reference2.as_deref().unwrap_or_default(),
        one.carrier_consignment_id.as_deref().unwrap_or_default(),
        one.to_name.as_deref().unwrap_or_default(),
        to.map_or("", |to| &to.suburb),
        to.map_or("", |to| &to.state),
        to.map_or("", |to| &to.postcode),
        one.carrier_name(),
        one.service_name(),
    ]
    .join(" ")
    .to_lowercase()
}

/// By the columns of the list, in their order.
fn compare(a: &Consignment, b: &Consignment, column: usize) -> Ordering {
    let suburb = |one: &Consignment| one.to_location.as_ref().map(|to| to.suburb.to_lowercase());
    match column {
        1 => a.customer_reference.cmp(&b.customer_reference),
        2 => lower(a.to_name.as_deref()).cmp(&lower(b.to_name.as_deref())),
        3 => suburb(a).cmp(&suburb(b)),
        4 => (a.carrier_name(), a.service_name()).cmp(&(b.carrier_name(), b.service_name())),
        5 => a.pieces().cmp(&b.pieces()),
        6 => a.total_weight.cmp(&b.total_weight),
        7 => a.despatch_date_local.cmp(&b.despatch_date_local),
        _ => a.id.cmp(&b.id),
    }
}

fn lower(text: Option<&str>) -> Option<String> {
    text.map(str::to_lowercase)
}
