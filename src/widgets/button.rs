//! Buttons: primary, secondary and quiet, optionally with an icon and the cap of their keyboard shortcut.

use egui::{
    Align2, Color32, FontId, Pos2, Rect, Response, RichText, Role, Sense, Ui, Widget, WidgetInfo,
    vec2,
};

use super::tokens::{CLEAR, palette, size};
use super::{Icon, icons, key_cap, paint, text};

/// Visual weight of a button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Weight {
    /// For the main action of a screen.
    Primary,
    #[default]
    Secondary,
    /// Without a background until the pointer is over the button.
    Quiet,
}

#[derive(Debug, Clone, Default)]
#[must_use = "add it to a Ui"]
pub struct Button<'a> {
    text: &'a str,
    icon: Option<Icon>,
    key: Option<&'a str>,
    weight: Weight,
    opens: bool,
    selected: bool,
    left: bool,
    min_width: f32,
    height: f32,
    name: Option<&'a str>,
    skipped_by_tab: bool,
    destructive: bool,
}

impl<'a> Button<'a> {
    /// Creates a secondary button, which has an outline.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            height: size::BUTTON,
            ..Self::default()
        }
    }

    /// Creates a button for the main action. A screen should have only one such button.
    pub fn primary(text: &'a str) -> Self {
        Self {
            weight: Weight::Primary,
            height: size::PRIMARY,
            ..Self::new(text)
        }
    }

    /// Creates a button without a background until the pointer is over it.
    pub fn quiet(text: &'a str) -> Self {
        Self {
            weight: Weight::Quiet,
            ..Self::new(text)
        }
    }

    /// Creates a quiet button that shows only an icon. `name` is its tooltip and its name for screen readers.
    pub fn icon_only(icon: Icon, name: &'a str) -> Self {
        Self {
            icon: Some(icon),
            name: Some(name),
            min_width: size::BUTTON,
            ..Self::quiet("")
        }
    }

    setters! {
        pub fn icon(self, icon: Icon) { self.icon = Some(icon) }
        /// Adds a chevron after the text, for buttons that open a list.
        pub fn opens(self) { self.opens = true }
        /// Shows the button as the selected button of several.
        pub fn selected(self, selected: bool) { self.selected = selected }
        /// Sets the minimum width in points.
        pub fn min_width(self, points: f32) { self.min_width = points }
        /// Aligns the text to the left, for buttons below each other.
        pub fn left(self) { self.left = true }
        /// Sets the name for screen readers, for buttons that have the same text as other buttons.
        pub fn accessible_name(self, name: &'a str) { self.name = Some(name) }
        /// Leaves the button out of the Tab order, for rarely used buttons that have a shortcut of their own.
        pub fn skip_in_tab_order(self) { self.skipped_by_tab = true }
        /// Makes the button 26 points high, to fit into the header of a card.
        pub fn small(self) { self.height = 26.0 }
        /// Uses the colour of destructive actions.
        pub(super) fn destructive(self, destructive: bool) { self.destructive = destructive }
    }

    /// Adds the cap of the shortcut that triggers the button. An empty label adds no cap. See
    /// [`key_cap::label`](super::key_cap::label).
    pub fn key(mut self, label: &'a str) -> Self {
        self.key = (!label.is_empty()).then_some(label);
        self
    }

    /// Makes the button as wide as the available space.
    pub fn fill_width(self, ui: &Ui) -> Self {
        let width = ui.available_width();
        self.min_width(width)
    }

    /// Returns the colours of text, background and border.
    fn colors(&self, ui: &Ui, response: &Response) -> [Color32; 3] {
        let p = palette(ui);
        let full = if self.destructive { p.bad } else { p.accent };
        let down = response.is_pointer_button_down_on();
        let lit = response.hovered() || down;
        match self.weight {
            Weight::Quiet if !ui.is_enabled() => [p.muted, CLEAR, CLEAR],
            _ if !ui.is_enabled() => [p.muted, p.head, p.border],
            _ if self.selected => [p.accent, p.accent_weak, CLEAR],
            Weight::Primary if lit => [p.on_accent, full.lerp_to_gamma(p.text, 0.14), CLEAR],
            Weight::Primary => [p.on_accent, full, CLEAR],
            Weight::Secondary if down => [p.text, p.head, p.muted],
            Weight::Secondary if lit => [p.text, p.raised, p.muted],
            Weight::Secondary => [p.text, p.surface, p.strong_border],
            Weight::Quiet if lit => [p.text, p.head, CLEAR],
            Weight::Quiet => [p.muted, CLEAR, CLEAR],
        }
    }

    fn content_width(&self, ui: &Ui) -> f32 {
        let text = text::plain(ui, self.text, self.font(), Color32::PLACEHOLDER);
        let parts = [
            (!self.text.is_empty()).then_some(text.size().x),
            self.icon.map(|_| size::ICON),
            self.key.map(|key| key_cap::width(ui, key)),
            self.opens.then_some(size::ICON),
        ];
        let widths = parts.iter().flatten().map(|width| width + size::GRID);
        (widths.sum::<f32>() - size::GRID).max(0.0)
    }

    fn font(&self) -> FontId {
        if self.weight == Weight::Quiet && !self.selected {
            text::medium_font()
        } else {
            text::strong_font()
        }
    }

    /// Paints the button. `done` is the completed share (0 to 1) of a hold, which gets a darker background.
    pub(super) fn paint(&self, ui: &Ui, response: &Response, done: f32) {
        let p = palette(ui);
        let (rect, is_primary) = (response.rect, self.weight == Weight::Primary);
        let [ink, fill, edge] = self.colors(ui, response);
        let radius = size::BUTTON_RADIUS;
        paint::bordered(ui.painter(), rect, radius, fill, edge);
        if done > 0.0 {
            let done = Rect::from_min_size(rect.min, vec2(rect.width() * done, rect.height()));
            let painter = ui.painter().with_clip_rect(done.intersect(ui.clip_rect()));
            let fill = if is_primary {
                fill.lerp_to_gamma(p.text, 0.3)
            } else {
                p.accent_weak
            };
            painter.rect_filled(rect.shrink(1.0), radius, fill);
        }
        if response.has_focus() {
            let ring = if is_primary { p.text } else { p.accent };
            paint::border(ui.painter(), rect, radius, 2.0, ring);
        }
        let inner = rect.shrink2(vec2(self.padding(), 0.0));
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let mut at = inner.left_center();
        if !self.left {
            at.x = rect.center().x - self.content_width(ui).min(inner.width()) / 2.0;
        }
        let glyph = |at: &mut Pos2, icon| {
            let icon = paint::icon(ui, icon, size::ICON, ink);
            paint::text_at(&painter, Align2::LEFT_CENTER, *at, icon);
            at.x += size::ICON + size::GRID;
        };
        if let Some(icon) = self.icon {
            glyph(&mut at, icon);
        }
        let key_width = self.key.map_or(0.0, |key| key_cap::width(ui, key));
        if !self.text.is_empty() {
            let key = self.key.map_or(0.0, |_| key_width + size::GRID);
            let room = (inner.right() - at.x - key).max(0.0);
            let words = RichText::new(self.text).font(self.font());
            let words = text::line(ui, words, room, ink);
            at.x = paint::text_at(&painter, Align2::LEFT_CENTER, at, words).right() + size::GRID;
        }
        if self.opens {
            glyph(&mut at, icons::ICON_KEYBOARD_ARROW_DOWN);
        }
        if let Some(key) = self.key {
            if self.left {
                at.x = inner.right() - key_width;
            }
            if is_primary && ui.is_enabled() {
                key_cap::paint_on_accent(ui, &painter, at, key);
            } else {
                key_cap::paint(ui, &painter, at, key);
            }
        }
    }

    fn padding(&self) -> f32 {
        if self.text.is_empty() { 7.0 } else { 12.0 }
    }

    /// Allocates the space of the button, and gives the button's name to screen readers.
    pub(super) fn allocate(&mut self, ui: &mut Ui, sense: Sense) -> Response {
        // If there is no room for both, the key cap is left out, because the text is more important.
        if self.content_width(ui) + 2.0 * self.padding() > ui.available_width() {
            self.key = None;
        }
        let mut width = (self.content_width(ui) + 2.0 * self.padding()).max(self.min_width);
        if !self.text.is_empty() {
            width = width.min(ui.available_width().max(size::BUTTON));
        }
        let (_, response) = ui.allocate_exact_size(vec2(width, self.height), sense);
        let name = self.name.unwrap_or(self.text);
        response.widget_info(|| {
            if self.selected {
                WidgetInfo::selected(Role::Button, ui.is_enabled(), true, name)
            } else {
                WidgetInfo::labeled(Role::Button, ui.is_enabled(), name)
            }
        });
        response
    }
}

impl Widget for Button<'_> {
    fn ui(mut self, ui: &mut Ui) -> Response {
        let sense = if self.skipped_by_tab {
            Sense::CLICK
        } else {
            Sense::click()
        };
        let response = self.allocate(ui, sense);
        if ui.is_rect_visible(response.rect) {
            self.paint(ui, &response, 0.0);
        }
        if self.text.is_empty() {
            response.on_hover_text(self.name.unwrap_or_default())
        } else {
            response
        }
    }
}
