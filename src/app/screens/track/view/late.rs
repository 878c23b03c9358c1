//! Texts about the ETA of a consignment, how late it is, and its exception.

use jiff::{SignedDuration, Timestamp};

use crate::state::{ConsignmentRow, Exception, Thresholds};
use crate::ui::format::largest_unit;
use shipping::TransitState;
use widgets::tokens::Tone;

/// The time past the ETA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lateness {
    by: SignedDuration,
    /// True if the consignment has been delivered by now.
    over: bool,
}

/// Returns how late a consignment is, or was when it was delivered. `None` if it is on time, or
/// ended without delivery.
pub(super) fn lateness_of(
    one: &ConsignmentRow,
    thresholds: Thresholds,
    now: Timestamp,
) -> Option<Lateness> {
    let due = one.eta_at? + SignedDuration::from_hours(thresholds.late_hours.into());
    let (until, over) = match one.status.id.transit_state() {
        TransitState::Delivered => (one.ended?, true),
        TransitState::Ended => return None,
        TransitState::Unmanifested | TransitState::Booked | TransitState::Moving => (now, false),
    };
    let by = until.duration_since(one.eta_at?);
    (until > due && by > SignedDuration::ZERO).then_some(Lateness { by, over })
}

impl Lateness {
    /// Formats the lateness in its largest unit: `late 2 d`, `late 5 h`, `late 20 min`.
    pub(super) fn text(self) -> String {
        let by = self.by.max(SignedDuration::from_mins(1));
        format!("late {}", largest_unit(by))
    }

    /// Returns true if the consignment has been delivered, so nobody needs to act.
    pub(super) const fn is_over(self) -> bool {
        self.over
    }
}

/// Formats a duration in at most two units: `25 min`, `6 h`, `2 d 4 h`.
pub(super) fn span(span: SignedDuration) -> String {
    let minutes = span.abs().as_mins();
    match (minutes / (24 * 60), minutes / 60 % 24) {
        (0, 0) => format!("{minutes} min"),
        (0, hours) => format!("{hours} h"),
        (days, 0) => format!("{days} d"),
        (days, hours) => format!("{days} d {hours} h"),
    }
}

/// Returns how a consignment compares with its ETA. `None` without an ETA, and for a consignment that ended
/// without delivery.
pub(super) fn eta_status(
    row: &ConsignmentRow,
    thresholds: Thresholds,
    now: Timestamp,
) -> Option<(Tone, String)> {
    let due = row.eta_at?;
    let by = lateness_of(row, thresholds, now).map(|late| span(late.by));
    let (tone, words) = match (row.status.id.transit_state(), by) {
        (TransitState::Ended, _) => return None,
        (TransitState::Delivered, Some(by)) => (Tone::Warning, format!("delivered {by} late")),
        (TransitState::Delivered, None) => {
            row.ended?;
            (Tone::Ok, "delivered on time".to_owned())
        }
        (_, Some(by)) => (Tone::Warning, format!("{by} late")),
        // Past its ETA, but not beyond the threshold for "late".
        (_, None) if now > due => {
            let past = span(now.duration_since(due));
            (Tone::Neutral, format!("due {past} ago"))
        }
        (_, None) => {
            let left = span(due.duration_since(now));
            (Tone::Neutral, format!("in {left}"))
        }
    };
    Some((tone, words))
}

/// Describes an exception in a sentence.
pub(super) fn exception_text(exception: Exception, row: &ConsignmentRow, now: Timestamp) -> String {
    let since = |at: Option<Timestamp>| at.map(|at| span(now.duration_since(at)));
    let told = match exception {
        Exception::Late => since(row.eta_at).map(|late| format!("{late} late, and not delivered")),
        Exception::NotCollected => since(row.booked.or(row.despatch_at))
            .map(|long| format!("Booked {long} ago, not collected")),
        Exception::NoScan => since(row.scanned.or(row.changed))
            .map(|long| format!("With the carrier, no scan for {long}")),
        _ => None,
    };
    told.unwrap_or_else(|| exception.sentence().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_read_at_a_glance() {
        for (minutes, words) in [
            (0, "0 min"),
            (59, "59 min"),
            (60, "1 h"),
            (6 * 60 + 50, "6 h"),
            (24 * 60, "1 d"),
            (52 * 60, "2 d 4 h"),
            (-61, "1 h"),
        ] {
            assert_eq!(span(SignedDuration::from_mins(minutes)), words);
        }
    }
}
