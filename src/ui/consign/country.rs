//! Countries to pick from, for what is typed: of a side, and of what customs are told.

use super::super::kit::picker::Item;
use crate::draft::countries;

/// How many are offered at once.
const MOST: usize = 9;

/// The one whose code or name it is comes first; the only one that is left is as good as picked.
pub(super) fn offer(typed: &str) -> Vec<Item> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Vec::new();
    }
    let found = countries::find(typed);
    let only_one = found.len() == 1;
    let meant = countries::of(typed).map(|country| country.code);
    let items = found.into_iter().take(MOST).map(|country| Item {
        exact: only_one || meant == Some(country.code),
        ..Item::new(country.name, country.code.to_string())
    });
    items.collect()
}
