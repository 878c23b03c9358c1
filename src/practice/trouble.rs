//! Troubles on order: what goes wrong with which operation, and with which of its calls.
//!
//! Troubles are asked in the order in which they were set: the first that is due strikes, and those behind it do not see the
//! call. They are set over addresses that only the practice service has, never strike these, and are gone when it stops. What
//! a fault does on the wire is in the modules below; no operation knows of it.

mod answers;
mod fault;
mod lag;
mod line;
mod strike;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::wire::{Refusal, Refusals};

pub use fault::{Fault, RetryAfter, RetryForm, When};
pub(crate) use lag::Past;
pub(crate) use line::{Line, Listening};
pub(crate) use strike::strike;

/// Addresses below it are the practice service's own, and always well.
const NEVER_STRUCK: &str = "/practice/";
/// More at once would only hide each other.
const MOST: usize = 100;
const LONGEST_NAME: usize = 100;

/// One trouble, as it is ordered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Trouble {
    /// For whoever set it, to know it by.
    #[serde(default)]
    name: Option<String>,
    /// The path as the definition writes it, or its beginning and `*`; none is every operation.
    #[serde(default)]
    operation: Option<String>,
    /// Matching calls that pass first.
    #[serde(default)]
    skip: u32,
    /// Calls that it strikes then; none is all until it is cleared.
    #[serde(default)]
    times: Option<u32>,
    fault: Fault,
}

impl Trouble {
    /// Everything that is wrong with it; `addresses` are the operations that can be struck, and whether they change anything.
    fn check<'a>(&self, addresses: impl Iterator<Item = (&'a str, bool)>, refusals: &mut Refusals) {
        let mut meant = addresses.filter(|(path, _)| self.is_on(path)).peekable();
        if let Some(operation) = &self.operation {
            let words = if operation.starts_with(NEVER_STRUCK) {
                Some("is practice only and is never struck")
            } else if meant.peek().is_none() {
                Some("is not an operation")
            } else if self.fault.lag().is_some() && !meant.any(|(_, changes)| changes) {
                Some("changes nothing that could lag")
            } else {
                None
            };
            if let Some(words) = words {
                refusals.add("operation", format!("{operation} {words}"));
            }
        }
        if self.times == Some(0) {
            refusals.add("times", "times must be 1 or more, or absent");
        }
        let name = self.name.as_deref().unwrap_or_default();
        if name.chars().count() > LONGEST_NAME {
            let message = format!("name must be at most {LONGEST_NAME} letters");
            refusals.add("name", message);
        }
        self.fault.check(refusals);
    }

    fn is_on(&self, path: &str) -> bool {
        let named = |operation: &str| match operation.strip_suffix('*') {
            Some(beginning) => path.starts_with(beginning),
            None => operation == path,
        };
        !path.starts_with(NEVER_STRUCK) && self.operation.as_deref().is_none_or(named)
    }
}

/// A trouble, and what became of it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report {
    id: u64,
    #[serde(flatten)]
    trouble: Trouble,
    /// Matching calls that came to it.
    seen: u32,
    struck: u32,
    /// It has struck as often as it was to.
    over: bool,
}

impl Report {
    /// Counts a matching call; whether it is one that is struck.
    fn is_due(&mut self) -> bool {
        if self.over {
            return false;
        }
        self.seen = self.seen.saturating_add(1);
        if self.seen <= self.trouble.skip {
            return false;
        }
        self.struck = self.struck.saturating_add(1);
        self.over = self.trouble.times.is_some_and(|times| self.struck >= times);
        true
    }
}

/// All that is set.
pub(crate) struct Troubles {
    set: Mutex<Vec<Report>>,
    next_id: AtomicU64,
    /// Changes, or loses its sender, when the service stops.
    ended: watch::Receiver<()>,
}

impl Troubles {
    /// None yet; nothing waits longer than until `ended`.
    pub(crate) fn new(ended: watch::Receiver<()>) -> Self {
        Self {
            set: Mutex::default(),
            next_id: AtomicU64::new(1),
            ended,
        }
    }

    /// Adds one behind the others.
    pub(crate) fn set<'a>(
        &self,
        trouble: Trouble,
        addresses: impl Iterator<Item = (&'a str, bool)>,
    ) -> Result<Report, Refusals> {
        let mut refusals = Refusals::default();
        trouble.check(addresses, &mut refusals);
        let mut set = self.lock();
        if set.len() >= MOST {
            refusals.whole(format!("At most {MOST} troubles can be set at once"));
        }
        if !refusals.none() {
            return Err(refusals);
        }
        let report = Report {
            id: self.next_id.fetch_add(1, Ordering::Relaxed),
            trouble,
            seen: 0,
            struck: 0,
            over: false,
        };
        set.push(report.clone());
        Ok(report)
    }

    /// What is set, in order, with what is over.
    pub(crate) fn reports(&self) -> Vec<Report> {
        self.lock().clone()
    }

    /// Ends the one with this id, or all; false where none has it.
    pub(crate) fn clear(&self, id: Option<u64>) -> bool {
        let mut set = self.lock();
        let before = set.len();
        set.retain(|report| id.is_some_and(|id| report.id != id));
        id.is_none() || set.len() < before
    }

    /// True where nothing that is set lets lookups lag.
    pub(crate) fn none_lags(&self) -> bool {
        let set = self.lock();
        set.iter()
            .all(|report| report.trouble.fault.lag().is_none())
    }

    /// What befalls this call on the wire.
    fn strikes(&self, path: &str) -> Option<Fault> {
        self.first_due(path, |fault| fault.lag().is_none())
    }

    /// How long lookups are not to see what this call changes.
    pub(crate) fn lag(&self, path: &str) -> Option<Duration> {
        self.first_due(path, |fault| fault.lag().is_some())?.lag()
    }

    fn first_due(&self, path: &str, fits: impl Fn(&Fault) -> bool) -> Option<Fault> {
        let mut set = self.lock();
        let due = set.iter_mut().find_map(|report| {
            let meant = report.trouble.is_on(path) && fits(&report.trouble.fault);
            (meant && report.is_due()).then_some(&report.trouble.fault)
        });
        due.cloned()
    }

    /// Waits; false when the service stops meanwhile.
    async fn pause(&self, time: Duration) -> bool {
        let mut ended = self.ended.clone();
        tokio::select! {
            () = tokio::time::sleep(time) => true,
            // Told, or its sender is gone: it stops either way.
            _ = ended.changed() => false,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Report>> {
        self.set.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The refusal of what would be a trouble on nothing.
impl From<Refusals> for super::wire::Failure {
    fn from(refusals: Refusals) -> Self {
        refusals.into_failure()
    }
}

/// What a lost turn of the service says for itself.
fn interrupted() -> Refusal {
    Refusal::whole("The practice service failed")
}
