//! Formats times, amounts and counts for the screens.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use shipping::{Dollars, Kilograms, LocalTime};

/// Formats a time in the IANA time zone `zone`: `14:05`.
pub(crate) fn clock(at: Timestamp, zone: &str) -> String {
    LocalTime::at(at, zone).0.strftime("%H:%M").to_string()
}

/// Formats a time in the IANA time zone `zone`, with seconds: `14:05:02`.
pub(crate) fn clock_seconds(at: Timestamp, zone: &str) -> String {
    LocalTime::at(at, zone).0.strftime("%H:%M:%S").to_string()
}

/// Returns the abbreviation of the IANA time zone `zone` at that time: `AEDT`.
pub(crate) fn zone_name(at: Timestamp, zone: &str) -> String {
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    zone.to_offset_info(at).abbreviation().to_owned()
}

/// Returns the first moment of a day.
pub(crate) const fn midnight(day: Date) -> LocalTime {
    LocalTime(day.at(0, 0, 0, 0))
}

/// Formats a date: `23 Nov`.
pub(crate) fn day(at: LocalTime) -> String {
    at.0.strftime("%-d %b").to_string()
}

/// Formats a date with its weekday: `Mon 23 Nov`.
pub(crate) fn weekday(at: LocalTime) -> String {
    at.0.strftime("%a %-d %b").to_string()
}

/// Formats a time of today as `15:30`, and any other day as `23 Nov`.
pub(crate) fn time_or_day(at: LocalTime, now: DateTime) -> String {
    if at.0.date() == now.date() {
        at.0.strftime("%H:%M").to_string()
    } else {
        day(at)
    }
}

/// Formats a date with its weekday and time: `Fri 20 Nov 16:00`.
pub(crate) fn day_and_time(at: LocalTime) -> String {
    at.0.strftime("%a %-d %b %H:%M").to_string()
}

/// Formats a time of today as `14:05:02`, or as `14:05` if not `seconds`; any other day as `Fri 20 Nov 14:05`.
pub(crate) fn clock_or_day(at: Timestamp, now: Timestamp, zone: &str, seconds: bool) -> String {
    let there = LocalTime::at(at, zone);
    if there.0.date() != LocalTime::at(now, zone).0.date() {
        day_and_time(there)
    } else if seconds {
        clock_seconds(at, zone)
    } else {
        clock(at, zone)
    }
}

/// Formats an amount of money: `$38.40`.
pub(crate) fn price(amount: Dollars) -> String {
    format!("${:.2}", amount.0)
}

/// Formats a weight in kilograms, without the unit: `71.5`.
pub(crate) fn kilograms(weight: Kilograms) -> String {
    format!("{:.1}", weight.0)
}

/// Formats a count with thousands separators: `1,208`.
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups = groups.map(|group| str::from_utf8(group).unwrap_or_default());
    groups.collect::<Vec<_>>().join(",")
}

/// Formats a count with its noun: `1 label`, `3 labels`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// Formats a duration in its largest unit: `20 min`, `5 h`, `2 d`. Hours are used up to two days.
pub fn largest_unit(duration: SignedDuration) -> String {
    let (hours, minutes) = (duration.as_hours(), duration.as_mins());
    match hours {
        48.. => format!("{} d", hours / 24),
        1..48 => format!("{hours} h"),
        _ => format!("{minutes} min"),
    }
}

/// Lists the first `most` numbers and says how many follow: `MS200001, MS200002 and 3 more`.
pub(crate) fn first_and_count(numbers: &[String], most: usize) -> String {
    let (named, rest) = numbers.split_at(numbers.len().min(most));
    let named = named.join(", ");
    match rest.len() {
        0 => named,
        more => format!("{named} and {} more", grouped(more)),
    }
}
