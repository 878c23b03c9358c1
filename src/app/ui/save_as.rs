//! The dialog that asks for the path to save to, on a desktop without a file dialog.

use std::mem::{Discriminant, discriminant};

use egui::Ui;

use super::Context;
use crate::state::{ExportFormat, SaveCommand, SaveRequest};
use widgets::button::Button;
use widgets::field::Field;
use widgets::modal::{Modal, confirm_or_cancel};
use widgets::text;

/// State of the dialog: the path as typed, and the kind of request that it was typed for.
#[derive(Debug, Default)]
pub(crate) struct SaveAsDialog {
    path: String,
    kind: Option<Discriminant<SaveRequest>>,
}

impl SaveAsDialog {
    pub(crate) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let question = context.shared.path_question.as_ref();
        let mut open = question.is_some();
        let kind = question.map(|question| discriminant(&question.request));
        if open && self.kind != kind {
            self.path.clear();
            self.kind = kind;
        }
        let texts = question.map(|question| texts(&question.request));
        let (title, note, label, hint) = texts.unwrap_or_default();
        Modal::new("save as", title).show(ui, &mut open, |ui, open| {
            let Some(question) = question else { return };
            text::note(ui, format!("This desktop has no file dialog. {note}"));
            let field = Field::new(label, &mut self.path).mono().hint(hint);
            let field = field.error(question.problem.as_deref()).show(ui);
            let typed = self.path.trim();
            let can = !typed.is_empty();
            let save = confirm_or_cancel(ui, open, Button::primary("Save"), can);
            if can && (save || field.entered) {
                let (request, path) = (question.request.clone(), typed.to_owned());
                context.push(SaveCommand::Save(request, Some(path)));
            }
        });
        if question.is_some() && !open {
            context.push(SaveCommand::Cancel);
        }
    }
}

/// Returns the title, what happens to existing files, the label of the field, and an example of a path.
const fn texts(request: &SaveRequest) -> (&'static str, &'static str, &'static str, &'static str) {
    let one_file = "An existing file is not replaced";
    match request {
        SaveRequest::Labels(ids) if ids.len() > 1 => (
            "Save the labels as PDF",
            "Each label is saved under its number; existing files are not replaced",
            "Folder",
            "/home/bench/labels",
        ),
        SaveRequest::Labels(_) => (
            "Save the label as PDF",
            one_file,
            "Save as",
            "/home/bench/label.pdf",
        ),
        SaveRequest::Files(_) => (
            "Save the files",
            "Files are named after the consignment; existing files are not replaced",
            "Folder",
            "/home/bench/proofs",
        ),
        SaveRequest::List(list) => {
            let hint = match list.form {
                ExportFormat::Xlsx => "/home/bench/list.xlsx",
                ExportFormat::Csv => "/home/bench/list.csv",
            };
            ("Save the list", one_file, "Save as", hint)
        }
        SaveRequest::DaySheet => (
            "Save the day sheet",
            one_file,
            "Save as",
            "/home/bench/day-sheet.pdf",
        ),
        SaveRequest::Manifest(_) => (
            "Save the manifest",
            one_file,
            "Save as",
            "/home/bench/manifest.pdf",
        ),
        SaveRequest::OfConsignment(..) => (
            "Save the document",
            one_file,
            "Save as",
            "/home/bench/document.pdf",
        ),
        SaveRequest::SupportBundle => (
            "Save the support bundle",
            one_file,
            "Save as",
            "/home/bench/packbench-support.zip",
        ),
    }
}
