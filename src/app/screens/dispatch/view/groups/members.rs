//! The consignments of a group, shown on demand: each can be taken out or put on hold. Also shows the fields
//! of the group that Packbench does not know.

use egui::{Align, Label, Layout, ScrollArea, Ui, vec2};
use serde_json::Value;

use crate::state::Shared;
use crate::ui::format::{counted, kilograms};
use shipping::{ConsignmentId, ManifestGroup};
use widgets::badge;
use widgets::button::Button;
use widgets::tokens::{palette, size};
use widgets::{icons, text};

/// Number of rows that are visible without scrolling.
const ROWS: f32 = 6.0;

/// Draws the list; returns the consignment to take out, and whether to put it on hold.
pub(super) fn show(
    ui: &mut Ui,
    shared: &Shared,
    group: &ManifestGroup,
) -> Option<(ConsignmentId, bool)> {
    let top = ui.cursor().top();
    let mut out = None;
    let all = &group.consignment_ids;
    let list = ScrollArea::vertical()
        .max_height(ROWS * size::ROW)
        .auto_shrink([false, true]);
    ui.spacing_mut().item_spacing.y = 0.0;
    list.show_rows(ui, size::ROW, all.len(), |ui, rows| {
        for id in &all[rows] {
            if let Some(hold) = row(ui, shared, *id) {
                out = Some((*id, hold));
            }
        }
    });
    ui.spacing_mut().item_spacing.y = size::GRID;
    unknown_fields(ui, group);
    if ui.cursor().top() > top {
        ui.add_space(4.0);
    }
    out
}

/// Draws a row; returns `Some` if its consignment is to be taken out, with true if it is also put on hold.
fn row(ui: &mut Ui, shared: &Shared, id: ConsignmentId) -> Option<bool> {
    let known = shared.row(id).filter(|_| shared.dispatch.lists(id));
    let number = shared.number(id);
    let is_free = !shared.operations.locked.contains_key(&id);
    let p = palette(ui);
    let mut asked = None;
    let room = vec2(ui.available_width(), size::ROW);
    ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (hold, icon, name, tip) in [
            (
                true,
                icons::ICON_PAN_TOOL,
                format!("Put {number} on hold"),
                "Take out of the group and put on hold",
            ),
            (
                false,
                icons::ICON_LOGOUT,
                format!("Take {number} out of the group"),
                "Return to the list",
            ),
        ] {
            let button = Button::icon_only(icon, &name).small();
            let button = ui.add_enabled(is_free, button).on_hover_text(tip);
            if button.clicked() {
                asked = Some(hold);
            }
        }
        if let Some(one) = known {
            let amounts = if let Some(weight) = one.weight {
                format!("{} · {} kg", one.pieces, kilograms(weight))
            } else {
                let pieces = usize::try_from(one.pieces).unwrap_or_default();
                counted(pieces, "piece", "pieces")
            };
            ui.label(text::small(amounts).color(p.muted));
            if one.dangerous == Some(true) {
                badge::dangerous_mark(ui);
            }
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = size::GRID;
            ui.label(text::mono(number.as_str()));
            let to = match known {
                Some(one) => &one.to,
                None if shared.dispatch.lists(id) => "",
                None => "No longer in the list",
            };
            ui.add(Label::new(text::small(to)).truncate());
        });
    });
    asked
}

/// Shows the fields that Packbench does not know. They are sent back to the service unchanged.
fn unknown_fields(ui: &mut Ui, group: &ManifestGroup) {
    if group.other.is_empty() {
        return;
    }
    text::small_note(ui, "Other details from the service, sent back unchanged");
    for (name, value) in &group.other {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        ui.add(Label::new(text::mono(format!("{name}: {value}")).size(size::SMALL)).truncate());
    }
}
