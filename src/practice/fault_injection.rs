//! Fault injection: which calls of which operations go wrong, and how.
//!
//! Faults are tried in the order in which they were set. The first fault that is due is injected, and the call does
//! not count for later faults. Faults are set through `/practice/` paths, are never injected there, and are lost when
//! the service stops.

mod connection;
mod middleware;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderValue;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::handlers::PracticeService;
use super::store::StoreError;
use super::wire::Refusals;

pub(crate) use connection::{ConnectionHandle, EndableListener};
pub(crate) use middleware::inject_fault;

/// Prefix of the paths that only the practice service has. Faults are never injected there.
const CONTROL_PREFIX: &str = "/practice/";
/// The maximum number of faults at one time. More faults would only hide each other.
const MAX_FAULTS: usize = 100;
const LONGEST_NAME: usize = 100;
/// The maximum number of snapshots. A further change makes no snapshot; instead the last snapshot is kept longer.
const MAX_SNAPSHOTS: usize = 32;
/// Ten minutes: longer than any client waits.
const LONGEST_MS: u64 = 600_000;
/// Limit for the size of a huge answer and for the offset of a cut.
const MOST_BYTES: u64 = 1 << 30;
const MOST_LEVELS: u64 = 10_000_000;
const LONGEST_RETRY_SECONDS: u64 = 86_400;
const REDIRECTS: [u16; 4] = [301, 302, 307, 308];

/// A way in which a call goes wrong.
///
/// A fault that corrupts the answer lets the operation run first. A fault that replaces the answer prevents
/// the operation, unless `when` is `after`. Times are in milliseconds of real time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Fault {
    /// Ends the connection without an answer, with a TCP reset or a close. The operation does not run.
    FailBefore {
        #[serde(default)]
        reset: bool,
    },
    /// Runs the operation, then ends the connection without an answer.
    FailAfter {
        #[serde(default)]
        reset: bool,
    },
    /// Runs the operation after a delay. If the client disconnects meanwhile, the operation does not run.
    DelayBefore { ms: u64 },
    /// Runs the operation at once and answers after a delay.
    DelayAfter { ms: u64 },
    /// Runs the operation and answers after a delay, even if the client disconnects meanwhile.
    CommitLate { ms: u64 },
    /// Runs the operation, then ends the connection after `at` bytes of the answer, including the status line
    /// and headers.
    Cut {
        at: u64,
        #[serde(default)]
        reset: bool,
    },
    /// Runs the operation and corrupts the body without changing its length.
    Garble,
    /// Runs the operation and sends only the first half of the body.
    TruncatedJson,
    /// Runs the operation and declares the answer as plain text.
    WrongContentType,
    /// Answers HTTP 401. The operation does not run.
    Unauthorised,
    /// Answers HTTP 403. The operation does not run.
    Forbidden,
    /// Answers HTTP 429. The operation does not run.
    TooMany {
        #[serde(default)]
        retry_after: Option<RetryAfter>,
    },
    /// Answers HTTP 500.
    Internal {
        #[serde(default)]
        when: FaultTiming,
    },
    /// Answers HTTP 503.
    Unavailable {
        #[serde(default)]
        when: FaultTiming,
        #[serde(default)]
        retry_after: Option<RetryAfter>,
    },
    /// Answers HTTP 200 with an HTML sign-in page.
    Html {
        #[serde(default)]
        when: FaultTiming,
    },
    /// Answers HTTP 301, 302, 307 or 308.
    Redirect {
        status: u16,
        location: String,
        #[serde(default)]
        when: FaultTiming,
    },
    /// Runs the operation and answers with an envelope of `bytes` bytes.
    Huge {
        bytes: u64,
        /// Whether `content-length` announces the size.
        #[serde(default)]
        declared: bool,
    },
    /// Runs the operation and answers with an envelope whose object is nested `levels` deep.
    Deep { levels: u32 },
    /// Runs the operation and repeats each row of a list in the answer.
    DuplicateIds,
    /// Runs the operation, but lookups show the state from before the operation for `ms` milliseconds.
    LookupLag { ms: u64 },
}

/// Whether the operation runs before the fault's answer is sent in place of the operation's own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FaultTiming {
    /// The operation does not run.
    #[default]
    Before,
    /// The operation runs first.
    After,
}

/// Value of the header `Retry-After`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RetryAfter {
    pub seconds: u32,
    #[serde(default)]
    pub form: RetryForm,
}

/// Format of `Retry-After`. HTTP defines these two.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RetryForm {
    #[default]
    Seconds,
    /// A date by the service's clock. The header `Date` of the answer uses that clock too.
    Date,
}

impl Fault {
    /// Adds invalid parameters to `refusals`.
    fn check(&self, refusals: &mut Refusals) {
        let (name, value, least, most) = match self {
            Self::DelayBefore { ms }
            | Self::DelayAfter { ms }
            | Self::CommitLate { ms }
            | Self::LookupLag { ms } => ("ms", *ms, 1, LONGEST_MS),
            Self::Cut { at, .. } => ("at", *at, 0, MOST_BYTES),
            Self::Huge { bytes, .. } => ("bytes", *bytes, 1, MOST_BYTES),
            Self::Deep { levels } => ("levels", u64::from(*levels), 1, MOST_LEVELS),
            Self::TooMany { retry_after } | Self::Unavailable { retry_after, .. } => {
                let seconds = retry_after.map_or(0, |after| after.seconds);
                ("retryAfter", u64::from(seconds), 0, LONGEST_RETRY_SECONDS)
            }
            Self::Redirect {
                status, location, ..
            } => {
                if !REDIRECTS.contains(status) {
                    refusals.add("fault.status", "status must be 301, 302, 307 or 308");
                }
                if location.is_empty() || HeaderValue::from_str(location).is_err() {
                    refusals.add("fault.location", "location must be an address");
                }
                return;
            }
            _ => return,
        };
        if !(least..=most).contains(&value) {
            let message = format!("{name} must be from {least} to {most}, not {value}");
            refusals.add(format!("fault.{name}"), message);
        }
    }

    /// Returns how long lookups lag, or `None` if this is another fault.
    fn lag(&self) -> Option<Duration> {
        match self {
            Self::LookupLag { ms } => Some(Duration::from_millis(*ms)),
            _ => None,
        }
    }
}

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
    /// Adds everything that is wrong with the request to `refusals`. `targets` has the paths where faults
    /// can be injected, and whether each operation changes anything.
    fn check(&self, targets: impl Iterator<Item = (&'static str, bool)>, refusals: &mut Refusals) {
        let mut meant = targets.filter(|(path, _)| self.is_on(path)).peekable();
        if let Some(operation) = &self.operation {
            let mistake = if operation.starts_with(CONTROL_PREFIX) {
                "is a control of the practice service, where faults cannot be set"
            } else if meant.peek().is_none() {
                "is not an operation"
            } else if self.fault.lag().is_some() && !meant.any(|(_, changes)| changes) {
                "changes nothing, so lookups cannot lag behind it"
            } else {
                ""
            };
            if !mistake.is_empty() {
                refusals.add("operation", format!("{operation} {mistake}"));
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
    rule: FaultRule,
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
        if self.seen <= self.rule.skip {
            return false;
        }
        self.struck = self.struck.saturating_add(1);
        self.over = self.rule.times.is_some_and(|times| self.struck >= times);
        true
    }
}

/// All faults that are set.
pub(crate) struct FaultInjector {
    /// The id of the last fault that was set, and the faults.
    set: Mutex<(u64, Vec<FaultReport>)>,
    /// Changes, or loses its sender, when the service stops.
    ended: watch::Receiver<()>,
}

impl FaultInjector {
    /// Creates the list without any faults. When `ended` changes, delays end early.
    pub(crate) fn new(ended: watch::Receiver<()>) -> Self {
        Self {
            set: Mutex::default(),
            ended,
        }
    }

    /// Adds a fault after the faults that are set.
    pub(crate) fn set(
        &self,
        rule: FaultRule,
        targets: impl Iterator<Item = (&'static str, bool)>,
    ) -> Result<FaultReport, Refusals> {
        let mut refusals = Refusals::default();
        rule.check(targets, &mut refusals);
        let mut set = self.lock();
        let (last_id, reports) = &mut *set;
        if reports.len() >= MAX_FAULTS {
            refusals.add_general(format!("At most {MAX_FAULTS} faults can be set at once"));
        }
        if !refusals.is_empty() {
            return Err(refusals);
        }
        *last_id += 1;
        let report = FaultReport {
            id: *last_id,
            rule,
            seen: 0,
            struck: 0,
            over: false,
        };
        reports.push(report.clone());
        Ok(report)
    }

    /// Returns all faults in order, including faults that will not be injected again.
    pub(crate) fn reports(&self) -> Vec<FaultReport> {
        self.lock().1.clone()
    }

    /// Removes the fault with this id, or all faults. Returns false if no fault has the id.
    pub(crate) fn clear(&self, id: Option<u64>) -> bool {
        let reports = &mut self.lock().1;
        let before = reports.len();
        reports.retain(|report| id.is_some_and(|id| report.id != id));
        id.is_none() || reports.len() < before
    }

    /// Returns true if none of the faults that are set makes lookups lag.
    pub(crate) fn is_without_lag(&self) -> bool {
        let is_other = |report: &FaultReport| report.rule.fault.lag().is_none();
        self.lock().1.iter().all(is_other)
    }

    /// Returns the fault to inject in this call. Ignores [`Fault::LookupLag`], which `lag` handles.
    fn next_fault(&self, path: &str) -> Option<Fault> {
        self.first_due(path, |fault| fault.lag().is_none())
    }

    /// Returns how long lookups must not show what this call changes, or `None` if they may show it at once.
    pub(crate) fn lag(&self, path: &str) -> Option<Duration> {
        self.first_due(path, |fault| fault.lag().is_some())?.lag()
    }

    fn first_due(&self, path: &str, fits: fn(&Fault) -> bool) -> Option<Fault> {
        let reports = &mut self.lock().1;
        let due = reports.iter_mut().find_map(|report| {
            let meant = report.rule.is_on(path) && fits(&report.rule.fault);
            (meant && report.is_due()).then_some(&report.rule.fault)
        });
        due.cloned()
    }

    /// Waits for `ms` milliseconds. Returns false if the service stops meanwhile.
    async fn pause(&self, ms: u64) -> bool {
        let mut ended = self.ended.clone();
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(ms)) => true,
            // A change and a dropped sender both mean that the service stops.
            _ = ended.changed() => false,
        }
    }

    fn lock(&self) -> MutexGuard<'_, (u64, Vec<FaultReport>)> {
        self.set.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Copies of the state from before recent changes, oldest first. Each is kept until lookups may show its change.
#[derive(Default)]
pub(crate) struct Snapshots(Mutex<Vec<(Instant, Arc<PracticeService>)>>);

impl Snapshots {
    /// Keeps the state returned by `copy` for the time `lag`. Called before a change that lookups must not
    /// show for that long.
    pub(crate) fn keep(
        &self,
        lag: Duration,
        copy: impl FnOnce() -> Result<PracticeService, StoreError>,
    ) -> Result<(), StoreError> {
        let until = Instant::now() + lag;
        let mut states = self.current();
        let is_full = states.len() >= MAX_SNAPSHOTS;
        match states.last_mut() {
            Some((last, _)) if is_full => *last = until.max(*last),
            _ => states.push((until, Arc::new(copy()?))),
        }
        Ok(())
    }

    /// Returns the earlier state that lookups must show, or `None` if they may show the current state.
    pub(crate) fn seen(&self) -> Option<Arc<PracticeService>> {
        self.current().first().map(|(_, state)| Arc::clone(state))
    }

    /// Drops all earlier states, so that lookups show the current state.
    pub(crate) fn forget(&self) {
        self.current().clear();
    }

    /// Drops expired states and returns the rest.
    fn current(&self) -> MutexGuard<'_, Vec<(Instant, Arc<PracticeService>)>> {
        let mut states = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let expired = states.iter().take_while(|(until, _)| *until <= now).count();
        states.drain(..expired);
        states
    }
}
