//! The dialog that saves files: asks for a folder if this desktop has no file dialog, shows the progress, and
//! lists the files that were skipped.

use egui::{Label, ScrollArea, Ui};

use crate::state::{FilesCommand, FilesView};
use crate::ui::Context;
use crate::ui::format::counted;
use widgets::button::Button;
use widgets::field::Field;
use widgets::modal::{self, Modal};
use widgets::tokens::Tone;
use widgets::{progress, text};

/// The dialog, and the folder typed into it.
#[derive(Debug, Default)]
pub(super) struct SaveFilesDialog {
    open: bool,
    folder: String,
    /// True after the clerk closed the dialog while saving continues.
    hidden: bool,
}

/// The content of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Nothing,
    Folder,
    Underway,
    LeftOut,
}

impl Stage {
    fn of(view: &FilesView) -> Self {
        let left_out = view
            .saved
            .as_ref()
            .is_some_and(|saved| !saved.left_out.is_empty());
        if view.progress.is_some() && view.of.len() > 1 {
            Self::Underway
        } else if view.needs_folder && view.progress.is_none() {
            Self::Folder
        } else if left_out {
            Self::LeftOut
        } else {
            Self::Nothing
        }
    }
}

impl SaveFilesDialog {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let stage = Stage::of(&context.shared.track.files);
        self.hidden &= stage == Stage::Underway;
        self.open = stage != Stage::Nothing && !self.hidden;
        let title = match stage {
            Stage::LeftOut => "Some files weren't saved",
            Stage::Underway => "Saving files",
            Stage::Folder | Stage::Nothing => "Save the files",
        };
        let mut open = self.open;
        Modal::new("save files", title).show(ui, &mut open, |ui, open| match stage {
            Stage::Nothing => {}
            Stage::Folder => folder(ui, context, &mut self.folder, open),
            Stage::Underway => underway(ui, context, open),
            Stage::LeftOut => left_out(ui, context, open),
        });
        if self.open && !open {
            self.open = false;
            self.hidden = stage == Stage::Underway;
            if !self.hidden {
                context.push(FilesCommand::ForgetSaved);
            }
        }
    }
}

fn folder(ui: &mut Ui, context: &mut Context<'_>, folder: &mut String, open: &mut bool) {
    let view = &context.shared.track.files;
    let words = "This desktop has no file dialog. Files are named after the consignment; existing files are not replaced";
    text::note(ui, words);
    let field = Field::new("Folder", folder)
        .mono()
        .hint("/home/bench/proofs")
        .error(view.problem.as_deref())
        .show(ui);
    let typed = folder.trim().to_owned();
    let can = !typed.is_empty();
    let save = modal::confirm_or_cancel(ui, open, Button::primary("Save"), can);
    if save || (field.entered && can) {
        context.push(FilesCommand::SaveFilesIn(view.of.clone(), typed));
    }
}

fn underway(ui: &mut Ui, context: &mut Context<'_>, open: &mut bool) {
    let (done, of) = context.shared.track.files.progress.unwrap_or_default();
    progress::bar(ui, done, of, "consignments", Tone::Accent);
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        if ui.add(Button::new("Stop")).clicked() {
            context.push(FilesCommand::StopSaving);
        }
        let hide = Button::quiet("Continue in the background").key("Esc");
        if ui.add(hide).clicked() {
            *open = false;
        }
    });
}

fn left_out(ui: &mut Ui, context: &mut Context<'_>, open: &mut bool) {
    let Some(saved) = &context.shared.track.files.saved else {
        return;
    };
    let files = counted(saved.saved, "file", "files");
    let of = counted(saved.consignments, "consignment", "consignments");
    text::note(ui, format!("{files} of {of} saved in {}", saved.folder));
    ui.add_space(4.0);
    let row = ui.text_style_height(&egui::TextStyle::Body) + 4.0;
    let list = ScrollArea::vertical()
        .max_height(260.0)
        .auto_shrink([false, true]);
    list.show_rows(ui, row, saved.left_out.len(), |ui, range| {
        for why in &saved.left_out[range] {
            let why = Label::new(text::body(why.as_str()));
            ui.add(why.truncate().selectable(true));
        }
    });
    ui.add_space(6.0);
    if ui.add(Button::primary("Close")).clicked() {
        *open = false;
    }
}
