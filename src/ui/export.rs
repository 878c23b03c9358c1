//! Saving the list that is shown as a file: which kind, what will be in it, where to.
//!
//! What always holds: what is saved are the rows that were there when it was asked for, as many as the dialog says; they are
//! gathered once, not in each frame.

use egui::{Label, Ui};

use super::Context;
use super::kit::button::Button;
use super::kit::choice::Choice;
use super::kit::field::Field;
use super::kit::modal::Modal;
use super::kit::tokens::{Tone, palette, size};
use super::kit::{icons, layout, progress, text};
use super::words::{counted, grouped};
use crate::state::{ListOut, OutCommand, OutForm, OutRows, Shared};

/// The rows of a workbook below its heads.
const WORKBOOK_ROWS: usize = 1_048_575;

/// What is to be exported.
#[derive(Debug, Clone)]
pub(super) struct Export {
    /// What the list is called.
    pub(super) name: &'static str,
    /// Which of its rows, in words: "All 31 rows".
    pub(super) which: String,
    /// The heads of its columns.
    pub(super) heads: Vec<String>,
    /// The rows.
    pub(super) rows: OutRows,
}

/// The dialog, and what is chosen and typed in it.
#[derive(Debug, Default)]
pub(super) struct State {
    /// What it is about, while it is open.
    export: Option<Export>,
    form: OutForm,
    path: String,
}

impl State {
    pub(super) const fn is_open(&self) -> bool {
        self.export.is_some()
    }

    /// Asks what is to become of a list.
    pub(super) fn begin(&mut self, export: Export, context: &mut Context<'_>) {
        context.ask(OutCommand::Forget);
        self.export = Some(export);
    }

    /// Draws it.
    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let is_new = context.has_asked(&OutCommand::Forget.into());
        if !is_new && matches!(context.shared.track.out.export.value(), Some(Some(_))) {
            // It is saved: the dialog has done its work.
            self.export = None;
        }
        let export = self.export.take();
        let name = export.as_ref().map_or("", |export| export.name);
        let title = format!("Export “{name}”");
        let mut open = export.is_some();
        Modal::new("export", &title).show(ui, &mut open, |ui, open| {
            let Some(export) = &export else { return };
            if context.shared.track.out.progress.is_some() {
                return underway(ui, context);
            }
            self.what(ui, export);
            if self.place(ui, context.shared, export, open) {
                let typed = context.shared.no_file_dialog;
                let typed = typed.then(|| self.path.trim().to_owned());
                let list = ListOut {
                    name: export.name.to_owned(),
                    form: self.form,
                    rows: export.rows.clone(),
                };
                context.ask(OutCommand::Export(Box::new(list), typed));
            }
        });
        self.export = export.filter(|_| open);
    }

    fn what(&mut self, ui: &mut Ui, export: &Export) {
        layout::columns(ui, &[1.0, 1.0], size::GRID, |at, ui| {
            let (form, icon, name, words) = if at == 0 {
                let words = "For a spreadsheet: numbers are numbers, dates are dates";
                (OutForm::Xlsx, icons::ICON_TABLE, "Workbook (XLSX)", words)
            } else {
                let words = "For other programs: comma-separated text, UTF-8";
                (OutForm::Csv, icons::ICON_CSV, "Text (CSV)", words)
            };
            let choice = Choice::new(icon, name, words).chosen(self.form == form);
            if choice.show(ui).clicked() {
                self.form = form;
            }
        });
        let p = palette(ui);
        let words = format!("{}: {}", export.which, export.heads.join(", "));
        ui.add(Label::new(text::body(words).color(p.muted)).wrap());
        if !self.holds(export) {
            let words = format!(
                "A workbook holds {} rows: save it as CSV",
                grouped(WORKBOOK_ROWS)
            );
            ui.add(Label::new(text::body(words).color(p.warning)).wrap());
        }
    }

    /// Is there room for all of it in the file that is chosen?
    fn holds(&self, export: &Export) -> bool {
        self.form == OutForm::Csv || export.rows.count() <= WORKBOOK_ROWS
    }

    /// Where to: asked for in a dialog, or typed where there is none. Answers whether it is to be saved.
    fn place(&mut self, ui: &mut Ui, shared: &Shared, export: &Export, open: &mut bool) -> bool {
        let typed = shared.no_file_dialog;
        let mut entered = false;
        if typed {
            let hint = match self.form {
                OutForm::Xlsx => "/home/bench/list.xlsx",
                OutForm::Csv => "/home/bench/list.csv",
            };
            let problem = shared.track.out.problem.as_deref();
            let field = Field::new("Save as", &mut self.path)
                .mono()
                .hint(hint)
                .error(problem);
            entered = field.show(ui).entered;
        }
        let can = export.rows.count() > 0
            && self.holds(export)
            && (!typed || !self.path.trim().is_empty());
        ui.add_space(6.0);
        let pressed = ui.horizontal(|ui| {
            let save = if typed { "Save" } else { "Save…" };
            let pressed = ui.add_enabled(can, Button::primary(save)).clicked();
            if ui.add(Button::new("Cancel").min_width(80.0)).clicked() {
                *open = false;
            }
            pressed
        });
        pressed.inner || (entered && can)
    }
}

/// "All 31 rows".
pub(super) fn all(rows: usize) -> String {
    match rows {
        0 | 1 => counted(rows, "row", "rows"),
        rows => format!("All {} rows", grouped(rows)),
    }
}

/// The same of a list whose rows can be ticked: the ticks choose none.
pub(super) fn all_ticked_or_not(rows: usize) -> String {
    format!("{}, ticked or not", all(rows))
}

fn underway(ui: &mut Ui, context: &mut Context<'_>) {
    let (done, of) = context.shared.track.out.progress.unwrap_or_default();
    progress::bar(ui, done, of, "rows", Tone::Accent);
    ui.add_space(6.0);
    if ui.add(Button::new("Stop")).clicked() {
        context.ask(OutCommand::Stop);
    }
}
