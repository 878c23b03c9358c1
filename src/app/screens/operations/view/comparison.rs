//! Compares the sent consignment with consignments at the service that may be the same, and marks the
//! differences.

use egui::{
    Align, CornerRadius, Label, Layout, RichText, Role, ScrollArea, Sense, Ui, UiBuilder,
    WidgetInfo, vec2,
};
use rust_decimal::Decimal;

use crate::ui::format::kilograms;
use shipping::{Consignment, ConsignmentRequest, Kilograms};
use widgets::tokens::{palette, size};
use widgets::{icons, text};

const LABEL: f32 = 84.0;
const NARROWEST: f32 = 118.0;
const ROW: f32 = 24.0;

/// The compared values, in order.
const FIELDS: [&str; 6] = ["Receiver", "Suburb", "Reference", "Pieces", "kg", "Status"];

/// A column of the comparison.
struct ComparisonColumn {
    head: String,
    /// Values in the order of [`FIELDS`]; `None` if unknown.
    cells: [Option<String>; 6],
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
        for (at, field) in FIELDS.iter().enumerate() {
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
    ComparisonColumn {
        head: one.consignment_number.clone(),
        cells: [
            one.to_name.clone(),
            one.to_location.as_ref().map(|place| place.suburb.clone()),
            one.customer_reference.clone(),
            Some(one.pieces().to_string()),
            one.total_weight.map(kilograms),
            status,
        ],
        silence: "unknown",
    }
}

fn of_request(sent: &ConsignmentRequest) -> ComparisonColumn {
    let pieces = { sent.items.iter() }.map(|item| i64::from(item.quantity.unwrap_or(1)));
    ComparisonColumn {
        head: "As sent".to_owned(),
        cells: [
            sent.to.name.clone(),
            sent.to.location.as_ref().map(|place| place.suburb.clone()),
            sent.customer_reference.clone(),
            Some(pieces.sum::<i64>().to_string()),
            weight(sent).map(kilograms),
            None,
        ],
        silence: "",
    }
}

/// Returns the weight of all pieces; `None` if only the service knows the weight of a saved item.
fn weight(sent: &ConsignmentRequest) -> Option<Kilograms> {
    let of_all = sent.items.iter().map(|item| {
        let standard = item.standard_item.and_then(|item| item.weight);
        let one = item.weight.or(standard)?;
        Some(one.0 * Decimal::from(item.quantity.unwrap_or(1)))
    });
    of_all.sum::<Option<Decimal>>().map(Kilograms)
}
