//! Lenient reading of JSON values: real integrators send numbers as numbers or as text.

use std::fmt::Display;

use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Reads a whole number that was sent as a number or as text. Returns `None` for anything else.
pub(crate) fn whole_number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// Accepts 5.0 as 5, because JSON does not tell them apart. The last of many digits may be inexact, so a
/// difference within the precision of `f64` is ignored.
fn whole(number: f64) -> Option<i64> {
    const LIMIT: f64 = 9.2e18;
    let rounded = number.round();
    if (number - rounded).abs() > number.abs() * f64::EPSILON || number.abs() > LIMIT {
        return None;
    }
    Decimal::from_f64(rounded).and_then(|number| number.to_i64())
}

/// Reads an optional record. Only a JSON object is accepted: serde would also read an array as the fields in
/// their order.
pub(super) fn record<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let fields = Option::<Map<String, Value>>::deserialize(deserializer)?;
    let record = fields.map(read_fields).transpose();
    record.map_err(D::Error::custom)
}

/// Reads a record. A missing record becomes the default one.
pub(super) fn record_or_none<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(record(deserializer)?.unwrap_or_default())
}

/// Reads an optional list of records, each of which must be a JSON object.
pub(super) fn records<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    let list = Option::<Vec<Map<String, Value>>>::deserialize(deserializer)?;
    let read = |list: Vec<Map<String, Value>>| list.into_iter().map(read_fields).collect();
    list.map(read).transpose().map_err(D::Error::custom)
}

fn read_fields<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, serde_json::Error> {
    serde_json::from_value(Value::Object(fields))
}

pub(super) fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let value = Option::<Value>::deserialize(deserializer)?;
    value.as_ref().map(required_number).transpose()
}

pub(super) fn ids<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i64>, D::Error> {
    let values = Option::<Vec<Value>>::deserialize(deserializer)?.unwrap_or_default();
    values.iter().map(required_number).collect()
}

fn required_number<E: Error>(value: &Value) -> Result<i64, E> {
    let wrong = || E::custom(format!("a whole number was expected, not {value}"));
    whole_number(value).ok_or_else(wrong)
}

pub(super) fn decimal<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Decimal>, D::Error> {
    let wrong = |sent: &dyn Display| D::Error::custom(format!("a number was expected, not {sent}"));
    let text = match Option::<Value>::deserialize(deserializer)? {
        None => return Ok(None),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(other) => return Err(wrong(&other)),
    };
    read_decimal(&text).map(Some).ok_or_else(|| wrong(&text))
}

/// Reads a decimal with at most 28 places; anything smaller becomes 0. Returns `None` beyond 10^15, far more
/// than is ever carried or paid, so that sums cannot overflow.
fn read_decimal(text: &str) -> Option<Decimal> {
    let limit = Decimal::from(1_000_000_000_000_000_i64);
    let exact = text.parse::<Decimal>().ok();
    exact
        .or_else(|| Decimal::from_scientific(text).ok())
        .or_else(|| Decimal::from_f64(text.parse().ok()?))
        .filter(|decimal| decimal.abs() <= limit)
}

/// Reads text, or a number as text: item types and receiver accounts are sent as either. Blank
/// text becomes `None`.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match Option::<Value>::deserialize(deserializer)? {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text).filter(|text| !text.trim().is_empty())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(other) => Err(D::Error::custom(format!("text was expected, not {other}"))),
    }
}

/// Reads text without the spaces around it. Blank text becomes `None`.
pub(super) fn trimmed<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    let text = text.map(|text| text.trim().to_owned());
    Ok(text.filter(|text| !text.is_empty()))
}

/// Reads a list of texts, or a single text. Blank texts are dropped.
pub(super) fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let mut texts: Vec<String> = match Option::<Value>::deserialize(deserializer)? {
        None => Vec::new(),
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(values)) => values
            .iter()
            .map(|value| value.as_str().map(str::to_owned))
            .collect::<Option<_>>()
            .ok_or_else(|| D::Error::custom("text was expected"))?,
        Some(other) => return Err(D::Error::custom(format!("text was expected, not {other}"))),
    };
    texts.retain(|text| !text.trim().is_empty());
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_whole_number_is_one_however_it_is_written() {
        for written in [json!(5), json!(5.0), json!("5"), json!(" 5 "), json!("+5")] {
            assert_eq!(whole_number(&written), Some(5), "{written}");
        }
        let long: Value = serde_json::from_str("2251799813685247.0").expect("JSON");
        assert_eq!(whole_number(&long), Some(2_251_799_813_685_247));
        for written in [
            json!(5.5),
            json!(5e-324),
            json!(1e300),
            json!(9_223_372_036_854_775_808_u64),
            json!(true),
            json!("5.0"),
            json!([]),
        ] {
            assert_eq!(whole_number(&written), None, "{written}");
        }
    }

    #[test]
    fn a_decimal_too_fine_to_keep_is_nothing_and_one_too_large_is_none() {
        assert_eq!(read_decimal("5e-324"), Some(Decimal::ZERO));
        assert_eq!(read_decimal("1.25e3"), Some(Decimal::from(1250)));
        assert_eq!(read_decimal("0.1"), Some(Decimal::new(1, 1)));
        assert_eq!(
            read_decimal("-1e15"),
            Some(Decimal::from(-1_000_000_000_000_000_i64))
        );
        assert_eq!(read_decimal("1000000000000000.1"), None);
        assert_eq!(read_decimal("1e300"), None);
        assert_eq!(read_decimal("NaN"), None);
    }
}
