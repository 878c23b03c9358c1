//! Reads values that the specification has as text and live services publish as records: states, countries,
//! time zones, references. Text, numbers and records are all accepted; of a record, only the needed fields
//! are read.

use std::fmt;

use rust_decimal::Decimal;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::value::RawValue;

use super::super::carrier::NamedRecord;
use super::super::values::decimal;
use super::text_or_record::{TextOrRecord, read_text_or_record};

/// Reads a number, text, or the id of a record.
pub(crate) fn id_text<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    Ok(read_text_or_record(deserializer, ["id", "value"])?.first())
}

/// Reads a state or region from text or from the code of a record.
pub(crate) fn code_or_default<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    let state = read_text_or_record(deserializer, ["code", "abbreviation", "name"])?;
    Ok(state.first().unwrap_or_default())
}

/// Reads a country from text or from a record. A record's three-letter code is preferred, then its two-letter
/// code, then its name.
pub(crate) fn country_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let names = ["code3", "code2", "code", "name", "displayName"];
    Ok(read_text_or_record(deserializer, names)?.first())
}

/// Reads a country like [`country_or_nothing`], but gives empty text for none.
pub(crate) fn country_or_default<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    Ok(country_or_nothing(deserializer)?.unwrap_or_default())
}

/// Reads a time zone from text or from the name of a record. If the record's name is not an IANA name ("AUS
/// Eastern Standard Time") but `jsName` is, `jsName` is used.
pub(crate) fn time_zone_or_default<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    let zone = match read_text_or_record(deserializer, ["name", "jsName"])? {
        TextOrRecord::Record([Some(name), Some(js)]) if js.contains('/') && !name.contains('/') => {
            Some(js)
        }
        zone => zone.first(),
    };
    Ok(zone.unwrap_or_default())
}

/// Reads a Hazchem code, with its id if given, from text or from a record. The field names inside the record
/// are not published, so several are tried.
pub(crate) fn hazchem_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<(Option<i64>, String)>, D::Error> {
    let names = ["id", "hazchem", "hazchemCode", "code", "name"];
    Ok(match read_text_or_record(deserializer, names)? {
        TextOrRecord::Nothing => None,
        TextOrRecord::Text(code) => Some((None, code)),
        TextOrRecord::Record([id, codes @ ..]) => {
            let code = codes.into_iter().flatten().find(|code| !code.is_empty());
            Some((
                id.and_then(|id| id.trim().parse().ok()),
                code.unwrap_or_default(),
            ))
        }
    })
}

/// Reads a list of barcodes, each as text, a number or a record. Null gives an empty list.
pub(crate) fn references_or_default<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<String>, D::Error> {
    struct Reference(Option<String>);
    impl<'de> Deserialize<'de> for Reference {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let names = ["carrierItemReference", "itemReference", "reference", "name"];
            Ok(Self(read_text_or_record(deserializer, names)?.first()))
        }
    }
    let all = Option::<Vec<Reference>>::deserialize(deserializer)?.unwrap_or_default();
    Ok(all.into_iter().filter_map(|one| one.0).collect())
}

/// Reads a carrier or a carrier's service from a record, an id alone, or a name alone. A name alone gets the
/// id 0, which must not be sent.
pub(crate) fn named_or_nothing<'de, D, Id>(
    deserializer: D,
) -> Result<Option<NamedRecord<Id>>, D::Error>
where
    D: Deserializer<'de>,
    Id: Deserialize<'de> + From<i64>,
{
    struct NamedVisitor<Id>(std::marker::PhantomData<Id>);
    impl<'de, Id: Deserialize<'de> + From<i64>> Visitor<'de> for NamedVisitor<Id> {
        type Value = Option<NamedRecord<Id>>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a record, a number, or a name")
        }
        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
        fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
        fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
            inner.deserialize_any(self)
        }
        fn visit_i64<E: Error>(self, id: i64) -> Result<Self::Value, E> {
            Ok(Some(NamedRecord::from_id_and_name(
                id.into(),
                String::new(),
            )))
        }
        fn visit_u64<E: Error>(self, id: u64) -> Result<Self::Value, E> {
            let id = i64::try_from(id);
            self.visit_i64(id.map_err(|_too_large| E::custom("a number above 2^63"))?)
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
            Ok(match (text.trim(), text.trim().parse::<i64>()) {
                ("", _) => None,
                (_, Ok(id)) => Some(NamedRecord::from_id_and_name(id.into(), String::new())),
                (name, Err(_)) => Some(NamedRecord::from_id_and_name(0.into(), name.to_owned())),
            })
        }
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            NamedRecord::deserialize(de::value::MapAccessDeserializer::new(map)).map(Some)
        }
    }
    deserializer.deserialize_any(NamedVisitor(std::marker::PhantomData))
}

/// Reads a record like [`named_or_nothing`], but requires an id.
pub(crate) fn named<'de, D, Id>(deserializer: D) -> Result<NamedRecord<Id>, D::Error>
where
    D: Deserializer<'de>,
    Id: Deserialize<'de> + From<i64> + PartialEq,
{
    let named = named_or_nothing(deserializer)?.filter(|named| named.id != Id::from(0));
    named.ok_or_else(|| D::Error::custom("no record with an id"))
}

/// Reads a decimal from a number or from text, with or without a dollar sign. Null, empty text and words
/// give `None`.
pub(crate) fn amount_or_nothing<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: From<Decimal>,
{
    // Reads the raw text, so that no digit is lost.
    let raw = Option::<&RawValue>::deserialize(deserializer)?;
    Ok(raw.and_then(|raw| {
        let text = raw.get().trim_matches('"').trim().trim_start_matches('$');
        decimal(&text.replace(',', "")).map(T::from)
    }))
}
