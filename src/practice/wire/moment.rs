//! Points in time on the wire: without a zone, UTC by the name of the field, or local to a place.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// `2026-11-20T04:30:00`, in UTC.
pub(crate) fn utc_text(moment: Timestamp) -> String {
    moment
        .to_zoned(TimeZone::UTC)
        .strftime("%Y-%m-%dT%H:%M:%S")
        .to_string()
}

/// `2026-11-20T15:30:00`, as the clocks there show it.
pub(crate) fn local_text(moment: &Zoned) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Reads a UTC time, with or without a `Z` or an offset; none when it is no time.
pub(crate) fn read_utc(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let zoneless = || {
        read_local(text)
            .and_then(|civil| civil.to_zoned(TimeZone::UTC).ok())
            .map(|zoned| zoned.timestamp())
    };
    text.parse::<Timestamp>().ok().or_else(zoneless)
}

/// Reads the wall-clock part alone: the interface writes a `Z` after local times too.
pub(crate) fn read_local(text: &str) -> Option<DateTime> {
    let text = text.trim();
    text.strip_suffix(['Z', 'z']).unwrap_or(text).parse().ok()
}
