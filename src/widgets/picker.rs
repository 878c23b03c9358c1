//! The list below a drop-down or a type-ahead field, from which an item is picked.
//!
//! The focus stays in the box above. The list highlights the marked item and reacts to the pointer.

use egui::{
    Align2, Id, Margin, Popup, PopupCloseBehavior, RectAlign, Response, Role, ScrollArea, Sense,
    Ui, WidgetInfo, vec2,
};

use super::tokens::{palette, size};
use super::{paint, text};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PickerItem {
    pub text: String,
    /// Text at the right end that distinguishes similar items.
    pub detail: String,
    /// True if the typed text equals this item. Enter and Tab then pick the item even if it is not marked.
    pub exact: bool,
    /// Value for the caller, returned with the picked item.
    pub key: usize,
}

impl PickerItem {
    pub fn new(text: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            detail: detail.into(),
            exact: false,
            key: 0,
        }
    }
}

const LINE: f32 = 30.0;
const MOST_LINES: f32 = 9.0;

/// Returns the id of the list that belongs to a box.
fn popup_id(owner: Id) -> Id {
    owner.with("list")
}

/// Returns whether the pointer is over the list of this box.
pub(super) fn pointer_on(ui: &Ui, owner: Id) -> bool {
    let layer = egui::LayerId::new(egui::Order::Foreground, popup_id(owner));
    ui.ctx()
        .pointer_interact_pos()
        .and_then(|at| ui.ctx().layer_id_at(at))
        == Some(layer)
}

/// Shows the list below or above its box, and returns the index of the item that was pressed.
pub(super) fn popup(
    owner: &Response,
    items: &[PickerItem],
    marked: Option<usize>,
    follow: bool,
) -> Option<usize> {
    let p = paint::palette_behind(owner);
    let frame = paint::frame(p.surface, p.strong_border, size::BUTTON_RADIUS);
    // Details need room beside the text, even if the box is narrow.
    let told_apart = items.iter().any(|item| !item.detail.is_empty());
    let least = if told_apart { 320.0 } else { 160.0 };
    Popup::from_response(owner)
        .id(popup_id(owner.id))
        .open(true)
        .align(RectAlign::BOTTOM_START)
        .align_alternatives(&[RectAlign::TOP_START])
        .gap(2.0)
        .width(owner.rect.width().max(least))
        .close_behavior(PopupCloseBehavior::IgnoreClicks)
        .frame(frame.inner_margin(Margin::same(4)))
        .show(|ui| lines(ui, items, marked, follow))
        .and_then(|shown| shown.inner)
}

/// Draws the items. With `follow`, the marked item is scrolled into view.
fn lines(ui: &mut Ui, items: &[PickerItem], marked: Option<usize>, follow: bool) -> Option<usize> {
    let mut pressed = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    #[expect(clippy::cast_precision_loss, reason = "a dozen lines")]
    let height = LINE * (items.len() as f32).min(MOST_LINES);
    ScrollArea::vertical()
        .max_height(height)
        // The popup remembers its last height. Without this call, a list that was short once stays short.
        .min_scrolled_height(height)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            for (index, item) in items.iter().enumerate() {
                let is_marked = marked == Some(index);
                let response = line(ui, item, is_marked);
                if is_marked && follow {
                    response.scroll_to_me(None);
                }
                // The list reacts to the press, not to the release, because the press takes the focus from the box,
                // which closes the list.
                if response.contains_pointer() && ui.input(|input| input.pointer.primary_pressed())
                    || response.clicked()
                {
                    pressed = Some(index);
                }
            }
        });
    pressed
}

fn line(ui: &mut Ui, item: &PickerItem, marked: bool) -> Response {
    let p = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::CLICK);
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, marked, &item.text));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let ink = paint::row_background(ui, &response, marked, size::PILL_RADIUS);
    let (inner, painter) = (rect.shrink2(vec2(8.0, 0.0)), ui.painter());
    let mut room = inner.width();
    if !item.detail.is_empty() {
        let detail = text::line(ui, text::small(&item.detail), room * 0.6, p.muted);
        room -= detail.size().x + size::GRID;
        paint::text_at(painter, Align2::RIGHT_CENTER, inner.right_center(), detail);
    }
    let words = if marked {
        text::strong(&item.text)
    } else {
        text::body(&item.text)
    };
    let words = text::line(ui, words, room, ink);
    paint::text_at(painter, Align2::LEFT_CENTER, inner.left_center(), words);
    response
}

/// Returns the index after (or before) the marked item, wrapping around at the ends.
pub(super) fn step(marked: Option<usize>, count: usize, down: bool) -> Option<usize> {
    if count == 0 {
        return None;
    }
    Some(match (marked, down) {
        (None, true) => 0,
        (None, false) => count - 1,
        (Some(at), true) => (at + 1) % count,
        (Some(at), false) => (at + count - 1) % count,
    })
}
