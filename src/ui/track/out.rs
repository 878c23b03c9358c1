//! The exports of Track: the rows of the table, or the exceptions on the board.

use std::sync::Arc;

use egui::Ui;

use crate::state::{OutRows, Shared, TrackPane};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{self, Export, all, all_ticked_or_not};
use crate::ui::words::grouped;

/// The columns of the exported exceptions: id and heading.
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

/// Opens the export dialog on request and draws it. `columns` are the table's: id and heading.
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
    let count = { shared.track.board.value() }.map_or(0, |board| board.in_need());
    followed("Needs a person", all(count), &NEEDED, |columns| {
        OutRows::InNeed {
            scope: shared.track.scope.clone(),
            thresholds: shared.track.thresholds,
            count,
            columns,
        }
    })
}

fn listed(shared: &Shared, columns: &[(&str, &str)]) -> Export {
    let list = shared.track.list.value();
    let ids = list.map_or_else(Arc::default, |list| Arc::clone(&list.ids));
    let which = if list.is_some_and(|list| list.more) {
        format!("The newest {} rows, ticked or not", grouped(ids.len()))
    } else {
        all_ticked_or_not(ids.len())
    };
    followed("Consignments", which, columns, |columns| {
        OutRows::Followed { ids, columns }
    })
}

fn followed(
    name: &'static str,
    which: String,
    columns: &[(&str, &str)],
    rows: impl FnOnce(Vec<String>) -> OutRows,
) -> Export {
    let (words, heads) = { columns.iter() }
        .map(|(word, head)| ((*word).to_owned(), (*head).to_owned()))
        .unzip();
    Export {
        name,
        which,
        heads,
        rows: rows(words),
    }
}
