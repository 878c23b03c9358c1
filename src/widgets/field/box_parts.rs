//! The parts that text fields and drop-downs share: the frame, the label above and the error below.

use egui::epaint::RectShape;
use egui::{
    Color32, CornerRadius, FocusDirection, Id, Label, Response, Sense, Shape, Stroke, StrokeKind,
    Ui,
};

use super::super::text;
use super::super::tokens::{CLEAR, palette, size};

/// Moves the focus to the next widget, as Tab would. Call before the box that has the focus is drawn.
pub(crate) fn focus_next(ui: &Ui) {
    ui.memory_mut(|memory| memory.move_focus(FocusDirection::Next));
}

/// Returns the frame of a text field or a drop-down. A `calm` box has no border until it is hovered, focused
/// or `wrong`.
pub(crate) fn frame(ui: &Ui, response: &Response, wrong: bool, calm: bool) -> Shape {
    let p = palette(ui);
    let (focused, enabled) = (response.has_focus(), ui.is_enabled());
    let stroke = if focused {
        Stroke::new(2.0, if wrong { p.bad } else { p.accent })
    } else if wrong {
        Stroke::new(1.0, p.bad)
    } else if !enabled {
        Stroke::new(1.0, p.border)
    } else if response.hovered() {
        Stroke::new(1.0, p.muted)
    } else if calm {
        Stroke::NONE
    } else {
        Stroke::new(1.0, p.strong_border)
    };
    let fill = if calm && !focused {
        CLEAR
    } else if enabled {
        p.surface
    } else {
        p.head
    };
    let radius = CornerRadius::same(size::FIELD_RADIUS);
    RectShape::new(response.rect, radius, fill, stroke, StrokeKind::Inside).into()
}

/// Draws a box with its label above, unless it is hidden, and its error below. Screen readers get
/// `accessible_name` in place of the label.
pub(crate) fn labelled(
    ui: &mut Ui,
    target: Id,
    label: &str,
    is_hidden: bool,
    accessible_name: Option<&str>,
    error: Option<&str>,
    draw: impl FnOnce(&mut Ui) -> Response,
) -> Response {
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        let label_id = (!is_hidden).then(|| field_label(ui, label, target));
        let response = draw(ui);
        let response = match (label_id, accessible_name) {
            (Some(label_id), None) => response.labelled_by(label_id),
            (_, name) => response.accessible_name(name.unwrap_or(label)),
        };
        if let Some(error) = error {
            show_error(ui, &response, error);
        }
        response
    })
    .inner
}

/// Draws the label above a box. A click on the label moves the focus to `target`.
fn field_label(ui: &mut Ui, label: &str, target: Id) -> Id {
    let words = text::small(label).font(text::label_font());
    let words = Label::new(words.color(palette(ui).muted));
    let response = ui.add(words.truncate().sense(Sense::CLICK));
    if response.clicked() {
        ui.memory_mut(|memory| memory.request_focus(target));
    }
    response.id
}

/// Draws an error below a widget, and gives it to screen readers.
pub fn show_error(ui: &mut Ui, response: &Response, error: &str) {
    show_live(ui, error, palette(ui).bad);
    describe(ui, response, error);
}

/// Draws a small text below a box, which screen readers read at once.
pub(crate) fn show_live(ui: &mut Ui, words: &str, ink: Color32) {
    ui.spacing_mut().item_spacing.y = 3.0;
    let shown = ui.add(Label::new(text::small(words).color(ink)).wrap());
    ui.ctx().accesskit_node_builder(shown.id, |node| {
        node.set_live(egui::accesskit::Live::Polite);
    });
}

/// Marks a box as invalid for screen readers, with the error as its description.
pub(crate) fn describe(ui: &Ui, response: &Response, error: &str) {
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_description(error);
        node.set_invalid(egui::accesskit::Invalid::True);
    });
}
