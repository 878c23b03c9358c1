//! The consignment form: suggestions, focus and prices (defects 6, 17, 22 and 24).

use app::config::Settings;
use app::state::RouteView;
use draft::{ChosenRoute, Routing};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use practice::RunningService;
use shipping::Consignment;

use crate::support::desk::{Desk, Home, fill, notice, open_bench};
use crate::support::front::Front;

fn priced(desk: &mut Desk, routing: Routing) {
    desk.type_consignment("SO-1");
    desk.core.editing.draft.routing = routing;
    desk.pass(std::time::Duration::from_secs(1));
    desk.until("prices", |core| {
        let routes = &core.shared.consign.routes;
        let is_there = routes.value().is_some() && !routes.is_loading();
        (is_there && !core.shared.consign.routes_stale).then_some(())
    });
}

#[test]
fn n17_the_row_that_the_service_would_pick_is_marked() {
    let (_home, _practice, mut desk) = open_bench();
    priced(&mut desk, Routing::Fastest);
    let routes = desk.core.shared.consign.routes.value().expect("prices");
    let flags = |routing: &Routing| match RouteView::taken(routing, routes) {
        Some(RouteView::Offer {
            cheapest, fastest, ..
        }) => (*cheapest, *fastest),
        other => panic!("no offer is taken: {other:?}"),
    };
    assert!(flags(&Routing::Fastest).1);
    assert!(flags(&Routing::Cheapest).0);
}

const ASKS: &str = "Send again to accept this price, or choose another route";

/// The window with a consignment that can be sent, and its prices.
fn window() -> (Home, RunningService, Front) {
    let (home, practice) = Home::with_practice();
    let mut front = Front::at_practice(&home, &practice);
    front.type_consignment("SO-1");
    until_priced(&mut front);
    (home, practice, front)
}

fn until_priced(front: &mut Front) {
    front.until("prices", |shared| {
        let is_there =
            shared.consign.routes.value().is_some() && !shared.consign.routes.is_loading();
        (is_there && !shared.consign.routes_stale).then_some(())
    });
    front.rest();
}

fn is_asked(front: &mut Front) -> bool {
    front.widgets().query_by_label_contains(ASKS).is_some()
}

/// Sends the form, which asks once; then sends it again, and answers what was bought.
fn asked_and_bought(front: &mut Front) -> Consignment {
    front.keys("<Ctrl+Enter>");
    assert!(is_asked(front), "it asks");
    assert!(
        front.shared().consign.sent.is_empty(),
        "nothing is sent yet"
    );
    assert_eq!(front.shared().operations.list.len(), 0);
    front.keys("<Ctrl+Enter>");
    front.until("it is made", |shared| shared.consign.last_created.clone())
}

fn fastest(front: &Front) -> ChosenRoute {
    let routes = front.shared().consign.routes.value().expect("prices");
    let fastest = RouteView::taken(&Routing::Fastest, routes).and_then(RouteView::route);
    fastest.expect("an offer").clone()
}

#[test]
fn n17_a_price_far_above_the_cheapest_is_asked_once() {
    let (_home, _practice, mut front) = window();
    front.keys("<Alt+F>");
    let fastest = fastest(&front);
    let made = asked_and_bought(&mut front);
    assert_eq!(made.consignment_total.total_sell_price, fastest.price);
}

#[test]
fn n17_a_dear_route_that_was_chosen_by_hand_is_asked_once() {
    let (_home, _practice, mut front) = window();
    let fastest = fastest(&front);
    let row = format!("{} {}", fastest.carrier, fastest.service);
    front.widgets().get_by_label_contains(&row).focus();
    front.rest();
    front.keys("<Space>");
    let editing = front.widgets().state_mut().editing_mut().expect("a form");
    assert!(
        matches!(editing.draft.routing, Routing::Chosen(_)),
        "{:?}",
        editing.draft.routing
    );
    let made = asked_and_bought(&mut front);
    assert_eq!(made.consignment_total.total_sell_price, fastest.price);
}

#[test]
fn n17_settings_say_from_which_price_on_it_is_asked() {
    let (home, _practice, mut front) = window();
    front.keys("<Ctrl+Comma>");
    front.focus("Bench & appearance");
    front.keys("<Enter>");
    front.focus("Ask before sending");
    front.keys("Never<F2><Alt+F><Ctrl+Enter>");
    assert!(!is_asked(&mut front));
    front.until("it is made", |shared| shared.consign.last_created.clone());
    let settings = Settings::read(&home.places).expect("settings");
    assert_eq!(settings.bench.dear_percent, None);
}

#[test]
fn n17_sending_all_leaves_out_what_costs_much_more_and_says_so() {
    let (_home, _practice, mut front) = window();
    front.keys("<Alt+F><Ctrl+N>");
    let editing = front.widgets().state_mut().editing_mut().expect("a form");
    fill(&mut editing.draft, "SO-2");
    front.rest();
    front.keys("<Ctrl+N>");
    front.until("both are counted", |shared| {
        (shared.consign.batch().ready.len() == 2).then_some(())
    });
    front.keys("<Ctrl+Shift+A>");
    front.hold(Modifiers::COMMAND, Key::Enter);
    let notice = front.until("the run ends", |shared| notice(shared, "of 2 sent"));
    assert_eq!(notice.headline, "1 of 2 sent · 1 skipped");
    assert!(
        notice.detail.contains("SO-1: ") && notice.detail.contains("the cheapest"),
        "{notice:?}"
    );
    let [draft] = front.shared().consign.drafts.as_slice() else {
        panic!("{:?}", front.shared().consign.drafts);
    };
    assert_eq!(draft.reference1, "SO-1", "it is a draft still");
}
