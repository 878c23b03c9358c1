//! The row of a booked manifest in the list: carrier, time of booking, reference and number of consignments.

use egui::{Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::state::ManifestRow;
use crate::ui::Context;
use crate::ui::format::{counted, day_and_time};
use shipping::LocalTime;
use widgets::text;
use widgets::tokens::palette;

pub(super) const HEIGHT: f32 = 52.0;

pub(super) fn show(ui: &mut Ui, context: &Context<'_>, row: &ManifestRow) -> Response {
    let shared = context.shared;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click());
    let chosen = shared.groups_view.shown == Some(row.operation);
    let booked = day_and_time(LocalTime::at(row.booked, &shared.zone));
    let count = counted(row.count, "consignment", "consignments");
    let number = match (row.reference.is_empty(), row.manifest) {
        (false, _) => row.reference.clone(),
        (true, Some(id)) => format!("Manifest {id}"),
        (true, None) => "No reference".to_owned(),
    };
    let part = if row.is_partial {
        ", partly booked"
    } else {
        ""
    };
    let name = format!("{} {number}, {booked}, {count}{part}", row.carrier);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, &name));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let p = palette(ui);
    let painter = ui.painter();
    if chosen || response.hovered() {
        let fill = if chosen { p.accent_weak } else { p.raised };
        painter.rect_filled(rect, 0.0, fill);
    }
    painter.hline(
        rect.x_range(),
        rect.bottom() - 0.5,
        Stroke::new(1.0, p.border),
    );
    if response.has_focus() {
        let ring = Stroke::new(2.0, p.accent);
        painter.rect_stroke(rect.shrink(2.0), 4.0, ring, egui::StrokeKind::Inside);
    }
    let inner = rect.shrink2(vec2(14.0, 7.0));
    let when = text::line(ui, text::small(booked), inner.width(), p.muted);
    let right = inner.right() - when.size().x;
    let room = right - inner.left() - 10.0;
    let carrier = text::line(ui, text::strong(&row.carrier), room, p.text);
    let number = text::line(ui, text::mono(number), room, p.text);
    let amount = text::line(
        ui,
        text::small(format!("{count}{part}")),
        inner.width(),
        p.muted,
    );
    let second = inner.bottom() - amount.size().y;
    let painter = ui.painter();
    painter.galley(pos2(right, inner.top() + 2.0), when, p.muted);
    let amount_left = inner.right() - amount.size().x;
    painter.galley(pos2(amount_left, second), amount, p.muted);
    painter.galley(inner.left_top(), carrier, p.text);
    let top = inner.bottom() - number.size().y;
    painter.galley(pos2(inner.left(), top), number, p.text);
    response
}
