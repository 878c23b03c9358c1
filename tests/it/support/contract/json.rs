//! JSON as written: numbers are decimals with every digit, and a duplicate name in an object is an error.

use std::fmt;

use rust_decimal::Decimal;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(Decimal),
    Text(String),
    Array(Vec<Json>),
    /// In the order in which it was written.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a whole text.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// A member of an object.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else {
            return None;
        };
        let found = members.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }

    /// An element of an array.
    pub(crate) fn elements(&self) -> &[Self] {
        match self {
            Self::Array(elements) => elements,
            _ => &[],
        }
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A whole number, or one written as text.
    pub(crate) fn as_whole(&self) -> Option<i64> {
        match self {
            Self::Number(number) if number.is_integer() => i64::try_from(*number).ok(),
            Self::Text(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// The kind alone, for what may not be shown.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_unwritable| fmt::Error)?)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => RawValue::from_string(number.to_string())
                .map_err(serde::ser::Error::custom)?
                .serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Array(elements) => serializer.collect_seq(elements),
            Self::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = raw.get().trim();
        let read = match text.as_bytes().first() {
            Some(b'{') => {
                serde_json::from_str::<Members>(text).map(|members| Self::Object(members.0))
            }
            Some(b'[') => serde_json::from_str(text).map(Self::Array),
            Some(b'"') => serde_json::from_str(text).map(Self::Text),
            Some(b't' | b'f') => serde_json::from_str(text).map(Self::Bool),
            Some(b'n') => Ok(Self::Null),
            _ => Decimal::from_str_exact(text)
                .or_else(|_plain| Decimal::from_scientific(text))
                .map(Self::Number)
                .map_err(Error::custom),
        };
        read.map_err(D::Error::custom)
    }
}

struct Members(Vec<(String, Json)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members: Vec<(String, Json)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Json>()? {
                    if members.iter().any(|(known, _)| *known == name) {
                        return Err(A::Error::custom(format!("`{name}` stands twice")));
                    }
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

#[test]
fn every_digit_is_kept_and_a_name_stands_once() {
    assert_eq!(
        Json::read("9.0"),
        Json::read("9"),
        "a value, not a spelling"
    );
    assert_ne!(
        Json::read("26.080000000000000001"),
        Json::read("26.08"),
        "a binary fraction would not tell"
    );
    let twice = Json::read(r#"{ "a": { "b": 1, "b": 2 } }"#);
    assert!(twice.is_err_and(|words| words.contains("`b` stands twice")));
}
