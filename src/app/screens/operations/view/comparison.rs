//! Compares the sent consignment with consignments at the service that may be the same, and marks the
//! differences.

use egui::{
    Align, CornerRadius, Label, Layout, RichText, Role, ScrollArea, Sense, Ui, UiBuilder,
    WidgetInfo, vec2,
};
use engine::COMPARED_VALUES;
use shipping::{Consignment, ConsignmentRequest};
use widgets::tokens::{palette, size};
use widgets::{icons, text};

const LABEL: f32 = 84.0;
const NARROWEST: f32 = 118.0;
const ROW: f32 = 24.0;

/// A column of the comparison.
struct ComparisonColumn {
    head: String,
    /// The compared values, then the status; `None` if unknown.
    cells: Vec<Option<String>>,
    /// Text for unknown values.
    silence: &'static str,
}

/// Draws the comparison. If only one consignment was found, it is compared with `sent`.
pub(super) fn show(ui: &mut Ui, found: &[Consignment], sent: Option<&ConsignmentRequest>) {
    let sent = sent.filter(|_| found.len() == 1).map(of_request);
    let found = found.iter().map(of_consignment);
    let sides: Vec<_> = sent.into_iter().chain(found).collect();
    if sides.is_empty() {
        return;
    }
    let count = sides.len() as f32;
    let room = ui.available_width() - LABEL - size::GRID * count;
    let width = (room / count).max(NARROWEST);
    let scroll = ScrollArea::horizontal().id_salt("twins");
    scroll.auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(size::GRID, 2.0);
        ui.spacing_mut().interact_size.y = ROW;
        let heads = sides.iter().map(|side| text::mono_strong(&side.head));
        line(ui, "", false, width, heads);
        let labels = COMPARED_VALUES.iter().map(|value| value.label);
        for (at, field) in labels.chain(["Status"]).enumerate() {
            let mut known = sides.iter().filter_map(|side| side.cells[at].as_deref());
            let first = known.next();
            let differs = known.any(|cell| Some(cell) != first);
            let cells = sides.iter().map(|side| {
                let words = side.cells[at].as_deref().unwrap_or(side.silence);
                let words = if differs {
                    text::strong(words)
                } else {
                    text::body(words)
                };
                words.size(size::CELL)
            });
            line(ui, field, differs, width, cells);
        }
    });
}

fn line(
    ui: &mut Ui,
    field: &str,
    differs: bool,
    width: f32,
    cells: impl Iterator<Item = RichText>,
) {
    let p = palette(ui);
    let layout = Layout::left_to_right(Align::Center);
    ui.horizontal(|ui| {
        ui.allocate_ui_with_layout(vec2(LABEL, ROW), layout, |ui| {
            ui.set_width(LABEL);
            ui.spacing_mut().item_spacing.x = 4.0;
            text::small_note(ui, field);
            if differs {
                let mark = text::decorative_icon(ui, icons::ICON_DIFFERENCE, 15.0, p.warning);
                mark.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Different"));
                mark.on_hover_text("Different");
            }
        });
        for words in cells {
            let (rect, _) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
            if differs {
                let radius = CornerRadius::same(size::PILL_RADIUS);
                ui.painter().rect_filled(rect, radius, p.warning_weak);
            }
            let inner = UiBuilder::new().max_rect(rect.shrink2(vec2(6.0, 0.0)));
            let mut cell = ui.new_child(inner.layout(layout));
            cell.add(Label::new(words.color(p.text)).truncate());
        }
    });
}

fn of_consignment(one: &Consignment) -> ComparisonColumn {
    let status = one.status().map(|status| status.name.clone());
    let values = COMPARED_VALUES.iter().map(|value| value.of_found(one));
    ComparisonColumn {
        head: one.consignment_number.clone(),
        cells: values.chain([status]).collect(),
        silence: "unknown",
    }
}

fn of_request(sent: &ConsignmentRequest) -> ComparisonColumn {
    let values = COMPARED_VALUES.iter().map(|value| value.of_sent(sent));
    ComparisonColumn {
        head: "As sent".to_owned(),
        cells: values.chain([None]).collect(),
        silence: "",
    }
}
