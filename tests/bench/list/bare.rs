//! The baseline: `egui_table` with a label in each cell, with the same columns and size as the program's list.

use app::state::ConsignmentRow;
use egui::{Rect, Ui, UiBuilder, pos2};
use egui_table::{CellInfo, Column, HeaderCellInfo, HeaderRow, Table, TableDelegate};

use super::Rows;

/// A table and nothing else, in a window of 1440 by 900.
pub(super) struct BareTable<C> {
    pub(super) place: Rect,
    /// The columns' titles and widths.
    pub(super) columns: &'static [(&'static str, f32)],
    pub(super) rows: u64,
    /// The text of a cell, by row and column.
    pub(super) cell: C,
}

impl<C: Fn(u64, usize) -> String> BareTable<C> {
    pub(super) fn draw(&mut self, ui: &mut Ui) {
        let mut inside = ui.new_child(UiBuilder::new().max_rect(self.place));
        let widths = self.columns.iter().map(|(_, width)| Column::new(*width));
        let columns: Vec<Column> = widths.collect();
        Table::new()
            .num_rows(self.rows)
            .columns(columns)
            .num_sticky_cols(1)
            .headers([HeaderRow::new(29.0)])
            .show(&mut inside, self);
    }
}

impl<C: Fn(u64, usize) -> String> TableDelegate for BareTable<C> {
    fn header_cell_ui(&mut self, ui: &mut Ui, cell: &HeaderCellInfo) {
        ui.label(self.columns[cell.col_range.start].0);
    }

    fn cell_ui(&mut self, ui: &mut Ui, cell: &CellInfo) {
        let words = (self.cell)(cell.row_nr, cell.col_nr);
        if !words.is_empty() {
            ui.label(words);
        }
    }

    fn default_row_height(&self) -> f32 {
        28.0
    }
}

/// Where Dispatch has its list, and how wide its columns are there.
const DISPATCH_PLACE: Rect = Rect {
    min: pos2(184.0, 112.0),
    max: pos2(1066.0, 862.0),
};
const DISPATCH_COLUMNS: [(&str, f32); 10] = [
    ("Number", 84.0),
    ("Reference", 86.0),
    ("To", 150.0),
    ("Suburb", 116.0),
    ("Carrier", 136.0),
    ("Pcs", 46.0),
    ("kg", 60.0),
    ("Despatch", 84.0),
    ("DG", 40.0),
    ("Label", 84.0),
];

/// The baseline of Dispatch's list.
pub(super) fn dispatch(list: Rows) -> impl FnMut(&mut Ui) {
    let mut table = BareTable {
        place: DISPATCH_PLACE,
        columns: &DISPATCH_COLUMNS,
        rows: list.len() as u64,
        cell: move |row, column| {
            let row = usize::try_from(row).unwrap_or_default();
            words(&list[row], column)
        },
    };
    move |ui| table.draw(ui)
}

fn words(one: &ConsignmentRow, column: usize) -> String {
    match column {
        0 => one.number.clone(),
        1 => one.reference.clone(),
        2 => one.to.clone(),
        3 => format!("{} {}", one.to_place.suburb, one.to_place.state),
        4 => format!("{} {}", one.carrier, one.service),
        5 => one.pieces.to_string(),
        6 => one
            .weight
            .map(|weight| format!("{:.1}", weight.0))
            .unwrap_or_default(),
        7 => one
            .despatch
            .map(|at| at.0.strftime("%-d %b").to_string())
            .unwrap_or_default(),
        8 if one.dangerous == Some(true) => "DG".to_owned(),
        _ => String::new(),
    }
}
