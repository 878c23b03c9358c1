//! The response envelope: a payload, or the service's own errors ("Response envelope", "Errors").

use serde::{Deserialize, Deserializer, Serialize};

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

/// Reads an envelope. The payload is looked at only when there are no errors.
///
/// # Errors
/// The JSON does not fit; the error's text may quote customers' data, so log its place and never the text.
pub fn read_envelope<'a, T: Deserialize<'a>>(
    body: &'a [u8],
) -> Result<Envelope<T>, serde_json::Error> {
    let wire: Wire<'a> = serde_json::from_slice(body)?;
    if !wire.errors.is_empty() {
        return Ok(Envelope::Refused(wire.errors));
    }
    match wire.object {
        None => Ok(Envelope::Done(None)),
        Some(object) => {
            serde_json::from_str(object.get()).map(|payload| Envelope::Done(Some(payload)))
        }
    }
}

fn text_or_nothing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    struct Text(#[serde(deserialize_with = "lenient::text")] String);
    Ok(Option::<Text>::deserialize(deserializer)?.map_or_else(String::new, |text| text.0))
}
