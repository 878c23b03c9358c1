//! Buttons: primary, secondary and quiet, optionally with an icon and the cap of their keyboard shortcut.

use egui::{
    Align2, Color32, CornerRadius, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2,
    Widget, WidgetInfo, pos2, vec2,
};

use super::key_cap::{self, CapColors};
use super::tokens::{CLEAR, Palette, palette, size};
use super::{Icon, text};

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

#[derive(Debug, Clone)]
#[must_use = "add it to a Ui"]
pub struct Button<'a> {
    text: &'a str,
    icon: Option<Icon>,
    key: Option<&'a str>,
    weight: Weight,
    opens: bool,
    selected: bool,
    align: Align2,
    min_width: f32,
    height: f32,
    name: Option<&'a str>,
    passed_over: bool,
}

impl<'a> Button<'a> {
    /// Creates a secondary button, which has an outline.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            icon: None,
            key: None,
            weight: Weight::Secondary,
            opens: false,
            selected: false,
            align: Align2::CENTER_CENTER,
            min_width: 0.0,
            height: size::BUTTON,
            name: None,
            passed_over: false,
        }
    }

    /// Creates a button for the main action. Use one on a screen.
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

    /// Adds an icon before the text.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icon = Some(icon);
        self
    }

    /// Adds the cap of the shortcut that triggers the button; nothing for an
    /// empty label. See [`key_cap::label`](super::key_cap::label).
    pub fn key(mut self, label: &'a str) -> Self {
        self.key = (!label.is_empty()).then_some(label);
        self
    }

    /// Adds a chevron after the text, for buttons that open a list.
    pub fn opens(mut self) -> Self {
        self.opens = true;
        self
    }

    /// Shows the button as the selected one of several.
    pub fn selected(mut self, selected: bool) -> Self {
        self.selected = selected;
        self
    }

    /// Sets the minimum width in points.
    pub fn min_width(mut self, points: f32) -> Self {
        self.min_width = points;
        self
    }

    /// Makes the button as wide as the available space.
    pub fn fill_width(self, ui: &Ui) -> Self {
        let width = ui.available_width();
        self.min_width(width)
    }

    /// Aligns the text to the left, for buttons below each other.
    pub fn left(mut self) -> Self {
        self.align = Align2::LEFT_CENTER;
        self
    }

    /// Sets the name for screen readers, for buttons that their text alone does not tell apart.
    pub fn accessible_name(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }

    /// Leaves the button out of the Tab order, for rarely used buttons that have a shortcut of their own.
    pub fn skip_in_tab_order(mut self) -> Self {
        self.passed_over = true;
        self
    }

    /// Makes the button 26 points high, to fit into the header of a card.
    pub fn small(mut self) -> Self {
        self.height = 26.0;
        self
    }

    fn colors(&self, p: &Palette, state: ButtonState) -> Colors {
        if !state.enabled {
            let edge = if self.weight == Weight::Quiet {
                CLEAR
            } else {
                p.border
            };
            let fill = if self.weight == Weight::Quiet {
                CLEAR
            } else {
                p.head
            };
            return Colors {
                ink: p.muted,
                fill,
                edge,
            };
        }
        if self.selected {
            return Colors {
                ink: p.accent,
                fill: p.accent_weak,
                edge: CLEAR,
            };
        }
        let lit = state.hovered || state.down;
        match self.weight {
            Weight::Primary => {
                let fill = if lit {
                    p.accent.lerp_to_gamma(p.text, 0.14)
                } else {
                    p.accent
                };
                Colors {
                    ink: p.on_accent,
                    fill,
                    edge: CLEAR,
                }
            }
            Weight::Secondary => {
                let fill = if state.down {
                    p.head
                } else if lit {
                    p.raised
                } else {
                    p.surface
                };
                Colors {
                    ink: p.text,
                    fill,
                    edge: if lit { p.muted } else { p.strong_border },
                }
            }
            Weight::Quiet => Colors {
                ink: if lit { p.text } else { p.muted },
                fill: if lit { p.head } else { CLEAR },
                edge: CLEAR,
            },
        }
    }

    fn content_width(&self, ui: &Ui) -> f32 {
        let text = text::plain(ui, self.text, self.font(), Color32::PLACEHOLDER)
            .size()
            .x;
        let parts = [
            (!self.text.is_empty()).then_some(text),
            self.icon.map(|_| size::ICON),
            self.key.map(|key| key_cap::width(ui, key)),
            self.opens.then_some(size::ICON),
        ];
        let count = parts.iter().flatten().count();
        parts.iter().flatten().sum::<f32>() + size::GRID * (count.saturating_sub(1) as f32)
    }

    fn font(&self) -> egui::FontId {
        if self.weight == Weight::Quiet && !self.selected {
            text::medium_font()
        } else {
            text::strong_font()
        }
    }

    fn paint(&self, ui: &Ui, rect: Rect, state: ButtonState) {
        let p = palette(ui);
        let colors = self.colors(p, state);
        let radius = CornerRadius::same(size::BUTTON_RADIUS);
        ui.painter().rect(
            rect,
            radius,
            colors.fill,
            Stroke::new(1.0, colors.edge),
            StrokeKind::Inside,
        );
        if state.focused {
            let ring = if self.weight == Weight::Primary {
                p.text
            } else {
                p.accent
            };
            ui.painter()
                .rect_stroke(rect, radius, Stroke::new(2.0, ring), StrokeKind::Inside);
        }
        let inner = rect.shrink2(vec2(self.padding(), 0.0));
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let x = match self.align {
            Align2::LEFT_CENTER => inner.left(),
            _ => rect.center().x - self.content_width(ui).min(inner.width()) / 2.0,
        };
        let cap = if self.weight == Weight::Primary && state.enabled {
            CapColors::on_accent(ui)
        } else {
            CapColors::plain(ui)
        };
        let mut pen = ContentPainter {
            at: pos2(x, rect.center().y),
            ui,
            painter: &painter,
        };
        if let Some(icon) = self.icon {
            pen.glyph(icon, colors.ink);
        }
        if !self.text.is_empty() {
            let key = if self.key.is_some() {
                key_cap::width(ui, self.key.unwrap_or_default()) + size::GRID
            } else {
                0.0
            };
            let room = (inner.right() - pen.at.x - key).max(0.0);
            let galley = text::line(
                ui,
                egui::RichText::new(self.text).font(self.font()),
                room,
                colors.ink,
            );
            let size = galley.size();
            painter.galley(pos2(pen.at.x, pen.at.y - size.y / 2.0), galley, colors.ink);
            pen.at.x += size.x + size::GRID;
        }
        if self.opens {
            pen.glyph(super::icons::ICON_KEYBOARD_ARROW_DOWN, colors.ink);
        }
        if let Some(key) = self.key {
            if self.align == Align2::LEFT_CENTER {
                pen.at.x = inner.right() - key_cap::width(ui, key);
            }
            key_cap::paint(ui, &painter, pen.at, key, cap);
        }
    }

    fn padding(&self) -> f32 {
        if self.text.is_empty() { 7.0 } else { 12.0 }
    }
}

impl Widget for Button<'_> {
    fn ui(mut self, ui: &mut Ui) -> Response {
        // If there is no room for both, the text matters more than the key cap.
        if self.content_width(ui) + 2.0 * self.padding() > ui.available_width() {
            self.key = None;
        }
        let width = (self.content_width(ui) + 2.0 * self.padding()).max(self.min_width);
        let width = if self.text.is_empty() {
            width
        } else {
            width.min(ui.available_width().max(size::BUTTON))
        };
        let sense = if self.passed_over {
            Sense::CLICK
        } else {
            Sense::click()
        };
        let (rect, response) = ui.allocate_exact_size(Vec2::new(width, self.height), sense);
        let name = self.name.unwrap_or(self.text);
        response.widget_info(|| {
            if self.selected {
                WidgetInfo::selected(Role::Button, ui.is_enabled(), true, name)
            } else {
                WidgetInfo::labeled(Role::Button, ui.is_enabled(), name)
            }
        });
        if ui.is_rect_visible(rect) {
            let state = ButtonState {
                enabled: ui.is_enabled(),
                hovered: response.hovered(),
                down: response.is_pointer_button_down_on(),
                focused: response.has_focus(),
            };
            self.paint(ui, rect, state);
        }
        if self.text.is_empty() {
            response.on_hover_text(name)
        } else {
            response
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct ButtonState {
    enabled: bool,
    hovered: bool,
    down: bool,
    focused: bool,
}

#[derive(Debug, Clone, Copy)]
struct Colors {
    ink: Color32,
    fill: Color32,
    edge: Color32,
}

struct ContentPainter<'a> {
    at: Pos2,
    ui: &'a Ui,
    painter: &'a egui::Painter,
}

impl ContentPainter<'_> {
    fn glyph(&mut self, icon: Icon, ink: Color32) {
        let galley = text::plain(self.ui, icon.codepoint, text::icon_font(size::ICON), ink);
        self.painter.galley(
            pos2(self.at.x, self.at.y - galley.size().y / 2.0),
            galley,
            ink,
        );
        self.at.x += size::ICON + size::GRID;
    }
}
