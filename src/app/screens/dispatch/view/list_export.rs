//! Exports the unmanifested consignments as they are shown: the same filter, order and columns.

use std::sync::Arc;

use egui::Ui;

use super::DispatchState;
use super::columns::{Col, ListColumn as _};
use super::rows::export_text;
use crate::state::{ExportCell, ExportRows, ExportTable, Shared, UnmanifestedRow};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{Export, all_rows_ticked_or_not};
use shipping::LocalTime;

/// Opens the export dialog if its action was requested, and draws it while it is open.
pub(super) fn show(ui: &Ui, context: &mut Context<'_>, state: &mut DispatchState) {
    if context.is_triggered(Action::ExportWaiting) {
        let table = table(state, context.shared);
        let export = Export {
            name: "Unmanifested",
            rows_text: all_rows_ticked_or_not(table.rows.len()),
            heads: table.heads.clone(),
            rows: ExportRows::Cells(Arc::new(table)),
        };
        state.export.begin(export, context);
    }
    state.export.show(ui, context);
}

fn table(state: &DispatchState, shared: &Shared) -> ExportTable {
    let (index, columns) = (&state.index, &state.list.columns);
    let rows = (0..index.rows().len()).filter_map(|place| index.consignment_at(place));
    let cells = |one: &UnmanifestedRow| columns.iter().map(|col| cell(one, *col, shared)).collect();
    let heads = columns.iter().map(|col| col.entry().name.to_owned());
    ExportTable {
        heads: heads.collect(),
        rows: rows.map(cells).collect(),
    }
}

/// Returns numbers and times as typed cells, and everything else as the text that is copied.
fn cell(one: &UnmanifestedRow, col: Col, shared: &Shared) -> ExportCell {
    let number = |number| ExportCell::Number(number);
    let time = |at: LocalTime| ExportCell::Time(at.0);
    let typed = match col {
        Col::Pieces => Some(number(one.pieces.into())),
        Col::Weight => one.weight.map(|weight| number(weight.0)),
        Col::Volume => one.volume.map(|volume| number(volume.0)),
        Col::Price => one.price.map(|price| number(price.0)),
        Col::Despatch => one.despatch.map(time),
        Col::Eta => one.eta.map(time),
        _ => None,
    };
    typed.unwrap_or_else(|| ExportCell::Text(export_text(one, col, shared).into_owned()))
}
