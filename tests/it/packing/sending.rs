//! Sending what is packed: complete, short with a reason, by the last scan, and the packing slip.

use app::state::{
    BenchSettings, OperationKind, OperationState, SaveCommand, SaveRequest, SettingsCommand,
};
use engine::ConsignmentDocument;
use storage::Journal;

use super::{Bench, KIT, quantities};
use crate::journeys::kit::picture_showing;
use crate::support::readers::pdf_text;

#[test]
fn missing_pieces_need_a_reason_and_only_packed_ones_are_sent() {
    let mut bench = Bench::with_order();
    bench.scan_all(&["SO-77", "REEL-20", "REEL-20"]);
    bench.front.keys("<Ctrl+Enter>");
    picture_showing(
        bench.front.widgets(),
        "packing-short",
        &[
            "Pieces are missing",
            "Missing: 1 of REEL-20, 4 of 9312345678907",
            "Send what is packed",
        ],
    );
    // Neither nothing nor an SKU is a reason.
    bench.front.keys("<Enter>");
    bench.front.text("REEL-20");
    bench.front.keys("<Enter><Esc>");
    assert!(bench.front.shared().consign.sent.is_empty());
    assert!(bench.front.shared().consign.last_created.is_none());
    bench.front.keys("<Ctrl+Enter>");
    bench.front.text("Kits follow on Monday");
    bench.front.keys("<Enter>");
    let sent = bench.recorded("SO-77");
    assert_eq!(quantities(&sent), [("REEL-20".to_owned(), 2)]);

    let slip = slip(&mut bench, &sent);
    let line = |sku: &str| {
        let mut lines = slip.lines();
        let line = lines.find(|line| line.contains(sku));
        let line = line.unwrap_or_else(|| panic!("{sku} is not in {slip}"));
        let figures = line.split_whitespace().rev().take(2);
        figures.map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(
        slip.contains("Ordered") && slip.contains("Packed"),
        "{slip}"
    );
    assert_eq!(line("REEL-20"), ["2", "3"], "two of three");
    assert_eq!(line(KIT), ["0", "4"], "none of four");
    assert_eq!(line("2 lines"), ["2", "7"], "the totals");

    let created = bench.front.until("it is done", |shared| {
        let mut all = shared.operations.list.iter();
        let is_done = |one: &&app::state::Operation| {
            one.kind == OperationKind::Create && one.state == OperationState::Done
        };
        all.find(is_done).cloned()
    });
    assert!(
        !created.request.json().contains("Monday"),
        "the service gets no reason"
    );
    bench.front.keys("<F6><Alt+O>");
    bench.front.until("its history", |shared| {
        shared.operations.action_item.history.value().map(drop)
    });
    bench.front.rest();
    picture_showing(
        bench.front.widgets(),
        "packing-operation",
        &["Sent without 5 pieces: Kits follow on Monday"],
    );
    bench.front.close();
    let journal = Journal::open(&bench.home.places.journal("practice")).expect("the journal");
    let history = journal.history(created.id).expect("its history");
    let words = format!("Packed by scan: REEL-20 2 of 3, {KIT} 0 of 4\nSent without 5 pieces");
    assert!(
        history.iter().any(|entry| entry.words.contains(&words)),
        "{history:?}"
    );
    let packing = journal
        .packing_of(sent.id)
        .expect("the journal")
        .expect("a packing");
    assert_eq!(packing.pieces(), (2, 7));
}

/// Saves the packing slip, and reads its text.
fn slip(bench: &mut Bench, of: &shipping::Consignment) -> String {
    let path = bench.home.places.data().join("slip.pdf");
    let request = SaveRequest::OfConsignment(ConsignmentDocument::PackingSlip, of.id);
    let typed = path.display().to_string();
    bench.front.ask(SaveCommand::Save(request, Some(typed)));
    bench
        .front
        .until("the file", |_| path.exists().then_some(()));
    pdf_text(&std::fs::read(&path).expect("a file"))
}

#[test]
fn a_dear_route_is_asked_about_after_the_reason_and_after_the_last_scan() {
    let mut bench = Bench::with_order();
    bench.add_order("SO-78");
    let settings = BenchSettings {
        dear_percent: Some(0),
        send_when_packed: true,
        ..bench.front.shared().bench.clone()
    };
    bench.front.ask(SettingsCommand::SetBench(settings));
    for (order, scans) in [
        ("SO-77", &["REEL-20"][..]),
        (
            "SO-78",
            &["REEL-20", "REEL-20", "REEL-20", "]C10109312345678907374"],
        ),
    ] {
        bench.scan(order);
        bench.front.keys("<Alt+F>");
        bench.front.until("the prices", |shared| {
            let routes = shared.consign.routes.value()?;
            (!routes.is_empty() && !shared.consign.routes_stale).then_some(())
        });
        bench.front.rest();
        bench.scan_all(scans);
        if order == "SO-77" {
            bench.front.keys("<Ctrl+Enter>");
            bench.front.text("Out of stock");
            bench.front.keys("<Enter>");
        }
        assert!(
            bench.says("the cheapest is"),
            "{order}: a question is asked"
        );
        assert!(bench.front.shared().consign.sent.is_empty());
        bench.front.keys("<Ctrl+Enter>");
        bench.recorded(order);
    }
}

#[test]
fn nothing_packed_is_not_sent() {
    let mut bench = Bench::with_order();
    bench.scan("SO-77");
    bench.front.keys("<Ctrl+Enter>");
    let told = bench.front.until("the notice", |shared| {
        crate::support::desk::notice(shared, "The order was not sent")
    });
    assert_eq!(told.advice, "No piece is packed yet");
    assert!(bench.front.shared().consign.sent.is_empty());
}

#[test]
fn the_last_scan_sends_only_if_the_setting_says_so_and_nothing_is_wrong() {
    let mut bench = Bench::with_order();
    bench.send_when_packed();
    bench.scan_all(&["SO-77", "REEL-20", "REEL-20", "REEL-20"]);
    bench.scan(&format!("{}374", super::KIT_IN_BARCODE));
    let sent = bench.recorded("SO-77");
    assert_eq!(
        quantities(&sent),
        [("REEL-20".to_owned(), 3), (KIT.to_owned(), 4)]
    );

    bench.add_order("SO-78");
    bench.scan("SO-78");
    bench.draft().to.name.clear();
    bench.front.rest();
    bench.scan_all(&["REEL-20", "REEL-20", "REEL-20"]);
    bench.scan(&format!("{}374", super::KIT_IN_BARCODE));
    let told = bench.front.until("the notice", |shared| {
        crate::support::desk::notice(shared, "The order was not sent")
    });
    assert!(told.advice.contains("Fix the problems"), "{told:?}");
    assert_eq!(bench.packed(), [3, 4]);
}

#[test]
fn a_reason_is_asked_again_after_the_counts_changed() {
    let mut bench = Bench::with_order();
    bench.scan_all(&["SO-77", "REEL-20"]);
    let packing = bench.draft().packing.as_mut().expect("a packing");
    "Out of stock".clone_into(&mut packing.reason);
    bench.front.rest();
    assert!(bench.says("Sent short: Out of stock"));
    bench.scan("REEL-20");
    assert_eq!(bench.packing().expect("a packing").reason, "");
}

#[test]
fn a_changed_quantity_changes_what_is_expected() {
    let mut bench = Bench::with_order();
    bench.scan_all(&["SO-77", "REEL-20", "REEL-20"]);
    "1".clone_into(&mut bench.draft().goods[0].quantity);
    bench.front.rest();
    let packing = bench.packing().expect("a packing");
    assert_eq!((packing.lines[0].expected, packing.lines[0].packed), (1, 2));
    bench.front.keys("<Ctrl+Enter>");
    let told = bench.front.until("the notice", |shared| {
        crate::support::desk::notice(shared, "The order was not sent")
    });
    assert!(told.advice.contains("More pieces of REEL-20"), "{told:?}");
}
