//! The sender or the receiver of a consignment: a saved location, or a full address. Also the earlier receivers and known
//! suburbs that the address fields suggest, and suburb and postcode in one text, in the order that people write them:
//! `Ballarat Central VIC 3350`.

use serde::{Deserialize, Serialize};

use super::countries;
use shipping::{
    CompanyId, CompanyLocation, CompanyLocationId, CountryCode, LocationRequest,
    australian_time_zone,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum AddressMode {
    #[default]
    Saved,
    Full,
}

/// A saved location that the clerk picked. The details are kept so that a draft can be shown without
/// the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PickedLocation {
    pub id: CompanyLocationId,
    pub name: String,
    pub abbreviation: String,
    pub street: String,
    /// Like "Alexandria NSW 2015".
    pub place: String,
    /// Like "Dock office · 02 5550 0114".
    pub contact: String,
    /// IANA name; empty if the service gave none.
    pub time_zone: String,
    /// The country as the service spells it; empty for Australia.
    #[serde(default)]
    pub country: String,
    #[serde(default)]
    pub company: Option<CompanyId>,
}

impl PickedLocation {
    fn from_id(id: CompanyLocationId) -> Self {
        Self {
            id,
            name: format!("Saved location {id}"),
            abbreviation: String::new(),
            street: String::new(),
            place: String::new(),
            contact: String::new(),
            time_zone: String::new(),
            country: String::new(),
            company: None,
        }
    }
}

impl From<&CompanyLocation> for PickedLocation {
    fn from(location: &CompanyLocation) -> Self {
        let at = &location.location;
        Self {
            id: location.id,
            name: location.name.clone(),
            abbreviation: location.abbreviation.clone(),
            street: join_parts(&[&location.address_line1, &location.address_line2], ", "),
            place: join_parts(&[&at.suburb, &at.state, &at.postcode], " "),
            contact: join_parts(&[&location.contact, &location.phone], " · "),
            time_zone: at.time_zone.clone(),
            country: at.country.clone(),
            company: location.company_id,
        }
    }
}

/// Joins the parts that are not empty.
pub(super) fn join_parts(parts: &[&str], between: &str) -> String {
    let given = parts.iter().filter(|part| !part.is_empty());
    given.copied().collect::<Vec<_>>().join(between)
}

/// A party, as typed. Both modes keep their values, so that switching between them loses nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Party {
    pub mode: AddressMode,
    pub search: String,
    pub saved: Option<PickedLocation>,
    /// The typed abbreviation of a saved location that was not picked. The service knows such locations, even
    /// if the bench does not.
    pub abbreviation: String,
    pub name: String,
    pub contact: String,
    pub phone: String,
    pub email: String,
    pub line1: String,
    pub line2: String,
    /// Suburb and postcode in one text.
    pub place: String,
    /// The country, by name or code as typed; empty for Australia.
    pub country: String,
    pub city: String,
    pub province: String,
    pub postcode: String,
}

impl Party {
    /// Returns the name of the saved location, or the typed name.
    pub fn title(&self) -> &str {
        match (self.mode, &self.saved) {
            (AddressMode::Saved, Some(saved)) => &saved.name,
            _ => self.name.trim(),
        }
    }

    /// Returns the IANA time zone: the service's, otherwise the state's. `None` if unknown.
    pub fn time_zone(&self) -> Option<&str> {
        match (self.mode, &self.saved) {
            (AddressMode::Saved, Some(saved)) if !saved.time_zone.is_empty() => {
                Some(&saved.time_zone)
            }
            (AddressMode::Saved, Some(saved)) => zone_of_place(&saved.place, &saved.country),
            (AddressMode::Saved, None) => None,
            (AddressMode::Full, _) => zone_of_place(&self.place, &self.country),
        }
    }

    /// Returns the party's country. Australia if none is named, or if a saved location is only known by its
    /// abbreviation; `None` if the typed text is not a country.
    pub fn country_code(&self) -> Option<CountryCode> {
        let named = match (self.mode, &self.saved) {
            (AddressMode::Saved, Some(saved)) => saved.country.as_str(),
            (AddressMode::Saved, None) => "",
            (AddressMode::Full, _) => self.country.as_str(),
        };
        if named.trim().is_empty() {
            return Some(CountryCode::AUSTRALIA);
        }
        countries::from_name_or_code(named).map(|country| country.code)
    }

    pub fn is_abroad(&self) -> bool {
        self.country_code()
            .is_some_and(|code| code != CountryCode::AUSTRALIA)
    }

    /// Resolves an abbreviation that was typed before the bench knew the location. Then its country is
    /// known too.
    pub fn resolve_abbreviation(&mut self, locations: &[CompanyLocation]) {
        let short = self.abbreviation.trim();
        if self.mode != AddressMode::Saved || self.saved.is_some() || short.is_empty() {
            return;
        }
        let called = |known: &&CompanyLocation| known.abbreviation.eq_ignore_ascii_case(short);
        if let Some(known) = locations.iter().find(called) {
            self.set_location(known);
            self.abbreviation.clear();
        }
    }

    /// Sets a saved location of which only the id is known; the service knows the rest.
    pub fn set_location_id(&mut self, id: CompanyLocationId) {
        self.mode = AddressMode::Saved;
        self.search.clear();
        self.saved = Some(PickedLocation::from_id(id));
    }

    pub fn set_location(&mut self, location: &CompanyLocation) {
        self.mode = AddressMode::Saved;
        self.search.clear();
        self.saved = Some(location.into());
    }

    pub fn set_receiver(&mut self, receiver: &Receiver) {
        let receiver = receiver.clone();
        *self = Self {
            mode: AddressMode::Full,
            name: receiver.name,
            contact: receiver.contact,
            phone: receiver.phone,
            email: receiver.email,
            line1: receiver.line1,
            line2: receiver.line2,
            place: receiver.place,
            country: receiver.country,
            city: receiver.city,
            province: receiver.province,
            postcode: receiver.postcode,
            ..Self::default()
        };
    }
}

/// An earlier receiver: a full address, as typed or as the service returned it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Receiver {
    pub company: Option<CompanyId>,
    pub name: String,
    pub contact: String,
    pub phone: String,
    pub email: String,
    pub line1: String,
    pub line2: String,
    /// Suburb and postcode in one text.
    pub place: String,
    /// The country as typed; empty for Australia.
    pub country: String,
    pub city: String,
    pub province: String,
    pub postcode: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Suburb {
    pub suburb: String,
    /// Like "VIC"; empty if unknown.
    pub state: String,
    pub postcode: String,
}

const STATES: &[&str] = &["NSW", "VIC", "QLD", "SA", "WA", "TAS", "NT", "ACT", "NZ"];

/// Parses the suburb and postcode; `None` without a four-digit postcode or without a suburb before it. A
/// state between the two is dropped, because the service knows it from the postcode.
pub fn parse_place(text: &str) -> Option<LocationRequest> {
    let (suburb, _, postcode) = parts(text)?;
    Some(LocationRequest {
        suburb: suburb.to_owned(),
        postcode: postcode.to_owned(),
    })
}

/// Returns the time zone (IANA) of a place if the text names its state.
fn zone_of_place(text: &str, country: &str) -> Option<&'static str> {
    let (_, state, postcode) = parts(text)?;
    australian_time_zone(state, postcode, country)
}

/// Returns suburb, state and postcode; the state is empty if none is named.
fn parts(text: &str) -> Option<(&str, &str, &str)> {
    let (before, postcode) = text.trim().rsplit_once([' ', ','])?;
    if postcode.len() != 4 || !postcode.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let suburb = before.trim_end_matches([' ', ',']);
    let named = suburb
        .rsplit_once([' ', ','])
        .filter(|(_, last)| STATES.iter().any(|state| state.eq_ignore_ascii_case(last)));
    let (suburb, state) = named.map_or((suburb, ""), |(rest, state)| {
        (rest.trim_end_matches([' ', ',']), state)
    });
    (!suburb.is_empty()).then_some((suburb, state, postcode))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, String)> {
        parse_place(text).map(|place| (place.suburb, place.postcode))
    }

    #[test]
    fn a_place_is_read_with_and_without_its_state() {
        let ballarat = Some(("Ballarat Central".to_owned(), "3350".to_owned()));
        assert_eq!(read("Ballarat Central VIC 3350"), ballarat);
        assert_eq!(read(" Ballarat Central, vic, 3350 "), ballarat);
        assert_eq!(read("Ballarat Central 3350"), ballarat);
    }

    #[test]
    fn what_has_no_suburb_or_no_postcode_is_not_a_place() {
        for text in "|3350|VIC|Ballarat|Ballarat 335|Ballarat 33500|Ballarat 335O".split('|') {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
