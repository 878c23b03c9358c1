//! Radio buttons drawn as cards, each with an icon, a name and a description.

use egui::{
    CornerRadius, Rect, Response, Role, Sense, Stroke, StrokeKind, TextWrapMode, Ui, WidgetInfo,
    WidgetText, pos2, vec2,
};

use super::tokens::{Tone, palette, size};
use super::{Icon, text};

/// One option of several, with an icon, a name and a description.
#[derive(Debug, Clone, Copy)]
#[must_use = "call show"]
pub struct RadioCard<'a> {
    name: &'a str,
    words: &'a str,
    icon: Icon,
    tone: Tone,
    chosen: bool,
    large: bool,
}

impl<'a> RadioCard<'a> {
    pub fn new(icon: Icon, name: &'a str, words: &'a str) -> Self {
        Self {
            name,
            words,
            icon,
            tone: Tone::Accent,
            chosen: false,
            large: false,
        }
    }

    /// Sets the colour of the icon and of the chosen option. The accent colour is the default.
    pub fn tone(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }

    pub fn chosen(mut self, chosen: bool) -> Self {
        self.chosen = chosen;
        self
    }

    /// Uses larger text and a larger icon, for a question that fills the window.
    pub fn large(mut self) -> Self {
        self.large = true;
        self
    }

    /// Draws the option as wide as the available space. The pointer, Enter or Space press it.
    pub fn show(self, ui: &mut Ui) -> Response {
        let p = palette(ui);
        let (pad, icon_size) = if self.large {
            (18.0, 26.0)
        } else {
            (11.0, 18.0)
        };
        let left = pad + icon_size + 10.0;
        let room = (ui.available_width() - left - pad).max(60.0);
        let words = if self.large {
            text::body(self.words)
        } else {
            text::small(self.words)
        };
        let words = WidgetText::from(words.color(p.muted));
        let words = words.into_galley(ui, Some(TextWrapMode::Wrap), room, text::small_font());
        let name = text::line(ui, text::strong(self.name), room, p.text);
        let height = name.size().y + words.size().y + 2.0 * (pad - 2.0) + 1.0;
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
        let enabled = ui.is_enabled();
        response.widget_info(|| {
            WidgetInfo::selected(Role::RadioButton, enabled, self.chosen, self.name)
        });
        ui.ctx()
            .accesskit_node_builder(response.id, |node| node.set_description(self.words));
        let radius = CornerRadius::same(size::BUTTON_RADIUS);
        let (fill, edge) = if self.chosen {
            (self.tone.weak(p), Stroke::new(1.0, self.tone.ink(p)))
        } else if response.hovered() {
            (p.raised, Stroke::new(1.0, p.muted))
        } else {
            (p.surface, Stroke::new(1.0, p.strong_border))
        };
        ui.painter()
            .rect(rect, radius, fill, edge, StrokeKind::Inside);
        if response.has_focus() {
            ui.painter()
                .rect_stroke(rect, radius, Stroke::new(2.0, p.accent), StrokeKind::Inside);
        }
        let ink = if self.chosen || self.large {
            self.tone.ink(p)
        } else {
            p.muted
        };
        let icon = text::plain(ui, self.icon.codepoint, text::icon_font(icon_size), ink);
        let at = if self.large {
            pos2(rect.left() + pad, rect.center().y - icon.size().y / 2.0)
        } else {
            pos2(rect.left() + pad, rect.top() + pad - 1.0)
        };
        ui.painter().galley(at, icon, ink);
        let at = Rect::from_min_size(
            pos2(rect.left() + left, rect.top() + pad - 2.0),
            name.size(),
        );
        ui.painter().galley(at.min, name, p.text);
        ui.painter()
            .galley(pos2(at.left(), at.bottom() + 1.0), words, p.muted);
        response
    }
}
