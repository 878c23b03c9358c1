//! Settings of the board on Track: its period, and the thresholds of the exceptions.
//!
//! A value in the file that is not valid is read as its default and does not affect the other settings.
//! [`BoardSettings::within_limits`] brings numbers into their range.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Largest threshold, in hours.
const MOST_HOURS: u16 = 999;
/// Longest period of the board, in days.
const MOST_DAYS: u16 = 366;

/// Settings of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Map<String, Value>")]
pub struct BoardSettings {
    /// Number of days that the board looks back.
    pub days: u16,
    /// Includes the companies below the bench's company.
    pub children: bool,
    /// Hours after the ETA from which a consignment is late.
    pub late_hours: u16,
    /// Hours after despatch from which a consignment is reported as not collected.
    pub not_collected_hours: u16,
    /// Hours without a scan from which a consignment is reported.
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

/// Reads every value that is valid: somebody may have edited the file by hand.
impl From<Map<String, Value>> for BoardSettings {
    fn from(file: Map<String, Value>) -> Self {
        let number = |name: &str, default: u16| {
            let number = file.get(name).and_then(Value::as_u64);
            let number = number.and_then(|number| u16::try_from(number).ok());
            number.unwrap_or(default)
        };
        let default = Self::default();
        let children = file.get("children").and_then(Value::as_bool);
        Self {
            days: number("days", default.days),
            children: children.unwrap_or(default.children),
            late_hours: number("late_hours", default.late_hours),
            not_collected_hours: number("not_collected_hours", default.not_collected_hours),
            no_scan_hours: number("no_scan_hours", default.no_scan_hours),
        }
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
