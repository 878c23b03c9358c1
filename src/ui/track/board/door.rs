//! What every number on the board is: a thing to press that opens its rows, by pointer, Tab and Enter.
//!
//! What always holds: it is named by its number and what that counts; where it has the focus it is ringed and in sight.

use egui::{CornerRadius, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo};

use crate::state::{Door, TrackCommand};
use crate::ui::Context;
use crate::ui::kit::tokens::palette;

/// What a door is told of itself.
pub(super) struct Words<'a> {
    /// What it is known by among those beside it.
    pub(super) id: egui::Id,
    /// What a screen reader calls it: the number and what it counts.
    pub(super) name: &'a str,
    /// Tab goes there; a part that has the same door as a number beside it is passed over.
    pub(super) by_tab: bool,
}

/// Makes of `rect` a door; opens it where it is pressed.
pub(super) fn open(
    ui: &Ui,
    context: &mut Context<'_>,
    rect: Rect,
    words: &Words<'_>,
    door: Door,
) -> Response {
    let sense = if words.by_tab {
        Sense::click()
    } else {
        Sense::CLICK
    };
    let response = ui.interact(rect, words.id, sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, words.name));
    if response.gained_focus() {
        ui.scroll_to_rect(rect, None);
    }
    if response.clicked() {
        context.ask(TrackCommand::Enter(door));
    }
    response.on_hover_cursor(egui::CursorIcon::PointingHand)
}

/// Rings what has the focus.
pub(super) fn ring(ui: &Ui, response: &Response, radius: u8) {
    if response.has_focus() {
        let stroke = Stroke::new(2.0, palette(ui).accent);
        let radius = CornerRadius::same(radius);
        ui.painter()
            .rect_stroke(response.rect, radius, stroke, StrokeKind::Inside);
    }
}
