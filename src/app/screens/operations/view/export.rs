//! The export of the Operations list, as filtered.

use std::sync::Arc;

use egui::Ui;

use super::OperationsScreen;
use super::list::cells;
use crate::state::{ExportRows, ExportTable};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{Export, all_rows};

const HEADS: [&str; 6] = ["State", "Type", "Title", "Number", "Since", "Checks"];

/// Opens the export dialog if the clerk asked for it, and draws it.
pub(super) fn show(ui: &Ui, context: &mut Context<'_>, state: &mut OperationsScreen) {
    if context.is_triggered(Action::ExportOperations) {
        let matters = state.index.rows().iter();
        let rows = matters.filter_map(|matter| cells(context.shared, *matter));
        let table = ExportTable {
            heads: HEADS.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        };
        let export = Export {
            name: "Operations",
            rows_text: all_rows(table.rows.len()),
            heads: table.heads.clone(),
            rows: ExportRows::Cells(Arc::new(table)),
        };
        state.export.begin(export, context);
    }
    state.export.show(ui, context);
}
