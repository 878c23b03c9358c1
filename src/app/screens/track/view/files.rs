//! The files of the open consignment: listed, shown page by page, and saved; and the day sheet, which is shown in the same
//! viewer.
//!
//! File names from the service are only displayed; the type of a file is determined from its content when the file is
//! opened. Files are shown only as images made by the renderer, so links and scripts in a file cannot run.

use egui::{
    Align, ColorImage, Key, Label, Layout, Modifiers, Rect, ScrollArea, Stroke, StrokeKind,
    TextureFilter, TextureHandle, TextureOptions, Ui, Vec2, pos2, vec2,
};

use crate::state::{
    ExportCommand, FilesCommand, Notice, PageCommand, PageView, Picture, SaveRequest, SavedFiles,
};
use crate::ui::Context;
use crate::ui::actions::{Action, consume_shortcut};
use crate::ui::format::{counted, day_and_time};
use crate::ui::frame::notices;
use shipping::{Attachment, ConsignmentId};
use widgets::button::Button;
use widgets::empty_state::empty_state;
use widgets::modal::Modal;
use widgets::tokens::{PAPER, Tone, UNTINTED, palette, size};
use widgets::zoom::Zoom;
use widgets::{Icon, icons, progress, text};

/// If a file name contains any of these, the file counts as a proof of delivery.
const PROOF_WORDS: [&str; 3] = ["proof", "signature", "signed"];

#[derive(Default)]
pub(super) struct FilesState {
    viewer: PageDialog,
    saving: SaveFilesDialog,
    /// The consignment whose proof of delivery opens as soon as its list of files has arrived.
    wants_proof: Option<ConsignmentId>,
}

impl FilesState {
    /// Returns true while the viewer or a dialog is open.
    pub(super) const fn is_open(&self) -> bool {
        self.viewer.open || self.saving.open
    }

    /// Draws the viewer and the dialog. The screen calls this even when no page is open.
    pub(super) fn show_in_front(&mut self, ui: &Ui, context: &mut Context<'_>) {
        self.actions(context);
        view_file(ui, context, &mut self.viewer);
        self.saving.show(ui, context);
    }

    /// Runs the actions on files. Alt+O may be pressed before the list of files has arrived; the request is
    /// dropped when another page is opened.
    fn actions(&mut self, context: &mut Context<'_>) {
        let page = &context.shared.track.page;
        if context.is_triggered(Action::ProofOfDelivery) {
            self.wants_proof = page.open;
        }
        self.wants_proof = self.wants_proof.filter(|of| page.open == Some(*of));
        let first = proof_or_first(listed(page));
        if let Some(first) = first.filter(|_| self.wants_proof.is_some()) {
            self.wants_proof = None;
            context.push(FilesCommand::ShowFile(first.id));
        }
        self.wants_proof = self.wants_proof.filter(|_| page.files.is_loading());
        if let Some(open) = page.open.filter(|_| first.is_some())
            && context.is_triggered(Action::SaveFiles)
        {
            context.push(SaveRequest::Files(vec![open]));
        }
    }

    /// Draws the section of the page: a heading, then a line for each file.
    pub(super) fn section(&self, ui: &mut Ui, context: &mut Context<'_>) {
        let page = &context.shared.track.page;
        let files = listed(page);
        head(ui, context, files);
        if let Some(problem) = page.files.problem()
            && notices::failed(ui, "Couldn't load the list of files", problem, "Try again")
        {
            context.push(PageCommand::Refresh);
        }
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for file in files {
                row(ui, context, file);
            }
        });
        if files.is_empty() && page.files.problem().is_none() {
            text::small_note(ui, none_yet(page, self.wants_proof.is_some()));
        }
    }
}

fn listed(page: &PageView) -> &[Attachment] {
    page.files.value().map_or(&[], Vec::as_slice)
}

/// Returns the text that is shown instead of an empty list of files.
fn none_yet(page: &PageView, wanted: bool) -> &'static str {
    let followed = page.history.value().and_then(Option::as_ref);
    let is_over = followed.is_some_and(|one| one.row.status.id.is_final());
    match (page.files.is_loading(), page.files.value()) {
        (true, _) if wanted => "The proof opens once the files are listed",
        (true, None) => "Loading files",
        _ if is_over => "No files",
        _ => "None yet. Proof of delivery appears after delivery",
    }
}

fn head(ui: &mut Ui, context: &mut Context<'_>, files: &[Attachment]) {
    let open = context.shared.track.page.open;
    ui.horizontal(|ui| {
        ui.set_height(size::BUTTON);
        ui.label(text::strong("Files"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let Some(first) = proof_or_first(files) else {
                return;
            };
            let key = Action::SaveFiles.key();
            let save = Button::quiet("Save…").key(&key);
            let save = ui.add(save.accessible_name("Save all files…"));
            if let Some(open) = open.filter(|_| save.clicked()) {
                context.push(SaveRequest::Files(vec![open]));
            }
            let words = match proof(files) {
                Some(_) => "Proof".to_owned(),
                None => format!("Files ({})", files.len()),
            };
            let key = Action::ProofOfDelivery.key();
            let show = Button::new(&words).icon(icons::ICON_ATTACH_FILE).key(&key);
            if ui.add(show).clicked() {
                context.push(FilesCommand::ShowFile(first.id));
            }
        });
    });
}

fn row(ui: &mut Ui, context: &mut Context<'_>, file: &Attachment) {
    let (icon, kind) = icon_and_type(&file.file_name);
    let name = shown_name(file);
    ui.horizontal(|ui| {
        ui.set_height(size::ROW);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let added = file.date_added.map(day_and_time).unwrap_or_default();
            let ink = palette(ui).muted;
            ui.add(Label::new(text::small(added.as_str()).color(ink)));
            let spoken = format!("{name}, {kind} {added}");
            let button = Button::quiet(&name).icon(icon).left().small();
            let button = button.accessible_name(&spoken).fill_width(ui);
            if ui.add(button).clicked() {
                context.push(FilesCommand::ShowFile(file.id));
            }
        });
    });
}

/// Returns the icon and type for a file name. Only for display: the name may be wrong.
fn icon_and_type(name: &str) -> (Icon, &'static str) {
    let ending = name.rsplit('.').next().unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "pdf" => (icons::ICON_PICTURE_AS_PDF, "PDF"),
        "jpg" | "jpeg" | "png" | "gif" | "tif" | "tiff" | "webp" => (icons::ICON_IMAGE, "picture"),
        _ => (icons::ICON_DRAFT, "file"),
    }
}

/// Returns the file name in one line of at most 80 characters, without control and direction characters that
/// could reverse it or hide its extension.
fn shown_name(file: &Attachment) -> String {
    let plain = |c: &char| {
        !c.is_control()
            && !matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    let name: String = file.file_name.chars().filter(plain).take(80).collect();
    if name.trim().is_empty() {
        format!("File {}", file.id)
    } else {
        name
    }
}

/// Returns the most likely proof: a file with the name of a proof (a PDF is preferred to a picture), else a PDF.
/// Returns `None` if no name fits.
fn proof(files: &[Attachment]) -> Option<&Attachment> {
    let likely = |file: &&Attachment| {
        let name = file.file_name.to_lowercase();
        let mut words = name.split(|c: char| !c.is_alphabetic());
        let is_named_so = PROOF_WORDS.iter().any(|word| name.contains(word));
        let is_proof = is_named_so || words.any(|word| word == "pod");
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        (is_proof, ending == Some("pdf"))
    };
    // `max_by_key` returns the last of equal files, which is the first in the list because the order is reversed.
    let best = files.iter().rev().max_by_key(likely)?;
    (likely(&best) != (false, false)).then_some(best)
}

/// Returns the proof, or the first file if none looks like a proof.
fn proof_or_first(files: &[Attachment]) -> Option<&Attachment> {
    proof(files).or_else(|| files.first())
}

/// The dialog that shows the progress while files of several consignments are saved, and lists the files
/// that were skipped.
#[derive(Debug, Default)]
struct SaveFilesDialog {
    open: bool,
    /// True after the clerk closed the dialog while saving continues.
    hidden: bool,
}

impl SaveFilesDialog {
    fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let view = &context.shared.track.files;
        let progress = view.progress.filter(|(_, of)| *of > 1);
        let incomplete = view.saved.as_ref();
        let incomplete = incomplete.filter(|saved| !saved.left_out.is_empty());
        self.hidden &= progress.is_some();
        let was_open = (progress.is_some() || incomplete.is_some()) && !self.hidden;
        let title = match progress {
            Some(_) => "Saving files",
            None => "Some files weren't saved",
        };
        self.open = was_open;
        let dialog = Modal::new("save files", title);
        dialog.show(ui, &mut self.open, |ui, open| {
            match (progress, incomplete) {
                (Some(progress), _) => underway(ui, context, progress, open),
                (None, Some(saved)) => left_out(ui, saved, open),
                (None, None) => {}
            }
        });
        if was_open && !self.open {
            self.hidden = progress.is_some();
            context.push_some((!self.hidden).then_some(FilesCommand::ForgetSaved));
        }
    }
}

fn underway(ui: &mut Ui, context: &mut Context<'_>, (done, of): (usize, usize), open: &mut bool) {
    progress::bar(ui, done, of, "consignments", Tone::Accent);
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        if ui.add(Button::new("Stop")).clicked() {
            context.push(FilesCommand::StopSaving);
        }
        let hide = Button::quiet("Continue in the background").key("Esc");
        *open &= !ui.add(hide).clicked();
    });
}

fn left_out(ui: &mut Ui, saved: &SavedFiles, open: &mut bool) {
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
    *open &= !ui.add(Button::primary("Close")).clicked();
}

/// A dialog that nearly fills the window and shows a page, zoomed and moved by pointer and keys.
#[derive(Default)]
struct PageDialog {
    open: bool,
    /// Whether keys are for the dialog itself, and not for a text field in front of it.
    has_keys: bool,
    zoom: Zoom,
    /// The texture of the last picture.
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
        // Ignores keys in the first frame, because its input still has the key that opened the dialog.
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

    /// Draws the buttons for the previous and the next page, which Page Up and Page Down press, too, and the zoom
    /// button. Returns `before` or `after` if its button was pressed.
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
        let texture = self.texture(ui, picture);
        let dots = vec2(picture.width as f32, picture.height as f32);
        let zoom = &mut self.zoom;
        zoom.window(ui, (room, words), dots, |ui, window, paper, _zoom| {
            let p = palette(ui);
            let painter = ui.painter().with_clip_rect(window);
            painter.rect_filled(window, 4.0, p.head);
            painter.rect_filled(paper, 0.0, PAPER);
            let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture.id(), paper, all, UNTINTED);
            let edge = Stroke::new(1.0, p.strong_border);
            painter.rect_stroke(paper, 0.0, edge, StrokeKind::Outside);
        });
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

/// Draws the viewer for the open consignment's files.
fn view_file(ui: &Ui, context: &mut Context<'_>, dialog: &mut PageDialog) {
    let page = &context.shared.track.page;
    let files = listed(page);
    let at = files.iter().position(|file| Some(file.id) == page.file);
    let name = at.map(|at| shown_name(&files[at])).unwrap_or_default();
    let closed = dialog.show(ui, ("file", &name), at.is_some(), |dialog, ui, height| {
        file_head(ui, context, dialog, files, at.unwrap_or_default());
        let room = vec2(ui.available_width(), height.max(160.0));
        file_page(ui, page, dialog, room);
    });
    context.push_some(closed.then_some(FilesCommand::CloseFile));
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
        let words = if files.len() == 1 {
            "Save…"
        } else {
            "Save all…"
        };
        let save = Button::new(words).icon(icons::ICON_FILE_SAVE).key(&key);
        let pressed = page.open.is_some() && ui.add(save).clicked();
        let by_key = dialog.has_keys && consume_shortcut(ui, Action::SaveFiles);
        let saved = page.open.filter(|_| pressed || by_key);
        context.push_some(saved.map(|id| SaveRequest::Files(vec![id])));
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

/// The preview of the day sheet as it will be printed, with buttons to print and save the sheet.
#[derive(Default)]
pub(super) struct DaySheetDialog {
    dialog: PageDialog,
    page: usize,
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
        let Self { dialog, page } = self;
        if !is_open {
            *page = 0;
        }
        let name = ("day sheet", "Day sheet");
        let closed = dialog.show(ui, name, is_open, |dialog, ui, height| {
            day_sheet(ui, context, dialog, page, height);
        });
        context.push_some(closed.then_some(ExportCommand::CloseDaySheet));
    }
}

fn day_sheet(
    ui: &mut Ui,
    context: &mut Context<'_>,
    dialog: &mut PageDialog,
    page: &mut usize,
    height: f32,
) {
    let sheet = &context.shared.track.exports.sheet;
    let pages = sheet.value().map_or(0, |sheet| sheet.pages.len());
    *page = (*page).min(pages.saturating_sub(1));
    day_sheet_head(ui, context, dialog, page, pages);
    if let Some(problem) = sheet.problem()
        && notices::failed(ui, "Couldn't create the day sheet", problem, "Try again")
    {
        context.push(ExportCommand::ShowDaySheet);
    }
    let top = ui.cursor().top();
    let lacking = { sheet.value() }.and_then(|sheet| sheet.message.as_ref());
    if let Some(message) = lacking {
        text::warning(ui, message);
    }
    let told = ui.cursor().top() - top;
    let room = vec2(ui.available_width(), (height - told).max(160.0));
    let Some(sheet) = sheet.value() else {
        return placeholder(ui, room, |ui| {
            let words = "What was booked, what is waiting and what needs attention";
            let icon = icons::ICON_PRINT;
            empty_state(ui, icon, "Preparing the day sheet", words, None);
        });
    };
    if let Some(picture) = sheet.pages.get(*page) {
        let words = format!("Day sheet, page {} of {pages}", *page + 1);
        dialog.picture(ui, picture, room, &words);
    }
}

fn day_sheet_head(
    ui: &mut Ui,
    context: &mut Context<'_>,
    dialog: &mut PageDialog,
    page: &mut usize,
    pages: usize,
) {
    let ctrl = |ui: &Ui, key| ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, key));
    ui.horizontal(|ui| {
        ui.set_height(size::PRIMARY);
        ui.spacing_mut().item_spacing.x = size::GRID;
        let printer = context.shared.track.exports.printer.as_deref();
        let words = printer.map_or("Print".to_owned(), |name| format!("Print on {name}"));
        let print = Button::primary(&words).icon(icons::ICON_PRINT);
        let can = pages > 0 && printer.is_some();
        let pressed = ui.add_enabled(can, print.key("Ctrl+P")).clicked();
        if pressed || (can && ctrl(ui, Key::P)) {
            context.push(ExportCommand::PrintDaySheet);
        }
        let save = Button::new("Save PDF…").icon(icons::ICON_FILE_SAVE);
        let asked = ui.add_enabled(pages > 0, save.key("Ctrl+S")).clicked();
        if pages > 0 && (asked || ctrl(ui, Key::S)) {
            context.push(SaveRequest::DaySheet);
        }
        let before = page.checked_sub(1);
        let after = Some(*page + 1).filter(|page| *page < pages);
        *page = dialog.turn(ui, before, after).unwrap_or(*page);
        let mut words = format!("page {} of {}", *page + 1, pages.max(1));
        if printer.is_none() {
            words.push_str(" · no printer is set up for manifests");
        }
        let words = text::body(words).color(palette(ui).muted);
        ui.add(Label::new(words).truncate());
    });
}
