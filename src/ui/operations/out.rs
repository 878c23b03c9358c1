//! What is exported from Operations: the list as it is filtered.

use std::sync::Arc;

use egui::Ui;

use super::State;
use super::list::cells;
use crate::state::{OutRows, OutTable};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::About;

const HEADS: [&str; 6] = ["State", "What", "Title", "Number", "Since", "Checks"];

/// Asks, where it was asked for, and saves.
pub(super) fn show(ui: &Ui, context: &mut Context<'_>, state: &mut State) {
    let heads = || HEADS.map(str::to_owned).to_vec();
    if context.asked(Action::ExportOperations) {
        let about = About {
            name: "Operations".to_owned(),
            rows: state.index.rows().len(),
            columns: heads(),
        };
        state.export.begin(about, context);
    }
    let index = &state.index;
    state.export.show(ui, context, |shared| {
        let rows = index
            .rows()
            .iter()
            .filter_map(|matter| cells(shared, *matter));
        OutRows::Cells(Arc::new(OutTable {
            heads: heads(),
            rows: rows.collect(),
        }))
    });
}
