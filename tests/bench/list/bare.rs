//! The baseline: `egui_table` with a label in each cell, with the same columns and size as the Dispatch list.

use app::state::{UnmanifestedList, UnmanifestedRow};
use egui::{Rect, Ui, UiBuilder, pos2};
use egui_table::{CellInfo, Column, HeaderCellInfo, HeaderRow, Table, TableDelegate};

use crate::list::Screen;

/// Where Dispatch has its list in a window of 1440 by 900, and how wide its columns are there.
const LEFT_TOP: (f32, f32) = (184.0, 112.0);
const RIGHT_BOTTOM: (f32, f32) = (1066.0, 862.0);
const WIDTHS: [(&str, f32); 10] = [
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

/// A table and nothing else.
pub(crate) struct Bare {
    list: UnmanifestedList,
}

impl Bare {
    pub(crate) fn new(list: UnmanifestedList) -> Self {
        Self { list }
    }
}

impl Screen for Bare {
    fn draw(&mut self, ui: &mut Ui) {
        let room = Rect::from_min_max(
            pos2(LEFT_TOP.0, LEFT_TOP.1),
            pos2(RIGHT_BOTTOM.0, RIGHT_BOTTOM.1),
        );
        let mut inside = ui.new_child(UiBuilder::new().max_rect(room));
        let columns: Vec<Column> = WIDTHS
            .iter()
            .map(|(_, width)| Column::new(*width))
            .collect();
        Table::new()
            .num_rows(self.list.len() as u64)
            .columns(columns)
            .num_sticky_cols(1)
            .headers([HeaderRow::new(29.0)])
            .show(&mut inside, &mut Cells(&self.list));
    }
}

struct Cells<'a>(&'a UnmanifestedList);

impl TableDelegate for Cells<'_> {
    fn header_cell_ui(&mut self, ui: &mut Ui, cell: &HeaderCellInfo) {
        ui.label(WIDTHS[cell.col_range.start].0);
    }

    fn cell_ui(&mut self, ui: &mut Ui, cell: &CellInfo) {
        let row = usize::try_from(cell.row_nr).unwrap_or_default();
        let one = &self.0.rows()[row];
        let words = words(one, cell.col_nr);
        if !words.is_empty() {
            ui.label(words);
        }
    }

    fn default_row_height(&self) -> f32 {
        28.0
    }
}

fn words(one: &UnmanifestedRow, column: usize) -> String {
    match column {
        0 => one.number.to_string(),
        1 => one.reference.to_string(),
        2 => one.to.to_string(),
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
        8 if one.dangerous => "DG".to_owned(),
        _ => String::new(),
    }
}
