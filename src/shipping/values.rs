//! Amounts with their unit in the type. They are decimals, never binary fractions.

use std::fmt;

use rust_decimal::Decimal;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// Defines a newtype over [`Decimal`] that is written as a JSON number, digit for digit, and read from a
/// number or text.
macro_rules! amount {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(
            #[serde(serialize_with = "write_decimal", deserialize_with = "read_decimal")] pub Decimal,
        );

        impl $name {
            pub const ZERO: Self = Self(Decimal::ZERO);
        }

        impl From<Decimal> for $name {
            fn from(amount: Decimal) -> Self {
                Self(amount)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

amount! {
    /// Weight in kilograms.
    Kilograms,
    /// Length in centimetres.
    Centimetres,
    /// Volume in cubic metres.
    CubicMetres,
    /// Money in the currency of the company's account; customs values are in AUD.
    Dollars,
    /// Temperature in degrees Celsius.
    Celsius,
    Percent,
    /// An amount of a dangerous good in kilograms or litres, or a number of pallet spaces.
    Quantity,
}

fn write_decimal<S: Serializer>(value: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(value.normalize().to_string())
        .map_err(serde::ser::Error::custom)?
        .serialize(serializer)
}

fn read_decimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
    // Reads the raw text, so that no digit is lost.
    let raw = <&RawValue>::deserialize(deserializer)?;
    let text = raw.get().trim_matches('"').trim();
    decimal(text).ok_or_else(|| D::Error::custom("not a decimal number"))
}

/// Parses a decimal, with or without an exponent.
pub(super) fn decimal(text: &str) -> Option<Decimal> {
    text.parse()
        .or_else(|_plain| Decimal::from_scientific(text))
        .ok()
}
