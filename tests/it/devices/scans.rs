//! GS1 barcodes in the search box: goods are counted, consignments and orders are found by the number in the barcode.

use std::sync::Arc;

use app::state::{Screen, WindowCommand};
use draft::SavedItem;
use egui::{Key, Modifiers};

use crate::support::desk::{Home, notice, open_bench};
use crate::support::front::Front;

#[test]
fn the_gtin_of_a_saved_item_is_counted_as_often_as_the_barcode_says() {
    let (_home, _practice, mut desk) = open_bench();
    let item = SavedItem {
        sku: "9312345678907".to_owned(),
        name: "Hose reels, 20 m".to_owned(),
        ..SavedItem::default()
    };
    desk.core.shared.catalogue.items = Arc::new(vec![item]);
    let scan = |desk: &mut crate::support::desk::Desk, text: &str| {
        desk.ask(WindowCommand::Find(text.to_owned()));
        desk.turn();
        let goods = &desk.core.editing.draft.goods;
        (goods.len(), goods[0].quantity.clone())
    };
    assert_eq!(scan(&mut desk, "(01)09312345678907"), (1, "1".to_owned()));
    assert_eq!(
        scan(&mut desk, "]C10109312345678907373"),
        (1, "4".to_owned()),
        "three more"
    );
    assert_eq!(
        scan(&mut desk, "9312345678907"),
        (1, "5".to_owned()),
        "a plain barcode"
    );
}

#[test]
fn a_consignment_is_found_by_the_order_number_in_a_gs1_barcode() {
    let (_home, _practice, mut desk) = open_bench();
    let id = desk.create("PO-4711");
    desk.until("it is listed", |core| {
        core.shared.dispatch.lists(id).then_some(())
    });
    desk.ask(WindowCommand::Find("]C1400PO-4711\u{1D}21A7".to_owned()));
    desk.until("it is shown", |core| {
        let (_count, found) = core.shared.search.found?;
        (found == id && core.shared.screen == Screen::Dispatch).then_some(())
    });
}

#[test]
fn a_gs1_barcode_with_a_wrong_check_digit_is_refused_and_nothing_is_searched() {
    let (_home, _practice, mut desk) = open_bench();
    desk.ask(WindowCommand::Find("(01)09312345678900".to_owned()));
    let told = desk.until("the notice", |core| notice(&core.shared, "GS1"));
    assert!(told.advice.contains("check digit after (01)"), "{told:?}");
    assert!(desk.core.shared.search.searching_for.is_none());
}

#[test]
fn the_separator_that_a_scanner_types_ends_the_order_number() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    front.type_consignment("PO-4711");
    front.keys("<Ctrl+Enter>");
    let made = front.until("it is made", |shared| shared.consign.last_created.clone());
    front.until("it is listed", |shared| {
        shared.dispatch.lists(made.id).then_some(())
    });
    front.keys("<F9>");
    front.text("]C1400PO-4711");
    front.hold(Modifiers::CTRL, Key::CloseBracket);
    front.text("21A7");
    front.keys("<Enter>");
    front.until("it is shown", |shared| {
        let (_count, found) = shared.search.found?;
        (found == made.id && shared.screen == Screen::Dispatch).then_some(())
    });
}
