//! The share of consignments on time, day by day: a line for each of the least punctual carriers. The lines
//! also differ in their dashes, not only in colour. The chart is static and takes no focus; the table of days
//! and the description for screen readers give its numbers.

use egui::{Pos2, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, vec2};
use egui_plot::{AxisHints, GridInput, GridMark, HoverPosition, Line, LineStyle, Plot, PlotPoints};
use jiff::SignedDuration;
use jiff::civil::Date;

use super::percent;
use crate::state::{ArrivalCounts, Board};
use crate::ui::format::{day, grouped, midnight, weekday};
use shipping::CarrierId;
use widgets::tokens::{Ink, Palette, palette};
use widgets::{layout, text};

/// Number of lines that can be told apart.
const MOST_LINES: usize = 4;
/// Smallest number of days for a line.
const LEAST_DAYS: usize = 2;
/// Width of a date label below the chart, in points.
const DATE: f32 = 62.0;

/// The line of one carrier.
pub(super) struct Series {
    pub(super) carrier: Option<CarrierId>,
    name: String,
    /// Index of the line's colour and dashes.
    pub(super) style_index: usize,
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

/// Returns the lines to draw: the carriers with the lowest share on time, out of all carriers with at least 1
/// % of all due consignments and at least 3 consignments.
pub(super) fn series(board: &Board) -> Vec<Series> {
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
pub(super) fn swatch(ui: &Ui, style_index: usize, from: Pos2, length: f32) {
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
pub(super) fn show(ui: &mut Ui, series: &[Series], room: Vec2) {
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
        .formatter(|mark, _| format!("{:.0} %", mark.value));
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
