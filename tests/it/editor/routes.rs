//! Routes from a practice service: price parts and times, changes to a chosen route, a carrier alone, live
//! prices.

mod account;
mod card;
mod live;

use app::state::{ConsignCommand, RouteChange, RouteDetails, RouteView};
use app::{Core, MiddlewareAccess, Service};
use draft::{ChosenRoute, ContentsLine, DgLine, GoodsLine, ItemSource, Routing};
use practice::RunningService;
use shipping::CarrierId;

use crate::support::desk::{Desk, Home, open_bench};
use crate::support::wire::Wire;

const TASMAN: i64 = 13;

/// The practice service as the program starts it, with live prices, behind a wire.
fn priced(practice: &RunningService) -> (Service, Wire, Wire) {
    let wire = |address: String| {
        let address = address.trim_start_matches("http://");
        let machine = address.split('/').next().expect("a machine");
        Wire::before(machine.parse().expect("an address"))
    };
    let service = wire(practice.base_url());
    let middleware = wire(practice.middleware_url());
    let path = practice
        .middleware_url()
        .trim_start_matches("http://")
        .split_once('/')
        .map(|(_, path)| format!("/{path}"))
        .unwrap_or_default();
    let prices = MiddlewareAccess {
        address: format!("{}{path}", middleware.base_url()),
        platform: "packbench".to_owned(),
        integration: practice.integration_id().into(),
        token: practice.token().into(),
    };
    let open = Service {
        middleware: Some(prices),
        ..Home::service(service.base_url(), practice.token())
    };
    (open, service, middleware)
}

fn offers(core: &Core) -> Vec<(ChosenRoute, RouteDetails)> {
    let views = core.shared.consign.routes.value().into_iter().flatten();
    views
        .filter_map(|view| match view {
            RouteView::Offer { route, details, .. } => Some((route.clone(), (**details).clone())),
            RouteView::Refusal { .. } => None,
        })
        .collect()
}

fn settled(core: &Core) -> Option<Vec<(ChosenRoute, RouteDetails)>> {
    let shared = &core.shared;
    let still = shared.consign.routes.is_loading() || shared.consign.routes_stale;
    Some(offers(core)).filter(|offers| !still && !offers.is_empty())
}

fn named(offers: &[(ChosenRoute, RouteDetails)], name: &str) -> (ChosenRoute, RouteDetails) {
    let mut offers = offers.iter();
    let found = offers.find(|(route, _)| format!("{} {}", route.carrier, route.service) == name);
    found.cloned().unwrap_or_else(|| panic!("{name}"))
}

/// Types a consignment and waits for its routes.
fn typed(desk: &mut Desk) -> Vec<(ChosenRoute, RouteDetails)> {
    desk.type_consignment("SO-48213");
    desk.core.editing.draft.routing = Routing::Unchosen;
    desk.until("routes", settled)
}

/// Chooses a route, changes the draft and waits for what is said of the choice.
fn changed(
    desk: &mut Desk,
    route: &ChosenRoute,
    change: impl FnOnce(&mut draft::Draft),
) -> RouteChange {
    desk.core.editing.draft.routing = Routing::Chosen(route.clone());
    desk.turn();
    change(&mut desk.core.editing.draft);
    desk.until("what changed", |core| {
        settled(core)?;
        core.editing.route_change.clone()
    })
}

#[test]
fn a_price_is_shown_with_and_without_tax_and_by_its_parts() {
    let (home, _practice, mut desk) = open_bench();
    desk.core
        .editing
        .draft
        .questions
        .insert(shipping::Question::Tailgate);
    let offers = typed(&mut desk);
    for view in desk.core.shared.consign.routes.value().expect("routes") {
        let RouteView::Offer {
            route,
            before_tax,
            details,
            ..
        } = view
        else {
            continue;
        };
        let sum: rust_decimal::Decimal = details.parts.iter().map(|part| part.amount.0).sum();
        assert_eq!(Some(sum), route.price.map(|price| price.0), "{details:?}");
        let tax = details.parts.last().expect("parts");
        assert_eq!(tax.name, "GST, 10 %");
        assert_eq!(
            before_tax.map(|price| price.0),
            Some(sum - tax.amount.0),
            "{route:?}"
        );
    }
    let (_, details) = named(&offers, "Southern Cross Road");
    let names: Vec<_> = details.parts.iter().map(|part| &*part.name).collect();
    assert_eq!(names[..2], ["Freight", "Fuel levy, 18.5 %"]);
    assert!(names[2].to_lowercase().contains("tailgate"), "{names:?}");
    desk.core.close(home.runtime.handle());
}

#[test]
fn accounts_are_named_where_the_company_has_several_and_nowhere_else() {
    let (home, _practice, mut desk) = open_bench();
    for (route, _) in typed(&mut desk) {
        let several = route.carrier_id == CarrierId::new(TASMAN);
        assert_eq!(route.account.is_empty(), !several, "{route:?}");
    }
    desk.core.close(home.runtime.handle());
}

#[test]
fn a_route_that_got_dearer_says_by_how_much_until_that_is_acknowledged() {
    let (home, _practice, mut desk) = open_bench();
    let road = named(&typed(&mut desk), "Southern Cross Road").0;
    let change = changed(&mut desk, &road, |draft| {
        "90".clone_into(&mut draft.goods[0].weight);
    });
    let now = named(&offers(&desk.core), "Southern Cross Road").0;
    let price = |route: &ChosenRoute| format!("${:.2}", route.price.expect("a price").0);
    let words = format!("Southern Cross Road: {} → {}", price(&road), price(&now));
    assert_eq!((&*change.message, change.gone), (&*words, false));
    assert_eq!(
        desk.core.editing.draft.routing,
        Routing::Chosen(now.clone())
    );
    // Once more, and unacknowledged: held against what the clerk chose.
    let change = changed(&mut desk, &now, |draft| {
        "120".clone_into(&mut draft.goods[0].weight);
    });
    assert!(change.message.contains(&price(&road)), "{}", change.message);
    desk.core.editing.route_change = None;
    desk.until("acknowledged", |core| {
        core.editing.route_change.is_none().then_some(())
    });
    desk.core.close(home.runtime.handle());
}

#[test]
fn a_route_that_arrives_later_says_so_and_one_that_is_back_as_it_was_says_nothing() {
    let (home, _practice, mut desk) = open_bench();
    let road = named(&typed(&mut desk), "Southern Cross Road").0;
    let change = changed(&mut desk, &road, |draft| {
        "2026-11-23 09:00".clone_into(&mut draft.despatch);
    });
    assert_eq!(change.message, "Southern Cross Road: arrives a day later");
    desk.core.editing.draft.despatch.clear();
    desk.until("as it was", |core| {
        settled(core)?;
        core.editing.route_change.is_none().then_some(())
    });
    assert_eq!(desk.core.editing.draft.routing, Routing::Chosen(road));
    desk.core.close(home.runtime.handle());
}

#[test]
fn a_route_that_is_no_longer_offered_says_why_and_no_other_takes_its_place() {
    let (home, _practice, mut desk) = open_bench();
    let parcel = named(&typed(&mut desk), "Wattle Parcel Standard").0;
    let change = changed(&mut desk, &parcel, |draft| {
        "40".clone_into(&mut draft.goods[0].weight);
    });
    assert!(change.gone);
    let said = "Wattle Parcel Standard is no longer offered: ";
    assert!(change.message.starts_with(said), "{}", change.message);
    assert!(change.message.len() > said.len(), "with the reason");
    assert_eq!(desk.core.editing.draft.routing, Routing::Unchosen);
    // Offered again, it is the clerk's choice again.
    "9".clone_into(&mut desk.core.editing.draft.goods[0].weight);
    desk.until("chosen again", |core| {
        settled(core)?;
        (core.editing.draft.routing == Routing::Chosen(parcel.clone())).then_some(())
    });
    assert_eq!(desk.core.editing.route_change, None);
    desk.core.close(home.runtime.handle());
}

#[test]
fn prices_that_cannot_be_had_leave_the_choice_as_it_is() {
    let (home, practice) = Home::with_practice();
    let (service, wire, _) = priced(&practice);
    let mut desk = home.open(&service);
    let road = named(&typed(&mut desk), "Southern Cross Road").0;
    desk.core.editing.draft.routing = Routing::Chosen(road.clone());
    desk.turn();
    wire.fail(
        "returnRoutes",
        crate::support::wire::answer("500 Broken", "text/plain", "no"),
    );
    "19".clone_into(&mut desk.core.editing.draft.goods[0].weight);
    desk.until("the failure", |core| {
        core.shared.consign.routes.problem().map(|_| ())
    });
    assert_eq!(desk.core.editing.draft.routing, Routing::Chosen(road));
    assert!(desk.core.shared.consign.routes_stale, "the prices are old");
    assert_eq!(desk.core.editing.route_change, None);
    desk.core.close(home.runtime.handle());
}

#[test]
fn one_despatch_time_is_sent_and_no_other_field() {
    let (home, _practice, mut desk) = open_bench();
    typed(&mut desk);
    let draft = &mut desk.core.editing.draft;
    "2026-11-23 09:30".clone_into(&mut draft.despatch);
    draft.routing = Routing::Cheapest;
    let check = draft.check(&desk.core.shared.check_context());
    let request = check.request().expect("it passes").clone();
    let sent = serde_json::to_value(&request).expect("JSON");
    let times: Vec<_> = sent
        .as_object()
        .expect("a record")
        .iter()
        .filter(|(name, _)| name.contains("DateTime"))
        .collect();
    assert_eq!(times.len(), 1, "{times:?}");
    assert_eq!(times[0].0, "dispatchDateTimeLocal");
    desk.core.close(home.runtime.handle());
}

#[test]
fn a_carrier_alone_is_sent_without_its_price() {
    let (home, practice) = Home::with_practice();
    let (service, wire, _) = priced(&practice);
    wire.fail(
        "returnRoutes",
        crate::support::wire::answer("500 Broken", "text/plain", "no"),
    );
    let mut desk = home.open(&service);
    desk.type_consignment("SO-48214");
    let carriers = desk.until("carriers", |core| {
        Some(core.shared.catalogue.carriers.clone()).filter(|carriers| !carriers.is_empty())
    });
    let tasman = carriers
        .iter()
        .find(|carrier| carrier.id == CarrierId::new(TASMAN))
        .expect("Tasman Freight");
    let account = &tasman.carrier_accounts[1];
    desk.core.editing.draft.routing = Routing::Carrier(ChosenRoute {
        account_id: Some(account.id),
        company_account_id: account.company_carrier_account_id,
        account: account.label().to_owned(),
        ..ChosenRoute::of_carrier(tasman.id, tasman.label().to_owned())
    });
    desk.send();
    let created = desk.until("created", |core| core.shared.consign.last_created.clone());
    assert_eq!(created.carrier_name(), "Tasman Freight");
    assert_eq!(created.service_name(), "General", "its cheapest");
    desk.core.close(home.runtime.handle());
}

#[test]
fn prices_come_for_saved_items_stored_goods_and_abroad() {
    let (home, _practice, mut desk) = open_bench();
    typed(&mut desk);
    let priced = |desk: &mut Desk, what: &str| {
        desk.ask(ConsignCommand::FindRoutes);
        desk.turn();
        desk.until(what, |core| {
            let problem = core.shared.consign.routes.problem();
            assert!(problem.is_none(), "{what}: {problem:?}");
            settled(core)
        })
    };
    let line = GoodsLine {
        source: ItemSource::Sku,
        sku: "HR-20".to_owned(),
        item_type: String::new(),
        ..GoodsLine::default()
    };
    let direct = std::mem::replace(&mut desk.core.editing.draft.goods[0], line);
    assert!(!priced(&mut desk, "a saved item").is_empty());
    let mut stored = direct.clone();
    stored.dangerous = vec![DgLine {
        stored: "9001".to_owned(),
        ..DgLine::default()
    }];
    desk.core.editing.draft.goods[0] = stored;
    assert!(!priced(&mut desk, "a stored good").is_empty());
    let mut abroad = direct;
    abroad.contents = vec![ContentsLine {
        description: "Hose reels".to_owned(),
        reference1: "SO-48213".to_owned(),
        quantity: "2".to_owned(),
        harmonised_code: "3917.39".to_owned(),
        purpose: "Sale".to_owned(),
        country: "Australia".to_owned(),
        value: "99".to_owned(),
        ..ContentsLine::default()
    }];
    let draft = &mut desk.core.editing.draft;
    draft.goods[0] = abroad;
    for (slot, text) in [
        (&mut draft.to.country, "New Zealand"),
        (&mut draft.to.city, "Auckland"),
        (&mut draft.to.province, "Auckland"),
        (&mut draft.to.postcode, "1010"),
    ] {
        text.clone_into(slot);
    }
    let offers = priced(&mut desk, "abroad");
    assert!(
        offers.iter().any(|(route, _)| route.service == "Sea"),
        "{offers:?}"
    );
    desk.core.close(home.runtime.handle());
}
