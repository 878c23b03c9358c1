//! A table cell into which text, badges and icons are painted without a widget for each.

use egui::{Align2, Color32, FontId, Pos2, Rect, Ui, pos2, vec2};

use super::super::badge::{self, Badge};
use super::super::tokens::{Tone, palette, size};
use super::super::{paint, text};

/// A cell to paint into. Several calls paint from left to right, except for text in a right-aligned column.
pub struct Cell<'a> {
    pub(super) inner: Rect,
    pub(super) ui: &'a mut Ui,
    pub(super) right: bool,
    pub(super) pen: f32,
    pub(super) widest: f32,
    /// The whole row is drawn in the muted colour.
    pub(super) quiet: bool,
    /// Text of the cell for screen readers.
    pub(super) spoken: String,
}

impl Cell<'_> {
    /// Returns the `Ui`, for any widget that fits into a row.
    pub fn ui(&mut self) -> &mut Ui {
        self.ui
    }

    fn ink(&self) -> Color32 {
        let p = palette(self.ui);
        if self.quiet { p.muted } else { p.text }
    }

    /// Paints text in the row's own colour.
    pub fn text(&mut self, words: &str) {
        let ink = self.ink();
        self.line(words, text::cell_font(), ink);
    }

    /// Paints text in the muted colour.
    pub fn muted(&mut self, words: &str) {
        let ink = palette(self.ui).muted;
        self.line(words, text::cell_font(), ink);
    }

    /// Paints text in the colour of `tone`.
    pub fn toned(&mut self, words: &str, tone: Tone) {
        let ink = tone.ink(palette(self.ui));
        self.line(words, text::cell_font(), ink);
    }

    /// Paints emphasised text.
    pub fn strong(&mut self, words: &str) {
        let font = FontId {
            size: size::CELL,
            ..text::strong_font()
        };
        let ink = self.ink();
        self.line(words, font, ink);
    }

    /// Paints an id or a reference.
    pub fn mono(&mut self, words: &str) {
        let ink = self.ink();
        self.line(words, text::mono_font(), ink);
    }

    pub fn badge(&mut self, badge: &Badge<'_>) {
        self.speak(badge.accessible_name());
        let size = badge.size(self.ui);
        let at = self.at() - vec2(4.0, 0.0);
        badge.paint(self.ui, &self.painter(), at);
        self.took(size.x);
    }

    /// Paints an icon, which screen readers skip.
    pub fn icon(&mut self, icon: super::super::Icon, ink: Color32) {
        let galley = paint::icon(self.ui, icon, size::ICON, ink);
        paint::text_at(&self.painter(), Align2::LEFT_CENTER, self.at(), galley);
        self.took(size::ICON);
    }

    /// Paints the diamond mark for dangerous goods.
    pub fn dangerous(&mut self) {
        self.speak("Dangerous goods");
        let at = self.at() + vec2(7.0, 0.0);
        badge::diamond(&self.painter(), at, 6.0, palette(self.ui).bad);
        self.took(16.0);
    }

    /// Paints a bar in place of text, for a row that is not loaded yet.
    pub fn placeholder(&mut self) {
        let size = vec2((self.inner.width() * 0.6).max(8.0), 8.0);
        let at = if self.right {
            Align2::RIGHT_CENTER.anchor_size(self.inner.right_center(), size)
        } else {
            Align2::LEFT_CENTER.anchor_size(self.at(), size)
        };
        let ink = palette(self.ui).border;
        self.painter().rect_filled(at, 4.0, ink);
        self.took(size.x);
    }

    fn speak(&mut self, words: &str) {
        if !self.spoken.is_empty() {
            self.spoken.push(' ');
        }
        self.spoken.push_str(words);
    }

    fn line(&mut self, words: &str, font: FontId, ink: Color32) {
        self.speak(words);
        let room = self.inner.width() - self.pen;
        if room <= 4.0 || words.is_empty() {
            return;
        }
        let galley = text::cut(self.ui, words, font, room, ink);
        let width = galley.size().x;
        let y = self.inner.center().y - galley.size().y / 2.0;
        let x = if self.right {
            self.inner.right() - width
        } else {
            self.inner.left() + self.pen
        };
        // Truncated text always fits, so the narrower clip rectangle of `painter` is not needed.
        self.ui.painter().galley(pos2(x, y), galley, ink);
        self.took(width);
    }

    fn at(&self) -> Pos2 {
        pos2(self.inner.left() + self.pen, self.inner.center().y)
    }

    fn painter(&self) -> egui::Painter {
        self.ui.painter().with_clip_rect(
            self.inner
                .expand2(vec2(6.0, 0.0))
                .intersect(self.ui.clip_rect()),
        )
    }

    fn took(&mut self, width: f32) {
        self.pen += width + 5.0;
        self.widest = self.widest.max(self.pen + 20.0);
    }
}
