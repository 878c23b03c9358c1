//! Settings of the board on Track: its period, and the thresholds of the exceptions.
//!
//! A value in the file that is not a `u16` is read as its default and does not affect the other settings.
//! [`BoardSettings::within_limits`] brings numbers into their range.

use serde::{Deserialize, Serialize};

/// Largest threshold, in hours.
const MOST_HOURS: u16 = 999;
/// Longest period of the board, in days.
const MOST_DAYS: u16 = 366;

/// Settings of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BoardSettings {
    /// Number of days that the board looks back.
    #[serde(deserialize_with = "read::days")]
    pub days: u16,
    /// Includes the companies below the bench's company.
    pub children: bool,
    /// Hours after the ETA from which a consignment is late.
    #[serde(deserialize_with = "read::late_hours")]
    pub late_hours: u16,
    /// Hours after despatch from which a consignment is reported as not collected.
    #[serde(deserialize_with = "read::not_collected_hours")]
    pub not_collected_hours: u16,
    /// Hours without a scan from which a consignment is reported.
    #[serde(deserialize_with = "read::no_scan_hours")]
    pub no_scan_hours: u16,
}

impl Default for BoardSettings {
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

impl BoardSettings {
    /// Returns the settings with every number clamped to its range.
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

/// Tolerant deserialization of numbers: somebody may have edited the file by hand.
mod read {
    use serde::{Deserialize as _, Deserializer};
    use serde_json::Value;

    use super::BoardSettings;

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
        at_first: fn(BoardSettings) -> u16,
    ) -> Result<u16, D::Error> {
        let number = Value::deserialize(from)?.as_u64();
        let number = number.and_then(|number| u16::try_from(number).ok());
        Ok(number.unwrap_or_else(|| at_first(BoardSettings::default())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_cannot_be_is_as_it_is_at_first_and_spoils_nothing_else() {
        let typed = r#"{ "days": 70000, "late_hours": -1, "not_collected_hours": "soon", "no_scan_hours": 12, "children": false }"#;
        let read: BoardSettings = serde_json::from_str(typed).expect("it is read");
        let expected = BoardSettings {
            no_scan_hours: 12,
            children: false,
            ..BoardSettings::default()
        };
        assert_eq!(read, expected);
    }
}
