//! The exports of Track: the rows of the table, or the exceptions on the board.

use std::sync::Arc;

use egui::Ui;

use crate::state::{ExportRows, Shared, TrackPane};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{self, Export, all_rows, all_rows_ticked_or_not};
use crate::ui::format::grouped;

/// The columns of the exported exceptions: id and heading.
const EXCEPTION_COLUMNS: [(&str, &str); 10] = [
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
    dialog: &mut export::ExportDialog,
    columns: &[(&str, &str)],
) {
    if context.is_triggered(Action::ExportList) {
        let export = match context.shared.track.pane {
            TrackPane::Board => exceptions_export(context.shared),
            TrackPane::Table => table_export(context.shared, columns),
        };
        dialog.begin(export, context);
    }
    dialog.show(ui, context);
}

fn exceptions_export(shared: &Shared) -> Export {
    let count = { shared.track.board.value() }.map_or(0, |board| board.needs_attention());
    let rows = |columns| ExportRows::NeedsAttention {
        scope: shared.track.scope.clone(),
        thresholds: shared.track.thresholds,
        count,
        columns,
    };
    new_export("Needs attention", all_rows(count), &EXCEPTION_COLUMNS, rows)
}

fn table_export(shared: &Shared, columns: &[(&str, &str)]) -> Export {
    let list = shared.track.list.value();
    let ids = list.map_or_else(Arc::default, |list| Arc::clone(&list.ids));
    let which = if list.is_some_and(|list| list.more) {
        format!("The newest {} rows, ticked or not", grouped(ids.len()))
    } else {
        all_rows_ticked_or_not(ids.len())
    };
    let rows = |columns| ExportRows::Tracked { ids, columns };
    new_export("Consignments", which, columns, rows)
}

fn new_export(
    name: &'static str,
    rows_text: String,
    columns: &[(&str, &str)],
    rows: impl FnOnce(Vec<String>) -> ExportRows,
) -> Export {
    let columns = columns.iter();
    let (ids, heads) = columns
        .map(|(id, head)| ((*id).to_owned(), (*head).to_owned()))
        .unzip();
    Export {
        name,
        rows_text,
        heads,
        rows: rows(ids),
    }
}
