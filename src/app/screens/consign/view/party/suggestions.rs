//! Suggestions for the fields of an address: saved locations, past receivers and suburbs.
//!
//! A picked suggestion is found by its key and then compared with the text that was shown. So it never
//! becomes another place if the lists were reloaded in the meantime.

use draft::{Receiver, Suburb};
use shipping::{CompanyLocation, CompanyLocationId};
use widgets::picker::PickerItem;

/// Maximum number of suggestions.
const MOST: usize = 12;
/// Number of suggestions that saved locations may always fill, even if receivers match as well.
const MOST_LOCATIONS: usize = 8;
/// Keys from here on belong to receivers.
const RECEIVERS: usize = usize::MAX / 2;
/// Key of the suggestion to use the text as an abbreviation.
const ABBREVIATION: usize = usize::MAX;
/// Key of the suggestion to type an address with the text as its name.
const ADDRESS: usize = usize::MAX - 1;
/// Key of the suggestion to use the text as a location's id.
const NUMBER: usize = usize::MAX - 2;

/// Something that can be picked for a party.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartySuggestion<'a> {
    Location(&'a CompanyLocation),
    Receiver(&'a Receiver),
    /// The typed text as an abbreviation, which the service may know.
    Abbreviation,
    /// A location by its id, which the service may know.
    LocationId(CompanyLocationId),
    /// A full address, with the typed text as its name.
    NewAddress,
}

/// A search text in lower case, whole and in words.
struct SearchText {
    whole: String,
    words: Vec<String>,
}

impl SearchText {
    fn new(typed: &str) -> Self {
        let whole = typed.trim().to_lowercase();
        let words = whole.split_whitespace().map(str::to_owned).collect();
        Self { whole, words }
    }

    /// Returns true if each word is in one of the parts.
    fn is_in(&self, parts: &[&str]) -> bool {
        let found = |word: &String| parts.iter().any(|part| holds(part, word));
        self.words.iter().all(found)
    }
}

/// Returns true if `text` contains `word` (in lower case), ignoring case. ASCII text is
/// compared without a copy.
fn holds(text: &str, word: &str) -> bool {
    if text.is_ascii() && word.is_ascii() {
        let mut windows = text.as_bytes().windows(word.len().max(1));
        return word.is_empty() || windows.any(|part| part.eq_ignore_ascii_case(word.as_bytes()));
    }
    text.to_lowercase().contains(word)
}

/// Returns true if `text` begins with `start` (in lower case), ignoring case.
fn begins(text: &str, start: &str) -> bool {
    match text.get(..start.len()) {
        Some(head) if head.is_ascii() => head.eq_ignore_ascii_case(start),
        _ => text.to_lowercase().starts_with(start),
    }
}

/// The sources of suggestions for a party: locations that suit it, and past receivers.
#[derive(Clone, Copy)]
pub(super) struct SuggestionSources<'a> {
    pub(super) locations: &'a [CompanyLocation],
    /// False while the saved locations could not be fetched. Then the typed text may be the abbreviation of
    /// one of them.
    pub(super) is_complete: bool,
    pub(super) suits: fn(&CompanyLocation) -> bool,
    pub(super) receivers: &'a [Receiver],
}

impl<'a> SuggestionSources<'a> {
    /// Returns the best suggestions for the typed text. An exact abbreviation comes first; the text itself as
    /// an abbreviation or a new address comes last.
    pub(super) fn suggest(self, typed: &str) -> Vec<PickerItem> {
        let looked_for = SearchText::new(typed);
        let mut found = self.locations(&looked_for);
        let receivers = self.receivers(&looked_for);
        if !receivers.is_empty() {
            found.truncate(MOST_LOCATIONS.max(MOST.saturating_sub(receivers.len())));
        }
        found.extend(receivers);
        found.sort_by_key(|(rank, _)| *rank);
        found.truncate(MOST);
        let exact = found.iter().any(|(_, item)| item.exact);
        let mut items: Vec<PickerItem> = found.into_iter().map(|(_, item)| item).collect();
        let typed = typed.trim();
        // If anything matches, the text itself is suggested only if it looks like an abbreviation. Otherwise
        // the Down key would move from a single match to the text itself.
        let capitals = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        let is_short = typed.len() > 1 && typed.chars().all(capitals);
        if items.is_empty() || (!exact && is_short) {
            items.extend(suggest_as_typed(typed, self.is_complete));
        }
        items
    }

    fn locations(self, typed: &SearchText) -> Vec<(u8, PickerItem)> {
        let mut found: Vec<(u8, usize, &CompanyLocation)> = Vec::new();
        for (at, place) in self.locations.iter().enumerate() {
            let parts = [&*place.name, &*place.abbreviation, &*place.location.suburb];
            let fits = typed.is_in(&parts) || is_its_id(place, &typed.whole);
            if fits && (self.suits)(place) {
                let rank = match &typed.whole {
                    whole if is_its_id(place, whole) => 0,
                    whole if place.abbreviation.eq_ignore_ascii_case(whole) => 0,
                    whole if begins(&place.abbreviation, whole) => 1,
                    whole if begins(&place.name, whole) => 2,
                    _ => 3,
                };
                found.push((rank, at, place));
            }
        }
        found.sort_by(|one, other| (one.0, &one.2.name).cmp(&(other.0, &other.2.name)));
        let items = found.into_iter().take(MOST).map(|(rank, at, place)| {
            let exact = rank == 0 && !typed.whole.is_empty();
            let item = PickerItem {
                exact,
                key: at,
                ..location_item(place)
            };
            (rank, item)
        });
        items.collect()
    }

    /// Returns the receivers that match. The receiver that was used last comes first.
    fn receivers(self, typed: &SearchText) -> Vec<(u8, PickerItem)> {
        let mut found: Vec<(u8, PickerItem)> = Vec::new();
        for (at, receiver) in self.receivers.iter().enumerate() {
            if found.len() >= 4 * MOST {
                break;
            }
            let parts = [
                &*receiver.name,
                &*receiver.contact,
                &*receiver.place,
                &*receiver.city,
            ];
            if typed.is_in(&parts) {
                let rank = if begins(&receiver.name, &typed.whole) {
                    2
                } else {
                    3
                };
                let item = PickerItem {
                    key: RECEIVERS + at,
                    ..receiver_item(receiver)
                };
                found.push((rank, item));
            }
        }
        found.sort_by_key(|(rank, _)| *rank);
        found.truncate(MOST);
        found
    }

    /// Returns only receivers, for the name of an address.
    pub(super) fn suggest_receivers(self, typed: &str) -> Vec<PickerItem> {
        if typed.trim().is_empty() {
            return Vec::new();
        }
        let found = self.receivers(&SearchText::new(typed));
        found.into_iter().map(|(_, item)| item).collect()
    }

    /// Returns what an item stands for; `None` if the lists have changed since it was shown.
    pub(super) fn resolve(self, item: &PickerItem) -> Option<PartySuggestion<'a>> {
        match item.key {
            ABBREVIATION => Some(PartySuggestion::Abbreviation),
            NUMBER => number(&item.detail).map(PartySuggestion::LocationId),
            ADDRESS => Some(PartySuggestion::NewAddress),
            key if key >= RECEIVERS => {
                let receiver = self.receivers.get(key - RECEIVERS)?;
                same(item, &receiver_item(receiver)).then_some(PartySuggestion::Receiver(receiver))
            }
            key => {
                let place = self.locations.get(key)?;
                same(item, &location_item(place)).then_some(PartySuggestion::Location(place))
            }
        }
    }
}

fn is_its_id(place: &CompanyLocation, typed: &str) -> bool {
    number(typed) == Some(place.id)
}

/// Parses a location's id, which consists of digits only.
fn number(typed: &str) -> Option<CompanyLocationId> {
    let plain = !typed.is_empty() && typed.bytes().all(|byte| byte.is_ascii_digit());
    let id = typed.parse().ok().filter(|id| plain && *id > 0)?;
    Some(CompanyLocationId::new(id))
}

fn same(shown: &PickerItem, now: &PickerItem) -> bool {
    shown.text == now.text && shown.detail == now.detail
}

fn location_item(place: &CompanyLocation) -> PickerItem {
    let detail = format!(
        "{} · {} {}",
        place.abbreviation, place.location.suburb, place.location.state
    );
    PickerItem::new(&place.name, detail)
}

fn receiver_item(receiver: &Receiver) -> PickerItem {
    let place = if receiver.place.trim().is_empty() {
        format!("{} {}", receiver.city, receiver.country)
    } else {
        receiver.place.clone()
    };
    let who = match (receiver.contact.trim(), place.trim()) {
        ("", place) => place.to_owned(),
        (contact, "") => contact.to_owned(),
        (contact, place) => format!("{contact} · {place}"),
    };
    PickerItem::new(&receiver.name, who)
}

/// Returns the suggestions for text that matches nothing. Enter picks the first one. If all saved locations
/// are known, that is not the abbreviation: it would be a typing error, which the service refuses.
fn suggest_as_typed(typed: &str, all_known: bool) -> Vec<PickerItem> {
    if typed.is_empty() {
        return Vec::new();
    }
    let mut items = Vec::new();
    if number(typed).is_some() {
        items.push(PickerItem {
            key: NUMBER,
            ..PickerItem::new("Use the saved location with the id", typed)
        });
    }
    let address = PickerItem {
        key: ADDRESS,
        ..PickerItem::new(format!("Type an address for “{typed}”"), "")
    };
    let abbreviation = PickerItem {
        key: ABBREVIATION,
        ..PickerItem::new(format!("Use abbreviation {typed} as typed"), "")
    };
    if typed.contains(char::is_whitespace) {
        items.push(address);
    } else if all_known {
        items.extend([address, abbreviation]);
    } else {
        items.extend([abbreviation, address]);
    }
    items
}

/// Suggests suburbs for the typed text: by name, by postcode, or by both. If just one suburb matches exactly,
/// Enter and Tab pick it.
pub(super) fn suggest_suburbs(known: &[Suburb], typed: &str) -> Vec<PickerItem> {
    let typed = SearchText::new(typed);
    if typed.words.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<(u8, usize, &Suburb)> = Vec::new();
    for (at, place) in known.iter().enumerate() {
        let fits = |word: &String| {
            begins(&place.postcode, word)
                || place.state.eq_ignore_ascii_case(word)
                || place.suburb.split(' ').any(|part| begins(part, word))
        };
        if typed.words.iter().all(fits) {
            let rank = if is_exactly(place, &typed.whole) {
                0
            } else {
                u8::from(!begins(&place.suburb, &typed.whole)) + 1
            };
            found.push((rank, at, place));
        }
    }
    found.sort_by(|one, other| (one.0, &one.2.suburb).cmp(&(other.0, &other.2.suburb)));
    let only_one = found.iter().filter(|(rank, ..)| *rank == 0).count() == 1;
    let items = found.iter().take(MOST).map(|(rank, at, place)| PickerItem {
        exact: only_one && *rank == 0,
        key: *at,
        ..PickerItem::new(
            &place.suburb,
            format!("{} {}", place.state, place.postcode).trim(),
        )
    });
    items.collect()
}

fn is_exactly(place: &Suburb, typed: &str) -> bool {
    place.postcode == typed
        || place.suburb.eq_ignore_ascii_case(typed)
        || suburb_label(place).eq_ignore_ascii_case(typed)
}

/// Formats a suburb: `Ballarat Central VIC 3350`.
pub(super) fn suburb_label(place: &Suburb) -> String {
    let parts = [&*place.suburb, &*place.state, &*place.postcode];
    let given: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    given.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suburb(name: &str, state: &str, postcode: &str) -> Suburb {
        Suburb {
            suburb: name.to_owned(),
            state: state.to_owned(),
            postcode: postcode.to_owned(),
        }
    }

    #[test]
    fn a_suburb_is_found_by_its_name_its_postcode_and_both() {
        let known = [
            suburb("Ballarat Central", "VIC", "3350"),
            suburb("Bakery Hill", "VIC", "3350"),
            suburb("Tweed Heads", "NSW", "2485"),
        ];
        let found = |typed: &str| -> Vec<String> {
            let items = suggest_suburbs(&known, typed);
            items.into_iter().map(|item| item.text).collect()
        };
        assert_eq!(found("ball"), ["Ballarat Central"]);
        assert_eq!(found("central"), ["Ballarat Central"]);
        assert_eq!(found("3350"), ["Bakery Hill", "Ballarat Central"]);
        assert_eq!(found("hill 3350"), ["Bakery Hill"]);
        assert_eq!(found("nsw tweed"), ["Tweed Heads"]);
        assert_eq!(found(""), Vec::<String>::new());
        assert_eq!(found("perth"), Vec::<String>::new());
        assert!(suggest_suburbs(&known, "2485")[0].exact);
        assert!(!suggest_suburbs(&known, "3350")[0].exact, "there are two");
    }

    #[test]
    fn text_that_fits_nothing_is_offered_as_typed() {
        let known = SuggestionSources {
            locations: &[],
            is_complete: true,
            suits: |_| true,
            receivers: &[],
        };
        let words = |typed: &str| -> Vec<String> {
            let items = known.suggest(typed);
            items.into_iter().map(|item| item.text).collect()
        };
        assert_eq!(
            words("MELB"),
            [
                "Type an address for “MELB”",
                "Use abbreviation MELB as typed"
            ]
        );
        assert_eq!(words("Bob’s Bikes"), ["Type an address for “Bob’s Bikes”"]);
        assert_eq!(
            words("Woolloomooloo")[0],
            "Type an address for “Woolloomooloo”"
        );
        assert_eq!(words(" "), Vec::<String>::new());
    }
}
