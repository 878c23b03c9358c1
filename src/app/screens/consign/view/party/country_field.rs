//! The country field of an address, which is folded away while the country is Australia.

use egui::Ui;

use super::super::country::offer;
use super::super::form::Form;
use super::PartyRole;
use super::address::type_ahead_field;
use draft::AddressField;

pub(super) fn country(ui: &mut Ui, form: &mut Form<'_>, which: PartyRole) {
    let picked = type_ahead_field(ui, form, which, AddressField::Country, 0, offer);
    if let Some(item) = picked {
        which.party_mut(form.draft).country = item.text;
        // Picking a country adds or removes fields, so Tab would go to a wrong field in this frame.
        let next = if which.is_abroad(form.draft) {
            AddressField::City
        } else {
            AddressField::Place
        };
        form.focus_field(ui, which.field(next));
    }
}
