//! The card with the routes: which carriers can take the consignment, at what price and by when. Ctrl and a
//! digit chooses a route, and the details of the chosen route unfold below it.

mod carrier_choice;
mod live_prices;
mod route_details;
mod row;

use egui::{Frame, Margin, Modifiers, Ui};

use super::id;
use crate::state::{ConsignCommand, Editing, Notice, RouteView};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::frame::notices;
use crate::ui::unreadable;
use draft::{Field, Routing};
use engine::EngineError;
use widgets::button::Button;
use widgets::card::Card;
use widgets::key_cap;
use widgets::notice::NoticeBar;
use widgets::tokens::{Tone, palette};
use widgets::{icons, text};

/// Minimum number of offers in sight.
const FEW: usize = 3;
/// Height of the title, the choices, and the row that unfolds the chosen offer's details, in points.
const HEAD: f32 = 120.0;

/// Returns the offers of the service, without the carriers that refused.
fn offers_of<'a>(context: &Context<'a>) -> impl Iterator<Item = &'a RouteView> + use<'a> {
    let views = context.shared.consign.routes.value().into_iter().flatten();
    views.filter(|view| view.route().is_some())
}

/// Returns the height of the card with up to `FEW` offers, because fewer cannot be compared.
pub(super) fn min_height(context: &Context<'_>) -> f32 {
    let rows: f32 = offers_of(context).take(FEW).map(|_| row::TALL).sum();
    if rows == 0.0 { 120.0 } else { HEAD + rows }
}

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, editing: &mut Editing) {
    let routes = &context.shared.consign.routes;
    let (words, stale) = match (
        routes.is_loading(),
        context.shared.consign.routes_stale,
        routes.value(),
    ) {
        (true, _, Some(_)) => ("updating", true),
        (true, _, None) => ("loading", false),
        (false, true, Some(_)) => ("out of date", true),
        (false, false, Some(_)) => ("Ctrl + number, inc. GST", false),
        _ => ("", false),
    };
    let mut again = false;
    let card = Card::new("Routes").icon(icons::ICON_ALT_ROUTE).flush();
    let shown = card.show(
        ui,
        |ui| {
            let entry = Action::FindRoutes.entry();
            let name = format!("{} ({})", entry.name, Action::FindRoutes.key());
            let refresh = Button::icon_only(icons::ICON_REFRESH, &name).small();
            again = ui.add(refresh).clicked();
            let p = palette(ui);
            let ink = if stale { p.warning } else { p.muted };
            ui.label(text::small(words).color(ink));
        },
        |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            carrier_choice::choices(ui, context, editing);
            change_notice(ui, context);
            let again = error_notice(ui, "No routes", context.shared.consign.routes.problem());
            match context.shared.consign.routes.value() {
                Some(routes) => {
                    unreadable::bar(ui, &context.shared.catalogue.unreadable.routes, "routes");
                    offers(ui, routes, context, editing);
                }
                None if context.shared.consign.routes.problem().is_some() => {}
                None if context.shared.consign.routes.is_loading() => {
                    instead_of_rows(ui, "Getting the carriers' prices…");
                }
                None => instead_of_rows(ui, "Enter both addresses and the goods to see prices"),
            }
            again
        },
    );
    if live_prices::card(ui, context, editing) || again || shown.inner {
        context.push(ConsignCommand::FindRoutes);
    }
}

/// Draws the notice about changes to the chosen route, until the clerk acknowledges them.
fn change_notice(ui: &mut Ui, context: &mut Context<'_>) {
    let Some(change) = &context.shared.consign.route_change else {
        return;
    };
    let advice = if change.gone {
        "Choose another one"
    } else {
        "It is still selected"
    };
    let bar = NoticeBar::new(Tone::Warning, &change.message)
        .what_to_do(advice)
        .action("OK");
    let inner = Frame::new().inner_margin(8);
    if inner.show(ui, |ui| bar.show(ui).acted).inner {
        context.push(ConsignCommand::AcknowledgeRoute);
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

fn offers(ui: &mut Ui, routes: &[RouteView], context: &mut Context<'_>, editing: &mut Editing) {
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
        let response = row::show(ui, at, route, [*cheapest, *fastest], is_chosen);
        let by_key = key_cap::DIGITS.get(at).is_some_and(|key| {
            ui.is_enabled()
                && !context.is_dialog_open
                && ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, *key))
        });
        // Problems give the focus to the field's id, so the first offer takes it.
        if at == 0 && ui.memory(|memory| memory.has_focus(id(Field::Route))) {
            response.request_focus();
        }
        let response = response.on_hover_ui(|ui| {
            ui.set_width(220.0);
            route_details::price_parts(ui, *before_tax, details);
        });
        if response.clicked() || by_key {
            // Choosing the current route again acknowledges how it has changed.
            editing.draft.routing = Routing::Chosen(route.clone());
            acknowledge(context);
        }
        if is_chosen {
            route_details::unfolded(
                ui,
                context,
                &mut editing.draft,
                (route, *before_tax, details),
            );
        }
        at += 1;
    }
    let some_unread = !context
        .shared
        .catalogue
        .unreadable
        .routes
        .records
        .is_empty();
    if at == 0 && !some_unread {
        let headline = "No carrier can take this consignment as entered";
        let bar = NoticeBar::new(Tone::Warning, headline).what_to_do("The reasons are below");
        Frame::new().inner_margin(8).show(ui, |ui| bar.show(ui));
    }
    for view in routes {
        if let RouteView::Refusal { carrier, reason } = view {
            refusal(ui, carrier, reason);
        }
    }
}

/// Acknowledges changes to the chosen route, which the clerk has just seen and chosen.
fn acknowledge(context: &mut Context<'_>) {
    if context.shared.consign.route_change.is_some() {
        context.push(ConsignCommand::AcknowledgeRoute);
    }
}

fn refusal(ui: &mut Ui, carrier: &str, reason: &str) {
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
