//! Countries to pick from, for what is typed: of a side, and of what customs are told.

use super::super::kit::picker::Item;
use crate::draft::countries;

/// How many are offered at once.
const MOST: usize = 9;

/// The best match is preselected: the country whose code or name was typed, else the first in the list.
pub(super) fn offer(typed: &str) -> Vec<Item> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Vec::new();
    }
    let found = countries::find(typed);
    let best = countries::of(typed)
        .or(found.first().copied())
        .map(|country| country.code);
    let items = found.into_iter().take(MOST).map(|country| Item {
        exact: best == Some(country.code),
        ..Item::new(country.name, country.code.to_string())
    });
    items.collect()
}
