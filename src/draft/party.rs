//! The sender or the receiver of a consignment: a saved location, or a full address.

use serde::{Deserialize, Serialize};

use super::countries;
use super::place::zone_of_place;
use shipping::{CompanyId, CompanyLocation, CompanyLocationId, CountryCode};

/// How the address of a party is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum AddressMode {
    /// By a saved location.
    #[default]
    Saved,
    /// By typing the full address.
    Full,
}

/// A saved location that the clerk picked. The details are kept so that a draft can be shown without
/// the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PickedLocation {
    /// The id that is sent.
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
    /// The company that the location belongs to, if known.
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
        let join = |parts: &[&str], between: &str| {
            parts
                .iter()
                .filter(|part| !part.is_empty())
                .copied()
                .collect::<Vec<_>>()
                .join(between)
        };
        let at = &location.location;
        Self {
            id: location.id,
            name: location.name.clone(),
            abbreviation: location.abbreviation.clone(),
            street: join(&[&location.address_line1, &location.address_line2], ", "),
            place: join(&[&at.suburb, &at.state, &at.postcode], " "),
            contact: join(&[&location.contact, &location.phone], " · "),
            time_zone: at.time_zone.clone(),
            country: at.country.clone(),
            company: location.company_id,
        }
    }
}

/// A party, as typed. Both modes keep their values, so that switching between them loses nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Party {
    pub mode: AddressMode,
    /// The text in the search field.
    pub search: String,
    pub saved: Option<PickedLocation>,
    /// The typed abbreviation of a saved location that was not picked. The service knows such locations, even
    /// if the bench does not.
    pub abbreviation: String,
    pub name: String,
    /// The person to ask for.
    pub contact: String,
    pub phone: String,
    pub email: String,
    /// The street.
    pub line1: String,
    pub line2: String,
    /// Suburb and postcode in one text.
    pub place: String,
    /// The country, by name or code as typed; empty for Australia.
    pub country: String,
    /// City outside Australia.
    pub city: String,
    /// Province outside Australia.
    pub province: String,
    /// Postcode outside Australia.
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

    /// Returns whether the party is outside Australia.
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

    /// Sets a saved location.
    pub fn set_location(&mut self, location: &CompanyLocation) {
        self.mode = AddressMode::Saved;
        self.search.clear();
        self.saved = Some(location.into());
    }
}
