//! The card with live prices of the middleware. They come from another source than the routes
//! and can fail separately.

use egui::{Label, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::row::{background, from_left, from_right};
use super::{acknowledge, error_notice, instead_of_rows, offers_of};
use crate::state::{Editing, LiveRate, RouteView};
use crate::ui::Context;
use crate::ui::format::day;
use draft::{Draft, Routing};
use widgets::card::Card;
use widgets::tokens::{palette, size};
use widgets::{icons, text};

/// Draws the card. Returns true if the prices are to be requested again.
pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, editing: &mut Editing) -> bool {
    let live = &context.shared.consign.live_prices;
    let silent = live.value().is_none() && live.problem().is_none() && !live.is_loading();
    if !context.shared.session.live_pricing || silent {
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
    card.show(ui, head, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let live = &context.shared.consign.live_prices;
        let again = error_notice(ui, "No live prices", live.problem());
        let rates = live.value();
        if rates.is_some_and(Vec::is_empty) && live.problem().is_none() {
            instead_of_rows(ui, "No live prices for this consignment");
        }
        for rate in rates.into_iter().flatten() {
            if row(ui, rate, &editing.draft) {
                pick(context, &mut editing.draft, rate);
            }
        }
        again
    })
    .inner
}

/// Draws a price. Returns true if it was picked.
fn row(ui: &mut Ui, rate: &LiveRate, draft: &Draft) -> bool {
    let p = palette(ui);
    let known = rate.carrier.is_some();
    let chosen = is_chosen(rate, &draft.routing);
    let sense = if known {
        Sense::click()
    } else {
        Sense::hover()
    };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), sense);
    let amount = rate.price.map(|amount| format!("{:.2}", amount.0));
    let amount = amount.unwrap_or_default();
    let spoken = format!("Live price {}, {} {amount}", rate.name, rate.currency);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, known, chosen, &spoken));
    background(ui, &response, chosen);
    let y = rect.center().y;
    let ink = if known { p.text } else { p.muted };
    let eta = rate.eta.map(day).unwrap_or_default();
    let eta = text::plain(ui, &eta, text::body_font(), ink);
    let amount = text::plain(ui, &amount, text::strong_font(), ink);
    let currency = text::plain(ui, &rate.currency, text::small_font(), p.muted);
    let right = rect.right() - 12.0;
    let amount_right = right - eta.size().x.max(50.0) - 10.0;
    from_right(ui, pos2(right, y), eta);
    let amount = from_right(ui, pos2(amount_right, y), amount);
    let currency = from_right(ui, pos2(amount.left() - 5.0, y), currency);
    let left = rect.left() + 14.0;
    let room = currency.left() - left - 6.0;
    let name = text::line(ui, text::body(&rate.name), room, ink);
    from_left(ui, pos2(left, y), name);
    let response = response.on_hover_ui(|ui| about(ui, rate));
    response.clicked() && known
}

fn about(ui: &mut Ui, rate: &LiveRate) {
    let mut lines = vec![rate.name.clone()];
    if !rate.description.is_empty() {
        lines.push(rate.description.clone());
    }
    if let Some(before_tax) = rate.before_tax {
        lines.push(format!("{} {:.2} ex GST", rate.currency, before_tax.0));
    }
    if rate.carrier.is_none() {
        lines.push("Not one of the company's carriers, so it can't be picked".to_owned());
    }
    ui.add(Label::new(text::small(lines.join("\n"))).wrap());
}

fn is_chosen(rate: &LiveRate, routing: &Routing) -> bool {
    match routing {
        Routing::Chosen(route) => rate.is_for(route.service_id),
        Routing::Carrier(chosen) => chosen.service_id.is_some_and(|id| rate.is_for(id)),
        _ => false,
    }
}

/// Chooses the route of that service if it is offered, or else the carrier alone, and sets the options that
/// the price includes.
fn pick(context: &mut Context<'_>, draft: &mut Draft, rate: &LiveRate) {
    let mut offered = offers_of(context)
        .filter_map(RouteView::route)
        .filter(|route| rate.is_for(route.service_id));
    match (offered.next(), &rate.carrier) {
        (Some(route), _) => draft.routing = Routing::Chosen(route.clone()),
        (None, Some(carrier)) => draft.routing = Routing::Carrier(carrier.clone()),
        (None, None) => return,
    }
    draft.questions.extend(&rate.questions);
    acknowledge(context);
}
