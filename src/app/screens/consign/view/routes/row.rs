//! The row of one offer: key, carrier, price and arrival, with badges and account on a second line if there
//! are any.

use std::sync::Arc;

use egui::{Align2, Galley, Pos2, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::ui::format::{day, price, weekday};
use draft::ChosenRoute;
use widgets::badge::Badge;
use widgets::key_cap;
use widgets::tokens::{Tone, palette, size};
use widgets::{paint, text};

/// Left edge of the text, with or without a key before it.
const INDENT: f32 = 36.0;

/// Height of a row with a second line, in points.
pub(super) const TALL: f32 = 54.0;

pub(super) fn show(
    ui: &mut Ui,
    at: usize,
    route: &ChosenRoute,
    marks: [bool; 2],
    chosen: bool,
) -> Response {
    let tall = marks.contains(&true) || !route.account.is_empty();
    let height = if tall { TALL } else { size::ROW + 6.0 };
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let enabled = ui.is_enabled();
    response.widget_info(|| {
        WidgetInfo::selected(Role::RadioButton, enabled, chosen, spoken(route, marks))
    });
    if !ui.is_rect_visible(rect) {
        return response;
    }
    background(ui, &response, chosen);
    let first = if tall {
        rect.top() + 17.0
    } else {
        rect.center().y
    };
    let left = rect.left() + INDENT;
    if at < key_cap::DIGITS.len() {
        let number = (at + 1).to_string();
        let corner = pos2(rect.left() + 8.0, first);
        key_cap::paint(ui, ui.painter(), corner, &number);
    }
    let right = amount(ui, route, rect.right() - 12.0, first);
    who(ui, route, [left, right], first);
    if tall {
        let room = [left, rect.right() - 12.0];
        marked(ui, route, marks, room, rect.top() + 39.0);
    }
    response
}

/// Draws price and arrival, ending at `right`. Returns the left edge of the price.
fn amount(ui: &Ui, route: &ChosenRoute, right: f32, y: f32) -> f32 {
    let p = palette(ui);
    let eta = route.eta.map(day).unwrap_or_default();
    let eta = text::plain(ui, &eta, text::body_font(), p.text);
    let amount = route.price.map(price).unwrap_or_default();
    let amount = text::plain(ui, &amount, text::strong_font(), p.text);
    let amount_right = right - eta.size().x.max(50.0) - 10.0;
    from_right(ui, pos2(right, y), eta);
    from_right(ui, pos2(amount_right, y), amount).left()
}

/// Paints text that starts at `at`, centred vertically.
pub(super) fn from_left(ui: &Ui, at: Pos2, galley: Arc<Galley>) -> Rect {
    paint::text_at(ui.painter(), Align2::LEFT_CENTER, at, galley)
}

/// Paints text that ends at `at`, centred vertically.
pub(super) fn from_right(ui: &Ui, at: Pos2, galley: Arc<Galley>) -> Rect {
    paint::text_at(ui.painter(), Align2::RIGHT_CENTER, at, galley)
}

/// Draws carrier and service. If there is little room, the carrier is cut first, because the service tells
/// two routes of one carrier apart.
fn who(ui: &Ui, route: &ChosenRoute, [left, right]: [f32; 2], y: f32) {
    let p = palette(ui);
    let room = right - left - 11.0;
    let service = text::line(ui, text::body(&route.service), room * 0.6, p.muted);
    let carrier = text::strong(&route.carrier);
    let carrier = text::line(ui, carrier, room - service.size().x, p.text);
    let carrier = from_left(ui, pos2(left, y), carrier);
    from_left(ui, pos2(carrier.right() + 5.0, y), service);
}

/// Draws the second line: cheapest, fastest, and the account if the company has several.
fn marked(ui: &Ui, route: &ChosenRoute, marks: [bool; 2], [left, right]: [f32; 2], y: f32) {
    let p = palette(ui);
    let mut x = left;
    let badges = [(Tone::Ok, "cheapest"), (Tone::Accent, "fastest")];
    for ((tone, word), _) in badges.iter().zip(marks).filter(|(_, on)| *on) {
        let badge = Badge::new(*tone, word);
        x = badge.paint(ui, ui.painter(), pos2(x, y)).right() + 6.0;
    }
    if !route.account.is_empty() {
        let account = text::line(ui, text::small(&route.account), right - x, p.muted);
        from_left(ui, pos2(x, y), account);
    }
}

/// Draws the background of a row, which shows whether the row is chosen, hovered or focused.
pub(super) fn background(ui: &Ui, response: &Response, chosen: bool) {
    let (p, rect) = (palette(ui), response.rect);
    paint::row_background(ui, response, chosen, 0);
    let line = Stroke::new(1.0, p.border);
    ui.painter()
        .hline(rect.x_range(), rect.bottom() - 0.5, line);
    if chosen {
        let bar = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
        ui.painter().rect_filled(bar, 0.0, p.accent);
    }
    paint::focus_ring(ui, response, rect.shrink(1.0), 4);
}

/// Returns the accessible name of the row, with everything that it shows.
fn spoken(route: &ChosenRoute, marks: [bool; 2]) -> String {
    let mut parts = vec![format!("{} {}", route.carrier, route.service)];
    if !route.account.is_empty() {
        parts.push(route.account.clone());
    }
    if let Some(amount) = route.price {
        parts.push(price(amount));
    }
    if let Some(eta) = route.eta {
        parts.push(format!("arrives {}", weekday(eta)));
    }
    let words = ["cheapest", "fastest"].iter().zip(marks);
    parts.extend(
        words
            .filter(|(_, on)| *on)
            .map(|(word, _)| (*word).to_owned()),
    );
    parts.join(", ")
}
