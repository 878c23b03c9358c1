//! How late a consignment is, in a word or two.

use jiff::{SignedDuration, Timestamp};

use super::super::super::kit::tokens::Tone;
use crate::shipping::Course;
use crate::state::{Thresholds, Tracked};

/// Past its ETA by so much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Late {
    by: SignedDuration,
    /// It has arrived by now.
    over: bool,
}

/// How late it is, or was when it arrived; nothing where it was in time, or ended in another way.
pub(super) fn late(one: &Tracked, thresholds: Thresholds, now: Timestamp) -> Option<Late> {
    let due = one.eta_at? + SignedDuration::from_hours(thresholds.late_hours.into());
    let (until, over) = match one.status.id.course() {
        Course::Delivered => (one.ended?, true),
        Course::Ended => return None,
        Course::Unmanifested | Course::Booked | Course::Moving => (now, false),
    };
    let by = until.duration_since(one.eta_at?);
    (until > due && by > SignedDuration::ZERO).then_some(Late { by, over })
}

impl Late {
    /// `late 2 d`, `late 5 h`; `was late 1 d` once it has arrived.
    pub(super) fn words(self) -> String {
        let (minutes, hours) = (self.by.as_mins(), self.by.as_hours());
        let by = match hours {
            48.. => format!("{} d", hours / 24),
            1..48 => format!("{hours} h"),
            _ => format!("{} min", minutes.max(1)),
        };
        if self.over {
            format!("was late {by}")
        } else {
            format!("late {by}")
        }
    }

    /// How it looks: what has arrived needs nobody.
    pub(super) const fn tone(self) -> Tone {
        if self.over {
            Tone::Neutral
        } else {
            Tone::Warning
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Late, SignedDuration};

    #[test]
    fn lateness_is_said_in_the_unit_that_helps() {
        for (minutes, over, words) in [
            (0, false, "late 1 min"),
            (59, false, "late 59 min"),
            (60, false, "late 1 h"),
            (47 * 60, true, "was late 47 h"),
            (48 * 60, false, "late 2 d"),
        ] {
            let by = SignedDuration::from_mins(minutes);
            assert_eq!(Late { by, over }.words(), words);
        }
    }
}
