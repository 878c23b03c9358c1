//! What the supervisor's board looks at, and from when on something counts as wrong there: plain numbers.
//!
//! What always holds: a number that is out of its range in the file is brought into it. It must not know what is counted.

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
    pub days: u16,
    /// With the companies below the bench's.
    pub children: bool,
    /// Late so many hours after the ETA.
    pub late_hours: u16,
    /// Not collected so many hours after despatch.
    pub not_collected_hours: u16,
    /// Nothing heard of for so many hours.
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
