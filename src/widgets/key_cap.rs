//! Key caps, which show an action's shortcut on its button, and the Alt+digit shortcuts for lists of choices.

use egui::{
    Align2, Color32, Event, Key, KeyboardShortcut, Modifiers, Painter, Pos2, Response, Role, Sense,
    Ui, WidgetInfo, vec2,
};

use super::tokens::{palette, size};
use super::{paint, text};

/// Number keys that pick one of the listed choices: 1 for the first.
pub const DIGITS: [Key; 9] = [
    Key::Num1,
    Key::Num2,
    Key::Num3,
    Key::Num4,
    Key::Num5,
    Key::Num6,
    Key::Num7,
    Key::Num8,
    Key::Num9,
];

/// Returns the shortcut for the choice at index `at`: Alt and a digit, because a digit alone is always text.
pub fn digit_shortcut(at: usize) -> Option<KeyboardShortcut> {
    let key = DIGITS.get(at)?;
    Some(KeyboardShortcut::new(Modifiers::ALT, *key))
}

/// Returns the index of the choice that was picked by Alt and a digit. Consumes the key, and also the digit
/// that some systems send as text.
pub fn pressed_digit(ui: &Ui, count: usize) -> Option<usize> {
    let is_pressed = |at: &usize| {
        digit_shortcut(*at).is_some_and(|keys| ui.input_mut(|input| input.consume_shortcut(&keys)))
    };
    let at = (0..count).find(is_pressed)?;
    let digit = (at + 1).to_string();
    ui.input_mut(|input| {
        let is_digit = |event: &Event| matches!(event, Event::Text(text) if *text == digit);
        if let Some(typed) = input.events.iter().position(is_digit) {
            input.events.remove(typed);
        }
    });
    Some(at)
}

/// Returns the text for a shortcut's cap: `F2`, `Ctrl K`, `Ctrl ↵`, `Alt 1`.
pub fn label(shortcut: KeyboardShortcut) -> String {
    let KeyboardShortcut {
        modifiers,
        logical_key,
    } = shortcut;
    let key = match logical_key {
        Key::Enter => "↵",
        Key::Escape => "Esc",
        Key::ArrowUp => "↑",
        Key::ArrowDown => "↓",
        Key::ArrowLeft => "←",
        Key::ArrowRight => "→",
        Key::Delete => "Del",
        Key::Comma => ",",
        Key::Period => ".",
        key => key.name(),
    };
    let held = [
        (modifiers.ctrl || modifiers.command, "Ctrl "),
        (modifiers.alt, "Alt "),
        (modifiers.shift, "Shift "),
    ];
    held.iter()
        .filter(|(on, _)| *on)
        .map(|(_, name)| *name)
        .chain([key])
        .collect()
}

pub fn width(ui: &Ui, label: &str) -> f32 {
    let label = text::plain(ui, label, cap_font(), Color32::PLACEHOLDER);
    label.size().x + 12.0
}

/// Paints a cap on a surface or a field, with the middle of its left edge at `left_centre`.
pub fn paint(ui: &Ui, painter: &Painter, left_centre: Pos2, label: &str) {
    let p = palette(ui);
    let colors = [p.muted, p.raised, p.strong_border];
    paint_in_colors(ui, painter, left_centre, label, colors);
}

/// Paints a cap like [`paint()`], but on the accent colour.
pub(super) fn paint_on_accent(ui: &Ui, painter: &Painter, left_centre: Pos2, label: &str) {
    let p = palette(ui);
    let colors = [p.on_accent, p.accent, p.on_accent];
    paint_in_colors(ui, painter, left_centre, label, colors);
}

fn paint_in_colors(
    ui: &Ui,
    painter: &Painter,
    left_centre: Pos2,
    label: &str,
    [ink, fill, line]: [Color32; 3],
) {
    let label = text::plain(ui, label, cap_font(), ink);
    let size = vec2(label.size().x + 12.0, size::KEY);
    let rect = Align2::LEFT_CENTER.anchor_size(left_centre, size);
    paint::bordered(painter, rect, size::PILL_RADIUS, fill, line);
    paint::text_at(painter, Align2::CENTER_CENTER, rect.center(), label);
}

/// Draws a cap alone, as a widget.
pub fn cap(ui: &mut Ui, label: &str) -> Response {
    let (rect, response) =
        ui.allocate_exact_size(vec2(width(ui, label), size::KEY), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, label));
    paint(ui, ui.painter(), rect.left_center(), label);
    response
}

fn cap_font() -> egui::FontId {
    egui::FontId::new(11.0, egui::FontFamily::Name(text::family::MEDIUM.into()))
}
