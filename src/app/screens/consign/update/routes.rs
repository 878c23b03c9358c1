//! Prices on Consign: requested after a pause in typing, and compared with the chosen route.
//!
//! A chosen route is never replaced by another route. A change of its price or arrival is shown until the clerk
//! acknowledges the change.

use jiff::SignedDuration;

use crate::core::Core;
use crate::state::{PricePart, RouteChange, RouteDetails, RouteView};
use crate::ui::format::price;
use draft::{ChosenRoute, Routing, problems_from_errors};
use engine::{EngineError, Failure};
use shipping::{
    CarrierId, LivePricingRequest, LocalTime, NamedRecord, Percent, Route, RouteRefusal, Routes,
};

/// Arrivals on the same day that differ by less than this count as equal, because the arrival of a despatch "now"
/// moves with the clock.
const SAME_ARRIVAL: SignedDuration = SignedDuration::from_hours(1);

impl Core {
    /// Requests prices if the draft has all values that a price depends on. With `again`, requests them even if no
    /// value has changed.
    pub(crate) fn find_routes(&mut self, again: bool) {
        let context = self.shared.check_context();
        let wanted = self.editing.refresh_check(&context, again).route_request();
        let Some(request) = wanted else {
            self.shared.consign.routes.clear();
            self.shared.consign.live_prices.clear();
            self.consign.routes_for = None;
            return;
        };
        if self.consign.routes_for.as_ref() == Some(&request) && !again {
            self.shared.consign.routes_stale = false;
            return;
        }
        self.consign.routes_for = Some(request.clone());
        let routes = self.work.reads().routes(request, route_rows);
        self.shared.consign.routes.start(routes);
        self.find_live_prices();
    }

    /// Handles new prices. The chosen route gets its new price. If the route is no longer offered, the draft has no
    /// chosen route any more. Both changes are shown to the clerk. After a failure, the choice stays as it is.
    pub(crate) fn routes_came(&mut self) {
        let routes = &self.shared.consign.routes;
        if routes.is_loading() {
            return;
        }
        self.editing.price_refusals = match routes.problem() {
            Some(EngineError::Service(Failure::Refused(errors))) => {
                problems_from_errors(errors, &self.editing.draft)
            }
            _ => Vec::new(),
        };
        if routes.problem().is_some() {
            return;
        }
        self.shared.consign.routes_stale = false;
        let Some(offers) = routes.value() else {
            return;
        };
        let before = self.editing.route_change.as_ref();
        let draft = &self.editing.draft;
        let (routing, change) =
            apply_new_offers(&draft.routing, before, (offers, draft.edits.is_some()));
        self.editing.draft.routing = routing;
        self.editing.route_change = change;
    }

    /// Asks the middleware for prices, if there is a middleware and the draft has all values that it needs. Called
    /// only with a request for routes.
    fn find_live_prices(&mut self) {
        let context = self.shared.check_context();
        let locations = self.shared.catalogue.known_locations();
        let quote = self.editing.draft.live_quote(&context, locations);
        let live_prices = &mut self.shared.consign.live_prices;
        match quote.filter(|_| self.shared.session.live_pricing) {
            None => live_prices.clear(),
            Some(quote) => live_prices.start(self.work.reads().fetch(|client| async move {
                let prices = client.live_prices(&LivePricingRequest { quote }).await?;
                Ok(prices.rates)
            })),
        }
    }

    /// Removes the notice about the chosen route once another route is chosen.
    pub(crate) fn watch_choice(&mut self) {
        let Some(change) = &self.editing.route_change else {
            return;
        };
        let stands = match &self.editing.draft.routing {
            Routing::Chosen(chosen) => !change.gone && chosen.is_same(&change.was),
            Routing::Unchosen => change.gone,
            _ => false,
        };
        if !stands {
            self.editing.route_change = None;
        }
    }
}

/// Returns the routing after new offers, and the change to show. `before` is the change that is already shown. Nobody
/// has acknowledged that change, so the comparison starts from its former route. A route that was no longer offered
/// becomes the choice again as soon as it is offered again.
///
/// With `as_it_is`, the chosen route keeps its account, even if it has none, because a change of a consignment must
/// not change the account.
fn apply_new_offers(
    routing: &Routing,
    before: Option<&RouteChange>,
    (offers, as_it_is): (&[RouteView], bool),
) -> (Routing, Option<RouteChange>) {
    let was = match (routing, before) {
        (Routing::Chosen(chosen), Some(change)) if change.was.is_same(chosen) => &change.was,
        (Routing::Chosen(chosen), _) => chosen,
        (Routing::Unchosen, Some(change)) if change.gone => &change.was,
        _ => return (routing.clone(), None),
    };
    let routes = || offers.iter().filter_map(RouteView::route);
    let Some(now) = was.among(routes()) else {
        if routes().any(|route| was.is_same(route)) {
            // The route is offered on several accounts. The clerk has to choose one.
            return (routing.clone(), None);
        }
        let message = format!("{} is no longer offered{}", name(was), why(was, offers));
        let (was, gone) = (was.clone(), true);
        return (Routing::Unchosen, Some(RouteChange { was, gone, message }));
    };
    let change = differs(was, now).map(|message| RouteChange {
        was: was.clone(),
        gone: false,
        message,
    });
    let mut now = now.clone();
    if as_it_is {
        now.account_id = was.account_id;
        now.company_account_id = was.company_account_id;
    }
    (Routing::Chosen(now), change)
}

fn name(route: &ChosenRoute) -> String {
    match route.account.as_str() {
        "" => format!("{} {}", route.carrier, route.service),
        account => format!("{} {} ({account})", route.carrier, route.service),
    }
}

fn why(was: &ChosenRoute, offers: &[RouteView]) -> String {
    let service = format!("{} {}", was.carrier, was.service);
    let reason = offers.iter().find_map(|view| match view {
        RouteView::Refusal { carrier, reason } => {
            let is_it = *carrier == was.carrier || *carrier == service;
            is_it.then(|| format!(": {reason}"))
        }
        RouteView::Offer { .. } => None,
    });
    reason.unwrap_or_default()
}

/// Describes the differences in price and arrival; `None` if there are none.
fn differs(was: &ChosenRoute, now: &ChosenRoute) -> Option<String> {
    let cost = match (was.price, now.price) {
        (Some(was), Some(now)) if was != now => Some(format!("{} → {}", price(was), price(now))),
        (Some(was), None) => Some(format!("{} → no price", price(was))),
        _ => None,
    };
    let arrival = was.eta.zip(now.eta);
    let arrival = arrival.and_then(|(was, now)| arrives(was, now));
    let parts: Vec<_> = cost.into_iter().chain(arrival).collect();
    (!parts.is_empty()).then(|| format!("{}: {}", name(now), parts.join(", ")))
}

fn arrives(was: LocalTime, now: LocalTime) -> Option<String> {
    let days = now.0.date().since(was.0.date()).ok()?.get_days();
    let apart = now.0.duration_since(was.0);
    let way = if apart.is_negative() {
        "earlier"
    } else {
        "later"
    };
    match days.unsigned_abs() {
        0 if apart.abs() < SAME_ARRIVAL => None,
        0 => Some(format!(
            "arrives {way} on the same day, at {}",
            now.0.strftime("%H:%M")
        )),
        1 => Some(format!("arrives a day {way}")),
        days => Some(format!("arrives {days} days {way}")),
    }
}

/// Returns the rows of the routes card: first the offers sorted by price, with the cheapest and the fastest marked,
/// then the carriers that refused, with their reasons.
pub(crate) fn route_rows(mut answer: Routes) -> Vec<RouteView> {
    // Offers without a price come last.
    answer.routes.sort_by_key(|route| {
        let price = route.consignment_total.total_sell_price;
        (price.is_none(), price)
    });
    let has_price = |route: &Route| route.consignment_total.total_sell_price.is_some();
    let cheapest = answer.routes.iter().position(has_price);
    let fastest = fastest(&answer.routes);
    let offers = answer
        .routes
        .iter()
        .enumerate()
        .map(|(at, route)| RouteView::Offer {
            route: chosen(route, has_several(&answer.routes, route.carrier.id)),
            before_tax: route.consignment_total.total_sell_before_tax,
            despatch: { route.despatch_options.first() }
                .and_then(|option| option.despatch_date_local),
            cheapest: Some(at) == cheapest,
            fastest: Some(at) == fastest,
            details: Box::new(RouteDetails {
                parts: parts(route),
                despatches: route.despatch_options.clone(),
            }),
        });
    let refusals = answer
        .results
        .iter()
        .filter(|refusal| !refusal.error_message.is_empty())
        .map(|refusal| RouteView::Refusal {
            carrier: refusing_carrier(refusal),
            reason: refusal.error_message.clone(),
        });
    offers.chain(refusals).collect()
}

/// Returns the name of the refusing carrier: "Bluegum", or "Bluegum Crane" if only that service refused.
fn refusing_carrier(refusal: &RouteRefusal) -> String {
    let carrier = refusal.carrier.as_ref().map(NamedRecord::label);
    let service = refusal.carrier_service.as_ref().map(NamedRecord::label);
    let names: Vec<_> = carrier.into_iter().chain(service).collect();
    names.join(" ")
}

fn fastest(routes: &[Route]) -> Option<usize> {
    let arrival = |route: &Route| route.despatch_options.first()?.eta_utc;
    let routes = routes.iter().enumerate();
    let known = routes.filter_map(|(at, route)| Some((arrival(route)?, at)));
    known.min().map(|(_, at)| at)
}

/// Returns whether the carrier has offers on more than one account.
fn has_several(routes: &[Route], carrier: CarrierId) -> bool {
    let of = routes.iter().filter(|route| route.carrier.id == carrier);
    let mut accounts = of.map(|route| route.carrier_account.as_ref().map(|account| account.id));
    let first = accounts.next();
    accounts.any(|account| Some(account) != first)
}

fn chosen(route: &Route, several: bool) -> ChosenRoute {
    ChosenRoute {
        carrier_id: route.carrier.id,
        service_id: Some(route.carrier_service.id),
        account_id: route.carrier_account.as_ref().map(|account| account.id),
        company_account_id: route.company_carrier_account_id,
        carrier: route.carrier.label().to_owned(),
        service: route.carrier_service.label().to_owned(),
        price: route.consignment_total.total_sell_price,
        account: route
            .carrier_account
            .as_ref()
            .filter(|_| several)
            .map(|account| account.label().to_owned())
            .unwrap_or_default(),
        eta: route.eta(),
    }
}

/// Lists the parts of a price that the service returned, without parts of zero.
fn parts(route: &Route) -> Vec<PricePart> {
    let total = &route.consignment_total;
    let percent = |name: &str, percent: Option<Percent>| match percent {
        Some(percent) => format!("{name}, {} %", percent.0.normalize()),
        None => name.to_owned(),
    };
    let levy = percent("Fuel levy", route.fuel_levy_percentage);
    let surcharges = { route.elective_surcharges.iter() }.chain(&route.automatic_surcharges);
    let surcharges = surcharges.map(|extra| (extra.name.clone(), extra.sell_price, false));
    let tax = percent("GST", route.tax_percentage);
    [
        ("Freight".to_owned(), total.total_base_sell_price, false),
        (levy, total.sell_fuel_levy_price, false),
    ]
    .into_iter()
    .chain(surcharges)
    .chain([(tax, total.total_tax_sell_price, true)])
    .filter_map(|(name, amount, is_tax)| {
        let amount = amount.filter(|amount| !amount.0.is_zero())?;
        Some(PricePart {
            name,
            amount,
            is_tax,
        })
    })
    .collect()
}
