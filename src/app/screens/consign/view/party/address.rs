//! A full address, in the order in which clerks say it: the name, how to reach them, the place.

use std::sync::Arc;

use egui::Ui;

use super::super::form::{FieldOptions, Form};
use super::suggestions::{self, PartySuggestion};
use super::{PartiesState, PartyRole, country_field, limit, saved_location};
use crate::ui::Context;
use draft::{AddressField, Party};
use widgets::field::{self, FieldResponse};
use widgets::layout;
use widgets::type_ahead::TypeAhead;

/// Above this width three fields are laid out in a row, otherwise two.
const WIDE_POINTS: f32 = 500.0;

pub(super) fn show(
    ui: &mut Ui,
    context: &Context<'_>,
    form: &mut Form<'_>,
    state: &mut PartiesState,
    which: PartyRole,
) {
    let fields = fields(form, state, which);
    let is_wide = ui.available_width() > WIDE_POINTS;
    let weights: &[f32] = if is_wide {
        &[5.0, 4.0, 5.0]
    } else {
        &[1.0, 1.0]
    };
    // A street does not fit into half of a narrow row.
    let is_alone = |field: AddressField| !is_wide && field == AddressField::Line1;
    for group in fields.chunk_by(|one, next| is_alone(*one) == is_alone(*next)) {
        let weights = if is_alone(group[0]) { &[1.0] } else { weights };
        for row in group.chunks(weights.len()) {
            layout::row(ui, weights, |at, ui| {
                if let Some(field) = row.get(at) {
                    part(ui, context, form, which, *field);
                }
            });
        }
    }
}

/// Returns the fields that are shown. The second line and the country are shown only if they are wanted.
fn fields(form: &Form<'_>, state: &PartiesState, which: PartyRole) -> Vec<AddressField> {
    let mut fields = vec![
        AddressField::Name,
        AddressField::Contact,
        AddressField::Phone,
        AddressField::Email,
        AddressField::Line1,
    ];
    if shows_second_line(form, state, which) {
        fields.push(AddressField::Line2);
    }
    if shows_country(form, state, which) {
        fields.push(AddressField::Country);
    }
    if which.is_abroad(form.draft) {
        fields.extend([
            AddressField::City,
            AddressField::Province,
            AddressField::Postcode,
        ]);
    } else {
        fields.push(AddressField::Place);
    }
    fields
}

pub(super) fn shows_second_line(form: &Form<'_>, state: &PartiesState, which: PartyRole) -> bool {
    let side = which.this_and_other(form.draft).0;
    state.second_line[which.index()]
        || !side.line2.is_empty()
        || form.error(which.field(AddressField::Line2)).is_some()
}

pub(super) fn shows_country(form: &Form<'_>, state: &PartiesState, which: PartyRole) -> bool {
    let side = which.this_and_other(form.draft).0;
    state.country[which.index()] || !side.country.is_empty()
}

fn part(
    ui: &mut Ui,
    context: &Context<'_>,
    form: &mut Form<'_>,
    which: PartyRole,
    field: AddressField,
) {
    match field {
        AddressField::Name if which == PartyRole::To => name(ui, context, form, which),
        AddressField::Place => place(ui, context, form, which),
        AddressField::Country => country_field::country(ui, form, which),
        field => drop(plain(ui, form, which, field)),
    }
}

fn plain(ui: &mut Ui, form: &mut Form<'_>, which: PartyRole, field: AddressField) -> FieldResponse {
    let (label, hint) = words(field);
    let spoken = spoken(which, field);
    let look = FieldOptions {
        hint,
        spoken: Some(&spoken),
        limit: limit(field),
        ..FieldOptions::default()
    };
    form.text(
        ui,
        label,
        which.field(field),
        |draft| string(which.party_mut(draft), field),
        look,
    )
}

/// Returns the accessible name of a field of a party.
pub(super) fn spoken(which: PartyRole, field: AddressField) -> String {
    format!("{}: {}", which.title(), words(field).0.to_lowercase())
}

/// Draws the name field, with past receivers as suggestions.
fn name(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>, which: PartyRole) {
    let known = saved_location::suggestion_sources(context, which);
    let picked = type_ahead_field(
        ui,
        form,
        which,
        AddressField::Name,
        saved_location::stamp(context),
        |typed| known.suggest_receivers(typed),
    );
    if let Some(PartySuggestion::Receiver(receiver)) = picked.and_then(|item| known.resolve(&item))
    {
        saved_location::take(which.party_mut(form.draft), receiver);
        let next = which.next(form.draft);
        form.focus_field(ui, next);
    }
}

/// Draws suburb and postcode in one field: a known suburb, or any text.
fn place(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>, which: PartyRole) {
    let suburbs = &context.shared.suburbs;
    let stamp = Arc::as_ptr(suburbs).addr() as u64;
    let picked = type_ahead_field(ui, form, which, AddressField::Place, stamp, |typed| {
        suggestions::suggest_suburbs(suburbs, typed)
    });
    let known = picked.as_ref().and_then(|item| suburbs.get(item.key));
    if let (Some(item), Some(known)) = (&picked, known)
        && item.text == known.suburb
    {
        which.party_mut(form.draft).place = suggestions::suburb_label(known);
    }
}

/// Draws a field of an address that accepts any text, with suggestions. Returns the
/// suggestion that was picked.
pub(super) fn type_ahead_field(
    ui: &mut Ui,
    form: &mut Form<'_>,
    which: PartyRole,
    field: AddressField,
    stamp: u64,
    offer: impl FnOnce(&str) -> Vec<widgets::picker::PickerItem>,
) -> Option<widgets::picker::PickerItem> {
    let at = which.field(field);
    let error = form.error(at);
    let (label, hint) = words(field);
    let spoken = spoken(which, field);
    let look = FieldOptions {
        hint,
        spoken: Some(&spoken),
        limit: limit(field),
        ..FieldOptions::default()
    };
    let text: &mut String = string(which.party_mut(form.draft), field);
    let shown = TypeAhead::new(look.apply_to(field::Field::new(label, text), at, error))
        .free_text()
        .sources(stamp)
        .show(ui, offer);
    form.track_focus(at, &shown.field.response);
    shown.item
}

pub(super) const fn words(field: AddressField) -> (&'static str, &'static str) {
    match field {
        AddressField::Saved => ("Saved location", ""),
        AddressField::Name => ("Name", ""),
        AddressField::Contact => ("Contact", ""),
        AddressField::Phone => ("Phone", ""),
        AddressField::Email => ("E-mail", ""),
        AddressField::Line1 => ("Address", ""),
        AddressField::Line2 => ("Address line 2", ""),
        AddressField::Place => ("Suburb and postcode", "Ballarat VIC 3350"),
        AddressField::Country => ("Country", "Australia"),
        AddressField::City => ("City", ""),
        AddressField::Province => ("Province", ""),
        AddressField::Postcode => ("Postcode", ""),
    }
}

pub(super) const fn string(side: &mut Party, field: AddressField) -> &mut String {
    match field {
        AddressField::Saved => &mut side.search,
        AddressField::Name => &mut side.name,
        AddressField::Contact => &mut side.contact,
        AddressField::Phone => &mut side.phone,
        AddressField::Email => &mut side.email,
        AddressField::Line1 => &mut side.line1,
        AddressField::Line2 => &mut side.line2,
        AddressField::Place => &mut side.place,
        AddressField::Country => &mut side.country,
        AddressField::City => &mut side.city,
        AddressField::Province => &mut side.province,
        AddressField::Postcode => &mut side.postcode,
    }
}
