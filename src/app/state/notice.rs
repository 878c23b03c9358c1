//! Notices, and the conversion of errors to notices.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;

use super::ActionItem;
use draft::DraftId;
use engine::{EngineError, Failure, pause_text};
use shipping::{ConsignmentId, ServiceError};

pub use widgets::tokens::Tone;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoticeId(pub u64);

/// Target of a notice's button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeTarget {
    Operations,
    /// An operation or a print job on the Operations screen.
    ActionItem(ActionItem),
    Consignment(ConsignmentId),
    Label(ConsignmentId),
    /// The company menu at the top of the window.
    Company,
    Draft(DraftId),
    /// The Orders screen.
    OrderFolder,
    /// A folder of this computer, in which something was saved.
    Folder(PathBuf),
}

/// A message for the clerk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub tone: Tone,
    /// One line that says what happened.
    pub headline: String,
    /// Advice for the clerk; may be empty.
    pub advice: String,
    /// Technical detail for support; may be empty.
    pub detail: String,
    pub at: Option<Timestamp>,
    /// Target of the button, if there is one.
    pub target: Option<NoticeTarget>,
}

impl Notice {
    /// Creates a notice without detail and button.
    pub fn new(tone: Tone, headline: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            tone,
            headline: headline.into(),
            advice: advice.into(),
            detail: String::new(),
            at: None,
            target: None,
        }
    }

    #[must_use]
    pub fn with_target(mut self, place: NoticeTarget) -> Self {
        self.target = Some(place);
        self
    }

    /// Creates a notice that something was saved, with a button that opens its folder.
    pub fn saved(headline: impl Into<String>, folder: &Path) -> Self {
        let target = NoticeTarget::Folder(folder.to_owned());
        Self::new(Tone::Ok, headline, "").with_target(target)
    }

    /// Creates a notice for an error. The headline says what was tried ("Couldn't fetch the routes").
    pub fn failed(headline: &str, error: &EngineError) -> Self {
        let (tone, advice) = match error {
            EngineError::Service(failure) => (Tone::Bad, service_advice(failure)),
            // Printing to a port or a file still works.
            EngineError::PrintService(_) => (Tone::Warning, error.advice()),
            other => (Tone::Bad, other.advice()),
        };
        let detail = match error {
            EngineError::Service(Failure::Refused(_)) | EngineError::NotPossible(_) => {
                String::new()
            }
            other => other.to_string(),
        };
        Self {
            detail,
            ..Self::new(tone, headline, advice)
        }
    }
}

/// Returns the advice for a failed call that changed nothing.
fn service_advice(failure: &Failure) -> String {
    match failure {
        Failure::NeverSent => "The service cannot be reached. Check the network, then try again".to_owned(),
        Failure::Away => "The service is offline, and nothing was sent. Packbench checks every few seconds whether it is back".to_owned(),
        Failure::Busy { pause, .. } => format!("The service is busy. Try again in {}", pause_text(*pause)),
        Failure::TimedOut => "The service did not answer in time. Try again".to_owned(),
        Failure::Broken => "The connection was lost. Try again".to_owned(),
        Failure::Status(429) => "The service is busy. Try again in a minute".to_owned(),
        Failure::Status(status @ (404 | 405)) => format!("The service doesn't support this (HTTP {status}). Check the connection in Settings"),
        Failure::Status(status) => format!("The service has a problem (HTTP {status}). Try again in a minute"),
        Failure::Refused(errors) => ServiceError::joined_messages(errors),
        Failure::Unauthorised => "The service does not accept this bench's token. Ask for a new one".to_owned(),
        Failure::Unreadable(_) | Failure::Empty | Failure::Contradictory => "Packbench couldn't read the service's answer. Try again".to_owned(),
        Failure::WebPage => "A web page answered instead of the service. Check the address, or sign in to the network".to_owned(),
        Failure::Endless => "The list is too long to show completely".to_owned(),
        Failure::TooLarge(_) => "The service's answer is too large to read".to_owned(),
        Failure::Document(problem) => format!("Can't show the proof of delivery: {problem}"),
        Failure::NotSetUp => "Live prices need a middleware. Set it up with the connection in Settings".to_owned(),
        Failure::Internal => "Something went wrong in Packbench. Try again, and tell your administrator if it keeps happening".to_owned(),
    }
}

const CONFIRMED_FOR: Duration = Duration::from_secs(8);
const MOST_PAST: usize = 50;

#[derive(Default)]
pub struct Notices {
    /// Notices until they are dismissed or resolved; newest last.
    pub shown: Vec<(NoticeId, Notice)>,
    /// Notices that were dismissed, and confirmations that disappeared automatically; newest last.
    pub past: Vec<(NoticeId, Notice)>,
    last: u64,
    /// Confirmations on the screen, each with the time when it disappears.
    expiring: BTreeMap<NoticeId, Duration>,
}

impl Notices {
    /// Shows a notice until it is dismissed, or for a few seconds if it is a confirmation. It replaces an older
    /// notice with the same headline, so that a repeated fault is shown only once.
    pub fn add(&mut self, mut notice: Notice, now: Timestamp) {
        notice.at = Some(now);
        self.remove(&notice.headline);
        self.last += 1;
        self.shown.push((NoticeId(self.last), notice));
    }

    pub fn remove(&mut self, headline: &str) {
        self.remove_where(|notice| notice.headline == headline);
    }

    pub fn remove_where(&mut self, is_gone: impl Fn(&Notice) -> bool) {
        self.shown.retain(|(_, notice)| !is_gone(notice));
    }

    /// Moves a notice to the past notices.
    pub fn dismiss(&mut self, id: NoticeId) {
        if let Some(at) = self.shown.iter().position(|(shown, _)| *shown == id) {
            self.past.push(self.shown.remove(at));
            let over = self.past.len().saturating_sub(MOST_PAST);
            self.past.drain(..over);
        }
    }

    /// Dismisses confirmations after a few seconds. Other notices stay until the clerk dismisses them.
    pub fn dismiss_expired(&mut self, at: Duration) {
        let confirmations = { self.shown.iter() }.filter(|(_, notice)| notice.tone == Tone::Ok);
        let with_due = |(id, _): &(NoticeId, Notice)| {
            let due = self.expiring.get(id).copied();
            (*id, due.unwrap_or(at + CONFIRMED_FOR))
        };
        let (expired, expiring): (BTreeMap<_, _>, _) =
            confirmations.map(with_due).partition(|(_, due)| *due <= at);
        self.expiring = expiring;
        for id in expired.into_keys() {
            self.dismiss(id);
        }
    }

    pub fn next_due(&self) -> Option<Duration> {
        self.expiring.values().min().copied()
    }
}
