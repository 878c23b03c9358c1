//! The field for a saved location, a past receiver, or an abbreviation as typed.

use std::sync::Arc;

use egui::Ui;

use super::super::form::{FieldOptions, Form};
use super::PartyRole;
use super::suggestions::{PartySuggestion, SuggestionSources};
use crate::state::Notice;
use crate::ui::Context;
use crate::ui::unreadable;
use draft::{AddressField, AddressMode, Party, Receiver};
use shipping::{CompanyId, CompanyLocation};
use widgets::badge::Badge;
use widgets::tokens::{Tone, palette};
use widgets::{icons, text};

/// Returns the sources of suggestions for a party.
pub(super) fn suggestion_sources<'a>(
    context: &'a Context<'_>,
    role: PartyRole,
) -> SuggestionSources<'a> {
    let locations = context.shared.catalogue.locations.value();
    let (suits, receivers): (fn(&CompanyLocation) -> bool, &[Receiver]) = match role {
        PartyRole::From => (CompanyLocation::is_pickup, &[]),
        PartyRole::To => (
            CompanyLocation::is_delivery,
            &context.shared.catalogue.receivers,
        ),
    };
    SuggestionSources {
        locations: locations.map_or(&[], Vec::as_slice),
        is_complete: locations.is_some(),
        suits,
        receivers,
    }
}

/// Returns a value that changes whenever the sources of suggestions change.
pub(super) fn stamp(context: &Context<'_>) -> u64 {
    let locations = context.shared.catalogue.locations.value();
    let at = |pointer: usize, length: usize| (pointer as u64).rotate_left(17) ^ length as u64;
    let receivers = &context.shared.catalogue.receivers;
    let company = context.shared.session.company.map_or(0, CompanyId::get);
    at(Arc::as_ptr(receivers).addr(), receivers.len())
        ^ company.cast_unsigned().rotate_left(40)
        ^ locations.map_or(0, |places| at(places.as_ptr().addr(), places.len()))
}

pub(super) fn show(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>, role: PartyRole) {
    let sources = suggestion_sources(context, role);
    let name = format!("{}: saved location", role.title());
    let (label, hint) = match role {
        PartyRole::From => ("Saved location", "Name or abbreviation"),
        PartyRole::To => (
            "Saved location or past receiver",
            "Name, abbreviation or suburb",
        ),
    };
    let options = FieldOptions {
        label: Some(label),
        hint: Some(hint),
        accessible_name: Some(&name),
        icon: Some(icons::ICON_SEARCH),
        from_list: true,
        sources: Some(stamp(context)),
        ..FieldOptions::default()
    };
    let at = role.field(AddressField::Saved);
    let (_, picked) = form.type_ahead(ui, at, options, |typed| sources.suggest(typed));
    if let Some(suggestion) = picked {
        pick(ui, form, role, suggestion);
    }
    let party = role.party(form.draft);
    let abbreviation = party.abbreviation.trim();
    if let Some(place) = &party.saved {
        heading(ui, &place.name, &place.abbreviation, Tone::Neutral);
        for line in [&place.street, &place.place, &place.contact] {
            if !line.is_empty() {
                text::note(ui, line);
            }
        }
    } else if abbreviation.is_empty() {
        waiting(ui, context);
    } else {
        heading(ui, abbreviation, "as typed", Tone::Accent);
        text::note(ui, "The service looks up this abbreviation when you send");
    }
}

/// Applies the picked suggestion, and moves the focus to the field that is typed next.
fn pick(ui: &Ui, form: &mut Form<'_>, role: PartyRole, offer: PartySuggestion<'_>) {
    let party = role.party_mut(form.draft);
    let typed = party.search.trim().to_owned();
    match offer {
        PartySuggestion::Location(place) => {
            party.set_location(place);
            party.abbreviation.clear();
        }
        PartySuggestion::Receiver(receiver) => fill_in(party, receiver),
        PartySuggestion::Abbreviation => {
            party.saved = None;
            party.abbreviation = typed;
            party.search.clear();
        }
        PartySuggestion::LocationId(id) => {
            party.set_location_id(id);
            party.abbreviation.clear();
        }
        PartySuggestion::NewAddress => {
            if party.name.trim() == typed {
                party.mode = AddressMode::Full;
                party.search.clear();
            } else {
                // This is a different receiver: the phone number of the previous receiver would be sent with
                // the parcel.
                *party = cleared(party);
                party.name = typed;
            }
            return form.focus_field(ui, role.field(AddressField::Contact));
        }
    }
    let next = role.next(form.draft);
    form.focus_field(ui, next);
}

/// Fills in a past receiver. The saved location is kept, in case the clerk goes back to it.
pub(super) fn fill_in(party: &mut Party, receiver: &Receiver) {
    let (saved, abbreviation) = (party.saved.take(), std::mem::take(&mut party.abbreviation));
    party.set_receiver(receiver);
    party.saved = saved;
    party.abbreviation = abbreviation;
}

/// Returns an empty address. The saved location is kept, in case the clerk goes back to it.
pub(super) fn cleared(party: &mut Party) -> Party {
    Party {
        mode: AddressMode::Full,
        saved: party.saved.take(),
        abbreviation: std::mem::take(&mut party.abbreviation),
        ..Party::default()
    }
}

fn waiting(ui: &mut Ui, context: &Context<'_>) {
    let locations = &context.shared.catalogue.locations;
    let unread = &context.shared.catalogue.unreadable.locations;
    let words = match (locations.value(), locations.problem()) {
        (Some(places), _) if places.is_empty() && unread.records.is_empty() => {
            "No location is saved yet: type an address".to_owned()
        }
        (Some(_), _) => "Type a few letters, then Enter".to_owned(),
        (None, Some(problem)) => {
            let why = Notice::failed("", problem).advice;
            format!(
                "Couldn't load the saved locations: {why}. For now, type an abbreviation or an address"
            )
        }
        (None, None) => "Loading the saved locations…".to_owned(),
    };
    text::small_note(ui, words);
    if let Some(words) = unreadable::headline(unread, "saved locations") {
        let ink = palette(ui).warning;
        let label = egui::Label::new(text::small(words).color(ink)).wrap();
        ui.add(label).on_hover_text(unreadable::detail(unread));
    }
}

fn heading(ui: &mut Ui, name: &str, badge: &str, tone: Tone) {
    ui.spacing_mut().item_spacing.y = 1.0;
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.label(text::strong(name));
        if !badge.is_empty() {
            Badge::new(tone, badge).show(ui);
        }
    });
}
