//! What is exported from Track: the rows of the table, or what the board says needs a person.

use std::sync::Arc;

use egui::Ui;

use crate::state::{OutRows, Shared, TrackPane};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{self, About};

/// What the board's list has, and why somebody has to look.
const NEEDED: [&str; 10] = [
    "number",
    "what",
    "since",
    "status",
    "to",
    "suburb",
    "state",
    "carrier",
    "carrier-number",
    "reference",
];

/// Asks, where it was asked for, and saves. `columns` are the table's: words, then heads.
pub(super) fn show(
    ui: &Ui,
    context: &mut Context<'_>,
    dialog: &mut export::State,
    columns: &[(&str, &str)],
) {
    let words: Vec<String> = match context.shared.track.pane {
        TrackPane::Board => NEEDED.map(str::to_owned).to_vec(),
        TrackPane::Table => columns.iter().map(|(word, _)| (*word).to_owned()).collect(),
    };
    if context.asked(Action::ExportList) {
        let (name, heads) = match context.shared.track.pane {
            TrackPane::Board => ("Needs a person", words.clone()),
            TrackPane::Table => {
                let heads = columns.iter().map(|(_, head)| (*head).to_owned());
                ("Consignments", heads.collect())
            }
        };
        let about = About {
            name: name.to_owned(),
            rows: rows(context.shared, Vec::new()).count(),
            columns: heads,
        };
        dialog.begin(about, context);
    }
    dialog.show(ui, context, |shared| rows(shared, words));
}

fn rows(shared: &Shared, columns: Vec<String>) -> OutRows {
    let track = &shared.track;
    match track.pane {
        TrackPane::Board => OutRows::InNeed {
            scope: track.scope.clone(),
            thresholds: track.thresholds,
            count: track.board.value().map_or(0, |board| board.in_need()),
            columns,
        },
        TrackPane::Table => {
            let list = track.list.value();
            let ids = list.map_or_else(Arc::default, |list| Arc::clone(&list.ids));
            OutRows::Followed { ids, columns }
        }
    }
}
