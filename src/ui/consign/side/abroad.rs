//! The country of a side, by name; folded away while it is Australia.

use egui::Ui;

use super::super::super::kit::picker::Item;
use super::super::form::Form;
use super::Which;
use super::address::ahead;
use crate::draft::{AddressField, countries};

/// How many countries are offered.
const MOST: usize = 9;

pub(super) fn country(ui: &mut Ui, form: &mut Form<'_>, which: Which) {
    let picked = ahead(ui, form, which, AddressField::Country, 0, offer);
    if let Some(item) = picked {
        which.of(form.draft).country = item.text;
        // What Tab would meet is gone, or comes, with the country.
        let next = if which.is_abroad(form.draft) {
            AddressField::City
        } else {
            AddressField::Place
        };
        form.lead(ui, which.field(next));
    }
}

/// The one whose code or name it is comes first; the only one that is left is as good as picked.
fn offer(typed: &str) -> Vec<Item> {
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
