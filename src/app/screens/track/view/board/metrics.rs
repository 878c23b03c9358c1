//! The six large metrics at the top of the board. Each is a drill-down.

use std::collections::HashSet;

use egui::{Align2, CornerRadius, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use jiff::SignedDuration;

use super::drill_down::{self, DrillDownLink};
use crate::state::{Arrival, Board, DrillDown, Exception};
use crate::ui::Context;
use crate::ui::format::grouped;
use shipping::{ConsignmentId, TransitState};
use widgets::text;
use widgets::tokens::{Ink, Palette, Tone, palette, size};

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
    /// The drill-down of the hint, if the hint has a number of its own.
    hint_drill_down: Option<DrillDown>,
}

pub(super) fn show(
    ui: &mut Ui,
    context: &mut Context<'_>,
    board: Option<&Board>,
    fresh: &HashSet<ConsignmentId>,
) {
    let mut figures = board.map_or_else(unknown, |board| metrics(board, fresh));
    if !context.shared.unreadable.tracked.records.is_empty() {
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
    let radius = CornerRadius::same(size::CARD_RADIUS);
    let (pad, narrow) = if rect.width() < WIDE_CARD {
        (10.0, true)
    } else {
        (14.0, false)
    };
    let id = egui::Id::unique(("track figure", figure.name));
    let name = format!("{}: {}, {}", figure.name, figure.value, figure.hint);
    let words = DrillDownLink {
        id,
        name: name.trim_end_matches([',', ' ']),
        by_tab: known,
    };
    let response = drill_down::drill_down_button(ui, context, rect, &words, figure.drill_down);
    let lit = known && response.hovered();
    let edge = if lit { p.muted } else { p.border };
    ui.painter().rect(
        rect,
        radius,
        p.surface,
        Stroke::new(1.0, edge),
        StrokeKind::Inside,
    );
    drill_down::ring(ui, &response, size::CARD_RADIUS);
    let ink = ink(p, figure);
    let room = rect.width() - 2.0 * pad;
    let line = |words: &str, font, ink: Ink, y: f32| {
        let galley = text::cut(ui, words, font, room, ink);
        let at =
            Align2::LEFT_CENTER.anchor_size(pos2(rect.left() + pad, rect.top() + y), galley.size());
        ui.painter().galley(at.min, galley, ink);
        at
    };
    line(&figure.value, text::figure_font(), ink, 28.0);
    let label = if narrow {
        text::label_font()
    } else {
        text::body_font()
    };
    line(figure.name, label, p.text, 55.0);
    let hint = line(&figure.hint, text::small_font(), p.muted, 75.0);
    let Some(hint_door) = figure.hint_drill_down else {
        return;
    };
    let words = DrillDownLink {
        id: id.with("hint"),
        name: &figure.hint,
        by_tab: true,
    };
    let small =
        drill_down::drill_down_button(ui, context, hint.expand2(vec2(4.0, 3.0)), &words, hint_door);
    drill_down::ring(ui, &small, size::PILL_RADIUS);
    if small.hovered() {
        let line = Stroke::new(1.0, p.muted);
        ui.painter()
            .hline(hint.x_range(), hint.bottom() + 1.0, line);
    }
}

fn ink(p: &Palette, figure: &MetricCard) -> Ink {
    figure.tone.map_or(p.text, |tone| tone.ink(p))
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
    let mut figures = unknown();
    let [waits, booked, moving, late, wrong, on_time] = &mut figures;
    let tell = |figure: &mut MetricCard, count: usize, tone: Option<Tone>, door: DrillDown| {
        figure.value = grouped(count);
        figure.tone = tone;
        figure.drill_down = door;
    };
    let alarm = |count: usize, tone: Tone| (count > 0).then_some(tone);
    tell(
        waits,
        board.unmanifested,
        None,
        DrillDown::TransitState(TransitState::Unmanifested),
    );
    waits.hint = format!("{} due today", grouped(board.due_today));
    waits.hint_drill_down = Some(DrillDown::DueToday);
    tell(
        booked,
        board.booked,
        None,
        DrillDown::TransitState(TransitState::Booked),
    );
    booked.hint = format!("{} not collected", grouped(board.not_collected));
    booked.hint_drill_down = Some(DrillDown::Exception(Exception::NotCollected));
    let accent = alarm(board.moving, Tone::Accent);
    tell(
        moving,
        board.moving,
        accent,
        DrillDown::TransitState(TransitState::Moving),
    );
    moving.hint = board.median_transit.map(median).unwrap_or_default();
    let warning = alarm(board.late, Tone::Warning);
    tell(
        late,
        board.late,
        warning,
        DrillDown::Exception(Exception::Late),
    );
    late.hint = match board.late_since_midnight {
        0 => "none since midnight".to_owned(),
        since => format!("+{} since midnight", grouped(since)),
    };
    let bad = alarm(board.went_wrong, Tone::Bad);
    tell(wrong, board.went_wrong, bad, DrillDown::WentWrong);
    let new = board.exceptions.iter().filter(|row| {
        let kind = row.exception;
        matches!(
            kind,
            Exception::Lost
                | Exception::Damaged
                | Exception::DeliveryFailed
                | Exception::PickupFailed
                | Exception::Returned
        ) && fresh.contains(&row.id)
    });
    wrong.hint = match new.count() {
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
