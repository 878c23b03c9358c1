//! The card "On time by carrier": stacked bars with their numbers and a chart over time beside them, or
//! a table day by day. Numbers repeat in text what the colours show, and the chart's lines also differ
//! in their dashes.

use egui::{Align2, CornerRadius, FontId, Id, Rect, Sense, Ui, pos2, vec2};

use super::chart::{self, Series};
use super::metrics::{percent, tone_of};
use super::{ROW, day_table, drill_down};
use crate::state::{Arrival, ArrivalCounts, Board, CarrierPerformance, DrillDown};
use crate::ui::Context;
use crate::ui::format::grouped;
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, paint, text};

/// Number of carriers that are listed before "All carriers" is pressed.
const FEW: usize = 6;
/// In a narrower card (in points), the chart is below the bars.
const BESIDE: f32 = 620.0;
const SWATCH: f32 = 26.0;
const SHARE: f32 = 62.0;
const NUMBER: f32 = 52.0;
/// Share of the card's width that the bars take.
const BARS: f32 = 0.54;
/// Smallest width of a segment, in points: wide enough to see and press.
const LEAST: f32 = 5.0;
const GAP: f32 = 2.0;

/// Share of the width beside the numbers that carrier names take. The bars take the rest.
const NAME: f32 = 0.38;

#[derive(Default)]
pub(super) struct CarriersCard {
    all: bool,
    as_table: bool,
    days: day_table::DayTable,
}

impl CarriersCard {
    pub(super) fn card(&mut self, ui: &mut Ui, context: &mut Context<'_>, board: &Board) {
        let mut as_table = self.as_table;
        let card = Card::new("On time by carrier");
        let card = if as_table { card.flush() } else { card };
        card.show(
            ui,
            |ui| {
                for (words, icon, table) in [
                    ("Day by day", icons::ICON_TABLE_ROWS, true),
                    ("Chart", icons::ICON_SHOW_CHART, false),
                ] {
                    let chosen = as_table == table;
                    let button = Button::quiet(words).icon(icon).small().selected(chosen);
                    if ui.add(button).clicked() {
                        as_table = table;
                    }
                }
            },
            |ui| {
                if self.as_table {
                    self.days.show(ui, context, board);
                } else {
                    self.beside(ui, context, board);
                }
            },
        );
        self.as_table = as_table;
    }

    fn beside(&mut self, ui: &mut Ui, context: &mut Context<'_>, board: &Board) {
        let series = chart::series(board);
        let room = ui.available_width();
        if room < BESIDE {
            self.bars(ui, context, board, &series);
            chart::show(ui, &series, vec2(room, 150.0));
            return;
        }
        let left = room * BARS;
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let bars = ui.vertical(|ui| {
                ui.set_width(left);
                self.bars(ui, context, board, &series);
            });
            let height = bars.response.rect.height().max(150.0);
            ui.add_space(size::GUTTER);
            chart::show(ui, &series, vec2(ui.available_width(), height));
        });
    }

    fn bars(&mut self, ui: &mut Ui, context: &mut Context<'_>, board: &Board, series: &[Series]) {
        ui.spacing_mut().item_spacing.y = 0.0;
        heads(ui);
        let all = &board.carriers;
        let shown = if self.all { all.len() } else { FEW };
        for tally in all.iter().take(shown) {
            let line = series.iter().find(|line| line.carrier == tally.carrier);
            row(ui, context, tally, line);
        }
        if all.len() > FEW {
            let words = if self.all {
                "Fewer carriers".to_owned()
            } else {
                format!("All {} carriers", grouped(all.len()))
            };
            if ui.add(Button::quiet(&words).small()).clicked() {
                self.all = !self.all;
            }
        }
    }
}

/// The columns of a row, from left to right.
struct Columns {
    name: Rect,
    bar: Rect,
    numbers: [Rect; 3],
}

fn columns(rect: Rect) -> Columns {
    let cell = |right: f32, width: f32| {
        let right = rect.right() - right;
        Rect::from_x_y_ranges(right - width..=right, rect.y_range())
    };
    let numbers = [
        cell(2.0 * NUMBER, SHARE),
        cell(NUMBER, NUMBER),
        cell(0.0, NUMBER),
    ];
    let (left, right) = (rect.left() + SWATCH, numbers[0].left());
    let middle = left + (right - left) * NAME;
    let bar = Rect::from_x_y_ranges(middle + 4.0..=right - 4.0, rect.y_range());
    Columns {
        name: Rect::from_x_y_ranges(left..=middle, rect.y_range()),
        bar: bar.shrink2(vec2(0.0, 6.0)),
        numbers,
    }
}

/// The arrivals that are counted, in the order of columns and segments: heading, tone and words.
const ARRIVALS: [(Arrival, &str, Tone, &str); 3] = [
    (Arrival::OnTime, "On time", Tone::Ok, "on time"),
    (Arrival::Late, "Late", Tone::Warning, "late"),
    (Arrival::Failed, "Failed", Tone::Bad, "failed"),
];

fn heads(ui: &mut Ui) {
    let room = vec2(ui.available_width(), 20.0);
    let (rect, _) = ui.allocate_exact_size(room, Sense::hover());
    for (cell, (_, heading, tone, _)) in columns(rect).numbers.into_iter().zip(ARRIVALS) {
        let ink = tone.ink(palette(ui));
        let heading = text::plain(ui, heading, text::small_strong_font(), ink);
        let at = cell.right_center() - vec2(4.0, 0.0);
        paint::text_at(ui.painter(), Align2::RIGHT_CENTER, at, heading);
    }
}

/// Draws a carrier: its name, a stacked bar, and the numbers of the bar in text.
fn row(ui: &mut Ui, context: &mut Context<'_>, tally: &CarrierPerformance, line: Option<&Series>) {
    let p = palette(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
    let cells = columns(rect);
    if let Some(line) = line {
        chart::swatch(ui, line.style_index, rect.left_center(), SWATCH - 8.0);
    }
    let width = cells.name.width();
    let name = text::cut(ui, &tally.name, text::cell_font(), width, p.text);
    paint::text_at(
        ui.painter(),
        Align2::LEFT_CENTER,
        cells.name.left_center(),
        name,
    );
    let share = tally.arrivals.on_time_share().unwrap_or_default();
    let mut left = cells.bar.left();
    let widths = widths(tally.arrivals, cells.bar.width());
    for (at, (how, _, tone, words)) in ARRIVALS.into_iter().enumerate() {
        let count = tally.arrivals.count(how);
        let name = format!("{}: {} {words}", tally.name, grouped(count));
        // No drill-down without a carrier id: it would open the consignments of all carriers.
        let drill_down = tally
            .carrier
            .filter(|_| count > 0)
            .map(|carrier| DrillDown::Arrived {
                carrier: Some(carrier),
                day: None,
                how,
            });
        let (words, ink) = match (how, count) {
            (Arrival::OnTime, _) => (percent(share), tone_of(share).ink(p)),
            (_, 0) => ("0".to_owned(), p.muted),
            _ => (grouped(count), tone.ink(p)),
        };
        let font = FontId {
            size: size::CELL,
            ..text::strong_font()
        };
        let number = text::plain(ui, &words, font, ink);
        let at_right = cells.numbers[at].right_center() - vec2(4.0, 0.0);
        let number = paint::text_at(ui.painter(), Align2::RIGHT_CENTER, at_right, number);
        let segment = pos2(left, cells.bar.top());
        let segment = Rect::from_min_size(segment, vec2(widths[at], cells.bar.height()));
        let mut fill = tone.ink(p);
        if let Some(drill_down) = drill_down {
            // Tab skips the segment, because the number opens the same rows.
            let (id, sense) = (Id::unique(("track part", &name)), Sense::CLICK);
            let part = drill_down::button(ui, context, segment, id, &name, drill_down, sense);
            if part.hovered() {
                fill = fill.lerp_to_gamma(p.text, 0.25);
            }
            part.on_hover_text(&name);
            let id = Id::unique(("track number", &name));
            drill_down::link(ui, context, number, id, &name, drill_down, ink).on_hover_text(&name);
        }
        if count > 0 {
            ui.painter()
                .rect_filled(segment, CornerRadius::same(2), fill);
            left += widths[at] + GAP;
        }
    }
}

/// Splits `room` points among the segments by their counts. A segment with a count gets at
/// least `LEAST` points.
fn widths(share: ArrivalCounts, room: f32) -> [f32; 3] {
    let counts = [share.on_time, share.late, share.failed];
    let parts = counts.iter().filter(|count| **count > 0).count();
    let gaps = GAP * parts.saturating_sub(1) as f32;
    let free = (room - gaps - LEAST * parts as f32).max(0.0);
    let total = share.total().max(1) as f32;
    counts.map(|count| match count {
        0 => 0.0,
        count => LEAST + free * (count as f32 / total),
    })
}

#[cfg(test)]
mod tests {
    use super::{GAP, LEAST, widths};
    use crate::state::ArrivalCounts;

    #[test]
    fn the_smallest_part_is_seen_and_all_fill_the_bar() {
        let share = ArrivalCounts {
            on_time: 10_000,
            late: 1,
            failed: 0,
        };
        let [on_time, late, failed] = widths(share, 200.0);
        assert!(late >= LEAST);
        assert!(failed.abs() < f32::EPSILON);
        assert!((on_time + late + GAP - 200.0).abs() < 0.01);
    }
}
