//! Times on the wire: moments in UTC, wall-clock times of a place, and the time zones of Australian places. Also the
//! clock, the only reader of the system's time, which tests, practice drills and the practice service can set.
//!
//! Timestamps come without a zone, even in fields named `…Utc`, which are UTC. Times in fields named `…Local` are
//! wall-clock times of their place, even if they end in `Z`.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use jiff::civil::DateTime;
use jiff::tz::{Disambiguation, TimeZone};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serializer};
use serde_with::SerializeDisplay;
use thiserror::Error;

use super::company::Location;

/// The format of written times: `yyyy-MM-ddThh:mm:ss.000Z`.
const WIRE: &str = "%Y-%m-%dT%H:%M:%S.000Z";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay)]
pub struct UtcTime(pub Timestamp);

/// A wall-clock time of a place. The place determines the time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay)]
pub struct LocalTime(pub DateTime);

/// The reasons why a typed or received local time is not a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TimeError {
    /// The text is not a date and time.
    #[error("not a date and time")]
    Unreadable,
    /// The clocks change at this time, so the time is skipped or occurs twice and does not name one moment.
    #[error("the clocks change at that time, so it occurs twice or not at all")]
    ClockChange,
    #[error("the location's time zone is unknown")]
    UnknownZone,
}

impl UtcTime {
    fn read(text: &str) -> Result<Self, TimeError> {
        let civil = match read_common_format(text) {
            Some(civil) => civil,
            None => match text.parse() {
                Ok(moment) => return Ok(Self(moment)),
                Err(_no_zone) => text.parse().map_err(|_unreadable| TimeError::Unreadable)?,
            },
        };
        let moment = TimeZone::UTC.to_timestamp(civil).map(Self);
        moment.map_err(|_out_of_range| TimeError::Unreadable)
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

    /// Returns the moment that a received time names in `zone` (IANA); `None` if the zone is unknown. If the
    /// clocks go back, returns the earlier of the two moments. If the clocks skip the time, converts it as if they
    /// had not changed.
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
    let text: &[u8; 19] = text.as_bytes().try_into().ok()?;
    if [text[4], text[7], text[10], text[13], text[16]] != *b"--T::" {
        return None;
    }
    let two = |at: usize| {
        let (tens, ones) = (text[at], text[at + 1]);
        let digits = tens.is_ascii_digit() && ones.is_ascii_digit();
        digits.then(|| ((tens - b'0') * 10 + (ones - b'0')).cast_signed())
    };
    let year = i16::from(two(0)?) * 100 + i16::from(two(2)?);
    let (month, day) = (two(5)?, two(8)?);
    let (hour, minute, second) = (two(11)?, two(14)?, two(17)?);
    DateTime::new(year, month, day, hour, minute, second, 0).ok()
}

/// Writes a local time as `yyyy-MM-ddThh:mm:ss`. The specification shows these times without a `Z`: a service that
/// took a `Z` literally would be wrong by hours.
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

macro_rules! wire_time {
    ($($name:ident),+) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.strftime(WIRE).fmt(f)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
                Self::read(&text).map_err(serde::de::Error::custom)
            }
        }
    )+};
}
wire_time!(UtcTime, LocalTime);

/// Returns the IANA zone of a place: the zone from the service, if it is a valid IANA name, otherwise the state's
/// zone. Empty if unknown.
pub fn time_zone_of(place: &Location) -> &str {
    let said = place.time_zone.trim();
    // Some services send a Windows name, such as "AUS Eastern Standard Time".
    if !said.is_empty() && TimeZone::get(said).is_ok() {
        return said;
    }
    australian_time_zone(&place.state, &place.postcode, &place.country).unwrap_or_default()
}

/// Returns the IANA zone for an Australian state and postcode. Every place in a state has that state's zone,
/// except Broken Hill and Lord Howe Island in New South Wales, which have their own. Places in other countries
/// have no zone here: guessing would be wrong.
pub fn australian_time_zone(state: &str, postcode: &str, country: &str) -> Option<&'static str> {
    let country = country.trim().to_ascii_uppercase();
    if !matches!(country.as_str(), "" | "AU" | "AUS" | "AUSTRALIA") {
        return None;
    }
    let zone = match (state.trim().to_ascii_uppercase().as_str(), postcode.trim()) {
        ("NSW" | "NEW SOUTH WALES", "2880") => "Australia/Broken_Hill",
        ("NSW" | "NEW SOUTH WALES", "2898") => "Australia/Lord_Howe",
        ("NSW" | "NEW SOUTH WALES" | "ACT" | "AUSTRALIAN CAPITAL TERRITORY", _) => {
            "Australia/Sydney"
        }
        ("VIC" | "VICTORIA", _) => "Australia/Melbourne",
        ("QLD" | "QUEENSLAND", _) => "Australia/Brisbane",
        ("SA" | "SOUTH AUSTRALIA", _) => "Australia/Adelaide",
        ("WA" | "WESTERN AUSTRALIA", _) => "Australia/Perth",
        ("TAS" | "TASMANIA", _) => "Australia/Hobart",
        ("NT" | "NORTHERN TERRITORY", _) => "Australia/Darwin",
        _ => return None,
    };
    Some(zone)
}

/// The system time plus an offset, or one fixed moment. Clones share one clock: a time set on one applies to all.
#[derive(Clone, Debug)]
pub struct Clock {
    reading: Arc<Mutex<Reading>>,
    /// The zero of a fixed clock's instants.
    created: Instant,
}

#[derive(Clone, Copy, Debug)]
enum Reading {
    Running(SignedDuration),
    Fixed(Timestamp),
}

impl Clock {
    /// Returns a clock that follows the machine's time.
    pub fn system() -> Self {
        Self::from_reading(Reading::Running(SignedDuration::ZERO))
    }

    /// Returns a clock that stays at `moment` until it is set or advanced.
    pub fn fixed(moment: Timestamp) -> Self {
        Self::from_reading(Reading::Fixed(moment))
    }

    fn from_reading(reading: Reading) -> Self {
        Self {
            reading: Arc::new(Mutex::new(reading)),
            created: Instant::now(),
        }
    }

    pub fn now(&self) -> Timestamp {
        match *self.reading() {
            Reading::Running(offset) => system_time()
                .saturating_add(offset)
                .unwrap_or(Timestamp::MAX),
            Reading::Fixed(moment) => moment,
        }
    }

    /// Returns a time to measure ages with. It doesn't jump when the machine's time or a running clock is set. On a fixed
    /// clock, it moves only with the clock.
    pub fn instant(&self) -> Instant {
        match *self.reading() {
            Reading::Running(_) => Instant::now(),
            Reading::Fixed(moment) => {
                self.created + moment.duration_since(Timestamp::UNIX_EPOCH).unsigned_abs()
            }
        }
    }

    /// Moves to `moment`. A fixed clock stays there; a running clock continues from there.
    pub fn set(&self, moment: Timestamp) {
        let mut reading = self.reading();
        *reading = match *reading {
            Reading::Running(_) => Reading::Running(moment.duration_since(system_time())),
            Reading::Fixed(_) => Reading::Fixed(moment),
        };
    }

    /// Moves forward, or back if the duration is negative.
    pub fn advance(&self, by: SignedDuration) {
        let mut reading = self.reading();
        *reading = match *reading {
            Reading::Running(offset) => Reading::Running(offset.saturating_add(by)),
            Reading::Fixed(moment) => Reading::Fixed(moment.saturating_add(by).unwrap_or(moment)),
        };
    }

    fn reading(&self) -> MutexGuard<'_, Reading> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one clock")]
fn system_time() -> Timestamp {
    Timestamp::now()
}
