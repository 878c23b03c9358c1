//! Deserializes decimals of the sample data from JSON numbers, digit for digit.

use rust_decimal::Decimal;
use serde::{Deserialize as _, Deserializer};
use serde_json::Number;

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
    read(&Number::deserialize(deserializer)?)
}

pub(super) fn option<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Decimal>, D::Error> {
    Option::<Number>::deserialize(deserializer)?
        .as_ref()
        .map(read)
        .transpose()
}

fn read<E: serde::de::Error>(number: &Number) -> Result<Decimal, E> {
    let text = number.to_string();
    text.parse()
        .or_else(|_plain| Decimal::from_scientific(&text))
        .map_err(|_not_a_decimal| E::custom("not a decimal number"))
}
