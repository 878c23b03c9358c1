//! The field for a saved location, a past receiver, or an abbreviation as typed.

use std::sync::Arc;

use egui::Ui;

use super::super::form::{FieldOptions, Form};
use super::suggestions::{PartySuggestion, SuggestionSources};
use super::{PartyRole, limit};
use crate::state::Notice;
use crate::ui::Context;
use crate::ui::unreadable;
use draft::{AddressField, AddressMode, Party, PickedLocation, Receiver};
use shipping::CompanyId;
use widgets::badge::Badge;
use widgets::tokens::{Tone, palette};
use widgets::type_ahead::TypeAhead;
use widgets::{field, icons, text};

/// Returns the sources of suggestions for a party.
pub(super) fn suggestion_sources<'a>(
    context: &'a Context<'_>,
    which: PartyRole,
) -> SuggestionSources<'a> {
    let locations = context.shared.locations.value();
    SuggestionSources {
        locations: locations.map_or(&[], Vec::as_slice),
        is_complete: locations.is_some(),
        suits: if which == PartyRole::From {
            |place| place.is_pickup()
        } else {
            |place| place.is_delivery()
        },
        receivers: if which == PartyRole::To {
            &context.shared.receivers
        } else {
            &[]
        },
    }
}

/// Returns a value that changes whenever the sources of suggestions change.
pub(super) fn stamp(context: &Context<'_>) -> u64 {
    let locations = context.shared.locations.value();
    let at = |pointer: usize, length: usize| (pointer as u64).rotate_left(17) ^ length as u64;
    let receivers = &context.shared.receivers;
    let company = context.shared.company.map_or(0, CompanyId::get);
    at(Arc::as_ptr(receivers).addr(), receivers.len())
        ^ company.cast_unsigned().rotate_left(40)
        ^ locations.map_or(0, |places| at(places.as_ptr().addr(), places.len()))
}

pub(super) fn show(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>, which: PartyRole) {
    let at = which.field(AddressField::Saved);
    // A location that was picked for another company is marked at once, even if this field was never left.
    let is_picked = which.party_mut(form.draft).saved.is_some();
    let error = form
        .error(at)
        .or_else(|| form.problems.error_at(at).filter(|_| is_picked));
    let known = suggestion_sources(context, which);
    let spoken = format!("{}: saved location", which.title());
    let look = FieldOptions {
        hint: match which {
            PartyRole::From => "Name or abbreviation",
            PartyRole::To => "Name, abbreviation or suburb",
        },
        spoken: Some(&spoken),
        limit: limit(AddressField::Saved),
        ..FieldOptions::default()
    };
    let side = which.party_mut(form.draft);
    let label = match which {
        PartyRole::From => "Saved location",
        PartyRole::To => "Saved location or past receiver",
    };
    let field = field::Field::new(label, &mut side.search).icon(icons::ICON_SEARCH);
    let shown = TypeAhead::new(look.apply_to(field, at, error))
        .sources(stamp(context))
        .show(ui, |typed| known.suggest(typed));
    form.track_focus(at, &shown.field.response);
    if let Some(offer) = shown.item.and_then(|item| known.resolve(&item)) {
        pick(ui, form, which, offer);
    }
    picked(ui, context, which.party_mut(form.draft));
}

/// Applies what was picked, and moves the focus to the field that is typed next.
fn pick(ui: &Ui, form: &mut Form<'_>, which: PartyRole, offer: PartySuggestion<'_>) {
    let side = which.party_mut(form.draft);
    let typed = side.search.trim().to_owned();
    match offer {
        PartySuggestion::Location(place) => {
            side.set_location(place);
            side.abbreviation.clear();
        }
        PartySuggestion::Receiver(receiver) => take(side, receiver),
        PartySuggestion::Abbreviation => {
            side.saved = None;
            side.abbreviation = typed;
            side.search.clear();
        }
        PartySuggestion::LocationId(id) => {
            side.set_location_id(id);
            side.abbreviation.clear();
        }
        PartySuggestion::NewAddress => {
            if side.name.trim() == typed {
                side.mode = AddressMode::Full;
                side.search.clear();
            } else {
                // A different receiver: the phone number of the previous one would be sent with the parcel.
                *side = cleared(side);
                side.name = typed;
            }
            return form.focus_field(ui, which.field(AddressField::Contact));
        }
    }
    let next = which.next(form.draft);
    form.focus_field(ui, next);
}

/// Fills in a past receiver. The saved location is kept, in case the clerk goes back to it.
pub(super) fn take(side: &mut Party, receiver: &Receiver) {
    let (saved, abbreviation) = (side.saved.take(), std::mem::take(&mut side.abbreviation));
    side.set_receiver(receiver);
    side.saved = saved;
    side.abbreviation = abbreviation;
}

/// Returns an empty address. The saved location is kept, in case the clerk goes back to it.
pub(super) fn cleared(side: &mut Party) -> Party {
    Party {
        mode: AddressMode::Full,
        saved: side.saved.take(),
        abbreviation: std::mem::take(&mut side.abbreviation),
        ..Party::default()
    }
}

fn picked(ui: &mut Ui, context: &Context<'_>, side: &Party) {
    match &side.saved {
        Some(place) => picked_place(ui, place),
        None if !side.abbreviation.trim().is_empty() => as_typed(ui, side.abbreviation.trim()),
        None => waiting(ui, context),
    }
}

fn waiting(ui: &mut Ui, context: &Context<'_>) {
    let p = palette(ui);
    let locations = &context.shared.locations;
    let unread = &context.shared.unreadable.locations;
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
    ui.add(egui::Label::new(text::small(words).color(p.muted)).wrap());
    if let Some(words) = unreadable::headline(unread, "saved locations") {
        let label = egui::Label::new(text::small(words).color(p.warning)).wrap();
        ui.add(label).on_hover_text(unreadable::detail(unread));
    }
}

fn picked_place(ui: &mut Ui, place: &PickedLocation) {
    let p = palette(ui);
    heading(ui, &place.name, &place.abbreviation, Tone::Neutral);
    for line in [&place.street, &place.place, &place.contact] {
        if !line.is_empty() {
            ui.add(egui::Label::new(text::body(line).color(p.muted)).wrap());
        }
    }
}

/// Draws an abbreviation that only the service can resolve.
fn as_typed(ui: &mut Ui, abbreviation: &str) {
    let p = palette(ui);
    heading(ui, abbreviation, "as typed", Tone::Accent);
    let words = "The service looks up this abbreviation when you send";
    ui.add(egui::Label::new(text::body(words).color(p.muted)).wrap());
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
