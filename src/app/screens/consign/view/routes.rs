//! The card with the routes: which carriers can take the consignment, at what price and by when. Ctrl and a
//! digit chooses a route, and the details of the chosen route unfold below it. Also the choices that need no price, and
//! the card with live prices of the middleware, which come from another source and can fail separately.

use std::sync::Arc;

use egui::{
    Align, Align2, Frame, Galley, Id, Label, Layout, Margin, Modifiers, Pos2, Rect, Response, Role,
    Stroke, Ui, pos2, vec2,
};

use super::form::{fold_button, take_focus};
use crate::state::{
    ConsignCommand, Editing, Notice, RouteDetails, RouteView, Shared, carrier_of_rate,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{counted, day, day_and_time, price, weekday};
use crate::ui::frame::notices;
use crate::ui::parts::list_row;
use crate::ui::unreadable;
use draft::{ChosenRoute, Field, Routing, typed_time};
use engine::EngineError;
use shipping::{Carrier, CarrierAccount, DespatchOption, Dollars, LocalTime, Question, Rate};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::{Card, rule};
use widgets::key_cap;
use widgets::notice::NoticeBar;
use widgets::select::Select;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, paint, text};

/// Minimum number of offers in sight.
const FEW: usize = 3;
/// Height of the title, the choices, and the row that unfolds the chosen offer's details, in points.
const HEAD: f32 = 120.0;
/// Left edge of an offer's text, with or without a key before it.
const INDENT: f32 = 36.0;
/// From this window height on, in points, there is room for both the offers and the details.
const ROOMY: f32 = 800.0;
/// Height of an offer with a second line, in points.
const TALL: f32 = 54.0;

/// Returns the offers of the service, without the carriers that refused.
fn offers_of(shared: &Shared) -> impl Iterator<Item = &ChosenRoute> {
    let views = shared.consign.routes.value().into_iter().flatten();
    views.filter_map(RouteView::route)
}

/// Returns the height of the card with up to `FEW` offers, because fewer cannot be compared.
pub(super) fn min_height(context: &Context<'_>) -> f32 {
    match offers_of(context.shared).take(FEW).count() {
        0 => 120.0,
        rows => HEAD + TALL * rows as f32,
    }
}

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, editing: &mut Editing) {
    let shared = context.shared;
    let routes = &shared.consign.routes;
    let (words, stale) = match (routes.is_loading(), shared.consign.routes_stale) {
        (true, _) if routes.value().is_some() => ("updating", true),
        (true, _) => ("loading", false),
        _ if routes.value().is_none() => ("", false),
        (false, true) => ("out of date", true),
        (false, false) => ("inc. GST, Ctrl + number", false),
    };
    let mut again = false;
    let card = Card::new("Routes").icon(icons::ICON_ALT_ROUTE).flush();
    let shown = card.show(
        ui,
        |ui| {
            let name = format!(
                "{} ({})",
                Action::FindRoutes.entry().name,
                Action::FindRoutes.key()
            );
            let refresh = Button::icon_only(icons::ICON_REFRESH, &name).small();
            again = ui.add(refresh).clicked();
            let p = palette(ui);
            let ink = if stale { p.warning } else { p.muted };
            ui.label(text::small(words).color(ink));
        },
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            choices(ui, context, editing);
            change_notice(ui, editing);
            let again = error_notice(ui, "No routes", routes.problem());
            if let Some(routes) = routes.value() {
                unreadable::bar(ui, &shared.catalogue.unreadable.routes, "routes");
                offers(ui, routes, context, editing);
            } else if routes.is_loading() {
                instead_of_rows(ui, "Getting the carriers' prices…");
            } else if routes.problem().is_none() {
                instead_of_rows(ui, "Enter both addresses and the goods to see prices");
            }
            again
        },
    );
    if live_prices(ui, shared, editing) || again || shown.inner {
        context.push(ConsignCommand::FindRoutes);
    }
}

/// Draws the notice about changes to the chosen route, until the clerk acknowledges them.
fn change_notice(ui: &mut Ui, editing: &mut Editing) {
    let Some(change) = &editing.route_change else {
        return;
    };
    let advice = if change.gone {
        "Choose another one"
    } else {
        "The route is still selected"
    };
    let bar = NoticeBar::new(Tone::Warning, &change.message)
        .what_to_do(advice)
        .action("OK");
    let inner = Frame::new().inner_margin(8);
    if inner.show(ui, |ui| bar.show(ui).acted).inner {
        editing.route_change = None;
    }
}

/// Draws why prices could not be fetched. Returns true if they are to be fetched again.
fn error_notice(ui: &mut Ui, headline: &str, problem: Option<&EngineError>) -> bool {
    let Some(problem) = problem else {
        return false;
    };
    let notice = Notice::failed(headline, problem);
    let bar = notices::bar(&notice).action("Try again");
    let inner = Frame::new().inner_margin(8);
    inner.show(ui, |ui| bar.show(ui).acted).inner
}

fn instead_of_rows(ui: &mut Ui, words: &str) {
    let inner = Frame::new().inner_margin(14);
    inner.show(ui, |ui| text::note(ui, words));
}

fn offers(ui: &mut Ui, routes: &[RouteView], context: &Context<'_>, editing: &mut Editing) {
    let mut at = 0;
    let taken = RouteView::taken(&editing.draft.routing, routes);
    for view in routes {
        let RouteView::Offer {
            route,
            before_tax,
            cheapest,
            fastest,
            details,
            ..
        } = view
        else {
            continue;
        };
        let is_chosen = taken.is_some_and(|taken| std::ptr::eq(taken, view));
        let response = offer(ui, at, route, [*cheapest, *fastest], is_chosen);
        let by_key = key_cap::DIGITS.get(at).is_some_and(|key| {
            ui.is_enabled()
                && !context.is_dialog_open
                && ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, *key))
        });
        // A problem with the route focuses the id of the field. The first offer takes that focus.
        if at == 0 {
            take_focus(ui, Field::Route, &response);
        }
        let response = response.on_hover_ui(|ui| {
            ui.set_width(220.0);
            price_parts(ui, *before_tax, details);
        });
        if response.clicked() || by_key {
            // Choosing the current route again acknowledges how it has changed.
            editing.draft.routing = Routing::Chosen(route.clone());
            editing.route_change = None;
        }
        if is_chosen {
            let offer = (route, *before_tax, &**details);
            details_of_offer(ui, editing, offer);
        }
        at += 1;
    }
    let unreadable = &context.shared.catalogue.unreadable.routes;
    if at == 0 && unreadable.records.is_empty() {
        let headline = "No carrier can take this consignment as entered";
        let bar = NoticeBar::new(Tone::Warning, headline).what_to_do("The reasons are below");
        Frame::new().inner_margin(8).show(ui, |ui| bar.show(ui));
    }
    for view in routes {
        if let RouteView::Refusal { carrier, reason } = view {
            let margin = Margin {
                left: 14,
                right: 12,
                top: 5,
                bottom: 5,
            };
            Frame::new().inner_margin(margin).show(ui, |ui| {
                ui.set_width(ui.available_width());
                text::small_note(ui, format!("{carrier}: {reason}"));
            });
        }
    }
}

/// Draws an offer: key, carrier, price and arrival, with badges and account on a second line if there
/// are any.
fn offer(
    ui: &mut Ui,
    at: usize,
    route: &ChosenRoute,
    marks: [bool; 2],
    is_chosen: bool,
) -> Response {
    let tall = marks.contains(&true) || !route.account.is_empty();
    let height = if tall { TALL } else { size::ROW + 6.0 };
    let role = Role::RadioButton;
    let response = list_row(ui, height, role, &spoken(route, marks), is_chosen);
    let (p, rect) = (palette(ui), response.rect);
    mark_chosen(ui, &response, is_chosen);
    let y = if tall {
        rect.top() + 17.0
    } else {
        rect.center().y
    };
    let left = rect.left() + INDENT;
    if at < key_cap::DIGITS.len() {
        let number = (at + 1).to_string();
        let corner = pos2(rect.left() + 8.0, y);
        key_cap::paint(ui, ui.painter(), corner, &number);
    }
    let amount = route.price.map(price).unwrap_or_default();
    let price_left = amount_and_eta(ui, &amount, route.eta, pos2(rect.right() - 12.0, y), true);
    // If there is little room, the carrier is cut first: the service's name distinguishes the carrier's routes.
    let room = price_left - left - 11.0;
    let service = text::line(ui, text::body(&route.service), room * 0.6, p.muted);
    let carrier = text::strong(&route.carrier);
    let carrier = text::line(ui, carrier, room - service.size().x, p.text);
    let carrier = from_left(ui, pos2(left, y), carrier);
    from_left(ui, pos2(carrier.right() + 5.0, y), service);
    if tall {
        let (mut x, y) = (left, rect.top() + 39.0);
        for (tone, word) in marked(marks) {
            let badge = Badge::new(tone, word);
            x = badge.paint(ui, ui.painter(), pos2(x, y)).right() + 6.0;
        }
        let room = rect.right() - 12.0 - x;
        let account = text::line(ui, text::small(&route.account), room, p.muted);
        from_left(ui, pos2(x, y), account);
    }
    response
}

/// Returns the badges of an offer that is the cheapest or the fastest.
fn marked(marks: [bool; 2]) -> impl Iterator<Item = (Tone, &'static str)> {
    let badges = [(Tone::Ok, "cheapest"), (Tone::Accent, "fastest")];
    let badges = badges.into_iter().zip(marks);
    badges.filter(|(_, on)| *on).map(|(badge, _)| badge)
}

/// Draws price and arrival, ending at `right`. Returns the left edge of the price.
fn amount_and_eta(
    ui: &Ui,
    amount: &str,
    eta: Option<LocalTime>,
    right: Pos2,
    enabled: bool,
) -> f32 {
    let p = palette(ui);
    let ink = if enabled { p.text } else { p.muted };
    let eta = eta.map(day).unwrap_or_default();
    let eta = text::plain(ui, &eta, text::body_font(), ink);
    let amount = text::plain(ui, amount, text::strong_font(), ink);
    let amount_right = right - vec2(eta.size().x.max(50.0) + 10.0, 0.0);
    from_right(ui, right, eta);
    from_right(ui, amount_right, amount).left()
}

/// Paints text that starts at `at`, centred vertically.
fn from_left(ui: &Ui, at: Pos2, galley: Arc<Galley>) -> Rect {
    paint::text_at(ui.painter(), Align2::LEFT_CENTER, at, galley)
}

/// Paints text that ends at `at`, centred vertically.
fn from_right(ui: &Ui, at: Pos2, galley: Arc<Galley>) -> Rect {
    paint::text_at(ui.painter(), Align2::RIGHT_CENTER, at, galley)
}

/// Marks a chosen row with a bar at its left edge.
fn mark_chosen(ui: &Ui, response: &Response, is_chosen: bool) {
    if is_chosen {
        let (rect, ink) = (response.rect, palette(ui).accent);
        ui.painter()
            .rect_filled(rect.with_max_x(rect.left() + 3.0), 0.0, ink);
    }
}

/// Returns the accessible name of an offer, with everything that it shows.
fn spoken(route: &ChosenRoute, marks: [bool; 2]) -> String {
    let mut parts = vec![format!("{} {}", route.carrier, route.service)];
    if !route.account.is_empty() {
        parts.push(route.account.clone());
    }
    parts.extend(route.price.map(price));
    parts.extend(route.eta.map(|eta| format!("arrives {}", weekday(eta))));
    parts.extend(marked(marks).map(|(_, word)| word.to_owned()));
    parts.join(", ")
}

/// An offer with its price before tax and its details.
type Offer<'a> = (&'a ChosenRoute, Option<Dollars>, &'a RouteDetails);

fn details_of_offer(ui: &mut Ui, editing: &mut Editing, (route, before_tax, details): Offer<'_>) {
    let p = palette(ui);
    let (top, bottom) = if is_roomy(ui) { (7, 9) } else { (1, 3) };
    let inset = Margin {
        left: 36,
        right: 12,
        top,
        bottom,
    };
    let frame = Frame::new().fill(p.raised).inner_margin(inset);
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        if !is_expanded(ui) {
            return;
        }
        price_parts(ui, before_tax, details);
        if !details.despatches.is_empty() {
            ui.add_space(6.0);
            despatches(ui, editing, (route, details));
        }
    });
    let rect = shown.response.rect;
    let line = Stroke::new(1.0, p.border);
    ui.painter()
        .hline(rect.x_range(), rect.bottom() - 0.5, line);
}

fn is_roomy(ui: &Ui) -> bool {
    ui.ctx().content_rect().height() >= ROOMY
}

/// Returns true if the details are to be shown. In a low window they are folded, so that the other offers
/// stay visible for comparison.
fn is_expanded(ui: &mut Ui) -> bool {
    if is_roomy(ui) {
        return true;
    }
    let at = Id::unique("consign route details");
    let mut open = ui.data(|data| data.get_temp(at)).unwrap_or(false);
    fold_button(ui, "Price and despatch", &mut open);
    ui.data_mut(|data| data.insert_temp(at, open));
    open
}

fn price_parts(ui: &mut Ui, before_tax: Option<Dollars>, details: &RouteDetails) {
    ui.spacing_mut().item_spacing.y = 1.0;
    let (taxes, others): (Vec<_>, Vec<_>) = details.parts.iter().partition(|part| part.is_tax);
    for part in others {
        price_line(ui, &part.name, part.amount, false);
    }
    if let Some(before_tax) = before_tax {
        price_line(ui, "Subtotal (ex GST)", before_tax, true);
    }
    for tax in taxes {
        price_line(ui, &tax.name, tax.amount, false);
    }
}

fn price_line(ui: &mut Ui, name: &str, amount: Dollars, stands_out: bool) {
    let p = palette(ui);
    let ink = if stands_out { p.text } else { p.muted };
    let room = vec2(ui.available_width(), size::SMALL_LINE + 1.0);
    ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        ui.label(text::small(price(amount)).color(ink));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(text::small(name).color(ink)).truncate());
        });
    });
}

/// Draws the times at which the consignment can leave. The first is the time as typed. If the clerk picks another
/// time, it becomes the despatch time.
fn despatches(ui: &mut Ui, editing: &mut Editing, (route, details): (&ChosenRoute, &RouteDetails)) {
    let draft = &mut editing.draft;
    let typed = draft.despatch.trim();
    let current = details
        .despatches
        .iter()
        .position(|option| option.despatch_date_local.map(typed_time).as_deref() == Some(typed));
    for (at, option) in details.despatches.iter().enumerate() {
        let response = despatch_option(ui, option, current.unwrap_or(0) == at);
        let response = response.on_hover_text(despatch_notes(option));
        if let (true, Some(leaves)) = (response.clicked(), option.despatch_date_local) {
            // An empty field means the soonest time. If the current time were written into the field, it would be in
            // the past when the consignment is sent.
            if at > 0 || !draft.despatch.trim().is_empty() {
                draft.despatch = typed_time(leaves);
            }
            draft.routing = Routing::Chosen(ChosenRoute {
                eta: option.eta_local,
                ..route.clone()
            });
            editing.route_change = None;
        }
    }
    if !draft.despatch.trim().is_empty() {
        let soon = Button::quiet("As soon as possible").left().small();
        if ui.add(soon).clicked() {
            draft.despatch.clear();
        }
    }
}

/// Draws one time: `Fri 20 Nov 15:30 → Mon 23 Nov`, with the number of business days at the right.
fn despatch_option(ui: &mut Ui, option: &DespatchOption, current: bool) -> Response {
    let p = palette(ui);
    let (words, days) = (despatch_words(option), transit_days(option));
    let holiday = if has_holiday(option) {
        ", a public holiday delays it"
    } else {
        ""
    };
    let spoken = format!("Leaves {words}, {days}{holiday}");
    let response = list_row(ui, 25.0, Role::RadioButton, &spoken, current);
    let inner = response.rect.shrink2(vec2(8.0, 0.0));
    let days = text::plain(ui, &days, text::small_font(), p.muted);
    let mut right = from_right(ui, inner.right_center(), days).left_center();
    if has_holiday(option) {
        let icon = paint::icon(ui, icons::ICON_EVENT_BUSY, 15.0, p.warning);
        right = from_right(ui, right - vec2(4.0, 0.0), icon).left_center();
    }
    let ink = if current { p.accent } else { p.text };
    let room = right.x - inner.left() - 6.0;
    let words = text::cut(ui, &words, text::cell_font(), room, ink);
    from_left(ui, inner.left_center(), words);
    response
}

fn despatch_words(option: &DespatchOption) -> String {
    let leaves = option.despatch_date_local.map(if is_date_only(option) {
        weekday
    } else {
        day_and_time
    });
    let by_carrier = option.custom_eta_string.clone().unwrap_or_default();
    let arrives = if by_carrier.is_empty() {
        option.eta_local.map(weekday).unwrap_or_default()
    } else {
        by_carrier
    };
    format!("{} → {arrives}", leaves.unwrap_or_default())
}

/// Returns true if the carrier accepts a date but no time of day.
fn is_date_only(option: &DespatchOption) -> bool {
    option.carrier_accepts_despatch_times == Some(false)
}

/// Returns true if a public holiday causes a delay.
fn has_holiday(option: &DespatchOption) -> bool {
    option.eta_affected_by_public_holidays || option.despatch_date_affected_by_public_holidays
}

fn transit_days(option: &DespatchOption) -> String {
    let count = option
        .total_business_days
        .and_then(|days| days.try_into().ok());
    count
        .map(|days| counted(days, "business day", "business days"))
        .unwrap_or_default()
}

fn despatch_notes(option: &DespatchOption) -> String {
    let mut notes = Vec::new();
    if let Some(eta) = option.eta_local {
        notes.push(format!("Arrives {}", day_and_time(eta)));
    }
    if option.is_time_window {
        notes.push("A time window, not an exact time".to_owned());
    }
    if is_date_only(option) {
        notes.push("The carrier accepts a date only, no time of day".to_owned());
    }
    if has_holiday(option) {
        notes.push("A public holiday delays it".to_owned());
    }
    notes.join("\n")
}

/// Draws the card with live prices. Returns true if the prices are to be requested again.
fn live_prices(ui: &mut Ui, shared: &Shared, editing: &mut Editing) -> bool {
    let live = &shared.consign.live_prices;
    let silent = live.value().is_none() && live.problem().is_none() && !live.is_loading();
    if !shared.session.live_pricing || silent {
        return false;
    }
    let words = if live.is_loading() {
        "loading"
    } else {
        "middleware"
    };
    ui.add_space(size::GUTTER - ui.spacing().item_spacing.y);
    let card = Card::new("Live prices").icon(icons::ICON_SELL).flush();
    let head = |ui: &mut Ui| {
        ui.label(text::small(words).color(palette(ui).muted));
    };
    let body = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let again = error_notice(ui, "No live prices", live.problem());
        let rates = live.value().map_or(&[][..], Vec::as_slice);
        if rates.is_empty() && live.value().is_some() && live.problem().is_none() {
            instead_of_rows(ui, "No live prices for this consignment");
        }
        for rate in rates {
            live_price(ui, shared, editing, rate);
        }
        again
    };
    card.show(ui, head, body).inner
}

/// Draws a live price. A click chooses the route of that service if it is offered, or else the carrier alone, and sets the
/// options that the price includes.
fn live_price(ui: &mut Ui, shared: &Shared, editing: &mut Editing, rate: &Rate) {
    let p = palette(ui);
    let (draft, session) = (&mut editing.draft, &shared.session);
    let company = draft.company.or(session.own_company);
    let carrier = carrier_of_rate(rate, &shared.catalogue.carriers, company);
    let service = carrier.as_ref().and_then(|carrier| carrier.service_id);
    let known = service.is_some();
    let chosen =
        known && { draft.routing.chosen() }.is_some_and(|chosen| chosen.service_id == service);
    let amount = rate.total_price.map(|amount| format!("{:.2}", amount.0));
    let amount = amount.unwrap_or_default();
    let name = &rate.service_name;
    let spoken = format!("Live price {name}, {} {amount}", rate.currency);
    let row = |ui: &mut Ui| list_row(ui, size::ROW, Role::RadioButton, &spoken, chosen);
    let response = ui.add_enabled_ui(known, row).inner;
    mark_chosen(ui, &response, chosen);
    let rect = response.rect;
    let y = rect.center().y;
    let zone = draft.to.time_zone().unwrap_or(&session.zone);
    let eta = rate.eta.map(|eta| LocalTime::at(eta.0, zone));
    let left = amount_and_eta(ui, &amount, eta, pos2(rect.right() - 12.0, y), known);
    let currency = text::plain(ui, &rate.currency, text::small_font(), p.muted);
    let currency = from_right(ui, pos2(left - 5.0, y), currency);
    let left = rect.left() + 14.0;
    let room = currency.left() - left - 6.0;
    let ink = if known { p.text } else { p.muted };
    from_left(
        ui,
        pos2(left, y),
        text::line(ui, text::body(name), room, ink),
    );
    let response = response
        .on_hover_ui(|ui| about_live_price(ui, rate, true))
        .on_disabled_hover_ui(|ui| about_live_price(ui, rate, false));
    let (true, Some(carrier)) = (response.clicked(), carrier) else {
        return;
    };
    let mut offered = offers_of(shared);
    let offered = offered.find(|route| route.service_id == service);
    draft.routing = match offered {
        Some(route) => Routing::Chosen(route.clone()),
        None => Routing::Carrier(carrier),
    };
    let questions = rate.question_ids.iter();
    let question = |id: &String| serde_json::from_value::<Question>(id.as_str().into()).ok();
    draft.questions.extend(questions.filter_map(question));
    editing.route_change = None;
}

fn about_live_price(ui: &mut Ui, rate: &Rate, known: bool) {
    let mut lines = vec![rate.service_name.clone()];
    if !rate.description.is_empty() {
        lines.push(rate.description.clone());
    }
    if let Some(before_tax) = rate.total_price_exc_tax {
        lines.push(format!("{} {:.2} ex GST", rate.currency, before_tax.0));
    }
    if !known {
        lines.push("Your company has no account with this carrier".to_owned());
    }
    ui.add(Label::new(text::small(lines.join("\n"))).wrap());
}

/// Returns the id of the drop-down of carriers.
fn carrier_id() -> Id {
    Id::unique("consign carrier alone")
}

/// Draws the choices that need no price: the service picks the cheapest or the fastest route, or the clerk picks a carrier
/// with account and service.
fn choices(ui: &mut Ui, context: &mut Context<'_>, editing: &mut Editing) {
    let open = carrier_id().with("open");
    let mut unfolded = matches!(editing.draft.routing, Routing::Carrier(_))
        || ui.data(|data| data.get_temp(open)).unwrap_or(false);
    let inset = Margin::symmetric(8, 5);
    Frame::new().inner_margin(inset).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (action, routing) in [
                (Action::Cheapest, Routing::Cheapest),
                (Action::Fastest, Routing::Fastest),
            ] {
                let chosen = editing.draft.routing == routing;
                if pressed(ui, context, action, chosen) {
                    editing.draft.routing = if chosen { Routing::Unchosen } else { routing };
                    unfolded = false;
                }
            }
            if pressed(ui, context, Action::CarrierWithoutPrice, unfolded) {
                unfolded = !unfolded;
                // The drop-down is drawn only once the carriers are known.
                if unfolded && !context.shared.catalogue.carriers.is_empty() {
                    ui.memory_mut(|memory| memory.request_focus(carrier_id()));
                } else if !unfolded && matches!(editing.draft.routing, Routing::Carrier(_)) {
                    editing.draft.routing = Routing::Unchosen;
                }
            }
        });
    });
    ui.data_mut(|data| data.insert_temp(open, unfolded));
    rule(ui);
    if unfolded {
        let inset = Margin::symmetric(14, 10);
        Frame::new().inner_margin(inset).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 8.0;
            carrier_alone(ui, context, editing);
        });
        rule(ui);
    }
}

/// Draws a choice. Returns true if it was clicked or its key was pressed.
fn pressed(ui: &mut Ui, context: &Context<'_>, action: Action, chosen: bool) -> bool {
    let button = Button::quiet(action.entry().name).selected(chosen).small();
    let response = ui.add(button).on_hover_text(action.tip());
    // A problem with the route leads to the first offer, or to this button if there is no offer.
    if action == Action::Cheapest && offers_of(context.shared).next().is_none() {
        take_focus(ui, Field::Route, &response);
    }
    response.clicked() || (ui.is_enabled() && context.is_triggered(action))
}

/// Draws the choice of a carrier without a price, with its account and service.
fn carrier_alone(ui: &mut Ui, context: &mut Context<'_>, editing: &mut Editing) {
    let all = &context.shared.catalogue.carriers;
    if all.is_empty() {
        return no_carriers(ui, context);
    }
    let company = editing.draft.company.or(context.shared.session.own_company);
    let routing = &mut editing.draft.routing;
    // Carriers that the company may use, or all carriers if the service lists none that it may use.
    let usable = |carrier: &&Carrier| carrier.accounts_of(company).next().is_some();
    let mut carriers: Vec<_> = all.iter().filter(usable).collect();
    if carriers.is_empty() {
        carriers = all.iter().collect();
    }
    let names: Vec<_> = carriers.iter().map(|carrier| carrier.label()).collect();
    let is_chosen = |carrier: &&Carrier| match &*routing {
        Routing::Carrier(chosen) => carrier.id == chosen.carrier_id,
        _ => false,
    };
    let current = carriers.iter().position(is_chosen);
    let select = Select::new("Carrier", current, &names).id(carrier_id());
    if let Some(carrier) = select.show(ui).picked.and_then(|at| carriers.get(at)) {
        // Leaves account and service unset: an only account and the cheapest service then apply.
        let name = carrier.label().to_owned();
        *routing = Routing::Carrier(ChosenRoute::of_carrier(carrier.id, name));
    }
    let current = current.and_then(|at| carriers.get(at));
    if let (Routing::Carrier(chosen), Some(carrier)) = (routing, current) {
        let accounts: Vec<_> = carrier.accounts_of(company).collect();
        account(ui, &accounts, chosen);
        service(ui, &accounts, chosen);
        text::small_note(ui, "You'll see the price after sending");
    }
}

/// Draws why there are no carriers to pick from.
fn no_carriers(ui: &mut Ui, context: &mut Context<'_>) {
    let list = &context.shared.catalogue.carrier_list;
    if list.problem().is_some() {
        if error_notice(ui, "Can't load the carriers", list.problem()) {
            context.push(ConsignCommand::LookUpAgain);
        }
    } else if list.is_loading() {
        text::note(ui, "Loading the company's carriers…");
    } else {
        text::note(ui, "The company has no carriers");
    }
}

/// Draws the choice of an account, if the company has several.
fn account(ui: &mut Ui, accounts: &[&CarrierAccount], chosen: &mut ChosenRoute) {
    if accounts.len() < 2 {
        return;
    }
    let names: Vec<_> = accounts.iter().map(|account| account.label()).collect();
    let is_chosen = |account: &&CarrierAccount| Some(account.id) == chosen.account_id;
    let current = accounts.iter().position(is_chosen);
    let shown = Select::new("Account", current, &names).show(ui);
    if let Some(account) = shown.picked.and_then(|at| accounts.get(at)) {
        chosen.account_id = Some(account.id);
        chosen.company_account_id = account.company_carrier_account_id;
        account.label().clone_into(&mut chosen.account);
        let mut services = account.carrier_services.iter();
        if !services.any(|service| Some(service.id) == chosen.service_id) {
            chosen.service_id = None;
            chosen.service.clear();
        }
    }
}

/// Draws the choice of a service of the chosen account, or of all accounts if none is chosen. The first
/// choice is the cheapest service.
fn service(ui: &mut Ui, accounts: &[&CarrierAccount], chosen: &mut ChosenRoute) {
    let mut services: Vec<_> = { accounts.iter() }
        .filter(|account| chosen.account_id.is_none_or(|id| id == account.id))
        .flat_map(|account| &account.carrier_services)
        .collect();
    services.sort_by_key(|service| service.id);
    services.dedup_by_key(|service| service.id);
    let names: Vec<_> = std::iter::once("Cheapest service")
        .chain(services.iter().map(|service| service.label()))
        .collect();
    let current = chosen.service_id.map_or(Some(0), |id| {
        let at = services.iter().position(|service| service.id == id);
        at.map(|at| at + 1)
    });
    let shown = Select::new("Service", current, &names).show(ui);
    if let Some(at) = shown.picked {
        let service = at.checked_sub(1).and_then(|at| services.get(at));
        chosen.service_id = service.map(|service| service.id);
        let name = service.map_or("", |service| service.label());
        name.clone_into(&mut chosen.service);
    }
}
