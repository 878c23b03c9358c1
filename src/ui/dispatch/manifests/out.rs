//! Exports the booked manifests that match the filter.

use std::sync::Arc;

use egui::Ui;

use crate::shipping::LocalTime;
use crate::state::{ManifestRow, OutCell, OutRows, OutTable};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{Export, State, all};

const HEADS: [&str; 7] = [
    "Carrier",
    "Reference",
    "Manifest",
    "Booked",
    "Pickup",
    "Consignments",
    "In part",
];

/// Opens the export dialog if its action was requested, and draws it while it is open.
pub(super) fn show(ui: &Ui, context: &mut Context<'_>, dialog: &mut State, rows: &[&ManifestRow]) {
    if context.asked(Action::ExportWaiting) {
        let heads = HEADS.map(str::to_owned).to_vec();
        let zone = &context.shared.zone;
        let export = Export {
            name: "Booked manifests",
            which: all(rows.len()),
            heads: heads.clone(),
            rows: OutRows::Cells(Arc::new(OutTable {
                heads,
                rows: rows.iter().map(|row| cells(row, zone)).collect(),
            })),
        };
        dialog.begin(export, context);
    }
    dialog.show(ui, context);
}

fn cells(row: &ManifestRow, zone: &str) -> Vec<OutCell> {
    let text = |text: &str| OutCell::Text(text.to_owned());
    let number = row.manifest.map(|id| id.to_string()).unwrap_or_default();
    vec![
        text(&row.carrier),
        text(&row.reference),
        text(&number),
        OutCell::Time(LocalTime::at(row.booked, zone).0),
        row.pickup
            .map_or_else(|| text(""), |at| OutCell::Time(at.0)),
        OutCell::Number(row.count.into()),
        text(if row.in_part { "yes" } else { "" }),
    ]
}
