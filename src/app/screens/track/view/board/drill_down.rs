//! Drill-downs: every number on the board can be pressed, by pointer or by Tab and Enter, and opens the
//! consignments that it counts. A focused number has a ring and is scrolled into view.

use egui::{CursorIcon, Id, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

use crate::state::{DrillDown, TrackCommand};
use crate::ui::Context;
use widgets::paint;
use widgets::tokens::{Ink, size};

/// Makes `rect` pressable, and opens the drill-down when it is pressed. `name` tells screen readers the number and
/// what it counts. With [`Sense::CLICK`], Tab skips it.
pub(super) fn button(
    ui: &Ui,
    context: &mut Context<'_>,
    rect: Rect,
    id: Id,
    name: &str,
    drill_down: DrillDown,
    sense: Sense,
) -> Response {
    let response = ui.interact(rect, id, sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    if response.gained_focus() {
        ui.scroll_to_rect(rect, None);
    }
    if response.clicked() {
        context.push(TrackCommand::DrillDown(drill_down));
    }
    response.on_hover_cursor(CursorIcon::PointingHand)
}

/// Makes a painted text pressable: underlined under the pointer, with a ring while it has the focus.
pub(super) fn link(
    ui: &Ui,
    context: &mut Context<'_>,
    line: Rect,
    id: Id,
    name: &str,
    drill_down: DrillDown,
    ink: Ink,
) -> Response {
    let rect = line.expand2(vec2(4.0, 3.0));
    let response = button(ui, context, rect, id, name, drill_down, Sense::click());
    paint::focus_ring(ui, &response, rect, size::PILL_RADIUS);
    if response.hovered() {
        let stroke = Stroke::new(1.0, ink);
        ui.painter()
            .hline(line.x_range(), line.bottom() + 1.0, stroke);
    }
    response
}
