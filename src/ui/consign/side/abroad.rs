//! The country field of an address, which is folded away while the country is Australia.

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
        // Picking a country adds or removes fields, so Tab would go to a wrong field in this frame.
        let next = if which.is_abroad(form.draft) {
            AddressField::City
        } else {
            AddressField::Place
        };
        form.lead(ui, which.field(next));
    }
}
