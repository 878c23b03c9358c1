//! Converts the service's routes to the rows of the routes card.

use crate::state::{DespatchView, PricePart, RouteDetails, RouteView};
use draft::ChosenRoute;
use shipping::{
    CarrierId, DespatchOption, Dollars, NamedRecord, Percent, Route, RouteRefusal, Routes,
};

/// Returns the rows of the routes card: the offers by price, the cheapest and the fastest marked, then the
/// carriers that refused, with their reasons.
pub(crate) fn route_rows(mut answer: Routes) -> Vec<RouteView> {
    // Offers without a price come last.
    answer.routes.sort_by_key(|route| {
        let price = route.consignment_total.total_sell_price;
        (price.is_none(), price)
    });
    let cheapest = answer
        .routes
        .iter()
        .position(|route| route.consignment_total.total_sell_price.is_some());
    let fastest = fastest(&answer.routes);
    let offers = answer
        .routes
        .iter()
        .enumerate()
        .map(|(at, route)| RouteView::Offer {
            route: chosen(route, has_several(&answer.routes, route.carrier.id)),
            before_tax: route.consignment_total.total_sell_before_tax,
            despatch: route
                .despatch_options
                .first()
                .and_then(|option| option.despatch_date_local),
            cheapest: Some(at) == cheapest,
            fastest: Some(at) == fastest,
            details: RouteDetails {
                parts: parts(route),
                despatches: route.despatch_options.iter().map(despatch).collect(),
            },
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

/// Names the refusing carrier: "Bluegum", or "Bluegum Crane" if only that service refused.
fn refusing_carrier(refusal: &RouteRefusal) -> String {
    let carrier = refusal.carrier.as_ref().map(NamedRecord::label);
    let service = refusal.carrier_service.as_ref().map(NamedRecord::label);
    let names: Vec<_> = carrier.into_iter().chain(service).collect();
    names.join(" ")
}

fn fastest(routes: &[Route]) -> Option<usize> {
    let arrival = |route: &Route| {
        route
            .despatch_options
            .first()
            .and_then(|option| option.eta_utc)
    };
    let known = routes
        .iter()
        .enumerate()
        .filter_map(|(at, route)| Some((arrival(route)?, at)));
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
        service_id: route.carrier_service.id,
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

/// Lists the parts of a price as far as the service gives them, without parts of zero.
fn parts(route: &Route) -> Vec<PricePart> {
    let total = &route.consignment_total;
    let percent = |name: &str, percent: Option<Percent>| match percent {
        Some(percent) => format!("{name}, {} %", percent.0.normalize()),
        None => name.to_owned(),
    };
    let surcharges = route
        .elective_surcharges
        .iter()
        .chain(&route.automatic_surcharges)
        .map(|surcharge| (surcharge.name.clone(), surcharge.sell_price));
    [
        ("Freight".to_owned(), total.total_base_sell_price),
        (
            percent("Fuel levy", route.fuel_levy_percentage),
            total.sell_fuel_levy_price,
        ),
    ]
    .into_iter()
    .chain(surcharges)
    .map(|(name, amount)| (name, amount, false))
    .chain([(
        percent("GST", route.tax_percentage),
        total.total_tax_sell_price,
        true,
    )])
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

fn despatch(option: &DespatchOption) -> DespatchView {
    DespatchView {
        leaves: option.despatch_date_local,
        eta: option.eta_local,
        eta_words: option.custom_eta_string.clone().unwrap_or_default(),
        business_days: option.total_business_days,
        holiday: option.eta_affected_by_public_holidays
            || option.despatch_date_affected_by_public_holidays,
        window: option.is_time_window,
        dates_only: option.carrier_accepts_despatch_times == Some(false),
    }
}

/// Formats an amount, for example `$18.40`.
pub(super) fn dollars(amount: Dollars) -> String {
    format!("${:.2}", amount.0)
}
