//! The response envelope: a payload, or the service's own errors ("Response envelope", "Errors").

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::error::Category;
use serde_json::value::RawValue;
use thiserror::Error;

use super::lenient;
use super::partial::{PartialList, Unread, plain_path};
use super::record::Record;
use super::route::Routes;

/// What is told of a refusal, in characters.
const LONGEST_WORDS: usize = 600;

/// One error, in the service's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceError {
    /// `0` success, `1` error, `2` information, `3` warning; also as text, kept as it came.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub validation_type: String,
    /// The request's fields that it is about; often empty.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub member_names: Vec<String>,
    /// What is wrong.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub error_message: String,
}

impl ServiceError {
    /// What all of them say, on one line of a readable length. A refusal without words says that it has none.
    pub fn words(errors: &[Self]) -> String {
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
            "The service refused, and did not say why".clone_into(&mut told);
        }
        told
    }
}

/// What every operation answers with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Envelope<T> {
    /// The payload; `None` where the operation succeeded without one.
    Done(Option<T>),
    /// The service refused: HTTP 200 with errors is a failure too.
    Refused(Vec<ServiceError>),
    /// Errors beside a payload: a failure, and yet something may have been done.
    Mixed(Vec<ServiceError>),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", bound(deserialize = "T: Deserialize<'de>"))]
struct Wire<T> {
    #[serde(default = "Option::default")]
    object: Option<T>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    errors: Vec<ServiceError>,
    /// Of answers that have no payload.
    success: Option<bool>,
}

/// Where an answer does not fit. Never quotes it: it may hold customers' data.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the answer does not fit at {path} ({kind})")]
pub struct Misfit {
    /// The place inside the answer, like `object.items[0].quantity`; `.` for all of it.
    pub path: String,
    /// Cut short, not UTF-8, not JSON, or of another shape.
    pub kind: &'static str,
}

impl Misfit {
    fn new(error: &serde_path_to_error::Error<serde_json::Error>) -> Self {
        let kind = match error.inner().classify() {
            Category::Eof => "cut short",
            Category::Syntax | Category::Io => "not JSON",
            Category::Data => "another shape",
        };
        Self {
            path: plain_path(&error.path().to_string()),
            kind,
        }
    }
}

/// Reads an envelope. The payload is looked at only when there are no errors.
///
/// # Errors
/// The place where the answer does not fit.
pub fn read_envelope<T: DeserializeOwned>(body: &[u8]) -> Result<Envelope<T>, Misfit> {
    let body = text(body)?;
    // Watching the path costs a third of the reading: only an answer that does not fit is read again with it.
    if let Ok(Record(wire)) = serde_json::from_str::<Record<Wire<T>>>(body) {
        return Ok(envelope(wire));
    }
    match envelope(read_with_path::<Record<Wire<IgnoredAny>>>(body)?.0) {
        Envelope::Refused(errors) => Ok(Envelope::Refused(errors)),
        Envelope::Mixed(errors) => Ok(Envelope::Mixed(errors)),
        Envelope::Done(_) => read_with_path(body).map(|Record(wire)| envelope(wire)),
    }
}

/// Reads the answer of an operation that has no payload: `{errors, success}`, or an envelope with whatever in it. An object
/// with neither acknowledges nothing, and one that holds false denies it.
///
/// # Errors
/// The place where the answer does not fit.
pub fn read_acknowledgement(body: &[u8]) -> Result<Envelope<IgnoredAny>, Misfit> {
    #[derive(Deserialize)]
    struct Said<'a> {
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
    let misfit = |path: &str| Misfit {
        path: path.to_owned(),
        kind: "another shape",
    };
    let envelope = read_envelope(body)?;
    let said: Record<Said<'_>> = serde_json::from_str(text(body)?).map_err(|_other| misfit("."))?;
    match said.0 {
        Said {
            object: Some(object),
            ..
        } if object.get() == "false" => Err(misfit("object")),
        Said {
            object: None,
            errors: false,
            success: false,
        } => Err(misfit(".")),
        _ => Ok(envelope),
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// Its rows.
    pub rows: Vec<T>,
    /// Those of its rows that can't be read.
    pub unread: Vec<Unread>,
    /// Rows of the whole list, where the service says ("totalItems").
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
    /// The list as an envelope; a list that was refused has no rows.
    fn envelope<U>(self, list: impl FnOnce(Vec<T>) -> PartialList<U>) -> Envelope<Page<U>> {
        if !self.errors.is_empty() || self.success == Some(false) {
            return Envelope::Refused(self.errors);
        }
        Envelope::Done(self.object.map(|object| {
            let total = self.total_items.or(object.total);
            let PartialList { rows, unread } = list(object.rows);
            Page {
                rows,
                unread,
                total: total.and_then(|total| total.try_into().ok()),
            }
        }))
    }
}

/// Reads an envelope that holds a page of a list. A row that can't be read is set aside.
///
/// # Errors
/// The place where the answer does not fit, where that is not in a row.
pub fn read_page<T: DeserializeOwned>(body: &[u8]) -> Result<Envelope<Page<T>>, Misfit> {
    let text = text(body)?;
    if let Ok(Record(listed)) = serde_json::from_str::<Record<Listed<T>>>(text) {
        return Ok(listed.envelope(PartialList::whole));
    }
    if let Ok(Record(listed)) = serde_json::from_str::<Record<Listed<&RawValue>>>(text) {
        return Ok(listed.envelope(|rows| PartialList::of(&rows)));
    }
    if let Ok(Record(wire)) = serde_json::from_str::<Record<Wire<Rows<&RawValue>>>>(text) {
        let list = |rows: Rows<&RawValue>| {
            let PartialList { rows, unread } = PartialList::of(&rows.rows);
            Page {
                rows,
                unread,
                total: None,
            }
        };
        return Ok(match envelope(wire) {
            Envelope::Refused(errors) | Envelope::Mixed(errors) => Envelope::Refused(errors),
            Envelope::Done(rows) => Envelope::Done(rows.map(list)),
        });
    }
    // Read again for the place that does not fit, or for the errors beside it.
    Ok(match read_envelope::<Rows<IgnoredAny>>(body)? {
        Envelope::Refused(errors) | Envelope::Mixed(errors) => Envelope::Refused(errors),
        Envelope::Done(_) => Envelope::Done(None),
    })
}

/// Reads an envelope that holds a whole list. A record that can't be read is set aside.
///
/// # Errors
/// The place where the answer does not fit, where that is not in a record.
pub fn read_list<T: DeserializeOwned>(body: &[u8]) -> Result<Envelope<PartialList<T>>, Misfit> {
    Ok(match read_page(body)? {
        Envelope::Refused(errors) | Envelope::Mixed(errors) => Envelope::Refused(errors),
        Envelope::Done(page) => Envelope::Done(page.map(|page| PartialList {
            rows: page.rows,
            unread: page.unread,
        })),
    })
}

/// Reads an envelope that holds routes. One that can't be read is set aside.
///
/// # Errors
/// The place where the answer does not fit, where that is not in a route.
pub fn read_routes(body: &[u8]) -> Result<Envelope<Routes>, Misfit> {
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
    if let Ok(Record(wire)) = serde_json::from_str::<Record<Wire<Routes>>>(text) {
        return Ok(envelope(wire));
    }
    let Ok(Record(wire)) = serde_json::from_str::<Record<Wire<Raw<'_>>>>(text) else {
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
                unread: [routes.unread, results.unread].concat(),
            }
        })),
    })
}

/// The rows of a list: a list, or as live services publish some, a grid `{total, data}`.
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

/// Reads a body that has no envelope.
///
/// # Errors
/// The place where the answer does not fit.
pub fn read_bare<T: DeserializeOwned>(body: &[u8]) -> Result<T, Misfit> {
    let body = text(body)?;
    match serde_json::from_str(body) {
        Ok(value) => Ok(value),
        Err(_somewhere) => read_with_path(body),
    }
}

/// A body as text. Looked at once as a whole, it need not be looked at again string by string.
fn text(body: &[u8]) -> Result<&str, Misfit> {
    std::str::from_utf8(body).map_err(|_not_text| Misfit {
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

fn read_with_path<T: DeserializeOwned>(body: &str) -> Result<T, Misfit> {
    let mut json = serde_json::Deserializer::from_str(body);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| Misfit::new(&error))?;
    json.end().map_err(|_more| Misfit {
        path: ".".to_owned(),
        kind: "not JSON",
    })?;
    Ok(value)
}
