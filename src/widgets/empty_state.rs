//! The empty state of a list: a headline, what to do next, and an optional button.

use egui::{Align, Layout, Response, Ui};

use super::button::Button;
use super::tokens::palette;
use super::{Icon, text};

/// Draws an empty state in the middle of the available space, and returns the response of its button,
/// if it has one.
pub fn empty_state(
    ui: &mut Ui,
    icon: Icon,
    headline: &str,
    what_to_do: &str,
    button: Option<Button<'_>>,
) -> Option<Response> {
    let p = palette(ui);
    ui.with_layout(Layout::top_down(Align::Center), |ui| {
        ui.add_space((ui.available_height().min(400.0) * 0.2).clamp(12.0, 64.0));
        text::decorative_icon(ui, icon, 32.0, p.muted);
        ui.label(text::strong(headline).color(p.text));
        ui.label(text::body(what_to_do).color(p.muted));
        ui.add_space(4.0);
        let response = button.map(|button| ui.add(button));
        ui.add_space(16.0);
        response
    })
    .inner
}
