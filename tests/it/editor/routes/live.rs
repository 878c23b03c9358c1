//! Live prices of the middleware, together with the routes of a practice service.

use app::Core;
use app::state::{ConsignCommand, Notice, carrier_of_rate};
use draft::DgLine;
use shipping::Rate;

use super::{named, priced, typed};
use crate::support::desk::Home;
use crate::support::wire::{Wire, answer};

pub(super) fn rates(core: &Core) -> Option<Vec<Rate>> {
    let live = &core.shared.consign.live_prices;
    live.value().filter(|_| !live.is_loading()).cloned()
}

#[test]
fn live_prices_are_asked_for_with_the_routes_and_mean_the_companys_carriers() {
    let (home, practice) = Home::with_practice();
    let (service, wire, middleware) = priced(&practice);
    let mut desk = home.open(&service);
    let offers = typed(&mut desk);
    desk.until("carriers", |core| {
        (!core.shared.catalogue.carriers.is_empty()).then_some(())
    });
    let rates = desk.until("live prices", rates);
    let (road, _) = named(&offers, "Southern Cross Road");
    let rate = rates
        .iter()
        .find(|rate| {
            road.service_id
                .is_some_and(|id| rate.service_id == id.to_string())
        })
        .expect("Southern Cross Road has a live price");
    assert_eq!((rate.total_price, &*rate.currency), (road.price, "AUD"));
    let shared = &desk.core.shared;
    let company = shared.session.own_company;
    let carrier = carrier_of_rate(rate, &shared.catalogue.carriers, company);
    let carrier = carrier.expect("it is known");
    assert_eq!(carrier.carrier_id, road.carrier_id);
    let asked = |wire: &Wire, path: &str| wire.count(path);
    assert_eq!(
        asked(&middleware, "live-pricing"),
        asked(&wire, "returnRoutes"),
        "no oftener than routes"
    );
    desk.core.close(home.runtime.handle());
}

#[test]
fn live_prices_that_fail_say_so_beside_routes_that_do_not() {
    let (home, practice) = Home::with_practice();
    let (service, _, middleware) = priced(&practice);
    middleware.fail(
        "live-pricing",
        answer(
            "200 OK",
            "application/json",
            r#"{"error": "Invalid from location"}"#,
        ),
    );
    let mut desk = home.open(&service);
    typed(&mut desk);
    let words = desk.until("the failure", |core| {
        let problem = core.shared.consign.live_prices.problem()?;
        Some(Notice::failed("No live prices", problem).advice)
    });
    assert!(words.contains("Invalid from location"), "{words}");
    assert!(desk.core.shared.consign.routes.problem().is_none());
    // Goods that the live price request cannot express are not requested.
    middleware.forget();
    let good = DgLine::default();
    desk.core.editing.draft.goods[0].dangerous.push(good);
    desk.ask(ConsignCommand::FindRoutes);
    desk.until("put away", |core| {
        let live = &core.shared.consign.live_prices;
        let idle = live.problem().is_none() && !live.is_loading() && live.value().is_none();
        idle.then_some(())
    });
    assert_eq!(middleware.count("live-pricing"), 0);
    desk.core.close(home.runtime.handle());
}
