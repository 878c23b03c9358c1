//! Reading what live services really send: numbers as strings, null for nothing, one name or another, records where the
//! specification has text.
//!
//! Never quotes the value that it could not read: it may be a customer's.

mod parts;
mod records;
mod time_of_day;

/// Reads and writes a record that live services publish under other names too: derived with `remote = "Self"`, and then what
/// came under those names is put where the specification has it, by the record's own `settle`.
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
                read.settle();
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

/// A whole number given as a number or as text.
pub(super) fn integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    deserializer.deserialize_any(Whole)
}

/// Reads a whole number.
struct Whole;
impl Visitor<'_> for Whole {
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

/// The type's default where the service says null; combine with `#[serde(default)]` for a missing field.
pub(super) fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// A value that is written as text, or nothing where the service says null or empty text; combine with
/// `#[serde(default)]` for a missing field.
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
            // The inner error's text could quote the value.
            let read: Result<T, value::Error> = T::deserialize(text.into_deserializer());
            read.map(Some)
                .map_err(|_other| E::custom("of another kind"))
        }
    }
    deserializer.deserialize_option(Written(PhantomData))
}

/// A whole number given as a number or as text, or nothing where the service says null or empty text.
pub(super) fn integer_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<i64>, D::Error> {
    deserializer.deserialize_any(WholeOrNothing { rounds: false })
}

/// A count: as [`integer_or_nothing`], and a fraction is rounded.
pub(super) fn count_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<i64>, D::Error> {
    deserializer.deserialize_any(WholeOrNothing { rounds: true })
}

struct WholeOrNothing {
    rounds: bool,
}

impl<'de> Visitor<'de> for WholeOrNothing {
    type Value = Option<i64>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Whole.expecting(f)
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
        Whole.visit_i64(value).map(Some)
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<Option<i64>, E> {
        Whole.visit_u64(value).map(Some)
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Option<i64>, E> {
        let value = if self.rounds { value.round() } else { value };
        Whole.visit_f64(value).map(Some)
    }
    fn visit_str<E: Error>(self, value: &str) -> Result<Option<i64>, E> {
        let text = value.trim();
        if text.is_empty() {
            return Ok(None);
        }
        match text.parse::<f64>() {
            Ok(fraction) if self.rounds && text.contains('.') => self.visit_f64(fraction),
            _ => Whole.visit_str(text).map(Some),
        }
    }
}

/// Text given as text or as a number (item types and question ids come both ways).
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

/// Text given as text or as a number, empty where the service says null; combine with `#[serde(default)]`.
pub(super) fn text_or_default<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    Ok(text_or_nothing(deserializer)?.unwrap_or_default())
}

/// Text given as text or as a number, or nothing where the service says null or empty text.
pub(super) fn text_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let text = Option::<Text>::deserialize(deserializer)?.map(|text| text.0);
    Ok(text.filter(|text| !text.is_empty()))
}

/// A list of texts, each given as text, as a number or as a record with an id; empty where the service says null.
pub(super) fn texts_or_default<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    struct OneOf(#[serde(deserialize_with = "records::id_text")] Option<String>);
    let texts = Option::<Vec<OneOf>>::deserialize(deserializer)?.unwrap_or_default();
    Ok(texts.into_iter().filter_map(|text| text.0).collect())
}

/// An id, or nothing where the service says null or empty text.
pub(super) fn id_or_nothing<'de, D, Id>(deserializer: D) -> Result<Option<Id>, D::Error>
where
    D: Deserializer<'de>,
    Id: From<i64>,
{
    Ok(integer_or_nothing(deserializer)?.map(Id::from))
}

/// The id of a record, or an id alone; nothing where the service says neither.
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

/// A list of texts, or one alone; empty where the service says null or empty text.
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

/// One of a numbered list, given as a number, as text or as a record with an id; nothing for null and for what is outside the
/// list.
pub(super) fn numbered<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u8>,
{
    let number = records::id_text(deserializer)?;
    Ok(number.and_then(|number| on_list(&number)))
}

/// The numbers of a list that are on it, each as in [`numbered`]; empty where the service says null.
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

/// Text that may come as a number.
#[derive(Deserialize)]
struct Text(#[serde(deserialize_with = "text")] String);
