//! The exports of Track: the rows of the table, or the exceptions on the board.

use std::sync::Arc;

use egui::Ui;

use crate::state::{ExportRows, ListField, Shared, TrackPane};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{self, Export, all_rows, all_rows_ticked_or_not};
use crate::ui::format::grouped;

/// The columns of the exported exceptions.
const EXCEPTION_COLUMNS: [ListField; 10] = {
    use ListField::{
        Carrier, CarrierNumber, Exception, Number, Reference, Since, State, Status, Suburb, To,
    };
    [
        Number,
        Exception,
        Since,
        Status,
        To,
        Suburb,
        State,
        Carrier,
        CarrierNumber,
        Reference,
    ]
};

/// Opens the export dialog on request and draws it. `columns` are the table's.
pub(super) fn show(
    ui: &Ui,
    context: &mut Context<'_>,
    dialog: &mut export::ExportDialog,
    columns: &[ListField],
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
    Export::of_columns("Needs attention", all_rows(count), &EXCEPTION_COLUMNS, rows)
}

fn table_export(shared: &Shared, columns: &[ListField]) -> Export {
    let list = shared.track.list.value();
    let ids = list.map_or_else(Arc::default, |list| Arc::clone(&list.ids));
    let which = if list.is_some_and(|list| list.more) {
        format!("The newest {} rows, ticked or not", grouped(ids.len()))
    } else {
        all_rows_ticked_or_not(ids.len())
    };
    let rows = |columns| ExportRows::Tracked { ids, columns };
    Export::of_columns("Consignments", which, columns, rows)
}
