//! How far back a look goes. No service and no disk in here.

use jiff::{SignedDuration, Timestamp};

use crate::journal::SyncMark;

/// How far recent updates go back: just inside the service's ten days; and less far where the service calls that too much,
/// because this machine's clock is behind its own.
const RECENT: [SignedDuration; 3] = [
    SignedDuration::from_hours(239),
    SignedDuration::from_hours(215),
    SignedDuration::from_hours(120),
];

/// A difference begins so much before the last look: the service may take a while to list what it was told.
pub(super) const OVERLAP: SignedDuration = SignedDuration::from_mins(10);

/// A carrier tells of a step hours after it was done, and a clerk dates a status back: it is listed when it was done. So now
/// and then a difference begins so much earlier.
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// So often it does.
const DAY_EVERY: SignedDuration = SignedDuration::from_mins(30);

/// How much is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// What changed since the last look.
    Difference,
    /// The same, and a day before that.
    Day,
    /// All that the service lists.
    Whole,
}

impl Reach {
    /// What a look has to be. `far_at` is when one last was more than a difference.
    pub(super) fn of(
        mark: Option<SyncMark>,
        whole: bool,
        far_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Self {
        let Some(mark) = mark.filter(|_| !whole) else {
            return Self::Whole;
        };
        if mark.at - OVERLAP < now - RECENT[0] {
            return Self::Whole;
        }
        let far_at = far_at.max(Some(mark.whole_at));
        if far_at.is_some_and(|far_at| far_at <= now && now < far_at + DAY_EVERY) {
            Self::Difference
        } else {
            Self::Day
        }
    }

    /// What the list is asked from; the next one where the service calls that too far.
    pub(super) fn starts(self, mark: Option<SyncMark>, now: Timestamp) -> Vec<Timestamp> {
        let wanted = mark.and_then(|mark| match self {
            Self::Difference => Some(mark.seen_to - OVERLAP),
            Self::Day => Some(mark.seen_to - OVERLAP - DAY),
            Self::Whole => None,
        });
        let furthest = RECENT.map(|back| now - back);
        let mut starts: Vec<_> = furthest
            .into_iter()
            .map(|furthest| wanted.map_or(furthest, |wanted| wanted.max(furthest)))
            .collect();
        starts.dedup();
        starts
    }
}

/// True where a list that begins at `from` leaves open what happened since the last look. A service that had nothing to say
/// for long is not one that nobody listened to.
pub(super) fn leaves_gap(mark: Option<SyncMark>, from: Timestamp) -> bool {
    mark.is_some_and(|mark| mark.seen_to - OVERLAP < from && mark.at - OVERLAP < from)
}
