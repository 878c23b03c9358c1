//! Pills that say a state in a word, and the diamond of dangerous goods.

use egui::{
    Color32, CornerRadius, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, Vec2,
    WidgetInfo, vec2,
};

use super::tokens::{Tone, palette, size};
use super::{Icon, text};

const PADDING: f32 = 8.0;

/// A pill: a word in the colour of what it means, with an icon where the word alone may be missed.
#[derive(Debug, Clone)]
#[must_use = "call show or paint"]
pub struct Badge<'a> {
    word: &'a str,
    tone: Tone,
    icon: Option<Icon>,
    diamond: bool,
    outlined: bool,
    name: Option<&'a str>,
}

impl<'a> Badge<'a> {
    /// A pill with a word.
    pub fn new(tone: Tone, word: &'a str) -> Self {
        Self {
            word,
            tone,
            icon: None,
            diamond: false,
            outlined: false,
            name: None,
        }
    }

    /// Dangerous goods: the diamond and a word, `DG` or `UN 1170`.
    pub fn dangerous(word: &'a str) -> Self {
        Self {
            diamond: true,
            ..Self::new(Tone::Bad, word)
        }
    }

    /// What a screen reader calls it.
    pub(super) fn words(&self) -> &'a str {
        self.name.unwrap_or(self.word)
    }

    /// With an icon before the word.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icon = Some(icon);
        self
    }

    /// What a screen reader calls it, where the word alone does not say enough.
    pub fn name(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }

    /// With an edge: for what must never be overlooked.
    pub fn outlined(mut self) -> Self {
        self.outlined = true;
        self
    }

    /// Its size in points.
    pub fn size(&self, ui: &Ui) -> Vec2 {
        let word = text::plain(
            ui,
            self.word,
            text::small_strong_font(),
            Color32::PLACEHOLDER,
        )
        .size()
        .x;
        vec2(word + self.mark_width() + 2.0 * PADDING, size::PILL)
    }

    fn mark_width(&self) -> f32 {
        if self.icon.is_some() || self.diamond {
            18.0
        } else {
            0.0
        }
    }

    /// Paints it with its left edge at `x`, centred on `y`; answers its rectangle.
    pub fn paint(&self, ui: &Ui, painter: &Painter, left_centre: Pos2) -> Rect {
        let p = palette(ui);
        let (ink, fill) = (self.tone.ink(p), self.tone.weak(p));
        let rect = Rect::from_min_size(left_centre - vec2(0.0, size::PILL / 2.0), self.size(ui));
        let radius = CornerRadius::same(size::PILL_RADIUS);
        painter.rect_filled(rect, radius, fill);
        if self.outlined {
            painter.rect_stroke(
                rect,
                radius,
                Stroke::new(1.0, ink),
                egui::StrokeKind::Inside,
            );
        }
        let mut x = rect.left() + PADDING;
        if self.diamond {
            diamond(painter, Pos2::new(x + 6.5, rect.center().y), 5.5, ink);
        } else if let Some(icon) = self.icon {
            let galley = text::plain(ui, icon.codepoint, text::icon_font(15.0), ink);
            painter.galley(
                Pos2::new(x - 1.0, rect.center().y - galley.size().y / 2.0),
                galley,
                ink,
            );
        }
        x += self.mark_width();
        let galley = text::plain(ui, self.word, text::small_strong_font(), ink);
        painter.galley(
            Pos2::new(x, rect.center().y - galley.size().y / 2.0),
            galley,
            ink,
        );
        rect
    }

    /// As a widget.
    pub fn show(&self, ui: &mut Ui) -> Response {
        let (rect, response) = ui.allocate_exact_size(self.size(ui), Sense::hover());
        let word = self.name.unwrap_or(self.word);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, word));
        if ui.is_rect_visible(rect) {
            self.paint(ui, ui.painter(), rect.left_center());
        }
        response
    }

    /// As a widget that can be pressed.
    pub fn show_button(&self, ui: &mut Ui) -> Response {
        let (rect, response) = ui.allocate_exact_size(self.size(ui), Sense::click());
        let word = self.name.unwrap_or(self.word);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), word));
        if ui.is_rect_visible(rect) {
            self.paint(ui, ui.painter(), rect.left_center());
            if response.hovered() || response.has_focus() {
                let ink = self.tone.ink(palette(ui));
                let stroke = Stroke::new(if response.has_focus() { 2.0 } else { 1.0 }, ink);
                ui.painter().rect_stroke(
                    rect,
                    CornerRadius::same(size::PILL_RADIUS),
                    stroke,
                    egui::StrokeKind::Inside,
                );
            }
        }
        response
    }
}

/// The diamond of dangerous goods, `radius` points from its middle to each corner.
pub fn diamond(painter: &Painter, centre: Pos2, radius: f32, ink: Color32) {
    let corners = [
        vec2(0.0, -radius),
        vec2(radius, 0.0),
        vec2(0.0, radius),
        vec2(-radius, 0.0),
    ];
    let points = corners.iter().map(|corner| centre + *corner).collect();
    painter.add(Shape::closed_line(points, Stroke::new(1.6, ink)));
}

/// The diamond by itself, as a widget that says what it means.
pub fn dangerous_mark(ui: &mut Ui) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(16.0, 16.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "Dangerous goods"));
    diamond(ui.painter(), rect.center(), 6.5, palette(ui).bad);
    response
}
