//! Which rows the list shows, and in which order: worked out when something changed, not in every frame.

use std::cmp::Ordering;
use std::sync::Arc;

use super::super::kit::table::Sort;
use crate::state::{Shared, Waiting, WaitingList};

/// Indices into the unmanifested consignments, filtered and in order.
#[derive(Debug, Default)]
pub(super) struct Index {
    list: Option<WaitingList>,
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
        let list = shared.unmanifested.value().cloned().unwrap_or_default();
        let is_new = !self.list.as_ref().is_some_and(|known| known.is_same(&list));
        if is_new {
            self.texts = list.iter().map(text).collect();
            self.list = Some(list.clone());
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
            self.order(list.rows());
        }
    }

    fn order(&mut self, list: &[Arc<Waiting>]) {
        let Some(sort) = self.sort else {
            self.rows.sort_unstable();
            return;
        };
        let one = |row: &u32| &*list[*row as usize];
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

fn text(one: &Waiting) -> String {
    let to = &one.to_spot;
    [
        &*one.number,
        &one.reference,
        &one.reference2,
        &one.carrier_number,
        &one.to,
        &to.suburb,
        &to.state,
        &to.postcode,
        &one.carrier,
        &one.service,
    ]
    .join(" ")
    .to_lowercase()
}

/// By the columns of the list, in their order.
fn compare(a: &Waiting, b: &Waiting, column: usize) -> Ordering {
    match column {
        1 => a.reference.cmp(&b.reference),
        2 => a.to.to_lowercase().cmp(&b.to.to_lowercase()),
        3 => a.to_spot.suburb.cmp(&b.to_spot.suburb),
        4 => (&a.carrier, &a.service).cmp(&(&b.carrier, &b.service)),
        5 => a.pieces.cmp(&b.pieces),
        6 => a.weight.cmp(&b.weight),
        7 => a.despatch.cmp(&b.despatch),
        _ => a.id.cmp(&b.id),
    }
}
