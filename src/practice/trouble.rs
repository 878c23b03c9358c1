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
    /// The path as the definition writes it; none is every operation.
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
    fn check<'a>(
        &self,
        mut addresses: impl Iterator<Item = (&'a str, bool)>,
        refusals: &mut Refusals,
    ) {
        if let Some(operation) = &self.operation {
            let known = addresses.find(|(path, _)| path == operation);
            match known {
                Some((path, _)) if path.starts_with(NEVER_STRUCK) => {
                    let message = format!("{path} is practice only and is never struck");
                    refusals.add("operation", message);
                }
                Some((path, false)) if self.fault.lag().is_some() => {
                    let message = format!("{path} changes nothing that could lag");
                    refusals.add("operation", message);
                }
                Some(_) => {}
                None => refusals.add("operation", format!("{operation} is not an operation")),
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
        !path.starts_with(NEVER_STRUCK)
            && self
                .operation
                .as_deref()
                .is_none_or(|operation| operation == path)
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
    /// Changes, or loses its sender, when the service stops.
    ended: watch::Receiver<()>,
}

impl Troubles {
    /// None yet; nothing waits longer than until `ended`.
    pub(crate) fn new(ended: watch::Receiver<()>) -> Self {
        Self {
            set: Mutex::default(),
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
            id: set.last().map_or(1, |last| last.id + 1),
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

    /// All is well again.
    pub(crate) fn clear(&self) {
        self.lock().clear();
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
        let fits = |report: &&mut Report| report.trouble.is_on(path) && fits(&report.trouble.fault);
        let due = set.iter_mut().filter(fits).find_map(|report| {
            let due = report.is_due();
            due.then(|| report.trouble.fault.clone())
        });
        due
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
