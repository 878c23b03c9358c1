//! Routes: what can carry it, at what price, by when. Ctrl and a number chooses.

use egui::{Modifiers, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::super::Context;
use super::super::actions::Action;
use super::super::kit::badge::Badge;
use super::super::kit::button::Button;
use super::super::kit::card::Card;
use super::super::kit::keys::{self, CapColors};
use super::super::kit::notice::NoticeBar;
use super::super::kit::tokens::{Tone, palette, size};
use super::super::kit::{icons, text};
use super::super::words::{day, price};
use super::id;
use crate::draft::{ChosenRoute, Field, Routing};
use crate::state::{ConsignCommand, Editing, Notice, RouteView};

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, editing: &mut Editing) {
    let routes = &context.shared.routes;
    let words = match (
        routes.is_loading(),
        context.shared.routes_stale,
        routes.value(),
    ) {
        (true, _, Some(_)) => "asking again",
        (true, _, None) => "asking",
        (false, true, Some(_)) => "typed since",
        (false, false, Some(_)) => "Ctrl + number, inc. tax",
        _ => "",
    };
    let again = std::cell::Cell::new(false);
    Card::new("Routes")
        .icon(icons::ICON_ALT_ROUTE)
        .flush()
        .show(
            ui,
            |ui| {
                let entry = Action::FindRoutes.entry();
                let name = format!("{} ({})", entry.name, Action::FindRoutes.key());
                again.set(
                    ui.add(Button::icon_only(icons::ICON_REFRESH, &name).small())
                        .clicked(),
                );
                ui.label(text::small(words).color(palette(ui).muted));
            },
            |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                again.set(again.get() | trouble(ui, context));
                match context.shared.routes.value() {
                    Some(routes) => offers(ui, routes, editing),
                    None => nothing(ui, context),
                }
                automatic(ui, editing);
            },
        );
    if again.get() {
        context.ask(ConsignCommand::FindRoutes);
    }
}

fn trouble(ui: &mut Ui, context: &Context<'_>) -> bool {
    let Some(problem) = context.shared.routes.problem() else {
        return false;
    };
    let notice = Notice::failed("No routes", problem);
    egui::Frame::new()
        .inner_margin(8)
        .show(ui, |ui| {
            super::super::frame::notices::bar(&notice)
                .action("Try again")
                .show(ui)
                .acted
        })
        .inner
}

fn nothing(ui: &mut Ui, context: &Context<'_>) {
    if context.shared.routes.problem().is_some() {
        return;
    }
    let words = if context.shared.routes.is_loading() {
        "The carriers are asked for their prices"
    } else {
        "Prices come by themselves once the places and the goods are typed"
    };
    egui::Frame::new().inner_margin(14).show(ui, |ui| {
        ui.label(text::body(words).color(palette(ui).muted))
    });
}

fn offers(ui: &mut Ui, routes: &[RouteView], editing: &mut Editing) {
    let offers = routes.iter().filter_map(|view| match view {
        RouteView::Offer {
            route,
            cheapest,
            fastest,
            ..
        } => Some((route, *cheapest, *fastest)),
        RouteView::Refusal { .. } => None,
    });
    let mut any = false;
    for (at, (route, cheapest, fastest)) in offers.enumerate() {
        any = true;
        let chosen = is_chosen(&editing.draft.routing, route);
        let response = row(ui, at, route, [cheapest, fastest], chosen);
        let by_key = keys::DIGITS.get(at).is_some_and(|key| {
            ui.is_enabled() && ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, *key))
        });
        if response.clicked() || by_key {
            editing.draft.routing = Routing::Chosen(route.clone());
        }
        // A problem leads here by the field's id: to the first offer.
        if at == 0 && ui.memory(|memory| memory.has_focus(id(Field::Route))) {
            response.request_focus();
        }
    }
    if !any {
        egui::Frame::new().inner_margin(8).show(ui, |ui| {
            NoticeBar::new(Tone::Warning, "No carrier takes it as it is")
                .what_to_do("The reasons are below")
                .show(ui);
        });
    }
    for view in routes {
        if let RouteView::Refusal { carrier, reason } = view {
            refusal(ui, carrier, reason);
        }
    }
}

fn is_chosen(routing: &Routing, route: &ChosenRoute) -> bool {
    matches!(routing, Routing::Chosen(chosen) if (chosen.carrier_id, chosen.service_id, chosen.account_id)
        == (route.carrier_id, route.service_id, route.account_id))
}

/// Below this many points the badges and the arrival go onto a second line.
const NARROW_POINTS: f32 = 340.0;

fn row(ui: &mut Ui, at: usize, route: &ChosenRoute, marks: [bool; 2], chosen: bool) -> Response {
    let p = palette(ui);
    let width = ui.available_width();
    let narrow = width < NARROW_POINTS;
    let height = if narrow { 54.0 } else { size::ROW + 6.0 };
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    let name = format!("{} {}", route.carrier, route.service);
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
    response.on_hover_text(name)
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
        let service = text::line(ui, text::body(&route.service), room, p.muted);
        ui.painter().galley(
            pos2(left + carrier_width + 5.0, first - service.size().y / 2.0),
            service,
            p.muted,
        );
    }
}

fn ground(ui: &Ui, rect: Rect, response: &Response, chosen: bool) {
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

fn refusal(ui: &mut Ui, carrier: &str, reason: &str) {
    let p = palette(ui);
    egui::Frame::new()
        .inner_margin(egui::Margin {
            left: 14,
            right: 12,
            top: 5,
            bottom: 5,
        })
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.add(
                egui::Label::new(text::small(format!("{carrier}: {reason}")).color(p.muted)).wrap(),
            );
        });
}

/// The service may choose instead.
fn automatic(ui: &mut Ui, editing: &mut Editing) {
    egui::Frame::new()
        .inner_margin(egui::Margin::symmetric(10, 6))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                ui.label(text::small("Service picks").color(palette(ui).muted));
                for (word, routing) in [
                    ("Cheapest", Routing::Cheapest),
                    ("Fastest", Routing::Fastest),
                ] {
                    let chosen = editing.draft.routing == routing;
                    if ui
                        .add(Button::quiet(word).selected(chosen).small())
                        .clicked()
                    {
                        editing.draft.routing = if chosen { Routing::Unchosen } else { routing };
                    }
                }
            });
        });
}
