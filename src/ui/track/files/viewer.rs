//! A file of a consignment, in front of everything: page by page, file after file, zoomed and moved.
//!
//! What always holds: what is shown are dots that the renderer made; nothing in a file can be followed or run from here.

use egui::{
    ColorImage, Key, Modifiers, Rect, Sense, Stroke, StrokeKind, TextureHandle, TextureOptions, Ui,
    Vec2, pos2, vec2,
};

use super::shown_name;
use crate::shipping::Attachment;
use crate::state::{FileShown, FilesCommand, Notice, PageView, Picture};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::frame::notices;
use crate::ui::kit::button::Button;
use crate::ui::kit::empty::empty;
use crate::ui::kit::modal::Modal;
use crate::ui::kit::tokens::{PAPER, UNTINTED, palette, size};
use crate::ui::kit::zoom::Zoom;
use crate::ui::kit::{icons, text};

/// What the viewer keeps for itself.
#[derive(Default)]
pub(super) struct State {
    open: bool,
    zoom: Zoom,
    texture: Option<(Picture, TextureHandle)>,
}

impl State {
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
            self.texture = None;
            self.zoom = Zoom::default();
        }
        let name = at.map(|at| shown_name(&files[at])).unwrap_or_default();
        let mut open = self.open;
        let room = ui.ctx().content_rect().size();
        let modal = Modal::new("file", &name).width((room.x - 64.0).min(1_180.0));
        modal.show(ui, &mut open, |ui, _open| {
            let Some(at) = at else { return };
            // The key that opened it is still in the first frame's input.
            if was_open {
                keys(ui, context, files, at);
                self.zoom.keys(ui);
            }
            self.head(ui, context, files, at);
            let room = vec2(ui.available_width(), (room.y - 190.0).max(160.0));
            self.body(ui, context, room);
        });
        if self.open && !open {
            context.ask(FilesCommand::CloseFile);
            self.open = false;
        }
    }

    fn head(&mut self, ui: &mut Ui, context: &mut Context<'_>, files: &[Attachment], at: usize) {
        let p = palette(ui);
        let page = &context.shared.track.page;
        ui.horizontal(|ui| {
            ui.set_height(size::BUTTON);
            ui.spacing_mut().item_spacing.x = size::GRID;
            let (before, after) = (step(page, files, at, false), step(page, files, at, true));
            for (name, icon, to) in [
                ("Page before (Page Up)", icons::ICON_CHEVRON_LEFT, before),
                ("Next page (Page Down)", icons::ICON_CHEVRON_RIGHT, after),
            ] {
                let button = Button::icon_only(icon, name);
                if ui.add_enabled(to.is_some(), button).clicked() {
                    context.asks(to);
                }
            }
            self.zoom.button(ui, "Whole page");
            let key = Action::SaveFiles.key();
            let words = if files.len() == 1 {
                "Save…"
            } else {
                "Save all…"
            };
            let save = Button::new(words).icon(icons::ICON_FILE_SAVE).key(&key);
            if let Some(open) = page.open.filter(|_| ui.add(save).clicked()) {
                context.ask(FilesCommand::SaveFiles(vec![open]));
            }
            let words = about(page.shown.value(), at, files.len());
            ui.add(egui::Label::new(text::body(words).color(p.muted)).truncate());
        });
    }

    fn body(&mut self, ui: &mut Ui, context: &mut Context<'_>, room: Vec2) {
        let page = &context.shared.track.page;
        if let Some(problem) = page.shown.problem() {
            let notice = Notice::failed("This file is not shown", problem);
            ui.allocate_ui(room, |ui| {
                ui.set_min_height(room.y);
                notices::bar(&notice).show(ui);
            });
            return;
        }
        let Some(shown) = page.shown.value() else {
            ui.allocate_ui(room, |ui| {
                ui.set_min_height(room.y);
                let words = "It is drawn here in a moment";
                empty(
                    ui,
                    icons::ICON_ATTACH_FILE,
                    "Fetching the file",
                    words,
                    None,
                );
            });
            return;
        };
        self.window(ui, shown, room);
    }

    fn window(&mut self, ui: &mut Ui, shown: &FileShown, room: Vec2) {
        let p = palette(ui);
        let (window, response) = ui.allocate_exact_size(room, Sense::click_and_drag());
        let picture = &shown.picture;
        response.widget_info(|| {
            let words = format!(
                "{}, page {} of {}",
                shown.kind,
                picture.page + 1,
                picture.pages
            );
            egui::WidgetInfo::labeled(egui::Role::Image, true, words)
        });
        ui.painter().rect_filled(window, 4.0, p.head);
        let dots = vec2(picture.width as f32, picture.height as f32);
        let (paper, _) = self.zoom.place(ui, &response, dots);
        let painter = ui.painter().with_clip_rect(window);
        painter.rect_filled(paper, 0.0, PAPER);
        let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(self.texture(ui, picture).id(), paper, all, UNTINTED);
        painter.rect_stroke(
            paper,
            0.0,
            Stroke::new(1.0, p.strong_border),
            StrokeKind::Outside,
        );
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
        let texture = texture(ui, "file", picture);
        self.texture = Some((picture.clone(), texture.clone()));
        texture
    }
}

/// The picture as the graphics card has it.
pub(in crate::ui) fn texture(ui: &Ui, name: &str, picture: &Picture) -> TextureHandle {
    let size = [picture.width as usize, picture.height as usize];
    let image = ColorImage::from_rgb(size, &picture.rgb);
    let options = TextureOptions::LINEAR.with_mipmap_mode(Some(egui::TextureFilter::Linear));
    ui.ctx().load_texture(name, image, options)
}

/// The page after or before; behind a file's last page the next file's first.
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

fn keys(ui: &Ui, context: &mut Context<'_>, files: &[Attachment], at: usize) {
    let page = &context.shared.track.page;
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    if pressed(Modifiers::NONE, Key::PageDown) {
        context.asks(step(page, files, at, true));
    }
    if pressed(Modifiers::NONE, Key::PageUp) {
        context.asks(step(page, files, at, false));
    }
    let save = Action::SaveFiles.entry().shortcut;
    if let (Some(open), Some(save)) = (page.open, save)
        && ui.input_mut(|input| input.consume_shortcut(&save))
    {
        context.ask(FilesCommand::SaveFiles(vec![open]));
    }
}

/// `PDF, 2 pages · page 1 · file 1 of 2`
fn about(shown: Option<&FileShown>, at: usize, files: usize) -> String {
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
