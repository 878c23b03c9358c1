//! The API as the practice service reads and writes it: requests, answers with their envelopes, refusals and times.
//! The rules are in `rules`.
//!
//! The types are written from the specification alone and share no records with the client, so a misreading on one
//! side shows as a difference on the wire.

mod answers;
mod published;
mod requests;

use std::fmt::Display;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use serde::Serialize;
use serde_json::{Value, json};

use super::store::StoreError;

pub(crate) use answers::{
    carrier_record, consignment_created, consignment_fetched, consignment_listed, editable, money,
    number, place_record, service_record,
};
pub(crate) use published::{to_published_shapes, to_specification_shapes};
pub(crate) use requests::{
    AttachmentsRequest, ConsignmentRequest, ContentsRequest, CustomValue, DangerousGoodRequest,
    EditRequest, FormFields, FormItem, ItemRequest, LivePricingRequest, ManifestGroupRequest,
    Measures, Options, PartyFields, PartyRequest, PlaceAbroad, PricingItem, PricingPlace,
    PrintRequest, StatusUpdateRequest, Suburb, Window, completed, request_records, whole_number,
};

/// How times are written on the wire. They have no offset: the name of the field tells whether a time is UTC or
/// local to a place.
const TIME: &str = "%Y-%m-%dT%H:%M:%S";

/// Formats a UTC time, such as `2026-11-20T04:30:00`.
pub(crate) fn utc_text(moment: Timestamp) -> String {
    moment.strftime(TIME).to_string()
}

/// Formats a local time, such as `2026-11-20T15:30:00`.
pub(crate) fn local_text(moment: &Zoned) -> String {
    moment.strftime(TIME).to_string()
}

/// Reads a UTC time, with or without `Z` or an offset. Returns `None` for text that is not a time.
pub(crate) fn read_utc(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let zoneless = || TimeZone::UTC.to_timestamp(read_local(text)?).ok();
    text.parse().ok().or_else(zoneless)
}

/// Reads a local time. A `Z` at the end is ignored, because the API writes a `Z` after local times too.
pub(crate) fn read_local(text: &str) -> Option<DateTime> {
    let text = text.trim();
    text.strip_suffix(['Z', 'z']).unwrap_or(text).parse().ok()
}

/// One element of the envelope's `errors`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Refusal {
    /// 1 error, 2 information.
    validation_type: u8,
    member_names: Vec<String>,
    error_message: String,
}

impl Refusal {
    pub(crate) fn new(member: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            member_names: vec![member.into()],
            ..Self::general(message)
        }
    }

    /// Creates an error that belongs to no field.
    pub(crate) fn general(message: impl Into<String>) -> Self {
        Self {
            validation_type: 1,
            member_names: Vec::new(),
            error_message: message.into(),
        }
    }

    /// Creates an explanation that is sent beside an error.
    pub(crate) fn information(member: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            validation_type: 2,
            ..Self::new(member, message)
        }
    }
}

/// Returns all messages as one text.
pub(crate) fn joined_messages(refusals: &[Refusal]) -> String {
    let messages = refusals
        .iter()
        .map(|refusal| refusal.error_message.as_str());
    messages.collect::<Vec<_>>().join("; ")
}

/// All errors of a request, collected before it is refused.
#[derive(Debug, Default)]
pub(crate) struct Refusals(Vec<Refusal>);

impl Refusals {
    pub(crate) fn add(&mut self, member: impl Into<String>, message: impl Into<String>) {
        self.0.push(Refusal::new(member, message));
    }

    /// Adds an error that belongs to no field.
    pub(crate) fn add_general(&mut self, message: impl Into<String>) {
        self.0.push(Refusal::general(message));
    }

    /// Returns the value, or records the refusal and returns `None`.
    pub(crate) fn keep<T>(&mut self, result: Result<T, Refusal>) -> Option<T> {
        result.map_err(|refusal| self.0.push(refusal)).ok()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value, or the failure if anything was refused.
    pub(crate) fn into_result<T>(self, value: T) -> Result<T, Failure> {
        if self.is_empty() {
            Ok(value)
        } else {
            Err(self.into())
        }
    }

    /// Returns a collector of refusals for the fields of one element of a request, such as `items[2]`.
    pub(crate) fn within(&mut self, path: String) -> FieldsWithin<'_> {
        FieldsWithin {
            refusals: self,
            path,
        }
    }
}

/// Collects refusals of fields whose names begin with the same path.
pub(crate) struct FieldsWithin<'r> {
    refusals: &'r mut Refusals,
    path: String,
}

impl FieldsWithin<'_> {
    pub(crate) fn refuse(&mut self, name: &str, message: impl Into<String>) {
        self.refusals.add(format!("{}.{name}", self.path), message);
    }

    /// Returns the value. Refuses the field with `message` if there is no value.
    pub(crate) fn need<T>(&mut self, value: Option<T>, name: &str, message: &str) -> Option<T> {
        if value.is_none() {
            self.refuse(name, message);
        }
        value
    }

    pub(crate) fn within(&mut self, name: &str) -> FieldsWithin<'_> {
        let path = format!("{}.{name}", self.path);
        self.refusals.within(path)
    }
}

/// The reason why an operation gives no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The request breaks a rule of the API: HTTP 200 with errors.
    Refused(Vec<Refusal>),
    /// The body or the query cannot be read: HTTP 400.
    Unreadable(String),
    /// The service itself failed: HTTP 500.
    Broken(String),
}

impl Failure {
    pub(crate) fn broken(error: impl Display) -> Self {
        Self::Broken(error.to_string())
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(vec![refusal])
    }
}

impl From<Refusals> for Failure {
    fn from(refusals: Refusals) -> Self {
        Self::Refused(refusals.0)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::broken(error)
    }
}

/// The successful result of an operation.
#[derive(Debug)]
pub(crate) enum Answer {
    Object(Value),
    /// One page of a list; `start` counts from 1.
    Page {
        rows: Vec<Value>,
        total: usize,
        start: i64,
        size: i64,
    },
    /// Success without any data.
    Done,
    /// A file that is sent as it is, without an envelope.
    Document {
        file_name: String,
        content_type: &'static str,
        content: Vec<u8>,
    },
}

impl From<Value> for Answer {
    fn from(object: Value) -> Self {
        Self::Object(object)
    }
}

/// The reply of an operation: an answer or a refusal.
pub(crate) type Reply = Result<Answer, Failure>;

/// The JSON envelope around an answer or a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Envelope {
    /// Has `object` and `errors`.
    Object,
    /// Has `object`, `errors` and `refreshSession`. Only the dangerous goods lookup uses this envelope.
    Session,
    /// Has `errors` and `success`, and no object.
    Success,
    /// The format of the middleware: only the object, or only `error`.
    Middleware,
}

impl Envelope {
    /// Wraps an answer. The rows of a page are moved, not copied, because a page can have
    /// a million characters.
    pub(crate) fn answer(self, answer: Answer) -> Value {
        let mut envelope = json!({ "errors": null });
        match answer {
            Answer::Object(object) if self == Self::Middleware => return object,
            Answer::Object(object) if self != Self::Success => envelope["object"] = object,
            Answer::Page {
                rows,
                total,
                start,
                size,
            } => {
                envelope["object"] = Value::Array(rows);
                envelope["totalItems"] = json!(total);
                envelope["startIndex"] = json!(start);
                envelope["retrievalSize"] = json!(size);
            }
            _ => envelope["success"] = json!(true),
        }
        if self == Self::Session {
            envelope["refreshSession"] = json!(false);
        }
        envelope
    }

    /// Wraps the reasons why there is no answer.
    pub(crate) fn refusal(self, refusals: &[Refusal]) -> Value {
        match self {
            Self::Object => json!({ "object": null, "errors": refusals }),
            Self::Session => json!({ "object": null, "errors": refusals, "refreshSession": false }),
            Self::Success => json!({ "errors": refusals, "success": false }),
            Self::Middleware => json!({ "error": joined_messages(refusals) }),
        }
    }
}
