//! The parts that text fields and drop-downs share: the frame, the label above and the error below.

use egui::{
    CornerRadius, FocusDirection, Id, Label, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui,
};

use super::super::text;
use super::super::tokens::{CLEAR, Palette, palette, size};

/// Moves the focus to the next widget, as Tab would. Call before the box that has the focus is drawn.
pub(crate) fn focus_next(ui: &Ui) {
    ui.memory_mut(|memory| memory.move_focus(FocusDirection::Next));
}

/// State that decides how the frame of a text field or a drop-down is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxState {
    pub(crate) focused: bool,
    pub(crate) hovered: bool,
    pub(crate) enabled: bool,
    pub(crate) wrong: bool,
    /// Draws no border until the box is hovered, focused or invalid.
    pub(crate) calm: bool,
}

impl BoxState {
    pub(crate) fn of(response: &Response, enabled: bool, wrong: bool) -> Self {
        Self {
            focused: response.has_focus(),
            hovered: response.hovered(),
            enabled,
            wrong,
            calm: false,
        }
    }
}

pub(crate) fn frame(p: &Palette, rect: Rect, state: BoxState) -> Shape {
    let stroke = match state {
        BoxState {
            focused: true,
            wrong: true,
            ..
        } => Stroke::new(2.0, p.bad),
        BoxState { focused: true, .. } => Stroke::new(2.0, p.accent),
        BoxState { wrong: true, .. } => Stroke::new(1.0, p.bad),
        BoxState { enabled: false, .. } => Stroke::new(1.0, p.border),
        BoxState { hovered: true, .. } => Stroke::new(1.0, p.muted),
        BoxState { calm: true, .. } => Stroke::NONE,
        _ => Stroke::new(1.0, p.strong_border),
    };
    let fill = match state {
        BoxState {
            calm: true,
            focused: false,
            ..
        } => CLEAR,
        BoxState { enabled: true, .. } => p.surface,
        _ => p.head,
    };
    egui::epaint::RectShape::new(
        rect,
        CornerRadius::same(size::FIELD_RADIUS),
        fill,
        stroke,
        StrokeKind::Inside,
    )
    .into()
}

/// Draws the label above a box. A click on the label moves the focus to `target`.
pub(crate) fn field_label(ui: &mut Ui, label: &str, target: Id) -> Id {
    let words = egui::RichText::new(label)
        .font(text::label_font())
        .line_height(Some(size::SMALL_LINE));
    let response = ui.add(
        Label::new(words.color(palette(ui).muted))
            .truncate()
            .sense(Sense::CLICK),
    );
    if response.clicked() {
        ui.memory_mut(|memory| memory.request_focus(target));
    }
    response.id
}

/// Draws the error below a box, and gives it to screen readers.
pub(crate) fn field_error(ui: &mut Ui, response: &Response, error: Option<&str>) {
    let Some(error) = error else { return };
    ui.spacing_mut().item_spacing.y = 3.0;
    let shown = ui.add(Label::new(text::small(error).color(palette(ui).bad)).wrap());
    ui.ctx().accesskit_node_builder(shown.id, |node| {
        node.set_live(egui::accesskit::Live::Polite);
    });
    describe(ui, response, error);
}

/// Marks a box as invalid for screen readers, with the error as its description.
pub(crate) fn describe(ui: &Ui, response: &Response, error: &str) {
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_description(error);
        node.set_invalid(egui::accesskit::Invalid::True);
    });
}
