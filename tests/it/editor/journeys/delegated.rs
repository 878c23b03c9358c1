//! The receiver pays, and the shipper supplies the carrier's numbers: one for the consignment and one for
//! each piece.

use app::state::RouteView;
use draft::{Field, GoodsField};
use serde_json::json;

use super::{Clerk, goods, held, must_hold, send};

/// The first route of a carrier that takes numbers from the shipper, by its key.
fn pick_carrier(clerk: &mut Clerk) {
    clerk.await_routes();
    let routes = clerk
        .core()
        .shared
        .consign
        .routes
        .value()
        .expect("just awaited");
    let offers = routes.iter().filter_map(|view| match view {
        RouteView::Offer { route, .. } => Some(route),
        RouteView::Refusal { .. } => None,
    });
    let mut carriers = offers.map(|route| route.carrier.as_str());
    let at = carriers.position(|carrier| carrier == "Southern Cross");
    let number = at.expect("Southern Cross takes it") + 1;
    clerk.keys(&format!("<Ctrl+{number}>"));
}

#[test]
fn a_receiver_who_pays_and_delegated_references_by_keyboard() {
    let (home, practice, mut clerk) = Clerk::begin_with_sides();
    clerk.keys("SO-48217<Alt+3>");
    clerk.fill(&goods(["Hose reels", "", "4", "9", "40", "40", "30"]));
    clerk.keys("<Alt+4>");
    clerk.tab_to(Field::ReceiverAccount);
    clerk.keys("OTWAY-77");
    clerk.tab_to(Field::CarrierNumber);
    clerk.keys("SCX0099001");
    // Two come in a list, two from the scanner.
    clerk.keys("<Alt+R>");
    let references = Field::Goods(0, GoodsField::References);
    clerk.is_at(references);
    clerk.paste("HARB0001\r\nHARB0002\r\n");
    clerk.keys("<Enter>");
    clerk.is_at(references);
    for code in ["HARB0003", "HARB0004"] {
        clerk.text(code);
        clerk.keys("<Enter>");
    }
    assert!(!clerk.has_focus(references), "all four are there");
    pick_carrier(&mut clerk);
    clerk.picture("journey-delegated");
    let made = send(&mut clerk);

    let held = held(&home, &practice, made);
    must_hold(
        &held,
        &[
            ("/carrierName", json!("Southern Cross")),
            ("/customerReference", json!("SO-48217")),
            ("/receiverAccountCode", json!("OTWAY-77")),
            ("/receiverAccountId", json!(null)),
            ("/carrierConsignmentId", json!("SCX0099001")),
            ("/toCompanyLocationId", json!(7005)),
            ("/consignmentItems/0/quantity", json!(4)),
            (
                "/consignmentItems/0/references",
                json!(["HARB0001", "HARB0002", "HARB0003", "HARB0004"]),
            ),
        ],
    );
}
