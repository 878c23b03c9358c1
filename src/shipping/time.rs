//! Times on the wire: moments in UTC, and wall-clock times of a place.
//!
//! Timestamps come without a zone, even those named `…Utc`, which are UTC. Those named `…Local` may end in
//! `Z` and are wall-clock times of their place all the same.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{Disambiguation, TimeZone};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// The format of written times: `yyyy-MM-ddThh:mm:ss.000Z`.
const WIRE: &str = "%Y-%m-%dT%H:%M:%S.000Z";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UtcTime(pub Timestamp);

/// A wall-clock time of a place. The place determines the time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalTime(pub DateTime);

/// The reasons why a typed or received local time is not a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TimeError {
    /// The text is not a date and time.
    #[error("not a date and time")]
    Unreadable,
    /// The clocks go forward over this time or back through it, so it names no moment or two.
    #[error("the clocks change at that time, so it occurs twice or not at all")]
    ClockChange,
    #[error("the location's time zone is unknown")]
    UnknownZone,
}

impl UtcTime {
    fn read(text: &str) -> Result<Self, TimeError> {
        if let Some(civil) = read_common_format(text) {
            let moment = TimeZone::UTC.to_timestamp(civil);
            return moment
                .map(Self)
                .map_err(|_out_of_range| TimeError::Unreadable);
        }
        if let Ok(moment) = text.parse::<Timestamp>() {
            return Ok(Self(moment));
        }
        let civil: DateTime = text.parse().map_err(|_unreadable| TimeError::Unreadable)?;
        let moment = civil
            .to_zoned(TimeZone::UTC)
            .map_err(|_out_of_range| TimeError::Unreadable)?;
        Ok(Self(moment.timestamp()))
    }
}

impl LocalTime {
    /// Reads the service's text and ignores a trailing `Z` or offset, because services add them wrongly.
    pub fn read(text: &str) -> Result<Self, TimeError> {
        if let Some(civil) = read_common_format(text) {
            return Ok(Self(civil));
        }
        let text = text.trim();
        let bare = text.strip_suffix(['Z', 'z']).unwrap_or(text);
        let bare = match bare.get(10..).and_then(|time| time.rfind(['+', '-'])) {
            Some(offset) => &bare[..10 + offset],
            None => bare,
        };
        bare.parse()
            .map(Self)
            .map_err(|_unreadable| TimeError::Unreadable)
    }

    /// Returns the moment that this time names in `zone` (IANA). Refuses times that a clock change makes
    /// ambiguous, so it is meant for typed times.
    pub fn in_zone(self, zone: &str) -> Result<UtcTime, TimeError> {
        let zone = TimeZone::get(zone).map_err(|_unknown| TimeError::UnknownZone)?;
        zone.to_ambiguous_timestamp(self.0)
            .disambiguate(Disambiguation::Reject)
            .map(UtcTime)
            .map_err(|_ambiguous| TimeError::ClockChange)
    }

    /// Returns the moment that a received time names in `zone` (IANA); `None` if the zone is unknown. When
    /// clocks go back, the earlier of the two moments is taken; when they go forward over the time, the
    /// clocks count as if they had not changed.
    pub fn in_zone_lenient(self, zone: &str) -> Option<UtcTime> {
        let zone = TimeZone::get(zone).ok()?;
        let moment = zone.to_ambiguous_timestamp(self.0).compatible().ok()?;
        Some(UtcTime(moment))
    }

    /// Returns the wall-clock time in `zone` (IANA) at `moment`. An unknown zone counts as UTC.
    pub fn at(moment: Timestamp, zone: &str) -> Self {
        Self(
            TimeZone::get(zone)
                .unwrap_or(TimeZone::UTC)
                .to_datetime(moment),
        )
    }
}

/// Reads exactly `yyyy-MM-ddThh:mm:ss`, the form of nearly every received time, faster than the
/// general parser.
fn read_common_format(text: &str) -> Option<DateTime> {
    let &[
        y1,
        y2,
        y3,
        y4,
        b'-',
        m1,
        m2,
        b'-',
        d1,
        d2,
        b'T',
        h1,
        h2,
        b':',
        n1,
        n2,
        b':',
        s1,
        s2,
    ] = text.as_bytes()
    else {
        return None;
    };
    let two = |tens: u8, ones: u8| {
        let digits = tens.is_ascii_digit() && ones.is_ascii_digit();
        digits.then(|| (tens - b'0') * 10 + (ones - b'0'))
    };
    let small = |tens, ones| two(tens, ones).and_then(|value| i8::try_from(value).ok());
    let year = i16::from(two(y1, y2)?) * 100 + i16::from(two(y3, y4)?);
    let (month, day) = (small(m1, m2)?, small(d1, d2)?);
    let (hour, minute, second) = (small(h1, h2)?, small(n1, n2)?, small(s1, s2)?);
    DateTime::new(year, month, day, hour, minute, second, 0).ok()
}

impl fmt::Display for UtcTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.strftime(WIRE).fmt(f)
    }
}

impl fmt::Display for LocalTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.strftime(WIRE).fmt(f)
    }
}

impl Serialize for UtcTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for LocalTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Writes a local time as `yyyy-MM-ddThh:mm:ss`. Where the specification shows "local" without a `Z`, a
/// service that believed a `Z` would be hours off.
#[expect(clippy::ref_option, reason = "serde calls it with the field as it is")]
pub(super) fn serialize_without_zone<S: Serializer>(
    time: &Option<LocalTime>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(LocalTime(time)) => serializer.collect_str(&time.strftime("%Y-%m-%dT%H:%M:%S")),
        None => serializer.serialize_none(),
    }
}

impl<'de> Deserialize<'de> for UtcTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::read(&text).map_err(serde::de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for LocalTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::read(&text).map_err(serde::de::Error::custom)
    }
}
