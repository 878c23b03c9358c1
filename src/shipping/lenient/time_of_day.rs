//! A time of day, as text or as a time span since midnight.

use jiff::civil::Time;
use serde::de::{Deserializer, Error};

use super::text_or_record::{TextOrRecord, read_text_or_record};

/// Reads a time of day from `"15:30:00"` or from a time span `{hours, minutes, seconds, …}`. Null and blank
/// text give `None`.
pub(crate) fn time_of_day_or_nothing<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Time>, D::Error> {
    /// .NET's tick is a tenth of a microsecond.
    const TICKS_IN_A_SECOND: f64 = 1e7;
    const NAMES: [&str; 7] = [
        "hours",
        "minutes",
        "seconds",
        "ticks",
        "totalSeconds",
        "totalMinutes",
        "totalHours",
    ];
    let unreadable = || D::Error::custom("not a time of day");
    let number = |text: &Option<String>| text.as_deref()?.trim().parse::<f64>().ok();
    let seconds = match read_text_or_record(deserializer, NAMES)? {
        TextOrRecord::Nothing => return Ok(None),
        TextOrRecord::Text(text) if text.trim().is_empty() => return Ok(None),
        TextOrRecord::Text(text) => {
            let time = text.trim().parse().map_err(|_other| unreadable());
            return time.map(Some);
        }
        TextOrRecord::Record(fields) => {
            let [hours, minutes, seconds, totals @ ..] = fields.each_ref().map(number);
            let of_totals = || {
                let units = [1.0 / TICKS_IN_A_SECOND, 1.0, 60.0, 3600.0];
                let mut given = totals.into_iter().zip(units);
                given.find_map(|(total, unit)| Some(total? * unit))
            };
            match hours {
                Some(hours) => {
                    hours * 3600.0 + minutes.unwrap_or(0.0) * 60.0 + seconds.unwrap_or(0.0)
                }
                None => of_totals().ok_or_else(unreadable)?,
            }
        }
    };
    of_day(seconds).ok_or_else(unreadable).map(Some)
}

/// Converts seconds after midnight to a time of day; fractions are rounded.
#[expect(
    clippy::cast_possible_truncation,
    reason = "checked to be within a day just before"
)]
fn of_day(seconds: f64) -> Option<Time> {
    let whole = seconds.round();
    if !(0.0..86_400.0).contains(&whole) {
        return None;
    }
    let whole = whole as i32;
    let part = |seconds: i32| i8::try_from(seconds).ok();
    Time::new(
        part(whole / 3600)?,
        part(whole / 60 % 60)?,
        part(whole % 60)?,
        0,
    )
    .ok()
}
