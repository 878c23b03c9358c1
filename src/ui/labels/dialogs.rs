//! What is asked before a label is printed again, and before a file is saved where there is no file dialog.

use egui::Ui;

use super::super::Context;
use super::super::actions::Action;
use super::super::kit::button::Button;
use super::super::kit::field::Field;
use super::super::kit::modal::Modal;
use super::super::kit::text;
use super::super::kit::tokens::palette;
use crate::shipping::ConsignmentId;
use crate::state::LabelsCommand;

/// The dialogs and what is typed into them.
#[derive(Default)]
pub(super) struct State {
    reprint: bool,
    save: bool,
    of: Option<ConsignmentId>,
    reason: String,
    path: String,
}

impl State {
    pub(super) fn is_open(&self) -> bool {
        self.reprint || self.save
    }

    /// Begins one of the actions on a label.
    pub(super) fn begin(&mut self, action: Action, id: ConsignmentId, context: &mut Context<'_>) {
        self.of = Some(id);
        match action {
            Action::Reprint => {
                self.reason.clear();
                self.reprint = true;
            }
            _ if context.shared.no_file_dialog => self.save = true,
            _ => context.ask(LabelsCommand::SavePdf(id)),
        }
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        self.reprint(ui, context);
        self.save(ui, context);
    }

    fn reprint(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let (reason, of) = (&mut self.reason, self.of);
        Modal::new("reprint", "Print it again").show(ui, &mut self.reprint, |ui, open| {
            let words =
                "A second label of one piece can go astray: the reason is kept with the job";
            ui.label(text::body(words).color(palette(ui).muted));
            let field = Field::new("Reason", reason)
                .hint("torn, lost, wrong printer…")
                .show(ui);
            let can = !reason.trim().is_empty();
            let printed = buttons(ui, "Reprint", can, open) || (field.entered && can);
            if let Some(id) = of.filter(|_| printed) {
                context.ask(LabelsCommand::Reprint(id, reason.trim().to_owned()));
                *open = false;
            }
        });
    }

    fn save(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let (path, of) = (&mut self.path, self.of);
        Modal::new("save", "Save the label as PDF").show(ui, &mut self.save, |ui, open| {
            ui.label(text::body("This desktop has no file dialog").color(palette(ui).muted));
            let field = Field::new("Path", path)
                .mono()
                .hint("/home/bench/label.pdf")
                .show(ui);
            let can = path.trim().starts_with('/') && !path.trim().ends_with('/');
            let saved = buttons(ui, "Save", can, open) || (field.entered && can);
            if let Some(id) = of.filter(|_| saved) {
                context.ask(LabelsCommand::SavePdfAt(id, path.trim().to_owned()));
                *open = false;
            }
        });
    }
}

/// The buttons below a dialog; answers whether the main one was pressed.
pub(super) fn buttons(ui: &mut Ui, main: &str, can: bool, open: &mut bool) -> bool {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let pressed = ui.add_enabled(can, Button::primary(main)).clicked();
        if ui.add(Button::new("Cancel").min_width(80.0)).clicked() {
            *open = false;
        }
        pressed
    })
    .inner
}
