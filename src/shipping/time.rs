//! Times on the wire: one reader and one writer for each of the two kinds.
//!
//! Timestamps come without a zone, those named `…Utc` too: these are UTC. Those named `…Local` may end in `Z` and
//! still be the place's own wall-clock time.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{Disambiguation, TimeZone};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// The one shape that times are written in: `yyyy-MM-ddThh:mm:ss.000Z`.
const WIRE: &str = "%Y-%m-%dT%H:%M:%S.000Z";

/// A moment, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UtcTime(pub Timestamp);

/// A wall-clock time at the place that it is about; which zone that is, the place says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalTime(pub DateTime);

/// Why a typed or received local time is not a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TimeError {
    /// Not a date and time at all.
    #[error("not a date and time")]
    Unreadable,
    /// Clocks go forward over it or back through it, so that it names no moment or two.
    #[error("the clocks change at that time there: it names no moment, or two")]
    ClockChange,
    /// The zone's name is not known.
    #[error("the place's time zone is not known")]
    UnknownZone,
}

impl UtcTime {
    fn read(text: &str) -> Result<Self, TimeError> {
        if let Some(civil) = usual(text) {
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
    /// Reads the service's text; a trailing `Z` or offset is not believed.
    pub fn read(text: &str) -> Result<Self, TimeError> {
        if let Some(civil) = usual(text) {
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

    /// The moment that this wall-clock time names in `zone` (IANA), refusing what a clock change makes ambiguous: for what is
    /// typed.
    pub fn in_zone(self, zone: &str) -> Result<UtcTime, TimeError> {
        let zone = TimeZone::get(zone).map_err(|_unknown| TimeError::UnknownZone)?;
        zone.to_ambiguous_timestamp(self.0)
            .disambiguate(Disambiguation::Reject)
            .map(UtcTime)
            .map_err(|_ambiguous| TimeError::ClockChange)
    }

    /// The moment that a time which was told names in `zone` (IANA): of the two that clocks going back make of it, the
    /// earlier; where they go forward over it, as if they had gone on. Nothing where the zone is not known.
    pub fn told_in(self, zone: &str) -> Option<UtcTime> {
        let zone = TimeZone::get(zone).ok()?;
        let moment = zone.to_ambiguous_timestamp(self.0).compatible().ok()?;
        Some(UtcTime(moment))
    }

    /// The wall-clock time in `zone` (IANA) at `moment`; UTC's where the zone is not known.
    pub fn at(moment: Timestamp, zone: &str) -> Self {
        Self(
            TimeZone::get(zone)
                .unwrap_or(TimeZone::UTC)
                .to_datetime(moment),
        )
    }
}

/// `yyyy-MM-ddThh:mm:ss` and nothing else: what nearly every time of every answer is, read without a detour.
fn usual(text: &str) -> Option<DateTime> {
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

/// Writes a local time bare, `yyyy-MM-ddThh:mm:ss`: where the specification says "local" and shows no `Z`, a service that
/// believes one would be hours off.
#[expect(clippy::ref_option, reason = "serde calls it with the field as it is")]
pub(super) fn bare<S: Serializer>(
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
