//! The earliest despatch time of a request. UTC takes precedence over local time, and a missing or past time
//! becomes now. An edit that leaves the time unchanged keeps it.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Purpose, RuleContext};
use crate::wire::{ConsignmentRequest, Refusal, read_local, read_utc};

/// Returns the earliest despatch time. `origin` is the time zone of the pickup place, if known. Create
/// requests spell the field `dispatch…` and routes requests `despatch…`; the other spelling is ignored.
pub(super) fn not_before(
    context: &RuleContext<'_>,
    order: &ConsignmentRequest,
    origin: Option<TimeZone>,
) -> Result<Timestamp, Refusal> {
    let (utc, local, name) = match context.purpose {
        Purpose::Create | Purpose::Edit(_) => (
            &order.dispatch_date_time_utc,
            &order.dispatch_date_time_local,
            "dispatchDateTime",
        ),
        Purpose::Routes => (
            &order.despatch_date_time_utc,
            &order.despatch_date_time_local,
            "despatchDateTime",
        ),
    };
    let invalid = |suffix: &str, text: &str| {
        Refusal::new(
            format!("{name}{suffix}"),
            format!("{text} is not a date and time"),
        )
    };
    let asked = match (utc, local, origin) {
        (Some(text), _, _) => read_utc(text).ok_or_else(|| invalid("Utc", text))?,
        (None, Some(text), Some(origin)) => {
            let civil = read_local(text).ok_or_else(|| invalid("Local", text))?;
            civil
                .to_zoned(origin)
                .ok()
                .ok_or_else(|| invalid("Local", text))?
                .timestamp()
        }
        _ => context.now,
    };
    match context.purpose {
        // Compared to the second, because the editable form has no fractions of a second.
        Purpose::Edit(kept) if kept.as_second() == asked.as_second() => Ok(kept),
        _ => Ok(asked.max(context.now)),
    }
}
