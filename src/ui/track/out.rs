//! What is exported from Track: the rows of the table, or what the board says needs a person.

use std::sync::Arc;

use egui::Ui;

use crate::shipping::ConsignmentId;
use crate::state::{Board, OutRows, Shared, TrackPane};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{self, Export, all, all_ticked_or_not};
use crate::ui::words::grouped;

/// What the board's list has, and why somebody has to look: words, then heads.
const NEEDED: [(&str, &str); 10] = [
    ("number", "Number"),
    ("what", "What"),
    ("since", "Since"),
    ("status", "Status"),
    ("to", "Receiver"),
    ("suburb", "Suburb"),
    ("state", "State"),
    ("carrier", "Carrier"),
    ("carrier-number", "Carrier's number"),
    ("reference", "Reference"),
];

/// Asks, where it was asked for, and saves. `columns` are the table's: words, then heads.
pub(super) fn show(
    ui: &Ui,
    context: &mut Context<'_>,
    dialog: &mut export::State,
    columns: &[(&str, &str)],
) {
    if context.asked(Action::ExportList) {
        let export = match context.shared.track.pane {
            TrackPane::Board => needed(context.shared),
            TrackPane::Table => listed(context.shared, columns),
        };
        dialog.begin(export, context);
    }
    dialog.show(ui, context);
}

fn needed(shared: &Shared) -> Export {
    let board = shared.track.board.value();
    let rows = board.map_or(&[][..], |board| &board.exceptions);
    followed(
        "Needs a person",
        which(rows.len(), board.map_or(0, |board| wrong(board))),
        &NEEDED,
        rows.iter().map(|row| row.id).collect(),
    )
}

fn listed(shared: &Shared, columns: &[(&str, &str)]) -> Export {
    let list = shared.track.list.value();
    let ids = list.map_or_else(Arc::default, |list| Arc::clone(&list.ids));
    let which = if list.is_some_and(|list| list.more) {
        format!("the newest {} rows, ticked or not", grouped(ids.len()))
    } else {
        all_ticked_or_not(ids.len())
    };
    followed("Consignments", which, columns, ids)
}

fn followed(
    name: &'static str,
    which: String,
    columns: &[(&str, &str)],
    ids: Arc<[ConsignmentId]>,
) -> Export {
    let (words, heads) = { columns.iter() }
        .map(|(word, head)| ((*word).to_owned(), (*head).to_owned()))
        .unzip();
    Export {
        name,
        which,
        heads,
        rows: OutRows::Followed {
            ids,
            columns: words,
        },
    }
}

/// How many need a person, whether the board lists them or not.
fn wrong(board: &Board) -> usize {
    board.by_exception.iter().map(|tally| tally.count).sum()
}

/// The board lists so many and no more.
fn which(listed: usize, of: usize) -> String {
    if listed < of {
        format!("the worst {} of {} rows", grouped(listed), grouped(of))
    } else {
        all(listed)
    }
}
