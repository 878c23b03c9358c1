//! Bars: a count with its bar in the background, and a stacked bar of segments. Every segment that
//! counts anything is wide enough to see and press, and every number is also written as text, not shown
//! by colour alone.

use egui::{CornerRadius, Id, Rect, Ui, pos2, vec2};

use super::drill_down::{self, DrillDownLink};
use crate::state::{ArrivalCounts, DrillDown};
use crate::ui::Context;
use crate::ui::format::grouped;
use widgets::text;
use widgets::tokens::{Ink, Tone, palette, size};

/// Height of a row of bars, in points.
pub(super) const ROW: f32 = 26.0;
/// Smallest width of a bar or segment, in points.
const LEAST: f32 = 5.0;
const GAP: f32 = 2.0;

/// A drill-down row: a name on a bar whose length is its share of the largest count, with the count
/// at the right.
pub(super) struct CountBar<'a> {
    pub(super) name: &'a str,
    pub(super) count: usize,
    /// The largest count of the group, which has the longest bar.
    pub(super) most: usize,
    pub(super) tone: Tone,
    pub(super) drill_down: DrillDown,
}

impl CountBar<'_> {
    /// Draws the row in the available width.
    pub(super) fn show(&self, ui: &mut Ui, context: &mut Context<'_>, group: &str) {
        let p = palette(ui);
        let room = vec2(ui.available_width(), ROW);
        let (_, rect) = ui.allocate_space(room);
        let name = format!("{group}, {}: {}", self.name, grouped(self.count));
        let words = DrillDownLink {
            id: Id::unique(("track bar", group, self.name, self.drill_down)),
            name: &name,
            by_tab: true,
        };
        let response = drill_down::drill_down_button(ui, context, rect, &words, self.drill_down);
        let inner = rect.shrink2(vec2(0.0, 1.5));
        let radius = CornerRadius::same(size::PILL_RADIUS);
        if response.hovered() {
            ui.painter().rect_filled(inner, radius, p.raised);
        }
        let share = self.count as f32 / self.most.max(1) as f32;
        let bar = vec2((inner.width() * share).max(LEAST), inner.height());
        let bar = Rect::from_min_size(inner.min, bar);
        ui.painter().rect_filled(bar, radius, self.tone.weak(p));
        let edge = Rect::from_min_size(bar.min, vec2(3.0, bar.height()));
        ui.painter().rect_filled(edge, radius, self.tone.ink(p));
        let number = text::plain(ui, &grouped(self.count), text::strong_font(), p.text);
        let at = pos2(rect.right() - number.size().x - 6.0, centred(rect, &number));
        let left = rect.left() + 10.0;
        let label = text::cut(ui, self.name, text::cell_font(), at.x - left - 8.0, p.text);
        let label_at = pos2(left, centred(rect, &label));
        ui.painter().galley(at, number, p.text);
        ui.painter().galley(label_at, label, p.text);
        drill_down::ring(ui, &response, size::PILL_RADIUS);
    }
}

/// Returns the top of a line of text that is vertically centred in `rect`.
pub(super) fn centred(rect: Rect, line: &egui::Galley) -> f32 {
    rect.center().y - line.size().y / 2.0
}

/// One segment of a stacked bar.
pub(super) struct BarSegment {
    pub(super) count: usize,
    pub(super) tone: Tone,
    pub(super) words: String,
    /// The drill-down to the consignments of this segment.
    pub(super) door: Option<DrillDown>,
}

/// Splits `room` points among the segments by their counts. A segment with a count gets at
/// least `LEAST` points.
fn widths(share: ArrivalCounts, room: f32) -> [f32; 3] {
    let counts = [share.on_time, share.late, share.failed];
    let parts = counts.iter().filter(|count| **count > 0).count();
    let gaps = GAP * parts.saturating_sub(1) as f32;
    let free = (room - gaps - LEAST * parts as f32).max(0.0);
    let total = share.total().max(1) as f32;
    counts.map(|count| match count {
        0 => 0.0,
        count => LEAST + free * (count as f32 / total),
    })
}

/// Draws a stacked bar, one pressable segment for each count.
pub(super) fn stacked(
    ui: &Ui,
    context: &mut Context<'_>,
    rect: Rect,
    share: ArrivalCounts,
    parts: &[BarSegment; 3],
) {
    let p = palette(ui);
    let mut left = rect.left();
    for (part, width) in parts.iter().zip(widths(share, rect.width())) {
        if part.count == 0 {
            continue;
        }
        let one = Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()));
        left += width + GAP;
        let mut ink: Ink = part.tone.ink(p);
        if let Some(door) = part.door {
            let words = DrillDownLink {
                id: Id::unique(("track part", &part.words)),
                name: &part.words,
                by_tab: false,
            };
            let response = drill_down::drill_down_button(ui, context, one, &words, door);
            if response.hovered() {
                ink = ink.lerp_to_gamma(p.text, 0.25);
            }
            response.on_hover_text(&part.words);
        }
        ui.painter().rect_filled(one, CornerRadius::same(2), ink);
    }
}

#[cfg(test)]
mod tests {
    use super::{GAP, LEAST, widths};
    use crate::state::ArrivalCounts;

    #[test]
    fn the_smallest_part_is_seen_and_all_fill_the_bar() {
        let share = ArrivalCounts {
            on_time: 10_000,
            late: 1,
            failed: 0,
        };
        let [on_time, late, failed] = widths(share, 200.0);
        assert!(late >= LEAST);
        assert!(failed.abs() < f32::EPSILON);
        assert!((on_time + late + GAP - 200.0).abs() < 0.01);
    }
}
