//! Fault injection: decides which calls of which operations go wrong, and how.
//!
//! Faults are tried in the order in which they were set. The first fault that is due is injected, and later
//! ones do not count the call. Faults are set at `/practice/` paths, never hit those paths, and are lost when
//! the service stops.

mod connection;
mod fault;
mod middleware;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::wire::Refusals;

pub(crate) use connection::{ConnectionHandle, EndableListener};
pub use fault::{Fault, FaultTiming, RetryAfter, RetryForm};
pub(crate) use middleware::inject_fault;

/// Prefix of the paths that only the practice service has. Faults are never injected there.
const CONTROL_PREFIX: &str = "/practice/";
/// Most faults that can be set: more would only hide each other.
const MAX_FAULTS: usize = 100;
const LONGEST_NAME: usize = 100;
/// Most copies that are kept. With more changes than that, the last copy is kept for longer.
const MAX_SNAPSHOTS: usize = 32;

/// A fault to inject, and the calls in which to inject it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FaultRule {
    /// A name by which the person who set the fault can recognise it.
    #[serde(default)]
    name: Option<String>,
    /// The path as the OpenAPI definition writes it, or its beginning followed by `*`. `None`
    /// means every operation.
    #[serde(default)]
    operation: Option<String>,
    /// How many matching calls pass before the fault is injected.
    #[serde(default)]
    skip: u32,
    /// How many calls get the fault once `skip` calls have passed. `None` means every call
    /// until the fault is cleared.
    #[serde(default)]
    times: Option<u32>,
    fault: Fault,
}

impl FaultRule {
    /// Adds everything that is wrong with the request to `refusals`. `addresses` has the paths where faults
    /// can be injected, and whether each operation changes anything.
    fn check<'a>(&self, addresses: impl Iterator<Item = (&'a str, bool)>, refusals: &mut Refusals) {
        let mut meant = addresses.filter(|(path, _)| self.is_on(path)).peekable();
        if let Some(operation) = &self.operation {
            let words = if operation.starts_with(CONTROL_PREFIX) {
                "is a control of the practice service, where faults cannot be set"
            } else if meant.peek().is_none() {
                "is not an operation"
            } else if self.fault.lag().is_some() && !meant.any(|(_, changes)| changes) {
                "changes nothing, so lookups cannot lag behind it"
            } else {
                ""
            };
            if !words.is_empty() {
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
        !path.starts_with(CONTROL_PREFIX) && self.operation.as_deref().is_none_or(named)
    }
}

/// A fault that is set, and the calls counted so far.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FaultReport {
    id: u64,
    #[serde(flatten)]
    trouble: FaultRule,
    /// Matching calls so far, including calls that passed without the fault.
    seen: u32,
    struck: u32,
    /// Whether the fault has been injected as often as `times` says.
    over: bool,
}

impl FaultReport {
    /// Counts a matching call. Returns whether to inject the fault in it.
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

/// All faults that are set.
pub(crate) struct FaultInjector {
    set: Mutex<Vec<FaultReport>>,
    next_id: AtomicU64,
    /// Changes, or loses its sender, when the service stops.
    ended: watch::Receiver<()>,
}

impl FaultInjector {
    /// Creates the list without any faults. When `ended` changes, delays end early.
    pub(crate) fn new(ended: watch::Receiver<()>) -> Self {
        Self {
            set: Mutex::default(),
            next_id: AtomicU64::new(1),
            ended,
        }
    }

    /// Adds a fault after the faults that are set.
    pub(crate) fn set<'a>(
        &self,
        trouble: FaultRule,
        addresses: impl Iterator<Item = (&'a str, bool)>,
    ) -> Result<FaultReport, Refusals> {
        let mut refusals = Refusals::default();
        trouble.check(addresses, &mut refusals);
        let mut set = self.lock();
        if set.len() >= MAX_FAULTS {
            refusals.whole(format!("At most {MAX_FAULTS} faults can be set at once"));
        }
        if !refusals.is_empty() {
            return Err(refusals);
        }
        let report = FaultReport {
            id: self.next_id.fetch_add(1, Ordering::Relaxed),
            trouble,
            seen: 0,
            struck: 0,
            over: false,
        };
        set.push(report.clone());
        Ok(report)
    }

    /// Returns all faults in order, including faults that have been injected as often as they were to be.
    pub(crate) fn reports(&self) -> Vec<FaultReport> {
        self.lock().clone()
    }

    /// Removes the fault with this id, or all faults. Returns false if no fault has the id.
    pub(crate) fn clear(&self, id: Option<u64>) -> bool {
        let mut set = self.lock();
        let before = set.len();
        set.retain(|report| id.is_some_and(|id| report.id != id));
        id.is_none() || set.len() < before
    }

    /// Whether no fault makes lookups lag.
    pub(crate) fn is_without_lag(&self) -> bool {
        let is_other = |report: &FaultReport| report.trouble.fault.lag().is_none();
        self.lock().iter().all(is_other)
    }

    /// Returns the fault to inject in this call, except for lagging lookups.
    fn next_fault(&self, path: &str) -> Option<Fault> {
        self.first_due(path, |fault| fault.lag().is_none())
    }

    /// Returns how long lookups must not show what this call changes.
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

    /// Waits. Returns false if the service stops meanwhile.
    async fn pause(&self, time: Duration) -> bool {
        let mut ended = self.ended.clone();
        tokio::select! {
            () = tokio::time::sleep(time) => true,
            // A change and a dropped sender both mean that the service stops.
            _ = ended.changed() => false,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<FaultReport>> {
        self.set.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Copies of the state before a change, each kept until lookups may show the change after it.
pub(crate) struct Snapshots<T>(Mutex<VecDeque<(Instant, Arc<T>)>>);

impl<T> Default for Snapshots<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Snapshots<T> {
    /// Keeps the state returned by `copy` for the time `lag`. Called before a change that lookups must not
    /// show for that long.
    pub(crate) fn keep<E>(
        &self,
        lag: Duration,
        copy: impl FnOnce() -> Result<T, E>,
    ) -> Result<(), E> {
        let until = Instant::now() + lag;
        let mut states = self.current();
        if states.len() >= MAX_SNAPSHOTS
            && let Some((last, _)) = states.back_mut()
        {
            *last = until.max(*last);
            return Ok(());
        }
        states.push_back((until, Arc::new(copy()?)));
        Ok(())
    }

    /// Returns the earlier state that lookups must show, or `None` if they may show the current state.
    pub(crate) fn seen(&self) -> Option<Arc<T>> {
        self.current().front().map(|(_, state)| Arc::clone(state))
    }

    /// Drops all earlier states, so that lookups show the current state.
    pub(crate) fn forget(&self) {
        self.lock().clear();
    }

    /// Drops expired states and returns the rest.
    fn current(&self) -> MutexGuard<'_, VecDeque<(Instant, Arc<T>)>> {
        let mut states = self.lock();
        let now = Instant::now();
        while states.front().is_some_and(|(until, _)| *until <= now) {
            states.pop_front();
        }
        states
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(Instant, Arc<T>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
