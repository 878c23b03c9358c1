//! Drill-downs: every number on the board can be pressed, by pointer or by Tab and Enter, and opens the
//! consignments that it counts. A focused number has a ring and is scrolled into view.

use egui::{CornerRadius, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo};

use crate::state::{DrillDown, TrackCommand};
use crate::ui::Context;
use widgets::tokens::palette;

/// How a drill-down is identified on the screen and to a screen reader.
pub(super) struct DrillDownLink<'a> {
    /// Unique among the drill-downs on the screen.
    pub(super) id: egui::Id,
    /// The name for screen readers: the number and what it counts.
    pub(super) name: &'a str,
    /// False for a part that Tab skips, because a number beside it opens the same rows.
    pub(super) by_tab: bool,
}

/// Makes `rect` pressable and opens the drill-down when it is pressed.
pub(super) fn drill_down_button(
    ui: &Ui,
    context: &mut Context<'_>,
    rect: Rect,
    words: &DrillDownLink<'_>,
    door: DrillDown,
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
        context.push(TrackCommand::DrillDown(door));
    }
    response.on_hover_cursor(egui::CursorIcon::PointingHand)
}

/// Draws a ring around a focused response.
pub(super) fn ring(ui: &Ui, response: &Response, radius: u8) {
    if response.has_focus() {
        let stroke = Stroke::new(2.0, palette(ui).accent);
        let radius = CornerRadius::same(radius);
        ui.painter()
            .rect_stroke(response.rect, radius, stroke, StrokeKind::Inside);
    }
}
