//! Packing without a scanner, and stopping it.

use egui::Event;

use super::{Bench, KIT, quantities};
use crate::support::keyboard::{burst, keys, typed};

/// Types a character as a keyboard does: its key and its text.
fn press(bench: &mut Bench, key: &str, text: &str) {
    let mut events = keys(&format!("<{key}>"));
    events.insert(1, Event::Text(text.to_owned()));
    burst(bench.front.widgets(), events);
    bench.front.rest();
}

#[test]
fn an_order_that_is_opened_by_hand_is_packed_by_keyboard_alone() {
    let mut bench = Bench::with_order();
    bench.open_by_hand("SO-77");
    assert_eq!(bench.packing(), None, "only a scan begins by itself");
    assert!(bench.says("Pack by scan"));
    bench.front.keys("<Alt+P>");
    assert_eq!(bench.packed(), [0, 0]);
    bench.front.keys("<Alt+P>");
    press(&mut bench, "Space", " ");
    press(&mut bench, "Plus", "+");
    press(&mut bench, "Plus", "+");
    assert_eq!(bench.packed(), [3, 0]);
    press(&mut bench, "Minus", "-");
    assert_eq!(bench.packed(), [2, 0]);
    press(&mut bench, "Plus", "+");
    bench.front.keys("<Down>");
    for _ in 0..4 {
        press(&mut bench, "Space", " ");
    }
    assert_eq!(bench.packed(), [3, 4]);
    press(&mut bench, "Space", " ");
    assert!(bench.says("4 of 4 are packed. Put the last one back"));
    bench.front.keys("<Enter>");
    assert_eq!((bench.stop(), bench.packed()), (None, vec![3, 4]));
    bench.front.keys("<Up>");
    press(&mut bench, "Minus", "-");
    press(&mut bench, "Minus", "-");
    assert_eq!(bench.packed(), [1, 4]);
    press(&mut bench, "Plus", "+");
    press(&mut bench, "Plus", "+");
    bench.front.keys("<Ctrl+Enter>");
    let sent = bench.recorded("SO-77");
    assert_eq!(quantities(&sent)[1], (KIT.to_owned(), 4));
}

#[test]
fn a_scanner_that_types_into_the_list_counts_and_its_characters_are_no_keys() {
    let mut bench = Bench::with_order();
    bench.scan_all(&["SO-77", "REEL-20"]);
    bench.front.keys("<Alt+P>");
    // The SKU has a minus sign, which takes a piece back if a person presses it.
    let scan = typed("REEL-20").into_iter().chain(keys("<Enter>"));
    burst(bench.front.widgets(), scan);
    bench.front.rest();
    assert_eq!(bench.packed(), [2, 0]);
}

#[test]
fn packing_is_stopped_by_a_key_and_asks_before_it_forgets_counts() {
    let mut bench = Bench::with_order();
    bench.scan("SO-77");
    bench.front.keys("<Alt+Q>");
    assert_eq!(bench.packing(), None);
    bench.front.keys("<Alt+P>");
    bench.scan("REEL-20");
    bench.front.keys("<Alt+Q>");
    assert!(bench.says("The pieces counted so far are forgotten"));
    bench.front.keys("<Esc>");
    assert_eq!(bench.packed(), [1, 0]);
    bench.front.keys("<Alt+Q><Enter>");
    assert_eq!(bench.packing(), None);
    assert_eq!(bench.draft().goods[0].quantity, "3");
}

#[test]
fn a_draft_without_skus_can_not_be_packed_by_scan() {
    let mut bench = Bench::with_order();
    bench.front.type_consignment("SO-80");
    bench.front.keys("<Alt+P>");
    assert_eq!(bench.packing(), None);
    bench.front.until("the notice", |shared| {
        crate::support::desk::notice(shared, "can't be packed by scan")
    });
}
