//! The country of a side, by name; folded away while it is Australia.

use egui::Ui;

use super::super::country::offer;
use super::super::form::Form;
use super::Which;
use super::address::ahead;
use crate::draft::AddressField;

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
