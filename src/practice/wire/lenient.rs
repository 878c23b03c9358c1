//! Reading numbers that arrive as numbers or as text, as they do from real integrators.

use rust_decimal::Decimal;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A whole number, however it is written; none when it is not one.
pub(crate) fn whole_number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

pub(super) fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    match Option::<Value>::deserialize(deserializer)? {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match whole_number(&value) {
            Some(number) => Ok(Some(number)),
            None => Err(D::Error::custom(format!(
                "a whole number was expected, not {value}"
            ))),
        },
    }
}

pub(super) fn ids<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i64>, D::Error> {
    let values = Option::<Vec<Value>>::deserialize(deserializer)?.unwrap_or_default();
    values
        .iter()
        .map(|value| {
            whole_number(value).ok_or_else(|| {
                D::Error::custom(format!("a whole number was expected, not {value}"))
            })
        })
        .collect()
}

pub(super) fn decimal<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Decimal>, D::Error> {
    let text = match Option::<Value>::deserialize(deserializer)? {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(other) => {
            return Err(D::Error::custom(format!(
                "a number was expected, not {other}"
            )));
        }
    };
    let exact = text.parse::<Decimal>();
    exact
        .or_else(|_| Decimal::from_scientific(&text))
        .map(Some)
        .map_err(D::Error::custom)
}

/// Text, or a number as text: item types and receiver accounts come as either.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match Option::<Value>::deserialize(deserializer)? {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text).filter(|text| !text.trim().is_empty())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(other) => Err(D::Error::custom(format!("text was expected, not {other}"))),
    }
}

/// A list of names, or one name alone.
pub(super) fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let texts = match Option::<Value>::deserialize(deserializer)? {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(values)) => values
            .iter()
            .map(|value| {
                value
                    .as_str()
                    .map(str::to_owned)
                    .ok_or_else(|| D::Error::custom("text was expected"))
            })
            .collect::<Result<_, _>>()?,
        Some(other) => return Err(D::Error::custom(format!("text was expected, not {other}"))),
    };
    Ok(texts
        .into_iter()
        .filter(|text| !text.trim().is_empty())
        .collect())
}
