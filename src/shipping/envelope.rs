//! The response envelope: a payload, or the errors of the service. Lists are read record by record: records
//! that cannot be read are reported, and the readable records are used.

use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;
use thiserror::Error;

use super::lenient::{self, lenient_records};
use super::prices::Routes;

/// The longest refusal text that is kept, in characters.
const LONGEST_WORDS: usize = 600;

lenient_records! {
    /// An error in the service's own words.
    pub struct ServiceError {
        /// `0` success, `1` error, `2` information, `3` warning. The service may also send text, which is
        /// kept unchanged.
        pub validation_type: String,
        /// The request's fields that the error is about; often empty.
        pub member_names: Vec<String>,
        /// Must be text if present: a number would mean nothing to a clerk, so it makes the answer unreadable.
        #[serde_with(skip_apply)]
        #[serde(default, deserialize_with = "lenient::or_default")]
        pub error_message: String,
    }
}

impl ServiceError {
    /// Joins the messages of all errors into one line of limited length. If no error has a message, returns a text
    /// that says so.
    pub fn joined_messages(errors: &[Self]) -> String {
        let words = errors.iter().map(|error| error.error_message.trim());
        let mut told = String::new();
        for words in words.filter(|words| !words.is_empty()) {
            if !told.is_empty() {
                told.push_str(" · ");
            }
            told.extend(words.chars().map(|c| if c.is_control() { ' ' } else { c }));
            if told.len() > LONGEST_WORDS {
                told = told.chars().take(LONGEST_WORDS).chain(['…']).collect();
                break;
            }
        }
        if told.is_empty() {
            "The service refused without giving a reason".clone_into(&mut told);
        }
        told
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Envelope<T> {
    /// The payload; `None` if the operation succeeded without one.
    Done(Option<T>),
    /// The service refused. HTTP 200 with errors is a failure too.
    Refused(Vec<ServiceError>),
    /// Errors together with a payload: a failure, but something may have been done.
    Mixed(Vec<ServiceError>),
}

impl<T> Envelope<T> {
    fn map<U>(self, convert: impl FnOnce(T) -> U) -> Envelope<U> {
        match self {
            Self::Done(payload) => Envelope::Done(payload.map(convert)),
            Self::Refused(errors) => Envelope::Refused(errors),
            Self::Mixed(errors) => Envelope::Mixed(errors),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", bound(deserialize = "T: Deserialize<'de>"))]
struct Wire<T> {
    #[serde(default = "Option::default")]
    object: Option<T>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    errors: Vec<ServiceError>,
    /// The number of records in the whole list, of which the answer may be one page.
    #[serde(default, deserialize_with = "lenient::whole_or_ignored")]
    total_items: Option<i64>,
    /// Present only in answers that have no payload.
    success: Option<bool>,
}

/// The place where an answer does not have the expected form. Never quotes the answer, because it may contain
/// customers' data.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unexpected answer from the service at {path} ({kind})")]
pub struct DecodeError {
    /// The path inside the answer, like `object.items[0].quantity`; `.` for the whole answer.
    pub path: String,
    /// One of: cut short, not UTF-8, not JSON, another shape.
    pub kind: &'static str,
}

impl DecodeError {
    fn at(path: &str, kind: &'static str) -> Self {
        let path = path.to_owned();
        Self { path, kind }
    }

    fn new(error: &serde_path_to_error::Error<serde_json::Error>) -> Self {
        let kind = match error.inner().classify() {
            Category::Eof => "cut short",
            Category::Syntax | Category::Io => "not JSON",
            Category::Data => "unexpected format",
        };
        Self {
            path: plain_path(&error.path().to_string()),
            kind,
        }
    }
}

/// Reads an envelope. The payload is read only if there are no errors.
pub fn read_envelope<T: DeserializeOwned>(body: &[u8]) -> Result<Envelope<T>, DecodeError> {
    let body = text(body)?;
    // Tracking the path takes a third of the reading time, so only an answer that cannot be read is read again with
    // path tracking.
    if let Ok(ObjectOnly(wire)) = serde_json::from_str::<ObjectOnly<Wire<T>>>(body) {
        return Ok(envelope(wire));
    }
    match envelope(read_with_path::<ObjectOnly<Wire<IgnoredAny>>>(body)?.0) {
        Envelope::Refused(errors) => Ok(Envelope::Refused(errors)),
        Envelope::Mixed(errors) => Ok(Envelope::Mixed(errors)),
        Envelope::Done(_) => read_with_path(body).map(|ObjectOnly(wire)| envelope(wire)),
    }
}

/// Reads the answer of an operation that returns no payload: either `{errors, success}`, or an envelope whose
/// payload is ignored. Two answers are errors because they do not confirm the operation: an object that has none of
/// the fields `object`, `errors` and `success`, and an object with `object: false`.
pub fn read_acknowledgement(body: &[u8]) -> Result<Envelope<IgnoredAny>, DecodeError> {
    let misfit = |path| DecodeError::at(path, "unexpected format");
    let envelope = read_envelope(body)?;
    let fields: ObjectOnly<HashMap<String, &RawValue>> =
        serde_json::from_str(text(body)?).map_err(|_other| misfit("."))?;
    let object = fields.0.get("object").map(|object| object.get());
    let has_result = fields.0.contains_key("errors") || fields.0.contains_key("success");
    match object {
        Some("false") => Err(misfit("object")),
        None | Some("null") if !has_result => Err(misfit(".")),
        _ => Ok(envelope),
    }
}

/// Reads an envelope with a list or one page of it. Records that cannot be read are listed separately.
pub fn read_list<T: DeserializeOwned>(
    body: &[u8],
) -> Result<Envelope<PartialList<T>>, DecodeError> {
    let text = text(body)?;
    if let Ok(ObjectOnly(wire)) = serde_json::from_str::<ObjectOnly<Wire<Rows<T>>>>(text) {
        return Ok(list_envelope(wire, PartialList::whole));
    }
    if let Ok(ObjectOnly(wire)) = serde_json::from_str::<ObjectOnly<Wire<Rows<&RawValue>>>>(text) {
        return Ok(list_envelope(wire, |rows| PartialList::of(&rows)));
    }
    // Read again to find the unreadable place, or the service's errors in the same answer.
    Ok(match read_envelope::<Rows<IgnoredAny>>(body)? {
        Envelope::Refused(errors) | Envelope::Mixed(errors) => Envelope::Refused(errors),
        Envelope::Done(_) => Envelope::Done(None),
    })
}

/// Converts a list to an envelope. A refused list has no records, so errors always mean [`Envelope::Refused`].
fn list_envelope<T, U>(
    wire: Wire<Rows<T>>,
    list: impl FnOnce(Vec<T>) -> PartialList<U>,
) -> Envelope<PartialList<U>> {
    let total = wire.total_items;
    match envelope(wire) {
        Envelope::Refused(errors) | Envelope::Mixed(errors) => Envelope::Refused(errors),
        Envelope::Done(rows) => Envelope::Done(rows.map(|rows| PartialList {
            total: total.or(rows.total).and_then(|total| total.try_into().ok()),
            ..list(rows.rows)
        })),
    }
}

/// Reads an envelope with routes. Routes that cannot be read are listed separately.
pub fn read_routes(body: &[u8]) -> Result<Envelope<Routes>, DecodeError> {
    #[derive(Deserialize)]
    struct Raw<'a> {
        #[serde(default, deserialize_with = "lenient::text_or_nothing")]
        id: Option<String>,
        #[serde(borrow)]
        routes: Option<Vec<&'a RawValue>>,
        #[serde(borrow)]
        results: Option<Vec<&'a RawValue>>,
    }
    let text = text(body)?;
    if let Ok(ObjectOnly(wire)) = serde_json::from_str::<ObjectOnly<Wire<Routes>>>(text) {
        return Ok(envelope(wire));
    }
    let Ok(ObjectOnly(wire)) = serde_json::from_str::<ObjectOnly<Wire<Raw<'_>>>>(text) else {
        return read_envelope(body);
    };
    Ok(envelope(wire).map(|raw| {
        let routes = PartialList::of(&raw.routes.unwrap_or_default());
        let results = PartialList::of(&raw.results.unwrap_or_default());
        Routes {
            id: raw.id,
            routes: routes.rows,
            results: results.rows,
            unread: [routes.unreadable, results.unreadable].concat(),
        }
    }))
}

/// The rows of a list. The service sends an array; for some lists, live services send an object `{total,
/// data}` instead.
struct Rows<T> {
    rows: Vec<T>,
    total: Option<i64>,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Rows<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(bound(deserialize = "T: Deserialize<'de>"))]
        struct Grid<T> {
            data: Vec<T>,
            #[serde(default, deserialize_with = "lenient::count_or_nothing")]
            total: Option<i64>,
        }
        struct RowsVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for RowsVisitor<T> {
            type Value = Rows<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list, or a grid with its data")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Rows<T>, A::Error> {
                let rows = Vec::deserialize(SeqAccessDeserializer::new(list))?;
                Ok(Rows { rows, total: None })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Rows<T>, A::Error> {
                let Grid { data, total } = Grid::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Rows { rows: data, total })
            }
        }
        deserializer.deserialize_any(RowsVisitor(PhantomData))
    }
}

/// Reads a body without an envelope.
pub fn read_without_envelope<T: DeserializeOwned>(body: &[u8]) -> Result<T, DecodeError> {
    let body = text(body)?;
    match serde_json::from_str(body) {
        Ok(value) => Ok(value),
        Err(_somewhere) => read_with_path(body),
    }
}

/// Checks that a body is UTF-8. One check of the whole body saves a check of each string.
fn text(body: &[u8]) -> Result<&str, DecodeError> {
    std::str::from_utf8(body).map_err(|_not_text| DecodeError::at(".", "not UTF-8"))
}

fn envelope<T>(wire: Wire<T>) -> Envelope<T> {
    if !wire.errors.is_empty() && wire.object.is_some() {
        Envelope::Mixed(wire.errors)
    } else if !wire.errors.is_empty() || wire.success == Some(false) {
        Envelope::Refused(wire.errors)
    } else {
        Envelope::Done(wire.object)
    }
}

fn read_with_path<T: DeserializeOwned>(body: &str) -> Result<T, DecodeError> {
    let mut json = serde_json::Deserializer::from_str(body);
    let value =
        serde_path_to_error::deserialize(&mut json).map_err(|error| DecodeError::new(&error))?;
    json.end()
        .map_err(|_more| DecodeError::at(".", "not JSON"))?;
    Ok(value)
}

/// Reads a `T` from an object only. Serde would accept `[7]` as a record whose first field is 7, so every answer that
/// decides whether a write succeeded must be read through this type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectOnly<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ObjectOnly<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Named<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Named<T> {
            type Value = T;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }
        let record = deserializer.deserialize_map(Named(PhantomData))?;
        Ok(Self(record))
    }
}

/// The longest text shown of a path or of an expected type, in characters.
const MOST_TOLD: usize = 120;

/// A record that could not be read. Apart from the id and the number, contains none of the record's values, because
/// they may be a customer's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableRecord {
    /// The index in the list, counted from 0.
    pub at: usize,
    pub id: Option<i64>,
    /// The consignment number, or else the id.
    pub number: Option<String>,
    /// The path inside the record, like `toLocation.state`.
    pub path: String,
    /// The expected type at that path, like `text, a number, or a record`.
    pub expected: String,
    /// A hash of the record, which distinguishes records without an id.
    fingerprint: u64,
}

impl UnreadableRecord {
    fn of<T: DeserializeOwned>(at: usize, raw: &RawValue) -> Self {
        let mut json = serde_json::Deserializer::from_str(raw.get());
        let (path, expected) = match serde_path_to_error::deserialize::<_, T>(&mut json) {
            Ok(_) => (String::new(), String::new()),
            Err(error) => (
                plain_path(&error.path().to_string()),
                expected(error.inner()),
            ),
        };
        let record: Value = serde_json::from_str(raw.get()).unwrap_or_default();
        let id = match &record["id"] {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let is_plain = |text: &&str| text.len() <= 20 && text.chars().all(char::is_alphanumeric);
        let number = record["consignmentNumber"].as_str().filter(is_plain);
        let number = number.map(str::to_owned);
        let mut hasher = DefaultHasher::new();
        raw.get().hash(&mut hasher);
        Self {
            at,
            id,
            number: number.or_else(|| id.map(|id| id.to_string())),
            path,
            expected,
            fingerprint: hasher.finish(),
        }
    }

    /// Returns a key that does not depend on the position in the list: the id, or a negative hash of the
    /// record if it has no id.
    pub fn key(&self) -> i64 {
        let own = i64::try_from(self.fingerprint >> 2).unwrap_or(i64::MAX);
        self.id.unwrap_or(-1 - own)
    }
}

impl From<&UnreadableRecord> for DecodeError {
    fn from(unread: &UnreadableRecord) -> Self {
        Self {
            path: format!("object[{}].{}", unread.at, unread.path),
            kind: "unexpected format",
        }
    }
}

/// Displays like `MS200002: toLocation.state, where text was expected`.
impl fmt::Display for UnreadableRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.number {
            Some(number) => f.write_str(number)?,
            None => write!(f, "Record {}", self.at + 1)?,
        }
        let path = if self.path.is_empty() || self.path == "." {
            "the whole record"
        } else {
            &self.path
        };
        write!(f, ": {path}, where {} was expected", self.expected)
    }
}

/// A list of records, some of which could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialList<T> {
    /// The records that can be read, in their order.
    pub rows: Vec<T>,
    /// The records that cannot be read, in their order.
    pub unreadable: Vec<UnreadableRecord>,
    /// The number of records in the whole list, if the service gives it. This may be only one page of that list.
    pub total: Option<u64>,
}

impl<T> Default for PartialList<T> {
    fn default() -> Self {
        Self::whole(Vec::new())
    }
}

impl<T> PartialList<T> {
    /// Builds a list in which every record was read.
    pub const fn whole(rows: Vec<T>) -> Self {
        Self {
            rows,
            unreadable: Vec::new(),
            total: None,
        }
    }

    /// Returns the number of records, including unreadable ones.
    pub const fn len(&self) -> usize {
        self.rows.len() + self.unreadable.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: DeserializeOwned> PartialList<T> {
    /// Reads each record on its own.
    fn of(records: &[&RawValue]) -> Self {
        let mut list = Self::default();
        for (at, raw) in records.iter().enumerate() {
            match serde_json::from_str(raw.get()) {
                Ok(row) => list.rows.push(row),
                Err(_somewhere) => list.unreadable.push(UnreadableRecord::of::<T>(at, raw)),
            }
        }
        list
    }
}

/// Limits a path to harmless characters. In a record of an unexpected form, the names of fields could contain
/// personal data.
fn plain_path(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']' | '?');
    path.chars().filter(|c| plain(*c)).take(MOST_TOLD).collect()
}

/// Returns the expected type in our own words, because the rest of serde's error text may quote the value.
fn expected(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text
        .rsplit_once(" at line ")
        .map_or(&*text, |(text, _)| text);
    if let Some(field) = text.strip_prefix("missing field ") {
        return format!("the field {}", plain_path(field));
    }
    match text
        .rsplit_once(", expected ")
        .map(|(_, expected)| expected)
    {
        None => "another value".to_owned(),
        Some("a string") => "text".to_owned(),
        Some("a sequence") => "a list".to_owned(),
        Some(kind) if kind == "a map" || kind.starts_with("struct ") => "a record".to_owned(),
        Some(expected) => expected.chars().take(MOST_TOLD).collect(),
    }
}
