//! Saves label files. If the desktop has no file dialog, asks for a path and shows its problem below it.

use egui::Ui;

use crate::state::LabelsCommand;
use crate::ui::Context;
use shipping::ConsignmentId;
use widgets::button::Button;
use widgets::field::Field;
use widgets::modal::{Modal, confirm_or_cancel};
use widgets::text;

/// State of the dialog, with the path that is typed into it.
#[derive(Debug, Default)]
pub(super) struct SaveDialogState {
    open: bool,
    ids: Vec<ConsignmentId>,
    path: String,
    /// Saving was requested, and it is not known yet whether the desktop has a file dialog.
    asked: bool,
}

impl SaveDialogState {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Saves the labels, each in a separate file.
    pub(super) fn begin(&mut self, ids: Vec<ConsignmentId>, context: &mut Context<'_>) {
        if ids.is_empty() {
            return;
        }
        self.asked = true;
        if context.shared.no_file_dialog {
            context.push(LabelsCommand::ForgetSaved);
        } else {
            context.push(match ids.as_slice() {
                [one] => LabelsCommand::SavePdf(*one),
                _ => LabelsCommand::SaveAll(ids.clone()),
            });
        }
        self.ids = ids;
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        if self.asked && shared.no_file_dialog {
            self.asked = false;
            self.open = true;
        }
        if self.open && shared.labels.saved.is_some() {
            self.open = false;
            self.asked = false;
        }
        let several = self.ids.len() > 1;
        let (title, words, label, hint) = if several {
            (
                "Save the labels as PDF",
                "No file dialog is available. Each label is saved under its number; existing files are not replaced",
                "Folder",
                "/home/bench/labels",
            )
        } else {
            (
                "Save the label as PDF",
                "No file dialog is available. An existing file is not replaced",
                "Path",
                "/home/bench/label.pdf",
            )
        };
        let (path, ids) = (&mut self.path, &self.ids);
        Modal::new("save", title).show(ui, &mut self.open, |ui, open| {
            text::note(ui, words);
            let field = Field::new(label, path)
                .mono()
                .hint(hint)
                .error(shared.labels.save_problem.as_deref())
                .show(ui);
            let typed = path.trim();
            let can = !typed.is_empty();
            let saved = confirm_or_cancel(ui, open, Button::primary("Save"), can);
            if saved || (field.entered && can) {
                context.push(match ids.as_slice() {
                    [one] => LabelsCommand::SavePdfAt(*one, typed.to_owned()),
                    _ => LabelsCommand::SaveAllIn(ids.clone(), typed.to_owned()),
                });
            }
        });
    }
}
