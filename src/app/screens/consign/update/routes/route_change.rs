//! Compares the chosen route with new prices. The change is shown until it is acknowledged or another route
//! is chosen.

use jiff::SignedDuration;

use super::route_rows::dollars;
use crate::state::{RouteChange, RouteView};
use draft::{ChosenRoute, Routing};
use shipping::LocalTime;

/// Arrivals on the same day that differ by less than this count as equal, because a despatch "now" moves on
/// with the clock.
const SAME_ARRIVAL: SignedDuration = SignedDuration::from_hours(1);

/// Returns the choice after new offers, and the change to show. `before` is the change that is already shown:
/// the comparison starts from the route of before that change, because nobody has acknowledged it. A route
/// that was no longer offered becomes the choice again as soon as it is offered again.
///
/// With `as_it_is` the choice keeps its accounts, or keeps having none: a change of a consignment leaves its
/// accounts alone.
pub(super) fn apply_new_offers(
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
    let routes = || {
        offers.iter().filter_map(|view| match view {
            RouteView::Offer { route, .. } => Some(route),
            RouteView::Refusal { .. } => None,
        })
    };
    let Some(now) = was.among(routes()) else {
        if routes().any(|route| was.is_same(route)) {
            // The route is offered on several accounts. The clerk has to choose one.
            return (routing.clone(), None);
        }
        let words = format!("{} is no longer offered{}", name(was), why(was, offers));
        let change = RouteChange {
            was: was.clone(),
            gone: true,
            message: words,
        };
        return (Routing::Unchosen, Some(change));
    };
    let change = differs(was, now).map(|words| RouteChange {
        was: was.clone(),
        gone: false,
        message: words,
    });
    let mut now = now.clone();
    if as_it_is {
        now.account_id = was.account_id;
        now.company_account_id = was.company_account_id;
    }
    (Routing::Chosen(now), change)
}

fn name(route: &ChosenRoute) -> String {
    let account = if route.account.is_empty() {
        String::new()
    } else {
        format!(" ({})", route.account)
    };
    format!("{} {}{account}", route.carrier, route.service)
}

fn why(was: &ChosenRoute, offers: &[RouteView]) -> String {
    offers
        .iter()
        .find_map(|view| match view {
            RouteView::Refusal { carrier, reason }
                if *carrier == was.carrier
                    || *carrier == format!("{} {}", was.carrier, was.service) =>
            {
                Some(format!(": {reason}"))
            }
            _ => None,
        })
        .unwrap_or_default()
}

/// Describes the differences in price and arrival; `None` if there are none.
fn differs(was: &ChosenRoute, now: &ChosenRoute) -> Option<String> {
    let price = match (was.price, now.price) {
        (Some(was), Some(now)) if was != now => {
            Some(format!("{} → {}", dollars(was), dollars(now)))
        }
        (Some(was), None) => Some(format!("{} → no price", dollars(was))),
        _ => None,
    };
    let arrival = match (was.eta, now.eta) {
        (Some(was), Some(now)) => arrives(was, now),
        _ => None,
    };
    let parts: Vec<_> = [price, arrival].into_iter().flatten().collect();
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
