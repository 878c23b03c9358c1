//! The exceptions already reported, and whether somebody has seen them, so that each is announced only once,
//! even after a restart.
//!
//! An exception is identified by its consignment and its kind. If the scope or the thresholds have changed,
//! exceptions that appear only for that reason are not announced. Comparing never waits for a writer, and
//! nothing is written if nothing changed.

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Result, TrackReader, TrackStore};
use shipping::ConsignmentId;

/// The name under which the exceptions are stored among the lists.
const NAME: &str = "exceptions";

/// The exceptions that were just counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedExceptions {
    /// A text that identifies the scope and the thresholds: different settings have different texts.
    pub basis: String,
    /// All exceptions, each with the name of its kind.
    pub now: Vec<(ConsignmentId, &'static str)>,
    /// Exceptions that somebody has seen since the last comparison.
    pub seen: Vec<ConsignmentId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct ReportedExceptions {
    basis: String,
    exceptions: BTreeMap<ConsignmentId, ReportedException>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ReportedException {
    kind: String,
    seen: bool,
    /// When the exception first appeared.
    at: Timestamp,
}

/// The result of comparing the counted exceptions with the stored ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExceptionChanges {
    /// Exceptions that nobody has seen, newest last.
    pub unseen: Vec<ConsignmentId>,
    /// The exceptions to store as JSON; `None` if they are stored already.
    changed: Option<String>,
}

impl ExceptionChanges {
    /// Returns true if there is nothing to store.
    pub const fn is_empty(&self) -> bool {
        self.changed.is_none()
    }
}

impl TrackReader {
    /// Compares the counted exceptions with the stored exceptions.
    pub fn compare_exceptions(
        &self,
        counted: &CountedExceptions,
        at: Timestamp,
    ) -> Result<ExceptionChanges> {
        let stored = self.body(NAME)?;
        let stored: Option<ReportedExceptions> =
            stored.and_then(|body| serde_json::from_str(&body).ok());
        let is_first = stored
            .as_ref()
            .is_none_or(|stored| stored.basis != counted.basis);
        let just_seen: HashSet<_> = counted.seen.iter().collect();
        let reported = |(id, kind): &(ConsignmentId, &str)| {
            let before = stored.as_ref().and_then(|stored| stored.exceptions.get(id));
            let before = before.filter(|before| before.kind == *kind);
            let now = ReportedException {
                kind: (*kind).to_owned(),
                seen: just_seen.contains(id) || before.map_or(is_first, |before| before.seen),
                at: before.map_or(at, |before| before.at),
            };
            (*id, now)
        };
        let now = ReportedExceptions {
            basis: counted.basis.clone(),
            exceptions: counted.now.iter().map(reported).collect(),
        };
        let unseen = now.exceptions.iter().filter(|(_, one)| !one.seen);
        let mut unseen: Vec<_> = unseen.map(|(id, one)| (one.at, *id)).collect();
        unseen.sort_unstable();
        Ok(ExceptionChanges {
            unseen: unseen.into_iter().map(|(_, id)| id).collect(),
            changed: if stored.as_ref() == Some(&now) {
                None
            } else {
                Some(serde_json::to_string(&now)?)
            },
        })
    }
}

impl TrackStore {
    /// Stores the exceptions of a comparison.
    pub fn save_exceptions(&mut self, news: &ExceptionChanges) -> Result<()> {
        match &news.changed {
            Some(body) => self.put_body(NAME, body),
            None => Ok(()),
        }
    }
}
