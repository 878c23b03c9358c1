//! The response envelope: a payload, or the errors of the service.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::error::Category;
use serde_json::value::RawValue;
use thiserror::Error;

use super::lenient;
use super::object_only::ObjectOnly;
use super::partial_list::{PartialList, UnreadableRecord, plain_path};
use super::route::Routes;

/// The longest refusal text that is kept, in characters.
const LONGEST_WORDS: usize = 600;

/// An error in the service's own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceError {
    /// `0` success, `1` error, `2` information, `3` warning. The service may also send text, which is
    /// kept unchanged.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub validation_type: String,
    /// The request's fields that the error is about; often empty.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub member_names: Vec<String>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub error_message: String,
}

impl ServiceError {
    /// Joins the messages of all errors into one line of limited length. If none has a message, says so.
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

/// The answer of any operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Envelope<T> {
    /// The payload; `None` if the operation succeeded without one.
    Done(Option<T>),
    /// The service refused. HTTP 200 with errors is a failure too.
    Refused(Vec<ServiceError>),
    /// Errors together with a payload: a failure, but something may have been done.
    Mixed(Vec<ServiceError>),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", bound(deserialize = "T: Deserialize<'de>"))]
struct Wire<T> {
    #[serde(default = "Option::default")]
    object: Option<T>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    errors: Vec<ServiceError>,
    /// Only in answers that have no payload.
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
///
/// # Errors
/// Returns the place where the answer does not have the expected form.
pub fn read_envelope<T: DeserializeOwned>(body: &[u8]) -> Result<Envelope<T>, DecodeError> {
    let body = text(body)?;
    // Tracking the path takes a third of the reading time, so only an answer that fails is read again
    // with it.
    if let Ok(ObjectOnly(wire)) = serde_json::from_str::<ObjectOnly<Wire<T>>>(body) {
        return Ok(envelope(wire));
    }
    match envelope(read_with_path::<ObjectOnly<Wire<IgnoredAny>>>(body)?.0) {
        Envelope::Refused(errors) => Ok(Envelope::Refused(errors)),
        Envelope::Mixed(errors) => Ok(Envelope::Mixed(errors)),
        Envelope::Done(_) => read_with_path(body).map(|ObjectOnly(wire)| envelope(wire)),
    }
}

/// Reads the answer of an operation without a payload: `{errors, success}`, or an envelope with any
/// payload. An object without `object`, `errors` and `success` acknowledges nothing; `object: false`
/// denies. Both are errors.
///
/// # Errors
/// Returns the place where the answer does not have the expected form.
pub fn read_acknowledgement(body: &[u8]) -> Result<Envelope<IgnoredAny>, DecodeError> {
    #[derive(Deserialize)]
    struct AcknowledgementFields<'a> {
        #[serde(borrow)]
        object: Option<&'a RawValue>,
        #[serde(default, deserialize_with = "there")]
        errors: bool,
        #[serde(default, deserialize_with = "there")]
        success: bool,
    }
    fn there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_anything| true)
    }
    let misfit = |path: &str| DecodeError {
        path: path.to_owned(),
        kind: "unexpected format",
    };
    let envelope = read_envelope(body)?;
    let said: ObjectOnly<AcknowledgementFields<'_>> =
        serde_json::from_str(text(body)?).map_err(|_other| misfit("."))?;
    match said.0 {
        AcknowledgementFields {
            object: Some(object),
            ..
        } if object.get() == "false" => Err(misfit("object")),
        AcknowledgementFields {
            object: None,
            errors: false,
            success: false,
        } => Err(misfit(".")),
        _ => Ok(envelope),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    pub rows: Vec<T>,
    /// The rows that cannot be read.
    pub unreadable: Vec<UnreadableRecord>,
    /// The number of rows in the whole list, if the service tells (`totalItems`).
    pub total: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", bound(deserialize = "T: Deserialize<'de>"))]
struct Listed<T> {
    #[serde(default = "Option::default")]
    object: Option<Rows<T>>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    errors: Vec<ServiceError>,
    #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
    total_items: Option<i64>,
    success: Option<bool>,
}

impl<T> Listed<T> {
    /// Converts the list to an envelope. A refused list has no rows, so errors always mean
    /// [`Envelope::Refused`].
    fn envelope<U>(self, list: impl FnOnce(Vec<T>) -> PartialList<U>) -> Envelope<Page<U>> {
        if !self.errors.is_empty() || self.success == Some(false) {
            return Envelope::Refused(self.errors);
        }
        Envelope::Done(self.object.map(|object| {
            let total = self.total_items.or(object.total);
            let PartialList {
                rows,
                unreadable: unread,
            } = list(object.rows);
            Page {
                rows,
                unreadable: unread,
                total: total.and_then(|total| total.try_into().ok()),
            }
        }))
    }
}

/// Reads an envelope with one page of a list. Rows that cannot be read are listed separately.
///
/// # Errors
/// Returns the place where the answer does not have the expected form, unless that is inside a row.
pub fn read_page<T: DeserializeOwned>(body: &[u8]) -> Result<Envelope<Page<T>>, DecodeError> {
    let text = text(body)?;
    if let Ok(ObjectOnly(listed)) = serde_json::from_str::<ObjectOnly<Listed<T>>>(text) {
        return Ok(listed.envelope(PartialList::whole));
    }
    if let Ok(ObjectOnly(listed)) = serde_json::from_str::<ObjectOnly<Listed<&RawValue>>>(text) {
        return Ok(listed.envelope(|rows| PartialList::of(&rows)));
    }
    if let Ok(ObjectOnly(wire)) = serde_json::from_str::<ObjectOnly<Wire<Rows<&RawValue>>>>(text) {
        let list = |rows: Rows<&RawValue>| {
            let PartialList {
                rows,
                unreadable: unread,
            } = PartialList::of(&rows.rows);
            Page {
                rows,
                unreadable: unread,
                total: None,
            }
        };
        return Ok(match envelope(wire) {
            Envelope::Refused(errors) | Envelope::Mixed(errors) => Envelope::Refused(errors),
            Envelope::Done(rows) => Envelope::Done(rows.map(list)),
        });
    }
    // Read again to find the failing place, or the errors beside it.
    Ok(match read_envelope::<Rows<IgnoredAny>>(body)? {
        Envelope::Refused(errors) | Envelope::Mixed(errors) => Envelope::Refused(errors),
        Envelope::Done(_) => Envelope::Done(None),
    })
}

/// Reads an envelope with a whole list. Records that cannot be read are listed separately.
///
/// # Errors
/// Returns the place where the answer does not have the expected form, unless that is inside a record.
pub fn read_list<T: DeserializeOwned>(
    body: &[u8],
) -> Result<Envelope<PartialList<T>>, DecodeError> {
    Ok(match read_page(body)? {
        Envelope::Refused(errors) | Envelope::Mixed(errors) => Envelope::Refused(errors),
        Envelope::Done(page) => Envelope::Done(page.map(|page| PartialList {
            rows: page.rows,
            unreadable: page.unreadable,
        })),
    })
}

/// Reads an envelope with routes. Routes that cannot be read are listed separately.
///
/// # Errors
/// Returns the place where the answer does not have the expected form, unless that is inside a route.
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
    Ok(match envelope(wire) {
        Envelope::Refused(errors) => Envelope::Refused(errors),
        Envelope::Mixed(errors) => Envelope::Mixed(errors),
        Envelope::Done(raw) => Envelope::Done(raw.map(|raw| {
            let routes = PartialList::of(&raw.routes.unwrap_or_default());
            let results = PartialList::of(&raw.results.unwrap_or_default());
            Routes {
                id: raw.id,
                routes: routes.rows,
                results: results.rows,
                unread: [routes.unreadable, results.unreadable].concat(),
            }
        })),
    })
}

/// The rows of a list: an array or, as live services publish some lists, a grid `{total, data}`.
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
            #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
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
///
/// # Errors
/// Returns the place where the answer does not have the expected form.
pub fn read_without_envelope<T: DeserializeOwned>(body: &[u8]) -> Result<T, DecodeError> {
    let body = text(body)?;
    match serde_json::from_str(body) {
        Ok(value) => Ok(value),
        Err(_somewhere) => read_with_path(body),
    }
}

/// Checks that a body is UTF-8. One check of the whole body saves a check of each string.
fn text(body: &[u8]) -> Result<&str, DecodeError> {
    std::str::from_utf8(body).map_err(|_not_text| DecodeError {
        path: ".".to_owned(),
        kind: "not UTF-8",
    })
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
    json.end().map_err(|_more| DecodeError {
        path: ".".to_owned(),
        kind: "not JSON",
    })?;
    Ok(value)
}
