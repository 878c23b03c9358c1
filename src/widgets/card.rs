//! Cards: bordered surfaces with an optional header, and the line that divides the content of a card.

use egui::{
    Align, Color32, Frame, InnerResponse, Layout, Margin, Sense, Stroke, TextStyle, TextWrapMode,
    Ui, UiBuilder, WidgetText, vec2,
};

use super::tokens::{Tone, palette, size};
use super::{Icon, paint, text};

/// A bordered surface with or without a header.
#[derive(Debug, Clone, Default)]
#[must_use = "call show"]
pub struct Card<'a> {
    title: Option<&'a str>,
    icon: Option<Icon>,
    tone: Option<Tone>,
    flush: bool,
    fill_height: bool,
}

impl<'a> Card<'a> {
    /// Creates a card without a header.
    pub fn plain() -> Self {
        Self::default()
    }

    /// Creates a card with a title in its header.
    pub fn new(title: &'a str) -> Self {
        Self {
            title: Some(title),
            ..Self::default()
        }
    }

    setters! {
        pub fn icon(self, icon: Icon) { self.icon = Some(icon) }
        /// Draws the border in the colour of `tone`.
        pub fn tone(self, tone: Tone) { self.tone = Some(tone) }
        /// Removes the padding around the body, for tables and lists of rows.
        pub fn flush(self) { self.flush = true }
        /// Makes the card as high as the available space.
        pub fn fill_height(self) { self.fill_height = true }
    }

    /// Draws the card as wide as the available space. `right` draws into the header, from its right end.
    pub fn show<R>(
        self,
        ui: &mut Ui,
        right: impl FnOnce(&mut Ui),
        body: impl FnOnce(&mut Ui) -> R,
    ) -> InnerResponse<R> {
        let p = palette(ui);
        let edge = self.tone.map_or(p.border, |tone| tone.ink(p));
        paint::frame(p.surface, edge, size::CARD_RADIUS).show(ui, |ui| {
            ui.set_width(ui.available_width());
            if self.fill_height {
                ui.set_min_height(ui.available_height());
            }
            ui.spacing_mut().item_spacing.y = 0.0;
            if let Some(title) = self.title {
                self.header(ui, title, edge, right);
            }
            let margin = if self.flush {
                Margin::ZERO
            } else {
                Margin::same(size::CARD_PADDING)
            };
            Frame::new()
                .inner_margin(margin)
                .show(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = size::GRID;
                    ui.set_width(ui.available_width());
                    body(ui)
                })
                .inner
        })
    }

    /// Draws a card whose header has nothing at its right end.
    pub fn body<R>(self, ui: &mut Ui, body: impl FnOnce(&mut Ui) -> R) -> InnerResponse<R> {
        self.show(ui, |_| {}, body)
    }

    fn header(&self, ui: &mut Ui, title: &str, edge: Color32, right: impl FnOnce(&mut Ui)) {
        let p = palette(ui);
        let room = vec2(ui.available_width(), size::CARD_HEAD);
        let (rect, _) = ui.allocate_exact_size(room, Sense::hover());
        let edge = Stroke::new(1.0, edge);
        ui.painter()
            .hline(rect.x_range(), rect.bottom() - 0.5, edge);
        let mut inner = rect.shrink2(vec2(f32::from(size::CARD_PADDING), 0.0));
        let title = text::strong(title);
        let extend = Some(TextWrapMode::Extend);
        let whole =
            WidgetText::from(title.clone()).into_galley(ui, extend, f32::INFINITY, TextStyle::Body);
        let icon = self.icon.map_or(0.0, |_| size::ICON + size::GRID);
        // Texts at the right end are cut before the title is.
        let reserved = (icon + whole.size().x + size::GRID).min(inner.width() / 2.0);
        let room = inner.with_min_x(inner.left() + reserved);
        let layout = Layout::right_to_left(Align::Center);
        let mut row = ui.new_child(UiBuilder::new().max_rect(room).layout(layout));
        row.spacing_mut().item_spacing.x = size::GRID;
        row.style_mut().wrap_mode = Some(TextWrapMode::Truncate);
        right(&mut row);
        inner.max.x = row.cursor().right();
        let layout = Layout::left_to_right(Align::Center);
        let mut row = ui.new_child(UiBuilder::new().max_rect(inner).layout(layout));
        row.spacing_mut().item_spacing.x = size::GRID;
        if let Some(icon) = self.icon {
            text::decorative_icon(&mut row, icon, size::ICON, p.text);
        }
        row.add(egui::Label::new(title).truncate());
    }
}

/// Draws a horizontal line as wide as the available space.
pub fn rule(ui: &mut Ui) {
    let stroke = Stroke::new(1.0, palette(ui).border);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, stroke);
}
