//! Measures the Track table with 1,000,000 consignments: a frame while scrolling, compared with a bare
//! `egui_table` of the same columns and rows. Visible rows are requested as they appear and arrive in the
//! next frame, as in use.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use app::state::{
    Command, ConsignmentHistory, ConsignmentRow, Editing, ListCommand, Remote, Screen, TrackList,
    TrackPane,
};
use egui::{Rect, Ui, pos2};
use shipping::{Consignment, ConsignmentId};

use super::bare::BareTable;
use super::{AIM_RATIO, Bench, ROUNDS, at_dispatch};
use crate::support::report::{Target, alternate, frame_target};
use crate::support::screens::Shown;

const ROWS: i64 = 1_000_000;
const FIRST: i64 = 200_000;
/// Where Track has its table in a window of 1440 by 900, and how wide its columns are there.
const PLACE: Rect = Rect {
    min: pos2(192.0, 196.0),
    max: pos2(1028.0, 856.0),
};
const COLUMNS: [(&str, f32); 7] = [
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
    let (mut ours, mut rival) = (Bench::new(table(row.clone())), Bench::new(bare(row)));
    let times = alternate(ROUNDS, || ours.round(), || rival.round());
    frame_target(out, "track_frame", times, Target::Ratio(AIM_RATIO))
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
fn table(row: ConsignmentRow) -> impl FnMut(&mut Ui) {
    let mut shared = at_dispatch(&[]);
    shared.screen = Screen::Track;
    shared.track.pane = TrackPane::Table;
    let ids = (FIRST..FIRST + ROWS).rev().map(ConsignmentId::new);
    shared.track.list = Remote::ready(TrackList {
        ids: ids.collect(),
        ..TrackList::default()
    });
    let mut shown = Shown::new(shared, Editing::default());
    move |ui| {
        for command in shown.draw(ui) {
            if let Command::List(ListCommand::NeedRows(ids)) = command {
                let rows = ids.into_iter().map(|id| (id, Arc::new(numbered(&row, id))));
                shown.shared.rows = Arc::new(rows.collect::<HashMap<_, _>>());
            }
        }
    }
}

/// The rival.
fn bare(row: ConsignmentRow) -> impl FnMut(&mut Ui) {
    let mut table = BareTable {
        place: PLACE,
        columns: &COLUMNS,
        rows: ROWS.cast_unsigned(),
        cell: move |at, column| match column {
            0 => format!("MS{}", FIRST.cast_unsigned() + at),
            1 => row.status.label(),
            2 => row.to.clone(),
            3 => format!("{} {}", row.to_place.suburb, row.to_place.state),
            4 => format!("{} {}", row.carrier, row.service),
            5 => row.reference.clone(),
            _ => row
                .eta
                .map(|at| at.0.strftime("%-d %b late 21 h").to_string())
                .unwrap_or_default(),
        },
    };
    move |ui| table.draw(ui)
}
