//! Progress bars with a known total. They are not animated, so they request no repaints.

use egui::{CornerRadius, Rect, Response, Role, Sense, Ui, WidgetInfo, vec2};

use super::text;
use super::tokens::{Tone, palette, size};

/// Draws a bar for `done` of `total`, below a text that ends in `of_what`: "3 of 12 labels".
pub fn bar(ui: &mut Ui, done: usize, total: usize, of_what: &str, tone: Tone) -> Response {
    let p = palette(ui);
    let words = format!("{done} of {total} {of_what}");
    ui.label(text::small(&words).color(p.muted));
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 6.0), Sense::hover());
    let share = if total == 0 {
        0.0
    } else {
        done.min(total) as f32 / total as f32
    };
    response.widget_info(|| WidgetInfo {
        value: Some(f64::from(share)),
        ..WidgetInfo::labeled(Role::ProgressIndicator, true, &words)
    });
    let radius = CornerRadius::same(3);
    ui.painter().rect_filled(rect, radius, p.border);
    if share > 0.0 {
        let width = (rect.width() * share).max(size::PILL_RADIUS.into());
        let done = Rect::from_min_size(rect.min, vec2(width, rect.height()));
        ui.painter().rect_filled(done, radius, tone.ink(p));
    }
    response
}
