//! One offer: its key, who carries it, what it costs and when it arrives.

use egui::{Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::super::super::kit::badge::Badge;
use super::super::super::kit::keys::{self, CapColors};
use super::super::super::kit::text;
use super::super::super::kit::tokens::{Tone, palette, size};
use super::super::super::words::{day, price, weekday};
use crate::draft::ChosenRoute;

/// Below this many points the badges and the arrival go onto a second line.
const NARROW_POINTS: f32 = 340.0;

pub(super) fn show(
    ui: &mut Ui,
    at: usize,
    route: &ChosenRoute,
    marks: [bool; 2],
    chosen: bool,
) -> Response {
    let p = palette(ui);
    let width = ui.available_width();
    let narrow = width < NARROW_POINTS;
    let height = if narrow { 54.0 } else { size::ROW + 6.0 };
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    let name = spoken(route, marks);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, chosen, &name));
    ground(ui, rect, &response, chosen);
    let (first, second) = if narrow {
        (rect.top() + 17.0, rect.top() + 39.0)
    } else {
        (rect.center().y, rect.center().y)
    };
    let mut left = rect.left() + 12.0;
    if at < keys::DIGITS.len() {
        let cap = keys::paint(
            ui,
            ui.painter(),
            pos2(left - 4.0, first),
            &(at + 1).to_string(),
            CapColors::plain(ui),
        );
        left = cap.right() + 8.0;
    }
    let right = rect.right() - 12.0;
    let eta = text::plain(
        ui,
        &route.eta.map(day).unwrap_or_default(),
        text::body_font(),
        p.text,
    );
    let amount = text::plain(
        ui,
        &route.price.map(price).unwrap_or_default(),
        text::strong_font(),
        p.text,
    );
    let eta_left = right - eta.size().x;
    let amount_left = if narrow {
        right
    } else {
        right - eta.size().x.max(50.0) - 10.0
    } - amount.size().x;
    ui.painter()
        .galley(pos2(eta_left, second - eta.size().y / 2.0), eta, p.text);
    ui.painter().galley(
        pos2(amount_left, first - amount.size().y / 2.0),
        amount,
        p.text,
    );
    let line = Line {
        left,
        right: amount_left,
        first,
        second,
        narrow,
    };
    who(ui, route, marks, line);
    response
}

/// Where the words of an offer go.
#[derive(Debug, Clone, Copy)]
struct Line {
    left: f32,
    right: f32,
    first: f32,
    second: f32,
    narrow: bool,
}

/// Carrier, service and badges.
fn who(ui: &Ui, route: &ChosenRoute, marks: [bool; 2], line: Line) {
    let p = palette(ui);
    let Line {
        left,
        right: amount_left,
        first,
        second,
        narrow,
    } = line;
    let badges: Vec<Badge<'_>> = [(Tone::Ok, "cheapest"), (Tone::Accent, "fastest")]
        .iter()
        .zip(marks)
        .filter(|(_, on)| *on)
        .map(|((tone, word), _)| Badge::new(*tone, word))
        .collect();
    let mut room = amount_left;
    let mut x = left;
    for badge in &badges {
        if narrow {
            x = badge.paint(ui, ui.painter(), pos2(x, second)).right() + 6.0;
        } else {
            room -= badge.size(ui).x + 6.0;
            badge.paint(ui, ui.painter(), pos2(room, second));
        }
    }
    let carrier = text::line(ui, text::strong(&route.carrier), room - left - 6.0, p.text);
    let carrier_width = carrier.size().x;
    ui.painter()
        .galley(pos2(left, first - carrier.size().y / 2.0), carrier, p.text);
    let room = room - left - carrier_width - 11.0;
    if room > 24.0 {
        let service = service(route);
        let service = text::line(ui, text::body(service), room, p.muted);
        ui.painter().galley(
            pos2(left + carrier_width + 5.0, first - service.size().y / 2.0),
            service,
            p.muted,
        );
    }
}

pub(super) fn ground(ui: &Ui, rect: Rect, response: &Response, chosen: bool) {
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

/// The service, and the account where the company has several with the carrier.
fn service(route: &ChosenRoute) -> String {
    if route.account.is_empty() {
        route.service.clone()
    } else {
        format!("{} · {}", route.service, route.account)
    }
}

/// All that the row shows, for those who hear it.
fn spoken(route: &ChosenRoute, marks: [bool; 2]) -> String {
    let mut words = format!("{} {}", route.carrier, service(route));
    if let Some(amount) = route.price {
        words.push_str(&format!(", ${}", price(amount)));
    }
    if let Some(eta) = route.eta {
        words.push_str(&format!(", arrives {}", weekday(eta)));
    }
    for (word, _) in [", cheapest", ", fastest"]
        .iter()
        .zip(marks)
        .filter(|(_, on)| *on)
    {
        words.push_str(word);
    }
    words
}
