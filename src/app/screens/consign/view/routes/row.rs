//! The row of one offer: key, carrier, price and arrival, with badges and account on a second line if there
//! are any.

use egui::{Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::ui::format::{day, price, weekday};
use draft::ChosenRoute;
use widgets::badge::Badge;
use widgets::key_cap::{self, CapColors};
use widgets::text;
use widgets::tokens::{Tone, palette, size};

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
    background(ui, rect, &response, chosen);
    let first = if tall {
        rect.top() + 17.0
    } else {
        rect.center().y
    };
    let left = rect.left() + INDENT;
    if at < key_cap::DIGITS.len() {
        let number = (at + 1).to_string();
        let corner = pos2(rect.left() + 8.0, first);
        key_cap::paint(ui, ui.painter(), corner, &number, CapColors::plain(ui));
    }
    let right = amount(ui, route, rect.right() - 12.0, first);
    who(ui, route, [left, right], first);
    if tall {
        marked(
            ui,
            route,
            marks,
            [left, rect.right() - 12.0],
            rect.top() + 39.0,
        );
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
    let eta_left = right - eta.size().x;
    let amount_left = right - eta.size().x.max(50.0) - 10.0 - amount.size().x;
    for (galley, left) in [(eta, eta_left), (amount, amount_left)] {
        let top = y - galley.size().y / 2.0;
        ui.painter().galley(pos2(left, top), galley, p.text);
    }
    amount_left
}

/// Draws carrier and service. If there is little room, the carrier is cut first, because the service tells
/// two routes of one carrier apart.
fn who(ui: &Ui, route: &ChosenRoute, [left, right]: [f32; 2], y: f32) {
    let p = palette(ui);
    let room = right - left - 11.0;
    let service = text::line(ui, text::body(&route.service), room * 0.6, p.muted);
    let carrier = text::line(
        ui,
        text::strong(&route.carrier),
        room - service.size().x,
        p.text,
    );
    let service_left = left + carrier.size().x + 5.0;
    for (galley, left, ink) in [(carrier, left, p.text), (service, service_left, p.muted)] {
        let top = y - galley.size().y / 2.0;
        ui.painter().galley(pos2(left, top), galley, ink);
    }
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
        let top = y - account.size().y / 2.0;
        ui.painter().galley(pos2(x, top), account, p.muted);
    }
}

/// Draws the background of a row, which shows whether the row is chosen, hovered or focused.
pub(super) fn background(ui: &Ui, rect: Rect, response: &Response, chosen: bool) {
    let p = palette(ui);
    let fill = match (chosen, response.hovered()) {
        (true, _) => p.accent_weak,
        (false, true) => p.raised,
        (false, false) => p.surface,
    };
    ui.painter().rect_filled(rect, 0.0, fill);
    ui.painter().hline(
        rect.x_range(),
        rect.bottom() - 0.5,
        Stroke::new(1.0, p.border),
    );
    if chosen {
        let bar = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
        ui.painter().rect_filled(bar, 0.0, p.accent);
    }
    if response.has_focus() {
        let ring = Stroke::new(2.0, p.accent);
        ui.painter()
            .rect_stroke(rect.shrink(1.0), 4.0, ring, egui::StrokeKind::Inside);
    }
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
