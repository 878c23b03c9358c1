//! Exports the unmanifested consignments as they are shown: the same filter, order and columns.

use std::sync::Arc;

use egui::Ui;

use super::State;
use super::columns::{Col, ListColumn as _};
use super::rows::plain;
use crate::shipping::LocalTime;
use crate::state::{OutCell, OutRows, OutTable, Shared, Waiting};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{Export, all_ticked_or_not};

/// Opens the export dialog if its action was requested, and draws it while it is open.
pub(super) fn show(ui: &Ui, context: &mut Context<'_>, state: &mut State) {
    if context.asked(Action::ExportWaiting) {
        let table = table(state, context.shared);
        let export = Export {
            name: "Unmanifested",
            which: all_ticked_or_not(table.rows.len()),
            heads: table.heads.clone(),
            rows: OutRows::Cells(Arc::new(table)),
        };
        state.export.begin(export, context);
    }
    state.export.show(ui, context);
}

fn table(state: &State, shared: &Shared) -> OutTable {
    let (index, columns) = (&state.index, &state.list.columns);
    let rows = (0..index.rows().len()).filter_map(|place| index.one(place));
    let cells = |one: &Waiting| columns.iter().map(|col| cell(one, *col, shared)).collect();
    let heads = columns.iter().map(|col| col.entry().name.to_owned());
    OutTable {
        heads: heads.collect(),
        rows: rows.map(cells).collect(),
    }
}

/// Returns numbers and times as typed cells, and everything else as the text that is copied.
fn cell(one: &Waiting, col: Col, shared: &Shared) -> OutCell {
    let number = |number| OutCell::Number(number);
    let time = |at: LocalTime| OutCell::Time(at.0);
    let typed = match col {
        Col::Pieces => Some(number(one.pieces.into())),
        Col::Weight => one.weight.map(|weight| number(weight.0)),
        Col::Volume => one.volume.map(|volume| number(volume.0)),
        Col::Price => one.price.map(|price| number(price.0)),
        Col::Despatch => one.despatch.map(time),
        Col::Eta => one.eta.map(time),
        _ => None,
    };
    typed.unwrap_or_else(|| OutCell::Text(plain(one, col, shared).into_owned()))
}
