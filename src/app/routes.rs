//! Prices as the screen shows them.

use super::core::Core;
use crate::draft::{ChosenRoute, Routing};
use crate::shipping::{Route, Routes};
use crate::state::RouteView;

/// The rows of the routes card: offers by price, the cheapest and the fastest marked, then who cannot and why.
pub(super) fn views(mut answer: Routes) -> Vec<RouteView> {
    answer
        .routes
        .sort_by_key(|route| route.consignment_total.total_sell_price);
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
            route: chosen(route),
            before_tax: route.consignment_total.total_sell_before_tax,
            despatch: route
                .despatch_options
                .first()
                .and_then(|option| option.despatch_date_local),
            cheapest: Some(at) == cheapest,
            fastest: Some(at) == fastest,
        });
    let refusals = answer
        .results
        .iter()
        .filter(|refusal| !refusal.error_message.is_empty())
        .map(|refusal| RouteView::Refusal {
            carrier: refusal
                .carrier
                .as_ref()
                .map(|carrier| carrier.label().to_owned())
                .unwrap_or_default(),
            reason: refusal.error_message.clone(),
        });
    offers.chain(refusals).collect()
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

fn chosen(route: &Route) -> ChosenRoute {
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
            .map(|account| account.label().to_owned())
            .unwrap_or_default(),
        eta: route.eta(),
    }
}

impl Core {
    /// New prices: the chosen route takes its new price, or is no longer chosen where it is no longer offered.
    pub(super) fn routes_came(&mut self) {
        self.shared.routes_stale = false;
        let Some(views) = self.shared.routes.value() else {
            return;
        };
        let Routing::Chosen(chosen) = &self.editing.draft.routing else {
            return;
        };
        let same = views.iter().find_map(|view| match view {
            RouteView::Offer { route, .. }
                if (route.carrier_id, route.service_id, route.account_id)
                    == (chosen.carrier_id, chosen.service_id, chosen.account_id) =>
            {
                Some(route.clone())
            }
            _ => None,
        });
        match same {
            Some(route) => self.editing.draft.routing = Routing::Chosen(route),
            None if self.shared.routes.problem().is_none() => {
                self.editing.draft.routing = Routing::Unchosen;
            }
            None => {}
        }
    }
}
