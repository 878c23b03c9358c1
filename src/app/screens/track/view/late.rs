//! How late a consignment is, in a word or two.

use jiff::{SignedDuration, Timestamp};

use crate::state::{ConsignmentRow, Thresholds};
use shipping::TransitState;

/// The time past the ETA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::screens::track::view) struct Lateness {
    by: SignedDuration,
    /// True if the consignment has been delivered by now.
    over: bool,
}

/// Returns how late a consignment is, or was when it was delivered. `None` if it is on time, or
/// ended without delivery.
pub(in crate::screens::track::view) fn lateness_of(
    one: &ConsignmentRow,
    thresholds: Thresholds,
    now: Timestamp,
) -> Option<Lateness> {
    let due = one.eta_at? + SignedDuration::from_hours(thresholds.late_hours.into());
    let (until, over) = match one.status.id.transit_state() {
        TransitState::Delivered => (one.ended?, true),
        TransitState::Ended => return None,
        TransitState::Unmanifested | TransitState::Booked | TransitState::Moving => (now, false),
    };
    let by = until.duration_since(one.eta_at?);
    (until > due && by > SignedDuration::ZERO).then_some(Lateness { by, over })
}

impl Lateness {
    /// `late 2 d`, `late 5 h`, `late 20 min`.
    pub(in crate::screens::track::view) fn text(self) -> String {
        let (minutes, hours) = (self.by.as_mins(), self.by.as_hours());
        let by = match hours {
            48.. => format!("{} d", hours / 24),
            1..48 => format!("{hours} h"),
            _ => format!("{} min", minutes.max(1)),
        };
        format!("late {by}")
    }

    /// Time past the ETA.
    pub(in crate::screens::track::view) const fn by(self) -> SignedDuration {
        self.by
    }

    /// True if the consignment has been delivered, so nobody needs to act.
    pub(in crate::screens::track::view) const fn is_over(self) -> bool {
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::{Lateness, SignedDuration};

    #[test]
    fn lateness_is_said_in_the_unit_that_helps() {
        for (minutes, words) in [
            (0, "late 1 min"),
            (59, "late 59 min"),
            (60, "late 1 h"),
            (47 * 60, "late 47 h"),
            (48 * 60, "late 2 d"),
        ] {
            let (by, over) = (SignedDuration::from_mins(minutes), false);
            assert_eq!(Lateness { by, over }.text(), words);
        }
    }
}
