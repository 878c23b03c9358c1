//! The six large metrics at the top of the board. Each is a drill-down.

use std::collections::HashSet;

use egui::{Align2, CornerRadius, Id, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use jiff::SignedDuration;

use super::drill_down;
use crate::screens::track::view::status_style::exception_tone;
use crate::state::{Arrival, Board, DrillDown, Exception, ExceptionRow};
use crate::ui::Context;
use crate::ui::format::grouped;
use shipping::{ConsignmentId, TransitState};
use widgets::tokens::{Ink, Tone, palette, size};
use widgets::{paint, text};

const HEIGHT: f32 = 94.0;
const GAP: f32 = 12.0;
/// In a narrower card (in points) the texts are smaller.
const WIDE_CARD: f32 = 170.0;

/// One of the six metrics.
struct MetricCard {
    value: String,
    tone: Option<Tone>,
    name: &'static str,
    drill_down: DrillDown,
    hint: String,
    /// The drill-down of the hint, if the hint has a separate number.
    hint_drill_down: Option<DrillDown>,
}

pub(super) fn show(
    ui: &mut Ui,
    context: &mut Context<'_>,
    board: Option<&Board>,
    fresh: &HashSet<ConsignmentId>,
) {
    let mut figures = board.map_or_else(unknown, |board| metrics(board, fresh));
    if !context
        .shared
        .catalogue
        .unreadable
        .tracked
        .records
        .is_empty()
    {
        // Unreadable records may belong to any of these metrics, so a 0 is not certain.
        for figure in figures.iter_mut().filter(|figure| figure.value == "0") {
            "–".clone_into(&mut figure.value);
        }
    }
    let width = (ui.available_width() - GAP * 5.0) / 6.0;
    let (room, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    for (at, figure) in figures.iter().enumerate() {
        let left = room.left() + (width + GAP) * at as f32;
        let rect = Rect::from_min_size(pos2(left, room.top()), vec2(width, HEIGHT));
        card(ui, context, rect, figure, board.is_some());
    }
}

fn card(ui: &Ui, context: &mut Context<'_>, rect: Rect, figure: &MetricCard, known: bool) {
    let p = palette(ui);
    let narrow = rect.width() < WIDE_CARD;
    let pad = if narrow { 10.0 } else { 14.0 };
    let id = Id::unique(("track figure", figure.name));
    let name = format!("{}: {}, {}", figure.name, figure.value, figure.hint);
    let name = name.trim_end_matches([',', ' ']);
    let sense = if known { Sense::click() } else { Sense::CLICK };
    let response = drill_down::button(ui, context, rect, id, name, figure.drill_down, sense);
    let lit = known && response.hovered();
    let edge = Stroke::new(1.0, if lit { p.muted } else { p.border });
    let radius = CornerRadius::same(size::CARD_RADIUS);
    ui.painter()
        .rect(rect, radius, p.surface, edge, StrokeKind::Inside);
    paint::focus_ring(ui, &response, rect, size::CARD_RADIUS);
    let room = rect.width() - 2.0 * pad;
    let line = |words: &str, font, ink: Ink, y: f32| {
        let words = text::cut(ui, words, font, room, ink);
        let at = rect.left_top() + vec2(pad, y);
        paint::text_at(ui.painter(), Align2::LEFT_CENTER, at, words)
    };
    let ink = figure.tone.map_or(p.text, |tone| tone.ink(p));
    line(&figure.value, text::figure_font(), ink, 28.0);
    let label = if narrow {
        text::label_font()
    } else {
        text::body_font()
    };
    line(figure.name, label, p.text, 55.0);
    let hint = line(&figure.hint, text::small_font(), p.muted, 75.0);
    if let Some(of_hint) = figure.hint_drill_down {
        let id = id.with("hint");
        drill_down::link(ui, context, hint, id, &figure.hint, of_hint, p.muted);
    }
}

/// Returns the metrics as shown while nothing is counted.
fn unknown() -> [MetricCard; 6] {
    let names = [
        "Unmanifested",
        "Manifested",
        "In transit",
        "Past ETA",
        "Failed, damaged, lost",
        "On time",
    ];
    names.map(|name| MetricCard {
        value: "–".to_owned(),
        tone: Some(Tone::Neutral),
        name,
        drill_down: DrillDown::All,
        hint: String::new(),
        hint_drill_down: None,
    })
}

fn metrics(board: &Board, fresh: &HashSet<ConsignmentId>) -> [MetricCard; 6] {
    use DrillDown as To;
    let mut figures = unknown();
    let counts = [
        (
            board.unmanifested,
            None,
            To::TransitState(TransitState::Unmanifested),
        ),
        (board.booked, None, To::TransitState(TransitState::Booked)),
        (
            board.moving,
            Some(Tone::Accent),
            To::TransitState(TransitState::Moving),
        ),
        (
            board.late,
            Some(Tone::Warning),
            To::Exception(Exception::Late),
        ),
        (board.went_wrong, Some(Tone::Bad), To::WentWrong),
    ];
    for (figure, (count, tone, drill_down)) in figures.iter_mut().zip(counts) {
        figure.value = grouped(count);
        figure.tone = tone.filter(|_| count > 0);
        figure.drill_down = drill_down;
    }
    let [waits, booked, moving, late, wrong, on_time] = &mut figures;
    waits.hint = format!("{} due today", grouped(board.due_today));
    waits.hint_drill_down = Some(To::DueToday);
    booked.hint = format!("{} not collected", grouped(board.not_collected));
    booked.hint_drill_down = Some(To::Exception(Exception::NotCollected));
    moving.hint = board.median_transit.map(median).unwrap_or_default();
    late.hint = match board.late_since_midnight {
        0 => "none since midnight".to_owned(),
        since => format!("+{} since midnight", grouped(since)),
    };
    // These are the exceptions that the metric counts.
    let is_new =
        |row: &&ExceptionRow| exception_tone(row.exception) == Tone::Bad && fresh.contains(&row.id);
    wrong.hint = match board.exceptions.iter().filter(is_new).count() {
        0 => "no new ones".to_owned(),
        new => format!("{} new", grouped(new)),
    };
    set_on_time(on_time, board);
    figures
}

/// Sets the share on time, and its change against the period before.
fn set_on_time(figure: &mut MetricCard, board: &Board) {
    figure.drill_down = DrillDown::Arrived {
        carrier: None,
        day: None,
        how: Arrival::OnTime,
    };
    let Some(share) = board.arrivals.on_time_share() else {
        "nothing due".clone_into(&mut figure.hint);
        return;
    };
    figure.value = percent(share);
    figure.tone = Some(tone_of(share));
    let days = board.scope.days;
    figure.hint = match board.arrivals_before.on_time_share() {
        Some(before) => format!("{} on prior {days} days", points(share - before)),
        None => format!("of {} due", grouped(board.arrivals.total())),
    };
}

/// `96.4 %`.
pub(super) fn percent(share: f64) -> String {
    // Rounded down: 100 % must not show while anything was late.
    let tenths = (share * 1_000.0).floor() / 10.0;
    if share >= 1.0 {
        "100 %".to_owned()
    } else {
        format!("{tenths:.1} %")
    }
}

/// `+0.8` or `−1.2`, in percentage points.
fn points(difference: f64) -> String {
    let tenths = (difference * 1_000.0).round() / 10.0;
    let sign = if tenths < 0.0 { "−" } else { "+" };
    format!("{sign}{:.1}", tenths.abs())
}

/// Returns the tone for a share on time.
pub(super) fn tone_of(share: f64) -> Tone {
    if share >= 0.9 {
        Tone::Ok
    } else if share >= 0.75 {
        Tone::Warning
    } else {
        Tone::Bad
    }
}

/// `median 1.8 days`, `median 7 h`.
fn median(took: SignedDuration) -> String {
    let hours = took.as_secs_f64() / 3_600.0;
    if hours < 24.0 {
        format!("median {hours:.0} h")
    } else {
        format!("median {:.1} days", hours / 24.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{median, percent, points};
    use jiff::SignedDuration;

    #[test]
    fn a_share_is_never_rounded_up_to_all() {
        assert_eq!(percent(0.999_9), "99.9 %");
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(percent(0.0), "0.0 %");
    }

    #[test]
    fn a_difference_says_its_direction() {
        assert_eq!(points(0.008), "+0.8");
        assert_eq!(points(-0.012), "−1.2");
    }

    #[test]
    fn less_than_a_day_is_told_in_hours() {
        assert_eq!(median(SignedDuration::from_hours(7)), "median 7 h");
        assert_eq!(median(SignedDuration::from_hours(43)), "median 1.8 days");
    }
}
