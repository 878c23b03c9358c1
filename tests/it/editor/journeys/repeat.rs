//! The usual case: a known receiver and a saved item.

use draft::{AddressField, Field, GoodsField};
use serde_json::json;

use super::{Clerk, RECEIVER, held, must_hold, receiver, send};

/// So many keys besides text, Ctrl and Alt counted as keys of their own.
const MOST_KEYS: usize = 12;

/// The first time: the address in full, and the SKU of a saved item that the bench has not met yet.
fn first(clerk: &mut Clerk) {
    clerk.pick_sender();
    clerk.is_at(Field::To(AddressField::Saved));
    clerk.text(RECEIVER[0].1);
    clerk.keys("<Enter>");
    clerk.fill(&RECEIVER[1..]);
    clerk.is_at(Field::Reference1);
    clerk.keys("<Alt+3><Tab>");
    clerk.is_at(Field::Goods(0, GoodsField::Sku));
    clerk.keys("HR-20<Ctrl+B>");
    clerk.is_at(Field::Goods(0, GoodsField::Quantity));
    clerk.keys("2<Alt+C>");
    send(clerk);
}

#[test]
fn a_known_receiver_and_a_saved_item_take_twelve_keys_at_most() {
    let (home, practice, mut clerk) = Clerk::begin();
    first(&mut clerk);
    clerk.until("the next, with the sender kept", |core| {
        let draft = &core.editing.draft;
        let known =
            !core.shared.catalogue.receivers.is_empty() && !core.shared.catalogue.items.is_empty();
        (known && draft.is_blank() && draft.from.saved.is_some()).then_some(())
    });

    clerk.keys_pressed = 0;
    clerk.is_at(Field::To(AddressField::Saved));
    clerk.keys("otway<Enter>");
    clerk.is_at(Field::Reference1);
    clerk.keys("SO-48214<Alt+3><Tab>HR-20<Enter>");
    clerk.is_at(Field::Goods(0, GoodsField::Quantity));
    clerk.keys("3");
    clerk.await_routes();
    clerk.keys("<Ctrl+1>");
    clerk.picture("journey-repeat");
    let made = send(&mut clerk);
    eprintln!(
        "a repeat consignment takes {} keys besides text",
        clerk.keys_pressed
    );
    assert!(
        clerk.keys_pressed <= MOST_KEYS,
        "{} keys",
        clerk.keys_pressed
    );

    let held = held(&home, &practice, made);
    must_hold(&held, &receiver());
    must_hold(
        &held,
        &[
            ("/fromCompanyLocationId", json!(7001)),
            ("/toLocation/suburb", json!("Ballarat Central")),
            ("/toLocation/postcode", json!("3350")),
            ("/customerReference", json!("SO-48214")),
            ("/consignmentItems/0/companyItemId", json!(8001)),
            ("/consignmentItems/0/sku", json!("HR-20")),
            ("/consignmentItems/0/quantity", json!(3)),
            ("/totalItemCount", json!(3)),
            ("/totalWeight", json!(27)),
        ],
    );
    assert_eq!(held["consignmentItems"].as_array().map(Vec::len), Some(1));
}
