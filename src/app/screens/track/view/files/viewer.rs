//! The viewer for a consignment's files, with pages and zoom. Files are shown only as images made by the
//! renderer, so links and scripts in a file cannot run.

use egui::{Ui, Vec2, vec2};

use super::shown_name;
use crate::screens::track::view::page_preview::{self, PagePreview};
use crate::state::{FilePage, FilesCommand, Notice, PageView};
use crate::ui::Context;
use crate::ui::actions::{Action, consume_shortcut};
use crate::ui::frame::notices;
use shipping::Attachment;
use widgets::button::Button;
use widgets::empty_state::empty_state;
use widgets::tokens::{palette, size};
use widgets::{icons, text};

#[derive(Default)]
pub(super) struct FileViewer {
    open: bool,
    paper: PagePreview,
}

impl FileViewer {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let page = &context.shared.track.page;
        let files = page.files.value().map_or(&[][..], Vec::as_slice);
        let at = files.iter().position(|file| Some(file.id) == page.file);
        let was_open = self.open;
        self.open = at.is_some();
        if !self.open {
            self.paper = PagePreview::default();
        }
        let name = at.map(|at| shown_name(&files[at])).unwrap_or_default();
        let mut open = self.open;
        page_preview::dialog(ui, "file", &name, &mut open, |ui, height| {
            let Some(at) = at else { return };
            // The key that opened the viewer is still in the input of the first frame.
            if was_open {
                self.paper.zoom.keys(ui);
            }
            self.head(ui, context, files, at, was_open);
            self.body(ui, context, vec2(ui.available_width(), height.max(160.0)));
        });
        if self.open && !open {
            context.push(FilesCommand::CloseFile);
            self.open = false;
        }
    }

    fn head(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        files: &[Attachment],
        at: usize,
        has_keys: bool,
    ) {
        let page = &context.shared.track.page;
        ui.horizontal(|ui| {
            ui.set_height(size::BUTTON);
            ui.spacing_mut().item_spacing.x = size::GRID;
            let (before, after) = (step(page, files, at, false), step(page, files, at, true));
            context.push_some(page_preview::turn(ui, before, after, has_keys));
            self.paper.zoom.button(ui, "Whole page");
            let key = Action::SaveFiles.key();
            let words = if files.len() == 1 {
                "Save…"
            } else {
                "Save all…"
            };
            let save = Button::new(words).icon(icons::ICON_FILE_SAVE).key(&key);
            let pressed = page.open.is_some() && ui.add(save).clicked();
            let by_key = has_keys && consume_shortcut(ui, Action::SaveFiles);
            if let Some(open) = page.open.filter(|_| pressed || by_key) {
                context.push(FilesCommand::SaveFiles(vec![open]));
            }
            let words = text::body(about(page.shown.value(), at, files.len()));
            ui.add(egui::Label::new(words.color(palette(ui).muted)).truncate());
        });
    }

    fn body(&mut self, ui: &mut Ui, context: &mut Context<'_>, room: Vec2) {
        let page = &context.shared.track.page;
        if let Some(problem) = page.shown.problem() {
            let notice = Notice::failed("Couldn't open this file", problem);
            return page_preview::placeholder(ui, room, |ui| {
                notices::bar(&notice).show(ui);
            });
        }
        let Some(shown) = page.shown.value() else {
            return page_preview::placeholder(ui, room, |ui| {
                let (icon, words) = (icons::ICON_ATTACH_FILE, "It opens in a moment");
                empty_state(ui, icon, "Fetching the file", words, None);
            });
        };
        let picture = &shown.picture;
        let (kind, page, pages) = (&shown.kind, picture.page + 1, picture.pages);
        let words = format!("{kind}, page {page} of {pages}");
        self.paper.show(ui, picture, room, &words);
    }
}

/// Returns the command for the next or previous page. After a file's last page comes the first page of the
/// next file.
fn step(page: &PageView, files: &[Attachment], at: usize, onwards: bool) -> Option<FilesCommand> {
    let (here, pages) =
        { page.shown.value() }.map_or((0, 1), |shown| (shown.picture.page, shown.picture.pages));
    let other = |at: Option<usize>| {
        let file = files.get(at?)?;
        Some(FilesCommand::ShowFile(file.id))
    };
    match onwards {
        true if here + 1 < pages => Some(FilesCommand::FilePage(here + 1)),
        false if here > 0 => Some(FilesCommand::FilePage(here - 1)),
        true => other(at.checked_add(1)),
        false => other(at.checked_sub(1)),
    }
}

/// `PDF, 2 pages · page 1 · file 1 of 2`
fn about(shown: Option<&FilePage>, at: usize, files: usize) -> String {
    let mut words = Vec::new();
    if let Some(shown) = shown {
        words.push(shown.kind.clone());
        if shown.picture.pages > 1 {
            words.push(format!("page {}", shown.picture.page + 1));
        }
    }
    if files > 1 {
        words.push(format!("file {} of {files}", at + 1));
    }
    words.join(" · ")
}
