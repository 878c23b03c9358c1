//! The lines of a consignment's timeline: newest first, grouped by day, in the time zone of each
//! step. Invariant: a time known only as UTC is never shown as local without its zone or the word "UTC". A
//! step without a time keeps its position in the service's history.

use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Timestamp};

use crate::ui::format::zone_name;
use shipping::{LocalTime, StatusChange, TransitState};

/// Longer gaps between two steps get a line of their own.
const GAP: SignedDuration = SignedDuration::from_hours(24);

/// Clocks that differ by less than this count as equal.
const SAME: SignedDuration = SignedDuration::from_secs(90);

/// The time zones (IANA) of both ends; empty if unknown.
#[derive(Debug, Clone, Copy)]
pub(super) struct RouteZones<'a> {
    pub(super) from: &'a str,
    pub(super) to: &'a str,
    /// The zone of this bench.
    pub(super) bench: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StepTime {
    /// The local time in the zone named by `zone`; `None` if the service gave no time.
    pub(super) local: Option<DateTime>,
    /// The name of this time zone: `AWST`, `UTC+10:30`, or `local time` if the zone is unknown. Empty if the
    /// bench's time zone shows the same time.
    pub(super) zone: String,
    /// The moment, if it is known.
    pub(super) at: Option<Timestamp>,
}

/// A line of the timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TimelineLine {
    /// The day of the steps that follow.
    Day(Date),
    /// A step, by its index in the history.
    Step(usize, StepTime),
    /// The length of a gap without scans between the steps above and below.
    Gap(SignedDuration),
}

/// Returns when a step happened, in the time zone of its place.
pub(super) fn step_time(step: &StatusChange, ends: RouteZones<'_>) -> StepTime {
    let utc = step.status_date_utc.map(|at| at.0);
    let local = step.status_date_local.map(|at| at.0);
    let course =
        { step.consignment_tracking_status.as_ref() }.map(|status| status.id.transit_state());
    // Steps before collection happen at the sender's place; later steps are closer to the receiver's place.
    let zones = match course {
        Some(TransitState::Unmanifested | TransitState::Booked) => [ends.from, ends.to],
        _ => [ends.to, ends.from],
    };
    let known = || zones.into_iter().filter(|zone| !zone.is_empty());
    match (local, utc) {
        (Some(local), Some(utc)) => StepTime {
            zone: clock_label(local, utc, known(), ends.bench),
            local: Some(local),
            at: Some(utc),
        },
        (None, Some(utc)) => {
            let zone = known().next();
            StepTime {
                local: Some(LocalTime::at(utc, zone.unwrap_or("UTC")).0),
                zone: zone.map_or_else(
                    || "UTC".to_owned(),
                    |zone| zone_label(utc, zone, ends.bench),
                ),
                at: Some(utc),
            }
        }
        (Some(local), None) => StepTime {
            local: Some(local),
            zone: "local time".to_owned(),
            at: known().find_map(|zone| LocalTime(local).in_zone_lenient(zone).map(|at| at.0)),
        },
        (None, None) => StepTime {
            local: None,
            zone: String::new(),
            at: None,
        },
    }
}

/// Names the time zone in which `utc` is `local`: by a known place, else by their offset from UTC.
fn clock_label<'a>(
    local: DateTime,
    utc: Timestamp,
    mut known: impl Iterator<Item = &'a str>,
    bench: &str,
) -> String {
    let shows = |zone: &str| apart(LocalTime::at(utc, zone).0, local) < SAME;
    if let Some(zone) = known.find(|zone| shows(zone)) {
        return zone_label(utc, zone, bench);
    }
    if shows(bench) {
        return String::new();
    }
    let off = local.duration_since(LocalTime::at(utc, "UTC").0);
    let minutes = off.as_mins();
    if minutes.abs() > 14 * 60 {
        // No zone is more than 14 hours from UTC, so the offset is wrong.
        return "local time".to_owned();
    }
    let sign = if minutes < 0 { '−' } else { '+' };
    match (minutes.abs() / 60, minutes.abs() % 60) {
        (0, 0) => "UTC".to_owned(),
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, rest) => format!("UTC{sign}{hours}:{rest:02}"),
    }
}

fn apart(one: DateTime, other: DateTime) -> SignedDuration {
    one.duration_since(other).abs()
}

/// Returns the abbreviation of the zone; empty if the bench's time zone shows the same time.
pub(super) fn zone_label(at: Timestamp, zone: &str, bench: &str) -> String {
    if LocalTime::at(at, zone) == LocalTime::at(at, bench) {
        String::new()
    } else {
        zone_name(at, zone)
    }
}

/// Returns all lines, newest first. `open_at` is the current time for a consignment in transit, so that the
/// time since the last scan counts as a gap, too.
pub(super) fn lines(
    history: &[StatusChange],
    ends: RouteZones<'_>,
    open_at: Option<Timestamp>,
) -> Vec<TimelineLine> {
    let mut steps: Vec<(usize, StepTime)> = { history.iter().enumerate() }
        .map(|(at, step)| (at, step_time(step, ends)))
        .collect();
    // A step without a time sorts with the step before it.
    let mut last = None;
    let keys: Vec<_> = { steps.iter() }
        .map(|(_, when)| {
            last = when.at.or(last);
            last
        })
        .collect();
    steps.sort_by_key(|(at, _)| std::cmp::Reverse((keys[*at], *at)));
    let (mut lines, mut day, mut later) = (Vec::new(), None, open_at);
    for (at, when) in steps {
        let moment = keys[at];
        let silence = { later.zip(moment) }.map(|(later, moment)| later.duration_since(moment));
        lines.extend(silence.filter(|gap| *gap > GAP).map(TimelineLine::Gap));
        later = moment.or(later);
        let own = when.local.map(DateTime::date);
        if own.is_some() && own != day {
            day = own;
            lines.extend(own.map(TimelineLine::Day));
        }
        lines.push(TimelineLine::Step(at, when));
    }
    lines
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ENDS: RouteZones<'_> = RouteZones {
        from: "Australia/Sydney",
        to: "Australia/Perth",
        bench: "Australia/Sydney",
    };

    fn step(status: i64, local: Option<&str>, utc: Option<&str>) -> StatusChange {
        let value: Value = json!({
            "consignmentTrackingStatus": { "id": status },
            "statusDateLocal": local, "statusDateUtc": utc
        });
        serde_json::from_value(value).expect("a step")
    }

    fn shown(step: &StatusChange, ends: RouteZones<'_>) -> (String, String) {
        let when = step_time(step, ends);
        let local = when.local.map(|at| at.strftime("%a %H:%M").to_string());
        (local.unwrap_or_default(), when.zone)
    }

    fn words(local: &str, zone: &str) -> (String, String) {
        (local.to_owned(), zone.to_owned())
    }

    #[test]
    fn each_step_is_on_the_clocks_of_its_place() {
        let damaged = step(9, Some("2026-11-19T09:12:00"), Some("2026-11-19T01:12:00"));
        assert_eq!(shown(&damaged, ENDS), words("Thu 09:12", "AWST"));
        let booked = step(3, Some("2026-11-17T16:10:00"), Some("2026-11-17T05:10:00"));
        assert_eq!(shown(&booked, ENDS), words("Tue 16:10", ""));
        // In transit, at a depot between the two places.
        let depot = step(16, Some("2026-11-18T09:40:00"), Some("2026-11-17T23:10:00"));
        assert_eq!(shown(&depot, ENDS), words("Wed 09:40", "UTC+10:30"));
    }

    #[test]
    fn utc_alone_is_never_shown_as_if_it_were_local() {
        let damaged = step(9, None, Some("2026-11-19T01:12:00"));
        assert_eq!(shown(&damaged, ENDS), words("Thu 09:12", "AWST"));
        let nowhere = RouteZones {
            from: "",
            to: "",
            ..ENDS
        };
        assert_eq!(shown(&damaged, nowhere), words("Thu 01:12", "UTC"));
        let bare = step(9, Some("2026-11-19T09:12:00"), None);
        assert_eq!(shown(&bare, ENDS), words("Thu 09:12", "local time"));
        assert_eq!(shown(&step(9, None, None), ENDS), words("", ""));
    }

    #[test]
    fn the_newest_is_first_by_day_and_silence_is_said() {
        let history = [
            step(2, Some("2026-11-17T15:00:00"), Some("2026-11-17T04:00:00")),
            step(3, Some("2026-11-17T16:10:00"), Some("2026-11-17T05:10:00")),
            step(9, None, None),
            step(5, Some("2026-11-19T06:40:00"), Some("2026-11-18T22:40:00")),
        ];
        let now = "2026-11-20T03:05:00Z".parse().expect("a moment");
        let lines = lines(&history, ENDS, Some(now));
        let told: Vec<String> = { lines.iter() }
            .map(|line| match line {
                TimelineLine::Day(day) => day.to_string(),
                TimelineLine::Step(at, _) => at.to_string(),
                TimelineLine::Gap(gap) => format!("{} h", gap.as_hours()),
            })
            .collect();
        assert_eq!(
            told,
            [
                "28 h",
                "2026-11-19",
                "3",
                "41 h",
                "2",
                "2026-11-17",
                "1",
                "0"
            ]
        );
    }
}
