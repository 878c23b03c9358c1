//! Badges: pills that show a state in one word, and the diamond mark for dangerous goods.

use egui::{
    Align2, Color32, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, Vec2,
    WidgetInfo, vec2,
};

use super::tokens::{CLEAR, Tone, palette, size};
use super::{Icon, paint, text};

const PADDING: f32 = 8.0;

/// A pill with a word in the colour of its tone, and an icon if the word alone may be overlooked.
#[derive(Debug, Clone, Default)]
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
    pub fn new(tone: Tone, word: &'a str) -> Self {
        Self {
            word,
            tone,
            ..Self::default()
        }
    }

    /// Creates a badge for dangerous goods: the diamond mark and a word such as `DG` or `UN 1170`.
    pub fn dangerous(word: &'a str) -> Self {
        Self {
            diamond: true,
            ..Self::new(Tone::Bad, word)
        }
    }

    /// Returns the name for screen readers.
    pub(super) fn accessible_name(&self) -> &'a str {
        self.name.unwrap_or(self.word)
    }

    setters! {
        pub fn icon(self, icon: Icon) { self.icon = Some(icon) }
        /// Sets the name for screen readers, for badges whose word alone is not clear enough.
        pub fn name(self, name: &'a str) { self.name = Some(name) }
        /// Adds an outline, for states that must never be overlooked.
        pub fn outlined(self) { self.outlined = true }
    }

    pub fn size(&self, ui: &Ui) -> Vec2 {
        let font = text::small_strong_font();
        let word = text::plain(ui, self.word, font, Color32::PLACEHOLDER);
        let width = word.size().x + self.mark_width() + 2.0 * PADDING;
        vec2(width, size::PILL)
    }

    fn mark_width(&self) -> f32 {
        if self.icon.is_some() || self.diamond {
            18.0
        } else {
            0.0
        }
    }

    /// Paints the badge with the middle of its left edge at `left_centre`, and returns its rectangle.
    pub fn paint(&self, ui: &Ui, painter: &Painter, left_centre: Pos2) -> Rect {
        let p = palette(ui);
        let (ink, fill) = (self.tone.ink(p), self.tone.weak(p));
        let rect = Rect::from_min_size(left_centre - vec2(0.0, size::PILL / 2.0), self.size(ui));
        let line = if self.outlined { ink } else { CLEAR };
        paint::bordered(painter, rect, size::PILL_RADIUS, fill, line);
        let mut at = rect.left_center() + vec2(PADDING, 0.0);
        if self.diamond {
            diamond(painter, at + vec2(6.5, 0.0), 5.5, ink);
        } else if let Some(icon) = self.icon {
            let icon = paint::icon(ui, icon, 15.0, ink);
            paint::text_at(painter, Align2::LEFT_CENTER, at - vec2(1.0, 0.0), icon);
        }
        at.x += self.mark_width();
        let word = text::plain(ui, self.word, text::small_strong_font(), ink);
        paint::text_at(painter, Align2::LEFT_CENTER, at, word);
        rect
    }

    /// Draws the badge as a widget that can't be pressed.
    pub fn show(&self, ui: &mut Ui) -> Response {
        self.draw(ui, Sense::hover(), Role::Label)
    }

    /// Draws the badge as a button.
    pub fn show_button(&self, ui: &mut Ui) -> Response {
        let response = self.draw(ui, Sense::click(), Role::Button);
        if response.hovered() || response.has_focus() {
            let (ink, rect) = (self.tone.ink(palette(ui)), response.rect);
            let width = if response.has_focus() { 2.0 } else { 1.0 };
            paint::border(ui.painter(), rect, size::PILL_RADIUS, width, ink);
        }
        response
    }

    fn draw(&self, ui: &mut Ui, sense: Sense, role: Role) -> Response {
        let (rect, response) = ui.allocate_exact_size(self.size(ui), sense);
        response.widget_info(|| WidgetInfo::labeled(role, ui.is_enabled(), self.accessible_name()));
        if ui.is_rect_visible(rect) {
            self.paint(ui, ui.painter(), rect.left_center());
        }
        response
    }
}

/// Paints the diamond mark for dangerous goods. `radius` is the distance in points from its
/// centre to each corner.
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

/// Draws the diamond mark alone, as a widget with a name for screen readers.
pub fn dangerous_mark(ui: &mut Ui) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(16.0, 16.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "Dangerous goods"));
    diamond(ui.painter(), rect.center(), 6.5, palette(ui).bad);
    response
}
