//! The export of the Operations list, as filtered.

use std::sync::Arc;

use egui::Ui;

use super::State;
use super::list::cells;
use crate::state::{OutRows, OutTable};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{Export, all};

const HEADS: [&str; 6] = ["State", "What", "Title", "Number", "Since", "Checks"];

/// Opens the export dialog if the clerk asked for it, and draws it.
pub(super) fn show(ui: &Ui, context: &mut Context<'_>, state: &mut State) {
    if context.asked(Action::ExportOperations) {
        let matters = state.index.rows().iter();
        let rows = matters.filter_map(|matter| cells(context.shared, *matter));
        let table = OutTable {
            heads: HEADS.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        };
        let export = Export {
            name: "Operations",
            which: all(table.rows.len()),
            heads: table.heads.clone(),
            rows: OutRows::Cells(Arc::new(table)),
        };
        state.export.begin(export, context);
    }
    state.export.show(ui, context);
}
