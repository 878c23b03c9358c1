//! Saving the list that is shown as a file: which kind, what will be in it, where to.
//!
//! What always holds: the rows are gathered when they are asked for, not in each frame.

use egui::{Label, Ui};

use super::Context;
use super::kit::button::Button;
use super::kit::choice::Choice;
use super::kit::field::Field;
use super::kit::modal::Modal;
use super::kit::tokens::{Tone, palette, size};
use super::kit::{icons, layout, progress, text};
use super::words::counted;
use crate::state::{ListOut, OutCommand, OutForm, OutRows, Shared};

/// What is to be exported, in words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct About {
    /// What the list is called.
    pub(super) name: String,
    /// How many rows.
    pub(super) rows: usize,
    /// The heads of its columns.
    pub(super) columns: Vec<String>,
}

/// The dialog, and what is chosen and typed in it.
#[derive(Debug, Default)]
pub(super) struct State {
    open: bool,
    about: About,
    form: OutForm,
    path: String,
}

impl State {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Asks what is to become of a list.
    pub(super) fn begin(&mut self, about: About, context: &mut Context<'_>) {
        context.ask(OutCommand::Forget);
        self.open = true;
        self.about = about;
    }

    /// Draws it. `rows` gathers what is to be saved.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        context: &mut Context<'_>,
        rows: impl FnOnce(&Shared) -> OutRows,
    ) {
        if self.open && !context.has_asked(&OutCommand::Forget.into()) {
            // It is saved: the dialog has done its work.
            self.open = !matches!(context.shared.track.out.export.value(), Some(Some(_)));
        }
        let title = format!("Export “{}”", self.about.name);
        let mut open = self.open;
        let mut saved = None;
        Modal::new("export", &title).show(ui, &mut open, |ui, open| {
            if context.shared.track.out.progress.is_some() {
                return underway(ui, context);
            }
            self.what(ui);
            saved = self.place(ui, context.shared, open);
        });
        self.open = open;
        if let Some(typed) = saved {
            let list = ListOut {
                name: self.about.name.clone(),
                form: self.form,
                rows: rows(context.shared),
            };
            context.ask(OutCommand::Export(Box::new(list), typed));
        }
    }

    fn what(&mut self, ui: &mut Ui) {
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
        let rows = counted(self.about.rows, "row", "rows");
        let words = format!("{rows}: {}", self.about.columns.join(", "));
        ui.add(Label::new(text::body(words).color(p.muted)).wrap());
        if self.form == OutForm::Xlsx && self.about.rows >= 1_048_576 {
            let words = "A workbook holds 1,048,575 rows: save it as CSV";
            ui.add(Label::new(text::body(words).color(p.warning)).wrap());
        }
    }

    /// Where to: asked for in a dialog, or typed where there is none. Answers the typed path, once it is to be saved.
    fn place(&mut self, ui: &mut Ui, shared: &Shared, open: &mut bool) -> Option<Option<String>> {
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
        let can = self.about.rows > 0 && (!typed || !self.path.trim().is_empty());
        ui.add_space(6.0);
        let pressed = ui.horizontal(|ui| {
            let save = if typed { "Save" } else { "Save…" };
            let pressed = ui.add_enabled(can, Button::primary(save)).clicked();
            if ui.add(Button::new("Cancel").min_width(80.0)).clicked() {
                *open = false;
            }
            pressed
        });
        let path = self.path.trim().to_owned();
        (pressed.inner || (entered && can)).then_some(typed.then_some(path))
    }
}

fn underway(ui: &mut Ui, context: &mut Context<'_>) {
    let (done, of) = context.shared.track.out.progress.unwrap_or_default();
    progress::bar(ui, done, of, "rows", Tone::Accent);
    ui.add_space(6.0);
    if ui.add(Button::new("Stop")).clicked() {
        context.ask(OutCommand::Stop);
    }
}
