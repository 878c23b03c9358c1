//! Lists that are read record by record: records that cannot be read are reported, and the others are used.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::envelope::DecodeError;

/// The longest text shown of a path or of an expected type, in characters.
const MOST_TOLD: usize = 120;

/// A record that could not be read. Apart from its number it holds none of the record's values, because they
/// may be a customer's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableRecord {
    /// The index in the list, counted from 0.
    pub at: usize,
    /// The id, if it can be read.
    pub id: Option<i64>,
    /// The consignment number, or else the id.
    pub number: Option<String>,
    /// The path inside the record, like `toLocation.state`.
    pub path: String,
    /// The expected type at that path, like `text, a number, or a record`.
    pub expected: String,
    /// Distinguishes records without an id.
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
        }
    }

    /// Returns the number of records, including those that cannot be read.
    pub const fn len(&self) -> usize {
        self.rows.len() + self.unreadable.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: DeserializeOwned> PartialList<T> {
    /// Reads each record on its own.
    pub(super) fn of(records: &[&RawValue]) -> Self {
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

/// Limits a path to harmless characters. A field's name is not personal data, unless the record is not what
/// we expect.
pub(super) fn plain_path(path: &str) -> String {
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
