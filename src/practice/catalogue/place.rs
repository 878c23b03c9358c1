//! Suburbs and their price zones, and countries and their public holidays.

use jiff::civil::{Date, Weekday};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::CatalogueError;

/// A suburb. The id is derived from the line in `places.csv`: the first suburb has 1001.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) id: i64,
    pub(crate) suburb: String,
    pub(crate) postcode: String,
    pub(crate) state: String,
    /// A code of three letters.
    pub(crate) country: String,
    pub(crate) zone: String,
    /// IANA name.
    pub(crate) time_zone: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Geography {
    pub(crate) zones: Vec<Zone>,
    pub(crate) countries: Vec<Country>,
    holidays: Vec<Holidays>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Zone {
    pub(crate) code: String,
    pub(crate) region: String,
    pub(crate) factor: Decimal,
    pub(crate) extra_days: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Country {
    /// A code of three letters.
    pub(crate) code: String,
    /// A code of two letters.
    pub(crate) short_code: String,
    pub(crate) name: String,
    pub(crate) zone: String,
    pub(crate) time_zone: String,
    pub(crate) tax_percent: Decimal,
}

#[derive(Debug, Deserialize)]
struct Holidays {
    country: String,
    dates: Vec<Date>,
}

impl Geography {
    pub(crate) fn zone(&self, code: &str) -> Option<&Zone> {
        self.zones.iter().find(|zone| zone.code == code)
    }

    pub(crate) fn country(&self, code: &str) -> Option<&Country> {
        self.countries
            .iter()
            .find(|country| country.code.eq_ignore_ascii_case(code))
    }

    /// Finds a country by its code of three or two letters, or by its name.
    pub(crate) fn country_by_code_or_name(&self, text: &str) -> Option<&Country> {
        let text = text.trim();
        self.countries.iter().find(|country| {
            let spellings = [&country.code, &country.short_code, &country.name];
            spellings
                .into_iter()
                .any(|spelling| spelling.eq_ignore_ascii_case(text))
        })
    }

    /// Returns the three-letter code of a country; accepts the same spellings as
    /// [`Self::country_by_code_or_name`].
    pub(crate) fn three_letter_code(&self, code: &str) -> Option<&str> {
        let found = self.country_by_code_or_name(code);
        found.map(|country| country.code.as_str())
    }

    /// Returns the distance band between two places, as the rates name it.
    pub(crate) fn band(&self, from: &Place, to: &Place) -> &'static str {
        let region = |place: &Place| self.zone(&place.zone).map(|zone| zone.region.as_str());
        if from.country != to.country {
            "overseas"
        } else if from.zone == to.zone {
            "local"
        } else if region(from) == region(to) {
            "near"
        } else {
            "far"
        }
    }

    pub(crate) fn is_holiday(&self, country: &str, date: Date) -> bool {
        self.holidays
            .iter()
            .any(|holidays| holidays.country == country && holidays.dates.contains(&date))
    }

    pub(crate) fn is_business_day(&self, country: &str, date: Date) -> bool {
        !matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday)
            && !self.is_holiday(country, date)
    }
}

pub(super) fn read(text: &str) -> Result<Vec<Place>, CatalogueError> {
    let lines = text
        .lines()
        .enumerate()
        .skip(1)
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            let fields: Vec<&str> = line.split(',').map(str::trim).collect();
            let &[suburb, postcode, state, country, zone, time_zone] = fields.as_slice() else {
                return Err(CatalogueError::Line {
                    file: "places.csv",
                    line: index + 1,
                });
            };
            Ok(Place {
                id: 1000 + i64::try_from(index).unwrap_or(0),
                suburb: suburb.to_owned(),
                postcode: postcode.to_owned(),
                state: state.to_owned(),
                country: country.to_owned(),
                zone: zone.to_owned(),
                time_zone: time_zone.to_owned(),
            })
        })
        .collect()
}
