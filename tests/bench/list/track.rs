//! Measures the Track table with 1,000,000 consignments: a frame while scrolling, compared with a bare
//! `egui_table` of the same columns and rows. Visible rows are requested as they appear and arrive in the
//! next frame, as in use.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use app::state::{
    Command, Commands, ConsignmentHistory, ConsignmentRow, Editing, Remote, Screen as Shown,
    Shared, ThemeChoice, TrackCommand, TrackList, TrackPane, UnmanifestedList,
};
use app::ui::{self, Screens};
use egui::{Rect, Ui, UiBuilder, pos2};
use egui_table::{CellInfo, Column, HeaderCellInfo, HeaderRow, Table, TableDelegate};
use shipping::{Consignment, ConsignmentId};

use crate::list::{AIM_RATIO, Bench, ROUNDS, Screen, screen};
use crate::support::report::{median, verdict};

const ROWS: i64 = 1_000_000;
const FIRST: i64 = 200_000;
/// Where Track has its table in a window of 1440 by 900, and how wide its columns are there.
const LEFT_TOP: (f32, f32) = (192.0, 196.0);
const RIGHT_BOTTOM: (f32, f32) = (1028.0, 856.0);
const WIDTHS: [(&str, f32); 7] = [
    ("Number", 88.0),
    ("Status", 140.0),
    ("To", 130.0),
    ("Suburb", 110.0),
    ("Carrier", 120.0),
    ("Reference", 96.0),
    ("ETA", 122.0),
];

/// Measures both, in turns.
pub(crate) fn run(out: &mut impl Write) -> io::Result<()> {
    let row = row();
    let (mut ours, mut rival) = (
        Bench::new(Followers::new(row.clone())),
        Bench::new(BareRows(row)),
    );
    let (mut of_ours, mut of_rival) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        of_ours.push(ours.round());
        of_rival.push(rival.round());
    }
    let (mine, its) = (median(of_ours), median(of_rival));
    let ratio = mine / its;
    writeln!(
        out,
        "aim track_frame ours={mine:.2}ms rival={its:.2}ms ratio={ratio:.2} aim={AIM_RATIO} {}",
        verdict(ratio <= AIM_RATIO)
    )
}

/// What every row says, but for its number.
fn row() -> ConsignmentRow {
    let one = r#"{
        "id": 200000, "consignmentNumber": "MS200000", "status": {"id": 5, "name": "In Transit"},
        "toName": "Tweed Marine", "toLocation": {"suburb": "Tweed Heads", "state": "NSW", "postcode": "2485"},
        "carrier": {"id": 2, "name": "Bluegum", "displayName": "Bluegum"},
        "carrierService": {"id": 9, "name": "Road", "displayName": "Road"},
        "customerReference": "SO-48213", "etaLocal": "2026-11-19T17:00:00", "etaUtc": "2026-11-19T06:00:00"
    }"#;
    let one: Consignment = serde_json::from_str(one).expect("a consignment");
    ConsignmentHistory::of(&one, None).row
}

fn numbered(row: &ConsignmentRow, id: ConsignmentId) -> ConsignmentRow {
    ConsignmentRow {
        id,
        number: format!("MS{id}"),
        ..row.clone()
    }
}

/// The program at Track's table.
struct Followers {
    shared: Shared,
    row: ConsignmentRow,
    editing: Editing,
    commands: Commands,
    screens: Screens,
    ready: bool,
}

impl Followers {
    fn new(row: ConsignmentRow) -> Self {
        let mut shared = screen::shared(UnmanifestedList::default());
        shared.screen = Shown::Track;
        shared.track.pane = TrackPane::Table;
        let ids = (FIRST..FIRST + ROWS).rev().map(ConsignmentId::new);
        shared.track.list = Remote::ready(TrackList {
            ids: ids.collect(),
            ..TrackList::default()
        });
        Self {
            shared,
            row,
            editing: Editing::default(),
            commands: Commands::default(),
            screens: Screens::default(),
            ready: false,
        }
    }
}

impl Screen for Followers {
    fn draw(&mut self, ui: &mut Ui) {
        if !self.ready {
            ui::install(ui.ctx(), ThemeChoice::Light);
            self.ready = true;
            return;
        }
        let mut whole = ui.new_child(UiBuilder::new().max_rect(ui.ctx().content_rect()));
        self.screens.show(
            &mut whole,
            &self.shared,
            &mut self.editing,
            &mut self.commands,
        );
        for command in self.commands.take() {
            if let Command::Track(TrackCommand::NeedRows(ids)) = command {
                let rows = ids
                    .into_iter()
                    .map(|id| (id, Arc::new(numbered(&self.row, id))));
                self.shared.track.rows = Arc::new(rows.collect::<HashMap<_, _>>());
            }
        }
    }
}

/// The rival.
struct BareRows(ConsignmentRow);

impl Screen for BareRows {
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
            .num_rows(ROWS.cast_unsigned())
            .columns(columns)
            .num_sticky_cols(1)
            .headers([HeaderRow::new(29.0)])
            .show(&mut inside, &mut Cells(&self.0));
    }
}

struct Cells<'a>(&'a ConsignmentRow);

impl TableDelegate for Cells<'_> {
    fn header_cell_ui(&mut self, ui: &mut Ui, cell: &HeaderCellInfo) {
        ui.label(WIDTHS[cell.col_range.start].0);
    }

    fn cell_ui(&mut self, ui: &mut Ui, cell: &CellInfo) {
        let one = self.0;
        let words = match cell.col_nr {
            0 => format!("MS{}", FIRST.cast_unsigned() + cell.row_nr),
            1 => one.status.label(),
            2 => one.to.clone(),
            3 => format!("{} {}", one.to_place.suburb, one.to_place.state),
            4 => format!("{} {}", one.carrier, one.service),
            5 => one.reference.clone(),
            _ => one
                .eta
                .map(|at| at.0.strftime("%-d %b late 21 h").to_string())
                .unwrap_or_default(),
        };
        ui.label(words);
    }

    fn default_row_height(&self) -> f32 {
        28.0
    }
}
