//! Suggestions for the fields of an address: saved locations, past receivers, suburbs and countries.

use super::PartyRole;
use crate::state::Shared;
use draft::suburbs::{self, begins};
use draft::{Receiver, Suburb, countries, join_parts};
use shipping::{CompanyLocation, CompanyLocationId};
use widgets::picker::PickerItem;

/// Maximum number of suggestions.
const MOST: usize = 12;
/// Number of suggestions that saved locations may always fill, even if receivers match as well.
const MOST_LOCATIONS: usize = 8;
/// Maximum number of countries.
const MOST_COUNTRIES: usize = 9;

/// Something that can be picked for a party.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartySuggestion<'a> {
    Location(&'a CompanyLocation),
    Receiver(&'a Receiver),
    /// The typed text as the abbreviation of a saved location that only the service may know.
    Abbreviation,
    /// The typed text as the id of a saved location that only the service may know.
    LocationId(CompanyLocationId),
    /// A full address, with the typed text as its name.
    NewAddress,
}

/// A suggestion in the list, with its value.
type Suggestion<'a> = (PickerItem, PartySuggestion<'a>);

/// Returns true if each word of `typed` (in lower case) is in one of the parts, ignoring case.
fn has_words(parts: &[&str], typed: &str) -> bool {
    let parts = parts.join("\n").to_lowercase();
    typed.split_whitespace().all(|word| parts.contains(word))
}

/// The sources of suggestions for a party: locations that suit it, and past receivers.
#[derive(Clone, Copy)]
pub(super) struct SuggestionSources<'a> {
    locations: &'a [CompanyLocation],
    /// False while the saved locations could not be fetched. Then the typed text may be the abbreviation of a
    /// saved location.
    is_complete: bool,
    suits: fn(&CompanyLocation) -> bool,
    receivers: &'a [Receiver],
}

impl<'a> SuggestionSources<'a> {
    pub(super) fn new(shared: &'a Shared, role: PartyRole) -> Self {
        let locations = shared.catalogue.locations.value();
        let (suits, receivers): (fn(&CompanyLocation) -> bool, &[Receiver]) = match role {
            PartyRole::From => (CompanyLocation::is_pickup, &[]),
            PartyRole::To => (CompanyLocation::is_delivery, &shared.catalogue.receivers),
        };
        Self {
            locations: locations.map_or(&[], Vec::as_slice),
            is_complete: locations.is_some(),
            suits,
            receivers,
        }
    }

    /// Returns the best suggestions for the typed text. An exact abbreviation comes first; the text itself as
    /// an abbreviation or a new address comes last.
    pub(super) fn suggest(self, typed: &str) -> Vec<Suggestion<'a>> {
        let typed = typed.trim();
        let wanted = typed.to_lowercase();
        let mut found = self.locations(&wanted);
        let receivers = self.receivers(&wanted);
        if !receivers.is_empty() {
            found.truncate(MOST_LOCATIONS.max(MOST.saturating_sub(receivers.len())));
        }
        found.extend(receivers);
        found.sort_by_key(|(rank, _)| *rank);
        found.truncate(MOST);
        let mut items: Vec<_> = found.into_iter().map(|(_, item)| item).collect();
        let is_exact = items.iter().any(|(item, _)| item.exact);
        // If anything matches, the text itself is suggested only if it looks like an abbreviation. Otherwise
        // the Down key would move from a single match to the text itself.
        let capitals = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        let is_short = typed.len() > 1 && typed.chars().all(capitals);
        if items.is_empty() || (!is_exact && is_short) {
            items.extend(suggest_as_typed(typed, self.is_complete));
        }
        items
    }

    fn locations(self, wanted: &str) -> Vec<(u8, Suggestion<'a>)> {
        let mut found: Vec<(u8, usize, &CompanyLocation)> = Vec::new();
        let id = parse_id(wanted);
        for (at, place) in self.locations.iter().enumerate() {
            let parts = [&*place.name, &*place.abbreviation, &*place.location.suburb];
            let is_its_id = id == Some(place.id);
            if (has_words(&parts, wanted) || is_its_id) && (self.suits)(place) {
                let rank = if is_its_id || place.abbreviation.eq_ignore_ascii_case(wanted) {
                    0
                } else if begins(&place.abbreviation, wanted) {
                    1
                } else if begins(&place.name, wanted) {
                    2
                } else {
                    3
                };
                found.push((rank, at, place));
            }
        }
        found.sort_by_key(|(rank, _, place)| (*rank, &place.name));
        let items = found.into_iter().take(MOST).map(|(rank, at, place)| {
            let town = &place.location;
            let detail = format!("{} · {} {}", place.abbreviation, town.suburb, town.state);
            let item = PickerItem {
                exact: rank == 0 && !wanted.is_empty(),
                key: at,
                ..PickerItem::new(&place.name, detail)
            };
            (rank, (item, PartySuggestion::Location(place)))
        });
        items.collect()
    }

    /// Returns the receivers that match. The receiver that was used last comes first.
    fn receivers(self, wanted: &str) -> Vec<(u8, Suggestion<'a>)> {
        let mut found: Vec<_> = { self.receivers.iter().enumerate() }
            .filter(|(_, one)| has_words(&[&one.name, &one.contact, &one.place, &one.city], wanted))
            .take(4 * MOST)
            .map(|(at, receiver)| {
                let rank = if begins(&receiver.name, wanted) { 2 } else { 3 };
                (rank, at, receiver)
            })
            .collect();
        found.sort_by_key(|(rank, ..)| *rank);
        let items = found.into_iter().take(MOST).map(|(rank, at, receiver)| {
            let abroad = format!("{} {}", receiver.city, receiver.country);
            let place = if receiver.place.trim().is_empty() {
                &abroad
            } else {
                &receiver.place
            };
            let detail = join_parts(&[&receiver.contact, place], " · ");
            let item = PickerItem {
                key: at,
                ..PickerItem::new(&receiver.name, detail)
            };
            (rank, (item, PartySuggestion::Receiver(receiver)))
        });
        items.collect()
    }

    /// Returns only receivers, for the name of an address.
    pub(super) fn suggest_receivers(self, typed: &str) -> Vec<Suggestion<'a>> {
        if typed.trim().is_empty() {
            return Vec::new();
        }
        let found = self.receivers(&typed.trim().to_lowercase());
        found.into_iter().map(|(_, item)| item).collect()
    }
}

/// Parses a location's id, which consists of digits only.
fn parse_id(typed: &str) -> Option<CompanyLocationId> {
    let plain = !typed.is_empty() && typed.bytes().all(|byte| byte.is_ascii_digit());
    let id = typed.parse().ok().filter(|id| plain && *id > 0)?;
    Some(CompanyLocationId::new(id))
}

/// Returns the suggestions for text that matches nothing. Enter picks the first suggestion. If all saved
/// locations are known, the abbreviation is not suggested first: it would be a typing error, which the
/// service refuses.
fn suggest_as_typed(typed: &str, all_known: bool) -> Vec<Suggestion<'static>> {
    if typed.is_empty() {
        return Vec::new();
    }
    let mut items = Vec::new();
    if let Some(id) = parse_id(typed) {
        let item = PickerItem::new("Use the saved location with the id", typed);
        items.push((item, PartySuggestion::LocationId(id)));
    }
    let address = PickerItem::new(format!("Type an address for “{typed}”"), "");
    let address = (address, PartySuggestion::NewAddress);
    let abbreviation = PickerItem::new(format!("Use abbreviation {typed} as typed"), "");
    let abbreviation = (abbreviation, PartySuggestion::Abbreviation);
    if typed.contains(char::is_whitespace) {
        items.push(address);
    } else if all_known {
        items.extend([address, abbreviation]);
    } else {
        items.extend([abbreviation, address]);
    }
    items
}

/// Suggests suburbs for the typed text, each as `Ballarat Central VIC 3350`. If just one suburb matches exactly, Enter and
/// Tab pick it.
pub(super) fn suggest_suburbs(suburbs: &[Suburb], typed: &str) -> Vec<(PickerItem, String)> {
    let found = suburbs::search(suburbs, typed, MOST).into_iter();
    let items = found.map(|found| {
        let place = found.suburb;
        let detail = join_parts(&[&place.state, &place.postcode], " ");
        let item = PickerItem {
            exact: found.is_exact,
            ..PickerItem::new(&place.suburb, detail)
        };
        (item, place.label())
    });
    items.collect()
}

/// Suggests countries for the typed text, by name. The country with exactly the typed code or name is preselected, or
/// else the first in the list.
pub(in super::super) fn suggest_countries(typed: &str) -> Vec<(PickerItem, &'static str)> {
    if typed.trim().is_empty() {
        return Vec::new();
    }
    let found = countries::search(typed);
    let best = countries::from_name_or_code(typed)
        .or(found.first().copied())
        .map(|country| country.code);
    let items = found.into_iter().take(MOST_COUNTRIES).map(|country| {
        let item = PickerItem {
            exact: best == Some(country.code),
            ..PickerItem::new(country.name, country.code.to_string())
        };
        (item, country.name)
    });
    items.collect()
}
