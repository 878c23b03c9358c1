//! One side of a consignment: a saved location, or a full address.

use serde::{Deserialize, Serialize};

use super::countries;
use super::place::zone_of_place;
use crate::shipping::{CompanyId, CompanyLocation, CompanyLocationId, CountryCode};

/// Which of the two address modes a side is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum AddressMode {
    /// A saved location stands for everything.
    #[default]
    Saved,
    /// Everything is typed.
    Full,
}

/// A saved location as it was picked, kept so that a draft can be shown without the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedPlace {
    /// What is sent.
    pub id: CompanyLocationId,
    /// Its name.
    pub name: String,
    /// Its short name.
    pub abbreviation: String,
    /// Street.
    pub street: String,
    /// "Alexandria NSW 2015".
    pub place: String,
    /// "Dock office · 02 5550 0114".
    pub contact: String,
    /// IANA zone; empty where the service gave none.
    pub time_zone: String,
    /// Country, as the service spells it; empty for Australia.
    #[serde(default)]
    pub country: String,
    /// The company that it belongs to, where that is known.
    #[serde(default)]
    pub company: Option<CompanyId>,
}

impl SavedPlace {
    fn only(id: CompanyLocationId) -> Self {
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

impl From<&CompanyLocation> for SavedPlace {
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

/// One side, as typed. Both modes keep what they hold, so that going back and forth loses nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Side {
    /// Which mode counts.
    pub mode: AddressMode,
    /// What is typed into the type-ahead.
    pub search: String,
    /// The saved location that was picked.
    pub saved: Option<SavedPlace>,
    /// A saved location by its abbreviation, as typed, where none was picked: the service knows it.
    pub abbreviation: String,
    /// Name.
    pub name: String,
    /// Person to ask for.
    pub contact: String,
    /// Their phone.
    pub phone: String,
    /// Their e-mail.
    pub email: String,
    /// Street.
    pub line1: String,
    /// Second line; optional.
    pub line2: String,
    /// Suburb and postcode, in one.
    pub place: String,
    /// Country, by name or code as typed; empty for Australia.
    pub country: String,
    /// City abroad.
    pub city: String,
    /// Province abroad.
    pub province: String,
    /// Postcode abroad.
    pub postcode: String,
}

impl Side {
    /// The side's name: the saved location's or the typed one.
    pub fn title(&self) -> &str {
        match (self.mode, &self.saved) {
            (AddressMode::Saved, Some(saved)) => &saved.name,
            _ => self.name.trim(),
        }
    }

    /// The zone of its clocks, where it is known: as the service says, else that of its state.
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

    /// The country that it is in: Australia where none is named, and for a saved location that is only known by its
    /// abbreviation. Nothing where what is typed names no country.
    pub fn country_code(&self) -> Option<CountryCode> {
        let named = match (self.mode, &self.saved) {
            (AddressMode::Saved, Some(saved)) => saved.country.as_str(),
            (AddressMode::Saved, None) => "",
            (AddressMode::Full, _) => self.country.as_str(),
        };
        if named.trim().is_empty() {
            return Some(CountryCode::AUSTRALIA);
        }
        countries::of(named).map(|country| country.code)
    }

    /// True outside Australia.
    pub fn is_abroad(&self) -> bool {
        self.country_code()
            .is_some_and(|code| code != CountryCode::AUSTRALIA)
    }

    /// Picks the location of an abbreviation that was typed before the bench knew it: then its country is known, too.
    pub fn recall(&mut self, locations: &[CompanyLocation]) {
        let short = self.abbreviation.trim();
        if self.mode != AddressMode::Saved || self.saved.is_some() || short.is_empty() {
            return;
        }
        let called = |known: &&CompanyLocation| known.abbreviation.eq_ignore_ascii_case(short);
        if let Some(known) = locations.iter().find(called) {
            self.pick(known);
            self.abbreviation.clear();
        }
    }

    /// Puts a saved location there of which only the id is known: the service knows the rest.
    pub fn pick_id(&mut self, id: CompanyLocationId) {
        self.mode = AddressMode::Saved;
        self.search.clear();
        self.saved = Some(SavedPlace::only(id));
    }

    /// Puts a saved location there.
    pub fn pick(&mut self, location: &CompanyLocation) {
        self.mode = AddressMode::Saved;
        self.search.clear();
        self.saved = Some(location.into());
    }
}
