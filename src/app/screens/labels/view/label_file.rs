//! The dialog that prints a label that is a PDF file of this computer.

use egui::Ui;

use super::preview::{PageTextures, picture, size_text};
use crate::state::{LabelsCommand, Notice};
use crate::ui::Context;
use crate::ui::format::counted;
use crate::ui::frame::notices;
use widgets::button::Button;
use widgets::modal::{Modal, confirm_or_cancel};
use widgets::select::Select;
use widgets::text;

/// State of the dialog.
#[derive(Default)]
pub(super) struct LabelFileDialog {
    open: bool,
    page: PageTextures,
}

impl LabelFileDialog {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Draws the dialog while a file is read or shown.
    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let file = &context.shared.labels.file;
        self.open = file.is_loading() || file.value().is_some() || file.problem().is_some();
        let mut open = self.open;
        let modal = Modal::new("label file", "Print a label file")
            .width(460.0)
            .step(usize::from(file.value().is_some()));
        modal.show(ui, &mut open, |ui, open| {
            ui.spacing_mut().item_spacing.y = 10.0;
            let can_print = self.content(ui, context);
            if confirm_or_cancel(ui, open, Button::primary("Print"), can_print) {
                context.push(LabelsCommand::PrintFile);
            }
        });
        if self.open && !open {
            self.page = PageTextures::default();
            context.push(LabelsCommand::CloseFile);
        }
    }

    /// Draws the file and the choice of the printer. Returns true if the file can be printed.
    fn content(&mut self, ui: &mut Ui, context: &mut Context<'_>) -> bool {
        let shared = context.shared;
        let file = &shared.labels.file;
        if let Some(problem) = file.problem() {
            let notice = Notice::failed("Couldn't read the file as a label", problem);
            notices::bar(&notice).show(ui);
        }
        let Some(shown) = file.value() else {
            if file.is_loading() {
                text::note(ui, "Reading the file");
            }
            return false;
        };
        picture(ui, &mut self.page, &shown.preview, &shown.name);
        let pages = counted(shown.preview.pages, "page", "pages");
        let words = format!(
            "{}, {pages}, first page {}",
            shown.name,
            size_text(&shown.preview)
        );
        text::small_note(ui, words);
        let printers = shared.labels.printers.value().into_iter().flatten();
        let set_up = printers.filter(|printer| printer.set_up);
        let names: Vec<_> = set_up.map(|printer| printer.name.as_str()).collect();
        let current = names.iter().position(|name| *name == shown.printer);
        if let Some(picked) = Select::new("Printer", current, &names).show(ui).picked {
            let printer = Some(names[picked].to_owned());
            context.push(LabelsCommand::OpenFile(shown.path.clone(), printer));
        }
        !file.is_loading() && file.problem().is_none()
    }
}
