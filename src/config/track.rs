//! What the supervisor's board looks at, and from when on something counts as wrong there: plain numbers.
//!
//! What always holds: a number that is out of its range in the file is brought into it; what is no such number is as it is
//! at first, and spoils nothing else. It must not know what is counted.

use serde::{Deserialize, Serialize};

/// The longest that a threshold can be, in hours.
const MOST_HOURS: u16 = 999;
/// The longest that the board looks back, in days.
const MOST_DAYS: u16 = 366;

/// The board's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrackSettings {
    /// How many days it looks back.
    #[serde(deserialize_with = "read::days")]
    pub days: u16,
    /// With the companies below the bench's.
    pub children: bool,
    /// Late so many hours after the ETA.
    #[serde(deserialize_with = "read::late_hours")]
    pub late_hours: u16,
    /// Not collected so many hours after despatch.
    #[serde(deserialize_with = "read::not_collected_hours")]
    pub not_collected_hours: u16,
    /// Nothing heard of for so many hours.
    #[serde(deserialize_with = "read::no_scan_hours")]
    pub no_scan_hours: u16,
}

impl Default for TrackSettings {
    fn default() -> Self {
        Self {
            days: 14,
            children: true,
            late_hours: 0,
            not_collected_hours: 24,
            no_scan_hours: 48,
        }
    }
}

impl TrackSettings {
    /// As they can be worked with, whatever the file says.
    #[must_use]
    pub fn within_limits(self) -> Self {
        Self {
            days: self.days.clamp(1, MOST_DAYS),
            children: self.children,
            late_hours: self.late_hours.min(MOST_HOURS),
            not_collected_hours: self.not_collected_hours.min(MOST_HOURS),
            no_scan_hours: self.no_scan_hours.min(MOST_HOURS),
        }
    }
}

/// Numbers as somebody may have typed them into the file.
mod read {
    use serde::{Deserialize as _, Deserializer};
    use serde_json::Value;

    use super::TrackSettings;

    pub(super) fn days<'de, D: Deserializer<'de>>(from: D) -> Result<u16, D::Error> {
        number(from, |track| track.days)
    }

    pub(super) fn late_hours<'de, D: Deserializer<'de>>(from: D) -> Result<u16, D::Error> {
        number(from, |track| track.late_hours)
    }

    pub(super) fn not_collected_hours<'de, D: Deserializer<'de>>(from: D) -> Result<u16, D::Error> {
        number(from, |track| track.not_collected_hours)
    }

    pub(super) fn no_scan_hours<'de, D: Deserializer<'de>>(from: D) -> Result<u16, D::Error> {
        number(from, |track| track.no_scan_hours)
    }

    fn number<'de, D: Deserializer<'de>>(
        from: D,
        at_first: fn(TrackSettings) -> u16,
    ) -> Result<u16, D::Error> {
        let number = Value::deserialize(from)?.as_u64();
        let number = number.and_then(|number| u16::try_from(number).ok());
        Ok(number.unwrap_or_else(|| at_first(TrackSettings::default())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_cannot_be_is_as_it_is_at_first_and_spoils_nothing_else() {
        let typed = r#"{ "days": 70000, "late_hours": -1, "not_collected_hours": "soon", "no_scan_hours": 12, "children": false }"#;
        let read: TrackSettings = serde_json::from_str(typed).expect("it is read");
        let expected = TrackSettings {
            no_scan_hours: 12,
            children: false,
            ..TrackSettings::default()
        };
        assert_eq!(read, expected);
    }
}
