//! Radio buttons drawn as cards, each with an icon, a name and a description.

use egui::{Align2, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::tokens::{Tone, palette, size};
use super::{Icon, paint, text};

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

    setters! {
        /// Sets the colour of the icon and of the chosen option. The accent colour is the default.
        pub fn tone(self, tone: Tone) { self.tone = tone }
        pub fn chosen(self, chosen: bool) { self.chosen = chosen }
        /// Uses larger text and a larger icon, for a question that fills the window.
        pub fn large(self) { self.large = true }
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
        let words = text::paragraph(ui, words.color(p.muted), room);
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
        let (fill, edge) = if self.chosen {
            (self.tone.weak(p), self.tone.ink(p))
        } else if response.hovered() {
            (p.raised, p.muted)
        } else {
            (p.surface, p.strong_border)
        };
        paint::bordered(ui.painter(), rect, size::BUTTON_RADIUS, fill, edge);
        paint::focus_ring(ui, &response, rect, size::BUTTON_RADIUS);
        let ink = if self.chosen || self.large {
            self.tone.ink(p)
        } else {
            p.muted
        };
        let icon = paint::icon(ui, self.icon, icon_size, ink);
        let (anchor, y) = if self.large {
            (Align2::LEFT_CENTER, rect.center().y)
        } else {
            (Align2::LEFT_TOP, rect.top() + pad - 1.0)
        };
        paint::text_at(ui.painter(), anchor, pos2(rect.left() + pad, y), icon);
        let at = pos2(rect.left() + left, rect.top() + pad - 2.0);
        let name = paint::text_at(ui.painter(), Align2::LEFT_TOP, at, name);
        let below = pos2(at.x, name.bottom() + 1.0);
        paint::text_at(ui.painter(), Align2::LEFT_TOP, below, words);
        response
    }
}
