//! The dialog that previews rendered pages, zoomed and moved by pointer and keys.

use egui::{
    ColorImage, Key, Modifiers, Rect, Role, Sense, Stroke, StrokeKind, TextureHandle,
    TextureOptions, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use crate::state::Picture;
use widgets::button::Button;
use widgets::icons;
use widgets::modal::Modal;
use widgets::tokens::{PAPER, UNTINTED, palette};
use widgets::zoom::Zoom;

/// Draws the dialog, which nearly fills the window. `content` gets the height in points for the page.
pub(super) fn dialog(
    ui: &Ui,
    id: &str,
    title: &str,
    open: &mut bool,
    content: impl FnOnce(&mut Ui, f32),
) {
    let room = ui.ctx().content_rect().size();
    let modal = Modal::new(id, title).width((room.x - 64.0).min(1_180.0));
    modal.show(ui, open, |ui, _open| content(ui, room.y - 190.0));
}

/// Draws the buttons for the previous and the next page, which keep their places, and returns where the pressed
/// one leads. With `by_key`, Page Up and Page Down press them, too.
pub(super) fn turn<T>(ui: &mut Ui, before: Option<T>, after: Option<T>, by_key: bool) -> Option<T> {
    let mut target = None;
    for (name, icon, key, to) in [
        (
            "Previous page (Page Up)",
            icons::ICON_CHEVRON_LEFT,
            Key::PageUp,
            before,
        ),
        (
            "Next page (Page Down)",
            icons::ICON_CHEVRON_RIGHT,
            Key::PageDown,
            after,
        ),
    ] {
        let button = ui.add_enabled(to.is_some(), Button::icon_only(icon, name));
        let by_key = by_key && ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if button.clicked() || by_key {
            target = to.or(target);
        }
    }
    target
}

/// Draws `content` in place of a page that can't be shown.
pub(super) fn placeholder(ui: &mut Ui, room: Vec2, content: impl FnOnce(&mut Ui)) {
    ui.allocate_ui(room, |ui| {
        ui.set_min_height(room.y);
        content(ui);
    });
}

/// The zoom, and the texture of the last picture.
#[derive(Default)]
pub(super) struct PagePreview {
    pub(super) zoom: Zoom,
    texture: Option<(Picture, TextureHandle)>,
}

impl PagePreview {
    /// Draws the picture. `words` is its name for screen readers.
    pub(super) fn show(&mut self, ui: &mut Ui, picture: &Picture, room: Vec2, words: &str) {
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
        let options = TextureOptions::LINEAR.with_mipmap_mode(Some(egui::TextureFilter::Linear));
        let texture = ui.ctx().load_texture("page", image, options);
        self.texture = Some((picture.clone(), texture.clone()));
        texture
    }
}
