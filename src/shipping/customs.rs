//! Customs declarations: countries and the contents of items.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use thiserror::Error;

use super::values::Dollars;

/// A country as three capital letters (ISO 3166-1 alpha-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct CountryCode([u8; 3]);

/// The error for a text that is not three letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a country code has three letters, like AUS")]
pub struct NotACountry;

impl CountryCode {
    /// One end of every international consignment is in Australia.
    pub const AUSTRALIA: Self = Self(*b"AUS");
    /// Domestic consignments in New Zealand need a Hazchem code and a flash point.
    pub const NEW_ZEALAND: Self = Self(*b"NZL");

    /// Accepts three letters in either case, with or without surrounding blanks.
    pub fn new(text: &str) -> Result<Self, NotACountry> {
        let letters: [u8; 3] = text
            .trim()
            .as_bytes()
            .try_into()
            .map_err(|_other_length| NotACountry)?;
        if letters.iter().all(u8::is_ascii_alphabetic) {
            Ok(Self(letters.map(|letter| letter.to_ascii_uppercase())))
        } else {
            Err(NotACountry)
        }
    }
}

impl fmt::Display for CountryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|letter| write!(f, "{}", char::from(*letter)))
    }
}

impl From<CountryCode> for String {
    fn from(code: CountryCode) -> Self {
        code.to_string()
    }
}

impl TryFrom<String> for CountryCode {
    type Error = NotACountry;
    fn try_from(text: String) -> Result<Self, NotACountry> {
        Self::new(&text)
    }
}

/// The contents of one item, for customs. The service refuses international quotes unless every item
/// has contents.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemContents {
    pub description: Option<String>,
    /// Identifies the goods, or their invoice or order.
    pub reference1: Option<String>,
    pub reference2: Option<String>,
    pub reference3: Option<String>,
    /// Marks and numbers on the packages.
    pub ci_marks_and_numbers: Option<String>,
    pub part_number: Option<String>,
    /// Physical units inside the item; differs from the item's own quantity.
    pub quantity: Option<u32>,
    /// The customs tariff code.
    pub harmonized_code: Option<String>,
    /// The reason for sending, in the service's terms: `Sale`, `Gift` …
    pub purpose: Option<String>,
    pub country_of_manufacture_code: Option<CountryCode>,
    /// The commercial value in Australian dollars.
    pub dollar_value: Option<Dollars>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_is_three_letters_and_nothing_else() {
        assert_eq!(CountryCode::new(" aus "), Ok(CountryCode::AUSTRALIA));
        assert_eq!(CountryCode::AUSTRALIA.to_string(), "AUS");
        for text in ["AU", "AUST", "A1S", "", "Ä€"] {
            assert_eq!(CountryCode::new(text), Err(NotACountry), "{text}");
        }
    }
}
