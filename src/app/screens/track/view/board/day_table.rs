//! The numbers of the chart as a table: on time, late and failed, day by day and carrier by carrier. Each
//! number is a drill-down.

use egui::{CursorIcon, Id, Sense, Ui, vec2};
use jiff::civil::Date;

use super::metrics::percent;
use crate::state::{Arrival, Board, DayPerformance, DrillDown, TrackCommand};
use crate::ui::Context;
use crate::ui::format::{grouped, weekday};
use shipping::{CarrierId, LocalTime};
use widgets::layout;
use widgets::table::{self, Cell, Column, Rows, Table};
use widgets::tokens::{Tone, size};

const COLUMNS: [Column; 6] = [
    Column::new("Due", 110.0).unsorted(),
    Column::new("Carrier", 120.0).grow(1.0).unsorted(),
    Column::new("On time", 80.0).right().unsorted(),
    Column::new("Late", 70.0).right().unsorted(),
    Column::new("Failed", 70.0).right().unsorted(),
    Column::new("Share", 80.0).right().unsorted(),
];
const HEIGHT: f32 = size::ROW * 8.0 + 3.0;

#[derive(Default)]
pub(super) struct DayTable {
    table: table::TableState,
}

struct DayRows<'a> {
    board: &'a Board,
    /// The drill-down of the number that was pressed in this frame.
    pressed: Option<DrillDown>,
}

/// Returns a unique row key: the carrier id in the bits from 25 on, the day below.
fn key(day: Date, carrier: Option<CarrierId>) -> u64 {
    let day =
        u64::from(day.year().cast_unsigned()) << 9 | u64::from(day.day_of_year().cast_unsigned());
    let carrier = carrier.map_or(0, |id| id.get().cast_unsigned().wrapping_add(1));
    carrier.wrapping_shl(25) ^ day
}

impl DayRows<'_> {
    /// Returns a row; index 0 is the newest day.
    fn row(&self, index: usize) -> Option<&DayPerformance> {
        let last = self.board.days.len().checked_sub(index + 1)?;
        self.board.days.get(last)
    }

    fn carrier(&self, row: &DayPerformance) -> &str {
        let mut all = self.board.carriers.iter();
        all.find(|tally| tally.carrier == row.carrier)
            .map_or("", |tally| tally.name.as_str())
    }
}

fn due(day: Date) -> String {
    weekday(LocalTime(day.at(0, 0, 0, 0)))
}

impl Rows for DayRows<'_> {
    fn count(&self) -> usize {
        self.board.days.len()
    }

    fn key(&self, index: usize) -> u64 {
        self.row(index)
            .map_or(u64::MAX, |row| key(row.day, row.carrier))
    }

    fn name(&self, index: usize) -> String {
        let Some(row) = self.row(index) else {
            return String::new();
        };
        format!(
            "{}, {}: {} on time, {} late, {} failed; Enter shows those {}",
            due(row.day),
            self.carrier(row),
            grouped(row.share.on_time),
            grouped(row.share.late),
            grouped(row.share.failed),
            worst(row).1,
        )
    }

    fn cell(&mut self, cell: &mut Cell<'_>, index: usize, column: usize) {
        let Some(row) = self.row(index).cloned() else {
            return;
        };
        let toned = |cell: &mut Cell<'_>, count: usize, tone: Tone| {
            if count == 0 {
                cell.muted("0");
            } else {
                cell.toned(&grouped(count), tone);
            }
        };
        match column {
            0 => cell.text(&due(row.day)),
            1 => cell.text(self.carrier(&row)),
            2 => cell.text(&grouped(row.share.on_time)),
            3 => toned(cell, row.share.late, Tone::Warning),
            4 => toned(cell, row.share.failed, Tone::Bad),
            _ => cell.text(&row.share.on_time_share().map(percent).unwrap_or_default()),
        }
        let how = match column {
            2 => Arrival::OnTime,
            3 => Arrival::Late,
            4 => Arrival::Failed,
            _ => return,
        };
        // The row has the focus ring, so the number has none.
        let id = Id::unique(("track day", row.day, row.carrier, how));
        if row.share.count(how) > 0 {
            let ui = cell.ui();
            let number = ui.interact(ui.max_rect(), id, Sense::CLICK);
            let number = number.on_hover_cursor(CursorIcon::PointingHand);
            if number.on_hover_text("Show these").clicked() {
                self.pressed = drill_down(&row, how);
            }
        }
    }
}

impl DayTable {
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, board: &Board) {
        let mut list = DayRows {
            board,
            pressed: None,
        };
        let room = vec2(ui.available_width(), HEIGHT);
        layout::sized(ui, room, |ui| {
            let shown =
                Table::new("On time day by day", &COLUMNS).show(ui, &mut self.table, &mut list);
            if let Some(cursor) = self.table.selection.cursor() {
                self.table.selection.tick_only(cursor);
            }
            let opened = shown.opened.and_then(|at| list.row(at));
            let opened = opened.and_then(|row| drill_down(row, worst(row).0));
            if let Some(door) = list.pressed.or(opened) {
                context.push(TrackCommand::DrillDown(door));
            }
        });
    }
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

fn drill_down(row: &DayPerformance, how: Arrival) -> Option<DrillDown> {
    Some(DrillDown::Arrived {
        carrier: Some(row.carrier?),
        day: Some(row.day),
        how,
    })
}
