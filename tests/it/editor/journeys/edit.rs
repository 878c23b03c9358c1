//! Changes goods and references of a sent consignment.

use app::state::Screen;
use draft::{Field, GoodsField};
use serde_json::json;

use super::{Clerk, held, must_hold};
use crate::recovery::errands::order;
use crate::support::desk::Home;
use crate::support::lanes::{QUICK, client};

#[test]
fn goods_and_references_are_changed_by_keyboard() {
    let (home, practice) = Home::with_practice();
    let caller = client(&practice.base_url(), practice.token(), QUICK);
    let mut request = order("SO-48213");
    request.carrier_id = Some(shipping::CarrierId::new(11));
    request.default_route_selection = None;
    let made = home.runtime.block_on(caller.create(&request));
    let made = made.expect("created");
    let mut clerk = Clerk::new(&home, &practice);
    clerk.until("it is listed", |core| {
        core.shared
            .dispatch
            .unmanifested
            .value()?
            .first()
            .map(|_| ())
    });
    // Scanned, and changed.
    clerk.keys("<F9>SO-48213<Enter>");
    clerk.until("it is in sight", |core| {
        (core.shared.screen == Screen::Dispatch).then_some(())
    });
    clerk.keys("<Ctrl+E>");
    clerk.until("it is open", |core| {
        let edited = core.editing.draft.edits.as_ref()?;
        (edited.id == made.id && core.shared.screen == Screen::Consign).then_some(())
    });
    clerk.keys("<Alt+3>");
    clerk.replace(Field::Goods(0, GoodsField::Quantity), "1");
    clerk.replace(Field::Goods(0, GoodsField::Weight), "12,5");
    clerk.keys("<Alt+4>");
    clerk.replace(Field::Goods(0, GoodsField::References), "HARB0001");
    crate::journeys::kit::picture(&mut clerk.window, "journey-edit");
    clerk.keys("<Ctrl+Enter>");
    clerk.until("it is changed", |core| {
        let one = core.shared.dispatch.unmanifested.value()?.first()?;
        let one = core.shared.row(*one)?;
        (one.pieces == 1 && core.editing.draft.is_blank()).then_some(())
    });
    must_hold(
        &held(&home, &practice, made.id),
        &[
            ("/customerReference", json!("SO-48213")),
            ("/carrier/id", json!(11)),
            ("/totalWeight", json!(12.5)),
            ("/totalItemCount", json!(1)),
            ("/consignmentItems/0/quantity", json!(1)),
            ("/consignmentItems/0/weight", json!(12.5)),
            ("/consignmentItems/0/references", json!(["HARB0001"])),
            ("/consignmentItems/1", json!(null)),
        ],
    );
}
