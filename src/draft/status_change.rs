//! A status change set by hand, as typed, and its check, which returns problems with their fields and leaves out
//! consignments that cannot have the status.
//!
//! Invariants: no change leads back to Unmanifested, no time is in the future, and a time that the clocks show twice
//! or never is refused. All rules about which status may follow another status are in this file; the service may
//! still refuse a change.

use jiff::civil::DateTime;
use jiff::{Timestamp, ToSpan as _};

use super::pickup::time_input::{self, TimeInputError};
use super::text::one_line;
use shipping::{ConsignmentId, LocalTime, StatusId, StatusUpdate, TimeError};

/// The longest extra information, in characters. The service's interface names no limit, but a carrier's
/// screen has one.
const MOST_WORDS: usize = 500;

/// Returns the statuses that can be set by hand, except Cancelled, which has its own dialog.
pub fn settable_statuses() -> impl Iterator<Item = StatusId> {
    let known = StatusId::KNOWN.iter().copied();
    known.filter(|status| status.is_settable() && *status != StatusId::CANCELLED)
}

/// Returns the reason why a consignment cannot change from one status to another; `None` if it can.
pub fn refusal_reason(from: StatusId, to: StatusId) -> Option<&'static str> {
    if !to.is_settable() {
        return Some("can't be set manually");
    }
    match (from, to) {
        (StatusId::CANCELLED, _) => Some("already cancelled"),
        (StatusId::DELETED, _) => Some("deleted"),
        (StatusId::UNMANIFESTED, StatusId::CANCELLED) => Some("not manifested: delete it instead"),
        (StatusId::UNMANIFESTED, _) => Some("not manifested yet"),
        (StatusId::QUOTE, _) => Some("only a quote"),
        (StatusId::MANIFESTED, StatusId::CANCELLED) => None,
        (_, StatusId::CANCELLED) => {
            Some("already with the carrier: only Manifested consignments can be cancelled")
        }
        _ => None,
    }
}

/// A field of a status change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatusField {
    Status,
    /// When the status was reached.
    Time,
    /// The piece, if the change is for one piece only.
    Item,
    /// Extra information; for a cancellation, its reason.
    Information,
}

/// A status change as typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatusChangeDraft {
    pub status: Option<StatusId>,
    /// When the status was reached: `14:05`, `yesterday 4pm`, `Thu 9:30`. Empty means now.
    pub time: String,
    /// The reference of a piece, if the change is for one piece only.
    pub item: Option<String>,
    /// Extra information; for a cancellation, its reason.
    pub information: String,
}

/// A consignment whose status is to be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusTarget {
    pub id: ConsignmentId,
    pub number: String,
    /// The current status.
    pub status: StatusId,
    /// The pickup location's time zone (IANA), which typed times refer to; empty if unknown.
    pub zone: String,
    /// Whether an open operation includes the consignment.
    pub in_open_operation: bool,
}

/// A consignment that is left out, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedConsignment {
    pub id: ConsignmentId,
    pub number: String,
    pub reason: String,
}

/// The updates to send, and the consignments that are left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatusPlan {
    /// One update for each consignment.
    pub updates: Vec<StatusUpdate>,
    /// The other consignments, in their order.
    pub skipped: Vec<SkippedConsignment>,
    /// The typed time as understood, in the time zone of the first consignment; `None` means now.
    pub at: Option<LocalTime>,
}

type StatusProblems = Vec<(StatusField, String)>;

impl StatusChangeDraft {
    pub fn cancel() -> Self {
        Self {
            status: Some(StatusId::CANCELLED),
            ..Self::default()
        }
    }

    pub fn is_cancellation(&self) -> bool {
        self.status == Some(StatusId::CANCELLED)
    }

    /// Returns the updates to send. Consignments that cannot have the status are left out with their reason. `bench`
    /// is the time zone for consignments whose zone is unknown. The error contains every problem with its field.
    pub fn check(
        &self,
        targets: &[StatusTarget],
        now: Timestamp,
        bench: &str,
    ) -> Result<StatusPlan, StatusProblems> {
        let mut problems = StatusProblems::new();
        let mut say = |field, words: &str| problems.push((field, words.to_owned()));
        let information = one_line(&self.information);
        let long = information.chars().count();
        if long > MOST_WORDS {
            let words = format!("{long} characters: at most {MOST_WORDS} allowed");
            say(StatusField::Information, &words);
        }
        if self.is_cancellation() && information.is_empty() {
            let words = "Enter a reason: it is saved with the consignment";
            say(StatusField::Information, words);
        }
        if self.item.is_some() && (targets.len() != 1 || self.is_cancellation()) {
            let words =
                "Choose one consignment to update a piece. A single piece can't be cancelled";
            say(StatusField::Item, words);
        }
        let Some(status) = self.status else {
            say(StatusField::Status, "Choose a status");
            // A wrong time is reported even before a status is picked.
            let first = targets.first();
            if let Some(Err(words)) = first.map(|target| self.time_at(target, now, bench)) {
                say(StatusField::Time, &words);
            }
            return Err(problems);
        };
        let mut plan = StatusPlan::default();
        for target in targets {
            if let Some(why) = left_out(target, status) {
                plan.skipped.push(why);
                continue;
            }
            let at = match self.time_at(target, now, bench) {
                Ok(at) => at,
                Err(words) => {
                    say(StatusField::Time, &words);
                    break;
                }
            };
            plan.at = plan.at.or(at);
            plan.updates.push(StatusUpdate {
                consignment_id: target.id,
                status,
                status_date_time_local: at,
                item_reference: self.item.clone(),
                extra_information: (!information.is_empty()).then(|| information.clone()),
            });
        }
        if problems.is_empty() && plan.updates.is_empty() {
            let words = match plan.skipped.as_slice() {
                [one] => format!("{}: {}", one.number, one.reason),
                _ => "None of these consignments can have this status".to_owned(),
            };
            problems.push((StatusField::Status, words));
        }
        if problems.is_empty() {
            Ok(plan)
        } else {
            Err(problems)
        }
    }

    /// Returns the typed time in the time zone of a target; `None` means now.
    fn time_at(
        &self,
        target: &StatusTarget,
        now: Timestamp,
        bench: &str,
    ) -> Result<Option<LocalTime>, String> {
        let zone = match target.zone.as_str() {
            "" => bench,
            zone => zone,
        };
        let here = LocalTime::at(now, zone).0;
        let at = match read_past(&self.time, here) {
            Err(TimeInputError::Empty) => return Ok(None),
            read => read.map_err(TimeInputError::message)?,
        };
        match LocalTime(at).in_zone(zone) {
            Err(TimeError::ClockChange) => Err(format!(
                "The clocks change at {} that day. Choose another time",
                at.strftime("%H:%M")
            )),
            Err(_) if at > here => Err(future(here)),
            Ok(moment) if moment.0 > now => Err(future(here)),
            _ => Ok(Some(LocalTime(at))),
        }
    }
}

fn future(here: DateTime) -> String {
    let clock = here.strftime("%a %-d %b %H:%M");
    format!("That time is in the future: it is now {clock} there")
}

fn left_out(target: &StatusTarget, status: StatusId) -> Option<SkippedConsignment> {
    let why = if target.in_open_operation {
        Some("being changed by an action that isn't finished")
    } else {
        refusal_reason(target.status, status)
    };
    why.map(|why| SkippedConsignment {
        id: target.id,
        number: target.number.clone(),
        reason: why.to_owned(),
    })
}

/// Parses a time in the past: a weekday means the last such day.
fn read_past(text: &str, here: DateTime) -> Result<DateTime, TimeInputError> {
    let (mut day, mut rest) = (here.date(), Vec::new());
    for word in text.split_whitespace() {
        match word.trim_matches(',').to_ascii_lowercase().as_str() {
            "now" => {}
            "today" => day = here.date(),
            "yesterday" | "yday" | "yest" => day = here.date().saturating_sub(1.day()),
            "tomorrow" | "tom" | "tmr" => day = here.date().saturating_add(1.day()),
            _ => rest.push(word),
        }
    }
    // Weekdays count from six days ago, so the result is the last such day, including today.
    let week = here.date().saturating_sub(6.days());
    time_input::parse_time_input(&rest.join(" "), week, day)
}
