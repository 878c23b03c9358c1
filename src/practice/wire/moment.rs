//! Times on the wire. They have no offset: the name of the field tells whether a time is UTC or local
//! to a place.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// Formats a UTC time, such as `2026-11-20T04:30:00`.
pub(crate) fn utc_text(moment: Timestamp) -> String {
    moment
        .to_zoned(TimeZone::UTC)
        .strftime("%Y-%m-%dT%H:%M:%S")
        .to_string()
}

/// Formats a local time, such as `2026-11-20T15:30:00`.
pub(crate) fn local_text(moment: &Zoned) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Reads a UTC time, with or without `Z` or an offset. Returns `None` for text that is not a time.
pub(crate) fn read_utc(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let zoneless = || {
        read_local(text)
            .and_then(|civil| civil.to_zoned(TimeZone::UTC).ok())
            .map(|zoned| zoned.timestamp())
    };
    text.parse::<Timestamp>().ok().or_else(zoneless)
}

/// Reads a local time. A `Z` at the end is ignored, because the interface writes one after local times too.
pub(crate) fn read_local(text: &str) -> Option<DateTime> {
    let text = text.trim();
    text.strip_suffix(['Z', 'z']).unwrap_or(text).parse().ok()
}
