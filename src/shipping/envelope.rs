//! The response envelope: a payload, or the service's own errors ("Response envelope", "Errors").

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::error::Category;
use thiserror::Error;

use super::lenient;

/// One error, in the service's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceError {
    /// `0` success, `1` error, `2` information, `3` warning; also as text, kept as it came.
    #[serde(default, deserialize_with = "text_or_nothing")]
    pub validation_type: String,
    /// The request's fields that it is about; often empty.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub member_names: Vec<String>,
    /// What is wrong.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub error_message: String,
}

/// What every operation answers with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Envelope<T> {
    /// The payload; `None` where the operation succeeded without one.
    Done(Option<T>),
    /// The service refused: HTTP 200 with errors is a failure too.
    Refused(Vec<ServiceError>),
}

#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(borrow)]
    object: Option<&'a serde_json::value::RawValue>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    errors: Vec<ServiceError>,
}

/// Where an answer does not fit. Never quotes it: it may hold customers' data.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the answer does not fit at {path} ({kind})")]
pub struct Misfit {
    /// The place inside the answer, like `object.items[0].quantity`; `.` for all of it.
    pub path: String,
    /// Cut short, not JSON, or of another shape.
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
            path: error.path().to_string(),
            kind,
        }
    }
}

/// Reads an envelope. The payload is looked at only when there are no errors.
///
/// # Errors
/// The place where the answer does not fit.
pub fn read_envelope<T: DeserializeOwned>(body: &[u8]) -> Result<Envelope<T>, Misfit> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let wire: Wire<'_> =
        serde_path_to_error::deserialize(&mut json).map_err(|error| Misfit::new(&error))?;
    if !wire.errors.is_empty() {
        return Ok(Envelope::Refused(wire.errors));
    }
    let Some(object) = wire.object else {
        return Ok(Envelope::Done(None));
    };
    let mut json = serde_json::Deserializer::from_str(object.get());
    match serde_path_to_error::deserialize(&mut json) {
        Ok(payload) => Ok(Envelope::Done(Some(payload))),
        Err(error) => {
            let inside = Misfit::new(&error);
            Err(Misfit {
                path: format!("object.{}", inside.path),
                ..inside
            })
        }
    }
}

fn text_or_nothing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    struct Text(#[serde(deserialize_with = "lenient::text")] String);
    Ok(Option::<Text>::deserialize(deserializer)?.map_or_else(String::new, |text| text.0))
}
