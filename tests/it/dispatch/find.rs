//! A scan among 100,000 consignments opens the right one at once.

use std::time::{Duration, Instant};

use app::state::{Remote, UnmanifestedList, WindowCommand};
use shipping::{Consignment, ConsignmentId};

use super::support::bench;
use crate::support::desk::{Desk, Home};

const MANY: i64 = 100_000;

/// Far more than the time to check one row, and far less than the time to check each.
const AT_ONCE: Duration = Duration::from_millis(5);

fn many() -> UnmanifestedList {
    let consignment = r#"{"id": 1, "status": {"id": 2}}"#;
    let consignment: Consignment = serde_json::from_str(consignment).expect("one");
    let mut rows = engine::UnmanifestedRowBuilder::default();
    UnmanifestedList::new((1..=MANY).map(|id| {
        let mut row = rows.row_after(&consignment, None);
        row.id = ConsignmentId::new(id);
        row.number = format!("MS{id}").into();
        row.reference = format!("So-{id:06}").into();
        row.carrier_number = format!("NLX{:07}", id * 7).into();
        row.to = format!("Receiver {id}").into();
        row
    }))
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
fn a_number_is_found_without_a_look_at_each() {
    let list = many();
    let called = |number: &str| list.find_number(number).map(|one| one.id.get());
    let begun = Instant::now();
    for _ in 0..10 {
        assert_eq!(called("ms54321"), Some(54_321));
        assert_eq!(called("SO-000007"), Some(7));
        assert_eq!(called("nlx0000007"), Some(1));
        assert_eq!(called("MS100001"), None);
    }
    assert!(begun.elapsed() / 40 < AT_ONCE, "{:?}", begun.elapsed());
    let mut changed = list.clone();
    let mut row = list.get(ConsignmentId::new(9)).expect("in it").clone();
    row.number = "MSX9".into();
    changed.put(row);
    changed.remove(ConsignmentId::new(10));
    let called = |number: &str| changed.find_number(number).map(|one| one.id.get());
    assert_eq!(
        (called("msx9"), called("ms9"), called("ms10")),
        (Some(9), None, None)
    );
}

#[test]
fn the_search_box_finds_numbers_at_once_and_names_behind_the_screen() {
    let home = Home::new();
    let (_practice, _wire, mut desk) = bench(&home);
    super::support::listed(&mut desk);
    desk.core.shared.dispatch.unmanifested = Remote::ready(many());
    find(&mut desk, " ms54321 ");
    desk.turn();
    assert_eq!(found(&desk), Some(54_321));
    find(&mut desk, "receiver 99999");
    let by_name = desk.until("found by name", |core| core.shared.search.found);
    assert_eq!(by_name.1, ConsignmentId::new(99_999));
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
