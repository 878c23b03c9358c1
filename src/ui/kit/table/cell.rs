//! One cell of a table, to be painted into: text, pills and icons, without a widget for each.

use egui::{Align2, Color32, FontId, Pos2, Rect, Ui, pos2, vec2};

use super::super::badge::{self, Badge};
use super::super::text;
use super::super::tokens::{Tone, palette, size};

/// One cell, to be painted into.
pub struct Cell<'a> {
    pub(super) inner: Rect,
    pub(super) ui: &'a mut Ui,
    pub(super) right: bool,
    pub(super) pen: f32,
    pub(super) widest: f32,
    /// The whole row is read second.
    pub(super) quiet: bool,
    /// What it says, for a screen reader.
    pub(super) spoken: String,
}

impl Cell<'_> {
    /// For any widget that fits into a row.
    pub fn ui(&mut self) -> &mut Ui {
        self.ui
    }

    fn ink(&self) -> Color32 {
        let p = palette(self.ui);
        if self.quiet { p.muted } else { p.text }
    }

    /// Text in the row's own colour.
    pub fn text(&mut self, words: &str) {
        let ink = self.ink();
        self.line(words, text::cell_font(), ink);
    }

    /// Text that is read second; after other text it follows on the same line.
    pub fn muted(&mut self, words: &str) {
        let ink = palette(self.ui).muted;
        self.line(words, text::cell_font(), ink);
    }

    /// Text in the colour of what it is about.
    pub fn toned(&mut self, words: &str, tone: Tone) {
        let ink = tone.ink(palette(self.ui));
        self.line(words, text::cell_font(), ink);
    }

    /// Text that stands out.
    pub fn strong(&mut self, words: &str) {
        let font = FontId {
            size: size::CELL,
            ..text::strong_font()
        };
        let ink = self.ink();
        self.line(words, font, ink);
    }

    /// An id or a reference.
    pub fn mono(&mut self, words: &str) {
        let ink = self.ink();
        self.line(words, text::mono_font(), ink);
    }

    /// A pill.
    pub fn badge(&mut self, badge: &Badge<'_>) {
        self.speak(badge.words());
        let size = badge.size(self.ui);
        let at = pos2(self.inner.left() + self.pen - 4.0, self.inner.center().y);
        badge.paint(self.ui, &self.painter(), at);
        self.took(size.x);
    }

    /// An icon.
    pub fn icon(&mut self, icon: super::super::Icon, ink: Color32) {
        let galley = text::plain(self.ui, icon.codepoint, text::icon_font(size::ICON), ink);
        let at = Align2::LEFT_CENTER.anchor_size(self.at(), galley.size());
        self.painter().galley(at.min, galley, ink);
        self.took(size::ICON);
    }

    /// The diamond of dangerous goods.
    pub fn dangerous(&mut self) {
        self.speak("Dangerous goods");
        let at = self.at() + vec2(7.0, 0.0);
        badge::diamond(&self.painter(), at, 6.0, palette(self.ui).bad);
        self.took(16.0);
    }

    /// A bar where text will be: the row has not come yet.
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
        // What was cut to its room needs no other clipping than its cell's.
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
