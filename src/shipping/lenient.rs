//! Deserializers for the forms that live services really send: numbers as strings, null, alternate field
//! names, records where the specification has text.
//!
//! Errors never quote the value that could not be read, because it may be a customer's data.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use jiff::SignedDuration;
use jiff::civil::Time;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde::de::value::{self, MapAccessDeserializer};
use serde::de::{
    DeserializeOwned, Deserializer, Error, IgnoredAny, IntoDeserializer as _, MapAccess,
    Unexpected, Visitor,
};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

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
            Vec<_> => #[serde(default, deserialize_with = "crate::lenient::or_default")],
            Option<String> => #[serde(default, deserialize_with = "crate::lenient::text_or_nothing")],
            Option<i64> => #[serde(default, deserialize_with = "crate::lenient::count_or_nothing")],
            Option<LocalTime> => #[serde(default, deserialize_with = "crate::lenient::or_nothing")],
            Option<UtcTime> => #[serde(default, deserialize_with = "crate::lenient::or_nothing")],
            Option<Time> => #[serde(default, deserialize_with = "crate::lenient::time_of_day_or_nothing")],
            Option<DgClass> => #[serde(default, deserialize_with = "crate::lenient::numbered")],
            Option<PackingGroup> => #[serde(default, deserialize_with = "crate::lenient::numbered")],
            Option<Status> => #[serde(default, deserialize_with = "crate::status::status_or_nothing")],
            Option<NamedRecord<_>> => #[serde(default, deserialize_with = "crate::lenient::named_or_nothing")],
            Option<CarrierId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
            Option<CompanyCarrierAccountId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
            Option<CompanyId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
            Option<CompanyLocationId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
            Option<ConsignmentId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
            Option<ManifestId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
        )]
        $($record)*
    };
}
pub(super) use lenient_fields;

/// Defines records that are both sent and received: read like [`lenient_fields`], written like [`request_records`].
macro_rules! two_way_records {
    ($($(#[$meta:meta])* pub struct $name:ident { $($fields:tt)* })+) => {$(
        #[serde_with::skip_serializing_none]
        #[serde_with::apply(
            Vec<_> => #[serde(default, deserialize_with = "crate::lenient::or_default", skip_serializing_if = "Vec::is_empty")],
            Option<String> => #[serde(default, deserialize_with = "crate::lenient::text_or_nothing")],
            Option<u32> => #[serde(default, deserialize_with = "crate::lenient::count_or_nothing")],
            Option<ContainerType> => #[serde(default, deserialize_with = "crate::lenient::numbered")],
            Option<DgClass> => #[serde(default, deserialize_with = "crate::lenient::numbered")],
            Option<PackingGroup> => #[serde(default, deserialize_with = "crate::lenient::numbered")],
            Option<CompanyDgItemId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
            Option<CompanyItemId> => #[serde(default, deserialize_with = "crate::lenient::id_or_nothing")],
        )]
        #[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        $(#[$meta])*
        pub struct $name { $($fields)* }
    )+};
}
pub(super) use two_way_records;

/// Defines records of the service's interface with [`lenient_fields`] and the derives that every record has.
macro_rules! lenient_records {
    ($($(#[$meta:meta])* pub struct $name:ident $(<$id:ident>)? { $($fields:tt)* })+) => {$(
        crate::lenient::lenient_fields! {
            #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
            #[serde(rename_all = "camelCase")]
            $(#[$meta])*
            pub struct $name $(<$id>)? { $($fields)* }
        }
    )+};
}
pub(super) use lenient_records;

/// Defines records that are sent, with names in the given case. Values that are `None` and empty lists are left out;
/// a list that is always sent is marked with `#[serde_with(skip_apply)]`.
macro_rules! request_records {
    ($case:literal $($(#[$meta:meta])* pub struct $name:ident { $($fields:tt)* })+) => {$(
        #[serde_with::skip_serializing_none]
        #[serde_with::apply(Vec<_> => #[serde(default, skip_serializing_if = "Vec::is_empty")])]
        #[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = $case)]
        $(#[$meta])*
        pub struct $name { $($fields)* }
    )+};
}
pub(super) use request_records;

/// A value in the form in which it was received; `R` is the type of a record.
pub(super) enum WireValue<R = Map<String, Value>> {
    Nothing,
    Whole(i128),
    Fraction(f64),
    Text(String),
    Record(R),
}

impl<R> WireValue<R> {
    /// Returns the text, or the number as text; the error is the record.
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
pub(super) fn wire_value<'de, D, R>(
    deserializer: D,
    expected: &'static str,
) -> Result<WireValue<R>, D::Error>
where
    D: Deserializer<'de>,
    R: Deserialize<'de>,
{
    deserializer.deserialize_any(WireVisitor {
        expected,
        record: PhantomData,
    })
}

struct WireVisitor<R> {
    expected: &'static str,
    record: PhantomData<R>,
}

impl<'de, R: Deserialize<'de>> Visitor<'de> for WireVisitor<R> {
    type Value = WireValue<R>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }
    fn visit_unit<E: Error>(self) -> Result<WireValue<R>, E> {
        Ok(WireValue::Nothing)
    }
    fn visit_none<E: Error>(self) -> Result<WireValue<R>, E> {
        Ok(WireValue::Nothing)
    }
    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<WireValue<R>, D::Error> {
        inner.deserialize_any(self)
    }
    fn visit_i64<E: Error>(self, number: i64) -> Result<WireValue<R>, E> {
        Ok(WireValue::Whole(number.into()))
    }
    fn visit_u64<E: Error>(self, number: u64) -> Result<WireValue<R>, E> {
        Ok(WireValue::Whole(number.into()))
    }
    fn visit_f64<E: Error>(self, number: f64) -> Result<WireValue<R>, E> {
        Ok(WireValue::Fraction(number))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<WireValue<R>, E> {
        Ok(WireValue::Text(text.to_owned()))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WireValue<R>, A::Error> {
        R::deserialize(MapAccessDeserializer::new(map)).map(WireValue::Record)
    }
}

/// Returns a text, or a number as text; `None` for any other value.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns the first of these fields that is text or a number and not empty.
fn first_given(record: &Map<String, Value>, names: &[&str]) -> Option<String> {
    let mut given = names.iter().filter_map(|name| scalar(record.get(*name)?));
    given.find(|text| !text.is_empty())
}

const WHOLE: &str = "a whole number, or one as text";

/// Reads a whole number from a number or from text. Null and blank text give `None`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "checked to be whole and in range just before"
)]
fn whole<'de, D: Deserializer<'de>>(
    deserializer: D,
    rounds: bool,
) -> Result<Option<i64>, D::Error> {
    let refused = |found| D::Error::invalid_value(Unexpected::Other(found), &WHOLE);
    let fraction = match wire_value(deserializer, WHOLE)? {
        WireValue::Nothing => return Ok(None),
        WireValue::Record(IgnoredAny) => return Err(refused("a record")),
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

const TEXT: &str = "text, or a number";
const TEXT_OR_RECORD: &str = "text, a number, or a record";

/// Defines readers of a field, as `deserialize_with` names them. A reader that accepts null is combined with
/// `#[serde(default)]`, so that the field may also be missing.
macro_rules! readers {
    ($($(#[$doc:meta])* $vis:vis $name:ident $(<$type:ident: $bound:path>)? ($from:ident) -> $result:ty $body:block)+) => {$(
        $(#[$doc])*
        $vis fn $name<'de, D: Deserializer<'de> $(, $type: $bound)?>($from: D) -> Result<$result, D::Error> $body
    )+};
}

readers! {
    /// Reads a whole number from a number or from text.
    pub(super) integer(deserializer) -> i64 {
        let blank = || D::Error::invalid_value(Unexpected::Other("nothing"), &WHOLE);
        whole(deserializer, false)?.ok_or_else(blank)
    }

    /// Reads a whole number from a number or from text, or gives `None` for any other value.
    pub(super) whole_or_ignored(deserializer) -> Option<i64> {
        let text = scalar(&Value::deserialize(deserializer)?);
        Ok(text.and_then(|text| text.trim().parse().ok()))
    }

    /// Reads a count from a number or from text, and rounds fractions; null, blank text and counts out of
    /// range give `None`.
    pub(super) count_or_nothing<T: TryFrom<i64>>(deserializer) -> Option<T> {
        let count = whole(deserializer, true)?;
        Ok(count.and_then(|count| count.try_into().ok()))
    }

    /// Reads an id; null and blank text give `None`.
    pub(super) id_or_nothing<Id: From<i64>>(deserializer) -> Option<Id> {
        Ok(whole(deserializer, false)?.map(Id::from))
    }

    /// Reads an id that is given alone or inside a record.
    pub(super) record_id_or_nothing<Id: From<i64>>(deserializer) -> Option<Id> {
        let id = id_text(deserializer)?.and_then(|id| id.trim().parse::<i64>().ok());
        Ok(id.map(Id::from))
    }

    /// Reads a value that is written as text; null and blank text give `None`. Combine with `#[serde(default)]`
    /// for a missing field.
    pub(super) or_nothing<T: DeserializeOwned>(deserializer) -> Option<T> {
        /// Text, borrowed from the answer where possible.
        #[derive(Deserialize)]
        struct Written<'a>(#[serde(borrow)] Cow<'a, str>);
        let text = Option::<Written<'_>>::deserialize(deserializer)?;
        let Some(Written(text)) = text.filter(|text| !text.0.trim().is_empty()) else {
            return Ok(None);
        };
        // The inner error could quote the value, so it is replaced.
        let read: Result<T, value::Error> = T::deserialize((&*text).into_deserializer());
        read.map(Some)
            .map_err(|_other| D::Error::custom("of another kind"))
    }

    /// Reads text or a number as text, because item types and question ids have both forms; null gives `None`.
    plain_text(deserializer) -> Option<String> {
        let text = wire_value(deserializer, TEXT)?.into_text();
        text.map_err(|IgnoredAny| D::Error::invalid_type(Unexpected::Map, &TEXT))
    }

    /// Reads text from text or from a number.
    pub(super) text(deserializer) -> String {
        let text = plain_text(deserializer)?;
        text.ok_or_else(|| D::Error::invalid_type(Unexpected::Unit, &TEXT))
    }

    /// Reads text from text or from a number; null gives empty text. Combine with `#[serde(default)]`.
    pub(super) text_or_default(deserializer) -> String {
        Ok(plain_text(deserializer)?.unwrap_or_default())
    }

    /// Reads text from text or from a number; null and empty text give `None`.
    pub(super) text_or_nothing(deserializer) -> Option<String> {
        Ok(plain_text(deserializer)?.filter(|text| !text.is_empty()))
    }

    /// Reads a number, text, or the id of a record.
    id_text(deserializer) -> Option<String> {
        text_or_field(deserializer, &["id", "value"])
    }

    /// Reads a list of texts, each given as text, as a number or as a record with an id. Null gives an
    /// empty list.
    pub(super) texts_or_default(deserializer) -> Vec<String> {
        #[derive(Deserialize)]
        struct Id(#[serde(deserialize_with = "id_text")] Option<String>);
        let texts: Vec<Id> = or_default(deserializer)?;
        Ok(texts.into_iter().filter_map(|text| text.0).collect())
    }

    /// Reads a list of texts or a single text. Null and empty text give an empty list.
    pub(super) one_or_more_texts(deserializer) -> Vec<String> {
        let texts = match Value::deserialize(deserializer)? {
            Value::Null => Vec::new(),
            Value::Array(texts) => texts,
            one => vec![one],
        };
        let texts: Option<Vec<_>> = { texts.iter() }
            .map(|text| text.as_str().map(str::to_owned))
            .collect();
        let mut texts = texts.ok_or_else(|| D::Error::custom("neither text nor a list of texts"))?;
        texts.retain(|text| !text.is_empty());
        Ok(texts)
    }

    /// Reads a state or region from text or from the code of a record.
    pub(super) code_or_default(deserializer) -> String {
        let state = text_or_field(deserializer, &["code", "abbreviation", "name"])?;
        Ok(state.unwrap_or_default())
    }

    /// Reads a country from text or from a record. A record's three-letter code is preferred, then its two-letter
    /// code, then its name.
    pub(super) country_or_nothing(deserializer) -> Option<String> {
        let names = ["code3", "code2", "code", "name", "displayName"];
        text_or_field(deserializer, &names)
    }

    /// Reads a country like [`country_or_nothing`], but gives empty text if there is no country.
    pub(super) country_or_default(deserializer) -> String {
        Ok(country_or_nothing(deserializer)?.unwrap_or_default())
    }

    /// Reads a time zone from text or from the name of a record. If the record's name is not an IANA name ("AUS
    /// Eastern Standard Time") but `jsName` is, `jsName` is used.
    pub(super) time_zone_or_default(deserializer) -> String {
        let value = wire_value(deserializer, TEXT_OR_RECORD)?;
        let zone = value.into_text().unwrap_or_else(|record: Map<_, _>| {
            let is_iana = |name: &&str| {
                let name = record.get(*name).and_then(Value::as_str);
                name.is_some_and(|name| name.contains('/'))
            };
            let iana = ["name", "jsName"].into_iter().find(is_iana);
            first_given(&record, &[iana.unwrap_or("name"), "jsName"])
        });
        Ok(zone.unwrap_or_default())
    }

    /// Reads a Hazchem code, with its id if given, from text or from a record. The field names inside the record
    /// are not published, so several are tried.
    pub(super) hazchem_or_nothing(deserializer) -> Option<(Option<u16>, String)> {
        let names = ["hazchem", "hazchemCode", "code", "name"];
        Ok(match wire_value(deserializer, TEXT_OR_RECORD)?.into_text() {
            Ok(code) => code.map(|code| (None, code)),
            Err(record) => {
                let id = first_given(&record, &["id"]).and_then(|id| id.trim().parse().ok());
                Some((id, first_given(&record, &names).unwrap_or_default()))
            }
        })
    }

    /// Reads a list of barcodes, each as text, a number or a record. Null gives an empty list.
    pub(super) references_or_default(deserializer) -> Vec<String> {
        struct Reference(Option<String>);
        impl<'de> Deserialize<'de> for Reference {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let names = ["carrierItemReference", "itemReference", "reference", "name"];
                text_or_field(deserializer, &names).map(Self)
            }
        }
        let all: Vec<Reference> = or_default(deserializer)?;
        Ok(all.into_iter().filter_map(|one| one.0).collect())
    }

    /// Reads a value of a numbered enum from a number, text or a record with an id. Null and unknown numbers
    /// give `None`.
    pub(super) numbered<T: TryFrom<u8>>(deserializer) -> Option<T> {
        let number = id_text(deserializer)?;
        Ok(number.and_then(|number| on_list(&number)))
    }

    /// Reads a list of numbered enum values, each as in [`numbered`]. Unknown numbers are skipped; null gives an
    /// empty list.
    pub(super) all_numbered<T: TryFrom<u8>>(deserializer) -> Vec<T> {
        let numbers = texts_or_default(deserializer)?;
        Ok(numbers.iter().filter_map(|number| on_list(number)).collect())
    }

    /// Reads a decimal from a number or from text, with or without a dollar sign. Null, empty text and words
    /// give `None`.
    pub(super) amount_or_nothing<T: From<Decimal>>(deserializer) -> Option<T> {
        // Reads the raw text, so that no digit is lost.
        let raw = Option::<&RawValue>::deserialize(deserializer)?;
        Ok(raw.and_then(|raw| {
            let text = raw.get().trim_matches('"').trim().trim_start_matches('$');
            decimal(&text.replace(',', "")).map(T::from)
        }))
    }

    /// Reads a time of day from `"15:30:00"` or from a time span `{hours, minutes, seconds, …}`. Null and blank
    /// text give `None`.
    pub(super) time_of_day_or_nothing(deserializer) -> Option<Time> {
        /// .NET's tick is a tenth of a microsecond.
        const TICKS_IN_A_SECOND: f64 = 1e7;
        let value: WireValue = wire_value(deserializer, TEXT_OR_RECORD)?;
        let time = match value.into_text() {
            Ok(text) => match text.as_deref().map_or("", str::trim) {
                "" => return Ok(None),
                text => text.parse().ok(),
            },
            Err(record) => {
                let field = |name: &str| scalar(record.get(name)?)?.trim().parse::<f64>().ok();
                let part = |name: &str, seconds: f64| field(name).map(|count| count * seconds);
                let hours = part("hours", 3600.0).map(|hours| {
                    let minutes = part("minutes", 60.0).unwrap_or(0.0);
                    hours + minutes + field("seconds").unwrap_or(0.0)
                });
                let seconds = hours
                    .or_else(|| part("ticks", 1.0 / TICKS_IN_A_SECOND))
                    .or_else(|| field("totalSeconds"))
                    .or_else(|| part("totalMinutes", 60.0))
                    .or_else(|| part("totalHours", 3600.0));
                // Fractions of a second are rounded. A value of 24 hours or more is not a time of day and is
                // rejected.
                seconds
                    .and_then(|seconds| SignedDuration::try_from_secs_f64(seconds.round()).ok())
                    .and_then(|since| Time::midnight().checked_add(since).ok())
            }
        };
        let unreadable = || D::Error::custom("not a time of day");
        time.ok_or_else(unreadable).map(Some)
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

/// Reads text, a number as text, or the first field of a record, in the order of `names`, that is not empty.
fn text_or_field<'de, D: Deserializer<'de>>(
    deserializer: D,
    names: &[&str],
) -> Result<Option<String>, D::Error> {
    let value = wire_value(deserializer, TEXT_OR_RECORD)?;
    let text = value
        .into_text()
        .unwrap_or_else(|record| first_given(&record, names));
    Ok(text.filter(|text| !text.is_empty()))
}

fn on_list<T: TryFrom<u8>>(number: &str) -> Option<T> {
    let number = number.trim();
    let number = number.strip_suffix(".0").unwrap_or(number);
    number.parse::<u8>().ok()?.try_into().ok()
}

/// Reads a record that may also be sent as only its id or only its name. Null and blank text give `None`; a key that
/// `from_key` does not know is an error.
pub(super) fn record_or_key<'de, D, R>(
    deserializer: D,
    expected: &'static str,
    from_key: impl FnOnce(Result<i64, &str>) -> Option<R>,
) -> Result<Option<R>, D::Error>
where
    D: Deserializer<'de>,
    R: Deserialize<'de>,
{
    let misfit = |found| D::Error::invalid_type(found, &expected);
    let record = match wire_value(deserializer, expected)? {
        WireValue::Nothing => return Ok(None),
        WireValue::Record(record) => return Ok(Some(record)),
        WireValue::Fraction(number) => return Err(misfit(Unexpected::Float(number))),
        WireValue::Whole(id) => {
            let id = i64::try_from(id);
            from_key(Ok(id.map_err(|_large| {
                misfit(Unexpected::Other("a number above 2^63"))
            })?))
        }
        WireValue::Text(text) => match (text.trim(), text.trim().parse()) {
            ("", _) => return Ok(None),
            (_, Ok(id)) => from_key(Ok(id)),
            (name, Err(_)) => from_key(Err(name)),
        },
    };
    record
        .map(Some)
        .ok_or_else(|| misfit(Unexpected::Other("other text")))
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
    record_or_key(deserializer, "a record, a number, or a name", |key| {
        let (id, name) = key.map_or_else(|name| (0, name), |id| (id, ""));
        Some(NamedRecord::from_id_and_name(id.into(), name.to_owned()))
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
