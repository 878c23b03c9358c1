//! Weights as scales send them: an exact decimal with a unit.

use std::fmt;

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WeightUnit {
    #[serde(rename = "g")]
    Gram,
    #[default]
    #[serde(rename = "kg")]
    Kilogram,
    /// The international avoirdupois pound of 0.45359237 kg.
    #[serde(rename = "lb")]
    Pound,
    /// The sixteenth part of a pound.
    #[serde(rename = "oz")]
    Ounce,
}

impl WeightUnit {
    pub const ALL: [Self; 4] = [Self::Gram, Self::Kilogram, Self::Pound, Self::Ounce];

    /// Returns the symbol, such as `kg`.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Gram => "g",
            Self::Kilogram => "kg",
            Self::Pound => "lb",
            Self::Ounce => "oz",
        }
    }

    /// Returns the unit with this symbol, in upper or lower case.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        { Self::ALL.into_iter() }.find(|unit| unit.symbol().eq_ignore_ascii_case(symbol))
    }

    /// Returns the exact weight of one unit in kilograms.
    fn in_kilograms(self) -> Decimal {
        match self {
            Self::Gram => Decimal::new(1, 3),
            Self::Kilogram => Decimal::ONE,
            Self::Pound => Decimal::new(45_359_237, 8),
            Self::Ounce => Decimal::new(28_349_523_125, 12),
        }
    }
}

/// A weight with the digits of the scale: 2.50 kg keeps its two decimals, which show the scale's division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight {
    pub value: Decimal,
    pub unit: WeightUnit,
}

impl Weight {
    pub const fn new(value: Decimal, unit: WeightUnit) -> Self {
        Self { value, unit }
    }

    /// Returns the weight in kilograms. The result is exact for up to 16 significant digits, which is more than any
    /// scale sends.
    pub fn to_kilograms(self) -> Decimal {
        self.value * self.unit.in_kilograms()
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.value, self.unit.symbol())
    }
}
