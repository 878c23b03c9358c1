//! Suggests countries for typed text, for addresses and for the customs contents.

use draft::countries;
use widgets::picker::PickerItem;

/// Maximum number of suggestions.
const MOST: usize = 9;

/// Returns the countries that match the typed text. The best match is preselected: the country with exactly
/// that code or name, or else the first in the list.
pub(super) fn offer(typed: &str) -> Vec<PickerItem> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Vec::new();
    }
    let found = countries::search(typed);
    let best = countries::from_name_or_code(typed)
        .or(found.first().copied())
        .map(|country| country.code);
    let items = found.into_iter().take(MOST).map(|country| PickerItem {
        exact: best == Some(country.code),
        ..PickerItem::new(country.name, country.code.to_string())
    });
    items.collect()
}
