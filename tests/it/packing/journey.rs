//! Packing from the scan of the order to its last piece.

use app::sounds::ScanSound;
use app::state::{ImportStage, OrdersCommand, PackingStop, Screen};

use super::{Bench, KIT, KIT_IN_BARCODE, quantities};
#[cfg(target_os = "linux")]
use crate::devices::scanner_journey::{bench_with, scan};
use crate::journeys::kit::picture_showing;
#[cfg(target_os = "linux")]
use crate::support::cable::Cable;
use crate::support::keyboard::{burst, keys, typed};

#[test]
fn an_order_that_is_opened_by_its_scan_is_packed_and_sent_complete() {
    let mut bench = Bench::with_order();
    bench.scan("SO-77");
    let packing = bench.packing().expect("the order is packed by scan");
    let lines: Vec<_> = { packing.lines.iter() }
        .map(|line| {
            (
                line.sku.as_str(),
                line.name.as_str(),
                line.expected,
                line.packed,
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            ("REEL-20", "Hose reels, 20 m", 3, 0),
            (KIT, "Irrigation kit", 4, 0)
        ]
    );
    assert_eq!(bench.home.heard(), [ScanSound::Found]);
    bench.scan_all(&["reel-20", "REEL-20"]);
    // One barcode of a box with three kits.
    bench.scan(&format!("{KIT_IN_BARCODE}373"));
    assert_eq!(bench.packed(), [2, 3]);
    assert_eq!(bench.home.heard(), [ScanSound::Found; 3]);
    picture_showing(
        bench.front.widgets(),
        "packing",
        &[
            "Packing SO-77",
            "5 of 7 packed",
            "REEL-20, Hose reels, 20 m: 2 of 3 packed, 1 to go",
            "Irrigation kit: 3 of 4 packed",
        ],
    );
    let quantities_typed: Vec<_> = { bench.draft().goods.iter() }
        .map(|line| line.quantity.clone())
        .collect();
    assert_eq!(quantities_typed, ["3", "4"], "scans raise no quantity");
    bench.scan_all(&["REEL-20", KIT]);
    picture_showing(
        bench.front.widgets(),
        "packing-complete",
        &["7 of 7 packed", "3 of 3 packed, complete"],
    );
    assert!(
        bench.front.shared().consign.sent.is_empty(),
        "not by itself"
    );
    bench.front.keys("<Ctrl+Enter>");
    let sent = bench.recorded("SO-77");
    let wanted = [("REEL-20".to_owned(), 3), (KIT.to_owned(), 4)];
    assert_eq!(quantities(&sent), wanted);
    assert_eq!(bench.packing(), None, "the next order is another one");
}

#[test]
fn a_wrong_piece_stops_until_it_is_acknowledged() {
    let mut bench = Bench::with_order();
    bench.scan_all(&["SO-77", "REEL-20"]);
    bench.home.heard();
    bench.scan("PUMP-3");
    assert_eq!(
        bench.stop(),
        Some(PackingStop::NotOrdered("PUMP-3".to_owned()))
    );
    assert_eq!(bench.home.heard(), [ScanSound::NotFound]);
    picture_showing(
        bench.front.widgets(),
        "packing-wrong",
        &[
            "PUMP-3 is not in this order",
            "Nothing was counted",
            "Continue",
        ],
    );
    // A scanner that types goes on scanning: neither its text nor its Enter counts or acknowledges.
    let next = typed("REEL-20").into_iter().chain(keys("<Enter>"));
    burst(bench.front.widgets(), next);
    bench.front.rest();
    assert!(bench.stop().is_some());
    assert_eq!(bench.packed(), [1, 0]);
    bench.front.rest();
    bench.front.keys("<Enter>");
    assert_eq!(bench.stop(), None);
    bench.scan("REEL-20");
    assert_eq!(bench.packed(), [2, 0]);
}

#[test]
fn a_piece_too_many_stops_and_is_not_counted() {
    let mut bench = Bench::with_order();
    bench.scan_all(&["SO-77", "REEL-20", "REEL-20", "REEL-20", "REEL-20"]);
    let Some(PackingStop::Surplus { line, pieces: 1 }) = bench.stop() else {
        panic!("{:?}", bench.stop());
    };
    assert_eq!((line.packed, line.expected), (3, 3));
    assert!(bench.says("3 of 3 are packed. Put the last one back"));
    bench.front.keys("<Esc>");
    assert_eq!((bench.stop(), bench.packed()), (None, vec![3, 0]));
    // A box of more kits than are missing is not counted in part.
    bench.scan(&format!("{KIT_IN_BARCODE}375"));
    assert!(bench.says("The barcode counts 5 pieces"));
    bench.front.keys("<Esc>");
    assert_eq!(bench.packed(), [3, 0]);
}

#[test]
fn a_scan_into_the_goods_counts_a_packed_piece_too() {
    let mut bench = Bench::with_order();
    bench.scan("SO-77");
    bench.front.focus("Line 1: Name");
    let scan = typed("REEL-20").into_iter().chain(keys("<Enter>"));
    burst(bench.front.widgets(), scan);
    bench.front.rest();
    assert_eq!(bench.packed(), [1, 0]);
    let line = &bench.draft().goods[0];
    assert_eq!(
        (line.name.as_str(), line.quantity.as_str()),
        ("Hose reels, 20 m", "3")
    );
}

#[test]
fn another_order_can_be_scanned_meanwhile_and_the_counts_of_the_first_stay() {
    let mut bench = Bench::with_order();
    bench.add_order("SO-78");
    bench.scan_all(&["SO-77", "REEL-20", "SO-78", KIT]);
    assert_eq!(bench.draft().reference1, "SO-78");
    assert_eq!(bench.packed(), [0, 1]);
    bench.scan("SO-77");
    assert_eq!(bench.packed(), [1, 0]);
    // On another screen a scan is an ordinary search.
    bench.front.keys("<F3>");
    bench.scan("PUMP-3");
    bench
        .front
        .until("nothing matches", |shared| shared.search.not_found.clone());
    assert_eq!(bench.stop(), None);
    assert_eq!(bench.front.shared().screen, Screen::Dispatch);
}

#[test]
fn the_counts_are_still_there_after_the_program_is_closed() {
    let mut bench = Bench::with_order();
    bench.scan_all(&["SO-77", "REEL-20", KIT, KIT]);
    assert_eq!(bench.packed(), [1, 2]);
    let Bench {
        home,
        practice,
        front,
    } = bench;
    front.close();
    let front = crate::support::front::Front::start_open(&home, &practice);
    let mut bench = Bench {
        home,
        practice,
        front,
    };
    bench.front.until("the order is open", |shared| {
        (!shared.consign.draft_times.is_empty()).then_some(())
    });
    bench.front.rest();
    assert_eq!(bench.packed(), [1, 2]);
    bench.scan(KIT);
    assert_eq!(bench.packed(), [1, 3]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_serial_scanner_packs_whatever_has_the_focus_and_waits_at_a_wrong_piece() {
    let mut cable = Cable::new();
    let (home, practice, front) = bench_with(&cable);
    let mut bench = Bench {
        home,
        practice,
        front,
    };
    bench.add_order("SO-77");
    for text in ["SO-77", "REEL-20"] {
        scan(&mut bench.front, &mut cable, text);
    }
    bench.front.focus("Line 2: Name");
    // A real separator ends the batch before the count.
    let box_of_three = format!("{KIT_IN_BARCODE}10LOT7\u{1D}373");
    scan(&mut bench.front, &mut cable, &box_of_three);
    assert_eq!(bench.packed(), [1, 3]);
    assert_eq!(bench.home.heard(), [ScanSound::Found; 3]);
    for text in ["PUMP-3", "REEL-20"] {
        scan(&mut bench.front, &mut cable, text);
    }
    assert_eq!(bench.home.heard(), [ScanSound::NotFound; 2]);
    assert_eq!(
        bench.packed(),
        [1, 3],
        "nothing counts before the acknowledgement"
    );
    assert!(bench.stop().is_some());
    bench.front.keys("<Enter>");
    scan(&mut bench.front, &mut cable, "reel-20");
    assert_eq!(bench.packed(), [2, 3]);
}

#[test]
fn an_order_of_a_file_is_packed() {
    let mut bench = Bench::with_order();
    let file = "Reference,To name,To contact,To phone,To e-mail,To address 1,To suburb,To state,To postcode,Item name,SKU,Quantity,\
                Weight kg,Length cm,Width cm,Height cm\r\n\
                SO-90,Ballarat Farm,Kim,0353301234,kim@bf.example,1 Main Road,Ballarat Central,VIC,3350,Hose reels,REEL-20,2,9,40,40,30\r\n\
                SO-90,,,,,,,,,Freight pallet,,1,20,120,120,60\r\n";
    let path = bench.home.places.data().join("orders.csv");
    std::fs::write(&path, file).expect("a file");
    let sender = bench.front.shared().catalogue.known_locations()[0].clone();
    bench.draft().from.set_location(&sender);
    bench.front.rest();
    let typed = path.display().to_string();
    bench.front.ask(OrdersCommand::Import(Some(typed)));
    for (stage, key) in [
        (ImportStage::Columns, "<Ctrl+Enter>"),
        (ImportStage::Review, "<Ctrl+Enter>"),
        (ImportStage::Done, "<Esc>"),
    ] {
        bench.front.until(&format!("{stage:?}"), |shared| {
            (shared.consign.import.stage == stage).then_some(())
        });
        bench.front.rest();
        bench.front.keys(key);
    }
    bench.front.until("the order is a draft", |shared| {
        let mut drafts = shared.consign.drafts.iter();
        let is_order = |draft: &&draft::Draft| draft.reference1 == "SO-90" && draft.is_order;
        drafts.find(is_order).map(drop)
    });
    bench.scan("SO-90");
    let packing = bench.packing().expect("the order is packed by scan");
    assert_eq!(packing.lines.len(), 1, "the pallet has no SKU");
    bench.scan_all(&["REEL-20", "REEL-20"]);
    bench.front.keys("<Alt+C><Ctrl+Enter>");
    let sent = bench.recorded("SO-90");
    let wanted = [("REEL-20".to_owned(), 2), (String::new(), 1)];
    assert_eq!(quantities(&sent), wanted);
}
