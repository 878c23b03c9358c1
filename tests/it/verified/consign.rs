//! The consignment form: suggestions, focus and prices (defects 6, 17, 22 and 24).

use packbench::draft::Routing;
use packbench::state::RouteView;

use crate::support::desk::{Desk, Home};

fn priced(desk: &mut Desk, routing: Routing) {
    desk.type_consignment("SO-1");
    desk.core.editing.draft.routing = routing;
    desk.pass(std::time::Duration::from_secs(1));
    desk.until("prices", |core| {
        let routes = &core.shared.routes;
        let is_there = routes.value().is_some() && !routes.is_loading();
        (is_there && !core.shared.routes_stale).then_some(())
    });
}

#[test]
fn n17_the_row_that_the_service_would_pick_is_marked() {
    let home = Home::new();
    let practice = home.practise();
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    priced(&mut desk, Routing::Fastest);
    let routes = desk.core.shared.routes.value().expect("prices");
    let flags = |routing: &Routing| match RouteView::taken(routing, routes) {
        Some(RouteView::Offer {
            cheapest, fastest, ..
        }) => (*cheapest, *fastest),
        other => panic!("no offer is taken: {other:?}"),
    };
    assert!(flags(&Routing::Fastest).1);
    assert!(flags(&Routing::Cheapest).0);
}

#[test]
fn n17_a_price_far_above_the_cheapest_is_asked_once() {
    let home = Home::new();
    let practice = home.practise();
    let mut desk = home.open(&Home::service(practice.base_url(), practice.token()));
    priced(&mut desk, Routing::Fastest);
    let routes = desk.core.shared.routes.value().expect("prices");
    let question = RouteView::question_of_price(&Routing::Fastest, routes);
    let none = RouteView::question_of_price(&Routing::Cheapest, routes);
    assert_eq!(none, None);
    let question = question.expect("practice's fastest offer is dear");
    desk.send();
    desk.turn();
    assert_eq!(desk.core.editing.price_question, Some(question));
    assert!(desk.core.shared.sent.is_empty(), "nothing is sent yet");
    desk.send();
    desk.until("it is made", |core| core.shared.last_created.clone());
}
