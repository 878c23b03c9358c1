//! What is exported from Dispatch: what waits, as it is filtered, in its order, with the columns that are shown.

use std::sync::Arc;

use egui::Ui;

use super::State;
use super::columns::{Col, ListColumn as _};
use super::rows::plain;
use crate::shipping::LocalTime;
use crate::state::{OutCell, OutRows, OutTable, Shared, Waiting};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::About;

/// Asks, where it was asked for, and saves.
pub(super) fn show(ui: &Ui, context: &mut Context<'_>, state: &mut State) {
    if context.asked(Action::ExportWaiting) {
        let about = About {
            name: "Unmanifested".to_owned(),
            rows: state.index.rows().len(),
            columns: heads(&state.list.columns),
        };
        state.export.begin(about, context);
    }
    let (index, columns) = (&state.index, &state.list.columns);
    state.export.show(ui, context, |shared| {
        let rows = (0..index.rows().len()).filter_map(|place| index.one(place));
        let cells = |one: &Waiting| columns.iter().map(|col| cell(one, *col, shared)).collect();
        OutRows::Cells(Arc::new(OutTable {
            heads: heads(columns),
            rows: rows.map(cells).collect(),
        }))
    });
}

fn heads(columns: &[Col]) -> Vec<String> {
    columns
        .iter()
        .map(|col| col.entry().name.to_owned())
        .collect()
}

/// Figures as figures and times as times; all else as it is copied.
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
