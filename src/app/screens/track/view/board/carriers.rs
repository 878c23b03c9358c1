//! The card "On time by carrier": the carriers with stacked bars and a chart over time beside them, or a table day by
//! day. No fact is shown by colour alone: the numbers are written out, and the chart's lines have different dashes.

use std::collections::HashMap;

use egui::{
    CornerRadius, Id, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use egui_plot::{AxisHints, GridInput, GridMark, HoverPosition, Line, LineStyle, Plot, PlotPoints};
use jiff::SignedDuration;
use jiff::civil::Date;

use super::{LEAST, drill_down_button, percent};
use crate::state::{Arrival, ArrivalCounts, Board, DrillDown, TrackCommand};
use crate::ui::Context;
use crate::ui::format::{day, grouped, midnight, weekday};
use shipping::CarrierId;
use widgets::button::Button;
use widgets::card::Card;
use widgets::table::{Cell, Column, Rows, Table, TableState};
use widgets::tokens::{Ink, Palette, Tone, palette, size};
use widgets::{icons, layout, paint, text};

/// If the card is narrower than this, in points, the chart is below the table.
const BESIDE: f32 = 620.0;
/// Share of the card's width that the table takes beside the chart.
const TABLE: f32 = 0.6;
/// Smallest height of the chart, in points.
const CHART: f32 = 150.0;
/// Length of the sample of a carrier's line, in points.
const SWATCH: f32 = 18.0;
/// Gap between two segments of a bar, in points.
const GAP: f32 = 2.0;
/// Largest number of rows in view. The table scrolls to the others.
const MOST_ROWS: usize = 8;

/// Name and columns of the table of carriers, and of the table day by day. Both end with the same four columns.
const CARRIERS: (&str, [Column; 6]) = (
    "Carriers",
    [
        Column::new("Carrier", 136.0).grow(1.0).unsorted(),
        Column::new("", 58.0).key("Bar").grow(1.6).unsorted(),
        Column::new("On time", 68.0).right().unsorted(),
        Column::new("Late", 56.0).right().unsorted(),
        Column::new("Failed", 60.0).right().unsorted(),
        Column::new("Share", 68.0).right().unsorted(),
    ],
);
const DAYS: (&str, [Column; 6]) = (
    "On time day by day",
    [
        Column::new("Due", 110.0).unsorted(),
        Column::new("Carrier", 120.0).grow(1.0).unsorted(),
        Column::new("On time", 80.0).right().unsorted(),
        Column::new("Late", 70.0).right().unsorted(),
        Column::new("Failed", 70.0).right().unsorted(),
        Column::new("Share", 80.0).right().unsorted(),
    ],
);

/// The arrivals that are counted, in the order of columns and segments, each with its tone and words.
const ARRIVALS: [(Arrival, Tone, &str); 3] = [
    (Arrival::OnTime, Tone::Ok, "on time"),
    (Arrival::Late, Tone::Warning, "late"),
    (Arrival::Failed, Tone::Bad, "failed"),
];

/// Number of lines that can be told apart.
const MOST_LINES: usize = 4;
/// Smallest number of days with arrivals for which a line is drawn.
const LEAST_DAYS: usize = 2;
/// Width of a date label below the chart, in points.
const DATE: f32 = 62.0;

#[derive(Default)]
pub(super) struct CarriersCard {
    by_day: bool,
    carriers: TableState,
    days: TableState,
}

impl CarriersCard {
    pub(super) fn card(&mut self, ui: &mut Ui, context: &mut Context<'_>, board: &Board) {
        let mut by_day = self.by_day;
        let card = Card::new("On time by carrier");
        let card = if by_day { card.flush() } else { card };
        card.show(
            ui,
            |ui| {
                for (words, icon, days) in [
                    ("Day by day", icons::ICON_TABLE_ROWS, true),
                    ("Chart", icons::ICON_SHOW_CHART, false),
                ] {
                    let button = Button::quiet(words).icon(icon).small();
                    if ui.add(button.selected(by_day == days)).clicked() {
                        by_day = days;
                    }
                }
            },
            |ui| {
                if self.by_day {
                    table(ui, context, DAYS, days(board), &mut self.days);
                } else {
                    self.carriers_and_chart(ui, context, board);
                }
            },
        );
        self.by_day = by_day;
    }

    fn carriers_and_chart(&mut self, ui: &mut Ui, context: &mut Context<'_>, board: &Board) {
        let series = series(board);
        let rows = carriers(board, &series);
        let room = ui.available_width();
        if room < BESIDE {
            table(ui, context, CARRIERS, rows, &mut self.carriers);
            return chart(ui, &series, vec2(room, CHART));
        }
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = size::GUTTER;
            let shown = ui.vertical(|ui| {
                ui.set_width(room * TABLE);
                table(ui, context, CARRIERS, rows, &mut self.carriers);
            });
            let height = shown.response.rect.height().max(CHART);
            chart(ui, &series, vec2(ui.available_width(), height));
        });
    }
}

/// The arrivals of a carrier, in the whole period or on one day.
#[derive(Clone, Copy)]
struct PerformanceRow<'a> {
    day: Option<Date>,
    carrier: Option<CarrierId>,
    name: &'a str,
    arrivals: ArrivalCounts,
    /// The style of the carrier's line in the chart, if it has one.
    line: Option<usize>,
}

fn carriers<'a>(board: &'a Board, series: &[Series]) -> Vec<PerformanceRow<'a>> {
    let row = |tally: &'a crate::state::CarrierPerformance| PerformanceRow {
        day: None,
        carrier: tally.carrier,
        name: &tally.name,
        arrivals: tally.arrivals,
        line: { series.iter() }
            .find(|line| line.carrier == tally.carrier)
            .map(|line| line.style_index),
    };
    board.carriers.iter().map(row).collect()
}

/// Returns the rows of the table day by day, the newest day first.
fn days(board: &Board) -> Vec<PerformanceRow<'_>> {
    let names: HashMap<_, _> = { board.carriers.iter() }
        .map(|tally| (tally.carrier, tally.name.as_str()))
        .collect();
    let rows = board.days.iter().rev().map(|row| PerformanceRow {
        day: Some(row.day),
        carrier: row.carrier,
        name: names.get(&row.carrier).copied().unwrap_or_default(),
        arrivals: row.share,
        line: None,
    });
    rows.collect()
}

impl PerformanceRow<'_> {
    /// Returns the drill-down to these arrivals. Returns `None` without a carrier id, because the drill-down would
    /// open the consignments of all carriers.
    fn drill_down(&self, how: Arrival) -> Option<DrillDown> {
        self.carrier.map(|carrier| DrillDown::Arrived {
            carrier: Some(carrier),
            day: self.day,
            how,
        })
    }

    /// Returns the kind of arrivals that Enter opens, with its name: late arrivals if there are any, else failed
    /// arrivals, else arrivals on time.
    fn worst(&self) -> (Arrival, &'static str) {
        let [on_time, late, failed] = ARRIVALS.map(|(how, _, words)| (how, words));
        let mut worst = [late, failed].into_iter();
        worst
            .find(|(how, _)| self.arrivals.count(*how) > 0)
            .unwrap_or(on_time)
    }
}

struct PerformanceRows<'a, 'b> {
    rows: Vec<PerformanceRow<'a>>,
    context: &'a mut Context<'b>,
}

impl Rows for PerformanceRows<'_, '_> {
    fn count(&self) -> usize {
        self.rows.len()
    }

    fn key(&self, index: usize) -> u64 {
        let row = self.rows.get(index);
        Id::unique(row.map(|row| (row.day, row.carrier))).value()
    }

    fn name(&self, index: usize) -> String {
        let Some(row) = self.rows.get(index) else {
            return String::new();
        };
        let due = row.day.map(|day| format!("{}, ", weekday(midnight(day))));
        let counts = ARRIVALS.map(|(how, _, words)| {
            let count = grouped(row.arrivals.count(how));
            format!("{count} {words}")
        });
        let (due, name, counts) = (due.unwrap_or_default(), row.name, counts.join(", "));
        format!("{due}{name}: {counts}; Enter shows those {}", row.worst().1)
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(row) = self.rows.get(index).copied() else {
            return;
        };
        match (column, row.day) {
            (0, Some(day)) => cell.text(&weekday(midnight(day))),
            (0, None) => {
                let place = cell.space(SWATCH);
                if let Some(line) = row.line {
                    swatch(cell.ui(), line, place.left_center(), SWATCH);
                }
                cell.text(row.name);
            }
            (1, Some(_)) => cell.text(row.name),
            (1, None) => self.bar(cell.ui(), row),
            (2..=4, _) => self.number(cell, row, column - 2),
            _ => cell.text(
                &row.arrivals
                    .on_time_share()
                    .map(percent)
                    .unwrap_or_default(),
            ),
        }
    }
}

impl PerformanceRows<'_, '_> {
    fn number(&mut self, cell: &mut Cell<'_>, row: PerformanceRow<'_>, at: usize) {
        let (how, tone, _) = ARRIVALS[at];
        let count = row.arrivals.count(how);
        match (how, count) {
            (Arrival::OnTime, _) => cell.text(&grouped(count)),
            (_, 0) => cell.muted("0"),
            _ => cell.toned(&grouped(count), tone),
        }
        // Tab skips the numbers of days, because there are too many of them. Enter opens the worst number of a row.
        let sense = match row.day {
            Some(_) => Sense::CLICK,
            None => Sense::click(),
        };
        let rect = cell.ui().max_rect();
        self.drill_down(cell.ui(), rect, row, at, sense);
    }

    /// Draws the stacked bar of a carrier. Tab skips its segments, because the numbers open the same rows.
    fn bar(&mut self, ui: &Ui, row: PerformanceRow<'_>) {
        let bar = ui.max_rect().shrink2(vec2(6.0, 7.0));
        let mut left = bar.left();
        for (at, width) in widths(row.arrivals, bar.width()).into_iter().enumerate() {
            if width <= 0.0 {
                continue;
            }
            let segment = pos2(left, bar.top());
            let segment = Rect::from_min_size(segment, vec2(width, bar.height()));
            let p = palette(ui);
            let mut fill = ARRIVALS[at].1.ink(p);
            if self.drill_down(ui, segment, row, at, Sense::CLICK) {
                fill = fill.lerp_to_gamma(p.text, 0.25);
            }
            ui.painter()
                .rect_filled(segment, CornerRadius::same(2), fill);
            left += width + GAP;
        }
    }

    /// Makes a number or a segment pressable, if it counts anything. Returns whether the pointer is over it.
    fn drill_down(
        &mut self,
        ui: &Ui,
        rect: Rect,
        row: PerformanceRow<'_>,
        at: usize,
        sense: Sense,
    ) -> bool {
        let (how, _, words) = ARRIVALS[at];
        let count = row.arrivals.count(how);
        let Some(to) = row.drill_down(how).filter(|_| count > 0) else {
            return false;
        };
        let name = format!("{}: {} {words}", row.name, grouped(count));
        let id = ui.scope_id().with(("arrivals", at));
        let response = drill_down_button(ui, self.context, rect, id, &name, to, sense);
        paint::focus_ring(ui, &response, rect.shrink(2.0), size::PILL_RADIUS);
        response.on_hover_text(&name).hovered()
    }
}

fn table(
    ui: &mut Ui,
    context: &mut Context<'_>,
    (name, columns): (&str, [Column; 6]),
    rows: Vec<PerformanceRow<'_>>,
    state: &mut TableState,
) {
    let shown = rows.len().min(MOST_ROWS) as f32;
    let room = vec2(ui.available_width(), (shown + 1.0) * size::ROW + 3.0);
    let mut rows = PerformanceRows { rows, context };
    let table = Table::new(name, &columns);
    let shown = layout::sized(ui, room, |ui| table.show(ui, state, &mut rows));
    if let Some(cursor) = state.selection.cursor() {
        state.selection.tick_only(cursor);
    }
    let opened = shown.opened.and_then(|at| rows.rows.get(at));
    let opened = opened.and_then(|row| row.drill_down(row.worst().0));
    context.push_some(opened.map(TrackCommand::DrillDown));
}

/// Splits `room` points among the segments by their counts. A segment with a count gets at
/// least `LEAST` points.
fn widths(share: ArrivalCounts, room: f32) -> [f32; 3] {
    let counts = ARRIVALS.map(|(how, _, _)| share.count(how));
    let parts = counts.iter().filter(|count| **count > 0).count();
    let gaps = GAP * parts.saturating_sub(1) as f32;
    let free = (room - gaps - LEAST * parts as f32).max(0.0);
    let total = share.total().max(1) as f32;
    counts.map(|count| match count {
        0 => 0.0,
        count => LEAST + free * (count as f32 / total),
    })
}

struct Series {
    carrier: Option<CarrierId>,
    name: String,
    /// Index of the line's colour and dashes.
    style_index: usize,
    days: Vec<(Date, ArrivalCounts)>,
}

/// The style of each line, with the length in points of the dashes in its sample.
const STYLES: [(LineStyle, f32); MOST_LINES] = [
    (LineStyle::Solid, f32::MAX),
    (LineStyle::Dashed { length: 9.0 }, 6.0),
    (LineStyle::Dotted { spacing: 5.0 }, 1.5),
    (LineStyle::Dashed { length: 4.0 }, 4.0),
];

fn ink(p: &Palette, style_index: usize) -> Ink {
    [p.accent, p.warning, p.muted, p.text][style_index]
}

/// Returns the lines to draw: the carriers with the lowest share on time, out of all carriers with at least 1 %
/// of all due consignments and at least 3 consignments.
fn series(board: &Board) -> Vec<Series> {
    let enough = (board.arrivals.total() / 100).max(3);
    let mut carriers: Vec<_> = { board.carriers.iter() }
        .filter(|tally| tally.arrivals.total() >= enough)
        .collect();
    let of = |share: ArrivalCounts| share.on_time_share().unwrap_or(1.0);
    carriers.sort_by(|one, other| of(one.arrivals).total_cmp(&of(other.arrivals)));
    let days = |carrier| {
        let days = board.days.iter().filter(move |day| day.carrier == carrier);
        let days = days.filter(|day| day.share.total() > 0);
        let mut days: Vec<_> = days.map(|day| (day.day, day.share)).collect();
        days.sort_unstable_by_key(|(day, _)| *day);
        days
    };
    let lines = { carriers.into_iter() }.map(|tally| (tally, days(tally.carrier)));
    lines
        .filter(|(_, days)| days.len() >= LEAST_DAYS)
        .take(MOST_LINES)
        .enumerate()
        .map(|(style_index, (tally, days))| Series {
            carrier: tally.carrier,
            name: tally.name.clone(),
            style_index,
            days,
        })
        .collect()
}

/// Draws a sample of a line, beside the name of its carrier.
fn swatch(ui: &Ui, style_index: usize, from: Pos2, length: f32) {
    let stroke = Stroke::new(2.0, ink(palette(ui), style_index));
    let ends = [from, from + vec2(length, 0.0)];
    let dash = STYLES[style_index].1.min(length);
    ui.painter()
        .extend(Shape::dashed_line(&ends, stroke, dash, 3.0));
}

fn day_text(date: Date) -> String {
    day(midnight(date))
}

/// Returns how many days after `first` a day is.
fn at(first: Date, day: Date) -> f64 {
    f64::from((day - first).get_days())
}

/// Returns the day that is `at` days after `first`.
fn date(first: Date, at: f64) -> Option<Date> {
    let since = SignedDuration::try_from_secs_f64(at.round() * 86_400.0);
    first.checked_add(since.ok()?).ok()
}

/// Draws the chart with a size of `room` points.
fn chart(ui: &mut Ui, series: &[Series], room: Vec2) {
    let days = || series.iter().flat_map(|line| &line.days);
    let dates = || days().map(|(day, _)| *day);
    let (Some(first), Some(last)) = (dates().min(), dates().max()) else {
        return layout::sized(ui, room, |ui| {
            ui.centered_and_justified(|ui| {
                text::small_note(ui, "The chart appears once there are two days of data");
            });
        });
    };
    let lowest = days()
        .filter_map(|(_, share)| share.on_time_share())
        .fold(0.9, f64::min);
    // Rounded down to whole tens of per cent, so that the grid lines are at round numbers.
    let bottom = (lowest * 10.0).floor() * 10.0;
    let step = if bottom < 50.0 { 25.0 } else { 10.0 };
    let bottom = (bottom / step).floor() * step;
    let length = at(first, last).max(1.0);
    let every = (f64::from(DATE) * length / f64::from((room.x - 40.0).max(DATE))).ceil();
    let p = palette(ui);
    let lines: Vec<Line<'_>> = { series.iter() }
        .map(|line| {
            let points = line.days.iter().map(|(day, share)| {
                let share = share.on_time_share().unwrap_or_default();
                [at(first, *day), share * 100.0]
            });
            Line::new(line.name.as_str(), points.collect::<PlotPoints<'_>>())
                .color(ink(p, line.style_index))
                .width(2.0)
                .style(STYLES[line.style_index].0)
        })
        .collect();
    let dates = axis(AxisHints::new_x(), p.muted)
        .formatter(move |mark, _| date(first, mark.value).map(day_text).unwrap_or_default());
    let shares = axis(AxisHints::new_y(), p.muted)
        .min_thickness(38.0)
        .formatter(|mark, _| format!("{:.0} %", mark.value.abs()));
    let shown = plot(room, p.border)
        .custom_x_axes(vec![dates])
        .custom_y_axes(vec![shares])
        .x_grid_spacer(move |input| marks(&input, every))
        .y_grid_spacer(move |input| marks(&input, step))
        .label_formatter(|near| hover(series, near))
        .show(ui, |plot| {
            plot.set_plot_bounds_x(-0.3..=length + 0.3);
            plot.set_plot_bounds_y(bottom - step * 0.2..=102.0);
            for line in lines {
                plot.line(line);
            }
        });
    let response = shown.response;
    let (first, last) = (day_text(first), day_text(last));
    let name = format!("On time day by day, {first} to {last}");
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_description(in_words(series));
    });
}

/// Sets small, muted labels, which may be close together.
fn axis(hints: AxisHints<'_>, ink: Ink) -> AxisHints<'_> {
    hints
        .tick_label_font(text::small_font())
        .tick_label_color(ink)
        .label_spacing(egui::Rangef::new(1.0, 2.0))
}

/// Creates a plot without zooming, scrolling or dragging.
fn plot<'a>(room: Vec2, grid: Ink) -> Plot<'a> {
    Plot::new("on time")
        .width(room.x)
        .height(room.y)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_drag(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .show_crosshair(false)
        .show_background(false)
        .sense(Sense::hover())
        .grid_color(grid)
        .grid_fade(0.0)
}

/// Returns the grid marks of an axis, `every` units apart.
fn marks(input: &GridInput, every: f64) -> Vec<GridMark> {
    let (from, to) = input.bounds;
    let mut marks = Vec::new();
    let mut value = (from / every).ceil() * every;
    while value <= to.min(100.0_f64.max(to - 2.0)) && marks.len() < 64 {
        marks.push(GridMark {
            value,
            step_size: every,
        });
        value += every;
    }
    marks
}

/// Returns the tooltip of a point: `Bluegum, Tue 17 Nov: 94.1 % of 34`.
fn hover(series: &[Series], near: &HoverPosition<'_>) -> Option<String> {
    let HoverPosition::NearDataPoint {
        plot_name, index, ..
    } = near
    else {
        return None;
    };
    let line = series.iter().find(|line| line.name == *plot_name)?;
    let (day, share) = line.days.get(*index)?;
    let (name, day) = (&line.name, weekday(midnight(*day)));
    let (on_time, of) = (percent(share.on_time_share()?), grouped(share.total()));
    Some(format!("{name}, {day}: {on_time} of {of}"))
}

/// Describes the chart in words for screen readers. The table of days has every number.
fn in_words(series: &[Series]) -> String {
    let lines = series.iter().filter_map(|line| {
        let (_, first) = line.days.first()?;
        let (_, last) = line.days.last()?;
        let of = |share: &ArrivalCounts| share.on_time_share().unwrap_or(1.0);
        let by_share = |one: &&(Date, _), other: &&(Date, _)| of(&one.1).total_cmp(&of(&other.1));
        let worst = line.days.iter().min_by(by_share)?;
        let [first, last, lowest] = [first, last, &worst.1].map(|share| percent(of(share)));
        let (name, day) = (&line.name, day_text(worst.0));
        Some(format!(
            "{name}: from {first} to {last}, lowest {lowest} on {day}"
        ))
    });
    let mut words: Vec<String> = lines.collect();
    words.push("All numbers are under Day by day".to_owned());
    words.join("; ")
}
