//! What customs are told ("International consignment fields", "Contents object").

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use thiserror::Error;

use super::values::Dollars;

/// A country by its three capital letters (ISO 3166-1 alpha-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct CountryCode([u8; 3]);

/// The text is not three letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a country is three letters, like AUS")]
pub struct NotACountry;

impl CountryCode {
    /// Where one end of every international consignment is.
    pub const AUSTRALIA: Self = Self(*b"AUS");
    /// Where Hazchem code and flash point are required inside the country.
    pub const NEW_ZEALAND: Self = Self(*b"NZL");

    /// Three letters in any case, with blanks around them or not.
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

/// What is inside one item, for customs. Without it on every item, international quoting is refused.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemContents {
    /// What the goods are.
    pub description: Option<String>,
    /// Identifies the goods, or their invoice or order.
    pub reference1: Option<String>,
    /// Another one.
    pub reference2: Option<String>,
    /// A third.
    pub reference3: Option<String>,
    /// Marks and numbers on the packages.
    pub ci_marks_and_numbers: Option<String>,
    /// Part number.
    pub part_number: Option<String>,
    /// Physical units inside the item: not the item's own quantity.
    pub quantity: Option<u32>,
    /// Customs class code.
    pub harmonized_code: Option<String>,
    /// Why it is sent, by the service's word: `Sale`, `Gift` …
    pub purpose: Option<String>,
    /// Made in.
    pub country_of_manufacture_code: Option<CountryCode>,
    /// Commercial value in Australian dollars.
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
