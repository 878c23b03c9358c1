//! The card "On time by carrier": stacked bars with their numbers and a chart over time beside them, or
//! a table day by day. Numbers repeat in text what the colours show, and the chart's lines also differ
//! in their dashes.

use egui::{Align2, CornerRadius, CursorIcon, FontId, Id, Rect, Sense, Ui, pos2, vec2};
use jiff::civil::Date;

use super::chart::{self, Series};
use super::{LEAST, ROW, drill_down_button, drill_down_link, percent, tone_of};
use crate::state::{
    Arrival, ArrivalCounts, Board, CarrierPerformance, DayPerformance, DrillDown, TrackCommand,
};
use crate::ui::Context;
use crate::ui::format::{grouped, midnight, weekday};
use shipping::CarrierId;
use widgets::button::Button;
use widgets::card::Card;
use widgets::table::{Cell, Column, Rows, Table, TableState};
use widgets::tokens::{Ink, Tone, palette, size};
use widgets::{icons, layout, paint, text};

/// Number of carriers that are listed before "All carriers" is pressed.
const FEW: usize = 6;
/// In a narrower card (in points), the chart is below the bars.
const BESIDE: f32 = 620.0;
const SWATCH: f32 = 26.0;
const SHARE: f32 = 62.0;
const NUMBER: f32 = 52.0;
/// Share of the card's width that the bars take.
const BARS: f32 = 0.54;
/// Gap between two segments, in points.
const GAP: f32 = 2.0;
/// Share of the width beside the numbers that carrier names take. The bars take the rest.
const NAME: f32 = 0.38;

/// Columns of the table day by day, and its height in points.
const DAY_COLUMNS: [Column; 6] = [
    Column::new("Due", 110.0).unsorted(),
    Column::new("Carrier", 120.0).grow(1.0).unsorted(),
    Column::new("On time", 80.0).right().unsorted(),
    Column::new("Late", 70.0).right().unsorted(),
    Column::new("Failed", 70.0).right().unsorted(),
    Column::new("Share", 80.0).right().unsorted(),
];
const DAYS_HEIGHT: f32 = size::ROW * 8.0 + 3.0;

/// The arrivals that are counted, in the order of columns and segments: heading, tone and words.
const ARRIVALS: [(Arrival, &str, Tone, &str); 3] = [
    (Arrival::OnTime, "On time", Tone::Ok, "on time"),
    (Arrival::Late, "Late", Tone::Warning, "late"),
    (Arrival::Failed, "Failed", Tone::Bad, "failed"),
];

#[derive(Default)]
pub(super) struct CarriersCard {
    all: bool,
    as_table: bool,
    days: TableState,
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
                    let button = Button::quiet(words).icon(icon).small();
                    if ui.add(button.selected(as_table == table)).clicked() {
                        as_table = table;
                    }
                }
            },
            |ui| {
                if self.as_table {
                    day_table(ui, context, board, &mut self.days);
                } else {
                    self.bars_and_chart(ui, context, board);
                }
            },
        );
        self.as_table = as_table;
    }

    fn bars_and_chart(&mut self, ui: &mut Ui, context: &mut Context<'_>, board: &Board) {
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

fn heads(ui: &mut Ui) {
    let room = vec2(ui.available_width(), 20.0);
    let (rect, _) = ui.allocate_exact_size(room, Sense::hover());
    for (cell, (_, heading, tone, _)) in columns(rect).numbers.into_iter().zip(ARRIVALS) {
        let ink = tone.ink(palette(ui));
        right_text(ui, cell, heading, text::small_strong_font(), ink);
    }
}

/// Paints a text at the right end of a cell, and returns the rectangle of the text.
fn right_text(ui: &Ui, cell: Rect, words: &str, font: FontId, ink: Ink) -> Rect {
    let words = text::plain(ui, words, font, ink);
    let at = cell.right_center() - vec2(4.0, 0.0);
    paint::text_at(ui.painter(), Align2::RIGHT_CENTER, at, words)
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
    let at = cells.name.left_center();
    paint::text_at(ui.painter(), Align2::LEFT_CENTER, at, name);
    let share = tally.arrivals.on_time_share().unwrap_or_default();
    let mut left = cells.bar.left();
    let widths = widths(tally.arrivals, cells.bar.width());
    for (at, (how, _, tone, words)) in ARRIVALS.into_iter().enumerate() {
        let count = tally.arrivals.count(how);
        let name = format!("{}: {} {words}", tally.name, grouped(count));
        let drill_down = arrived(tally.carrier.filter(|_| count > 0), None, how);
        let (words, ink) = match (how, count) {
            (Arrival::OnTime, _) => (percent(share), tone_of(share).ink(p)),
            (_, 0) => ("0".to_owned(), p.muted),
            _ => (grouped(count), tone.ink(p)),
        };
        let font = FontId {
            size: size::CELL,
            ..text::strong_font()
        };
        let number = right_text(ui, cells.numbers[at], &words, font, ink);
        let segment = pos2(left, cells.bar.top());
        let segment = Rect::from_min_size(segment, vec2(widths[at], cells.bar.height()));
        let mut fill = tone.ink(p);
        if let Some(drill_down) = drill_down {
            // Tab skips the segment, because the number opens the same rows.
            let (id, sense) = (Id::unique(("track part", &name)), Sense::CLICK);
            let part = drill_down_button(ui, context, segment, id, &name, drill_down, sense);
            if part.hovered() {
                fill = fill.lerp_to_gamma(p.text, 0.25);
            }
            part.on_hover_text(&name);
            let id = Id::unique(("track number", &name));
            drill_down_link(ui, context, number, id, &name, drill_down, ink).on_hover_text(&name);
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

/// The numbers of the chart, day by day and carrier by carrier; index 0 is the newest day.
struct DayRows<'a> {
    board: &'a Board,
    /// The drill-down of the number that was pressed in this frame.
    pressed: Option<DrillDown>,
}

impl<'a> DayRows<'a> {
    fn row(&self, index: usize) -> Option<&'a DayPerformance> {
        self.board.days.iter().rev().nth(index)
    }

    fn carrier(&self, row: &DayPerformance) -> &'a str {
        let mut all = self.board.carriers.iter();
        let found = all.find(|tally| tally.carrier == row.carrier);
        found.map_or("", |tally| tally.name.as_str())
    }
}

impl Rows for DayRows<'_> {
    fn count(&self) -> usize {
        self.board.days.len()
    }

    fn key(&self, index: usize) -> u64 {
        let row = self.row(index);
        Id::unique(row.map(|row| (row.day, row.carrier))).value()
    }

    fn name(&self, index: usize) -> String {
        let Some(row) = self.row(index) else {
            return String::new();
        };
        let (due, carrier) = (weekday(midnight(row.day)), self.carrier(row));
        let counts = ARRIVALS.map(|(how, _, _, words)| {
            let count = grouped(row.share.count(how));
            format!("{count} {words}")
        });
        let (_, worst) = worst(row);
        format!(
            "{due}, {carrier}: {}; Enter shows those {worst}",
            counts.join(", ")
        )
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(row) = self.row(index) else {
            return;
        };
        let (how, _, tone, _) = match column {
            0 => return cell.text(&weekday(midnight(row.day))),
            1 => return cell.text(self.carrier(row)),
            2..=4 => ARRIVALS[column - 2],
            _ => return cell.text(&row.share.on_time_share().map(percent).unwrap_or_default()),
        };
        let count = row.share.count(how);
        match (how, count) {
            (Arrival::OnTime, _) => cell.text(&grouped(count)),
            (_, 0) => cell.muted("0"),
            _ => cell.toned(&grouped(count), tone),
        }
        if count > 0 {
            // The row has the focus ring, so the number has none.
            let id = Id::unique(("track day", row.day, row.carrier, how));
            let ui = cell.ui();
            let number = ui.interact(ui.max_rect(), id, Sense::CLICK);
            let number = number.on_hover_cursor(CursorIcon::PointingHand);
            if number.on_hover_text("Show these").clicked() {
                self.pressed = arrived(row.carrier, Some(row.day), how);
            }
        }
    }
}

fn day_table(ui: &mut Ui, context: &mut Context<'_>, board: &Board, state: &mut TableState) {
    let mut list = DayRows {
        board,
        pressed: None,
    };
    let room = vec2(ui.available_width(), DAYS_HEIGHT);
    layout::sized(ui, room, |ui| {
        let table = Table::new("On time day by day", &DAY_COLUMNS);
        let shown = table.show(ui, state, &mut list);
        if let Some(cursor) = state.selection.cursor() {
            state.selection.tick_only(cursor);
        }
        let opened = shown.opened.and_then(|at| list.row(at));
        let opened = opened.and_then(|row| arrived(row.carrier, Some(row.day), worst(row).0));
        context.push_some(list.pressed.or(opened).map(TrackCommand::DrillDown));
    });
}

/// Returns the arrivals that Enter on a row opens, with their label: late arrivals if there are any, else
/// failed arrivals, else arrivals on time.
const fn worst(row: &DayPerformance) -> (Arrival, &'static str) {
    if row.share.late > 0 {
        (Arrival::Late, "late")
    } else if row.share.failed > 0 {
        (Arrival::Failed, "failed")
    } else {
        (Arrival::OnTime, "on time")
    }
}

/// Returns the drill-down to these arrivals of a carrier. There is none without a carrier id: it would open the
/// consignments of all carriers.
fn arrived(carrier: Option<CarrierId>, day: Option<Date>, how: Arrival) -> Option<DrillDown> {
    carrier.map(|carrier| DrillDown::Arrived {
        carrier: Some(carrier),
        day,
        how,
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
