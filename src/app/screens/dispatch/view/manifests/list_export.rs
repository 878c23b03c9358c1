//! Exports the booked manifests that match the filter.

use std::sync::Arc;

use egui::Ui;

use crate::state::{ExportCell, ExportRows, ExportTable, ManifestRow};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{Export, ExportDialog, all_rows};
use shipping::LocalTime;

const HEADS: [&str; 7] = [
    "Carrier",
    "Reference",
    "Manifest",
    "Booked",
    "Pickup",
    "Consignments",
    "Partly booked",
];

/// Opens the export dialog if its action was requested, and draws it while it is open.
pub(super) fn show(
    ui: &Ui,
    context: &mut Context<'_>,
    dialog: &mut ExportDialog,
    rows: &[&ManifestRow],
) {
    if context.is_triggered(Action::ExportWaiting) {
        let heads = HEADS.map(str::to_owned).to_vec();
        let zone = &context.shared.zone;
        let export = Export {
            name: "Booked manifests",
            rows_text: all_rows(rows.len()),
            heads: heads.clone(),
            rows: ExportRows::Cells(Arc::new(ExportTable {
                heads,
                rows: rows.iter().map(|row| cells(row, zone)).collect(),
            })),
        };
        dialog.begin(export, context);
    }
    dialog.show(ui, context);
}

fn cells(row: &ManifestRow, zone: &str) -> Vec<ExportCell> {
    let text = |text: &str| ExportCell::Text(text.to_owned());
    let number = row.manifest.map(|id| id.to_string()).unwrap_or_default();
    vec![
        text(&row.carrier),
        text(&row.reference),
        text(&number),
        ExportCell::Time(LocalTime::at(row.booked, zone).0),
        row.pickup
            .map_or_else(|| text(""), |at| ExportCell::Time(at.0)),
        ExportCell::Number(row.count.into()),
        text(if row.is_partial { "yes" } else { "" }),
    ]
}
