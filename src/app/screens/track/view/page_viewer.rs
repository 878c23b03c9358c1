//! The dialogs that show rendered pages, zoomed and moved by pointer and keys: a consignment's file, and the day sheet
//! as it will be printed. Files are shown only as images made by the renderer, so links and scripts in a file cannot run.

use egui::{
    ColorImage, Id, Key, Label, Modifiers, Rect, Role, Sense, Stroke, StrokeKind, TextureFilter,
    TextureHandle, TextureOptions, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::files::shown_name;
use crate::state::{ExportCommand, FilesCommand, Notice, PageView, Picture};
use crate::ui::Context;
use crate::ui::actions::{Action, consume_shortcut};
use crate::ui::frame::notices;
use shipping::Attachment;
use widgets::button::Button;
use widgets::empty_state::empty_state;
use widgets::field::Field;
use widgets::modal::Modal;
use widgets::tokens::{PAPER, UNTINTED, palette, size};
use widgets::zoom::Zoom;
use widgets::{icons, text};

/// A dialog that nearly fills the window: the zoom, and the texture of the last picture.
#[derive(Default)]
struct PageDialog {
    open: bool,
    /// Whether the keys go to the dialog itself, not to a text field in it.
    has_keys: bool,
    zoom: Zoom,
    texture: Option<(Picture, TextureHandle)>,
}

impl PageDialog {
    /// Draws the dialog if `is_open`. `content` gets the height in points for the page. Returns true if the clerk has
    /// closed the dialog.
    fn show(
        &mut self,
        ui: &Ui,
        (id, title): (&str, &str),
        is_open: bool,
        content: impl FnOnce(&mut Self, &mut Ui, f32),
    ) -> bool {
        // The key that opened the dialog is still in the input of the first frame.
        self.has_keys = self.open && !ui.ctx().text_edit_focused();
        if !is_open {
            *self = Self::default();
        }
        let room = ui.ctx().content_rect().size();
        let modal = Modal::new(id, title).width((room.x - 64.0).min(1_180.0));
        let mut open = is_open;
        modal.show(ui, &mut open, |ui, _open| {
            if self.has_keys {
                self.zoom.keys(ui);
            }
            content(self, ui, room.y - 190.0);
        });
        self.open = open;
        is_open && !open
    }

    /// Draws the buttons for the previous and the next page, which Page Up and Page Down press, too, and the button of
    /// the zoom. Returns where the pressed button leads.
    fn turn<T>(&mut self, ui: &mut Ui, before: Option<T>, after: Option<T>) -> Option<T> {
        let mut target = None;
        let (previous, next) = (icons::ICON_CHEVRON_LEFT, icons::ICON_CHEVRON_RIGHT);
        for (name, icon, key, to) in [
            ("Previous page (Page Up)", previous, Key::PageUp, before),
            ("Next page (Page Down)", next, Key::PageDown, after),
        ] {
            let button = ui.add_enabled(to.is_some(), Button::icon_only(icon, name));
            let by_key =
                self.has_keys && ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
            if button.clicked() || by_key {
                target = to.or(target);
            }
        }
        self.zoom.button(ui, "Whole page");
        target
    }

    /// Draws the picture. `words` is its name for screen readers.
    fn picture(&mut self, ui: &mut Ui, picture: &Picture, room: Vec2, words: &str) {
        let p = palette(ui);
        let (window, response) = ui.allocate_exact_size(room, Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, words));
        ui.painter().rect_filled(window, 4.0, p.head);
        let dots = vec2(picture.width as f32, picture.height as f32);
        let (paper, _) = self.zoom.place(ui, &response, dots);
        let painter = ui.painter().with_clip_rect(window);
        painter.rect_filled(paper, 0.0, PAPER);
        let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(self.texture(ui, picture).id(), paper, all, UNTINTED);
        let edge = Stroke::new(1.0, p.strong_border);
        painter.rect_stroke(paper, 0.0, edge, StrokeKind::Outside);
        if response.has_focus() {
            let ring = Stroke::new(2.0, p.accent);
            ui.painter()
                .rect_stroke(window, 4.0, ring, StrokeKind::Outside);
        }
    }

    fn texture(&mut self, ui: &Ui, picture: &Picture) -> TextureHandle {
        if let Some((of, texture)) = &self.texture
            && std::sync::Arc::ptr_eq(&of.rgb, &picture.rgb)
        {
            return texture.clone();
        }
        let size = [picture.width as usize, picture.height as usize];
        let image = ColorImage::from_rgb(size, &picture.rgb);
        let options = TextureOptions::LINEAR.with_mipmap_mode(Some(TextureFilter::Linear));
        let texture = ui.ctx().load_texture("page", image, options);
        self.texture = Some((picture.clone(), texture.clone()));
        texture
    }
}

/// Draws `content` in place of a page that can't be shown.
fn placeholder(ui: &mut Ui, room: Vec2, content: impl FnOnce(&mut Ui)) {
    ui.allocate_ui(room, |ui| {
        ui.set_min_height(room.y);
        content(ui);
    });
}

/// The viewer for a consignment's files.
#[derive(Default)]
pub(super) struct FileViewer {
    dialog: PageDialog,
}

impl FileViewer {
    pub(super) const fn is_open(&self) -> bool {
        self.dialog.open
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let page = &context.shared.track.page;
        let files = page.files.value().map_or(&[][..], Vec::as_slice);
        let at = files.iter().position(|file| Some(file.id) == page.file);
        let name = at.map(|at| shown_name(&files[at])).unwrap_or_default();
        let content = |dialog: &mut PageDialog, ui: &mut Ui, height: f32| {
            file_head(ui, context, dialog, files, at.unwrap_or_default());
            let room = vec2(ui.available_width(), height.max(160.0));
            file_page(ui, page, dialog, room);
        };
        let closed = self.dialog.show(ui, ("file", &name), at.is_some(), content);
        context.push_some(closed.then_some(FilesCommand::CloseFile));
    }
}

fn file_head(
    ui: &mut Ui,
    context: &mut Context<'_>,
    dialog: &mut PageDialog,
    files: &[Attachment],
    at: usize,
) {
    let page = &context.shared.track.page;
    let picture = page.shown.value().map(|shown| &shown.picture);
    let (here, pages) = picture.map_or((0, 1), |picture| (picture.page, picture.pages));
    // After a file's last page comes the first page of the next file.
    let file = |at: Option<usize>| Some(FilesCommand::ShowFile(files.get(at?)?.id));
    let before = here.checked_sub(1).map(FilesCommand::FilePage);
    let after = (here + 1 < pages).then_some(FilesCommand::FilePage(here + 1));
    ui.horizontal(|ui| {
        ui.set_height(size::BUTTON);
        ui.spacing_mut().item_spacing.x = size::GRID;
        let before = before.or_else(|| file(at.checked_sub(1)));
        let after = after.or_else(|| file(Some(at + 1)));
        context.push_some(dialog.turn(ui, before, after));
        let key = Action::SaveFiles.key();
        let words = match files.len() {
            1 => "Save…",
            _ => "Save all…",
        };
        let save = Button::new(words).icon(icons::ICON_FILE_SAVE).key(&key);
        let pressed = page.open.is_some() && ui.add(save).clicked();
        let by_key = dialog.has_keys && consume_shortcut(ui, Action::SaveFiles);
        let saved = page.open.filter(|_| pressed || by_key);
        context.push_some(saved.map(|id| FilesCommand::SaveFiles(vec![id])));
        // `PDF · page 1 · file 1 of 2`
        let mut words = Vec::new();
        words.extend(page.shown.value().map(|shown| shown.kind.clone()));
        if pages > 1 {
            words.push(format!("page {}", here + 1));
        }
        if files.len() > 1 {
            words.push(format!("file {} of {}", at + 1, files.len()));
        }
        let words = text::body(words.join(" · ")).color(palette(ui).muted);
        ui.add(Label::new(words).truncate());
    });
}

fn file_page(ui: &mut Ui, page: &PageView, dialog: &mut PageDialog, room: Vec2) {
    if let Some(problem) = page.shown.problem() {
        let notice = Notice::failed("Couldn't open this file", problem);
        placeholder(ui, room, |ui| {
            notices::bar(&notice).show(ui);
        });
    } else if let Some(shown) = page.shown.value() {
        let (picture, kind) = (&shown.picture, &shown.kind);
        let words = format!("{kind}, page {} of {}", picture.page + 1, picture.pages);
        dialog.picture(ui, picture, room, &words);
    } else {
        placeholder(ui, room, |ui| {
            let (icon, words) = (icons::ICON_ATTACH_FILE, "It opens in a moment");
            empty_state(ui, icon, "Fetching the file", words, None);
        });
    }
}

/// The preview of the day sheet, which is printed and saved from there.
#[derive(Default)]
pub(super) struct DaySheetDialog {
    dialog: PageDialog,
    page: usize,
    path: String,
    /// True until the path field has been given the focus.
    wants_path: bool,
}

impl DaySheetDialog {
    pub(super) const fn is_open(&self) -> bool {
        self.dialog.open
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        if context.is_triggered(Action::DaySheet) {
            context.push(ExportCommand::ShowDaySheet);
        }
        let is_open = context.shared.track.exports.sheet_open;
        if !is_open {
            self.page = 0;
            self.wants_path = false;
        }
        let mut dialog = std::mem::take(&mut self.dialog);
        let name = ("day sheet", "Day sheet");
        let closed = dialog.show(ui, name, is_open, |dialog, ui, height| {
            self.content(ui, context, dialog, height);
        });
        self.dialog = dialog;
        context.push_some(closed.then_some(ExportCommand::CloseDaySheet));
    }

    fn content(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        dialog: &mut PageDialog,
        height: f32,
    ) {
        let shared = context.shared;
        let sheet = &shared.track.exports.sheet;
        let pages = sheet.value().map_or(0, |sheet| sheet.pages.len());
        self.page = self.page.min(pages.saturating_sub(1));
        self.head(ui, context, dialog, pages);
        if let Some(problem) = sheet.problem()
            && notices::failed(ui, "Couldn't create the day sheet", problem, "Try again")
        {
            context.push(ExportCommand::ShowDaySheet);
        }
        let top = ui.cursor().top();
        let lacking = { sheet.value() }.and_then(|sheet| sheet.missing_letters.as_ref());
        if let Some(message) = lacking {
            text::warning(ui, message);
        }
        let told = ui.cursor().top() - top;
        let typed = if shared.no_file_dialog { 62.0 } else { 0.0 };
        let room = vec2(ui.available_width(), (height - typed - told).max(160.0));
        let Some(sheet) = sheet.value() else {
            return placeholder(ui, room, |ui| {
                let words = "What was booked, what is waiting and what needs attention";
                let icon = icons::ICON_PRINT;
                empty_state(ui, icon, "Preparing the day sheet", words, None);
            });
        };
        if let Some(picture) = sheet.pages.get(self.page) {
            let words = format!("Day sheet, page {} of {pages}", self.page + 1);
            dialog.picture(ui, picture, room, &words);
        }
    }

    fn head(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        dialog: &mut PageDialog,
        pages: usize,
    ) {
        let shared = context.shared;
        let ctrl = |ui: &Ui, key| ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, key));
        ui.horizontal(|ui| {
            ui.set_height(size::PRIMARY);
            ui.spacing_mut().item_spacing.x = size::GRID;
            let printer = shared.track.exports.printer.as_deref();
            let words = printer.map_or("Print".to_owned(), |name| format!("Print on {name}"));
            let print = Button::primary(&words).icon(icons::ICON_PRINT);
            let can = pages > 0 && printer.is_some();
            let pressed = ui.add_enabled(can, print.key("Ctrl+P")).clicked();
            if pressed || (can && ctrl(ui, Key::P)) {
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
            self.page = dialog.turn(ui, before, after).unwrap_or(self.page);
            let mut words = format!("page {} of {}", self.page + 1, pages.max(1));
            if printer.is_none() {
                words.push_str(" · no printer is set up for manifests");
            }
            let words = text::body(words).color(palette(ui).muted);
            ui.add(Label::new(words).truncate());
        });
        if shared.no_file_dialog && pages > 0 {
            self.path_field(ui, context);
        }
    }

    /// Saves through the file dialog, or to the typed path if this desktop has no file dialog. Moves the
    /// focus to the path field while the path is empty.
    fn save(&mut self, context: &mut Context<'_>) {
        let is_typed = context.shared.no_file_dialog;
        let typed = is_typed.then(|| self.path.trim().to_owned());
        let is_missing = typed.as_ref().is_some_and(String::is_empty);
        // A missing file dialog may only be discovered when one is requested, so ask for the path then, too.
        self.wants_path = !is_typed || is_missing;
        if !is_missing {
            context.push(ExportCommand::SaveDaySheet(typed));
        }
    }

    fn path_field(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
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
