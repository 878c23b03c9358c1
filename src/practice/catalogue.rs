//! The sample data of the practice service: companies, carriers and rates, places, saved locations and items,
//! dangerous goods.
//!
//! All of the data is read once from `assets/practice/` and never changes afterwards. Most references, for
//! example from a rate card to its carrier or from a location to its suburb, are checked when it is loaded.

mod carrier;
mod class;
mod company;
mod dangerous_goods;
mod decimal;
mod place;
mod printer;
mod saved;
mod tracking;

use std::collections::HashMap;

use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use serde::de::DeserializeOwned;

pub(crate) use carrier::{Carrier, Service};
use class::class_type;
pub(crate) use class::{class_label, class_title};
pub(crate) use company::{Account, Company};
pub(crate) use dangerous_goods::{StoredGood, UnNumber};
pub(crate) use place::{Country, Place};
pub(crate) use printer::Printer;
pub(crate) use saved::{SavedItem, SavedLocation};
pub(crate) use tracking::CarrierTracking;

/// The reason why the sample data cannot be used: a mistake in `assets/practice/`, or a machine without
/// time zones.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// A file does not contain the expected JSON.
    #[error("sample data {file} cannot be read: {source}")]
    Unreadable {
        file: &'static str,
        source: serde_json::Error,
    },
    /// A line of a table does not have six fields.
    #[error("sample data {file}, line {line} cannot be read")]
    Line { file: &'static str, line: usize },
    #[error("time zone {name} is missing on this machine: {source}")]
    TimeZone { name: String, source: jiff::Error },
    /// A reference to something that does not exist.
    #[error("sample data: {0}")]
    Dangling(String),
}

/// All of the sample data.
#[derive(Debug)]
pub(crate) struct Catalogue {
    pub(crate) companies: Vec<Company>,
    pub(crate) carriers: Vec<Carrier>,
    /// Cost prices are sell prices less this percentage.
    pub(crate) margin_percent: Decimal,
    pub(crate) places: Vec<Place>,
    pub(crate) geography: place::Geography,
    pub(crate) locations: Vec<SavedLocation>,
    pub(crate) items: Vec<SavedItem>,
    pub(crate) goods: dangerous_goods::DangerousGoods,
    tracking: Vec<CarrierTracking>,
    pub(crate) printing: printer::Printing,
    time_zones: HashMap<String, TimeZone>,
}

impl Catalogue {
    pub(crate) fn load() -> Result<Self, CatalogueError> {
        let companies: company::CompaniesFile = read(
            "companies.json",
            include_str!("../../assets/practice/companies.json"),
        )?;
        let carriers: carrier::CarriersFile = read(
            "carriers.json",
            include_str!("../../assets/practice/carriers.json"),
        )?;
        let locations: saved::Locations = read(
            "locations.json",
            include_str!("../../assets/practice/locations.json"),
        )?;
        let items: saved::Items = read(
            "items.json",
            include_str!("../../assets/practice/items.json"),
        )?;
        let tracking: tracking::TrackingFile = read(
            "tracking.json",
            include_str!("../../assets/practice/tracking.json"),
        )?;
        let mut catalogue = Self {
            companies: companies.companies,
            margin_percent: carriers.margin_percent,
            carriers: carriers.carriers,
            places: place::read(include_str!("../../assets/practice/places.csv"))?,
            geography: read(
                "zones.json",
                include_str!("../../assets/practice/zones.json"),
            )?,
            locations: locations.locations,
            items: items.items,
            goods: dangerous_goods::DangerousGoods::new(
                include_str!("../../assets/practice/un-numbers.csv"),
                read(
                    "hazchem.json",
                    include_str!("../../assets/practice/hazchem.json"),
                )?,
                read(
                    "stored-goods.json",
                    include_str!("../../assets/practice/stored-goods.json"),
                )?,
            )?,
            tracking: tracking.carriers,
            printing: read(
                "printers.json",
                include_str!("../../assets/practice/printers.json"),
            )?,
            time_zones: HashMap::new(),
        };
        catalogue.find_time_zones()?;
        catalogue.check()?;
        Ok(catalogue)
    }

    pub(crate) fn company(&self, id: i64) -> Option<&Company> {
        self.companies.iter().find(|company| company.id == id)
    }

    pub(crate) fn carrier(&self, id: i64) -> Option<&Carrier> {
        self.carriers.iter().find(|carrier| carrier.id == id)
    }

    /// Returns how a carrier reports tracking events.
    pub(crate) fn tracking(&self, carrier_id: i64) -> Option<&CarrierTracking> {
        let mut all = self.tracking.iter();
        all.find(|tracking| tracking.carrier_id == carrier_id)
    }

    /// Finds the suburb with this name and postcode. The case of the name does not matter.
    pub(crate) fn place(&self, suburb: &str, postcode: &str) -> Option<&Place> {
        let (suburb, postcode) = (suburb.trim(), postcode.trim());
        self.places
            .iter()
            .find(|place| place.postcode == postcode && place.suburb.eq_ignore_ascii_case(suburb))
    }

    /// Returns a time zone that the sample data names. All of them were looked up when the data was loaded.
    pub(crate) fn time_zone(&self, name: &str) -> TimeZone {
        self.time_zones.get(name).cloned().unwrap_or(TimeZone::UTC)
    }

    fn find_time_zones(&mut self) -> Result<(), CatalogueError> {
        let named = self.places.iter().map(|place| &place.time_zone);
        let named = named.chain(
            self.geography
                .countries
                .iter()
                .map(|country| &country.time_zone),
        );
        for name in named {
            if !self.time_zones.contains_key(name) {
                let zone = TimeZone::get(name).map_err(|source| CatalogueError::TimeZone {
                    name: name.clone(),
                    source,
                })?;
                self.time_zones.insert(name.clone(), zone);
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<(), CatalogueError> {
        let must = |holds: bool, what: String| {
            if holds {
                Ok(())
            } else {
                Err(CatalogueError::Dangling(what))
            }
        };
        for place in &self.places {
            must(
                self.geography.zone(&place.zone).is_some(),
                format!("{} has no zone", place.suburb),
            )?;
            must(
                self.geography.country(&place.country).is_some(),
                format!("{} has no country", place.suburb),
            )?;
        }
        for country in &self.geography.countries {
            must(
                self.geography.zone(&country.zone).is_some(),
                format!("{} has no zone", country.name),
            )?;
        }
        for carrier in &self.carriers {
            must(
                self.tracking(carrier.id).is_some(),
                format!("{} has no tracking events", carrier.name),
            )?;
        }
        if let Some(printer) = self.printing.dangling().next() {
            must(false, format!("printer {printer} is not there"))?;
        }
        for location in &self.locations {
            must(
                self.place(&location.suburb, &location.postcode).is_some(),
                format!("{} is nowhere", location.name),
            )?;
            must(
                self.company(location.company_id).is_some(),
                format!("{} has no company", location.name),
            )?;
        }
        for account in self.companies.iter().flat_map(|company| &company.accounts) {
            must(
                self.carrier(account.carrier_id).is_some(),
                format!("{} has no carrier", account.name),
            )?;
        }
        for stored in self.items.iter().flat_map(|item| &item.goods) {
            must(
                self.goods.stored(*stored).is_some(),
                format!("stored goods {stored} are not there"),
            )?;
        }
        Ok(())
    }
}

fn read<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<T, CatalogueError> {
    serde_json::from_str(text).map_err(|source| CatalogueError::Unreadable { file, source })
}
