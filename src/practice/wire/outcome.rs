//! Results of an operation (an object, a page of a list, a file, or errors) and the JSON
//! envelope around them.

use std::fmt::Display;

use serde_json::{Value, json};

use crate::store::StoreError;

/// One element of the envelope's `errors`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    members: Vec<String>,
    message: String,
    /// 1 error, 2 information.
    kind: u8,
}

impl Refusal {
    pub(crate) fn new(member: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            members: vec![member.into()],
            ..Self::general(message)
        }
    }

    /// Creates an error that belongs to no field.
    pub(crate) fn general(message: impl Into<String>) -> Self {
        Self {
            members: Vec::new(),
            message: message.into(),
            kind: 1,
        }
    }

    /// Creates an explanation that is sent beside an error.
    pub(crate) fn information(member: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            kind: 2,
            ..Self::new(member, message)
        }
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    fn to_json(&self) -> Value {
        json!({ "validationType": self.kind, "memberNames": self.members, "errorMessage": self.message })
    }
}

/// All errors of a request, collected before it is refused.
#[derive(Debug, Default)]
pub(crate) struct Refusals(Vec<Refusal>);

impl Refusals {
    pub(crate) fn add(&mut self, member: impl Into<String>, message: impl Into<String>) {
        self.0.push(Refusal::new(member, message));
    }

    pub(crate) fn whole(&mut self, message: impl Into<String>) {
        self.0.push(Refusal::general(message));
    }

    pub(crate) fn refuse(&mut self, refusal: Refusal) {
        self.0.push(refusal);
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
}

/// Why an operation gives no answer.
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

/// The JSON envelope around an answer or a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Envelope {
    /// Has `object` and `errors`.
    Object,
    /// Has `refreshSession` too, for the dangerous goods lookup.
    Session,
    /// Has `errors` and `success`, and no object.
    Success,
}

impl Envelope {
    /// Wraps an answer. The rows of a page are moved, not copied, because a page can have
    /// a million characters.
    pub(crate) fn answer(self, answer: Answer) -> Value {
        let mut envelope = json!({ "errors": null });
        match answer {
            // A document is sent as it is, without an envelope.
            Answer::Done | Answer::Document(_) => envelope["success"] = json!(true),
            _ if self == Self::Success => envelope["success"] = json!(true),
            Answer::Object(object) => envelope["object"] = object,
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
        }
        if self == Self::Session {
            envelope["refreshSession"] = json!(false);
        }
        envelope
    }

    /// Wraps the reasons why there is no answer.
    pub(crate) fn refusal(self, refusals: &[Refusal]) -> Value {
        let errors: Vec<Value> = refusals.iter().map(Refusal::to_json).collect();
        match self {
            Self::Object => json!({ "object": null, "errors": errors }),
            Self::Session => json!({ "object": null, "errors": errors, "refreshSession": false }),
            Self::Success => json!({ "errors": errors, "success": false }),
        }
    }
}

/// The successful result of an operation.
#[derive(Debug)]
pub(crate) enum Answer {
    Object(Value),
    /// One page of a list; `start` counts from 1.
    Page {
        rows: Vec<Value>,
        total: i64,
        start: i64,
        size: i64,
    },
    /// Success without any data.
    Done,
    Document(Document),
}

/// A file that is sent as it is, without an envelope.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) file_name: String,
    pub(crate) content_type: &'static str,
    pub(crate) content: Vec<u8>,
}
