//! Decides how far back a sync reads. No I/O.

use jiff::{SignedDuration, Timestamp};

use storage::SyncMark;

/// How far back recent updates go: just inside the service's limit of ten days. The shorter values are tried
/// if the service refuses the first, because this machine's clock is behind its own.
const RECENT: [SignedDuration; 3] = [
    SignedDuration::from_hours(239),
    SignedDuration::from_hours(215),
    SignedDuration::from_hours(120),
];

/// How long before the last sync the next sync starts, because the service may list a change with a delay.
pub(super) const OVERLAP: SignedDuration = SignedDuration::from_mins(10);

/// How much earlier a sync starts now and then. Carriers report a step hours after it happened, and clerks backdate
/// statuses: the service lists both under the time of the event.
const EXTRA_LOOKBACK: SignedDuration = SignedDuration::from_hours(24);

/// How often a sync starts earlier by [`EXTRA_LOOKBACK`].
const DAY_EVERY: SignedDuration = SignedDuration::from_mins(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SyncWindow {
    Changes,
    /// Changes since the last sync, and changes of the day before it.
    ChangesAndDayBefore,
    Full,
}

impl SyncWindow {
    /// Decides how much a sync reads. `far_at` is when a sync last read more than the difference.
    pub(super) fn choose(
        mark: Option<SyncMark>,
        whole: bool,
        far_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Self {
        let Some(mark) = mark.filter(|_| !whole) else {
            return Self::Full;
        };
        if mark.at - OVERLAP < now - RECENT[0] {
            return Self::Full;
        }
        let far_at = far_at.max(Some(mark.whole_at));
        if far_at.is_some_and(|far_at| far_at <= now && now < far_at + DAY_EVERY) {
            Self::Changes
        } else {
            Self::ChangesAndDayBefore
        }
    }

    /// Returns the times from which to request the list. If the service refuses one as too early, the
    /// next is used.
    pub(super) fn starts(self, mark: Option<SyncMark>, now: Timestamp) -> Vec<Timestamp> {
        let wanted = mark.and_then(|mark| match self {
            Self::Changes => Some(mark.seen_to - OVERLAP),
            Self::ChangesAndDayBefore => Some(mark.seen_to - OVERLAP - EXTRA_LOOKBACK),
            Self::Full => None,
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

/// Returns true if a list that starts at `from` leaves out changes since the last sync. If the service
/// reported nothing for a long time, that alone is no gap: the time of the last sync counts as well.
pub(super) fn leaves_gap(mark: Option<SyncMark>, from: Timestamp) -> bool {
    mark.is_some_and(|mark| mark.seen_to - OVERLAP < from && mark.at - OVERLAP < from)
}
