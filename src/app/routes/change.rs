//! What became of a chosen route when new prices came: said until it is acknowledged or another one is chosen.

use jiff::SignedDuration;

use super::view::dollars;
use crate::draft::{ChosenRoute, Routing};
use crate::shipping::LocalTime;
use crate::state::{RouteChange, RouteView};

/// Arrivals that differ by less on the same day are the same: "now" goes on.
const SAME_ARRIVAL: SignedDuration = SignedDuration::from_hours(1);

/// The same carrier, service and account.
pub(super) fn is_same(a: &ChosenRoute, b: &ChosenRoute) -> bool {
    (a.carrier_id, a.service_id, a.account_id) == (b.carrier_id, b.service_id, b.account_id)
}

/// The choice under new offers, and what to say of it. `before` is what is being said already: its base still counts, as
/// nobody has acknowledged the change. A choice that had gone and is offered again is the clerk's choice again.
pub(super) fn follow(
    routing: &Routing,
    before: Option<&RouteChange>,
    offers: &[RouteView],
) -> (Routing, Option<RouteChange>) {
    let was = match (routing, before) {
        (Routing::Chosen(chosen), Some(change)) if is_same(&change.was, chosen) => &change.was,
        (Routing::Chosen(chosen), _) => chosen,
        (Routing::Unchosen, Some(change)) if change.gone => &change.was,
        _ => return (routing.clone(), None),
    };
    let now = offers.iter().find_map(|view| match view {
        RouteView::Offer { route, .. } if is_same(route, was) => Some(route),
        _ => None,
    });
    let Some(now) = now else {
        let words = format!("{} is no longer offered{}", name(was), why(was, offers));
        let change = RouteChange {
            was: was.clone(),
            gone: true,
            words,
        };
        return (Routing::Unchosen, Some(change));
    };
    let change = differs(was, now).map(|words| RouteChange {
        was: was.clone(),
        gone: false,
        words,
    });
    (Routing::Chosen(now.clone()), change)
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

/// What is different, in words; nothing where it is as it was.
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
            "arrives {way} that day, at {}",
            now.0.strftime("%H:%M")
        )),
        1 => Some(format!("arrives a day {way}")),
        days => Some(format!("arrives {days} days {way}")),
    }
}
