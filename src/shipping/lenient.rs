//! Deserializers for the forms that live services really send: numbers as strings, null, alternate field
//! names, records where the specification has text.
//!
//! Errors never quote the value that could not be read, because it may be a customer's data.

mod records;
mod text_or_record;
mod time_of_day;

/// Implements serde for records that live services also publish under other field names. The record derives
/// with `remote = "Self"`; after reading, its `settle` method moves values to the specification's fields.
macro_rules! published_too {
    ($($name:ident),+ $(,)?) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let mut read = Self::deserialize(deserializer)?;
                read.merge_alternate_fields();
                Ok(read)
            }
        }
    )+};
}
pub(super) use published_too;

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{
    DeserializeOwned, Deserializer, Error, IntoDeserializer as _, Unexpected, Visitor, value,
};

pub(super) use records::{
    amount_or_nothing, code_or_default, country_or_default, country_or_nothing, hazchem_or_nothing,
    named, named_or_nothing, references_or_default, time_zone_or_default,
};
pub(super) use time_of_day::time_of_day_or_nothing;

/// Reads a whole number from a number or from text.
pub(super) fn integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    deserializer.deserialize_any(IntegerVisitor)
}

struct IntegerVisitor;
impl Visitor<'_> for IntegerVisitor {
    type Value = i64;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, or one as text")
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<i64, E> {
        Ok(value)
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<i64, E> {
        i64::try_from(value)
            .map_err(|_too_large| E::invalid_value(Unexpected::Other("a number above 2^63"), &self))
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked to be whole and in range just before"
    )]
    fn visit_f64<E: Error>(self, value: f64) -> Result<i64, E> {
        if value.fract() == 0.0 && value.abs() < 9e15 {
            Ok(value as i64)
        } else {
            Err(E::invalid_value(Unexpected::Other("a fraction"), &self))
        }
    }
    fn visit_str<E: Error>(self, value: &str) -> Result<i64, E> {
        value
            .trim()
            .parse()
            .map_err(|_not_a_number| E::invalid_value(Unexpected::Other("other text"), &self))
    }
}

/// Reads null as the type's default. Combine with `#[serde(default)]` for a missing field.
pub(super) fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// Reads a value that is written as text; null and blank text give `None`. Combine with `#[serde(default)]`
/// for a missing field.
pub(super) fn or_nothing<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    struct Written<T>(PhantomData<T>);
    impl<'de, T: DeserializeOwned> Visitor<'de> for Written<T> {
        type Value = Option<T>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("text")
        }
        fn visit_unit<E: Error>(self) -> Result<Option<T>, E> {
            Ok(None)
        }
        fn visit_none<E: Error>(self) -> Result<Option<T>, E> {
            Ok(None)
        }
        fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Option<T>, D::Error> {
            inner.deserialize_str(self)
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<Option<T>, E> {
            if text.trim().is_empty() {
                return Ok(None);
            }
            // The inner error could quote the value, so it is replaced.
            let read: Result<T, value::Error> = T::deserialize(text.into_deserializer());
            read.map(Some)
                .map_err(|_other| E::custom("of another kind"))
        }
    }
    deserializer.deserialize_option(Written(PhantomData))
}

/// Reads a whole number from a number or from text; null and blank text give `None`.
pub(super) fn integer_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<i64>, D::Error> {
    deserializer.deserialize_any(OptionalIntegerVisitor { rounds: false })
}

/// Reads a count like [`integer_or_nothing`], but rounds fractions.
pub(super) fn count_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<i64>, D::Error> {
    deserializer.deserialize_any(OptionalIntegerVisitor { rounds: true })
}

struct OptionalIntegerVisitor {
    rounds: bool,
}

impl<'de> Visitor<'de> for OptionalIntegerVisitor {
    type Value = Option<i64>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        IntegerVisitor.expecting(f)
    }
    fn visit_unit<E: Error>(self) -> Result<Option<i64>, E> {
        Ok(None)
    }
    fn visit_none<E: Error>(self) -> Result<Option<i64>, E> {
        Ok(None)
    }
    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Option<i64>, D::Error> {
        inner.deserialize_any(self)
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<Option<i64>, E> {
        IntegerVisitor.visit_i64(value).map(Some)
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<Option<i64>, E> {
        IntegerVisitor.visit_u64(value).map(Some)
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Option<i64>, E> {
        let value = if self.rounds { value.round() } else { value };
        IntegerVisitor.visit_f64(value).map(Some)
    }
    fn visit_str<E: Error>(self, value: &str) -> Result<Option<i64>, E> {
        let text = value.trim();
        if text.is_empty() {
            return Ok(None);
        }
        match text.parse::<f64>() {
            Ok(fraction) if self.rounds && text.contains('.') => self.visit_f64(fraction),
            _ => IntegerVisitor.visit_str(text).map(Some),
        }
    }
}

/// Reads text from text or from a number, because item types and question ids come both ways.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    struct Text;
    impl Visitor<'_> for Text {
        type Value = String;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("text, or a number")
        }
        fn visit_i64<E: Error>(self, value: i64) -> Result<String, E> {
            Ok(value.to_string())
        }
        fn visit_u64<E: Error>(self, value: u64) -> Result<String, E> {
            Ok(value.to_string())
        }
        fn visit_f64<E: Error>(self, value: f64) -> Result<String, E> {
            Ok(value.to_string())
        }
        fn visit_str<E: Error>(self, value: &str) -> Result<String, E> {
            Ok(value.to_owned())
        }
    }
    deserializer.deserialize_any(Text)
}

/// Reads text from text or from a number; null gives empty text. Combine with `#[serde(default)]`.
pub(super) fn text_or_default<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    Ok(text_or_nothing(deserializer)?.unwrap_or_default())
}

/// Reads text from text or from a number; null and empty text give `None`.
pub(super) fn text_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let text = Option::<Text>::deserialize(deserializer)?.map(|text| text.0);
    Ok(text.filter(|text| !text.is_empty()))
}

/// Reads a list of texts, each given as text, as a number or as a record with an id. Null gives an
/// empty list.
pub(super) fn texts_or_default<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    struct OneOf(#[serde(deserialize_with = "records::id_text")] Option<String>);
    let texts = Option::<Vec<OneOf>>::deserialize(deserializer)?.unwrap_or_default();
    Ok(texts.into_iter().filter_map(|text| text.0).collect())
}

/// Reads an id; null and blank text give `None`.
pub(super) fn id_or_nothing<'de, D, Id>(deserializer: D) -> Result<Option<Id>, D::Error>
where
    D: Deserializer<'de>,
    Id: From<i64>,
{
    Ok(integer_or_nothing(deserializer)?.map(Id::from))
}

/// Reads an id that is given alone or inside a record.
pub(super) fn record_id_or_nothing<'de, D, Id>(deserializer: D) -> Result<Option<Id>, D::Error>
where
    D: Deserializer<'de>,
    Id: From<i64>,
{
    let id = records::id_text(deserializer)?;
    Ok(id
        .and_then(|id| id.trim().parse::<i64>().ok())
        .map(Id::from))
}

/// Reads a list of texts or a single text. Null and empty text give an empty list.
pub(super) fn one_or_more_texts<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Texts {
        One(String),
        More(Vec<String>),
    }
    let texts = Option::<Texts>::deserialize(deserializer);
    Ok(
        match texts.map_err(|_other| D::Error::custom("neither text nor a list of texts"))? {
            None => Vec::new(),
            Some(Texts::One(text)) if text.is_empty() => Vec::new(),
            Some(Texts::One(text)) => vec![text],
            Some(Texts::More(texts)) => texts,
        },
    )
}

/// Reads a value of a numbered enum from a number, text or a record with an id. Null and unknown numbers
/// give `None`.
pub(super) fn numbered<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u8>,
{
    let number = records::id_text(deserializer)?;
    Ok(number.and_then(|number| on_list(&number)))
}

/// Reads a list of numbered enum values, each as in [`numbered`]. Unknown numbers are skipped; null gives an
/// empty list.
pub(super) fn all_numbered<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u8>,
{
    let numbers = texts_or_default(deserializer)?;
    Ok(numbers
        .iter()
        .filter_map(|number| on_list(number))
        .collect())
}

fn on_list<T: TryFrom<u8>>(number: &str) -> Option<T> {
    let number = number.trim();
    let number = number.strip_suffix(".0").unwrap_or(number);
    number.parse::<u8>().ok()?.try_into().ok()
}

/// Text that may also come as a number.
#[derive(Deserialize)]
struct Text(#[serde(deserialize_with = "text")] String);
