//! The preview of the day sheet: shows the pages as they will be printed, prints them and saves them
//! as a PDF.

use egui::{Id, Key, Label, Modifiers, Ui, vec2};

use super::page_preview::{self, PagePreview};
use crate::state::ExportCommand;
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::frame::notices;
use widgets::button::Button;
use widgets::empty_state::empty_state;
use widgets::field::Field;
use widgets::tokens::{palette, size};
use widgets::{icons, text};

#[derive(Default)]
pub(super) struct DaySheetDialog {
    open: bool,
    page: usize,
    paper: PagePreview,
    path: String,
    /// True until the path field has been given the focus.
    wants_path: bool,
}

impl DaySheetDialog {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        if context.is_triggered(Action::DaySheet) {
            context.push(ExportCommand::ShowDaySheet);
        }
        let was_open = self.open;
        self.open = context.shared.track.exports.sheet_open;
        if !self.open {
            self.paper = PagePreview::default();
            self.page = 0;
            self.wants_path = false;
        }
        let mut open = self.open;
        page_preview::dialog(ui, "day sheet", "Day sheet", &mut open, |ui, height| {
            self.content(ui, context, was_open, height);
        });
        if self.open && !open {
            context.push(ExportCommand::CloseDaySheet);
            self.open = false;
        }
    }

    fn content(&mut self, ui: &mut Ui, context: &mut Context<'_>, was_open: bool, height: f32) {
        let shared = context.shared;
        let sheet = &shared.track.exports.sheet;
        let pages = sheet.value().map_or(0, |sheet| sheet.pages.len());
        self.page = self.page.min(pages.saturating_sub(1));
        // The key that opened the dialog is still in the input of the first frame.
        let has_keys = was_open && !ui.ctx().text_edit_focused();
        if has_keys {
            self.paper.zoom.keys(ui);
        }
        self.head(ui, context, pages, has_keys);
        if let Some(problem) = sheet.problem()
            && notices::failed(ui, "Couldn't create the day sheet", problem, "Try again")
        {
            context.push(ExportCommand::ShowDaySheet);
        }
        let top = ui.cursor().top();
        if let Some(message) = sheet
            .value()
            .and_then(|sheet| sheet.missing_letters.as_ref())
        {
            text::warning(ui, message);
        }
        let told = ui.cursor().top() - top;
        let typed = if shared.no_file_dialog { 62.0 } else { 0.0 };
        let room = vec2(ui.available_width(), (height - typed - told).max(160.0));
        match sheet.value() {
            Some(sheet) => {
                if let Some(picture) = sheet.pages.get(self.page) {
                    let words = format!("Day sheet, page {} of {pages}", self.page + 1);
                    self.paper.show(ui, picture, room, &words);
                }
            }
            None => page_preview::placeholder(ui, room, |ui| {
                let words = "What was booked, what is waiting and what needs attention";
                let icon = icons::ICON_PRINT;
                empty_state(ui, icon, "Preparing the day sheet", words, None);
            }),
        }
    }

    fn head(&mut self, ui: &mut Ui, context: &mut Context<'_>, pages: usize, has_keys: bool) {
        let shared = context.shared;
        let ctrl = |ui: &Ui, key| ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, key));
        ui.horizontal(|ui| {
            ui.set_height(size::PRIMARY);
            ui.spacing_mut().item_spacing.x = size::GRID;
            let printer = shared.track.exports.printer.as_deref();
            let words = printer.map_or("Print".to_owned(), |name| format!("Print on {name}"));
            let print = Button::primary(&words)
                .icon(icons::ICON_PRINT)
                .key("Ctrl+P");
            let can = pages > 0 && printer.is_some();
            if ui.add_enabled(can, print).clicked() || (can && ctrl(ui, Key::P)) {
                context.push(ExportCommand::PrintDaySheet);
            }
            let words = if shared.no_file_dialog {
                "Save PDF"
            } else {
                "Save PDF…"
            };
            let save = Button::new(words).icon(icons::ICON_FILE_SAVE).key("Ctrl+S");
            let asked = ui.add_enabled(pages > 0, save).clicked();
            if pages > 0 && (asked || ctrl(ui, Key::S)) {
                self.save(context);
            }
            let before = self.page.checked_sub(1);
            let after = Some(self.page + 1).filter(|page| *page < pages);
            self.page = page_preview::turn(ui, before, after, has_keys).unwrap_or(self.page);
            self.paper.zoom.button(ui, "Whole page");
            let mut words = format!("page {} of {}", self.page + 1, pages.max(1));
            if printer.is_none() {
                words.push_str(" · no printer is set up for manifests");
            }
            let words = text::body(words).color(palette(ui).muted);
            ui.add(Label::new(words).truncate());
        });
        if shared.no_file_dialog && pages > 0 {
            self.by_path(ui, context);
        }
    }

    /// Saves through the file dialog, or to the typed path if this desktop has no file dialog. Moves the
    /// focus to the path field while the path is empty.
    fn save(&mut self, context: &mut Context<'_>) {
        let typed = self.path.trim().to_owned();
        // A missing file dialog may only be discovered when one is requested, so ask for the path then, too.
        self.wants_path = !context.shared.no_file_dialog || typed.is_empty();
        if !context.shared.no_file_dialog {
            context.push(ExportCommand::SaveDaySheet(None));
        } else if !typed.is_empty() {
            context.push(ExportCommand::SaveDaySheet(Some(typed)));
        }
    }

    fn by_path(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let problem = context.shared.track.exports.problem.as_deref();
        let id = Id::unique("day sheet path");
        let field = Field::new("Save as", &mut self.path).mono().id(id);
        let field = field.hint("/home/bench/day-sheet.pdf").error(problem);
        if field.show(ui).entered {
            self.save(context);
        }
        if std::mem::take(&mut self.wants_path) {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
    }
}
