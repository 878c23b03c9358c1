//! The history as a timeline: newest first, grouped by day, in the time zone of each step's place.
//!
//! Invariant: a time known only as UTC is never shown as local without its zone or the word "UTC". A step without a time
//! keeps its position in the service's history.

use std::cmp::Reverse;

use egui::{Rect, Sense, Stroke, Ui, pos2, vec2};
use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Timestamp};

use super::ShownConsignment;
use super::details::{line, wrapped};
use crate::screens::track::view::late::span;
use crate::screens::track::view::status_style;
use crate::ui::format::{counted, day_and_time, midnight, weekday, zone_name};
use crate::ui::parts::{STEP_TIME, timeline_step};
use shipping::{LocalTime, Status, StatusChange, StatusId, TransitState};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::text;
use widgets::tokens::{Tone, palette, size};

/// Longer gaps between two steps get a line of their own.
const GAP: SignedDuration = SignedDuration::from_hours(24);

/// Clocks that differ by less than this count as equal.
const SAME: SignedDuration = SignedDuration::from_secs(90);

/// Width of the mark, in points.
const MARK: f32 = 14.0;

/// Number of steps that are shown at first.
const AT_FIRST: usize = 8;

/// The time zones (IANA) of both ends; empty if unknown.
#[derive(Debug, Clone, Copy)]
struct RouteZones<'a> {
    from: &'a str,
    to: &'a str,
    /// The zone of this bench.
    bench: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct StepTime {
    /// The local time in the zone named by `zone`; `None` if the service gave no time.
    local: Option<DateTime>,
    /// The name of this time zone: `AWST`, `UTC+10:30`, or `local time` if the zone is unknown. Empty if the
    /// bench's time zone shows the same time.
    zone: String,
    /// The moment, if it is known.
    at: Option<Timestamp>,
}

/// A line of the timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TimelineLine {
    /// The day of the steps that follow.
    Day(Date),
    /// A step, by its index in the history.
    Step(usize, StepTime),
    /// The length of a gap without scans between the steps above and below.
    Gap(SignedDuration),
}

/// Draws the timeline: the newest steps only, unless `whole` is set. Returns true if the clerk asks for all steps.
pub(super) fn show(ui: &mut Ui, one: &ShownConsignment<'_>, whole: bool) -> bool {
    let history = &one.followed.history;
    if history.is_empty() {
        line(ui, "No history from the service yet");
        return false;
    }
    let shared = one.shared;
    let ends = RouteZones {
        from: one.sender_zone(),
        to: one.to_zone(),
        bench: &shared.session.zone,
    };
    let open_at = (!one.status().is_final()).then_some(shared.now);
    // When only one step is left over, show it instead of a button that hides it.
    let shown = if whole || history.len() <= AT_FIRST + 1 {
        history.len()
    } else {
        AT_FIRST
    };
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = size::LINE;
    let mut left = shown;
    for one_line in lines(history, ends, open_at) {
        if left == 0 {
            break;
        }
        match one_line {
            TimelineLine::Day(day) => {
                let words = text::small(weekday(midnight(day)));
                ui.label(words.font(text::label_font()).color(palette(ui).muted));
                ui.add_space(3.0);
            }
            TimelineLine::Gap(gap) => silence(ui, &format!("No scan for {}", span(gap))),
            TimelineLine::Step(step, when) => {
                left -= 1;
                row(ui, one, &history[step], &when, left == 0);
            }
        }
    }
    let rest = history.len() - shown;
    let words = counted(rest, "earlier step", "earlier steps");
    let asked = rest > 0 && ui.add(Button::quiet(&words).small().opens()).clicked();
    ui.spacing_mut().item_spacing.y = 6.0;
    asked
}

/// Draws a dotted part of the line, with the length of the gap.
fn silence(ui: &mut Ui, words: &str) {
    let p = palette(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = size::GRID;
        ui.add_space(STEP_TIME + size::GRID);
        let (mark, _) = ui.allocate_exact_size(vec2(MARK, 28.0), Sense::hover());
        for at in 0..4 {
            let dot = pos2(mark.center().x, mark.top() + 5.0 + 6.0 * at as f32);
            ui.painter().circle_filled(dot, 1.2, p.warning);
        }
        ui.label(text::small(words).color(p.warning));
    });
}

fn row(ui: &mut Ui, one: &ShownConsignment<'_>, step: &StatusChange, when: &StepTime, last: bool) {
    let status = step.consignment_tracking_status.as_ref();
    let tone = status.map_or(Tone::Neutral, |status| status_style::tone(status.id));
    let time = when.local.map(|at| at.strftime("%H:%M").to_string());
    let time = time.as_deref().unwrap_or("no time");
    let mark = |ui: &Ui, rect: Rect| {
        let ink = tone.ink(palette(ui));
        if step.status_is_partial {
            let ring = Stroke::new(2.0, ink);
            ui.painter().circle_stroke(rect.center(), 3.8, ring);
        } else {
            ui.painter().circle_filled(rect.center(), 4.6, ink);
        }
    };
    timeline_step(ui, (time, &when.zone), last, MARK, mark, |ui| {
        step_text(ui, one, step, tone);
    });
}

fn step_text(ui: &mut Ui, one: &ShownConsignment<'_>, step: &StatusChange, tone: Tone) {
    let p = palette(ui);
    let status = step.consignment_tracking_status.as_ref();
    let label = status.map_or_else(|| "No status".to_owned(), Status::label);
    let ink = match tone {
        Tone::Bad | Tone::Warning => tone.ink(p),
        _ => p.text,
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(text::strong(label).color(ink));
        if step.status_is_partial {
            Badge::new(Tone::Warning, "part of it").show(ui);
        }
    });
    let piece = { step.item_reference.as_ref() }.map(|reference| format!("Piece {reference}"));
    let scan = match (&step.carrier_status_description, &step.carrier_status) {
        (Some(words), Some(code)) => Some(format!("“{words}” ({code})")),
        (Some(words), None) | (None, Some(words)) => Some(format!("“{words}”")),
        (None, None) => None,
    };
    let mut author = Vec::new();
    if !step.created_by_name.is_empty() {
        author.push(format!("by {}", step.created_by_name));
    }
    if status.is_some_and(|status| status.id == StatusId::MANIFESTED) {
        author.extend(one.manifest());
    }
    let author = (!author.is_empty()).then(|| author.join(", "));
    let lines = [piece, scan, step.status_information.clone(), author];
    for words in lines.into_iter().flatten() {
        wrapped(ui, text::small(words).color(p.muted));
    }
}

/// Returns when a step happened, in the time zone of its place.
fn step_time(step: &StatusChange, ends: RouteZones<'_>) -> StepTime {
    let utc = step.status_date_utc.map(|at| at.0);
    let local = step.status_date_local.map(|at| at.0);
    let status = step.consignment_tracking_status.as_ref();
    // Steps before collection happen at the sender's place; later steps are closer to the receiver's place.
    let zones = match status.map(|status| status.id.transit_state()) {
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
            let zone = known().next().unwrap_or("UTC");
            StepTime {
                local: Some(LocalTime::at(utc, zone).0),
                zone: match zone {
                    "UTC" => "UTC".to_owned(),
                    zone => zone_label(utc, zone, ends.bench),
                },
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
    let shows = |zone: &str| LocalTime::at(utc, zone).0.duration_since(local).abs() < SAME;
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

/// Returns the abbreviation of the zone; empty if the bench's time zone shows the same time.
fn zone_label(at: Timestamp, zone: &str, bench: &str) -> String {
    if LocalTime::at(at, zone) == LocalTime::at(at, bench) {
        String::new()
    } else {
        zone_name(at, zone)
    }
}

/// Formats a time in the time zone of a place: `Fri 20 Nov 16:00 AWST`. The zone is added if it differs from
/// the bench's or is unknown.
pub(super) fn place_time(
    local: Option<LocalTime>,
    utc: Option<Timestamp>,
    zone: &str,
    bench: &str,
) -> Option<String> {
    let (local, label) = match (local, utc, zone) {
        (None, None, _) => return None,
        (Some(local), None, _) | (Some(local), Some(_), "") => (local, "local time".to_owned()),
        (None, Some(utc), "") => (LocalTime::at(utc, "UTC"), "UTC".to_owned()),
        (local, Some(utc), zone) => {
            let local = local.unwrap_or_else(|| LocalTime::at(utc, zone));
            (local, zone_label(utc, zone, bench))
        }
    };
    let words = format!("{} {label}", day_and_time(local));
    Some(words.trim_end().to_owned())
}

/// Returns all lines, newest first. `open_at` is the current time for a consignment in transit, so that the
/// time since the last scan counts as a gap, too.
fn lines(
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
    steps.sort_by_key(|(at, _)| Reverse((keys[*at], *at)));
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
    use serde_json::json;

    use super::*;

    const ENDS: RouteZones<'_> = RouteZones {
        from: "Australia/Sydney",
        to: "Australia/Perth",
        bench: "Australia/Sydney",
    };

    fn step(status: i64, local: Option<&str>, utc: Option<&str>) -> StatusChange {
        let step = json!({
            "consignmentTrackingStatus": { "id": status },
            "statusDateLocal": local, "statusDateUtc": utc
        });
        serde_json::from_value(step).expect("a step")
    }

    #[test]
    fn each_step_is_on_the_clocks_of_its_place() {
        let nowhere = RouteZones {
            from: "",
            to: "",
            ..ENDS
        };
        let damaged = step(9, Some("2026-11-19T09:12:00"), Some("2026-11-19T01:12:00"));
        let booked = step(3, Some("2026-11-17T16:10:00"), Some("2026-11-17T05:10:00"));
        // In transit, at a depot between the two places.
        let depot = step(16, Some("2026-11-18T09:40:00"), Some("2026-11-17T23:10:00"));
        // UTC alone is never shown as if it were local.
        let in_utc = step(9, None, Some("2026-11-19T01:12:00"));
        let local = step(9, Some("2026-11-19T09:12:00"), None);
        for (step, ends, shown) in [
            (&damaged, ENDS, "Thu 09:12 AWST"),
            (&booked, ENDS, "Tue 16:10 "),
            (&depot, ENDS, "Wed 09:40 UTC+10:30"),
            (&in_utc, ENDS, "Thu 09:12 AWST"),
            (&in_utc, nowhere, "Thu 01:12 UTC"),
            (&local, ENDS, "Thu 09:12 local time"),
        ] {
            let when = step_time(step, ends);
            let local = when.local.expect("a time").strftime("%a %H:%M");
            assert_eq!(format!("{local} {}", when.zone), shown);
        }
        assert_eq!(step_time(&step(9, None, None), ENDS).local, None);
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
                TimelineLine::Step(at, _) => format!("step {at}"),
                TimelineLine::Gap(gap) => format!("{} h", gap.as_hours()),
            })
            .collect();
        let expected = "28 h, 2026-11-19, step 3, 41 h, step 2, 2026-11-17, step 1, step 0";
        assert_eq!(told.join(", "), expected);
    }
}
