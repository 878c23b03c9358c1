//! The card "On time by carrier": stacked bars with their numbers and a chart over time beside them, or
//! a table day by day. Numbers repeat in text what the colours show, and the chart's lines also differ
//! in their dashes.

use egui::{Align2, FontId, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::bars::{self, BarSegment, ROW};
use super::drill_down::{self, DrillDownLink};
use super::metrics::{percent, tone_of};
use super::{chart, day_table};
use crate::state::{Arrival, Board, CarrierPerformance, DrillDown};
use crate::ui::Context;
use crate::ui::format::grouped;
use widgets::button::Button;
use widgets::card::Card;
use widgets::tokens::{Ink, Palette, Tone, palette, size};
use widgets::{icons, text};

/// Number of carriers that are listed before "All carriers" is pressed.
const FEW: usize = 6;
/// In a narrower card (in points), the chart is below the bars.
const BESIDE: f32 = 620.0;
const SWATCH: f32 = 26.0;
const SHARE: f32 = 62.0;
const NUMBER: f32 = 52.0;
/// Share of the card's width that the bars take.
const BARS: f32 = 0.54;

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
        let title = "On time by carrier";
        let card = Card::new(title);
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

    fn bars(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        board: &Board,
        series: &[chart::Series],
    ) {
        ui.spacing_mut().item_spacing.y = 0.0;
        heads(ui);
        let all = &board.carriers;
        let shown = if self.all {
            all.len()
        } else {
            FEW.min(all.len())
        };
        for tally in &all[..shown] {
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
        Rect::from_min_max(
            pos2(rect.right() - right - width, rect.top()),
            pos2(rect.right() - right, rect.bottom()),
        )
    };
    let numbers = [
        cell(2.0 * NUMBER, SHARE),
        cell(NUMBER, NUMBER),
        cell(0.0, NUMBER),
    ];
    let room = numbers[0].left() - rect.left() - SWATCH;
    let name = room * NAME;
    let left = rect.left() + SWATCH;
    let name = Rect::from_min_size(pos2(left, rect.top()), vec2(name, rect.height()));
    let bar = Rect::from_min_max(
        pos2(name.right() + 4.0, rect.top() + 6.0),
        pos2(numbers[0].left() - 4.0, rect.bottom() - 6.0),
    );
    Columns { name, bar, numbers }
}

fn heads(ui: &mut Ui) {
    let p = palette(ui);
    let room = vec2(ui.available_width(), 20.0);
    let (rect, _) = ui.allocate_exact_size(room, Sense::hover());
    let cells = columns(rect).numbers;
    for (cell, (words, tone)) in cells.into_iter().zip([
        ("On time", Tone::Ok),
        ("Late", Tone::Warning),
        ("Failed", Tone::Bad),
    ]) {
        let at = cell.right_center() - vec2(4.0, 0.0);
        let ink = tone.ink(p);
        ui.painter().text(
            at,
            Align2::RIGHT_CENTER,
            words,
            text::small_strong_font(),
            ink,
        );
    }
}

fn row(
    ui: &mut Ui,
    context: &mut Context<'_>,
    tally: &CarrierPerformance,
    line: Option<&chart::Series>,
) {
    let p = palette(ui);
    let room = vec2(ui.available_width(), ROW);
    let (_, rect) = ui.allocate_space(room);
    let cells = columns(rect);
    if let Some(line) = line {
        chart::swatch(
            ui,
            line.style_index,
            pos2(rect.left(), rect.center().y),
            SWATCH - 8.0,
        );
    }
    let name = text::cut(
        ui,
        &tally.name,
        text::cell_font(),
        cells.name.width(),
        p.text,
    );
    let at = pos2(cells.name.left(), bars::centred(rect, &name));
    ui.painter().galley(at, name, p.text);
    let part = |how: Arrival| {
        let (tone, words) = match how {
            Arrival::OnTime => (Tone::Ok, "on time"),
            Arrival::Late => (Tone::Warning, "late"),
            Arrival::Failed => (Tone::Bad, "failed"),
        };
        let count = tally.arrivals.count(how);
        BarSegment {
            count,
            tone,
            words: format!("{}: {} {words}", tally.name, grouped(count)),
            // No drill-down without a carrier id: it would open the consignments of all carriers.
            door: tally.carrier.map(|carrier| DrillDown::Arrived {
                carrier: Some(carrier),
                day: None,
                how,
            }),
        }
    };
    let parts = [Arrival::OnTime, Arrival::Late, Arrival::Failed].map(part);
    bars::stacked(ui, context, cells.bar, tally.arrivals, &parts);
    let share = tally.arrivals.on_time_share().unwrap_or_default();
    for (at, (part, cell)) in parts.iter().zip(cells.numbers).enumerate() {
        let (words, ink) = if at == 0 {
            (percent(share), tone_of(share).ink(p))
        } else {
            (
                grouped(part.count),
                if part.count == 0 {
                    p.muted
                } else {
                    part.tone.ink(p)
                },
            )
        };
        number(ui, context, cell, part, &words, ink);
    }
}

/// Draws one number of a row, as a drill-down when it is not 0.
fn number(
    ui: &Ui,
    context: &mut Context<'_>,
    cell: Rect,
    part: &BarSegment,
    words: &str,
    ink: Ink,
) {
    let font = FontId {
        size: size::CELL,
        ..text::strong_font()
    };
    let galley = text::plain(ui, words, font, ink);
    let at = pos2(
        cell.right() - galley.size().x - 4.0,
        bars::centred(cell, &galley),
    );
    let line = Rect::from_min_size(at, galley.size());
    ui.painter().galley(at, galley, ink);
    let Some(door) = part.door.filter(|_| part.count > 0) else {
        return;
    };
    let told = DrillDownLink {
        id: egui::Id::unique(("track number", &part.words)),
        name: &part.words,
        by_tab: true,
    };
    let response =
        drill_down::drill_down_button(ui, context, line.expand2(vec2(4.0, 3.0)), &told, door);
    drill_down::ring(ui, &response, size::PILL_RADIUS);
    if response.hovered() {
        ui.painter()
            .hline(line.x_range(), line.bottom(), Stroke::new(1.0, ink));
    }
    response.on_hover_text(&part.words);
}

/// Returns the colour of the chart line with this style index.
pub(super) fn line_ink(p: &Palette, look: usize) -> Ink {
    match look {
        0 => p.accent,
        1 => p.warning,
        2 => p.muted,
        _ => p.text,
    }
}
