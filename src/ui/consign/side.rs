//! From and To: each a saved location by type-ahead, or a full address.

use egui::Ui;

use super::super::Context;
use super::super::actions::Action;
use super::super::kit::badge::Badge;
use super::super::kit::button::Button;
use super::super::kit::card::Card;
use super::super::kit::field;
use super::super::kit::picker::Item;
use super::super::kit::tokens::{Tone, palette, size};
use super::super::kit::type_ahead::TypeAhead;
use super::super::kit::{icons, keys, layout, text};
use super::form::{Form, Look};
use super::id;
use crate::draft::{AddressField, AddressMode, Draft, Field, SavedPlace, Side};
use crate::shipping::CompanyLocation;

/// How many places are offered.
const MOST: usize = 12;

/// Which side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    From,
    To,
}

impl Which {
    const fn field(self, field: AddressField) -> Field {
        match self {
            Self::From => Field::From(field),
            Self::To => Field::To(field),
        }
    }

    const fn of(self, draft: &mut Draft) -> &mut Side {
        match self {
            Self::From => &mut draft.from,
            Self::To => &mut draft.to,
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::From => "From",
            Self::To => "To",
        }
    }

    const fn action(self) -> Action {
        match self {
            Self::From => Action::From,
            Self::To => Action::To,
        }
    }
}

/// Both sides, beside each other; an address takes more room than a saved place.
pub(super) fn both(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>) {
    let is_full = |side: &Side| side.mode == AddressMode::Full;
    let weight = |side: &Side| if is_full(side) { 7.0 } else { 3.0 };
    let weights = [weight(&form.draft.from), weight(&form.draft.to)];
    if is_full(&form.draft.from) && is_full(&form.draft.to) && ui.available_width() < 760.0 {
        card(ui, context, form, Which::From);
        card(ui, context, form, Which::To);
        return;
    }
    layout::columns(ui, &weights, size::GUTTER, |at, ui| {
        card(
            ui,
            context,
            form,
            if at == 0 { Which::From } else { Which::To },
        );
    });
}

fn card(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>, which: Which) {
    let icon = which.action().entry().icon;
    let mode = which.of(form.draft).mode;
    let mut switched = None;
    ui.push_id(which.title(), |ui| {
        Card::new(which.title()).icon(icon).show(
            ui,
            |ui| {
                keys::cap(ui, &which.action().key());
                let (word, other, tooltip) = match mode {
                    AddressMode::Saved => (
                        "Type an address",
                        AddressMode::Full,
                        "Instead of a saved location",
                    ),
                    AddressMode::Full => (
                        "Saved location",
                        AddressMode::Saved,
                        "Instead of an address",
                    ),
                };
                let words = format!("{word}, {}", tooltip.to_lowercase());
                let button = if ui.available_width() > 190.0 {
                    Button::quiet(word)
                } else {
                    Button::icon_only(icons::ICON_SWAP_HORIZ, &words)
                };
                if ui.add(button.small()).on_hover_text(tooltip).clicked() {
                    switched = Some(other);
                }
            },
            |ui| match mode {
                AddressMode::Saved => saved(ui, context, form, which),
                AddressMode::Full => address(ui, form, which),
            },
        );
    });
    if let Some(mode) = switched {
        which.of(form.draft).mode = mode;
        ui.memory_mut(|memory| memory.request_focus(id(first_of(which, mode))));
    }
}

/// The first field of a side.
fn first_of(which: Which, mode: AddressMode) -> Field {
    which.field(match mode {
        AddressMode::Saved => AddressField::Saved,
        AddressMode::Full => AddressField::Name,
    })
}

fn saved(ui: &mut Ui, context: &Context<'_>, form: &mut Form<'_>, which: Which) {
    let at = which.field(AddressField::Saved);
    let error = form.error(at);
    let places: &[CompanyLocation] = context.shared.locations.value().map_or(&[], Vec::as_slice);
    let suits = |place: &&CompanyLocation| {
        if which == Which::From {
            place.is_pickup()
        } else {
            place.is_delivery()
        }
    };
    // Made before typing, as the list that is picked from is that of the last frame.
    let before: Vec<&CompanyLocation> =
        find(places.iter().filter(suits), &which.of(form.draft).search);
    let side = which.of(form.draft);
    let label = format!("{}: saved location", which.title());
    let field = field::Field::new("Saved location", &mut side.search)
        .spoken(&label)
        .id(id(at))
        .icon(icons::ICON_SEARCH)
        .hint("Name or abbreviation")
        .error(error);
    let shown = TypeAhead::new(field).show(ui, |typed| {
        let found = find(places.iter().filter(suits), typed);
        found.into_iter().map(|place| item(place, typed)).collect()
    });
    if let Some(place) = shown.picked.and_then(|picked| before.get(picked)) {
        side.pick(place);
        if which == Which::From {
            // Not the switch in the head of the next card, which Tab meets first.
            *form.go_to = Some(id(first_of(Which::To, form.draft.to.mode)));
            ui.ctx().request_repaint();
        }
    }
    let picked = which.of(form.draft).saved.clone();
    form.left(at, &shown.field.response);
    match picked {
        Some(place) => picked_place(ui, &place),
        None => waiting(ui, context),
    }
}

fn waiting(ui: &mut Ui, context: &Context<'_>) {
    let p = palette(ui);
    let locations = &context.shared.locations;
    let words = match (locations.value(), locations.problem()) {
        (Some(places), _) if places.is_empty() => "No location is saved yet: type an address",
        (Some(_), _) => "Type a few letters, then Enter",
        (None, Some(_)) => "The saved locations could not be fetched: type an address",
        (None, None) => "Fetching the saved locations",
    };
    ui.label(text::small(words).color(p.muted));
}

fn picked_place(ui: &mut Ui, place: &SavedPlace) {
    let p = palette(ui);
    ui.spacing_mut().item_spacing.y = 1.0;
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.label(text::strong(&place.name));
        if !place.abbreviation.is_empty() {
            Badge::new(Tone::Neutral, &place.abbreviation).show(ui);
        }
    });
    for line in [&place.street, &place.place, &place.contact] {
        if !line.is_empty() {
            ui.add(egui::Label::new(text::body(line).color(p.muted)).wrap());
        }
    }
}

fn address(ui: &mut Ui, form: &mut Form<'_>, which: Which) {
    let mut part = |ui: &mut Ui, field: AddressField| {
        let (label, hint) = words(field);
        let spoken = format!("{}: {}", which.title(), label.to_lowercase());
        let look = Look {
            hint,
            spoken: Some(&spoken),
            ..Look::default()
        };
        form.text(
            ui,
            label,
            which.field(field),
            |draft| string(which.of(draft), field),
            look,
        );
    };
    let rows: &[&[AddressField]] = if ui.available_width() > 560.0 {
        &[
            &[
                AddressField::Name,
                AddressField::Contact,
                AddressField::Phone,
            ],
            &[
                AddressField::Line1,
                AddressField::Place,
                AddressField::Email,
            ],
        ]
    } else {
        &[
            &[AddressField::Name, AddressField::Contact],
            &[AddressField::Line1, AddressField::Place],
            &[AddressField::Phone, AddressField::Email],
        ]
    };
    for fields in rows {
        layout::row(ui, &vec![1.0; fields.len()], |at, ui| part(ui, fields[at]));
    }
}

const fn words(field: AddressField) -> (&'static str, &'static str) {
    match field {
        AddressField::Saved => ("Saved location", ""),
        AddressField::Name => ("Name", ""),
        AddressField::Contact => ("Contact", ""),
        AddressField::Phone => ("Phone", ""),
        AddressField::Email => ("E-mail", ""),
        AddressField::Line1 => ("Address", ""),
        AddressField::Line2 => ("Address, second line", ""),
        AddressField::Place => ("Suburb and postcode", "Ballarat VIC 3350"),
        AddressField::Country => ("Country", "Australia"),
        AddressField::City => ("City", ""),
        AddressField::Province => ("Province", ""),
        AddressField::Postcode => ("Postcode", ""),
    }
}

const fn string(side: &mut Side, field: AddressField) -> &mut String {
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

/// The places that hold every word typed, those whose abbreviation or name begins with it first.
fn find<'a>(
    places: impl Iterator<Item = &'a CompanyLocation>,
    typed: &str,
) -> Vec<&'a CompanyLocation> {
    let typed = typed.trim().to_lowercase();
    let holds = |place: &&CompanyLocation| {
        let text = format!(
            "{} {} {}",
            place.name, place.abbreviation, place.location.suburb
        )
        .to_lowercase();
        typed.split_whitespace().all(|word| text.contains(word))
    };
    let mut found: Vec<_> = places.filter(holds).collect();
    found.sort_by_cached_key(|place| {
        let (name, short) = (place.name.to_lowercase(), place.abbreviation.to_lowercase());
        (
            short != typed,
            !short.starts_with(&typed),
            !name.starts_with(&typed),
            name,
        )
    });
    found.truncate(MOST);
    found
}

fn item(place: &CompanyLocation, typed: &str) -> Item {
    let detail = format!(
        "{} · {} {}",
        place.abbreviation, place.location.suburb, place.location.state
    );
    Item {
        exact: place.abbreviation.eq_ignore_ascii_case(typed.trim()),
        ..Item::new(&place.name, detail)
    }
}
