//! The history as a timeline: newest first, grouped by day, in the time zone of each step's place.
//!
//! Invariant: a time known only as UTC is never shown as local without its zone or the word "UTC". A step without a time
//! keeps its position in the service's history.

use std::cmp::Reverse;

use egui::{Rect, Sense, Stroke, Ui, pos2, vec2};
use jiff::civil::DateTime;
use jiff::{SignedDuration, Timestamp};

use super::ShownConsignment;
use super::details::{line, wrapped};
use crate::screens::track::view::status_style::{self, span};
use crate::ui::format::{counted, day_and_time, weekday, zone_name};
use crate::ui::parts::{STEP_TIME, timeline_step};
use shipping::{LocalTime, Status, StatusChange, StatusId, TransitState};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::text;
use widgets::tokens::{Tone, palette, size};

/// If the gap between two steps is longer than this, a separate line shows its length.
const GAP: SignedDuration = SignedDuration::from_hours(24);

/// Local times that differ by less than this count as equal.
const SAME: SignedDuration = SignedDuration::from_secs(90);

/// Width of the mark, in points.
const MARK: f32 = 14.0;

/// Number of steps that are shown at first.
const AT_FIRST: usize = 8;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct PlaceTime {
    /// The local time in the zone named by `zone`; `None` if the service gave no time.
    local: Option<DateTime>,
    /// The name of this time zone: `AWST`, `UTC+10:30`, or `local time` if the zone is unknown. Empty if the
    /// bench's time zone shows the same time.
    zone: String,
    /// The moment, if it is known.
    at: Option<Timestamp>,
}

/// Draws the timeline: the newest steps only, unless `whole` is set. Returns true if the clerk asks for all steps.
pub(super) fn show(ui: &mut Ui, one: &ShownConsignment<'_>, whole: bool) -> bool {
    let steps = newest_first(one);
    if steps.is_empty() {
        line(ui, "No history from the service yet");
        return false;
    }
    // If only one step would be hidden, show it instead of a button.
    let shown = if whole || steps.len() <= AT_FIRST + 1 {
        steps.len()
    } else {
        AT_FIRST
    };
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = size::LINE;
    // For a consignment in transit, the time since the last scan counts as a gap, too.
    let mut later = (!one.status().is_final()).then_some(one.shared.now);
    let mut day = None;
    for (at, (step, when)) in steps.iter().enumerate().take(shown) {
        let gap = { later.zip(when.at) }.map(|(later, moment)| later.duration_since(moment));
        if let Some(gap) = gap.filter(|gap| *gap > GAP) {
            silence(ui, &format!("No scan for {}", span(gap)));
        }
        later = when.at.or(later);
        if let Some(local) = when.local.filter(|local| day != Some(local.date())) {
            day = Some(local.date());
            let words = text::small(weekday(LocalTime(local)));
            ui.label(words.font(text::label_font()).color(palette(ui).muted));
            ui.add_space(3.0);
        }
        row(ui, one, step, when, at + 1 == shown);
    }
    let rest = steps.len() - shown;
    let words = counted(rest, "earlier step", "earlier steps");
    let asked = rest > 0 && ui.add(Button::quiet(&words).small().opens()).clicked();
    ui.spacing_mut().item_spacing.y = 6.0;
    asked
}

/// Returns all steps with their times, the newest first. A step without a time gets the moment of the step before it.
fn newest_first<'a>(one: &'a ShownConsignment<'_>) -> Vec<(&'a StatusChange, PlaceTime)> {
    let mut last = None;
    let mut steps: Vec<_> = { one.followed.history.iter() }
        .map(|step| {
            let mut when = step_time(step, one);
            when.at = when.at.or(last);
            last = when.at;
            (step, when)
        })
        .collect();
    // Steps of the same moment are listed in the service's order, the last one first.
    steps.reverse();
    steps.sort_by_key(|(_, when)| Reverse(when.at));
    steps
}

/// Draws a gap in the timeline: dots, and the length of the gap.
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

fn row(ui: &mut Ui, one: &ShownConsignment<'_>, step: &StatusChange, when: &PlaceTime, last: bool) {
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
fn step_time(step: &StatusChange, one: &ShownConsignment<'_>) -> PlaceTime {
    let status = step.consignment_tracking_status.as_ref();
    // Steps before collection happen at the sender's place; later steps are closer to the receiver's place.
    let zones = match status.map(|status| status.id.transit_state()) {
        Some(TransitState::Unmanifested | TransitState::Booked) => {
            [one.sender_zone(), one.to_zone()]
        }
        _ => [one.to_zone(), one.sender_zone()],
    };
    let local = step.status_date_local.map(|at| at.0);
    let utc = step.status_date_utc.map(|at| at.0);
    at_place(local, utc, &zones, &one.shared.session.zone)
}

/// Returns a time at a place. `zones` are the time zones (IANA) that the place may be in, the likeliest first; an
/// empty text stands for an unknown zone.
fn at_place(
    local: Option<DateTime>,
    utc: Option<Timestamp>,
    zones: &[&str],
    bench: &str,
) -> PlaceTime {
    let mut known = zones.iter().copied().filter(|zone| !zone.is_empty());
    let (local, zone, at) = match (local, utc) {
        (Some(local), Some(utc)) => {
            let zone = clock_label(local, utc, known, bench);
            (local, zone, Some(utc))
        }
        (None, Some(utc)) => match known.next() {
            Some(zone) => {
                let local = LocalTime::at(utc, zone).0;
                (local, zone_label(utc, zone, bench), Some(utc))
            }
            None => (LocalTime::at(utc, "UTC").0, "UTC".to_owned(), Some(utc)),
        },
        (Some(local), None) => {
            let at = known.find_map(|zone| LocalTime(local).in_zone_lenient(zone));
            (local, "local time".to_owned(), at.map(|at| at.0))
        }
        (None, None) => return PlaceTime::default(),
    };
    PlaceTime {
        local: Some(local),
        zone,
        at,
    }
}

/// Names the time zone in which `utc` is `local`: by a known zone, else by the offset. Empty for the bench's zone.
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
    let when = at_place(local.map(|at| at.0), utc, &[zone], bench);
    let words = format!("{} {}", day_and_time(LocalTime(when.local?)), when.zone);
    Some(words.trim_end().to_owned())
}
