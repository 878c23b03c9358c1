//! How statuses, exceptions and ETAs are shown: the tone and icon of each status, how late a consignment is, and its
//! exception in a sentence. The name of a status comes from the service.

use jiff::{SignedDuration, Timestamp};

use crate::state::{ConsignmentRow, Exception, Thresholds};
use crate::ui::format::largest_unit;
use shipping::{ExceptionSeverity, StatusId, TransitState};
use widgets::tokens::Tone;
use widgets::{Icon, icons};

pub(super) fn tone(status: StatusId) -> Tone {
    if let Some(exception) = status.exception() {
        return exception_tone(exception);
    }
    match status.transit_state() {
        TransitState::Moving => Tone::Accent,
        TransitState::Delivered => Tone::Ok,
        TransitState::Unmanifested | TransitState::Booked | TransitState::Ended => Tone::Neutral,
    }
}

/// Returns the icon of a status, so that statuses differ by more than their colour.
pub(super) fn icon(status: StatusId) -> Icon {
    match (
        status.exception().map(Exception::severity),
        status.transit_state(),
    ) {
        (Some(ExceptionSeverity::Failure), _) => icons::ICON_WARNING,
        (Some(ExceptionSeverity::Delay | ExceptionSeverity::Unknown), _) => {
            icons::ICON_HOURGLASS_TOP
        }
        (None, TransitState::Unmanifested) => icons::ICON_EDIT_SQUARE,
        (None, TransitState::Booked) => icons::ICON_SCHEDULE,
        (None, TransitState::Moving) => icons::ICON_LOCAL_SHIPPING,
        (None, TransitState::Delivered) => icons::ICON_CHECK,
        (None, TransitState::Ended) => icons::ICON_CLOSE,
    }
}

/// Returns the tone of an exception, by its severity.
pub(super) const fn exception_tone(exception: Exception) -> Tone {
    match exception.severity() {
        ExceptionSeverity::Failure => Tone::Bad,
        ExceptionSeverity::Delay => Tone::Warning,
        ExceptionSeverity::Unknown => Tone::Unknown,
    }
}

/// Returns how late a consignment is, or was when it was delivered. `None` if it is on time, or
/// ended without delivery.
pub(super) fn lateness(
    one: &ConsignmentRow,
    thresholds: Thresholds,
    now: Timestamp,
) -> Option<SignedDuration> {
    let due = one.eta_at? + SignedDuration::from_hours(thresholds.late_hours.into());
    let until = match one.status.id.transit_state() {
        TransitState::Delivered => one.ended?,
        TransitState::Ended => return None,
        TransitState::Unmanifested | TransitState::Booked | TransitState::Moving => now,
    };
    let by = until.duration_since(one.eta_at?);
    (until > due && by > SignedDuration::ZERO).then_some(by)
}

/// Formats a lateness in its largest unit: `late 2 d`, `late 5 h`, `late 20 min`.
pub(super) fn late_text(by: SignedDuration) -> String {
    format!(
        "late {}",
        largest_unit(by.max(SignedDuration::from_mins(1)))
    )
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
    let by = lateness(row, thresholds, now).map(span);
    // `span` ignores the sign.
    let to_due = span(due.duration_since(now));
    Some(match (row.status.id.transit_state(), by) {
        (TransitState::Ended, _) => return None,
        (TransitState::Delivered, Some(by)) => (Tone::Warning, format!("delivered {by} late")),
        (TransitState::Delivered, None) => {
            row.ended?;
            (Tone::Ok, "delivered on time".to_owned())
        }
        (_, Some(by)) => (Tone::Warning, format!("{by} late")),
        // Past its ETA, but not beyond the threshold for "late".
        (_, None) if now > due => (Tone::Neutral, format!("due {to_due} ago")),
        (_, None) => (Tone::Neutral, format!("in {to_due}")),
    })
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
