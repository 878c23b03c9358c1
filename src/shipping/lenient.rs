//! Deserializers for the forms that live services really send: numbers as strings, null, alternate field
//! names, records where the specification has text.
//!
//! Errors never quote the value that could not be read, because it may be a customer's data.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;

use jiff::SignedDuration;
use jiff::civil::Time;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde::de::value::{self, MapAccessDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer as _,
    MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_json::value::RawValue;

use super::company::NamedRecord;
use super::values::decimal;

/// Implements serde for records that live services also publish under other field names. The record derives
/// with `remote = "Self"`; after reading, its `merge_alternate_fields` method moves values to the
/// specification's fields.
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

/// Chooses the reader of each field of a record by the field's type. Other types need their own attribute; a
/// field that is read in another way than its type says is marked with `#[serde_with(skip_apply)]`.
macro_rules! lenient_fields {
    ($($record:tt)*) => {
        #[serde_with::apply(
            bool => #[serde(default, deserialize_with = "crate::lenient::or_default")],
            String => #[serde(default, deserialize_with = "crate::lenient::text_or_default")],
            Option<String> => #[serde(default, deserialize_with = "crate::lenient::text_or_nothing")],
            Option<LocalTime> => #[serde(default, deserialize_with = "crate::lenient::or_nothing")],
            Option<UtcTime> => #[serde(default, deserialize_with = "crate::lenient::or_nothing")],
            Option<CarrierId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
            Option<CompanyCarrierAccountId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
            Option<CompanyDgItemId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
            Option<CompanyId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
            Option<CompanyItemId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
            Option<CompanyLocationId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
            Option<ConsignmentId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
            Option<ManifestId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
        )]
        $($record)*
    };
}
pub(super) use lenient_fields;

/// Defines a record of the service's interface with [`lenient_fields`] and the derives that every record has.
macro_rules! lenient_record {
    ($($record:tt)*) => {
        crate::lenient::lenient_fields! {
            #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
            #[serde(rename_all = "camelCase")]
            $($record)*
        }
    };
}
pub(super) use lenient_record;

/// A value in the form in which it came; `R` is the content of a record.
pub(super) enum WireValue<R> {
    Nothing,
    Whole(i128),
    Fraction(f64),
    Text(String),
    Record(R),
}

impl<R> WireValue<R> {
    /// Returns the text, or the number as text; otherwise the record.
    fn into_text(self) -> Result<Option<String>, R> {
        match self {
            Self::Nothing => Ok(None),
            Self::Whole(number) => Ok(Some(number.to_string())),
            Self::Fraction(number) => Ok(Some(number.to_string())),
            Self::Text(text) => Ok(Some(text)),
            Self::Record(record) => Err(record),
        }
    }
}

/// Reads null, a number, text, or a record. Anything else is an error that names the `expected` forms.
pub(super) fn wire_value<'de, D, S>(
    deserializer: D,
    expected: &'static str,
    record: S,
) -> Result<WireValue<S::Value>, D::Error>
where
    D: Deserializer<'de>,
    S: DeserializeSeed<'de>,
{
    deserializer.deserialize_any(WireVisitor {
        expected,
        record,
        skips_others: false,
    })
}

struct WireVisitor<S> {
    expected: &'static str,
    record: S,
    /// Whether booleans and lists are read as nothing.
    skips_others: bool,
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for WireVisitor<S> {
    type Value = WireValue<S::Value>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }
    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(WireValue::Nothing)
    }
    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(WireValue::Nothing)
    }
    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        inner.deserialize_any(self)
    }
    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(WireValue::Whole(number.into()))
    }
    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(WireValue::Whole(number.into()))
    }
    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok(WireValue::Fraction(number))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(WireValue::Text(text.to_owned()))
    }
    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        if self.skips_others {
            return Ok(WireValue::Nothing);
        }
        Err(E::invalid_type(Unexpected::Bool(value), &self))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        if !self.skips_others {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(WireValue::Nothing)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let record = self.record.deserialize(MapAccessDeserializer::new(map))?;
        Ok(WireValue::Record(record))
    }
}

/// Refuses a record where only the `expected` forms are readable.
struct NoRecord(&'static str);

impl<'de> DeserializeSeed<'de> for NoRecord {
    type Value = Infallible;
    fn deserialize<D: Deserializer<'de>>(self, _record: D) -> Result<Infallible, D::Error> {
        Err(D::Error::invalid_type(Unexpected::Map, &self.0))
    }
}

/// Reads the named fields of a record as text, in the order of the names.
struct Fields<const N: usize>([&'static str; N]);

impl<'de, const N: usize> DeserializeSeed<'de> for Fields<N> {
    type Value = [Option<String>; N];
    fn deserialize<D: Deserializer<'de>>(self, record: D) -> Result<Self::Value, D::Error> {
        record.deserialize_map(self)
    }
}

impl<'de, const N: usize> Visitor<'de> for Fields<N> {
    type Value = [Option<String>; N];
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = [const { None }; N];
        while let Some(Written(name)) = map.next_key()? {
            match { self.0.iter().zip(&mut fields) }.find(|(known, _)| **known == name) {
                Some((_, field)) => *field = map.next_value::<Scalar>()?.0,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(fields)
    }
}

/// Text, borrowed from the answer where possible.
#[derive(Deserialize)]
#[serde(transparent)]
struct Written<'a>(#[serde(borrow)] Cow<'a, str>);

/// Text, or a number as text; `None` for any other value.
struct Scalar(Option<String>);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = deserializer.deserialize_any(WireVisitor {
            expected: "any value",
            record: PhantomData::<IgnoredAny>,
            skips_others: true,
        })?;
        Ok(Self(value.into_text().unwrap_or_default()))
    }
}

const WHOLE: &str = "a whole number, or one as text";

/// Converts a number or text to a whole number. Nothing and blank text give `None`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "checked to be whole and in range just before"
)]
fn whole<E: Error>(value: WireValue<Infallible>, rounds: bool) -> Result<Option<i64>, E> {
    let refused = |found| E::invalid_value(Unexpected::Other(found), &WHOLE);
    let fraction = match value {
        WireValue::Nothing => return Ok(None),
        WireValue::Whole(number) => {
            let number = i64::try_from(number).map(Some);
            return number.map_err(|_too_large| refused("a number above 2^63"));
        }
        WireValue::Fraction(fraction) => fraction,
        WireValue::Text(text) => match (text.trim(), text.trim().parse::<f64>()) {
            ("", _) => return Ok(None),
            (text, Ok(fraction)) if rounds && text.contains('.') => fraction,
            (text, _) => {
                let number = text.parse().map(Some);
                return number.map_err(|_not_a_number| refused("other text"));
            }
        },
    };
    let fraction = if rounds { fraction.round() } else { fraction };
    if fraction.fract() == 0.0 && fraction.abs() < 9e15 {
        Ok(Some(fraction as i64))
    } else {
        Err(refused("a fraction"))
    }
}

/// Reads a whole number from a number or from text.
pub(super) fn integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    let value = wire_value(deserializer, WHOLE, NoRecord(WHOLE))?;
    if matches!(value, WireValue::Nothing) {
        return Err(D::Error::invalid_type(Unexpected::Unit, &WHOLE));
    }
    let blank = || D::Error::invalid_value(Unexpected::Other("other text"), &WHOLE);
    whole(value, false)?.ok_or_else(blank)
}

/// Reads a whole number from a number or from text; null and blank text give `None`.
pub(super) fn integer_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<i64>, D::Error> {
    whole(wire_value(deserializer, WHOLE, NoRecord(WHOLE))?, false)
}

/// Reads a whole number like [`integer_or_nothing`], but gives `None` for anything else.
pub(super) fn whole_or_ignored<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<i64>, D::Error> {
    let Scalar(text) = Scalar::deserialize(deserializer)?;
    Ok(text.and_then(|text| text.trim().parse().ok()))
}

/// Reads a count like [`integer_or_nothing`], but rounds fractions.
pub(super) fn count_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<i64>, D::Error> {
    whole(wire_value(deserializer, WHOLE, NoRecord(WHOLE))?, true)
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
    let id = id_text(deserializer)?.and_then(|id| id.trim().parse::<i64>().ok());
    Ok(id.map(Id::from))
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
    let text = Option::<Written<'_>>::deserialize(deserializer)?;
    let Some(Written(text)) = text.filter(|text| !text.0.trim().is_empty()) else {
        return Ok(None);
    };
    // The inner error could quote the value, so it is replaced.
    let read: Result<T, value::Error> = T::deserialize((&*text).into_deserializer());
    read.map(Some)
        .map_err(|_other| D::Error::custom("of another kind"))
}

const TEXT: &str = "text, or a number";

/// Reads text from text or from a number, because item types and question ids come both ways.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let Ok(text) = wire_value(deserializer, TEXT, NoRecord(TEXT))?.into_text();
    text.ok_or_else(|| D::Error::invalid_type(Unexpected::Unit, &TEXT))
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
    let Ok(text) = wire_value(deserializer, TEXT, NoRecord(TEXT))?.into_text();
    Ok(text.filter(|text| !text.is_empty()))
}

/// Reads a list of texts, each given as text, as a number or as a record with an id. Null gives an
/// empty list.
pub(super) fn texts_or_default<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    struct OneOf(#[serde(deserialize_with = "id_text")] Option<String>);
    let texts = Option::<Vec<OneOf>>::deserialize(deserializer)?.unwrap_or_default();
    Ok(texts.into_iter().filter_map(|text| text.0).collect())
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

const TEXT_OR_RECORD: &str = "text, a number, or a record";

/// Reads text, a number as text, or the first field of a record, in the order of `names`, that is not empty.
fn text_or_field<'de, D: Deserializer<'de>, const N: usize>(
    deserializer: D,
    names: [&'static str; N],
) -> Result<Option<String>, D::Error> {
    let value = wire_value(deserializer, TEXT_OR_RECORD, Fields(names))?;
    let text = value.into_text().unwrap_or_else(first_given);
    Ok(text.filter(|text| !text.is_empty()))
}

/// Returns the first field that is not empty.
fn first_given<const N: usize>(fields: [Option<String>; N]) -> Option<String> {
    fields.into_iter().flatten().find(|text| !text.is_empty())
}

/// Reads a number, text, or the id of a record.
fn id_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    text_or_field(deserializer, ["id", "value"])
}

/// Reads a state or region from text or from the code of a record.
pub(super) fn code_or_default<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    let state = text_or_field(deserializer, ["code", "abbreviation", "name"])?;
    Ok(state.unwrap_or_default())
}

/// Reads a country from text or from a record. A record's three-letter code is preferred, then its two-letter
/// code, then its name.
pub(super) fn country_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let names = ["code3", "code2", "code", "name", "displayName"];
    text_or_field(deserializer, names)
}

/// Reads a country like [`country_or_nothing`], but gives empty text for none.
pub(super) fn country_or_default<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    Ok(country_or_nothing(deserializer)?.unwrap_or_default())
}

/// Reads a time zone from text or from the name of a record. If the record's name is not an IANA name ("AUS
/// Eastern Standard Time") but `jsName` is, `jsName` is used.
pub(super) fn time_zone_or_default<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    let value = wire_value(deserializer, TEXT_OR_RECORD, Fields(["name", "jsName"]))?;
    let zone = value.into_text().unwrap_or_else(|fields| match fields {
        [Some(name), Some(js)] if js.contains('/') && !name.contains('/') => Some(js),
        fields => first_given(fields),
    });
    Ok(zone.unwrap_or_default())
}

/// Reads a Hazchem code, with its id if given, from text or from a record. The field names inside the record
/// are not published, so several are tried.
pub(super) fn hazchem_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<(Option<i64>, String)>, D::Error> {
    let names = ["id", "hazchem", "hazchemCode", "code", "name"];
    let value = wire_value(deserializer, TEXT_OR_RECORD, Fields(names))?;
    Ok(match value.into_text() {
        Ok(code) => code.map(|code| (None, code)),
        Err([id, codes @ ..]) => {
            let id = id.and_then(|id| id.trim().parse().ok());
            Some((id, first_given(codes).unwrap_or_default()))
        }
    })
}

/// Reads a list of barcodes, each as text, a number or a record. Null gives an empty list.
pub(super) fn references_or_default<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<String>, D::Error> {
    struct Reference(Option<String>);
    impl<'de> Deserialize<'de> for Reference {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let names = ["carrierItemReference", "itemReference", "reference", "name"];
            text_or_field(deserializer, names).map(Self)
        }
    }
    let all = Option::<Vec<Reference>>::deserialize(deserializer)?.unwrap_or_default();
    Ok(all.into_iter().filter_map(|one| one.0).collect())
}

/// Reads a value of a numbered enum from a number, text or a record with an id. Null and unknown numbers
/// give `None`.
pub(super) fn numbered<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u8>,
{
    let number = id_text(deserializer)?;
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

/// Reads a carrier or a carrier's service from a record, an id alone, or a name alone. A name alone gets the
/// id 0, which must not be sent.
pub(super) fn named_or_nothing<'de, D, Id>(
    deserializer: D,
) -> Result<Option<NamedRecord<Id>>, D::Error>
where
    D: Deserializer<'de>,
    Id: Deserialize<'de> + From<i64>,
{
    const NAMED: &str = "a record, a number, or a name";
    let record = |id: i64, name: &str| NamedRecord::from_id_and_name(id.into(), name.to_owned());
    Ok(match wire_value(deserializer, NAMED, PhantomData)? {
        WireValue::Nothing => None,
        WireValue::Record(record) => Some(record),
        WireValue::Whole(id) => {
            let id = i64::try_from(id);
            let id = id.map_err(|_too_large| D::Error::custom("a number above 2^63"))?;
            Some(record(id, ""))
        }
        WireValue::Fraction(number) => {
            return Err(D::Error::invalid_type(Unexpected::Float(number), &NAMED));
        }
        WireValue::Text(text) => match (text.trim(), text.trim().parse()) {
            ("", _) => None,
            (_, Ok(id)) => Some(record(id, "")),
            (name, Err(_)) => Some(record(0, name)),
        },
    })
}

/// Reads a record like [`named_or_nothing`], but requires an id.
pub(super) fn named<'de, D, Id>(deserializer: D) -> Result<NamedRecord<Id>, D::Error>
where
    D: Deserializer<'de>,
    Id: Deserialize<'de> + From<i64> + PartialEq,
{
    let named = named_or_nothing(deserializer)?.filter(|named| named.id != Id::from(0));
    named.ok_or_else(|| D::Error::custom("no record with an id"))
}

/// Reads a decimal from a number or from text, with or without a dollar sign. Null, empty text and words
/// give `None`.
pub(super) fn amount_or_nothing<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
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

/// Reads a time of day from `"15:30:00"` or from a time span `{hours, minutes, seconds, …}`. Null and blank
/// text give `None`.
pub(super) fn time_of_day_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Time>, D::Error> {
    /// .NET's tick is a tenth of a microsecond.
    const TICKS_IN_A_SECOND: f64 = 1e7;
    const NAMES: [&str; 7] = [
        "hours",
        "minutes",
        "seconds",
        "ticks",
        "totalSeconds",
        "totalMinutes",
        "totalHours",
    ];
    let number = |text: &Option<String>| text.as_deref()?.trim().parse::<f64>().ok();
    let value = wire_value(deserializer, TEXT_OR_RECORD, Fields(NAMES))?;
    let time = match value.into_text() {
        Ok(text) => match text.as_deref().map_or("", str::trim) {
            "" => return Ok(None),
            text => text.parse().ok(),
        },
        Err(fields) => {
            let [hours, minutes, seconds, totals @ ..] = fields.each_ref().map(number);
            let units = [1.0 / TICKS_IN_A_SECOND, 1.0, 60.0, 3600.0];
            let mut totals = totals.into_iter().zip(units);
            let seconds = match hours {
                Some(hours) => {
                    Some(hours * 3600.0 + minutes.unwrap_or(0.0) * 60.0 + seconds.unwrap_or(0.0))
                }
                None => totals.find_map(|(total, unit)| Some(total? * unit)),
            };
            // Fractions of a second are rounded; only times within one day are times of day.
            seconds
                .and_then(|seconds| SignedDuration::try_from_secs_f64(seconds.round()).ok())
                .and_then(|since| Time::midnight().checked_add(since).ok())
        }
    };
    let unreadable = || D::Error::custom("not a time of day");
    time.ok_or_else(unreadable).map(Some)
}
