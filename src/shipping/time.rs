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

    /// The moment that this wall-clock time names in `zone` (IANA), refusing what a clock change makes ambiguous.
    pub fn in_zone(self, zone: &str) -> Result<UtcTime, TimeError> {
        let zone = TimeZone::get(zone).map_err(|_unknown| TimeError::UnknownZone)?;
        zone.to_ambiguous_timestamp(self.0)
            .disambiguate(Disambiguation::Reject)
            .map(UtcTime)
            .map_err(|_ambiguous| TimeError::ClockChange)
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
