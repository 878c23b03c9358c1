//! The field for a saved location, a past receiver, or an abbreviation as typed.

use std::sync::Arc;

use egui::Ui;

use super::super::form::{Form, Look};
use super::offers::{Known, Offer};
use super::{Which, limit};
use crate::draft::{AddressField, AddressMode, Receiver, SavedPlace, Side};
use crate::shipping::CompanyId;
use crate::state::Notice;
use crate::ui::Context;
use crate::ui::kit::badge::Badge;
use crate::ui::kit::tokens::{Tone, palette};
use crate::ui::kit::type_ahead::TypeAhead;
use crate::ui::kit::{field, icons, text};
use crate::ui::unread;

/// Returns the sources of suggestions for a party.
pub(super) fn known<'a>(context: &'a Context<'_>, which: Which) -> Known<'a> {
    let locations = context.shared.locations.value();
    Known {
        locations: locations.map_or(&[], Vec::as_slice),
        is_complete: locations.is_some(),
        suits: if which == Which::From {
            |place| place.is_pickup()
        } else {
            |place| place.is_delivery()
        },
        receivers: if which == Which::To {
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

pub(super) fn show(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>, which: Which) {
    let at = which.field(AddressField::Saved);
    // A location that was picked for another company is marked at once, even if this field was never left.
    let is_picked = which.of(form.draft).saved.is_some();
    let error = form
        .error(at)
        .or_else(|| form.problems.error_at(at).filter(|_| is_picked));
    let known = known(context, which);
    let spoken = format!("{}: saved location", which.title());
    let look = Look {
        hint: match which {
            Which::From => "Name or abbreviation",
            Which::To => "Name, abbreviation or suburb",
        },
        spoken: Some(&spoken),
        limit: limit(AddressField::Saved),
        ..Look::default()
    };
    let side = which.of(form.draft);
    let label = match which {
        Which::From => "Saved location",
        Which::To => "Saved location or past receiver",
    };
    let field = field::Field::new(label, &mut side.search).icon(icons::ICON_SEARCH);
    let shown = TypeAhead::new(look.dress(field, at, error))
        .sources(stamp(context))
        .show(ui, |typed| known.offer(typed));
    form.left(at, &shown.field.response);
    if let Some(offer) = shown.item.and_then(|item| known.picked(&item)) {
        pick(ui, form, which, offer);
    }
    picked(ui, context, which.of(form.draft));
}

/// Applies what was picked, and moves the focus to the field that is typed next.
fn pick(ui: &Ui, form: &mut Form<'_>, which: Which, offer: Offer<'_>) {
    let side = which.of(form.draft);
    let typed = side.search.trim().to_owned();
    match offer {
        Offer::Location(place) => {
            side.pick(place);
            side.abbreviation.clear();
        }
        Offer::Receiver(receiver) => take(side, receiver),
        Offer::Abbreviation => {
            side.saved = None;
            side.abbreviation = typed;
            side.search.clear();
        }
        Offer::Number(id) => {
            side.pick_id(id);
            side.abbreviation.clear();
        }
        Offer::Address => {
            if side.name.trim() == typed {
                side.mode = AddressMode::Full;
                side.search.clear();
            } else {
                // A different receiver: the phone number of the previous one would be sent with the parcel.
                *side = cleared(side);
                side.name = typed;
            }
            return form.lead(ui, which.field(AddressField::Contact));
        }
    }
    let next = which.next(form.draft);
    form.lead(ui, next);
}

/// Fills in a past receiver. The saved location is kept, in case the clerk goes back to it.
pub(super) fn take(side: &mut Side, receiver: &Receiver) {
    let (saved, abbreviation) = (side.saved.take(), std::mem::take(&mut side.abbreviation));
    side.take(receiver);
    side.saved = saved;
    side.abbreviation = abbreviation;
}

/// Returns an empty address. The saved location is kept, in case the clerk goes back to it.
pub(super) fn cleared(side: &mut Side) -> Side {
    Side {
        mode: AddressMode::Full,
        saved: side.saved.take(),
        abbreviation: std::mem::take(&mut side.abbreviation),
        ..Side::default()
    }
}

fn picked(ui: &mut Ui, context: &Context<'_>, side: &Side) {
    match &side.saved {
        Some(place) => picked_place(ui, place),
        None if !side.abbreviation.trim().is_empty() => as_typed(ui, side.abbreviation.trim()),
        None => waiting(ui, context),
    }
}

fn waiting(ui: &mut Ui, context: &Context<'_>) {
    let p = palette(ui);
    let locations = &context.shared.locations;
    let unread = &context.shared.unread.locations;
    let words = match (locations.value(), locations.problem()) {
        (Some(places), _) if places.is_empty() && unread.records.is_empty() => {
            "No location is saved yet: type an address".to_owned()
        }
        (Some(_), _) => "Type a few letters, then Enter".to_owned(),
        (None, Some(problem)) => {
            let why = Notice::failed("", problem).advice;
            format!(
                "The saved locations could not be fetched: {why}. Until then, type an abbreviation or an address"
            )
        }
        (None, None) => "Fetching the saved locations".to_owned(),
    };
    ui.add(egui::Label::new(text::small(words).color(p.muted)).wrap());
    if let Some(words) = unread::headline(unread, "saved locations") {
        let label = egui::Label::new(text::small(words).color(p.warning)).wrap();
        ui.add(label).on_hover_text(unread::detail(unread));
    }
}

fn picked_place(ui: &mut Ui, place: &SavedPlace) {
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
    let words = "The service looks this abbreviation up when it is sent";
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
