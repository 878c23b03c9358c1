//! A scan among many consignments opens the right one.

use app::state::{ConsignmentHistory, ConsignmentRow, WindowCommand};
use shipping::{Consignment, ConsignmentId};
use storage::TrackStore;

use super::support::bench;
use crate::support::desk::{Desk, Home};
use crate::support::lists::list_rows;

const MANY: i64 = 10_000;

fn many() -> Vec<ConsignmentRow> {
    let consignment = r#"{"id": 1, "status": {"id": 2}}"#;
    let consignment: Consignment = serde_json::from_str(consignment).expect("one");
    let base = ConsignmentHistory::of(&consignment, None).row;
    let row = |id| ConsignmentRow {
        id: ConsignmentId::new(id),
        number: format!("MS{id}"),
        reference: format!("So-{id:06}"),
        carrier_number: format!("NLX{:07}", id * 7),
        to: format!("Receiver {id}"),
        ..base.clone()
    };
    (1..=MANY).map(row).collect()
}

fn find(desk: &mut Desk, text: &str) {
    desk.core.shared.search.found = None;
    desk.core.shared.search.not_found = None;
    desk.ask(WindowCommand::Find(text.to_owned()));
}

fn found(desk: &Desk) -> Option<i64> {
    desk.core.shared.search.found.map(|(_, id)| id.get())
}

#[test]
fn the_search_box_finds_numbers_at_once_and_names_behind_the_screen() {
    let home = Home::new();
    let (_practice, _wire, mut desk) = bench(&home);
    super::support::listed(&mut desk);
    list_rows(&mut desk.core.shared, many());
    let path = TrackStore::beside(&home.places.journal("practice"));
    let mut store = TrackStore::open(&path).expect("a store");
    let kept = many().into_iter().map(|row| ConsignmentHistory {
        row,
        history: Vec::new(),
    });
    let kept: Vec<_> = kept.collect();
    store.put(&kept, desk.core.shared.now).expect("kept");
    find(&mut desk, " ms5432 ");
    desk.turn();
    assert_eq!(found(&desk), Some(5_432));
    for (text, id) in [
        ("SO-000007", 7),
        ("nlx0000007", 1),
        ("receiver 9999", 9_999),
    ] {
        find(&mut desk, text);
        let (_, found) = desk.until(text, |core| core.shared.search.found);
        assert_eq!(found, ConsignmentId::new(id), "{text}");
    }
    find(&mut desk, "nobody of that name");
    let not_found = desk.until("said", |core| core.shared.search.not_found.clone());
    assert_eq!(not_found, "nobody of that name");
    // What is scanned next is what counts.
    find(&mut desk, "receiver 5");
    desk.ask(WindowCommand::Find("MS7".to_owned()));
    desk.turn();
    assert_eq!(found(&desk), Some(7));
    // The same once more is put in sight once more.
    let before = desk.core.shared.search.found;
    desk.ask(WindowCommand::Find("MS7".to_owned()));
    desk.turn();
    assert_eq!(found(&desk), Some(7));
    assert_ne!(desk.core.shared.search.found, before);
}
