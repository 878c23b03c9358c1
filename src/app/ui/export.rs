//! The export dialog: saves the shown list as a file of a chosen type.
//!
//! Invariant: the rows are collected once, when the dialog opens; so the file has as many rows as the dialog says.

use std::sync::Arc;

use egui::{Label, Ui};

use super::Context;
use super::format::{counted, grouped};
use crate::state::{
    ExportCell, ExportCommand, ExportFormat, ExportRows, ExportTable, ListExport, ListField,
    SaveRequest,
};
use widgets::button::Button;
use widgets::modal::{self, Modal};
use widgets::radio_card::RadioCard;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, layout, progress, text};

/// Number of rows in a workbook below the header row.
const WORKBOOK_ROWS: usize = 1_048_575;

/// A list to export.
#[derive(Debug, Clone)]
pub(crate) struct Export {
    /// Name of the list.
    pub(crate) name: &'static str,
    /// Text that says which rows are exported: "All 31 rows".
    pub(crate) rows_text: String,
    /// Column headers.
    pub(crate) heads: Vec<String>,
    pub(crate) rows: ExportRows,
}

impl Export {
    /// Creates an export of cells that the screen provides.
    pub(crate) fn of_cells(
        name: &'static str,
        rows_text: String,
        heads: impl IntoIterator<Item = &'static str>,
        rows: Vec<Vec<ExportCell>>,
    ) -> Self {
        let heads: Vec<_> = heads.into_iter().map(str::to_owned).collect();
        Self {
            name,
            rows_text,
            heads: heads.clone(),
            rows: ExportRows::Cells(Arc::new(ExportTable { heads, rows })),
        }
    }

    /// Creates an export with these columns. The export job itself reads the rows.
    pub(crate) fn of_columns(
        name: &'static str,
        rows_text: String,
        columns: &[ListField],
        rows: impl FnOnce(Vec<ListField>) -> ExportRows,
    ) -> Self {
        let heads = columns.iter().map(|column| column.name().to_owned());
        Self {
            name,
            rows_text,
            heads: heads.collect(),
            rows: rows(columns.to_vec()),
        }
    }
}

/// State of the dialog.
#[derive(Debug, Default)]
pub(crate) struct ExportDialog {
    /// The list to export; `Some` while the dialog is open.
    export: Option<Export>,
    form: ExportFormat,
    /// Number of lists that were saved before the dialog was opened.
    saved_before: usize,
}

impl ExportDialog {
    pub(crate) const fn is_open(&self) -> bool {
        self.export.is_some()
    }

    /// Opens the dialog for a list.
    pub(crate) fn begin(&mut self, export: Export, context: &Context<'_>) {
        self.export = Some(export);
        self.saved_before = context.shared.track.exports.saved;
    }

    /// Draws the dialog. It closes when the list is saved.
    pub(crate) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let exports = &context.shared.track.exports;
        let export = self.export.take();
        let export = export.filter(|_| exports.saved == self.saved_before);
        let name = export.as_ref().map_or("", |export| export.name);
        let title = format!("Export “{name}”");
        let mut open = export.is_some();
        Modal::new("export", &title).show(ui, &mut open, |ui, open| {
            let Some(export) = &export else { return };
            if let Some(progress) = exports.progress {
                return underway(ui, context, progress);
            }
            self.what(ui, export);
            let can = export.rows.count() > 0 && self.fits(export);
            if modal::confirm_or_cancel(ui, open, Button::primary("Save…"), can) {
                context.push(SaveRequest::List(Box::new(ListExport {
                    name: export.name.to_owned(),
                    form: self.form,
                    rows: export.rows.clone(),
                })));
            }
        });
        self.export = export.filter(|_| open);
    }

    fn what(&mut self, ui: &mut Ui, export: &Export) {
        let workbook = "For spreadsheets; keeps numbers and dates";
        let workbook = RadioCard::new(icons::ICON_TABLE, "Workbook (XLSX)", workbook);
        let csv = "For other programs: comma-separated text, UTF-8";
        let csv = RadioCard::new(icons::ICON_CSV, "Text (CSV)", csv);
        let choices = [(ExportFormat::Xlsx, workbook), (ExportFormat::Csv, csv)];
        layout::columns(ui, &[1.0, 1.0], size::GRID, |at, ui| {
            let (form, choice) = choices[at];
            if choice.chosen(self.form == form).show(ui).clicked() {
                self.form = form;
            }
        });
        text::note(
            ui,
            format!("{}: {}", export.rows_text, export.heads.join(", ")),
        );
        if !self.fits(export) {
            let most = grouped(WORKBOOK_ROWS);
            let words = format!("A workbook holds only {most} rows. Save as CSV instead");
            ui.add(Label::new(text::body(words).color(palette(ui).warning)).wrap());
        }
    }

    /// Returns whether a file of the chosen type can hold all rows.
    fn fits(&self, export: &Export) -> bool {
        self.form == ExportFormat::Csv || export.rows.count() <= WORKBOOK_ROWS
    }
}

/// Returns the text for an export of the whole list: "All 31 rows".
pub(crate) fn all_rows(rows: usize) -> String {
    match rows {
        0 | 1 => counted(rows, "row", "rows"),
        rows => format!("All {} rows", grouped(rows)),
    }
}

/// Returns the text for a list whose rows can be ticked: the export ignores the ticks.
pub(crate) fn all_rows_ticked_or_not(rows: usize) -> String {
    format!("{}, ticked or not", all_rows(rows))
}

fn underway(ui: &mut Ui, context: &mut Context<'_>, (done, of): (usize, usize)) {
    progress::bar(ui, done, of, "rows", Tone::Accent);
    ui.add_space(6.0);
    if ui.add(Button::new("Stop")).clicked() {
        context.push(ExportCommand::Stop);
    }
}
